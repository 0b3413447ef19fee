"""Which of its arguments a Python function may give back, whole or in part, and what of its module.

def clipped(u, top):                     may give back u, never top
    return u if top > 0 else u[:1]
"""

from __future__ import annotations

from threading import RLock
from typing import Any

from s2sad.added import by_rules
from s2sad.following import followed
from s2sad.installed import is_of_the_system
from s2sad.memory import spread
from s2sad.normalise import normalise
from s2sad.program import Ref, Var

_LOCK = RLock()  # one thread at a time asks, so that another's question is not taken for a call
_RUNNING: set[Any] = set()


def handed_back(function: Any) -> frozenset[str | Ref] | None:
    """Return the parameters, and the objects of the module, whose memory a function's result may share.

    None if that is not known.
    """
    with _LOCK:
        if function in _RUNNING:
            return None  # it calls itself
        _RUNNING.add(function)
        try:
            return _handed_back(function)
        finally:
            _RUNNING.discard(function)


@by_rules()
def _handed_back(function: Any) -> frozenset[str | Ref] | None:
    from s2sad.origins import shared_by_parts  # which asks this of the functions called
    from s2sad.storage import roots_of  # which asks this of the functions called

    program = None if is_of_the_system(function) else followed(function, normalise)
    if program is None:
        return None
    found = spread(shared_by_parts(program.result, roots_of(program)))
    own = frozenset(param.var for param in program.params)
    if any(not isinstance(root, Var | Ref) for root in found):
        return None
    names = frozenset(root.slot for root in found & own if isinstance(root, Var))
    return names | frozenset(root for root in found if isinstance(root, Ref))
