"""Arrays that are stretched, filled or squeezed, where arithmetic does that by itself.

np.broadcast_to(s[:, None], W.shape) * W      s[:, None] * W
np.full_like(v, -0.5) + e                     e - 0.5
_sum_to(u, s) + _sum_to(v, s)                 _sum_to(u + v, s)
np.sum(d, axis=1, keepdims=True)[:, 0]        np.sum(d, axis=1)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from s2sad.ir.expression import (
    EVERYTHING,
    Expr,
    Role,
    calls,
    constant,
    index_parts,
    keywords,
    positional,
    subscript,
)
from s2sad.ir.types import ONE, Array, Number, Numeric
from s2sad.operators import printed
from s2sad.operators.guards import is_none, literal, rank_of, value_of
from s2sad.operators.trees import literal as number

SUM_TO = printed.function("_sum_to")
SYMBOLS = frozenset("+-*/")


def unspread(symbol: str, a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """Return two operands without what stretches one of them to the shape of the other."""
    if symbol not in SYMBOLS:
        return a, b
    first = _inner(a, b)
    return first, b if first is not a else _inner(b, a)  # one of both gives the shape


def unstretched(g: Expr) -> Expr:
    """Return an adjoint that may be smaller than what it is the adjoint of: arithmetic stretches.

    Its type tells that it is smaller. Where an axis is not known (np.sum(x, axis=k)) it would not.
    """
    return g.args[1] if calls(g, np.broadcast_to) and _is_seen_to_be_smaller(g) else g


def _is_seen_to_be_smaller(g: Expr) -> bool:
    """Tell whether what is stretched has fewer axes, or one that is known to be of length 1."""
    inner, whole = g.args[1].type, g.type
    if not (isinstance(inner, Array) and isinstance(whole, Array)):
        return True
    return ONE in inner.lengths or inner.rank != whole.rank


def _inner(operand: Expr, other: Expr) -> Expr:
    """Return what is stretched to the shape of another operand, or filled with one number."""
    if calls(operand, np.broadcast_to) and not operand.data:
        if any(_is_as_large(other, whole) for whole in _shown_by(operand.args[2])):
            return operand.args[1]
    if not _fits_into(operand, other):
        return operand
    whole = _without_new_axes(operand)
    if calls(operand, np.broadcast_to) and not operand.data:
        return operand.args[1]
    if operand.type.dtype == other.type.dtype == "float64":  # type: ignore[union-attr]
        return _filling(whole, operand)
    return operand


def _shown_by(asked: Expr) -> Sequence[Expr]:
    """Return the value whose shape is asked for: x of np.shape(x) and x.shape."""
    if asked.op == "attribute" and asked.data == "shape":
        return asked.args
    return asked.args[1:] if calls(asked, np.shape) else ()


def _is_as_large(value: Expr, whole: Expr) -> bool:
    """Tell whether a value surely is as large as another: its adjoint, or made of it by arithmetic."""
    if value.op == "name" and whole.op == "name":
        is_adjoint = value.data.role is Role.ADJOINT and value.data.of == whole.data
        return is_adjoint or bool(value == whole)
    if value.op == "unary" or (value.op == "binary" and value.data in SYMBOLS):
        return any(_is_as_large(arg, whole) for arg in value.args)
    return bool(value == whole)


def are_sums_of_one_shape(a: Expr, b: Expr) -> bool:
    """Tell whether what is summed to one shape has one shape, too: _sum_to(u, s), _sum_to(v, s)."""
    if not (calls(a, SUM_TO) and calls(b, SUM_TO)) or a.args[2] != b.args[2]:
        return False
    token = _token(a.args[1])
    return token is not None and token == _token(b.args[1])


def _token(expr: Expr) -> Hashable:
    """Return what two values of any rank that have one shape have in common."""
    return expr.type.token if isinstance(expr.type, Numeric) else None


def filled_with(operand: Expr, test: Expr) -> Expr:
    """Return what np.where takes by a test of the whole shape: the number that an array is filled with."""
    is_float = isinstance(operand.type, Array) and operand.type.dtype == "float64"
    return _filling(operand, operand) if is_float and _fits_into(operand, test) else operand


def one_number_of(array: Expr) -> Expr | None:
    """Return the float that an array is filled with, with new axes or without: c of np.full_like(x, c)."""
    if not isinstance(array.type, Array) or array.type.dtype != "float64":
        return None
    whole = _without_new_axes(array)
    found = _filling(whole, whole)
    return None if found is whole else found


def _filling(whole: Expr, operand: Expr) -> Expr:
    if whole.op == "binary" and whole.data == "*" and isinstance(whole.args[0].type, Number):
        return whole.args[0] if calls(whole.args[1], np.ones_like) else operand
    if whole.data:
        return operand
    if calls(whole, np.full_like) and len(whole.args) == 3:
        return _number_of(whole.args[2], operand)
    return number(1.0) if calls(whole, np.ones_like) and len(whole.args) == 2 else operand


def _number_of(filling: Expr, operand: Expr) -> Expr:
    """Return the float that an array is filled with, the array itself where it is another kind."""
    value = literal(filling)
    if isinstance(value, float):
        return number(value)
    is_float = isinstance(filling.type, Number) and filling.type.dtype == "float64"
    return filling if is_float and value is None else operand


def _without_new_axes(expr: Expr) -> Expr:
    """Return the array of which an expression is the same with more axes of length one."""
    if expr.op != "subscript":
        return expr
    parts = index_parts(expr.args[1], rank_of(expr.args[0].type))
    return expr.args[0] if all(_keeps_all(part) for part in parts) else expr


def keeps_elements(index: Expr) -> bool:
    """Tell whether a subscript takes all elements, with new axes or without: `:, None`."""
    return all(map(_keeps_all, index_parts(index)))


def _keeps_all(part: Expr) -> bool:
    return part == EVERYTHING or (part.op == "constant" and part.data is None)


def _fits_into(a: Expr, b: Expr) -> bool:
    """Tell whether an operation on both surely has the shape of the second."""
    part, whole_token = _token(a), _token(b)
    if isinstance(part, frozenset) and isinstance(whole_token, frozenset):
        return part <= whole_token
    if not isinstance(a.type, Array) or not isinstance(b.type, Array):
        return False
    mine, whole = a.type.lengths, b.type.lengths
    if len(mine) != len(whole) or None in mine or None in whole:
        return False
    return all(n in (m, ONE) for n, m in zip(mine, whole, strict=True))


def expanded(base: Expr, axis: Expr) -> Expr | None:
    """Return an array with more axes as a subscript: v[:, None]; None where it is not short."""
    value = value_of(axis)
    axes: tuple[Any, ...] = value if isinstance(value, tuple) else (literal(axis),)
    if not isinstance(base.type, Array) or not all(isinstance(each, int) for each in axes):
        return None
    if not axes:
        return None
    rank = len(base.type.lengths) + len(axes)
    places = {each % rank for each in axes if -rank <= each < rank}
    if len(places) < len(axes) or max(places) > 3 - (len(axes) == 1):
        return None
    parts = [constant(None) if place in places else EVERYTHING for place in range(rank)]
    while len(parts) > 1 and parts[-1] is EVERYTHING:
        parts.pop()
    index = parts[0] if len(parts) == 1 else Expr("tuple", tuple(parts))
    return subscript(base, index)


def _at_positions(base: Expr, parts: Sequence[Expr], axes: Sequence[int]) -> Expr | None:
    """Return a part with positions for slices of one element: A[0] for axis 0 of A[:1]."""
    if max(axes) >= len(parts) or any(part.op != "slice" for part in parts):
        return None
    each = (_only_position(p) if k in axes else p for k, p in enumerate(parts))
    chosen = [part for part in each if part is not None]
    if len(chosen) < len(parts):
        return None
    while chosen and chosen[-1] == EVERYTHING:
        chosen.pop()
    return subscript(base, chosen[0] if len(chosen) == 1 else Expr("tuple", tuple(chosen)))


def _only_position(part: Expr) -> Expr | None:
    """Return the one position that a slice takes: 0 of :1."""
    start, stop = (literal(each) for each in part.args[:2])
    first = start if isinstance(start, int) else 0
    is_last = first == -1 and is_none(part.args[1])
    is_one = isinstance(stop, int) and first >= 0 and stop == first + 1
    plain = (start is not None or is_none(part.args[0])) and is_none(part.args[2])
    return number(first) if plain and (is_one or is_last) else None


def unexpanded(base: Expr, axes: Sequence[int]) -> Expr | None:
    """Return what has no axes yet: a of a[:, None], a sum along axes that it kept."""
    if base.op == "subscript":
        parts = index_parts(base.args[1], rank_of(base.args[0].type))
        added = [at for at, part in enumerate(parts) if part != EVERYTHING]
        if added == [*axes] and all(map(_keeps_all, parts)):
            return base.args[0]
        return _at_positions(base.args[0], parts, axes)
    if not calls(base, np.sum) or set(base.data) != {"axis", "keepdims"}:
        return None
    named = keywords(base)
    axis = named["axis"]
    found = axis.data if isinstance(axis.data, tuple) else (axis.data,)
    if axis.op != "constant" or named["keepdims"].data is not True or sorted(found) != [*axes]:
        return None
    return Expr("call", (base.args[0], *positional(base), axis), ("axis",))
