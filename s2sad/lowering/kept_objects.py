"""Objects of libraries whose calls are lowered as their twins: kept as what they are made of.

spline = CubicSpline(t, x)     x_made = x.copy(), since x may be overwritten
spline(0.5)                    CubicSpline(t_made, x_made)(0.5), whose twin is lowered
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, global_
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric, Other, Reference, Tuple
from s2sad.lowering import library, twins
from s2sad.lowering.machine import Machine, refusal, stable
from s2sad.lowering.values import Code, Data, Partial, Tup, Value, literal, made_again
from s2sad.operators.effects import is_computing
from s2sad.operators.heads import head_of
from s2sad.types import shares

CALLED = "__call__"


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


def called(m: Machine, args: list[Value], kwargs: Mapping[str, Value], node: Any) -> Value:
    """Call an object that is kept as what it is made of, or a method of it."""
    maker, word, *given = args
    made = _made(m, maker)
    named = word.known.value if isinstance(word, Data) and word.known is not None else CALLED
    if named == CALLED:
        return twins.call_library(m, made.expr, given, kwargs)
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
