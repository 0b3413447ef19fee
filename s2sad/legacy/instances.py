"""Rules for objects that were made before: an interpolant of a table, a polynomial.

    def piecewise(s: of(interpolate.PPoly), t, nu=0):
        y = s(t, nu)                                 table = CubicSpline(x, z)
        t_bar = y_bar * s(t, nu + 1)          ->     table(t)        table(t, 1)

A rule holds for what a class makes, and for what its subclasses make as long as they leave alone
what is called. Words on the parameter ask for more: `s: (of(...), one_row)`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from s2sad.legacy.program import Attr, Call, Expr, Ref, Var

OF = "of"  # the word of an annotation that names classes
CALLED = ("called", "")  # what patterns that call a parameter are looked up by


def classes_in(note: ast.expr | None) -> Iterator[ast.expr]:
    """Yield the names of the classes that an annotation asks for."""
    match note:
        case ast.Call(func=ast.Name(id=word), args=args) if word == OF:
            yield from args
        case ast.Tuple(elts=parts):
            for part in parts:
                yield from classes_in(part)


def is_instance(func: Expr) -> bool:
    """Tell whether what is called is an object, and no function: those have names."""
    return isinstance(func, Ref) and callable(func.value) and not hasattr(func.value, "__name__")


def called_on(value: Expr) -> tuple[Expr, str]:
    """Return whose method an operation calls, and which; `table.derivative()(t)` is one of table's."""
    match value:
        case Call(Attr(owner, method)):
            return owner, method
        case Call(Call() as made):
            return called_on(made)
        case Call(func):
            return func, "__call__"
    return value, ""


def is_made_by(classes: Mapping[str, tuple[type, ...]], pattern: Expr, value: Expr) -> bool:
    """Tell whether the object that an operation calls is as a pattern asks."""
    (asked, method), (owner, _) = called_on(pattern), called_on(value)
    if not isinstance(asked, Var):
        return True  # a function that is given the object: its words tell
    if method == "__call__" or asked.slot in classes:
        return does_as(owner, classes.get(asked.slot, ()), method)
    return True


def does_as(owner: Expr, classes: tuple[type, ...], method: str) -> bool:
    """Tell whether an object has a method of one of these classes, and not one of its own."""
    if not isinstance(owner, Ref) or method in getattr(owner.value, "__dict__", ()):
        return False
    own = getattr(type(owner.value), method, None)
    return any(
        isinstance(owner.value, each) and own is getattr(each, method, None) for each in classes
    )


# ---------------------------------------------------------------------------- words

# where an interpolant or a polynomial holds its numbers; pieces have an axis more
_NUMBERS = ("coeffs", "coef", "y", "values", "c")


def dtype_held(expr: Expr) -> str:
    """Return the dtype of the numbers that an object holds, '' where it shows none."""
    numbers = _numbers(expr)
    return "" if numbers is None else str(np.asarray(numbers).dtype)


def _numbers(expr: Expr) -> Any:
    return next((x for name in _NUMBERS if (x := _held(expr, name)) is not None), None)


def _rows(expr: Expr) -> int:
    """Return how many axes there are beside those of the places; -1 where numbers are not real."""
    numbers = _numbers(expr)
    if numbers is None or np.asarray(numbers).dtype.kind not in "fiu":
        return -1
    pieces = _held(expr, "c") is not None and _held(expr, "x") is not None
    return np.ndim(numbers) - (2 if pieces else len(_held(expr, "grid") or "1"))


def _held(expr: Expr, name: str) -> Any:
    return getattr(expr.value, name, None) if isinstance(expr, Ref) else None


def _is_straight(expr: Expr) -> bool:
    """Tell whether an interpolant is linear, from one value or row along the last axis to the next."""
    last = _held(expr, "axis") in (None, _rows(expr))
    return _kind(expr)[0] == "linear" and _rows(expr) >= 0 and last


def _kind(expr: Expr) -> tuple[str, int]:
    """Return how an interpolant goes from point to point, and the degree where that is a spline."""
    spline = getattr(_held(expr, "_spline"), "k", 0)
    return str(_held(expr, "_kind") or _held(expr, "method") or ""), spline


def _ends(expr: Expr) -> bool:
    """Tell whether an interpolant goes on beyond its ends, or raises: nothing is filled in."""
    if _held(expr, "_kind") is not None:
        return bool(_held(expr, "_extrapolate") or _held(expr, "bounds_error"))
    return bool(_held(expr, "bounds_error") or _held(expr, "fill_value") is None)


WORDS: Mapping[str, Callable[[Expr, Any], bool]] = {
    "one_row": lambda expr, fact: _rows(expr) == 0,
    "several_rows": lambda expr, fact: _rows(expr) > 0,
    "straight": lambda expr, fact: _is_straight(expr) and _ends(expr),
    "straight_filled": lambda expr, fact: _is_straight(expr) and not _ends(expr),
    "cubic": lambda expr, fact: _kind(expr) == ("spline", 3) and _ends(expr),
    "splines": lambda expr, fact: (
        _kind(expr)[0] in ("slinear", "cubic", "quintic")
        and len(_held(expr, "grid") or ()) == 2
        and _ends(expr)
    ),
    "smooth": lambda expr, fact: min(_held(expr, "degrees") or (0,)) > 2,
    "rough": lambda expr, fact: min(_held(expr, "degrees") or (3,)) < 3,
    "free_ends": lambda expr, fact: _held(expr, "ext") in (0, 1, 2),  # 3 holds the last value
    "steps": lambda expr, fact: _kind(expr)[0] in ("nearest", "nearest-up", "previous", "next"),
}
