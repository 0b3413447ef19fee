"""Which lists hold no object twice, so that a write to one item leaves the others as they are.

rows = [np.zeros(n), np.zeros(n)]      distinct
rows = [z, z]                          not: rows[0][i] = e writes to rows[1], too
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import gast

from s2sad.blocks import all_reads
from s2sad.facts import Facts
from s2sad.memory import HOLDERS, Roots, own_memory
from s2sad.origins import origin
from s2sad.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.storage import roots_of
from s2sad.traverse import blocks, defines, statements

# printed functions that make anew all that they give, down to the arrays
NEW_INSIDE = frozenset({"_zeros_of", "_copied", "_plus"})


@dataclass
class _State:
    """What is known while lists that may hold an object twice are found."""

    facts: Facts
    roots: Roots
    block_of: dict[Var, int] = field(default_factory=dict)
    definition: dict[Var, Stmt] = field(default_factory=dict)
    held: Counter[Var] = field(default_factory=Counter)
    read: Counter[Var] = field(default_factory=Counter)
    doubtful: set[str] = field(default_factory=set)


def distinct_holders(program: Program, facts: Facts) -> frozenset[str]:
    """Return the slots of lists and dicts, made here, whose items are surely different objects."""
    state = _State(facts, roots_of(program, facts.of))
    state.doubtful |= {param.var.slot for param in program.params}
    _note(program.body, state)
    for stmt in statements(program.body):
        state.held.update(var for _, part in _stored(stmt, state) for var in _held_by(part))
        state.read.update(all_reads(stmt) if not blocks(stmt) else ())
    size = -1
    while size < len(state.doubtful):
        size = len(state.doubtful)
        _sweep(program.body, state)
    slots = {var.slot for stmt in statements(program.body) for var in defines(stmt)}
    return frozenset(slots - state.doubtful)


def _note(block: Block, state: _State) -> None:
    for stmt in block:
        for var in defines(stmt):
            state.block_of[var] = id(block)
            state.definition[var] = stmt
        for inner in blocks(stmt):
            _note(inner, state)


def _stored(stmt: Stmt, state: _State) -> Iterator[tuple[Var, Expr]]:
    """Yield what a statement puts into a list, with the list that then holds it."""
    match stmt:
        case Assign((target,), Op("list" | "tuple") as display, unpack=False):
            for part in display.args:
                yield target, part
        case Update(new, _, _, op, value, _, echo):
            if not echo and op in ("=", "append", "insert") and not _is_put_back(stmt, state):
                yield new, value


def _is_put_back(stmt: Update, state: _State) -> bool:
    """Tell whether an item is stored where it came from, as `t = ts[i]; t += e; ts[i] = t` does."""
    made = state.definition.get(stmt.value) if isinstance(stmt.value, Var) else None
    while isinstance(made, Update) and made.index is None:
        made = state.definition.get(made.old)
    match made:
        case Assign((_,), Op("index", (Var(slot), key)), unpack=False):
            return stmt.op == "=" and slot == stmt.old.slot and key == stmt.index
    return False


def _held_by(part: Expr) -> Iterator[Var]:
    if isinstance(part, Var):
        yield part
    elif isinstance(part, Op) and part.op in ("list", "tuple"):
        for each in part.args:
            yield from _held_by(each)


def _sweep(block: Block, state: _State) -> None:
    for stmt in block:
        for holder, part in _stored(stmt, state):
            if state.facts.of(holder).kind in HOLDERS and not _is_new(part, holder, block, state):
                state.doubtful.add(holder.slot)
        if isinstance(stmt, Update) and stmt.index is None and stmt.op in ("+", "*"):
            _lengthened(stmt, state)
        elif isinstance(stmt, Assign) and not isinstance(stmt.value, Op):
            _copied(stmt, state)
        elif isinstance(stmt, Assign):
            _made(stmt, state)
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
        if state.facts.of(target).kind not in HOLDERS:
            continue
        if isinstance(value, Opaque):
            certain = _makes_new(value)
        elif isinstance(value, Call):
            certain = isinstance(value.func, Ref) and value.func.text in NEW_INSIDE
        else:
            certain = isinstance(value, Var) and value.slot not in state.doubtful
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
        if not isinstance(owner, Var) or owner.slot in state.doubtful:
            if not _repeats_numbers(value, state):
                state.doubtful.add(target.slot)


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
            once = state.held[part] == 1 and state.block_of.get(part) == id(block)
            return once and _is_fresh(part, state) and part.slot not in state.doubtful
    return state.facts.expr(part).is_scalar


def _is_fresh(var: Var, state: _State) -> bool:
    """Tell whether a value is memory that its own definition made."""
    made = state.definition.get(var)
    if not isinstance(made, Assign) or made.unpack:
        return False
    return own_memory(origin(made.value, var, state.roots)) <= {var}
