"""What is found out about functions is remembered, as long as it holds.

It depends on the rules in force, so each memory has them in its key; and on what the function
reads outside of it (source/outside.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import lru_cache, wraps
from threading import local
from typing import Any, ParamSpec, TypeVar, cast

from s2sad.ir.errors import InternalError, S2sadError
from s2sad.legacy.reach import Costs, answered, question, refused
from s2sad.operators.in_force import added, times_renewed
from s2sad.source.outside import Same, state

P = ParamSpec("P")
T = TypeVar("T")

_asked = local()


def by_rules(
    size: int = 512, meanwhile: Callable[..., Any] | None = None
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Remember what is found out about a function, the first argument; that it is refused, too.

    It holds as long as the rules are the same, and all that the function reads outside of it.
    What is asked again while it is being found out is what `meanwhile` says, or a RecursionError.
    """

    def remembered(function: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=size)
        def kept(state: Any, args: Any, keywords: Any) -> tuple[Any, S2sadError | None, Costs]:
            with question() as costs:
                try:
                    return function(*args, **dict(keywords)), None, costs
                except InternalError:
                    raise
                except S2sadError as error:
                    refused(costs)
                    return None, _without_frames(error), costs

        @wraps(function)
        def called(*args: P.args, **keywords: P.kwargs) -> T:
            key = (
                (added(), times_renewed(), _state_of(args[0])),
                args,
                tuple(sorted(keywords.items())),
            )
            with _asking((function, *key)) as is_new:
                if not is_new:
                    return cast(T, _unanswered(meanwhile, *args, **keywords))
                found, refusal, costs = kept(*key)
                answered(costs)
            if refusal is not None:
                raise copy(refusal)  # one of its own each time: it is given a traceback
            return cast(T, found)

        return called

    return remembered


def _without_frames(error: S2sadError) -> S2sadError:
    """Return a refusal that can be kept: what was computed on the way to it is let go."""
    for each in (error, *error.problems):
        each.__traceback__ = each.__context__ = each.__cause__ = None
    return error


@contextmanager
def _asking(question: Any) -> Iterator[bool]:
    """Tell whether a question is none of those that this thread is just finding out about."""
    open_: set[Any] = _asked.__dict__.setdefault("questions", set())
    is_new = question not in open_
    open_.add(question)
    try:
        yield is_new
    finally:
        if is_new:
            open_.discard(question)
        if not open_:
            _asked.__dict__.pop("seen", None)


def _state_of(function: Any) -> tuple[Same, ...]:
    """Return what a function reads: looked at once while something is being found out."""
    return seen_once("states", function, state)


def _unanswered(meanwhile: Callable[..., Any] | None, *args: Any, **keywords: Any) -> Any:
    if meanwhile is None:
        raise RecursionError("what is asked of a function is just being found out")
    return meanwhile(*args, **keywords)


def seen_once(what: Any, value: Any, look: Callable[[Any], T]) -> T:
    """Return what is seen of an object: it is looked at once while something is being found out."""
    if not _asked.__dict__.get("questions"):
        return look(value)
    seen = _asked.__dict__.setdefault("seen", {})
    if (what, id(value)) not in seen:
        seen[what, id(value)] = value, look(value)  # held, so that no other has its id
    return cast(T, seen[what, id(value)][1])


def found_once(what: Any, value: Any, find: Callable[[Any], T]) -> T:
    """Return what is found out about an object, as `seen_once`; what it took counts each time."""

    def look(value: Any) -> tuple[T, Costs]:
        with question() as costs:
            return find(value), costs

    found, costs = seen_once(what, value, look)
    answered(costs)
    return found
