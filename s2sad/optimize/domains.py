"""A loop over positions that only takes items at them goes over the items.

for k in range(len(xs)):                 for x in xs:
    x = xs[k]                    ->          h = h + w * x
    h = h + w * x

for k in reversed(range(len(xs))):       for x, y in zip(reversed(xs), reversed(ys)):
    x, y = xs[k], ys[k]          ->          ...

for k in range(len(xs) - 1):             for x in xs[:-1]:
    x = xs[k]                    ->          ...

Items are taken at the head of a pass then. So what holds them is not bound again in the loop, and no
statement before the one that takes an item reads the name that it gets, or writes what it is taken from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from operator import is_
from typing import Any, TypeGuard

from s2sad.analysis.exits import may_be_left
from s2sad.analysis.pass_lengths import MADE_FOR
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    call,
    calls,
    constant,
    global_,
    name,
    positional,
)
from s2sad.ir.program import (
    Block,
    For,
    Function,
    If,
    Let,
    Program,
    Raise,
    RegionOp,
    Restore,
    Statement,
    Store,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import UNKNOWN, Array, Length, Reference, Tuple, Type
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import (
    blocks,
    bound,
    bound_in,
    expressions,
    name_nodes,
    nodes,
    read_in,
    rewritten,
    statements,
    variables,
    with_blocks,
)
from s2sad.optimize.memory import Memory, changes, memory_of, touched_by

# of each list that is counted: what it is called, and how many items fewer are gone through
Counts = Mapping[Any, tuple[Expr, int]]


@dataclass(frozen=True, slots=True)
class _Take:
    """A statement `target = base[k]` of a loop's body, with what stands before it."""

    let: Let
    base: Expr
    before: Block


def over_items(function: Function, program: Program) -> Function:
    """Return a function whose loops go over items where their positions are not needed."""
    if not any(map(_takes_items, statements(function.body))):
        return function
    memory = memory_of(function, program)
    reads = _reads_in(function.body)
    lists = _steady_lists(function, program)
    inside: Counter[Variable] = Counter()
    for each in statements(function.body):
        if isinstance(each, For) and isinstance(each.target, Variable):
            inside[each.target] += _reads_in(each.body)[each.target]

    def change(each: Statement) -> Statement | Block:
        if not isinstance(each, For) or not isinstance(each.target, Variable):
            return each
        position = each.target
        checks, loop = _asked_before(each, position, lists)
        alone = reads[position] == inside[position]
        found = _over_items(loop, position, memory, lists) if alone else None
        return (*checks, found or loop)

    return replace(function, body=rewritten(function.body, change))


def _steady_lists(function: Function, program: Program) -> frozenset[Type]:
    """Return the types of lists, and of their shadows, that hold the same items all the time.

    Rows that are lists themselves are taken apart where they are: W, b = layers[k].
    """
    changed: set[Type] = set()
    for each in statements(function.body):
        match each:
            case RegionOp(base=base):
                changed.add(base.type)
            case Store(Expr("subscript", (base, _)) as item, op):
                if op == "=" or not isinstance(item.type, Array):  # else it is the same array
                    changed.add(base.type)
            case Let(value=value, effect=effect) if not effect.is_pure:
                changed |= {node.type for node in nodes(value)}
    regions = program.regions
    memory = {Reference(site) for site, each in regions.items() if each.kind in ("fields", "list")}
    lists = {
        Reference(site)
        for site, each in regions.items()
        if each.kind == "list" and each.cls in (None, list)
        if isinstance(each.item, Array) or each.item in memory
    }
    return frozenset(lists - changed)


def _takes_items(statement: Statement) -> bool:
    """Tell whether a statement is a loop over positions that takes items at them."""
    if not isinstance(statement, For) or not isinstance(statement.target, Variable):
        return False
    return any(True for _ in _takes(statement.body, statement.target))


def _over_items(
    loop: For, position: Variable, memory: Memory, lists: frozenset[Type]
) -> For | None:
    """Return a loop over items; None where it needs the position, or an item may change."""
    domain, is_reversed = loop.domain, calls(loop.domain, reversed)
    if is_reversed:
        (domain,) = positional(domain)
    counts = _counts(domain)
    takes = list(_takes(loop.body, position))
    if not counts or not takes or len(takes) != _reads_in(loop.body)[position]:
        return None
    if any(position in bound(each) for each in statements(loop.body)):
        return None
    found = _gone_over([each.base for each in takes], counts, is_reversed, lists)
    if found is None or not all(_may_be_taken_first(each, loop.body, memory) for each in takes):
        return None
    made = _going_over(loop, [each.let for each in takes], found)
    return made if made.body else None


def _asked_before(loop: For, position: Variable, lists: frozenset[Type]) -> tuple[Block, For]:
    """Return what a loop asks of its items alone, asked of all before it, and the loop without that.

    if any(W.shape[0] != b.shape[0] for W, b in zip(Ws[:-1], bs[:-1])):
        raise ValueError("made for W.shape[0] == b.shape[0]")
    """
    counts = _counts(loop.domain)
    takes = {each.let.target: each.base for each in _takes(loop.body, position)} if counts else {}
    often = Counter(v for each in statements(loop.body) for v in bound(each))
    checks, body = [], list(loop.body)
    for each in loop.body:
        if not takes or not _is_check(each):
            continue
        asked = list(dict.fromkeys(node.data for node in name_nodes(each.test)))
        if not all(v in takes and often[v] == 1 and takes[v].type in lists for v in asked):
            continue
        domains = _gone_over([takes[v] for v in asked], counts, False, lists)
        if domains is not None:
            checks.append(_asked_of_all(each, asked, _together(domains)))
            body.remove(each)
    return tuple(checks), replace(loop, body=tuple(body)) if checks else loop


def _asked_of_all(check: If, asked: list[Variable], domain: Expr) -> If:
    """Return a check of all items that a loop goes over."""
    each: Any = asked[0] if len(asked) == 1 else tuple(asked)
    generator = Expr("generator", (domain,), each)
    items = Expr("comprehension", (check.test, generator), "generator", UNKNOWN)
    return replace(check, test=call(global_("any", any), items, type_=check.test.type))


def _is_check(statement: Statement) -> TypeGuard[If]:
    """Tell whether a statement asks for shapes that the text was made for, and raises."""
    match statement:
        case If(_, (Raise(Expr("call", (_, Expr("constant", data=message)))),), ()):
            return isinstance(message, str) and message.startswith(MADE_FOR)
    return False


def _together(domains: Sequence[Expr]) -> Expr:
    if len(domains) == 1:
        return domains[0]
    return call(global_("zip", zip), *domains, type_=SequenceType(UNKNOWN, zip))


def _gone_over(
    bases: Sequence[Expr], counts: Counts, is_reversed: bool, lists: frozenset[Type]
) -> list[Expr] | None:
    """Return the domains of a loop over the items of some bases, None where they may differ in length."""
    if len(counts) > 1:  # as many as the shortest has: zip stops there, too
        if is_reversed or {base.data for base in bases} != counts.keys():
            return None
        if not all(base.type in lists for base in bases):
            return None
        return [_without_last(base, counts[base.data][1]) for base in bases]
    ((whole, less),) = counts.values()
    is_slice = less > 0
    if is_slice and not all(base.type in lists for base in bases):
        return None
    if not all(_has_length(base, whole, lists) for base in bases):
        return None
    parts = [_without_last(base, less) for base in bases]
    return [_reversed(each) for each in parts] if is_reversed else parts


def _without_last(base: Expr, less: int) -> Expr:
    """Return a list without its last items."""
    if not less:
        return base
    last = Expr("slice", (constant(None), constant(-less), constant(None)))
    return Expr("subscript", (base, last), None, base.type)


def _going_over(loop: For, taken: Sequence[Let | Restore], domains: Sequence[Expr]) -> For:
    """Return a loop over the items that statements of its body took."""
    gone = {id(each) for each in taken}
    body = tuple(each for each in loop.body if id(each) not in gone)
    targets: Any = tuple(each.target for each in taken)
    if len(taken) == 1:
        return replace(loop, target=targets[0], domain=domains[0], body=body)
    return replace(loop, target=targets, domain=_together(domains), body=body)


def _reversed(base: Expr) -> Expr:
    return call(global_("reversed", reversed), base, type_=SequenceType(UNKNOWN, reversed))


def _takes(body: Block, position: Variable) -> Iterator[_Take]:
    """Yield the statements of a body that only take an item at the position."""
    at = name(position)
    for place, each in enumerate(body):
        if not isinstance(each, Let) or each.value.op != "subscript" or each.spelled != "=":
            continue
        base, key = each.value.args
        if base.op == "name" and key.op == at.op and key.data == at.data:
            yield _Take(each, base, body[:place])


def _counts(domain: Expr) -> Counts:
    """Return xs, and how many less than its items are counted, of range(len(xs) - 1) or of a min of them."""
    if not calls(domain, range) or len(positional(domain)) != 1:
        return {}
    (count,) = positional(domain)
    several = positional(count) if calls(count, min) else (count,)
    found = [_count(each) for each in several]
    if None in found:
        return {}
    counts = {each[0].data: each for each in found if each is not None}
    return counts if len(counts) == len(several) else {}


def _count(count: Expr) -> tuple[Expr, int] | None:
    """Return xs and 1 of len(xs) - 1."""
    less = 0
    if count.op == "binary" and count.data == "-" and count.args[1].op == "constant":
        count, taken = count.args
        if type(taken.data) is not int or taken.data < 1:
            return None
        less = taken.data
    if not calls(count, len) or len(positional(count)) != 1:
        return None
    (whole,) = positional(count)
    return (whole, less) if whole.op == "name" else None


def _has_length(base: Expr, other: Expr, lists: frozenset[Type]) -> bool:
    """Tell whether an array, a tuple or its shadow surely is as long as what the positions were of."""
    if isinstance(other.type, Tuple) or other.type in lists:
        is_shadow = base.data.role is Role.ADJOINT and base.data.of == other.data
        return is_shadow or bool(base.data == other.data)
    of = _first_length(base)
    return of is not None and (base.data == other.data or of == _first_length(other))


def _first_length(expr: Expr) -> Length | None:
    return expr.type.lengths[0] if isinstance(expr.type, Array) and expr.type.rank else None


def _may_be_taken_first(take: _Take, body: Block, memory: Memory) -> bool:
    """Tell whether an item is the same at the head of a pass, and nothing reads its name before."""
    names = set(variables(take.let.target))
    whole = memory.content(take.base.data)
    if may_be_left(take.before):
        return False
    if take.base.data in changes(body, memory) or whole in changes(take.before, memory):
        return False
    return _is_untouched(names, take.before, memory)


def _is_untouched(names: Set[Variable], block: Block, memory: Memory) -> bool:
    """Tell whether no statement of a block reads or changes some names."""
    return all(names.isdisjoint(touched_by(each, memory)) for each in block)


def _reads_in(body: Block) -> Counter[Variable]:
    """Return how often each variable is read in a block."""
    every = (expr for each in statements(body) for expr in expressions(each))
    return Counter(node.data for expr in every for node in name_nodes(expr))


# ---------------------------------------------------------------------------- saved values


def loop_over_saved(function: Function, memory: Memory) -> Function:
    """Return a function whose outermost loops go over the values that they take."""
    made = tuple(statements(function.body))
    taken = Counter(s.stack for s in made if isinstance(s, Restore))
    if not taken:
        return function
    read = frozenset(v for s in made for v in read_in(s))
    alone = frozenset(stack for stack, often in taken.items() if often == 1 and stack not in read)
    body = _all_over(function.body, alone, memory)
    return function if body is function.body else replace(function, body=body)


def _all_over(block: Block, alone: frozenset[Variable], memory: Memory) -> Block:
    made = tuple(_over(each, alone, memory) for each in block)
    return block if all(map(is_, made, block)) else made


def _over(statement: Statement, alone: frozenset[Variable], memory: Memory) -> Statement:
    if isinstance(statement, If):
        sides = [_all_over(side, alone, memory) for side in blocks(statement)]
        return with_blocks(statement, tuple(sides))
    if not isinstance(statement, For) or may_be_left(statement.body):
        return statement
    read = {v for each in statements(statement.body) for v in read_in(each)}
    if not read.isdisjoint(variables(statement.target)):
        return statement
    found = [
        each
        for place, each in enumerate(statement.body)
        if isinstance(each, Restore)
        and each.stack in alone
        and not isinstance(each.target, Expr)
        and _may_be_first(statement.body, place, memory)
    ]
    if not 0 < len(found) < 3:
        return statement
    return _going_over(statement, found, [_reversed(name(each.stack)) for each in found])


def _may_be_first(body: Block, place: int, memory: Memory) -> bool:
    """Tell whether a value may be taken at the start of a pass."""
    targets = frozenset(bound(body[place]))
    is_bound_again = not targets.isdisjoint(bound_in((*body[:place], *body[place + 1 :])))
    return not is_bound_again and _is_untouched(targets, body[:place], memory)
