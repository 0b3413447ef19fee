"""To be recorded: for each value that the reverse sweep needs, how it is had again.

    x = x + f(x)        the old x is needed and lost here: saved before the statement
    a = abs(r[k])       of one pass: had again from r, which is still there
    u[k] = c            the old element is needed: saved before the store

A walk over the forward sweep, from its start to its end, with what the reverse of the statements
so far needs: what is not lost by the end is still there.
"""

from __future__ import annotations

from s2sad.analysis.memory import Memory
from s2sad.checkpoint.alternatives import ALTERNATIVES
from s2sad.checkpoint.indexed import Index, owners_of
from s2sad.checkpoint.needs import NOTHING, Forward, forward_variables, of_one_shape
from s2sad.checkpoint.planner import Cost, Plan, Planner, Point, Restoration, demands
from s2sad.checkpoint.recomputation import choose
from s2sad.checkpoint.to_be_recorded import needed_after
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Variable
from s2sad.reverse.sweep import Steps, walk

MOST_ROUNDS = 30


def plan(steps: Steps, memory: Memory, parameters: tuple[Variable, ...], cost: Cost) -> Plan:
    """Decide how each value that the reverse sweep needs is had again."""
    every = (step.statement for _, step in walk(steps) if step.statement is not None)
    alike = of_one_shape(every, parameters)
    forward = Forward(memory, forward_variables(steps, parameters), alike)
    index = Index(steps, forward, owners_of(steps, forward, parameters))
    planner = _planned(Planner(index, forward, cost, demands(index, forward)))
    for candidates, is_better in ALTERNATIVES:
        for variable in candidates(planner):
            other = _planned(planner.saving_too({variable}))
            planner = other if is_better(other, planner, variable) else planner
    again: dict[Point, list[Restoration]] = {}
    for restoration, point in planner.again.values():
        again.setdefault(point, []).append(restoration)
    ordered = {
        p: tuple(sorted(r, key=lambda x: (x.order, str(x.variable)))) for p, r in again.items()
    }
    lost = {p: tuple(sorted(v, key=str)) for p, v in planner.lost.items()}
    overwritten, inverted = frozenset(planner.overwritten), frozenset(planner.inverted)
    return Plan(forward, lost, overwritten, inverted, ordered)


def _planned(planner: Planner) -> Planner:
    """Return a planner for which nothing is saved that only what is saved itself would read."""
    planner = _settled(planner)
    given_up = _given_up(planner)
    if not given_up:
        return planner
    return _settled(planner.saving_too(given_up))


def _given_up(planner: Planner) -> set[Variable]:
    """Return what was to be had again at first, and is saved after all."""
    return planner.tried.intersection(planner.saved_in_passes())


def _settled(planner: Planner) -> Planner:
    """Return a planner after rounds in which what is had again is found, with what that needs."""
    before: object = None
    for _ in range(MOST_ROUNDS):
        planner.lost, planner.ends, planner.heads = {}, {}, {}
        needed_after(planner, planner.index.steps, NOTHING, ())
        choose(planner)
        now = (
            dict(planner.again),
            dict(planner.extra),
            dict(planner.lost),
            set(planner.overwritten),
            set(planner.inverted),
        )
        if now == before:
            return planner
        before = now
    raise NotYet("a function of so many loops in each other")
