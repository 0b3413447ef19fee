"""Rules for objects that were made before: an interpolant of a table, a polynomial.

    def piecewise(s: of(interpolate.PPoly), t, nu=0):
        y = s(t, nu)                                 table = CubicSpline(x, z)
        t_bar = y_bar * s(t, nu + 1)          ->     table(t)        table(t, 1)

A rule holds for what a class makes, and for what its subclasses make as long as they leave alone
what is called. Words on the parameter ask for more: `s: (of(...), one_row)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr

MISSING = object()


def held(expr: Expr) -> Any:
    """Return the object that an expression is in every run, MISSING where it is not known."""
    return MISSING if expr.known is None else expr.known.value


def is_object(function: Expr) -> bool:
    """Tell whether what is called is an object, and no function: those have names."""
    made = held(function)
    return made is not MISSING and callable(made) and not hasattr(made, "__name__")


def called_on(call: Expr) -> tuple[Expr, str]:
    """Return whose method a call is of, and which; `table.derivative()(t)` is one of table's."""
    function = call.args[0]
    if function.op == "attribute":
        return function.args[0], function.data
    return called_on(function) if function.op == "call" else (function, "__call__")


def is_made_by(classes: Mapping[str, tuple[type, ...]], pattern: Expr, call: Expr) -> bool:
    """Tell whether the object that an operation calls is as a pattern asks."""
    if pattern.op != "call" or call.op != "call":
        return True
    (asked, method), (owner, _) = called_on(pattern), called_on(call)
    if asked.op != "name":
        return True  # a function that is handed the object: its words tell
    named = asked.data.name
    if method == "__call__" or named in classes:
        return _does_as(held(owner), classes.get(named, ()), method)
    return True


def _does_as(made: Any, classes: tuple[type, ...], method: str) -> bool:
    """Tell whether an object has a method of one of these classes, and not one of its own."""
    if made is MISSING or method in getattr(made, "__dict__", ()):
        return False
    own = getattr(type(made), method, None)
    return any(isinstance(made, each) and own is getattr(each, method, None) for each in classes)


# ---------------------------------------------------------------------------- words

# where an interpolant or a polynomial holds its numbers; pieces have an axis more
_NUMBERS = ("coeffs", "coef", "y", "values", "c")


def _attribute(expr: Expr, named: str) -> Any:
    return getattr(held(expr), named, None)


def _numbers(expr: Expr) -> Any:
    found = (_attribute(expr, named) for named in _NUMBERS)
    return next((numbers for numbers in found if numbers is not None), None)


def _rows(expr: Expr) -> int:
    """Return how many axes there are beside those of the places; -1 where numbers are not real."""
    numbers = _numbers(expr)
    if numbers is None or np.asarray(numbers).dtype.kind not in "fiu":
        return -1
    if _attribute(expr, "c") is not None and _attribute(expr, "x") is not None:
        return np.ndim(numbers) - 2
    return np.ndim(numbers) - len(_attribute(expr, "grid") or "1")


def _is_straight(expr: Expr) -> bool:
    """Tell whether an interpolant is linear, along its last axis."""
    is_last = _attribute(expr, "axis") in (None, _rows(expr))
    return _kind(expr)[0] == "linear" and _rows(expr) >= 0 and is_last


def _kind(expr: Expr) -> tuple[str, int]:
    """Return how an interpolant goes from point to point, and the degree where that is a spline."""
    degree = getattr(_attribute(expr, "_spline"), "k", 0)
    return str(_attribute(expr, "_kind") or _attribute(expr, "method") or ""), degree


def _goes_on_or_raises(expr: Expr) -> bool:
    """Tell whether an interpolant fills in nothing beyond its ends."""
    bounds = _attribute(expr, "bounds_error")
    if _attribute(expr, "_kind") is not None:
        return bool(_attribute(expr, "_extrapolate") or bounds)
    return bool(bounds or _attribute(expr, "fill_value") is None)


def _is_surface(expr: Expr) -> bool:
    is_smooth = _kind(expr)[0] in ("slinear", "cubic", "quintic")
    return is_smooth and len(_attribute(expr, "grid") or ()) == 2 and _goes_on_or_raises(expr)


WORDS: Mapping[str, Callable[[Expr], bool]] = {
    "one_row": lambda expr: _rows(expr) == 0,
    "several_rows": lambda expr: _rows(expr) > 0,
    "straight": lambda expr: _is_straight(expr) and _goes_on_or_raises(expr),
    "straight_filled": lambda expr: _is_straight(expr) and not _goes_on_or_raises(expr),
    "cubic": lambda expr: _kind(expr) == ("spline", 3) and _goes_on_or_raises(expr),
    "splines": _is_surface,
    "smooth": lambda expr: min(_attribute(expr, "degrees") or (0,)) > 2,
    "rough": lambda expr: min(_attribute(expr, "degrees") or (3,)) < 3,
    "free_ends": lambda expr: _attribute(expr, "ext") in (0, 1, 2),  # 3 holds the last value
    "steps": lambda expr: _kind(expr)[0] in ("nearest", "nearest-up", "previous", "next"),
}
