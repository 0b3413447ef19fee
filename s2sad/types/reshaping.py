"""Lengths that NumPy decides by what divides them, or by which of them are 1.

u.reshape(n, -1)        the axis that is -1 is what is left of the size
np.split(u, 2)          two parts of half the length
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr
from s2sad.ir.types import ONE, Array, Length, Number, Numeric, Tuple, Type
from s2sad.ir.types import Sequence as SequenceType
from s2sad.operators.binding import is_starred
from s2sad.operators.table import traits_of
from s2sad.types.assumptions import Context, Fails, Mismatch
from s2sad.types.attributes import product
from s2sad.types.elementwise import shape_of
from s2sad.types.subscripts import whole

REST = Length((), -1)


def reshaped(base: Array | Number | Numeric, shape: Sequence[Expr], context: Context) -> Type:
    """Return the type of an array in another shape; Mismatch where sizes have to be equal."""
    axes = _axes(shape)
    if axes is None or (isinstance(base, Numeric) and not axes):
        return Numeric(base.dtype)
    if isinstance(base, Numeric):
        return Array(base.dtype, tuple(None if axis == REST else axis for axis in axes))
    if not axes and isinstance(base, Number) and base.boxed:
        return Number(base.dtype, True)  # NumPy's number stays one; Python's becomes an array
    size = product(shape_of(base))
    if axes.count(REST) == 1:
        axes = _with_rest(axes, size, context)
    else:
        _have_one_size(axes, shape_of(base), context)
    return Array(base.dtype, tuple(axes))


def _axes(shape: Sequence[Expr]) -> list[Length | None] | None:
    """Return the lengths that are asked for; -1 stands for the rest."""
    asked = shape[0]
    if len(shape) == 1 and asked.op in ("tuple", "list"):
        return None if any(map(is_starred, asked.args)) else [whole(item) for item in asked.args]
    if len(shape) == 1 and isinstance(asked.type, Tuple):
        if asked.known is not None:
            return [Length((), int(value)) for value in asked.known.value]
        items = asked.type.items if isinstance(asked.type, Tuple) else ()
        return [item.length if isinstance(item, Number) else None for item in items]
    if len(shape) == 1 and isinstance(asked.type, Array) and len(asked.type.lengths) == 1:
        (count,) = asked.type.lengths  # np.ones(x.ndim, int), with some of it stored
        return None if count is None or not count.is_literal else [None] * count.constant
    if len(shape) == 1 and isinstance(asked.type, SequenceType):
        count = asked.type.length  # [1] * x.ndim, with some of it stored
        return None if count is None or not count.is_literal else [None] * count.constant
    if all(isinstance(axis.type, Number) for axis in shape):
        return [whole(axis) for axis in shape]
    return None


def _with_rest(
    axes: list[Length | None], size: Length | None, context: Context
) -> list[Length | None]:
    others = product(tuple(axis for axis in axes if axis != REST))
    rest = None if size is None or others is None else _share(size, others, context)
    return [rest if axis == REST else axis for axis in axes]


def _share(size: Length, others: Length, context: Context) -> Length | None:
    """Return size / others."""
    if others.is_literal:
        found = context.assumptions.share(size, others.constant) if others.constant else None
        if found is None and context.assumptions.value(size) is not None:
            raise Fails(ValueError(f"cannot reshape array of size {size}"))
        return found
    return _divided(size, others)


def _divided(size: Length, others: Length) -> Length | None:
    """Return the quotient of two polynomials of which the second is one product."""
    if len(others.terms) != 1 or others.constant or size.constant:
        return None
    (divisor, factor), quotient = others.terms[0], Length()
    for symbols, amount in size.terms:
        left = list(symbols)
        for symbol in divisor:
            if symbol not in left:
                return None
            left.remove(symbol)
        if amount % factor:
            return None
        term = Length((), amount // factor)
        for symbol in left:
            term = term * Length.of(symbol)
        quotient = quotient + term
    return quotient


def _have_one_size(
    axes: list[Length | None], old: tuple[Length | None, ...], context: Context
) -> None:
    wanted, size = product(tuple(axes)), product(old)
    if wanted is None or size is None or wanted == size:
        return
    if context.assumptions.agree(wanted, size):
        pairs = _factors_alike(size, wanted, context) or [(size, wanted)]
        raise Mismatch(*pairs[0], *pairs[1:])
    if None not in (context.assumptions.value(wanted), context.assumptions.value(size)):
        raise Fails(ValueError(f"cannot reshape array of size {size}"))


def _factors_alike(
    size: Length, wanted: Length, context: Context
) -> list[tuple[Length, Length]] | None:
    """Return which lengths are equal, and which are literals, where two products are: n = k, m = 2 of n * m = 2 * k."""
    if any(len(each.terms) != 1 or each.constant for each in (size, wanted)):
        return None
    (mine, factor), (others, times) = size.terms[0], wanted.terms[0]
    left, right = list(mine), list(others)
    for symbol in mine:
        if symbol in right:
            left.remove(symbol)
            right.remove(symbol)
    pairs, literal = [], times // factor if times % factor == 0 else 0
    for symbol in left:
        value = context.assumptions.value(Length.of(symbol))
        twin = next((s for s in right if context.assumptions.value(Length.of(s)) == value), None)
        if twin is not None:
            right.remove(twin)
            pairs.append((Length.of(symbol), Length.of(twin)))
        elif value and literal % value == 0:
            literal //= value
            pairs.append((Length.of(symbol), Length((), value)))
    is_all = len(pairs) == len(left) and not right and literal == 1
    return pairs if is_all and pairs else None


def split_type(
    function: Any, args: Sequence[Expr], named: Mapping[str, Expr], context: Context
) -> Type | None:
    """Return the type of np.split(u, parts) for a number of parts; None for other calls."""
    base, parts = args[0].type, whole(args[1]) if len(args) > 1 else None
    if not isinstance(base, Array) or parts is None or not parts.is_literal:
        return None
    along = traits_of(function)["splits"]
    axis = _axis(args[2:], named) if along == "any" else int(along)
    if function is np.hsplit and base.rank == 1:
        axis = 0
    if axis is None or not -base.rank <= axis < base.rank:
        return None
    length = base.lengths[axis]
    share = None if length is None else context.assumptions.share(length, parts.constant)
    lengths = list(base.lengths)
    lengths[axis] = share
    return Tuple((Array(base.dtype, tuple(lengths)),) * parts.constant, list)


def _axis(rest: Sequence[Expr], named: Mapping[str, Expr]) -> int | None:
    given = rest[0] if rest else named.get("axis")
    if given is None:
        return 0
    return given.known.value if given.known is not None else None


def assume_not_one(type_: Type, axes: Sequence[int] | None, context: Context) -> bool:
    """Assume that no axis of an array is 1 long but those that are; tell whether that is known.

    np.squeeze drops axes of length 1: Mismatch(n, 1) where an axis is 1 in the examples.
    """
    if not isinstance(type_, Array):
        return True
    chosen = [axis for axis in range(type_.rank) if axes is None or axis in axes]
    return all(_is_not_one(type_.lengths[axis], context) for axis in chosen)


def _is_not_one(length: Length | None, context: Context) -> bool:
    if length is None:
        return False
    if length.is_literal:
        return True
    value = context.assumptions.value(length)
    if value == 1:
        raise Mismatch(length, ONE)
    return value is not None and context.assumptions.assume_natural(length - 2)
