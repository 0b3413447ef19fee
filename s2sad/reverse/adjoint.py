"""The adjoint of a function: its statements with their reverse, as if nothing were lost."""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.analysis.activity import activity
from s2sad.analysis.fresh import Fresh
from s2sad.analysis.memory import Memory, returned
from s2sad.analysis.places import placed
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Role, Variable
from s2sad.ir.program import Function, Let
from s2sad.ir.types import Region, Site
from s2sad.reverse.calculus import Calculus
from s2sad.reverse.contribute import is_zero
from s2sad.reverse.control import turn_block
from s2sad.reverse.sweep import Adjoint, Step
from s2sad.reverse.world import Code, Rules, World


def adjoint(
    function: Function,
    wrt: tuple[Variable, ...],
    memory: Memory,
    regions: Mapping[Site, Region],
    calculus: Calculus,
    rules: Rules,
    with_seed: bool = False,
    with_value: bool = False,
) -> tuple[Adjoint, World]:
    """Return both sweeps of a structured function.

    The function returns a number; with a seed, whatever the seed is the adjoint of.
    """
    active = activity(function.body, memory, frozenset(wrt), regions)
    lets = {
        s.target: s
        for _, s in placed(function.body)
        if isinstance(s, Let) and isinstance(s.target, Variable)
    }
    fresh = Fresh.of(function)
    seed = fresh.variable("seed", Role.SAVED) if with_seed else None
    value = fresh.variable("value", Role.SAVED) if with_value else None
    world = World(memory, active, regions, calculus, rules, fresh, lets, seed, value)
    if returned(function) is None:
        raise NotYet("a function without a result", function.span)
    turned = turn_block(function.body, (), frozenset(), world)
    start = _result_step(wrt, turned.state, world)
    return Adjoint((start, *turned.steps), tuple(world.bar(v).data for v in wrt)), world


def _result_step(wrt: tuple[Variable, ...], state: frozenset[Variable], world: World) -> Step:
    """Return the step that lets the gradient of what does not matter be zero."""
    code = Code(world, set(state))
    for variable in wrt:
        if is_zero(variable, code):
            zeros = world.calculus.zeros_like(world.read(variable))
            code.emit(Let(world.bar(variable).data, zeros))
    return Step(old=tuple(code.lines))
