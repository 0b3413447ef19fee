"""An adjoint that is zeroed and then added to is given its value at once.

t = u_bar[i]                                  u_bar[i + 1] += c * u_bar[i]
u_bar[i] = 0.0                     ->
u_bar[i + 1] += c * t
u_bar[i] += t

u_bar[i] = 0.0                     ->         u_bar[i] = c * t
u_bar[i] += c * t
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from s2sad.legacy.blocks import all_defines, all_reads, map_blocks
from s2sad.legacy.copies import without_idle_copies
from s2sad.legacy.program import (
    Assign,
    Block,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Program,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import reads

WINDOW = 12
Uses = Counter[Var]


def given_at_once(program: Program) -> Program:
    """Return the program that zeroes no element which it then only adds to."""
    uses: Uses = Counter(reads(program.result))
    for stmt in program.body:
        uses.update(all_reads(stmt))
    body = _given_at_once(program.body, uses)
    return without_idle_copies(replace(program, body=body))


def _given_at_once(block: Block, uses: Uses) -> Block:
    out = [map_blocks(stmt, lambda inner: _given_at_once(inner, uses)) for stmt in block]
    for place in range(len(out) - 1, -1, -1):
        zero = out[place]
        if isinstance(zero, Update) and zero.op == "=" and zero.value == Const(0.0):
            chain = _chain(out, place, zero, uses)
            if not _leave_in_place(out, place, zero, chain):
                _store(out, place, zero, chain)
    return tuple(out)


def _chain(out: list[Stmt], place: int, zero: Update, uses: Uses) -> list[int]:
    """Return the places of the additions to what was zeroed, up to the first other use of it."""
    found: list[int] = []
    newest = zero.new
    keys = {var.slot for var in reads(zero.index)} if zero.index is not None else set()
    for at in range(place + 1, min(len(out), place + WINDOW)):
        stmt = out[at]
        if uses[newest] != 1 or any(var.slot in keys for var in all_defines(stmt)):
            break
        if newest not in set(all_reads(stmt)):
            continue
        if isinstance(stmt, If | Loop) or not isinstance(stmt, Update) or stmt.old != newest:
            break
        if stmt.op not in ("+", "-") or stmt.index is None:
            break
        found.append(at)
        newest = stmt.new
    return found


def _leave_in_place(out: list[Stmt], place: int, zero: Update, chain: list[int]) -> bool:
    """Drop the zero, and the addition of what the element held before; tell whether that is so."""
    held = _held_before(out, place, zero)
    for at in chain:
        stmt = out[at]
        assert isinstance(stmt, Update)
        added = next((part for part in _addends(stmt.value) if part in held), None)
        if stmt.index == zero.index and stmt.op == "+" and added is not None:
            rest = _without(stmt.value, added)
            out[at] = _unchanged(stmt) if rest is None else replace(stmt, value=rest)
            out[place] = _unchanged(zero)
            return True
    return False


def _unchanged(stmt: Update) -> Assign:
    return Assign((stmt.new,), stmt.old, stmt.span)


def _held_before(out: list[Stmt], place: int, zero: Update) -> frozenset[Expr]:
    """Return the names of what the element held before it was zeroed."""
    held: set[Expr] = {Op("index", (zero.old, zero.index or Const(None)))}
    for stmt in out[max(0, place - WINDOW) : place + WINDOW]:
        match stmt:
            case Assign((target,), value, unpack=False) if value in held:
                held.add(target)
    return frozenset(held)


def _addends(value: Expr) -> Iterator[Expr]:
    while isinstance(value, Op) and value.op in ("+", "-") and len(value.args) == 2:
        if value.op == "+":
            yield value.args[1]
        value = value.args[0]
    yield value


def _without(value: Expr, addend: Expr) -> Expr | None:
    """Return a sum without one of its parts; None if nothing is left."""
    if value == addend:
        return None
    assert isinstance(value, Op)
    first, last = value.args
    if value.op == "+" and last == addend:
        return first
    rest = _without(first, addend)
    if rest is not None:
        return Op(value.op, (rest, last))
    return last if value.op == "+" else Op("u-", (last,))


def _store(out: list[Stmt], place: int, zero: Update, chain: list[int]) -> None:
    """Let the first addition to a zeroed element store its value."""
    stmt = out[chain[0]] if chain else None
    if isinstance(stmt, Update) and stmt.index == zero.index:
        value = stmt.value if stmt.op == "+" else Op("u-", (stmt.value,))
        out[chain[0]] = replace(stmt, old=zero.old, op="=", value=value)
        del out[place]
