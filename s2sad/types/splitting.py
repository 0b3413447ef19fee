"""Calls whose lengths NumPy decides by what divides them, or by which of them are 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr
from s2sad.ir.types import Array, Length, Tuple, Type
from s2sad.types.assumptions import ONE
from s2sad.types.context import Context
from s2sad.types.errors import Mismatch
from s2sad.types.slices import whole

SPLITS: Mapping[Any, int | None] = {np.split: None, np.vsplit: 0, np.hsplit: 1, np.dsplit: 2}


def split_type(
    function: Any, args: Sequence[Expr], named: Mapping[str, Expr], context: Context
) -> Type | None:
    """Return the type of np.split(u, parts) for a number of parts; None for other calls."""
    base, parts = args[0].type, whole(args[1]) if len(args) > 1 else None
    if not isinstance(base, Array) or parts is None or not parts.is_literal:
        return None
    axis = SPLITS[function]
    if axis is None:
        axis = _axis(args[2:], named)
    elif function is np.hsplit and base.rank == 1:
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
    chosen = range(type_.rank) if axes is None else axes
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
