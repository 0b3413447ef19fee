"""Derivatives that a function of the user's is given: other functions are called in their place.

@s2sad.custom_derivative(reverse=solve_reverse)         solve_reverse is called in place of
def solve(A, b): ...                                    the derivative of solve
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import ArgumentError, S2sadError
from s2sad.ir.records import dataclass
from s2sad.source.read import read, result_place, signature_of, signature_place
from s2sad.source.trees import nodes_of

MARK = "__s2sad_derivative__"
Function = Callable[..., Any]
_INNER = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


@dataclass(frozen=True, slots=True)
class Custom:
    """The functions that stand for the derivative of another."""

    reverse: Any = None
    forward: Any = None


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
    result = _returned(reverse)
    if result is None:
        return  # then its number is seen where it is unpacked
    found = len(result.elts) if isinstance(result, gast.Tuple) else 1
    if found != wanted and (found > 1 or not isinstance(result, gast.Name | gast.Call)):
        raise ArgumentError(
            f"{reverse.__name__} gives {found} adjoints, and {function.__name__} has {wanted} "
            f"parameter{'s' * (wanted != 1)}",
            result_place(reverse),
            "Give one for each, None where there is none.",
        )


def _returned(function: Function) -> Any:
    """Return the expression that a function returns, None where there are several or its text is not
    known."""
    try:
        tree = read(function).tree
    except S2sadError:
        return None
    found = [each.value for each in nodes_of(tree) if isinstance(each, gast.Return)]
    inner = [each for each in nodes_of(tree) if each is not tree and isinstance(each, _INNER)]
    if len(found) != 1 or inner or found[0] is None:
        return None
    starred = isinstance(found[0], gast.Tuple) and any(
        isinstance(part, gast.Starred) for part in found[0].elts
    )
    return None if starred else found[0]


def adjoints_left_out(reverse: Function, names: Sequence[str]) -> list[str]:
    """Return the parameters for which a reverse gives None."""
    result = _returned(reverse)
    parts = result.elts if isinstance(result, gast.Tuple) else [result]
    pairs = zip(names, parts, strict=False)
    return [n for n, part in pairs if isinstance(part, gast.Constant) and part.value is None]
