"""Derivatives of the user's own: stopped, given by other functions, or looked at on their way.

s2sad.stop_gradient(x)                                  x, which counts as constant
with s2sad.no_grad(): ...                               what is computed inside is constant, too
s2sad.on_adjoint(x, clipped)                            x, whose adjoint goes through clipped
@s2sad.custom_derivative(reverse=solve_reverse)         solve_reverse is called in place of
def solve(A, b): ...                                    the derivative of solve
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import ArgumentError, S2sadError, Span, Unsupported
from s2sad.legacy.program import NONE, Call, Expr, Op, Ref
from s2sad.source.places import result_place, signature_place
from s2sad.source.text import signature_of, source_of
from s2sad.source.trees import nodes_of

MARK = "__s2sad_derivative__"
Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Custom:
    """The functions that stand for the derivative of another."""

    reverse: Any = None
    forward: Any = None


def stop_gradient(x: Any) -> Any:
    """Return x, which counts as constant where the function around is differentiated."""
    return x


def no_grad() -> AbstractContextManager[None]:
    """Return a context in which every value that is given a name counts as constant.

    with s2sad.no_grad():
        scale = np.max(np.abs(x))
    """
    return contextlib.nullcontext()


def on_adjoint(x: Any, hook: Function) -> Any:
    """Return x; in a reverse sweep the adjoint of x is what `hook` makes of it.

    A hook that returns nothing (print, an assertion) leaves the adjoint as it is.
    """
    return x


def custom_derivative(
    *, reverse: Function | None = None, forward: Function | None = None
) -> Callable[[Function], Function]:
    """Return a decorator that gives a function derivatives of its own.

    `reverse(*arguments, y, y_bar)` returns an adjoint for each parameter, as a tuple if there are
    several; each has the shape of its argument. `forward(*arguments, y, *tangents)` returns the
    tangent of the result y. The function itself stays what it is. Raises ArgumentError where the
    numbers of parameters, or of adjoints, do not fit.
    """
    if reverse is None and forward is None:
        raise ArgumentError(
            "custom_derivative needs reverse=, forward=, or both",
            hint="Write: @s2sad.custom_derivative(reverse=...).",
        )

    def mark(function: Function) -> Function:
        count = len(plain_parameters(function))
        check_count(reverse, count + 2, function, "y, y_bar", count)
        check_count(forward, 2 * count + 1, function, "y, tangents", count)
        if reverse is not None:
            _check_adjoints(reverse, count, function)
        setattr(function, MARK, Custom(reverse, forward))
        return function

    return mark


def name_of(given: Function, function: Function, kind: str) -> str:
    """Return what a text calls a derivative that a function was given, which may be a lambda."""
    name = str(given.__name__)
    return name if name.isidentifier() else f"{function.__name__}_{kind}"


def custom_of(function: object) -> Custom | None:
    """Return the derivatives that a function was given, if it was."""
    return getattr(function, MARK, None) if isinstance(function, FunctionType) else None


# ---------------------------------------------------------------------------- checks


def plain_parameters(function: object) -> list[str]:
    """Return the parameters of a function, all of which have a name."""
    if not isinstance(function, FunctionType):
        raise ArgumentError(
            f"{function!r} is not a Python function",
            hint="Write a function that calls it, and give that a derivative.",
        )
    parameters = signature_of(function).parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        raise ArgumentError(
            f"{function.__name__} takes *args or **kwargs, of which there is no one adjoint",
            signature_place(function),
            "Name its parameters.",
        )
    return [parameter.name for parameter in parameters]


def check_count(
    given: Function | None, wanted: int, function: Function, others: str, count: int
) -> None:
    """Refuse a derivative that does not take the arguments of its function, and `others`."""
    if given is None:
        return
    found, name = len(plain_parameters(given)), getattr(function, "__name__", repr(function))
    if found != wanted:
        raise ArgumentError(
            f"{given.__name__} takes {found} arguments, and the derivative of "
            f"{name} is called with {wanted}",
            signature_place(given),
            f"They are the {count} arguments of {name}, then {others}.",
        )


def _check_adjoints(reverse: Function, wanted: int, function: Function) -> None:
    """Refuse a reverse that surely gives another number of adjoints than there are parameters."""
    result = _result_of(reverse)
    if result is None:
        return  # then its number is seen where it is unpacked
    found = len(result.args) if isinstance(result, Op) and result.op == "tuple" else 1
    if found != wanted and (found > 1 or isinstance(result, Op)):
        raise ArgumentError(
            f"{reverse.__name__} gives {found} adjoints, and {function.__name__} has {wanted} "
            f"parameter{'s' * (wanted != 1)}",
            result_place(reverse),
            "Give one for each, None where there is none.",
        )


def _result_of(function: Function) -> Expr | None:
    """Return what a function returns, None where its text cannot be read."""
    # the modules of the first core find each other in this order
    from s2sad.legacy.facts import Fact  # isort: skip  # noqa: F401
    from s2sad.legacy.normalise import normalise  # which reads functions, as this does

    try:
        return normalise(function).result
    except (S2sadError, RecursionError):
        return None


def adjoints_left_out(reverse: Function, names: Sequence[str]) -> list[str]:
    """Return the parameters for which a reverse gives None."""
    result = _result_of(reverse)
    parts = result.args if isinstance(result, Op) and result.op == "tuple" else (result,)
    return [name for name, part in zip(names, parts, strict=False) if part == NONE]


# ---------------------------------------------------------------------------- in programs


# what a call of one of these gives is its first argument; in a region values are given to `no_grad`
MARKS = (stop_gradient, no_grad, on_adjoint)


def is_call_of(expr: Expr, function: Function) -> bool:
    """Tell whether an expression calls one of the functions of this module."""
    return isinstance(expr, Call) and isinstance(expr.func, Ref) and expr.func.value is function


def without_marks(expr: Expr) -> Expr:
    """Return what a call of `stop_gradient` or `on_adjoint` gives, without the call."""
    marked = any(is_call_of(expr, mark) for mark in MARKS)
    return expr.args[0] if marked and isinstance(expr, Call) else expr


def returns_nothing(hook: Expr, span: Span) -> bool:
    """Tell whether a hook only looks at an adjoint; refuse one that is not known."""
    if not (isinstance(hook, Ref) and callable(hook.value)):
        raise Unsupported(
            "the hook of on_adjoint is not known when the derivative is made",
            span,
            "Name a function of the module.",
        )
    if not isinstance(hook.value, FunctionType):
        return hook.value is print
    tree = source_of(hook.value).tree
    if isinstance(tree, gast.Lambda):
        return False
    own = [part for part in nodes_of(tree) if isinstance(part, gast.Return)]
    return not any(part.value is not None for part in own)


def checked_mark(call: Call, span: Span) -> None:
    """Refuse a mark that is not called as it is meant to be."""
    counts = {id(stop_gradient): 1, id(no_grad): 1, id(on_adjoint): 2}
    wanted = counts.get(id(getattr(call.func, "value", None)))
    if wanted and (len(call.args) != wanted or call.keywords):
        assert isinstance(call.func, Ref)
        raise Unsupported(
            f"{call.func.text} takes {wanted} argument{'s' * (wanted > 1)} by position",
            span,
            "Give them in their order, without names.",
        )
