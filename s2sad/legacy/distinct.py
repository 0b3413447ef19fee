"""Which lists hold no object twice, so that a write to one item leaves the others as they are.

rows = [np.zeros(n), np.zeros(n)]      distinct
rows = [z, z]                          not: rows[0][i] = e writes to rows[1], too
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import gast

from s2sad.legacy.blocks import all_reads
from s2sad.legacy.facts import Facts
from s2sad.legacy.memory import HOLDERS, NOTHING, Old, Root, Roots, own_memory, writes_of
from s2sad.legacy.origins import origin
from s2sad.legacy.program import (
    NONE,
    Assign,
    Block,
    Call,
    Const,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.storage import roots_of
from s2sad.legacy.traverse import blocks, defines, statements

# printed functions that make anew all that they give, down to the arrays
NEW_INSIDE = frozenset({"_zeros_of", "_copied", "_plus"})


@dataclass
class _State:
    """What is known while lists that may hold an object twice are found."""

    facts: Facts
    roots: Roots
    block_of: dict[Var, int] = field(default_factory=dict)
    around: dict[int, int] = field(default_factory=dict)  # the block that a block stands in
    definition: dict[Var, Stmt] = field(default_factory=dict)
    held: Counter[Var] = field(default_factory=Counter)
    read: Counter[Var] = field(default_factory=Counter)
    doubtful: set[str] = field(default_factory=set)
    given: set[Var] = field(default_factory=set)  # what the caller made: nothing is known of it
    exchanged: set[Var] = field(default_factory=set)  # the lists that exchanges of two items leave


def distinct_holders(
    program: Program, facts: Facts, rows: frozenset[Var] = frozenset()
) -> frozenset[str]:
    """Return the slots of lists and dicts, made here, whose items are surely different objects.

    Of the parameters `rows` that is known.
    """
    state = _State(facts, roots_of(program, facts.of))
    kept = _handed_on(program)
    state.given |= {param.var for param in program.params} - rows
    state.doubtful |= {var.slot for var in state.given & kept}
    _note(program.body, state)
    _note_exchanges(program.body, state)
    for stmt in statements(program.body):
        state.held.update(var for _, part in _stored(stmt, state) for var in _held_by(part))
        state.read.update(all_reads(stmt) if not blocks(stmt) else ())
    size = -1
    while size < len(state.doubtful):
        size = len(state.doubtful)
        _sweep(program.body, state)
    slots = {var.slot for stmt in statements(program.body) for var in defines(stmt)}
    slots |= {var.slot for var in rows}
    return frozenset(slots - state.doubtful)


def _handed_on(program: Program) -> set[Var]:
    """Return the values that are, after a write, a branch or a pass, what their name holds still.

    A parameter that is none of them holds something else once its name is given another list.
    """
    found: set[Var | None] = set()
    for stmt in statements(program.body):
        found |= {write.old for write in writes_of(stmt)}
        if isinstance(stmt, If):
            found |= {side for merge in stmt.merges for side in (merge.then, merge.orelse)}
        elif isinstance(stmt, Loop):
            found |= {side for each in stmt.carried for side in (each.init, each.end)}
    return {var for var in found if var is not None}


def _note(block: Block, state: _State) -> None:
    for stmt in block:
        for var in defines(stmt):
            state.block_of[var] = id(block)
            state.definition[var] = stmt
        for inner in blocks(stmt):
            state.around[id(inner)] = id(block)
            _note(inner, state)


def _stored(stmt: Stmt, state: _State) -> Iterator[tuple[Var, Expr]]:
    """Yield what a statement puts into a list, with the list that then holds it."""
    match stmt:
        case Assign((target,), Op("list" | "tuple") as display, unpack=False):
            for part in display.args:
                yield target, part
        case Update(new, _, _, op, value, _, echo):
            if not echo and op in ("=", "append", "insert") and new not in state.exchanged:
                if not _is_put_back(stmt, state):
                    yield new, value


def _note_exchanges(block: Block, state: _State) -> None:
    """Note `a[i], a[p] = a[p], a[i]`: a list holds afterwards what it held before.

    Nothing is written in between: a derivative may put aside what is there.
    """
    for first, second in pairwise(stmt for stmt in block if not isinstance(stmt, Assign)):
        if isinstance(first, Update) and isinstance(second, Update) and first.new == second.old:
            mine, its = _taken_from(first, state), _taken_from(second, state)
            if mine == (first.old, second.index) and its == (first.old, first.index):
                state.exchanged |= {first.new, second.new}
    for stmt in block:
        for inner in blocks(stmt):
            _note_exchanges(inner, state)


def _taken_from(stmt: Update, state: _State) -> tuple[Var, Expr] | None:
    """Return the list and the place from which an update takes the item that it stores."""
    value = stmt.value if stmt.op == "=" and not stmt.echo else NONE
    while isinstance(value, Var):
        value = _given(value, state)
    match value:
        case Op("index", (Var() as owner, key)):
            return owner, key
    return None


def _given(var: Var, state: _State) -> Expr:
    """Return the expression that an assignment gave a value."""
    match state.definition.get(var):
        case Assign((_,), value, unpack=False):
            return value
        case Assign(targets, Op("tuple", parts), unpack=True) if len(targets) == len(parts):
            return parts[targets.index(var)]
    return NONE


def _is_put_back(stmt: Update, state: _State) -> bool:
    """Tell whether an item is stored where it came from, as `t = ts[i]; t += e; ts[i] = t` does."""
    made = state.definition.get(stmt.value) if isinstance(stmt.value, Var) else None
    while isinstance(made, Update):
        made = state.definition.get(made.old)
    match made:
        case Assign((_,), Op("index", (Var() as owner, key)), unpack=False):
            return stmt.op == "=" and key == stmt.index and _holds_same(stmt.old, owner, state)
    return False


def _holds_same(now: Var, before: Var, state: _State) -> bool:
    """Tell whether a list holds the objects that it held before, at the same places."""
    if now == before or now.slot != before.slot:
        return now == before
    match state.definition.get(now):
        case Update(_, old, echo=True):
            return _holds_same(old, before, state)
        case If(merges=merges):
            sides = next((side.then, side.orelse) for side in merges if side.out == now)
            return all(side is not None and _holds_same(side, before, state) for side in sides)
    return False


def _is_among_others(stmt: Stmt) -> bool:
    """Tell whether several items are given to a list that keeps others: `ts[::2] = ts[1::2]`."""
    index = stmt.index if isinstance(stmt, Update) else None
    return isinstance(index, Op) and index.op == "slice" and set(index.args) != {NONE}


def _held_by(part: Expr) -> Iterator[Var]:
    if isinstance(part, Var):
        yield part
    elif isinstance(part, Op) and part.op in ("list", "tuple"):
        for each in part.args:
            yield from _held_by(each)


def _sweep(block: Block, state: _State) -> None:
    for stmt in block:
        for holder, part in _stored(stmt, state):
            if state.facts.of(holder).kind in HOLDERS:
                if _is_among_others(stmt) or not _is_new(part, holder, block, state):
                    state.doubtful.add(holder.slot)
        if isinstance(stmt, Update) and stmt.index is None and stmt.op in ("+", "*"):
            _lengthened(stmt, state)
        elif isinstance(stmt, Assign) and not isinstance(stmt.value, Op):
            _copied(stmt, state)
        elif isinstance(stmt, Assign):
            _made(stmt, state)
        elif isinstance(stmt, Effect) and isinstance(stmt.value, Opaque):
            state.doubtful |= {var.slot for _, var in stmt.value.writes}
        elif isinstance(stmt, Pop) and stmt.old.slot in state.doubtful:
            state.doubtful.add(stmt.target.slot)
        for inner in blocks(stmt):
            _sweep(inner, state)


def _lengthened(stmt: Update, state: _State) -> None:
    """`t += [e]` adds what nobody else holds; `t += t` and `t *= 2` hold the same objects twice."""
    fact = state.facts.of(stmt.old)
    if fact.kind not in HOLDERS or (fact.items and all(item.is_scalar for item in fact.items)):
        return
    value = stmt.value
    alone = isinstance(value, Var) and state.read[value] == 1 and _is_display(value, state)
    if stmt.op == "*" or not alone or value.slot in state.doubtful:  # type: ignore[union-attr]
        state.doubtful.add(stmt.new.slot)


def _is_display(var: Var, state: _State) -> bool:
    made = state.definition.get(var)
    return isinstance(made, Assign) and isinstance(made.value, Op) and made.value.op == "list"


def _copied(stmt: Assign, state: _State) -> None:
    """A second name is as doubtful as the first; of what a call makes nothing is known."""
    value = stmt.value
    for target in stmt.targets:
        if state.facts.of(target).kind not in HOLDERS or _of_numbers(target, state):
            continue
        if isinstance(value, Opaque):
            certain = _makes_new(value)
        elif isinstance(value, Call):
            certain = isinstance(value.func, Ref) and value.func.text in NEW_INSIDE
        else:
            certain = isinstance(value, Var) and not _is_doubtful(value, state)
        if not certain:
            state.doubtful.add(target.slot)


def _made(stmt: Assign, state: _State) -> None:
    """A list that is an item of another is as doubtful as that; others are new displays."""
    value = stmt.value
    assert isinstance(value, Op)
    for target in stmt.targets:
        if state.facts.of(target).kind not in HOLDERS or value.op in ("list", "tuple"):
            continue
        owner = value.args[0] if value.op == "index" else None
        if not isinstance(owner, Var) or _is_doubtful(owner, state):
            if not _repeats_numbers(value, state):
                state.doubtful.add(target.slot)


def _is_doubtful(var: Var, state: _State) -> bool:
    return var in state.given or var.slot in state.doubtful


def _of_numbers(var: Var, state: _State) -> bool:
    """Tell whether a list holds numbers alone, of which none is an object that is written to."""
    fact = state.facts.of(var)
    return fact.kind == "list" and bool(fact.items) and all(item.is_scalar for item in fact.items)


def _repeats_numbers(value: Op, state: _State) -> bool:
    """Tell whether `[0.0] * n` or the sum of two lists holds numbers alone."""
    items = state.facts.expr(value).items
    return bool(items) and all(item.is_scalar for item in items)


def _makes_new(copied: Opaque) -> bool:
    """Tell whether a comprehension makes a new object for each item."""
    new = (gast.List, gast.ListComp, gast.BinOp, gast.Constant)
    return isinstance(copied.node, gast.ListComp) and isinstance(copied.node.elt, new)


def _is_new(part: Expr, holder: Var, block: Block, state: _State) -> bool:
    """Tell whether what is put into a list is an object that no list holds yet."""
    match part:
        case Const():
            return True
        case Op("list" | "tuple", parts):
            return all(_is_new(each, holder, block, state) for each in parts)
        case Var():
            if state.facts.of(part).is_scalar:
                return True
            return not _is_doubtful(part, state) and _is_held_once(part, block, state)
    return state.facts.expr(part).is_scalar


def _is_held_once(part: Var, block: Block, state: _State) -> bool:
    """Tell whether a value is an object that this run of a block made, and that is put away once.

    It may have been written to since: `row = []; for x in u: row.append(x)`.
    """
    mine = own_memory(state.roots.get(part, NOTHING))
    made = (_is_fresh(root, state) and _is_within(root, block, state) for root in mine)
    times = (n for var, n in state.held.items() if _objects(var, state) & mine)
    return bool(mine) and all(made) and sum(times) == 1


def _objects(var: Var, state: _State) -> frozenset[Root]:
    """Return which objects a value may be, whichever pass of a loop made them."""
    mine = own_memory(state.roots.get(var, NOTHING))
    return frozenset(root.root if isinstance(root, Old) else root for root in mine)


def _is_within(var: Root, block: Block, state: _State) -> bool:
    """Tell whether a value is made in a block, or in a block inside it."""
    found = state.block_of.get(var) if isinstance(var, Var) else None
    while found is not None and found != id(block):
        found = state.around.get(found)
    return found is not None


def _is_fresh(var: Root, state: _State) -> bool:
    """Tell whether a value is memory that its own definition made."""
    made = state.definition.get(var) if isinstance(var, Var) else None
    if not isinstance(made, Assign) or made.unpack:
        return False
    return own_memory(origin(made.value, made.target, state.roots)) <= {made.target}
