"""Of an array that a loop writes in place, the elements that are read are saved, not the whole.

for i in range(1, n - 1):                 for i in range(1, n - 1):
    u_saved.append(u.copy())       ->         u_saved.append(u[i])
    u[i] = f[i] * u[i] ** 2                   u[i] = f[i] * u[i] ** 2

That is so where the pass that saves the array reads nothing of it but elements, or rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from s2sad.legacy.aside import needs_copy
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Expr, Op, Var
from s2sad.legacy.traverse import expressions, reads, statements, value_reads

if TYPE_CHECKING:
    from s2sad.legacy.checkpoint import Plan


def elements_saved(plan: Plan, result: Expr) -> frozenset[Var]:
    """Return the elements that are to be saved instead of arrays for which it was decided so."""
    found: set[Var] = set()
    taken = {var: tuple(_taken_from(plan, var)) for var in _computed_again(plan)}
    read = set(reads(result))
    for stmt in statements(plan.sweep):
        read |= {var for expr in expressions(stmt) for var in value_reads(expr)}
    for owner in _arrays_saved(plan):
        readers = [var for var, owners in taken.items() if owner in owners]
        if owner not in read and all(_is_part(plan, var, owner) for var in readers):
            found.update(readers)
    return frozenset(found)


def _arrays_saved(plan: Plan) -> Iterator[Var]:
    """Yield the arrays and lists that are copied in each pass."""
    for var, decision in plan.decisions.items():
        if decision.how == "saved" and var not in plan.whole:
            if plan.fact(var).kind in ("array", "list") and needs_copy(plan, var):
                yield var


def _computed_again(plan: Plan) -> Iterator[Var]:
    return (var for var, decision in plan.decisions.items() if decision.how == "recomputed")


def _taken_from(plan: Plan, var: Var) -> Iterator[Var]:
    """Yield what a value is computed again from; of a list its length may be."""
    from s2sad.legacy.checkpoint import recompute_as

    value = recompute_as(plan, var)
    if value is None:
        return
    for owner in reads(value):
        if plan.fact(owner).kind == "list" or owner in value_reads(value):
            yield owner


def _is_part(plan: Plan, var: Var, owner: Var) -> bool:
    """Tell whether a value is an element or a row of an array, read in the pass that saves it.

    Or another number that is computed of it: a test, a length.
    """
    from s2sad.legacy.checkpoint import recompute_as

    value, fact, whole = recompute_as(plan, var), plan.fact(var), plan.fact(owner)
    mine, its = plan.homes[var].loops, plan.homes[owner].loops
    if fact.is_scalar and mine == its:
        return True
    if not isinstance(value, Op) or value.op != "index" or value.args[0] != owner:
        return False
    if owner in value_reads(value.args[1]) or mine[: len(its)] != its:
        return False
    if mine != its:  # a row in each pass takes less than the whole
        return fact.is_scalar and len(mine) - len(its) < _axes(whole)
    fewer = fact.is_array and fact.rank is not None and whole.rank is not None
    return fact.is_scalar or (fewer and fact.rank < whole.rank)  # type: ignore[operator]


def _axes(whole: Fact) -> int:
    """Return how many subscripts lead to the numbers that an array or a list of lists holds."""
    if whole.kind == "list" and len(whole.items) == 1:
        return 1 + _axes(whole.items[0])
    return whole.rank or 0
