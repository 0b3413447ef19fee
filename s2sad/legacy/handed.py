"""Which of its arguments a Python function may give back, whole or in part, and what of its module.

def clipped(u, top):                     may give back u, never top
    return u if top > 0 else u[:1]
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import RLock
from typing import Any

from s2sad.legacy.facts import Fact
from s2sad.legacy.following import followed
from s2sad.legacy.memory import Known, Part, Root, spread, unknown
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import Program, Ref, Var
from s2sad.legacy.remembered import by_rules
from s2sad.source.installed import is_of_the_system

_LOCK = RLock()  # one thread at a time asks, so that another's question is not taken for a call
_RUNNING: set[Any] = set()


@dataclass(frozen=True, slots=True)
class Handed:
    """The memory that a result may share: of arguments and objects of the module, or of their items.

    `held` are parameters whose items it may hold where they are lists: `[*u]`, `u + v`, `u[::-1]`.
    """

    whole: frozenset[str | Ref] = frozenset()
    held: frozenset[str] = frozenset()


def handed_back(function: Any) -> Handed | None:
    """Return what of its arguments, and of its module, a function's result may share; None if not known."""
    with _LOCK:
        if function in _RUNNING:
            return None  # it calls itself
        _RUNNING.add(function)
        try:
            return _handed_back(function)
        finally:
            _RUNNING.discard(function)


@by_rules()
def _handed_back(function: Any) -> Handed | None:
    program = None if is_of_the_system(function) else followed(function, normalise)
    if program is None:
        return None
    found = _shared(program, unknown)
    own = frozenset(param.var for param in program.params)
    if any(not isinstance(root, Var | Ref) for root in found):
        return None
    names = frozenset(root.slot for root in found & own if isinstance(root, Var))
    objects = frozenset(root for root in found if isinstance(root, Ref))
    parts = (root.root for root in _shared(program, _a_list) if isinstance(root, Part))
    held = frozenset(root.slot for root in parts if isinstance(root, Var) and root in own)
    return Handed(names | objects, held - names)


def _shared(program: Program, fact: Known) -> frozenset[Root]:
    """Return the memory that the result of a function shares, where values are of this kind."""
    from s2sad.legacy.origins import shared_by_parts  # which asks this of the functions called
    from s2sad.legacy.storage import roots_of  # which asks this of the functions called

    return spread(shared_by_parts(program.result, roots_of(program, fact)))


def _a_list(var: Var) -> Fact:
    return Fact("list")
