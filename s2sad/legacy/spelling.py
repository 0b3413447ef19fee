"""A verified derivative is spelled as a careful reader would write it; nothing is computed anew.

for _ in reversed(range(passes)):
    x = x_saved.pop()                   ->      for x in reversed(x_saved):

for k in range(len(params)):
    W, b = params[k]                    ->      for W, b in params:
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from s2sad.legacy.accumulate import is_derivative
from s2sad.legacy.blocks import all_defines, all_reads, map_blocks, map_everywhere, map_expressions
from s2sad.legacy.marks import without_marks
from s2sad.legacy.program import (
    Assign,
    Block,
    Break,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Program,
    Ref,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.silence import without_silent
from s2sad.legacy.tidy import without_dead_code
from s2sad.legacy.traverse import flat_targets, reads, statements, transform

ONES_LIKE = Ref("np.ones_like", np.ones_like)
REVERSED = Ref("reversed", reversed)
OVER_STORE = Ref("reversed", "a store")  # until the loop has its name
ZIP = Ref("zip", zip)


def spelled(program: Program) -> Program:
    """Return the program as it is printed: loops over what they take their items from."""
    program = _without_marks(replace(program, body=_flat_sums(_with_ones(program.body))))
    stores = _whole_stores(program.body)
    marked = replace(program, body=_marked(program.body, stores))
    if marked != program:
        program = without_dead_code(marked)
    program = replace(program, body=_over_stores(program.body))
    program = replace(program, body=_over_items(program.body, _uses(program)))
    return replace(program, body=without_silent(program.body))


def _without_marks(program: Program) -> Program:
    """Return the program without the calls that only said how it is to be differentiated."""

    def plain(expr: Expr) -> Expr:
        return transform(expr, without_marks)

    return replace(program, body=map_everywhere(program.body, plain), result=plain(program.result))


def _uses(program: Program) -> Counter[Var]:
    return Counter(reads(program.result)) + _counted(program.body)


def _counted(block: Block) -> Counter[Var]:
    return Counter(var for stmt in block for var in all_reads(stmt))


def _with_ones(block: Block) -> Block:
    """Write np.ones_like(x) for np.full_like(x, 1.0) in the statements of a derivative."""

    def one(part: Expr) -> Expr:
        match part:
            case Call(Ref("np.full_like"), (like, Const(float(1.0))), ()):
                return Call(ONES_LIKE, (like,))
        return part

    return tuple(
        map_expressions(stmt, lambda expr: transform(expr, one))
        if isinstance(stmt, Assign | Update) and is_derivative(stmt)
        else map_blocks(stmt, _with_ones)
        for stmt in block
    )


def _flat_sums(block: Block) -> Block:
    """Write x_bar = x_bar + (a - b) without the parentheses: contributions have no order."""
    out: list[Stmt] = []
    for stmt in block:
        stmt = map_blocks(stmt, _flat_sums)
        if isinstance(stmt, Assign) and is_derivative(stmt):
            match stmt.value:
                case Op("+", (Var() as first, Op("+" | "-" as op, (a, b)))):
                    stmt = replace(stmt, value=Op(op, (_front(first, a), b)))
        out.append(stmt)
    return tuple(out)


def _front(first: Expr, value: Expr) -> Expr:
    match value:
        case Op("+" | "-" as op, (a, b)):
            return Op(op, (_front(first, a), b))
    return Op("+", (first, value))


# ---------------------------------------------------------------- saved values


def _whole_stores(block: Block) -> frozenset[str]:
    """Return the stores on which one outermost loop puts one value in each pass."""
    found: set[str] = set()
    for stmt in block:
        if isinstance(stmt, Loop):
            found |= set(_saved_always(stmt.body))
        elif isinstance(stmt, If):
            found |= _whole_stores(stmt.then) | _whole_stores(stmt.orelse)
    return frozenset(found)


def _saved_always(body: Block) -> Iterator[str]:
    """Yield the stores that every pass adds to, before it may end."""
    for stmt in body:
        if isinstance(stmt, Save):
            yield stmt.store
        if isinstance(stmt, If) and any(isinstance(each, Break) for each in statements((stmt,))):
            return


def _marked(block: Block, stores: frozenset[str]) -> Block:
    """Let loops that take back one saved value a pass no longer count their passes."""
    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, If):
            stmt = map_blocks(stmt, lambda inner: _marked(inner, stores))
        elif isinstance(stmt, Loop):
            store = _only_store(stmt, stores)
            if store is not None:
                stmt = replace(stmt, iterable=_mark(store), targets=())
        out.append(stmt)
    return tuple(out)


def _mark(store: str) -> Expr:
    return Call(OVER_STORE, (Const(store),))


def _only_store(loop: Loop, stores: frozenset[str]) -> str | None:
    """Return the store that a reversed loop can run over."""
    taken = [stmt for stmt in loop.body if isinstance(stmt, Restore)]
    if len(taken) != 1 or taken[0].store not in stores or not _is_reversed(loop.iterable):
        return None
    targets = set(flat_targets(loop.targets))
    if any(var in targets for stmt in loop.body for var in all_reads(stmt)):
        return None
    before = loop.body[: loop.body.index(taken[0])]
    touched = {v.slot for stmt in before for v in (*all_reads(stmt), *all_defines(stmt))}
    heads = {each.head.slot for each in loop.carried}
    return None if taken[0].target.slot in touched | heads else taken[0].store


def _is_reversed(iterable: Expr | None) -> bool:
    return isinstance(iterable, Call) and iterable.func == REVERSED


def _over_stores(block: Block) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, Loop):
            match stmt.iterable:
                case Call(func, (Const(str() as store),)) if func == OVER_STORE:
                    stmt = _over_store(stmt, store)
        elif isinstance(stmt, If):
            stmt = map_blocks(stmt, _over_stores)
        out.append(stmt)
    return tuple(out)


def _over_store(loop: Loop, store: str) -> Loop:
    taken = next(s for s in loop.body if isinstance(s, Restore) and s.store == store)
    body = tuple(stmt for stmt in loop.body if stmt is not taken)
    return replace(loop, targets=taken.target, iterable=Call(REVERSED, (Var(store, 0),)), body=body)


# ---------------------------------------------------------------- items


def _over_items(block: Block, uses: Counter[Var]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        stmt = map_blocks(stmt, lambda inner: _over_items(inner, uses))
        if isinstance(stmt, Loop) and isinstance(stmt.targets, Var):
            stmt = _over_item(stmt, stmt.targets, uses) or stmt
        out.append(stmt)
    return tuple(out)


def _over_item(loop: Loop, position: Var, uses: Counter[Var]) -> Loop | None:
    """Return a loop over positions as a loop over the items themselves."""
    if not position.slot.startswith("k%"):
        return None
    backwards, owners = _owners(loop.iterable)
    if not owners:
        return None
    taken: list[Stmt] = []
    targets = []
    for owner in owners:
        found = [s for s in loop.body if _takes(s, owner, position) and s not in taken]
        if not found:
            return None
        taken.append(found[0])
        targets.append(found[0].targets if found[0].unpack else found[0].target)  # type: ignore[union-attr]
    names = [var for target in targets for var in flat_targets(target)]
    inside = _counted(loop.body)
    if inside[position] != len(taken) or not _may_lead(loop, taken, names):
        return None
    if any(uses[var] != inside[var] for var in names):
        return None
    rest: Block = tuple(stmt for stmt in loop.body if stmt not in taken)
    iterable: Expr = owners[0] if len(owners) == 1 else Call(ZIP, owners)
    if backwards:
        iterable = Call(REVERSED, (iterable,))
    whole, rest = _unpacked(tuple(targets) if len(owners) > 1 else targets[0], rest, inside)
    return replace(loop, targets=whole, iterable=iterable, body=rest)


def _owners(iterable: Expr | None) -> tuple[bool, tuple[Expr, ...]]:
    """Return whether a loop over positions runs backwards, and what the positions are in."""
    match iterable:
        case Call(Ref("reversed"), (inner,)):
            owners = _owners(inner)[1]
            # a zip has no reverse
            return True, owners if len(owners) == 1 else ()
        case Call(Ref("range"), (Call(Ref("len"), (Var() as owner,)),)):
            return False, (owner,)
        case Call(Ref("range"), (Call(Ref("min"), lengths),)):
            found = [each.args[0] for each in lengths if _is_length(each)]  # type: ignore[union-attr]
            return False, tuple(found) if len(found) == len(lengths) else ()
    return False, ()


def _is_length(expr: Expr) -> bool:
    match expr:
        case Call(Ref("len"), (Var(),)):
            return True
    return False


def _takes(stmt: Stmt, owner: Expr, position: Var) -> bool:
    return isinstance(stmt, Assign) and stmt.value == Op("index", (owner, position))


def _may_lead(loop: Loop, taken: Sequence[Stmt], names: Sequence[Var]) -> bool:
    """Tell whether what is taken can be taken before all else in a pass."""
    slots = {var.slot for var in names}
    if slots & {each.head.slot for each in loop.carried}:
        return False
    for stmt in loop.body:
        if stmt in taken:
            taken = [each for each in taken if each is not stmt]
        elif taken and any(v.slot in slots for v in (*all_reads(stmt), *all_defines(stmt))):
            return False
    return True


def _unpacked(targets: object, rest: Block, uses: Counter[Var]) -> tuple[object, Block]:
    """Return W, b as targets where the pass goes on with W = item[0]; b = item[1]."""
    if not isinstance(targets, Var) or not targets.slot.startswith("item%"):
        return targets, rest
    parts: list[Var] = []
    for stmt in rest:
        match stmt:
            case Assign((part,), Op("index", (owner, Const(int() as n)))) if (
                owner == targets and n == len(parts)
            ):
                parts.append(part)
                continue
        break
    if len(parts) < 2 or uses[targets] != len(parts):
        return targets, rest
    return tuple(parts), rest[len(parts) :]
