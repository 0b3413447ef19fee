"""The rules that users add: for the process, or while one derivative is made.

s2sad.register_rules(text)        all derivatives, those made before as well
s2sad.grad(f, rules=text)         this one, and the derivatives inside f

What is remembered of a function depends on them, so each memory has them in its key.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import RLock
from types import FunctionType
from typing import Any
from weakref import WeakSet

from s2sad.ir.records import dataclass

MARK = "__s2sad_copy_of__"


@dataclass(frozen=True, eq=False)
class Added:
    """Some rules that were added together; no two additions are equal."""

    rules: tuple[Any, ...]


_LOCK = RLock()
_local: ContextVar[tuple[Added, ...]] = ContextVar("rules of one derivative", default=())
_for_all: tuple[Added, ...] = ()
_times_renewed = 0
_watching: WeakSet[Any] = WeakSet()


def added() -> tuple[Added, ...]:
    """Return what is in force, the latest first: it is what wins."""
    return (*_local.get(), *_for_all)


@contextmanager
def using(rules: tuple[Added, ...]) -> Iterator[None]:
    """Have rules in force in this thread as well, before all others."""
    before = _local.get()
    token = _local.set((*rules, *(each for each in before if each not in rules)))
    try:
        yield
    finally:
        _local.reset(token)


def original(function: Any) -> Any:
    """Return the function of the user's of which one in emitted text is a copy."""
    return getattr(function, MARK, function) if isinstance(function, FunctionType) else function


# ---------------------------------------------------------------------------- for the process


def register(made: Added) -> None:
    """Put rules in force for the process; derivatives made before are derived again."""
    global _for_all
    with _LOCK:
        _for_all = (made, *_for_all)
    _forget()


def unregister(rules: tuple[Any, ...]) -> bool:
    """Take rules back; tell whether they were in force."""
    global _for_all
    gone = {id(rule) for rule in rules}
    with _LOCK:
        kept = [(each, [r for r in each.rules if id(r) not in gone]) for each in _for_all]
        changed = any(len(left) < len(each.rules) for each, left in kept)
        _for_all = tuple(
            each if len(left) == len(each.rules) else Added(tuple(left))
            for each, left in kept
            if left
        )
    _forget()
    return changed


def renew() -> None:
    """Let go of all that was found out: something that no key tells of is another by now."""
    global _times_renewed
    with _LOCK:
        _times_renewed += 1
    _forget()


def watch(derivative: Any) -> None:
    """Have `derivative.forget()` called whenever the rules of the process change."""
    with _LOCK:
        _watching.add(derivative)


def _forget() -> None:
    with _LOCK:
        watching = list(_watching)
    for derivative in watching:
        derivative.forget()
