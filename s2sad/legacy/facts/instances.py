"""What is known of what objects give that were made before: interpolants, polynomials.

table(t)     with table a CubicSpline of one row, t (n,)    ->    float64 array (n,)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad.legacy.facts.binding import as_array
from s2sad.legacy.facts.context import Context, broadcast_of
from s2sad.legacy.facts.elementwise import elementwise, may_have_shape
from s2sad.legacy.facts.fact import UNKNOWN, Fact, array
from s2sad.legacy.instances import WORDS, called_on, does_as, dtype_held
from s2sad.legacy.program import Call, Const, Expr, Ref
from s2sad.source.optional import imported

POLYNOMIALS = (np.poly1d, np.polynomial._polybase.ABCPolyBase)
CURVES = ("PPoly", "BSpline", "UnivariateSpline", "interp1d")
WHOLE = ("integrate", "integral")  # methods that give one number
SURFACES = ("BivariateSpline",)


def given_by(call: Call, fact_of: Callable[[Expr, Context], Fact], ctx: Context) -> Fact:
    """Return what the call of an object gives, or that of what one of its methods gives."""
    owner, method = called_on(call)
    if not isinstance(owner, Ref) or not call.args or method in WHOLE:
        return UNKNOWN
    wide = _is_surface(owner, method, call)
    operands = call.args[:2] if wide else call.args[:1]
    facts = [as_array(arg, fact_of(arg, ctx), ctx) for arg in operands]
    if not all(map(may_have_shape, facts)):
        return UNKNOWN
    doubles = dtype_held(owner) in ("float64", "") or facts[0].dtype == "float64"
    dtype = "float64" if doubles else ""  # of integers a polynomial gives integers
    if does_as(owner, POLYNOMIALS, method) and WORDS["one_row"](owner, None):
        return elementwise(ctx, facts, dtype)
    if wide or (does_as(owner, _named(CURVES), method) and WORDS["one_row"](owner, None)):
        return array(dtype, broadcast_of(ctx, [fact.shape for fact in facts]))
    return UNKNOWN


def _is_surface(owner: Ref, method: str, call: Call) -> bool:
    """Tell whether a surface is asked for its heights at places, not on a grid."""
    apart = method == "ev" or dict(call.keywords).get("grid") == Const(False)
    return apart and len(call.args) > 1 and does_as(owner, _named(SURFACES), method)


def _named(classes: tuple[str, ...]) -> tuple[Any, ...]:
    interpolate = imported().get("interpolate")
    return tuple(getattr(interpolate, each) for each in classes if hasattr(interpolate, each))
