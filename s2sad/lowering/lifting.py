"""Python objects as values, and values as data of the run.

lift(np.sin)         Code(np.sin)
lift(f)              Closure: a function of the user's
lift(table)          Data: an object of the module, which the program reads
to_data(Tup(a, b))   Data written (a, b)
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys
import types
import typing
from collections.abc import Iterable
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Known, attribute, global_
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Number, Tuple, Type
from s2sad.lowering import displays, functions, inner, library, reflection
from s2sad.lowering.machine import Machine, flip, global_expr, refusal
from s2sad.lowering.typing import describe
from s2sad.lowering.values import (
    Bound,
    Box,
    Closure,
    Code,
    Data,
    Lazy,
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    is_made_inside,
    is_option,
    literal,
    managed,
    origins_of,
    type_of_literal,
    word_of,
)
from s2sad.operators import printed
from s2sad.operators.guards import is_factored
from s2sad.operators.heads import head_of_function
from s2sad.operators.library import is_spelled, of_users
from s2sad.prelude import arrays
from s2sad.source.given import GETTERS, as_written, python_of
from s2sad.source.owners import is_called, is_own

ALIAS = type(typing.Sequence)  # what stands for a class: typing.Sequence
ATOMS = (int, float, complex, np.generic, slice, type(NotImplemented))
REMEMBERING = type(functools.cache(len))
PLAIN_CODE = (
    type,
    types.ModuleType,
    types.BuiltinFunctionType,
    types.FunctionType,
    types.MethodType,
    types.GenericAlias,
    np.ufunc,
    staticmethod,
    classmethod,
    property,
    type(sys.float_info),
)


def to_data(m: Machine, value: Value | None) -> Data:
    """Return a value as data that can be stored, returned or handed to a library."""
    match value:
        case None:
            return literal(None)
        case Data():
            return value
        case Tup():
            return _tuple_as_data(m, value)
        case Code() if isinstance(value.obj, type) and value.obj in m.made:
            raise refusal(m, f"{value.obj.__name__}, a class made inside, as data")
        case Code():
            return Data(reflection.code_expr(m, value))
        case Ref():
            cell = m.heap[value.id]
            if m.making and cell.kind != "object" and _is_structure(cell.slots.values()):
                raise refusal(m, "a list of functions, or of numbers and arrays, as data")
            flip(m, cell.site, "runtime")
        case Lazy():
            found = m.at_once(value)
            if isinstance(found, Lazy):
                raise refusal(m, "what is gone through later than it is named")
            return to_data(m, found)
        case Method():
            return Data(Expr("attribute", (value.owner.expr,), value.name, UNKNOWN, None, m.span))
        case Closure() | Bound() | Partial():
            return functions.as_data(m, value)
    raise refusal(m, f"{word_of(value)} as data")


def _is_structure(held: Iterable[Value]) -> bool:
    """Tell whether what a list or dict holds can be no data: where it is, a function is inlined."""
    values = list(held)
    return any(map(is_made_inside, values)) or displays.is_mixed(values)


def _tuple_as_data(m: Machine, value: Tup) -> Data:
    parts = [to_data(m, part) for part in value.parts]
    exprs = tuple(part.expr for part in parts)
    values = [e.known for e in exprs]
    known = None
    if None not in values:
        known = Known(value.cls(v.value for v in values if v)) if value.cls is tuple else None
    if value.cls is tuple:
        type_: Type = Tuple(tuple(e.type for e in exprs))
        return Data(Expr("tuple", exprs, None, type_, known, m.span), origins_of(parts))
    made = Expr("call", (global_expr(m, value.cls.__name__, value.cls), *exprs), ())
    return Data(
        replace(made, type=Tuple(tuple(e.type for e in exprs), value.cls), span=m.span),
        origins_of(parts),
    )


# ---------------------------------------------------------------------------- objects of Python


def lift(m: Machine, obj: Any, expr: Expr | None, wanted: str = "value") -> Value:
    """Return a Python object as a value; `expr` is how it is written."""
    if isinstance(obj, Box):
        return obj.value
    if is_option(obj):
        return literal(obj, m.span)
    if isinstance(obj, ATOMS):
        return _atom(m, obj, expr, wanted)
    if isinstance(obj, ALIAS):
        obj = typing.get_origin(obj)
    own = library.replaced(m, obj)
    if own is not obj and isinstance(own, types.ModuleType):
        return lift(m, own, None, own.__name__)
    obj = own
    derivative = inner.of_object(m, obj)
    if derivative is not None:
        return derivative
    if isinstance(obj, types.BuiltinMethodType) and is_factored(type(obj.__self__)):
        # what factorized(A) gave: the text solves by the factors themselves
        solver = global_expr(m, wanted, obj) if expr is None else expr
        return Method(of_module(m, obj.__self__, attribute(solver, "__self__"), wanted), "solve")
    found = _code(m, obj, expr)
    if found is not None:
        return found
    if expr is None and reflection.is_record(
        obj
    ):  # nobody can change it: one of its own is as good
        fields = {f.name: lift(m, getattr(obj, f.name), None) for f in dataclasses.fields(obj)}
        return m.call(lift(m, type(obj), None), [], fields, None)
    return of_module(m, obj, expr, wanted)


def _atom(m: Machine, obj: Any, expr: Expr | None, wanted: str) -> Data:
    if isinstance(obj, type(NotImplemented)):
        return Data(global_("NotImplemented", obj, m.span))
    type_ = Number(str(obj.dtype), True) if isinstance(obj, np.generic) else type_of_literal(obj)
    if expr is None:
        return Data(global_expr(m, wanted, obj).typed(type_, Known(obj)))
    known = Known(obj) if expr.op == "global" else None
    return Data(expr.typed(type_, known))


# what a class of classes says of them, which is not asked here
OF_CLASSES = tuple(
    f"__{word}__"
    for word in """
    instancecheck subclasscheck getitem iter len contains bool eq lt neg add radd sub rsub mul rmul
    truediv rtruediv pow matmul or
    """.split()
)


def _code(m: Machine, obj: Any, expr: Expr | None) -> Value | None:
    """Return what is called rather than computed with."""
    if isinstance(obj, type) and any(is_own(getattr(type(obj), w, None)) for w in OF_CLASSES):
        raise refusal(m, f"{obj.__name__}, a class whose class has operators of its own,")
    if isinstance(obj, types.FunctionType) and _is_lowered(m, obj):
        return reflection.closure_of(m, obj)
    if _is_manager(obj) and is_own(obj.__wrapped__):
        return Partial(Code(managed), (reflection.closure_of(m, obj.__wrapped__),), {})
    if isinstance(obj, types.MethodType) and _is_lowered(m, obj.__func__):
        return Bound(reflection.closure_of(m, obj.__func__), lift(m, obj.__self__, None, "owner"))
    if isinstance(obj, functools.partial):
        args = tuple(lift(m, a, None, "bound") for a in obj.args)
        kwargs = {k: lift(m, v, None, k) for k, v in obj.keywords.items()}
        return Partial(lift(m, obj.func, None), args, kwargs)
    if isinstance(obj, GETTERS) and (written := as_written(obj)) is not None:
        return reflection.closure_of(m, written)
    if isinstance(obj, np.vectorize) and not obj.excluded:
        if obj.signature is None or obj.signature in arrays.OF_ROWS:
            return _vectorized(m, obj)
    if isinstance(obj, REMEMBERING):
        if is_own(obj.__wrapped__):
            return replace(reflection.closure_of(m, obj.__wrapped__), remembers=True)
    python = python_of(obj)  # what Numba compiled
    if python is not obj:
        return lift(m, python, expr)
    is_code = isinstance(obj, PLAIN_CODE) or is_called(obj) or _has_rule(obj)
    return Code(obj, expr) if is_code else None


def _vectorized(m: Machine, obj: Any) -> Value:
    """Return a function of numbers as one of arrays, which has been made before."""
    if obj.otypes is not None and len(obj.otypes) > 1:
        raise refusal(m, "np.vectorize of a function that gives several results")
    kind = None if obj.otypes is None else np.dtype(obj.otypes[0]).type
    given = (lift(m, each, None) for each in (obj.pyfunc, kind, obj.signature))
    return Partial(reflection.closure_of(m, arrays.for_arrays), tuple(given), {})


def _has_rule(obj: Any) -> bool:
    """Tell whether a rule of the user's is of an object that is called: its lines are not asked."""
    return callable(obj) and any(True for _ in of_users(obj))


def _is_lowered(m: Machine, function: types.FunctionType) -> bool:
    """Tell whether the lines of a function are lowered: those of a twin are, if it has no rule.

    A lambda of a library has no name that a text could call it by.
    """
    if printed.name_of(function):
        return not is_spelled(head_of_function(function))
    is_named = function.__name__.isidentifier()
    return is_own(function) or not is_named or function in m.context.followed


def _is_manager(obj: Any) -> bool:
    """Tell whether a function is what contextlib.contextmanager makes of a generator."""
    made: Any = contextlib.contextmanager(managed)  # type: ignore[arg-type]
    return isinstance(obj, types.FunctionType) and obj.__code__ is made.__code__


def of_module(m: Machine, obj: Any, expr: Expr | None, wanted: str) -> Data:
    """Return an object of a module as data that the program reads."""
    expr = global_expr(m, wanted, obj) if expr is None else expr
    site = expr.data.text if expr.op == "global" else wanted
    is_fixed = (
        type(obj) in (tuple, frozenset)
        and obj
        and all(is_option(p) or isinstance(p, type) for p in obj)
    )
    known = Known(obj) if is_fixed else None
    return Data(expr.typed(describe(m, obj, site), known))
