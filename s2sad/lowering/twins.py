"""Calls of libraries whose twins are lowered: printed functions that give the same.

np.take(u, k, mode="wrap")    _take_wrapped(u, k, None), which is lowered like the user's own

A twin is lowered where it turned out that the call varies and has no rule of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.expression import Expr, positional
from s2sad.ir.types import Tuple, Type
from s2sad.lowering import kept_objects, library, reflection
from s2sad.lowering.machine import Machine, stable
from s2sad.lowering.memory import as_regions
from s2sad.lowering.values import Data, Origins, Tup, Value, literal
from s2sad.operators.displays import with_arrays
from s2sad.operators.filling import fill
from s2sad.operators.find import Known, find_twin
from s2sad.operators.followed import key_of_twin
from s2sad.types import infer


def called(m: Machine, call: Expr, origins: Origins) -> Value | None:
    """Return what the twin of a call gives; None of a call that stands as it was written."""
    if key_of_twin(call) not in m.context.followed:
        return None
    known = Known(as_regions(m.memory))
    match = find_twin(call, known) or find_twin(_with_arrays(m, call), known)
    twin = None if match is None else match.twin
    if match is None or twin is None:
        return None
    filled = (fill(arg, match.bound, lambda e: infer(e, m.context)) for arg in positional(twin))
    closure = reflection.closure_of(m, twin.args[0].data.value)
    found = m.call(closure, [_argument(m, arg, origins) for arg in filled], {}, None)
    return _with_names(m, found, call.type)


def _with_names(m: Machine, value: Value, type_: Type) -> Value:
    """Return what a twin gives with the names that the parts of the call's result have."""
    cls = type_.cls if isinstance(type_, Tuple) else None
    if cls is None or not hasattr(cls, "_fields"):
        return value
    return Tup(tuple(m.parts_of(stable(m, value, "found"))), cls)


def _with_arrays(m: Machine, call: Expr) -> Expr:
    return with_arrays(call, lambda e: infer(e, m.context), lambda _: True)


def _argument(m: Machine, expr: Expr, origins: Origins) -> Value:
    """Return an argument as a value: what is written out is known."""
    match expr.op:
        case "constant":
            return literal(expr.data)
        case "global":
            return m.lift(expr.data.value, None)
        case "tuple":
            return Tup(tuple(_argument(m, part, origins) for part in expr.args))
    return Data(expr, origins)


def call_library(
    m: Machine, function: Expr, args: list[Value], kwargs: Mapping[str, Value]
) -> Value:
    """Return a call of a library, or what its twin gives."""
    made = library.call(m, function, args, kwargs)
    found = called(m, made.expr, made.origins)
    if found is None:
        found = kept_objects.kept(m, made.expr, args, kwargs)
    return made if found is None else found
