"""A user's mistake is told in fifteen lines at most: his own lines, and the message.

Traceback (most recent call last):
  File "model.py", line 9, in <module>
    s2sad.grad(f)
  File ".../s2sad/api/display/short.py", line 48, in called
    raise shortened(error) from None
s2sad.ir.errors.NoRule: numpy.union1d has no derivative rule
  File "model.py", line 5, in f
    ...

What lies between is left out; S2SAD_FULL_TRACEBACK=1 shows it.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

from s2sad.ir.errors import FULL, InternalError, S2sadError

# lines of a message; those around it in a traceback are not more than six
MOST = 9

P = ParamSpec("P")
T = TypeVar("T")


def short(function: Callable[P, T]) -> Callable[P, T]:
    """Return a public function whose errors do not show what it calls."""

    @functools.wraps(function)
    def called(*args: P.args, **keywords: P.kwargs) -> T:
        try:
            return function(*args, **keywords)
        except S2sadError as error:
            if is_full(error):
                raise
            raise shortened(error) from None

    return called


_WHOLE: ContextVar[bool] = ContextVar("errors are told whole", default=False)


@contextmanager
def whole_errors() -> Iterator[None]:
    """Have errors told whole, as the command line does: it shows no traceback."""
    token = _WHOLE.set(True)
    try:
        yield
    finally:
        _WHOLE.reset(token)


def is_full(error: BaseException) -> bool:
    """Tell whether an error is shown with all that lies between: a mistake of s2sad's always is."""
    return _WHOLE.get() or bool(os.environ.get(FULL)) or isinstance(error, InternalError)


def shortened(error: S2sadError) -> S2sadError:
    """Return an error without the frames that it went through, its text cut to what fits."""
    error.args = (cut(error),)
    return error.with_traceback(None)


def cut(error: S2sadError) -> str:
    """Return the text of an error: of several problems the first whole, of others a line each."""
    whole = str(error)
    if len(whole.splitlines()) <= MOST or len(error.problems) < 2:
        return "\n".join(_fitting(whole.splitlines()))
    first, *others = error.problems
    lines = str(first).splitlines()
    room = max(1, MOST - len(lines) - 1)
    told = [f"line {each.span.line if each.span else '?'}: {each.problem}" for each in others]
    left = len(told) - room
    more = [f"and {left} more: error.problems has them all"] if left > 0 else []
    return "\n".join([*lines, *told[:room], *more])


def _fitting(lines: list[str]) -> list[str]:
    """Return lines, without those in the middle where they are too many."""
    if len(lines) <= MOST:
        return lines
    return [*lines[: MOST - 2], "  ...", lines[-1]]
