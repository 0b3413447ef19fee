"""The type of an expression from the types of its operands.

infer(u * c)   with u Array("float64", (n,)), c Number("float64")   ->   Array("float64", (n,))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Known, is_own_call, object_of
from s2sad.ir.records import replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
    Length,
    Number,
    Numeric,
    Other,
    Sequence,
    Tuple,
    Type,
    Unknown,
    is_float,
    without_none,
)
from s2sad.operators.effects import is_solution
from s2sad.operators.filling import beside_array
from s2sad.operators.table import calls_one
from s2sad.types.assumptions import Context, Fails
from s2sad.types.attributes import attribute_type, known_attribute, known_length, whole_number
from s2sad.types.calls import call_type, exponent, operand
from s2sad.types.elementwise import BINARY, COMPARE, UNARY, elementwise
from s2sad.types.families import probe_family
from s2sad.types.joins import is_surely_float
from s2sad.types.reading import type_of_value
from s2sad.types.subscripts import count_of, joined, subscript_type, whole

NUMERIC = (Number, Array, Numeric)
BOOL = Number("bool")
# a power of whole numbers is whole, or a float where the exponent is negative
OF_POWER = Number("float64", None, perhaps_whole=True)
# objects of NumPy whose brackets make an array of what stands in them
BRACKETS = (np.r_, np.c_, np.mgrid, np.ogrid)
MOST_POWER = 10_000
MOST_TEXT = 1000
Typed = tuple[Type, Known | None]


def infer(expr: Expr, context: Context) -> Expr:
    """Return a node with its type, and with its value where that is the same in every run.

    Raise Mismatch where lengths have to be equal, and are in the examples; Fails where Python
    itself would raise.
    """
    match expr.op:
        case "name" | "function" | "starred" | "item" | "generator" | "copied" | "record":
            return expr
        case "constant" | "global":
            return _literal(expr)
        case "call" if is_own_call(expr) or is_solution(expr):
            return expr  # lowering and the reverse sweep say what it gives
    type_, known = _typed(expr, context)
    if any(getattr(arg.type, "perhaps_whole", False) for arg in expr.args) or _is_of_free(expr):
        type_ = _perhaps_whole(type_, expr)
    if expr.type == type_ and expr.known == known:
        return expr
    return expr.typed(type_, known)


def _is_of_free(expr: Expr) -> bool:
    """Tell whether an array is made of one number that may be whole, there being no example of it."""
    if len(expr.args) != 2 or not calls_one(expr, "converts"):
        return False
    given = expr.args[1].type
    return isinstance(given, Number) and given.boxed is None


def _perhaps_whole(type_: Type, expr: Expr) -> Type:
    """Return the type of what is of whole numbers where its operands are."""
    is_sure = any(is_surely_float(a.type) for a in expr.args) and not _is_of_free(expr)
    if not isinstance(type_, NUMERIC) or is_sure:
        return type_
    return replace(type_, perhaps_whole=True) if is_float(type_) else type_


def _literal(expr: Expr) -> Expr:
    value = expr.data if expr.op == "constant" else expr.data.value
    return expr.typed(type_of_value(value), Known(value))


def _typed(expr: Expr, context: Context) -> Typed:
    args = expr.args
    match expr.op:
        case "unary":
            return _unary(expr, context)
        case "binary":
            return _binary(expr, context)
        case "compare":
            return _compare(expr, context)
        case "and" | "or":
            return joined(tuple(arg.type for arg in args)), None
        case "conditional":
            return joined((args[1].type, args[2].type)), None
        case "tuple" | "list":
            return _display(expr)
        case "slice":
            return _slice(expr)
        case "subscript":
            return _subscript(expr, context)
        case "attribute":
            if args[0].known is not None and isinstance(args[0].type, Other | Code):
                return known_attribute(args[0].known.value, expr.data)
            if isinstance(args[0].type, Other) and expr.type != UNKNOWN:
                return expr.type, expr.known  # of what a solver finds
            return attribute_type(args[0].type, expr.data, context)
        case "call":
            return call_type(expr, context)
        case "formatted" | "field":
            return Other(str), None
    return expr.type, expr.known


# ---------------------------------------------------------------------------- operators


def _unary(expr: Expr, context: Context) -> Typed:
    (arg,) = expr.args
    function = UNARY[expr.data]
    if arg.known is not None and _is_small(arg.known.value):
        return _evaluated(function, arg)
    if expr.data == "not":
        return BOOL, None
    type_ = without_none(arg.type)
    if not isinstance(type_, NUMERIC):
        return UNKNOWN, None
    found = elementwise(function, (type_,), context)
    if isinstance(type_, Number) and type_.length is not None and isinstance(found, Number):
        if expr.data in ("-", "+"):
            found = replace(found, length=type_.length * (-1 if expr.data == "-" else 1))
    return found, None


def _evaluated(function: Any, *args: Expr) -> Typed:
    """Return the value of an operation whose operands are known."""
    try:
        with np.errstate(all="ignore"):
            value = function(*(arg.known.value for arg in args if arg.known is not None))
    except Exception as error:
        raise Fails(error) from None
    return type_of_value(value), Known(value)


def _is_small(value: Any) -> bool:
    """Tell whether a known value is cheap to compute with."""
    if isinstance(value, str | tuple):
        return len(value) <= MOST_TEXT
    if isinstance(value, int):
        return abs(value) < 2**64
    return isinstance(value, float | complex | np.number | np.bool_ | type | np.dtype | type(None))


def _binary(expr: Expr, context: Context) -> Typed:
    left, right = expr.args
    symbol, function = expr.data, BINARY[expr.data]
    if left.known is not None and right.known is not None:
        if _is_cheap(symbol, left.known.value, right.known.value):
            return _evaluated(function, left, right)
    arrays = beside_array(expr, lambda e: infer(e, context)).args  # of lists beside an array
    a, b = without_none(arrays[0].type), without_none(arrays[1].type)
    if symbol != "@" and isinstance(a, NUMERIC) and isinstance(b, NUMERIC):
        return _arithmetic(symbol, a, b, left, right, context)
    if isinstance(a, Other) and a.cls is str:
        return a, None
    operands = operand(left, context), operand(right, context)
    if operands[0] is None or operands[1] is None:
        return UNKNOWN, None
    if symbol in "+*" and _are_sequences(a, b):
        return _joined_sequences(symbol, left, right), None
    return probe_family(function, (operands[0], operands[1]), {}, context), None


def as_numbers(expr: Expr, varies: Callable[[Expr], bool]) -> Expr:
    """Return an operation whose operands that vary are numbers or arrays where nothing is known of them.

    What does not vary may be an object whose operators are its own.
    """
    if not any(isinstance(arg.type, Unknown) for arg in expr.args):
        return expr
    return expr.with_args(
        arg.typed(Numeric("float64") if isinstance(arg.type, Unknown) and varies(arg) else arg.type)
        for arg in expr.args
    )


def _are_sequences(a: Type, b: Type) -> bool:
    """Tell whether + or * joins or repeats lists or tuples: no array is among the operands."""
    whole = Tuple | Sequence | Number
    if not (isinstance(a, whole) and isinstance(b, whole)):
        return False
    return all(not isinstance(x, Number) or x.dtype[0] in "iu" for x in (a, b))


def _is_cheap(symbol: str, a: Any, b: Any) -> bool:
    if not (_is_small(a) and _is_small(b)):
        return False
    if symbol in ("**", "<<"):
        return not isinstance(b, int) or (abs(b) < MOST_POWER and _is_small(a))
    return symbol != "*" or (not isinstance(a, str | tuple) and not isinstance(b, str | tuple))


def _arithmetic(
    symbol: str,
    a: Number | Array | Numeric,
    b: Number | Array | Numeric,
    left: Expr,
    right: Expr,
    context: Context,
) -> Typed:
    options = exponent(np.power, right) if symbol == "**" else None
    if symbol == "**" and options is None and a.dtype[0] in "iub" and b.dtype[0] in "iu":
        if isinstance(a, Array) or isinstance(b, Array):
            symbol = "*"  # whole numbers too: NumPy raises where an exponent is negative
        elif not _is_natural(b):
            return OF_POWER, None
    found = elementwise(BINARY[symbol], (a, b), context, options)
    if not isinstance(found, Number) or found.dtype[0] not in "iu":
        return found, None
    length = _whole_result(symbol, left, right, context)
    known = known_length(length)
    boxed_known = Known(np.dtype(found.dtype).type(known.value)) if known else None
    return replace(found, length=length), boxed_known if found.boxed else known


def _is_natural(type_: Type) -> bool:
    length = type_.length if isinstance(type_, Number) else None
    return length is not None and length.constant >= 0 and all(f > 0 for _, f in length.terms)


def _whole_result(symbol: str, left: Expr, right: Expr, context: Context) -> Length | None:
    """Return what an integer result is in lengths."""
    m, n = map(whole, (left, right))
    if m is None or n is None:
        return None
    if symbol == "+":
        return m + n
    if symbol == "-":
        return m - n
    if symbol == "*":
        return m * n
    if symbol == "**" and n.is_literal and n.constant in (2, 3):
        return m * m if n.constant == 2 else m * m * m
    if symbol == "//":
        return context.assumptions.quotient(m, n)
    return None


def _whole(type_: Type) -> Length | None:
    return type_.length if isinstance(type_, Number) else None


def _items(expr: Expr) -> tuple[Type, ...]:
    """Return the types of the items of a tuple, with their lengths where they are known: (9,) + u.shape."""
    assert isinstance(expr.type, Tuple)
    items, values = expr.type.items, () if expr.known is None else expr.known.value
    if not isinstance(values, tuple) or len(values) != len(items):
        return items
    pairs = zip(items, values, strict=True)
    return tuple(whole_number(Length((), v)) if _is_whole(item, v) else item for item, v in pairs)


def _is_whole(item: Type, value: Any) -> bool:
    return isinstance(item, Number) and type(value) is int


def _joined_sequences(symbol: str, left: Expr, right: Expr) -> Type:
    a, b = left.type, right.type
    if symbol == "+" and isinstance(a, Tuple) and isinstance(b, Tuple):
        return Tuple(_items(left) + _items(right), a.cls) if a.cls is b.cls else UNKNOWN
    if symbol == "*":
        sequence, count = (a, right) if isinstance(a, Tuple | Sequence) else (b, left)
        if isinstance(sequence, Tuple):
            if count.known is not None and 0 <= count.known.value <= 20:
                return Tuple(sequence.items * count.known.value, sequence.cls)
            length = _whole(count.type)
            total = None if length is None else length * len(sequence.items)
            return Sequence(joined(sequence.items), sequence.cls or tuple, total)
        if isinstance(sequence, Sequence):
            return Sequence(sequence.item, sequence.cls)
    if isinstance(a, Sequence | Tuple) and isinstance(b, Sequence | Tuple):
        items = [x for s in (a, b) for x in (s.items if isinstance(s, Tuple) else (s.item,))]
        counts = count_of(a), count_of(b)
        total = None if counts[0] is None or counts[1] is None else counts[0] + counts[1]
        return Sequence(joined(tuple(items)), a.cls or tuple, total)
    return UNKNOWN


# ---------------------------------------------------------------------------- tests


def _compare(expr: Expr, context: Context) -> Typed:
    args = expr.args
    if all(arg.known is not None and _is_small(arg.known.value) for arg in args):
        return _evaluated_chain(expr)
    if len(args) == 2:
        a, b = (without_none(arg.type) for arg in args)
        if expr.data[0] in ("is", "is not", "in", "not in"):
            return BOOL, None
        if isinstance(a, NUMERIC) and isinstance(b, NUMERIC):
            return elementwise(COMPARE[expr.data[0]], (a, b), context), None
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return UNKNOWN, None
        if expr.data[0] in ("==", "!=") and (_differ_in_number(a, b) or differ_in_kind(a, b)):
            is_boxed = any(isinstance(each, Number) and each.boxed for each in (a, b))
            truth = expr.data[0] == "!="
            return replace(BOOL, boxed=is_boxed), Known(np.bool_(truth) if is_boxed else truth)
    return BOOL, None


def differ_in_kind(a: Type, b: Type) -> bool:
    """Tell whether two values are of kinds of which none equals the other: (p, q) and "same"."""
    kinds = {_kind_of(each) for each in (a, b)}
    return len(kinds) == 2 and None not in kinds


def _kind_of(type_: Type) -> type | None:
    match type_:
        case Number():
            return float
        case Tuple(_, cls) | Sequence(_, cls) if cls in (None, tuple, list) or hasattr(
            cls, "_fields"
        ):
            return list if cls is list else tuple
        case Other(cls) if cls is str:
            return str
    return None


def _differ_in_number(a: Type, b: Type) -> bool:
    """Tell whether two values are tuples of other numbers of items: the shape of x and ()."""
    counts = [
        len(each.items) for each in (a, b) if isinstance(each, Tuple) and each.cls is not list
    ]
    return len(counts) == 2 and counts[0] != counts[1]


def _evaluated_chain(expr: Expr) -> Typed:
    values = [arg.known.value for arg in expr.args if arg.known is not None]
    result: Any = True
    try:
        for symbol, left, right in zip(expr.data, values[:-1], values[1:], strict=True):
            result = COMPARE[symbol](left, right)
            if not result:
                break
    except Exception as error:
        raise Fails(error) from None
    return type_of_value(result), Known(result)


# ---------------------------------------------------------------------------- what holds others


def _display(expr: Expr) -> Typed:
    types: list[Type] = []
    for arg in expr.args:
        if arg.op != "starred":
            types.append(arg.type)
        elif isinstance(arg.args[0].type, Tuple):
            types += arg.args[0].type.items
        else:
            cls = list if expr.op == "list" else tuple
            return Sequence(joined(tuple(a.type for a in expr.args)), cls), None
    if expr.op == "list":
        return Tuple(tuple(types), list), None
    known = [arg.known for arg in expr.args if arg.known is not None]
    if len(known) < len(expr.args):
        return Tuple(tuple(types)), None
    return Tuple(tuple(types)), Known(tuple(each.value for each in known))


def _slice(expr: Expr) -> Typed:
    known = [arg.known for arg in expr.args if arg.known is not None]
    value = Known(slice(*(each.value for each in known))) if len(known) == 3 else None
    return Other(slice), value


def _subscript(expr: Expr, context: Context) -> Typed:
    base, index = expr.args
    owner = object_of(base)
    if any(owner is each for each in BRACKETS):
        key = operand(index, context)
        return UNKNOWN if key is None else probe_family(owner.__getitem__, [key], {}, context), None
    if base.known is not None and index.known is not None:
        value = base.known.value
        if isinstance(value, str | tuple | range):
            return _evaluated(lambda a, b: a[b], base, index)
    return subscript_type(base.type, index, context), None
