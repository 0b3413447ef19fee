"""A call as rules spell it: arguments in their places, nothing that changes no value.

np.trapezoid(y=f, x=t)             np.trapezoid(f, t)
np.max(A, 0, None, True)           np.max(A, 0, keepdims=True)      `out` was left open
np.exp(x, out=None, where=True)    np.exp(x)                        what they would be anyway
np.sum(x, dtype=float)             np.sum(x)                        of x of float64
linalg.inv(A, check_finite=False)  linalg.inv(A)                    A is looked at for nan, or not
operator.add(a, b)                 a + b
np.add.reduce(A, initial=c)        np.sum(A, 0, initial=c)
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from inspect import Parameter
from types import MethodType
from typing import Any

import numpy as np

from s2sad.ir.expression import (
    Expr,
    attribute,
    called_object,
    constant,
    global_,
    keywords,
    object_of,
    positional,
)
from s2sad.ir.records import replace
from s2sad.ir.symbols import BINARY, COMPARE, UNARY, functions
from s2sad.ir.types import Number
from s2sad.operators.binding import POSITIONAL, defaults_of, is_starred, parameters_of
from s2sad.operators.guards import NOTHING, dtype_of, is_array, is_none, text_of, value_of
from s2sad.operators.modules import identity, is_hashable, resolved
from s2sad.operators.table import words
from s2sad.source.draws import SOURCES

Named = tuple[str, Expr]
# in these `order` says how the result is held, not which element is where
LAID_OUT = words("in_order")
# which way of sorting is taken decides nothing but the time
SORTED = words("sorts")
# which function of LAPACK finds singular values decides nothing else, either
DRIVERS = frozenset({"gesdd", "gesvd"})
SYMBOLS: Mapping[object, tuple[str, Any]] = {
    **{identity(f): ("unary", each) for each, f in functions(UNARY).items()},
    **{identity(f): ("binary", each) for each, f in functions(BINARY).items()},
    **{identity(f): ("compare", (each,)) for each, f in functions(COMPARE).items()},
    identity(pow): ("binary", "**"),
    identity(operator.getitem): ("subscript", None),
}
# what ufuncs do along axes under another name, and how the arguments of that are called
ALONG = ("a", "axis", "dtype", "out", "keepdims", "initial", "where")
OF_UFUNCS: Mapping[str, str] = {
    "np.add.reduce": "sum",
    "np.multiply.reduce": "prod",
    "np.maximum.reduce": "max",
    "np.minimum.reduce": "min",
    "np.fmax.reduce": "nanmax",
    "np.fmin.reduce": "nanmin",
    "np.add.accumulate": "cumsum",
    "np.multiply.accumulate": "cumprod",
}
ONE_BY_ONE = {identity(resolved(method)): named for method, named in OF_UFUNCS.items()}


def as_rules_spell(expr: Expr) -> Expr:
    """Return a call with its arguments in their places, without those that change no value."""
    if expr.op != "call" or any(map(is_starred, positional(expr))):
        return expr
    symbol = _as_symbol(expr)
    if symbol is not None:
        return symbol
    expr = _as_function(with_owner(expr))
    parameters = parameters_of(expr.args[0])
    named = _named(expr, parameters)
    if named is None:
        return expr
    kept = [each for each in named if not _changes_nothing(expr, *each)]
    args = tuple(_in_their_places(kept, parameters))
    rest = dict(kept[len(args) :])
    made = (expr.args[0], *args, *rest.values())
    return replace(expr, args=made, data=tuple(rest))


def with_owner(expr: Expr) -> Expr:
    """Return a call of a method of a module's object as one: scipy.stats.norm.pdf is norm's pdf.

    So is TABLE.derivative in TABLE.derivative()(t).
    """
    function = expr.args[0]
    if function.op == "call":
        return expr.with_args((with_owner(function), *expr.args[1:]))
    if function.op != "global" or not isinstance(function.data.value, MethodType):
        return expr
    if isinstance(function.data.value.__self__, SOURCES):
        return expr  # np.random.normal is a function of its module
    text, _, named = function.data.text.rpartition(".")
    owner = global_(text or named, function.data.value.__self__, function.span)
    called = replace(attribute(owner, function.data.value.__name__), span=function.span)
    return expr.with_args((called, *expr.args[1:]))


def _as_function(expr: Expr) -> Expr:
    """Return a call of a method of a ufunc as one of the function that does the same, along the first axis."""
    function = called_object(expr)
    named = ONE_BY_ONE.get(identity(function)) if is_hashable(function) else None
    if named is None or len(positional(expr)) > len(ALONG):
        return expr
    given = dict(zip(ALONG, positional(expr), strict=False)) | keywords(expr)
    first = given.pop("a", None) or given.pop("array", None)
    if first is None:
        return expr
    rest = {"axis": constant(0, Number("int64"))} | given
    called = global_(f"np.{named}", getattr(np, named), expr.args[0].span)
    return replace(expr, args=(called, first, *rest.values()), data=tuple(rest))


def _as_symbol(expr: Expr) -> Expr | None:
    """Return a call of a function of the module operator as the operation that it is."""
    function = expr.args[0]
    if function.op != "global" or expr.data:
        return None
    op, data = SYMBOLS.get(identity(function.data.value), ("", None))
    count = {"unary": 1, "binary": 2, "compare": 2, "subscript": 2}.get(op, 0)
    if count != len(expr.args) - 1:
        return None
    return replace(expr, op=op, data=data, args=expr.args[1:])


def _named(expr: Expr, parameters: Sequence[Parameter]) -> list[Named] | None:
    """Return every argument under a name, in the order of the parameters."""
    places = [each.name for each in parameters if each.kind in POSITIONAL]
    function = called_object(expr)
    if isinstance(function, np.ufunc):
        places += ["out"] if function.nout == 1 else []
    args, given = positional(expr), keywords(expr)
    if len(args) > len(places) or given.keys() & {*places[: len(args)]}:
        return None
    named = list(zip(places, args, strict=False))
    rest = [name for name in places[len(args) :] if name in given]
    rest += [name for name in given if name not in rest]
    return named + [(name, given[name]) for name in rest]


def _in_their_places(named: Sequence[Named], parameters: Sequence[Parameter]) -> Iterator[Expr]:
    """Yield the arguments that can be given by position: those before one that is left out."""
    for (name, value), each in zip(named, parameters, strict=False):
        if name != each.name or each.kind not in POSITIONAL:
            return
        yield value


# ---------------------------------------------------------------------------- what changes nothing


def _changes_nothing(expr: Expr, key: str, value: Expr) -> bool:
    defaults = defaults_of(expr.args[0])
    if key in defaults and _is_default(value, defaults[key]):
        return True
    if key == "check_finite" or text_of(value) in DRIVERS:
        return True
    name, operands = _name_and_operands(expr)
    if key == "subok" and name:
        return True  # arrays of classes of their own are refused
    if key == "dtype":
        return _has_dtype_anyway([part for part in operands if part is not value], value)
    if key == "order":
        return isinstance(called_object(expr), np.ufunc) or name in LAID_OUT
    return key in ("kind", "stable") and name in SORTED


def _is_default(value: Expr, default: Any) -> bool:
    known = value_of(value)
    if known is NOTHING:
        return default is None and is_none(value)
    return type(known) is type(default) and bool(known == default)


def _name_and_operands(expr: Expr) -> tuple[str, list[Expr]]:
    """Return the name of a function of NumPy or of a method, and what it is applied to."""
    function = expr.args[0]
    if function.op == "attribute":
        return function.data, [function.args[0], *positional(expr)]
    value = object_of(function)
    is_numpy = str(getattr(value, "__module__", "") or "numpy").startswith("numpy")
    return getattr(value, "__name__", "") if is_numpy else "", list(positional(expr))


def _has_dtype_anyway(operands: list[Expr], dtype: Expr) -> bool:
    """Tell whether what is made of some operands is of that precision without being asked."""
    asked = _dtype_asked(dtype)
    numbers = (each for each in operands if is_array(each.type) or dtype_of(each)[:1] == "f")
    found = [dtype_of(each) for each in numbers]
    return asked in ("float32", "float64") and bool(found) and all(d == asked for d in found)


def _dtype_asked(dtype: Expr) -> str:
    if dtype.op == "attribute" and dtype.data == "dtype":
        return dtype_of(dtype.args[0])
    try:
        value = value_of(dtype)
        return "" if value is NOTHING or value is None else str(np.dtype(value))
    except TypeError:
        return ""
