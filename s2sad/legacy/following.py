"""Whether the functions that are called are followed: a library's may lead through too much code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sad.ir.errors import GoesFar, S2sadError, Span
from s2sad.legacy.program import Expr, Program
from s2sad.legacy.reach import TooFar, is_measured, measured
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.traverse import statements
from s2sad.source.installed import is_installed

Normalise = Callable[..., Program]

LARGE = 200  # statements, those of functions that are lowered in place as well


def goes_far(function: Any) -> bool:
    """Tell whether a function of a library's leads through more of its code than is followed.

    What is called on the way there counts for the function that was called first.
    """
    return is_installed(function) and not is_measured() and _goes_far(function)


@by_rules(meanwhile=lambda function: False)
def _goes_far(function: Any) -> bool:
    from s2sad.legacy.normalise import wide  # which imports this

    try:
        with measured():
            wide(function)
    except TooFar:
        return True
    except (S2sadError, RecursionError):
        pass
    return False


def followed(function: Any, normalise: Normalise) -> Program | None:
    """Return the Program of a called function, None where it cannot be read or goes too far."""
    try:
        return None if goes_far(function) else normalise(function)
    except (S2sadError, RecursionError):
        return None


def is_large(function: Any) -> bool:
    """Tell whether a function is so long that what is refused waits for the arguments of a call."""
    from s2sad.legacy.normalise import wide  # which imports this

    try:
        return sum(1 for _ in statements(wide(function, in_parts=True).body)) > LARGE
    except S2sadError:
        return False


def far(function: Any, where: Span) -> GoesFar:
    """Return the refusal of a call that leads too far."""
    return GoesFar(
        f"{_full_name(function)} leads through too much of its library to be followed",
        where,
        "Write out what it computes, or give it a derivative (s2sad.custom_derivative).",
    )


def _full_name(function: Any) -> str:
    root = (function.__module__ or "").partition(".")[0]
    return f"{root}.{function.__name__}" if root else function.__name__


def lowered(function: Any, lower: Callable[[], Expr], where: Span) -> Expr:
    """Return what a function gives whose lines are lowered here; a library's only so far."""
    if is_measured() or not is_installed(function):
        return lower()
    try:
        with measured():
            return lower()
    except TooFar:
        raise far(function, where) from None
