"""Calls of libraries whose twins are lowered: printed functions that give the same.

np.take(u, k, mode="wrap")     _take_wrapped(u, k, None), which is lowered like the user's own
spline = CubicSpline(t, x)     x_made = x.copy(), since x may be overwritten
spline(0.5)                    CubicSpline(t_made, x_made)(0.5), whose twin is lowered

A twin is lowered where it turned out that the call varies and has no rule of its own. An object whose
calls are lowered so is kept as what it is made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, global_, positional
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric, Other, Reference, Tuple, Type
from s2sad.lowering import library, reflection
from s2sad.lowering.machine import Machine, refusal, stable
from s2sad.lowering.memory import as_regions
from s2sad.lowering.values import Code, Data, Origins, Partial, Tup, Value, literal, made_again
from s2sad.operators.displays import with_arrays
from s2sad.operators.effects import is_computing
from s2sad.operators.filling import fill
from s2sad.operators.find import Known, find_twin
from s2sad.operators.followed import key_of_twin
from s2sad.operators.heads import head_of
from s2sad.types import infer, shares

CALLED = "__call__"


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
        found = kept(m, made.expr, args, kwargs)
    return made if found is None else found


# ---------------------------------------------------------------------------- objects


def kept(m: Machine, made: Expr, args: list[Value], kwargs: Mapping[str, Value]) -> Value | None:
    """Return an object as what it is made of; None of one whose calls stand as they are written."""
    cls = made.type.cls if isinstance(made.type, Other) else None
    if not is_computing(cls) or made.args[0].op != "global" or not _is_followed(m, made, cls):
        return None
    parts = tuple(_as_made(m, arg) for arg in args)
    named = {key: _as_made(m, arg) for key, arg in kwargs.items()}
    maker = Partial(Code(made.args[0].data.value, made.args[0]), parts, named)
    return Partial(Code(made_again), (maker, literal(CALLED)), {})


def _is_followed(m: Machine, made: Expr, cls: Any) -> bool:
    """Tell whether other lines are lowered for a call of an object, or of a method of it."""
    head = head_of(Expr("call", (made,), ()))
    heads = [key[0] for key in m.context.followed if isinstance(key, tuple)]
    return head in heads or any(kind == "method" and hasattr(cls, word) for kind, word in heads)


def _as_made(m: Machine, value: Value) -> Value:
    """Return an argument as it is now, whatever is written to it later."""
    data = library.handed_over(m, value)
    match data.type:
        case Array() if data.expr.op == "name" or shares(data.expr, m.context):
            copy = Expr("attribute", (data.expr,), "copy")
            data = library.call(m, copy, [], {})
        case Numeric() | Reference():
            data = library.call(m, global_("np.array", np.array), [data], {})
        case Tuple():
            return Tup(tuple(_as_made(m, part) for part in m.parts_of(data)))
        case Array() | Number() | Other():
            pass
        case _:
            raise refusal(m, "what an object is made of, of which nothing is known")
    return stable(m, data, "made")


def called_again(m: Machine, args: list[Value], kwargs: Mapping[str, Value], node: Any) -> Value:
    """Call an object that is kept as what it is made of, or a method of it."""
    maker, word, *given = args
    made = _made(m, maker)
    named = word.known.value if isinstance(word, Data) and word.known is not None else CALLED
    if named == CALLED:
        return call_library(m, made.expr, given, kwargs)
    return m.call_method(made, named, given, kwargs, node)


def method(owner: Partial, wanted: str) -> Value | None:
    """Return a method of an object that is kept as what it is made of; None of other values."""
    if not isinstance(owner.func, Code) or owner.func.obj is not made_again:
        return None
    return replace(owner, args=(owner.args[0], literal(wanted)))


def _made(m: Machine, maker: Value) -> Data:
    assert isinstance(maker, Partial)
    function = m.to_data(maker.func).expr
    return library.call(m, function, list(maker.args), maker.kwargs)
