"""Operations that go element by element: lengths broadcast, the dtype is probed once a kind.

u (n, m) * c   ->   (n, m);   u (n, m) + v (k,), m = k in the examples   ->   Mismatch(m, k)
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Hashable, Sequence
from functools import reduce
from itertools import product
from typing import Any

import numpy as np

from s2sad.ir import symbols
from s2sad.ir.records import replace
from s2sad.ir.symbols import functions
from s2sad.ir.types import ONE, UNKNOWN, Array, Length, Number, Numeric, Tuple, Type, is_float
from s2sad.types.assumptions import Assumptions, Context, Fails, Mismatch
from s2sad.types.joins import join
from s2sad.types.lengths import RUNS
from s2sad.types.reading import type_of_value
from s2sad.types.samples import CONTENTS, Sampler

Shape = tuple[Length | None, ...]
Numerical = Number | Array | Numeric

UNARY, BINARY = functions(symbols.UNARY), functions(symbols.BINARY)
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    **functions(symbols.COMPARE),
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}

_kinds: dict[Hashable, Type | Exception] = {}


def broadcast_pair(a: Length | None, b: Length | None, assumed: Assumptions) -> Length | None:
    """Return the length that two axes are stretched to; Mismatch where the examples decide."""
    if a == b or b == ONE:
        return a
    if a == ONE:
        return b
    if a is None or b is None:
        return None
    if a.is_literal and b.is_literal:
        raise Fails(ValueError(f"operands could not be broadcast together: {a}, {b}"))
    literal, other = (a, b) if a.is_literal else (b, a)
    if assumed.is_lowered and literal.is_literal and literal.constant > 1:
        assumed.take_apart(other, literal.constant)
    left, right = assumed.value(a), assumed.value(b)
    if assumed.agree(a, b):
        raise Mismatch(a, b)
    if left == 1 or right == 1:
        raise Mismatch(a if left == 1 else b, ONE)
    if left is None or right is None:
        return None
    raise Fails(ValueError(f"operands could not be broadcast together: {a}, {b}"))


def broadcast(shapes: Sequence[Shape], assumed: Assumptions) -> Shape:
    """Return the shape that shapes are stretched to."""
    rank = max(map(len, shapes), default=0)
    result: list[Length | None] = []
    for axis in range(-rank, 0):
        found: Length | None = ONE
        for shape in shapes:
            if len(shape) >= -axis:
                found = broadcast_pair(found, shape[axis], assumed)
        result.append(found)
    return tuple(result)


def shape_of(type_: Type) -> Shape:
    """Return the shape of a number or an array."""
    return type_.lengths if isinstance(type_, Array) else ()


def elementwise(
    function: Callable[..., Any],
    operands: Sequence[Numerical],
    context: Context,
    options: Hashable = None,
) -> Type:
    """Return the type that an elementwise function gives for numbers and arrays.

    `options` are values that its kind depends on beside the types (an exponent that is known).
    """
    if any(isinstance(operand, Numeric) for operand in operands):
        return _of_any_rank(function, operands, context)
    shape = broadcast([shape_of(operand) for operand in operands], context.assumptions)
    kind = _kind(function, operands, options)
    return _in_shape(kind, shape)


def _in_shape(kind: Type, shape: Shape) -> Type:
    match kind:
        case Array(dtype, _):
            return Array(dtype, shape)
        case Tuple(items):
            return Tuple(tuple(_in_shape(item, shape) for item in items))
        case Number():
            return kind
    return UNKNOWN


def _kind(function: Callable[..., Any], operands: Sequence[Numerical], options: Hashable) -> Type:
    """Return what a function gives for operands of these kinds, arrays of one element each."""
    kinds = tuple(map(_small, operands))
    key = (function, kinds, options)
    found = _kinds.get(key)
    if found is None:
        found = _kinds[key] = _probed(function, kinds, options)
    if isinstance(found, Exception):
        raise Fails(found)
    return found


def _small(type_: Numerical) -> Number | Array:
    """Return the kind of an operand: arrays with axes have one, whatever their rank."""
    if isinstance(type_, Array):
        return Array(type_.dtype, (Length((), 2),) if type_.lengths else ())
    return Number(type_.dtype, type_.boxed if isinstance(type_, Number) else True)


def _probed(
    function: Callable[..., Any], kinds: Sequence[Number | Array], options: Hashable
) -> Type | Exception:
    found: list[Type] = []
    error: Exception = TypeError(function)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for k in range(RUNS):
            for content in CONTENTS[:2]:
                sampler = Sampler({}, k, content)
                values = [sampler.value(kind) for kind in kinds]
                if options is not None:
                    values[-1] = options
                try:
                    found.append(type_of_value(function(*values)))
                    break
                except Exception as raised:
                    error = raised
    if not found:
        return error
    return reduce(_common, found)


def _common(a: Type, b: Type) -> Type:
    """Return what two runs have in common: of a number that may be Python's or NumPy's own,
    results in single and double precision are in double precision at most."""
    match a, b:
        case Number(), Number() if a.dtype == b.dtype or (is_float(a) and is_float(b)):
            return join(a, b) or UNKNOWN
        case Array(), Array() if is_float(a) and is_float(b) and a.lengths == b.lengths:
            return join(a, b) or UNKNOWN
        case Tuple(), Tuple() if len(a.items) == len(b.items):
            pairs = zip(a.items, b.items, strict=True)
            return Tuple(tuple(_common(x, y) for x, y in pairs))
    return a if a == b else UNKNOWN


def _of_any_rank(
    function: Callable[..., Any], operands: Sequence[Numerical], context: Context
) -> Type:
    """Return the type for operands of which some may be numbers or arrays."""
    if _fit(operands, context):
        fitting = [Number(o.dtype, True) if isinstance(o, Numeric) else o for o in operands]
        return elementwise(function, fitting, context)
    as_numbers = [Number(o.dtype, True) if isinstance(o, Numeric) else o for o in operands]
    two = Length((), 2)
    as_arrays = [Array(o.dtype, (two,)) if isinstance(o, Numeric) else o for o in operands]
    number, array = _kind(function, as_numbers, None), _kind(function, as_arrays, None)
    if not isinstance(number, Number | Array) or not isinstance(array, Number | Array):
        return UNKNOWN
    if number.dtype != array.dtype:
        return UNKNOWN
    token = _followed(operands, context) or _token(operands)
    return _of_each(function, operands, context) or Numeric(array.dtype, token)


def _followed(operands: Sequence[Numerical], context: Context) -> frozenset[Any] | None:
    """Return what stands for the shape of f(t) - y where y does not stretch it: of t alone."""
    tokens = [
        each.token
        for each in operands
        if isinstance(each, Numeric) and isinstance(each.token, frozenset)
    ]
    if len(tokens) != 2 or len(operands) != 2:
        return None
    for one, other in (tokens, tokens[::-1]):
        if len(one) == 1 and context.assumptions.assume_following(next(iter(one)), other):
            return other
    return None


def _fit(operands: Sequence[Numerical], context: Context) -> bool:
    """Tell whether operands of any rank do not stretch the others: of arrays that is asked."""
    if not context.assumptions.may_fit:
        return False
    arrays = [each.lengths for each in operands if isinstance(each, Array) and each.lengths]
    free = [each.token for each in operands if isinstance(each, Numeric)]
    if not arrays or any(ONE in lengths for lengths in arrays):
        return False
    shape = broadcast(arrays, context.assumptions)
    return all(context.assumptions.assume_fit(token, shape) for token in free)


def _of_each(
    function: Callable[..., Any], operands: Sequence[Numerical], context: Context
) -> Type | None:
    """Return the type for operands that are numbers, or arrays of lengths that are known.

    A vector and what is a number or a vector of its length give a vector.
    """
    if any(isinstance(each, Numeric) and each.lengths is None for each in operands):
        return None
    every = product(*map(_alternatives, operands))
    try:
        types = [elementwise(function, each, context) for each in every]
    except Fails:
        return None
    found = reduce(lambda a, b: join(a, b) or UNKNOWN, types)
    return replace(found, token=_token(operands)) if isinstance(found, Numeric) else found


def _alternatives(operand: Numerical) -> tuple[Numerical, ...]:
    """Return what an operand may be."""
    if not isinstance(operand, Numeric) or operand.lengths is None:
        return (operand,)
    numbers = (Number(operand.dtype, is_boxed) for is_boxed in (False, True))
    return *numbers, Array(operand.dtype, operand.lengths)


def _token(operands: Sequence[Numerical]) -> frozenset[Any] | None:
    """Return what stands for the shape that operands are broadcast to."""
    token: frozenset[Any] = frozenset()
    for operand in operands:
        match operand:
            case Numeric(_, None):
                return None
            case Numeric(_, frozenset() as own):
                token |= own
            case Numeric(_, own):
                token |= {own}
            case Array(_, lengths) if lengths:
                if None in lengths:
                    return None
                token |= {lengths}
    return token
