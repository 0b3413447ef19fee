"""A loop that writes a whole history keeps its states itself: a schedule would copy all of it.

for t in range(n):
    u[t + 1] = u[t] + dt * f(u[t])
"""

from __future__ import annotations

from collections.abc import Callable

from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Assign, If, Loop, Stmt, Update, Var
from s2sad.legacy.traverse import defines, flat_targets, reads, statements


def writes_history(loop: Loop, fact: Callable[[Var], Fact]) -> bool:
    """Tell whether a loop writes nothing of an array but what its pass is the place of."""
    moving = _moving(loop)
    body = [stmt for stmt in statements(loop.body) if not isinstance(stmt, If | Loop)]
    for each in loop.carried:
        writes = [s for s in body if any(var.slot == each.head.slot for var in defines(s))]
        if fact(each.head).is_array and writes and all(_places(s, moving) for s in writes):
            return True
    return False


def _moving(loop: Loop) -> set[Var]:
    """Return the values that tell one pass from another: the loop's targets, and what they make."""
    moving = set(flat_targets(loop.targets))
    for stmt in statements(loop.body):
        if isinstance(stmt, Assign) and not moving.isdisjoint(reads(stmt.value)):
            moving |= {*stmt.targets}
    return moving


def _places(stmt: Stmt, moving: set[Var]) -> bool:
    if not isinstance(stmt, Update) or stmt.index is None:
        return False
    return not moving.isdisjoint(reads(stmt.index))
