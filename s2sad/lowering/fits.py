"""Curves that are fitted: half the squares of what a model misses are as small as they can be.

p, _ = curve_fit(model, t, z)      p = model_misfit_minimum(curve_fit(model, t, z)[0], t, z)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from s2sad.ir.errors import NoRule
from s2sad.ir.expression import Expr
from s2sad.ir.types import Array, Length, Number, Type
from s2sad.lowering import custom, library, made_for_solvers
from s2sad.lowering.machine import Machine, refusal, stable
from s2sad.lowering.made_for_solvers import Given
from s2sad.lowering.typing import typed
from s2sad.lowering.values import Closure, Code, Data, Tup, Value, literal
from s2sad.scipy.texts import made as texts

FLOAT = Number("float64")


def model(m: Machine, bound: Mapping[str, Value]) -> tuple[Given, int]:
    """Return the model of a curve as a function of the program, and how many parameters it has."""
    function = bound["f"]
    count = _count(m, function, bound.get("p0"))
    places = library.handed_over(m, bound["xdata"])
    first: list[Type] = [places.type, *([FLOAT] * count)]
    given = made_for_solvers.given(m, function, "model", first, [])
    if given.free:
        raise refusal(m, f"{given.name}, which is fitted and reads what is around it")
    return given, count


def _count(m: Machine, function: Value, start: Value | None) -> int:
    """Return how many parameters are fitted."""
    if isinstance(function, Closure) and function.node.args.vararg is None:
        spec = function.node.args
        return len((*spec.posonlyargs, *spec.args)) - 1
    if start is None:
        raise refusal(m, "a fit of a number of parameters that is not known")
    return len(m.parts_of(start))


def misfit(m: Machine, given: Given, count: int, data: Sequence[Data]) -> Given:
    """Return half the squares of what a model misses: a function of parameters and data."""
    words = ("xdata", "ydata", "sigma")
    p = custom.named("p", Array("float64", (Length((), count),)))
    bound: dict[str, Value] = {"f": Code(given), "p": p}
    bound |= {word: custom.named(word, each.type) for word, each in zip(words, data, strict=False)}
    text = texts.misfit if len(data) == 2 else texts.weighted_misfit
    found = made_for_solvers.lowered(m, text, f"{given.name}_misfit", bound)
    handed = tuple(each.expr for each in data)
    return Given(found.name, made_for_solvers.result_of(found), 1, handed)


def numbers(m: Machine, args: Sequence[Value]) -> Value:
    """Return the numbers in a vector of known length, as a tuple."""
    (vector,) = args
    assert isinstance(vector, Data) and isinstance(vector.type, Array)
    (length,) = vector.type.lengths
    assert length is not None
    places = (literal(k).expr for k in range(length.constant))
    return Tup(tuple(Data(typed(m, Expr("subscript", (vector.expr, k)))) for k in places))


def data_of(m: Machine, bound: Mapping[str, Value]) -> list[Data]:
    """Return what a curve is fitted to, each under a name."""
    found = []
    for word in ("xdata", "ydata", "sigma"):
        value = bound.get(word)
        if value is None or (isinstance(value, Data) and value.expr.op == "constant"):
            continue
        held = stable(m, library.handed_over(m, value), word)
        if not isinstance(held, Data) or not isinstance(held.type, Array):
            raise refusal(m, "a curve that is fitted to what is no array")
        if word == "sigma" and len(held.type.lengths) != 1:
            raise refusal(m, "sigma as a matrix, which is differentiated as standard deviations")
        found.append(held)
    return found


def covariance_refused(span: Any) -> NoRule:
    """Return the refusal of the covariance of a fit, which has no derivative."""
    return NoRule(
        "the covariance that scipy.optimize.curve_fit gives has no derivative",
        span,
        "Stop it: s2sad.stop_gradient(covariance), or compute it from the Jacobian.",
    )
