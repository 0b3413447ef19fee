"""What is put aside for the reverse sweep is copied only if its memory is written afterwards.

lap = np.zeros_like(u)
lap[1:-1] = u[2:] - u[:-2]          each pass has made its own array,
lap_saved.append(lap)        <-     which nothing writes any more
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2sad.legacy.homes import plain
from s2sad.legacy.memory import NOTHING, Inside, Old, Root
from s2sad.legacy.program import Var

if TYPE_CHECKING:
    from s2sad.legacy.checkpoint import Plan


def needs_copy(plan: Plan, var: Var) -> bool:
    """Tell whether the memory of a value may be written once it is saved: a reference won't do."""
    held = plan.roots.get(var, NOTHING)
    if var in plan.shapes:  # of a list that is its length
        return any(plain(root) in plan.length_writes for root in held)
    return any(_written_later(plan, var, root) for root in held)


def _written_later(plan: Plan, var: Var, root: Root) -> bool:
    """Tell whether memory may be written after `var` was made, in this pass or in later ones."""
    writes = plan.memory_writes.get(plain(root), ())
    if not isinstance(root, Var) or plan.memory_writes.get(Old(root)):
        return bool(writes)
    here = plan.homes[var]
    if root not in plan.homes or plan.homes[root].loops != here.loops:
        return bool(writes)
    return any(order > here.order for order in writes)


def items_written(plan: Plan, var: Var) -> bool:
    """Tell whether memory of what a list holds is written anywhere, as `rows[0][i] = e` does."""
    inside = [root for root in plan.roots.get(var, NOTHING) if isinstance(root, Inside)]
    return any(plan.memory_writes.get(plain(root)) for root in inside)
