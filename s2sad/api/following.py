"""Functions of libraries are lowered like the user's, where no rule answers for them.

follow(fault, context)                 from now on the lines of the function are lowered
with at_call_of_library(context): ...  what cannot be done in them is told of the user's call
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from s2sad.ir.errors import NotYet, Unfollowed
from s2sad.source.owners import is_own_file
from s2sad.types import Context


def follow(fault: Unfollowed, context: Context) -> None:
    """Have the lines of a function lowered, or raise what asked for it again."""
    if fault.function in context.followed:
        raise fault
    context.followed[fault.function] = fault


@contextmanager
def at_call_of_library(context: Context) -> Iterator[None]:
    """Tell of the user's call what cannot be done in the lines of a library that it leads to."""
    try:
        yield
    except Unfollowed:
        raise
    except NotYet as fault:
        calls = [each for each in context.followed.values() if _is_users(each)]
        if not calls or _is_users(fault):
            raise
        raise calls[0] from None


def _is_users(fault: Exception) -> bool:
    """Tell whether a fault stands in a file of the user's."""
    span = getattr(fault, "span", None)
    return span is None or is_own_file(span.path)
