"""Writes in place, with the same writes to the tangents."""

from __future__ import annotations

from s2sad.legacy.contribute import CONTAINERS, zero_like
from s2sad.legacy.facts import same_shape
from s2sad.legacy.forward.state import Tangents, still
from s2sad.legacy.forward.values import part_of, tangent_of
from s2sad.legacy.program import Assign, Call, Const, Expr, Op, Ref, Update, Var, is_temp
from s2sad.legacy.traverse import reads, rewrites, substitute

LIST = Ref("list", list)


def update(state: Tangents, stmt: Update) -> None:
    if stmt.new not in state.active:
        state.emit(stmt)
        return
    new = state.of(stmt.new)
    if stmt.op in ("append", "insert"):
        old = state.or_zero(stmt.old, state.out, stmt.span)
        value = _appended(state, stmt)
        state.emit(Update(new, old, stmt.index, stmt.op, value, stmt.span))
    elif stmt.index is None:
        _update_whole(state, stmt, new)
    elif rewrites(stmt) and state.facts.of(stmt.old).kind == "list":
        _rewrite(state, stmt, new)
        return
    else:
        _update_element(state, stmt, new)
    state.emit(stmt)


def _rewrite(state: Tangents, stmt: Update, new: Var) -> None:
    """`xs[:] = value` of lists: what was there may have another length."""
    if not (isinstance(stmt.value, Var) and stmt.value in state.active):
        state.emit(stmt)
        still(state, stmt.new, stmt.span)
        return
    value: Expr = state.of(stmt.value)
    if not is_temp(stmt.value.slot):
        value = Call(LIST, (value,))
    state.emit(Assign((new,), value, stmt.span))
    state.emit(stmt)


def _appended(state: Tangents, stmt: Update) -> Expr:
    if isinstance(stmt.value, Op):
        return Op(
            stmt.value.op, tuple(part_of(state, a, state.out, stmt.span) for a in stmt.value.args)
        )
    return part_of(state, stmt.value, state.out, stmt.span)


def _update_whole(state: Tangents, stmt: Update, new: Var) -> None:
    same = same_shape(state.facts.of(stmt.old), state.facts.of(stmt.new))
    active_value = isinstance(stmt.value, Var) and stmt.value in state.active
    if stmt.op in "+-" and same and stmt.old in state.active:
        old = state.of(stmt.old)
        if active_value:
            state.emit(Update(new, old, None, stmt.op, state.of(stmt.value), stmt.span))  # type: ignore[arg-type]
        else:
            state.emit(Assign((new,), old, stmt.span))
        return
    value = tangent_of(state, stmt.new, Op(stmt.op, (stmt.old, stmt.value)), stmt.span)
    if stmt.new in set(reads(value)):
        value = substitute(
            value, lambda var: Op(stmt.op, (stmt.old, stmt.value)) if var == stmt.new else var
        )
    state.emit(Assign((new,), value, stmt.span))


def _update_element(state: Tangents, stmt: Update, new: Var) -> None:
    old = state.or_zero(stmt.old, state.out, stmt.span)
    active_value = isinstance(stmt.value, Var) and stmt.value in state.active
    if active_value:
        value: Expr = state.of(stmt.value)  # type: ignore[arg-type]
        state.emit(Update(new, old, stmt.index, stmt.op, value, stmt.span, stmt.echo))
    elif stmt.op == "=":
        state.emit(Update(new, old, stmt.index, "=", _nothing(state, stmt), stmt.span))
    else:
        state.emit(Assign((new,), old, stmt.span))


def _nothing(state: Tangents, stmt: Update) -> Expr:
    """Return the tangent of what does not vary: in a list, zeros with its structure."""
    fact = state.facts.expr(stmt.value)
    if state.facts.of(stmt.old).kind not in CONTAINERS or fact.is_scalar:
        return Const(0.0)
    if isinstance(stmt.value, Var):
        return zero_like(stmt.value, fact)
    return part_of(state, stmt.value, state.out, stmt.span)
