"""Contributions of one line to one adjoint become one statement.

    u_bar += np.roll(lap_bar, 1)
    u_bar -= 2.0 * lap_bar            ->      u_bar += np.roll(lap_bar, 1) - 2.0 * lap_bar

Contributions have no prescribed order; the order of the text is kept, a positive one leads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from s2sad.legacy.blocks import all_reads, map_blocks
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Ref,
    Stmt,
    Update,
    Var,
    is_temp,
)
from s2sad.legacy.traverse import defines, reads, walk

Known = Callable[[Var], Fact]
WINDOW = 6
LARGEST = 20
SIGNS = ("+", "-")


def accumulated(block: Block, known: Known) -> Block:
    """Return the block with contributions of one line to one adjoint merged."""
    uses: Counter[Var] = Counter()
    for stmt in block:
        uses.update(all_reads(stmt))
    return _accumulated(block, known, uses)


def _accumulated(block: Block, known: Known, uses: Counter[Var]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        stmt = map_blocks(stmt, lambda inner: _accumulated(inner, known, uses))
        earlier = _earlier(out, stmt, known, uses)
        if earlier is not None:
            stmt = _merged(out.pop(earlier), stmt)
        out.append(stmt)
    return tuple(out)


def _earlier(out: list[Stmt], stmt: Stmt, known: Known, uses: Counter[Var]) -> int | None:
    """Return the place of the contribution that `stmt` can be merged with."""
    if not isinstance(stmt, Update) or not _contributes(stmt, known) or uses[stmt.old] != 1:
        return None
    for place in range(len(out) - 1, max(-1, len(out) - WINDOW), -1):
        found = out[place]
        if stmt.old in defines(found):
            return place if _fit(found, stmt) and _may_wait(found, out[place + 1 :]) else None
    return None


def _contributes(stmt: Update, known: Known) -> bool:
    if stmt.op not in SIGNS or not is_derivative(stmt):
        return False
    return stmt.index is not None or known(stmt.new).kind not in ("list", "tuple", "dict")


def is_derivative(stmt: Assign | Update) -> bool:
    """Tell whether a statement gives an adjoint or a tangent its value."""
    targets = stmt.targets if isinstance(stmt, Assign) else (stmt.new,)
    return any("~bar" in var.slot or "~dot" in var.slot for var in targets)


def _fit(first: Stmt, second: Update) -> bool:
    if not isinstance(first, Assign | Update) or _line(first) != _line(second):
        return False
    if isinstance(first, Assign):
        if second.index is not None or first.unpack or _is_settled_later(first):
            return False
    elif first.op not in SIGNS or first.index != second.index:
        return False
    return _size(first.value) + _size(second.value) <= LARGEST


def _is_settled_later(stmt: Assign) -> bool:
    """Tell whether an assignment is a zero, or a copy whose source will take its name."""
    if isinstance(stmt.value, Var):
        return stmt.value.slot == stmt.target.slot or is_temp(stmt.value.slot)
    return _is_zero(stmt.value)


def _line(stmt: Stmt) -> tuple[str, int]:
    return stmt.span.path, stmt.span.line


def _is_zero(value: Expr) -> bool:
    match value:
        case Const():
            return True
        case Call(Ref(text)):
            return text in ("np.zeros_like", "np.zeros", "_zeros_of")
    return False


def _may_wait(first: Stmt, between: list[Stmt]) -> bool:
    """Tell whether what a contribution reads is the same after the statements `between`."""
    assert isinstance(first, Assign | Update)
    index = first.index if isinstance(first, Update) else None
    read = {var.slot for expr in (first.value, index) if expr is not None for var in reads(expr)}
    if any(isinstance(part, Call | Opaque) and not _is_plain(part) for part in walk(first.value)):
        return not between
    return not any(
        isinstance(stmt, If | Loop) or any(var.slot in read for var in defines(stmt))
        for stmt in between
    )


def _is_plain(part: Expr) -> bool:
    pure = ("np.", "scipy.special.")
    return isinstance(part, Call) and isinstance(part.func, Ref) and part.func.text.startswith(pure)


def _size(expr: Expr) -> int:
    return sum(1 for part in walk(expr) if not isinstance(part, Const | Ref))


def _merged(first: Stmt, second: Stmt) -> Stmt:
    assert isinstance(second, Update)
    if isinstance(first, Assign):
        value = first.value
        for sign, term in _terms(second.op, second.value):
            value = Op(sign, (value, term))
        return Assign((second.new,), value, second.span)
    assert isinstance(first, Update)
    op, value = _sum([*_terms(first.op, first.value), *_terms(second.op, second.value)])
    return replace(second, old=first.old, op=op, value=value)


def _terms(sign: str, value: Expr) -> list[tuple[str, Expr]]:
    """Return the terms of a sum with their signs."""
    other = "-" if sign == "+" else "+"
    match value:
        case Op("+" | "-" as op, (a, b)):
            return [*_terms(sign, a), *_terms(sign if op == "+" else other, b)]
        case Op("u-", (inner,)):
            return _terms(other, inner)
    return [(sign, value)]


def _sum(terms: list[tuple[str, Expr]]) -> tuple[str, Expr]:
    """Return terms as `op value`, the first positive one in front, the others in their order."""
    signs = [sign for sign, _ in terms]
    lead = signs.index("+") if "+" in signs else 0
    op, value = terms.pop(lead)
    for sign, term in terms:
        value = Op("+" if sign == op else "-", (value, term))
    return op, value
