"""Objects of libraries whose calls are lowered as their twins: kept as what they are made of.

spline = CubicSpline(t, x)     x_made = x.copy(), since x may be overwritten
spline(0.5)                    CubicSpline(t_made, x_made)(0.5), whose twin is lowered
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, global_
from s2sad.ir.types import Array, Number, Numeric, Other, Reference
from s2sad.lowering import library, lifting
from s2sad.lowering.machine import Machine, refusal, stable
from s2sad.lowering.values import Code, Partial, Value
from s2sad.operators.effects import is_computing
from s2sad.operators.heads import head_of
from s2sad.types import shares


def kept(m: Machine, made: Expr, args: list[Value], kwargs: Mapping[str, Value]) -> Value | None:
    """Return an object as what it is made of; None of one whose calls stand as they are written."""
    cls = made.type.cls if isinstance(made.type, Other) else None
    head = head_of(Expr("call", (made,), ()))
    if cls is None or not is_computing(cls) or not _is_followed(m, head):
        return None
    parts = tuple(_as_made(m, arg) for arg in args)
    named = {key: _as_made(m, arg) for key, arg in kwargs.items()}
    maker = Partial(Code(made.args[0].data.value, made.args[0]), parts, named)
    return Partial(Code(called), (maker,), {})


def _is_followed(m: Machine, head: Any) -> bool:
    return any(isinstance(key, tuple) and key[0] == head for key in m.context.followed)


def _as_made(m: Machine, value: Value) -> Value:
    """Return an argument as it is now, whatever is written to it later."""
    data = library.handed_over(m, value)
    match data.type:
        case Array() if data.expr.op == "name" or shares(data.expr, m.context):
            copy = Expr("attribute", (data.expr,), "copy")
            data = library.call(m, copy, [], {})
        case Numeric() | Reference():
            data = library.call(m, global_("np.array", np.array), [data], {})
        case Array() | Number() | Other():
            pass
        case _:
            raise refusal(m, "what an object is made of, of which nothing is known")
    return stable(m, data, "made")


def called(m: Machine, args: list[Value], kwargs: Mapping[str, Value], node: Any) -> Value:
    """Call an object that is kept as what it is made of."""
    maker, *given = args
    assert isinstance(maker, Partial)
    made = library.call(m, lifting.to_data(m, maker.func).expr, list(maker.args), maker.kwargs)
    return library.called(m, made.expr, given, kwargs)
