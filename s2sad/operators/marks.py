"""What users write about values on their way: it is run as it stands, and read when differentiated.

s2sad.stop_gradient(x)                  x, which counts as constant
with s2sad.no_grad(): ...               what is computed inside is constant, too
s2sad.on_adjoint(x, clipped)            x, whose adjoint goes through clipped
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from s2sad.ir.expression import Expr, call, calls, global_
from s2sad.ir.types import Code

Function = Callable[..., Any]
# what derivatives, and the functions that make them, say of themselves: see the lowering
DERIVES = "__s2sad_derives__"


def stop_gradient(x: Any) -> Any:
    """Return x, which counts as constant where the function around is differentiated.

    Example:
        >>> def scaled(x):
        ...     return np.sum(x / s2sad.stop_gradient(np.max(x)))
        >>> s2sad.grad(scaled)(np.array([1.0, 4.0]))
        array([0.25, 0.25])
    """
    return x


def no_grad() -> AbstractContextManager[None]:
    """Return a context in which every value that is given a name counts as constant.

    with s2sad.no_grad():
        scale = np.max(np.abs(x))

    Example:
        >>> def scaled(x):
        ...     with s2sad.no_grad():
        ...         largest = np.max(x)
        ...     return np.sum(x / largest)
        >>> s2sad.grad(scaled)(np.array([1.0, 4.0]))
        array([0.25, 0.25])
    """
    return contextlib.nullcontext()


def on_adjoint(x: Any, hook: Function) -> Any:
    """Return x; in a reverse sweep the adjoint of x is what `hook` makes of it.

    A hook that returns nothing (print, an assertion) leaves the adjoint as it is.

    Example:
        >>> def doubled(x_bar):
        ...     return 2.0 * x_bar
        >>> def energy(x):
        ...     return np.sum(s2sad.on_adjoint(x, doubled) ** 2)
        >>> s2sad.grad(energy)(np.array([1.0, 3.0]))
        array([ 4., 12.])
    """
    return x


MARKS = (stop_gradient, on_adjoint)


def _calls(expr: Expr, function: Any) -> bool:
    return calls(expr, function) and len(expr.args) > 1


def is_stopped(expr: Expr) -> bool:
    """Tell whether an expression is a value that counts as constant."""
    return _calls(expr, stop_gradient)


def is_hooked(expr: Expr) -> bool:
    """Tell whether an expression is a value whose adjoint goes through a hook."""
    return _calls(expr, on_adjoint)


def is_marked(expr: Expr) -> bool:
    """Tell whether an expression is a value with a mark."""
    return expr.op == "call" and any(_calls(expr, mark) for mark in MARKS)


def stopped(expr: Expr) -> Expr:
    """Return a value that counts as constant."""
    head = global_("s2sad.stop_gradient", stop_gradient).typed(Code(stop_gradient))
    return call(head, expr, type_=expr.type).at(expr.span)


def hooked(expr: Expr, hook: Expr) -> Expr:
    """Return a value whose adjoint goes through a hook."""
    head = global_("s2sad.on_adjoint", on_adjoint).typed(Code(on_adjoint))
    return call(head, expr, hook, type_=expr.type).at(expr.span)


def without_mark(expr: Expr) -> Expr | None:
    """Return the value that a mark is on; None of what is no call of a mark."""
    return expr.args[1] if is_marked(expr) else None


def of_one_kind(value: Any) -> Any:
    """Return a value that is a float in every run, or in none: NumPy takes the first for all."""
    return value
