"""Lists as they are written by hand: made at once, taken apart where they are used, one for a pass of a loop.

item_bar = xs_bar.pop()             u_bar[k] += xs_bar.pop()
u_bar[k] += item_bar

xs_bar = [0.0] * len(xs)            xs_bar = [2.0 * g] * len(xs)
for k in range(len(xs_bar)):        xs_bar = list(2.0 * r) where each gets a row of its own
    xs_bar[k] += 2.0 * g

xs = []                             xs = [x * c for x in u]
for k in range(len(u)):
    x = u[k]
    xs.append(x * c)

    well_saved.append(well)                 saved.append((well, ill))
    well = well - h * new                   well = well - h * new
    ill_saved.append(ill)          ->       ill = ill + h * (new - gamma * ill)
    ill = ill + h * (new - gamma * ill)

and the reverse sweep takes both back at once: well, ill = saved.pop(). A value may be saved earlier
or later than it was if no statement between changes it; it may be taken back earlier or later if no
statement between reads or changes what it is put into.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Values
from functools import partial
from itertools import accumulate, product

import numpy as np

from s2sad.analysis.exits import may_be_left
from s2sad.ir.expression import (
    EVERYTHING,
    Expr,
    Role,
    Variable,
    attribute,
    call,
    calls,
    copy_of,
    global_,
    index_parts,
    is_own_call,
    name,
)
from s2sad.ir.program import (
    PURE,
    Block,
    For,
    Function,
    If,
    Let,
    RegionOp,
    Restore,
    Save,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh, with_value
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Number, Sequence
from s2sad.ir.walk import (
    blocks,
    bound,
    expressions,
    in_blocks,
    mentions,
    name_nodes,
    nodes,
    read_in,
    read_variables,
    rewritten,
    statements,
    with_expressions,
)
from s2sad.optimize.memory import Memory, changes, statement_reads, touched_by
from s2sad.types.lengths import lengths_of

LINE = 66  # columns of a line that is read at a glance
WIDTH = 80  # of one that was a comprehension of the user's


def with_plain_lists(function: Function, memory: Memory) -> Function:
    """Return a function whose lists are made and used in as few statements as possible."""
    return replace(function, body=_Lists(function, memory).block(function.body))


def with_shadows_at_once(function: Function, memory: Memory) -> Function:
    """Return a function whose shadows of lists are made of what is added to them first."""
    body = _Lists(function, memory).shadows(function.body)
    return function if body == function.body else replace(function, body=body)


class _Lists:
    """How often the variables of a function are used and bound."""

    def __init__(self, function: Function, memory: Memory):
        self.uses: Counter[Variable] = Counter()
        self.definitions: Counter[Variable] = Counter(p.variable for p in function.parameters)
        self.has_seed = any(p.variable.role is Role.SAVED for p in function.parameters)
        self.computed: set[object] = set()  # arrays of their own
        for each in statements(function.body):
            self.definitions.update(bound(each))
            if isinstance(each, Let) and _is_of_its_own(each.value, memory):
                self.computed.add(each.target)
            for expr in expressions(each):
                self.uses.update(node.data for node in name_nodes(expr))

    def block(self, block: Block) -> Block:
        """Return a block with its lists made at once."""
        made: list[Statement] = []
        for statement in block:
            statement = in_blocks(statement, self.block)
            _move_down(made, statement)
            while made and (new := self.joined(made[-1], statement)) is not None:
                made.pop()
                statement = new
            made.append(statement)
        return tuple(made)

    def shadows(self, block: Block) -> Block:
        """Return a block with the shadows of its lists made of what is added to them first."""
        made: list[Statement] = []
        for statement in block:
            statement = in_blocks(statement, self.shadows)
            _move_down(made, statement)
            match made[-1:], statement:
                case [Let(Variable(), value) as let], For() if _is_zero_list(value):
                    filled = self.filled(let, statement)
                    made[-1:] = [let, statement] if filled is None else [filled]
                case _:
                    made.append(statement)
        return tuple(made)

    def joined(self, first: Statement, second: Statement) -> Statement | None:
        """Return one statement in the place of two."""
        match first, second:
            case Let(Variable()), RegionOp(None, _, "pop", ()):
                return self.popped(first, second)
            case RegionOp(Variable(), _, "pop", ()), Let() | Store():
                return self.taken(first, second)
            case Let(Variable(), Expr(op="binary" | "comprehension")), For():
                return self.filled(first, second)
            case Let(Variable(), Expr(op="list", args=())), For():
                return self.collected(first, second)
            case Let(Variable() as rows), Let(value=Expr("call", (_, given)) as made):
                if calls(made, list) and given == name(rows) and self.is_once(rows):
                    new = replace(second, value=made.with_args((made.args[0], first.value)))
                    return new if len(simple(new)) <= LINE else None
        return None

    def is_once(self, variable: Variable) -> bool:
        """Tell whether a name of ours is bound and read once."""
        often = (self.definitions[variable], self.uses[variable])
        return variable.role is not Role.PRIMAL and often == (1, 1)

    def popped(self, let: Let, pop: RegionOp) -> Statement | None:
        """Return a statement that takes the last item of a list, which was read before."""
        part = let.value
        is_last = part.op == "subscript" and part.args[0] == pop.base
        if not is_last or part.args[1].op != "constant" or part.args[1].data != -1:
            return None
        return replace(pop, target=let.target)

    def taken(self, pop: RegionOp, use: Let | Store) -> Statement | None:
        """Return a statement that takes an item of the shadow of a list where it uses it."""
        target, base = pop.target, pop.base
        assert isinstance(target, Variable)
        is_ours = target.role in (Role.TERM, Role.ADJOINT)
        if not is_ours or base.op != "name" or base.data.role is not Role.ADJOINT:
            return None
        if not self.is_once(target):
            return None
        if sum(mentions(e, target) for e in expressions(use)) != 1:
            return None
        if any(mentions(e, base.data) for e in expressions(use)) or _is_inner(use, target):
            return None
        taken = call(attribute(base, "pop"))
        new = with_expressions(use, lambda e: with_value(e, target, taken))
        return new if len(simple(new)) <= LINE else None

    def filled(self, let: Let, loop: For) -> Statement | None:
        """Return the shadow of a list with its first contributions in it."""
        bar = let.target
        assert isinstance(bar, Variable)
        if bar.role is not Role.ADJOINT or len(loop.body) != 1 or not _is_zero_list(let.value):
            return None
        store, counter = loop.body[0], loop.target
        if not isinstance(store, Store) or store.op not in "+-":
            return None
        if not isinstance(counter, Variable) or not _counts_items(loop.domain, name(bar)):
            return None
        if not _is_item(store.target, bar, counter):
            return None
        if mentions(store.value, bar) or (self.has_seed and store.value.op == "name"):
            return None  # a seed may be an array without axes, of which there has to be one each
        negative = Expr("unary", (store.value,), "-", store.value.type)
        value = negative if store.op == "-" else store.value
        if let.value.op == "comprehension":  # the rows become memory of the list
            rows = _rows(value, counter)
            if rows is None or value.type != store.target.type or None in lengths_of(value.type):
                return None
            held = rows.args[0] if rows.op == "attribute" else rows
            if held.data not in self.computed or not self.is_once(held.data):
                own = call(global_("list", list), copy_of(rows), type_=let.value.type)
                return replace(let, value=own, span=store.span)
        return replace(let, value=_list_of(value, counter, let.value), span=store.span)

    def collected(self, let: Let, loop: For) -> Statement | None:
        """Return a list that a comprehension makes, where no loop of the user's does."""
        held, counter, body = let.target, loop.target, loop.body
        if let.span is not None and loop.span is not None and let.span.line != loop.span.line:
            return None
        body = self.with_item(body)
        append = body[-1]
        if not isinstance(append, RegionOp) or append.method != "append" or len(body) > 2:
            return None
        if append.base != name(held) or not isinstance(counter, Variable):  # type: ignore[arg-type]
            return None
        item = append.args[0]
        if mentions(item, held) or mentions(loop.domain, held):  # type: ignore[arg-type]
            return None
        if len(body) == 2:
            bind = body[0]
            if not isinstance(bind, Let) or not isinstance(bind.target, Variable):
                return None
            if not bind.effect.is_pure or not _is_item_of(bind.value, loop.domain, counter):
                return None
            if mentions(item, counter):
                return None
            made = _collection(bind.target, bind.value.args[0], item, let.value)
        elif _is_item_of(item, loop.domain, counter):
            each = Variable("each", 0, Role.TERM)
            made = _collection(each, item.args[0], name(each), let.value)
        else:
            made = _collection(counter, loop.domain, item, let.value)
        new = replace(let, value=made)
        is_theirs = let.span is not None and let.span == append.span  # it was one of the user's
        return new if is_theirs or len(simple(new)) <= WIDTH else None

    def with_item(self, body: Block) -> Block:
        """Return the body of a loop that appends a value itself, not a name that it had for that."""
        match body:
            case (
                Let(Variable() as item, value, spelled="=") as let,
                RegionOp(args=(Expr() as given,)) as append,
            ):
                if given == name(item) and self.is_once(item) and let.effect.is_pure:
                    return (replace(append, args=(value,)),)
        return body


def _move_down(made: list[Statement], statement: Statement) -> None:
    """Move an empty list, or zeros, down to the loop that fills it, behind what does not read it."""
    place = _filled_by(statement, made) if isinstance(statement, For) else None
    if place is None:
        return
    let, between = made[place], made[place + 1 :]
    are_lists = all(getattr(s, "value", None) == Expr("list") for s in between)
    if not are_lists and all(_is_apart(each, let) for each in between):  # type: ignore[arg-type]
        made.append(made.pop(place))


def _filled_by(loop: For, made: list[Statement]) -> int | None:
    """Return where the list, or zeros, are made that a loop fills; None behind what is no assignment."""
    for place in reversed(range(len(made))):
        match made[place]:
            case Let(Variable() as held, items) if _is_to_fill(items, loop):
                if mentions(loop.domain, held) or _changes_one(loop.body, held):
                    return place
            case Let() | Store():
                pass
            case _:
                return None
    return None


def _is_of_its_own(value: Expr, memory: Memory) -> bool:
    """Tell whether a value is new memory: what arithmetic gives, and a function that keeps its arguments."""
    if is_own_call(value):
        return memory.given_back.get(value.args[0].data) == frozenset()
    return value.op == "binary"


def _is_to_fill(items: Expr, loop: For) -> bool:
    return items == Expr("list") or (_is_zero_list(items) and len(loop.body) == 1)


def _changes_one(body: Block, held: Variable) -> bool:
    """Tell whether statements append to a list, or store to its items."""
    bases = [s.base if isinstance(s, RegionOp) else getattr(s, "target", None) for s in body]
    return any(isinstance(base, Expr) and mentions(base, held) for base in bases)


def _is_apart(statement: Statement, let: Let) -> bool:
    """Tell whether a statement may stand before a list that is made instead of behind it."""
    reads_it = any(mentions(e, let.target) for e in expressions(statement))  # type: ignore[arg-type]
    changes_it = any(mentions(let.value, variable) for variable in bound(statement))
    effect = PURE if isinstance(statement, Store) else getattr(statement, "effect", PURE)
    if replace(effect, writes=frozenset()) != PURE:
        return False
    # it writes to what it is handed, if to anything
    is_handed = not read_variables(let.value).isdisjoint(read_in(statement))
    return not reads_it and not changes_it and not (effect.writes and is_handed)


def _is_item_of(part: Expr, domain: Expr, counter: Variable) -> bool:
    """Tell whether a value is what stands at the position that a loop counts: u[k]."""
    if part.op != "subscript" or part.args[1] != name(counter) or part.args[0].op != "name":
        return False
    return _counts_items(domain, part.args[0])


def _counts_items(domain: Expr, held: Expr) -> bool:
    """Tell whether a loop goes over range(len(held))."""
    if not calls(domain, range) or len(domain.args) != 2:
        return False
    return calls(domain.args[1], len) and domain.args[1].args[1:] == (held,)


def _collection(each: Variable, domain: Expr, item: Expr, empty: Expr) -> Expr:
    """Return a list of a value for each item of a domain."""
    if item == name(each):
        return call(global_("list", list), domain, type_=empty.type)
    generator = Expr("generator", (domain,), each)
    return Expr("comprehension", (item, generator), "list", empty.type)


def _is_zero_list(value: Expr) -> bool:
    """Tell whether a value is a list of zeros: [0.0] * n, [np.zeros_like(x) for x in xs]."""
    match value:
        case Expr("binary", (Expr("list", (item,)), _), "*"):
            return item.op == "constant" and item.data == 0.0
        case Expr("comprehension", (item, Expr("generator", (_,), Variable() as each))):
            return calls(item, np.zeros_like) and item.args[1:] == (name(each),)
    return False


def _rows(value: Expr, counter: Variable) -> Expr | None:
    """Return the array of which a value is what stands at the position that a loop counts.

    Columns are the rows of the array turned over.
    """
    match value:
        case Expr("subscript", (Expr("name", type=Array() as of) as rows, at)):
            if at == name(counter):
                return rows
            if index_parts(at) == (EVERYTHING, name(counter)) and of.rank == 2:
                return attribute(rows, "T", replace(of, lengths=of.lengths[::-1]))
    return None


def _is_item(place: Expr, held: Variable, counter: Variable) -> bool:
    return place.op == "subscript" and place.args == (name(held), name(counter))


def _list_of(value: Expr, counter: Variable, zeros: Expr) -> Expr:
    """Return a list of a value for each position."""
    length = zeros.args[1]
    if not mentions(value, counter):
        return zeros.with_args((zeros.args[0].with_args((value,)), length))
    rows = _rows(value, counter)
    if rows is not None and (zeros.op == "comprehension" or isinstance(value.type, Number)):
        return call(global_("list", list), rows, type_=zeros.type)
    domain = call(global_("range", range), length, type_=Sequence(length.type, range))
    generator = Expr("generator", (domain,), counter)
    return Expr("comprehension", (value, generator), "list", zeros.type)


def _is_inner(statement: Let | Store, variable: Variable) -> bool:
    """Tell whether a statement reads a variable where it may be computed more than once, or never."""
    lazy = ("comprehension", "conditional", "and", "or")
    found = (n for e in expressions(statement) for n in nodes(e) if n.op in lazy)
    return any(mentions(node, variable) for node in found)


# what is saved at once stands on one line
WIDTH_OF_NAMES = 66


def saved_together(function: Function, memory: Memory) -> Function:
    """Return a function whose loops save the values of a pass on one list."""
    made = _saved_together(function, memory)
    alone = _stacks(made)
    change = partial(_with_early, alone=alone, memory=memory)
    early = replace(function, body=rewritten(function.body, change))
    if early.body == function.body:
        return made
    early = _saved_together(early, memory)
    return early if len(_stacks(early)) < len(alone) else made


def _stacks(function: Function) -> frozenset[Variable]:
    return frozenset(s.stack for s in statements(function.body) if isinstance(s, Save))


def _saved_together(function: Function, memory: Memory) -> Function:
    every = tuple(statements(function.body))
    used = Counter(s.stack for s in every if isinstance(s, Save | Restore))
    read = {v for s in every for v in read_in(s)}
    alone = {stack for stack, often in used.items() if often == 2 and stack not in read}
    pairs = list(_pairs(function.body, alone))
    fresh = Fresh.of(function)
    chosen: list[_Together] = []
    for forward, reverse, stacks in pairs:
        while len(stacks) > 1:
            found = _largest(forward, reverse, stacks, memory)
            if found is None:
                break
            chosen.append(replace(found, stack=fresh.variable("saved", Role.SAVED)))
            stacks = [stack for stack in stacks if stack not in found.stacks]
    return _with_lists(function, chosen) if chosen else function


def _with_early(loop: Statement, alone: frozenset[Variable], memory: Memory) -> Statement:
    """Return a loop whose passes compute early what is named for us, and else is saved alone.

    x_saved.append(x)               x_term = a * c
    x = x + a * c           ->      x_saved.append(x)
    x_term = a * c                  x_term_saved.append(x_term)
    x_term_saved.append(x_term)     x = x + a * c
    """
    if not isinstance(loop, For | While) or may_be_left(loop.body):
        return loop
    body = list(loop.body)
    saves = [s for s in body if isinstance(s, Save) and s.stack in alone]
    saved = {s.value.data for s in saves if s.value.op == "name"}
    for place, let in enumerate(loop.body):
        if isinstance(let, Let) and isinstance(let.target, Variable) and let.effect.is_pure:
            if let.target.role is not Role.TERM or let.target not in saved:
                continue
            early = place
            while early and not _touches(body[early - 1], let, memory):
                early -= 1
            if any(isinstance(s, Save) for s in body[early:place]):
                body.insert(early, body.pop(place))
    return loop if tuple(body) == loop.body else replace(loop, body=tuple(body))


def with_late(loop: Statement, memory: Memory) -> Statement:
    """Return a loop whose passes compute what is named for us, and first read to be saved, just before."""
    if not isinstance(loop, For | While):
        return loop
    body = list(loop.body)
    for place in reversed(range(len(body))):
        let = body[place]
        if isinstance(let, Let) and isinstance(let.target, Variable) and let.effect.is_pure:
            late = place + 1
            is_early = late < len(body) and _line(let) > _line(body[late])
            while is_early and late < len(body) and not _touches(body[late], let, memory):
                late += 1
            is_ours = is_early and let.target.role is Role.TERM and late < len(body)
            if is_ours and isinstance(body[late], Save) and let.target in read_in(body[late]):
                body.insert(late - 1, body.pop(place))
    return loop if tuple(body) == loop.body else replace(loop, body=tuple(body))


def _line(statement: Statement) -> int:
    """Return the line of the user's that a statement belongs to, 0 without one."""
    span = getattr(statement, "span", None)
    return 0 if span is None else span.line


def _touches(statement: Statement, let: Let, memory: Memory) -> bool:
    """Tell whether a statement changes what a name is computed of, or reads or binds that name."""
    is_changed = not statement_reads(let, memory).isdisjoint(changes((statement,), memory))
    return is_changed or let.target in touched_by(statement, memory)


@dataclass(frozen=True, slots=True)
class _Together:
    """Stacks that become one, and the statements in whose places it is saved and taken back."""

    stacks: tuple[Variable, ...]
    save: Save
    restore: Restore
    values: tuple[Expr, ...]
    targets: tuple[Variable, ...]
    stack: Variable


def _pairs(body: Block, alone: set[Variable]) -> Iterator[tuple[Block, Block, list[Variable]]]:
    """Yield the blocks in loops that save, each with the block that takes the same values back."""
    loops = [s for s in statements(body) if isinstance(s, For | While)]
    sides = (b for loop in loops for s in loop.body for b in _sides(s))
    bodies = list({id(b): b for b in (*(loop.body for loop in loops), *sides)}.values())
    bodies = [each for each in bodies if not may_be_left(each)]
    takes = {s.stack: each for each in bodies for s in each if isinstance(s, Restore)}
    for each in bodies:
        found: dict[int, tuple[Block, list[Variable]]] = {}
        for s in each:
            if isinstance(s, Save) and s.stack in alone and s.stack in takes:
                reverse = takes[s.stack]
                found.setdefault(id(reverse), (reverse, []))[1].append(s.stack)
        yield from ((each, reverse, stacks) for reverse, stacks in found.values())


def _sides(statement: Statement) -> Iterator[Block]:
    """Yield the blocks of a branch, and of the branches in them."""
    for block in blocks(statement) if isinstance(statement, If) else ():
        yield block
        yield from (inner for each in block for inner in _sides(each))


def _largest(
    forward: Block, reverse: Block, stacks: Values[Variable], memory: Memory
) -> _Together | None:
    """Return the most stacks that can be one; None if no two can."""
    saves = {s.stack: (k, s) for k, s in enumerate(forward) if isinstance(s, Save)}
    takes = {s.stack: (k, s) for k, s in enumerate(reverse) if isinstance(s, Restore)}
    targets = {v: t for v in stacks if isinstance(t := takes[v][1].target, Variable)}
    best: list[Variable] = []
    for first, second in product(targets, targets):
        at, back = saves[first][0], takes[second][0]
        held = [
            stack
            for stack, target in targets.items()
            if _may_be_saved(forward, saves[stack][0], at, memory)
            and _may_be_taken(reverse, takes[stack][0], back, target, memory)
        ]
        first_of = {targets[stack]: stack for stack in reversed(held)}
        held = _fitting([stack for stack in held if first_of[targets[stack]] == stack], targets)
        if len(held) > max(1, len(best)) and first in held and second in held:
            best, save, restore = held, saves[first][1], takes[second][1]
    if not best:
        return None
    values = tuple(saves[stack][1].value for stack in best)
    into = tuple(targets[stack] for stack in best)
    return _Together(tuple(best), save, restore, values, into, best[0])


def _fitting(stacks: list[Variable], targets: Mapping[Variable, Variable]) -> list[Variable]:
    """Return the first stacks whose values have names that fit on one line together."""
    widths = accumulate(len(f"{targets[stack]}, ") for stack in stacks)
    return [stack for stack, width in zip(stacks, widths, strict=True) if width <= WIDTH_OF_NAMES]


def _may_be_saved(block: Block, place: int, at: int, memory: Memory) -> bool:
    """Tell whether a value is the same at another place of its block."""
    between = block[min(place, at) : max(place, at)]
    return statement_reads(block[place], memory).isdisjoint(
        changes(tuple(s for s in between if not isinstance(s, Save)), memory)
    )


def _may_be_taken(block: Block, place: int, at: int, target: Variable, memory: Memory) -> bool:
    """Tell whether a value may be taken back at another place of its block."""
    between = (*block[min(place, at) : place], *block[place + 1 : max(place, at) + 1])
    return all(target not in touched_by(s, memory) for s in between if not _takes_other(s, target))


def _takes_other(statement: Statement, target: Variable) -> bool:
    """Tell whether a statement takes back the value of another variable."""
    match statement:
        case Restore(Variable() as other):
            return other != target
    return False


def _with_lists(function: Function, chosen: Values[_Together]) -> Function:
    """Return a function with one list for each of the groups."""
    by_stack = {stack: each for each in chosen for stack in each.stacks}
    made: set[Variable] = set()

    def change(statement: Statement) -> Statement | None:
        match statement:
            case Save(stack, _, span) if stack in by_stack:
                each = by_stack[stack]
                value = Expr("tuple", each.values)
                return Save(each.stack, value, span) if stack == each.save.stack else None
            case Restore(_, stack, span) if stack in by_stack:
                each = by_stack[stack]
                is_place = stack == each.restore.stack
                return Restore(each.targets, each.stack, span) if is_place else None
            case Let(Variable() as stack) if stack in by_stack:
                each = by_stack[stack]
                if each.stack in made:
                    return None
                made.add(each.stack)
                return replace(statement, target=each.stack)
        return statement

    return replace(function, body=rewritten(function.body, change))
