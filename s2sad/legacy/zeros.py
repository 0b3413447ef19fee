"""Zeros are written as late as they can be, so that what was there needs no copy.

t = u_bar[-1]                           u_bar[-2] += u_bar[-1]
u_bar[-1] = 0.0                ->       u_bar[-1] = 0.0
u_bar[-2] += t
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from s2sad.legacy.blocks import all_reads, map_blocks
from s2sad.legacy.lasting import affine
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import defines, expressions, reads, statements, walk

WINDOW = 6
Lowest = dict[Var, int]


def zeroed_late(program: Program) -> Program:
    """Return the program in which an element that was read is zeroed after its value's uses."""
    uses: Counter[Var] = Counter(reads(program.result))
    for stmt in program.body:
        uses.update(all_reads(stmt))
    lowest = _lowest(program.body)
    return replace(program, body=_late(program.body, uses, lowest))


def _late(block: Block, uses: Counter[Var], lowest: Lowest) -> Block:
    out = [map_blocks(stmt, lambda inner: _late(inner, uses, lowest)) for stmt in block]
    for place in range(len(out) - 2, 0, -1):
        zero = out[place]
        if isinstance(zero, Update) and zero.op == "=" and zero.value == Const(0.0):
            last = _last_use(out, place, zero, uses)
            if last is not None:
                _move_zero(out, place, last, zero, uses, lowest)
    return tuple(out)


def _last_use(out: list[Stmt], place: int, zero: Update, uses: Counter[Var]) -> int | None:
    """Return the last statement that uses what was read from the element that `zero` clears."""
    element = Op("index", (zero.old, zero.index or Const(None)))
    for before in range(place - 1, max(-1, place - WINDOW), -1):
        stmt = out[before]
        if isinstance(stmt, Assign) and not stmt.unpack and element in walk(stmt.value):
            return _last_place(out, place, stmt.target, uses)
        if zero.old in defines(stmt):
            return None
    return None


def _last_place(out: list[Stmt], place: int, var: Var, uses: Counter[Var]) -> int | None:
    seen = sum(read == var for stmt in out[:place] for read in all_reads(stmt))
    if seen == uses[var]:
        return None
    for after in range(place + 1, min(len(out), place + WINDOW)):
        seen += sum(read == var for read in all_reads(out[after]))
        if seen == uses[var]:
            return after
    return None


def _move_zero(
    out: list[Stmt], place: int, last: int, zero: Update, uses: Counter[Var], lowest: Lowest
) -> None:
    """Move `zero` behind `last` if the statements between leave the element alone."""
    assert zero.index is not None
    chain, newest = [], zero.new
    for stmt in out[place + 1 : last + 1]:
        if isinstance(stmt, If | Loop) or not _may_cross(stmt, zero, newest, uses, lowest):
            return
        if isinstance(stmt, Update) and stmt.old == newest:
            chain.append(stmt)
            newest = stmt.new
    moved = _renumbered(out[place + 1 : last + 1], chain, zero)
    out[place : last + 1] = [*moved, replace(zero, old=_end(chain, zero), new=newest)]


def _may_cross(stmt: Stmt, zero: Update, newest: Var, uses: Counter[Var], lowest: Lowest) -> bool:
    key_reads = {var.slot for var in reads(zero.index)} if zero.index is not None else set()
    if any(var.slot in key_reads for var in defines(stmt)):
        return False
    touched = [var for expr in expressions(stmt) for var in reads(expr)]
    if not any(var.slot == zero.new.slot for var in (*touched, *defines(stmt))):
        return True
    if not isinstance(stmt, Update) or stmt.old != newest or uses[newest] != 1:
        return False
    if stmt.index is None or sum(var.slot == zero.new.slot for var in touched) != 1:
        return False
    return zero.index is not None and disjoint(stmt.index, zero.index, lowest)


def _end(chain: list[Update], zero: Update) -> Var:
    return _links(chain, zero)[-1]


def _links(chain: list[Update], zero: Update) -> list[Var]:
    """Return the values between the writes of a chain that no longer begins with `zero`."""
    return [zero.old, zero.new, *(each.new for each in chain[:-1])][: len(chain) + 1]


def _renumbered(between: list[Stmt], chain: list[Update], zero: Update) -> list[Stmt]:
    links = _links(chain, zero)
    moved: list[Stmt] = []
    for stmt in between:
        if stmt in chain:
            number = chain.index(stmt)
            stmt = replace(stmt, old=links[number], new=links[number + 1])
        moved.append(stmt)
    return moved


# ---------------------------------------------------------------- different elements


def _lowest(block: Block) -> Lowest:
    """Return the least value of every loop target that counts upwards from a constant."""
    found: Lowest = {}
    for stmt in statements(block):
        if isinstance(stmt, Loop) and isinstance(stmt.targets, Var):
            start = _start(stmt.iterable)
            if start is not None:
                found[stmt.targets] = min(start, found.get(stmt.targets, start))
    return found


def _start(iterable: Expr | None) -> int | None:
    match iterable:
        case Call(Ref("reversed" | "list"), (inner,), ()):
            return _start(inner)
        case Op("index", (inner, Op("slice", (_, _, Const(None))))):
            return _start(inner)
        case Call(Ref("range"), (_,), ()):
            return 0
        case Call(Ref("range"), (Const(int() as start), _), ()):
            return start
    return None


def disjoint(a: Expr, b: Expr, lowest: Lowest) -> bool:
    """Tell whether two subscripts surely name different elements."""
    for one, other in zip(_axes(a), _axes(b), strict=False):
        if _apart(one, other, lowest):
            return True
        if not all(_takes_one_axis(part) for part in (one, other)):
            return False
    return False


def _axes(key: Expr) -> tuple[Expr, ...]:
    return key.args if isinstance(key, Op) and key.op == "tuple" else (key,)


def _takes_one_axis(part: Expr) -> bool:
    found = affine(part)
    return (isinstance(part, Op) and part.op == "slice") or (found is not None and found[0] is None)


def _apart(a: Expr, b: Expr, lowest: Lowest) -> bool:
    first, second = affine(a), affine(b)
    if first is None or second is None:
        return False
    (var, x), (other, y) = first, second
    if var != other or x == y:
        return False
    if var is None:
        return (x < 0) == (y < 0)
    return var in lowest and lowest[var] + min(x, y) >= 0
