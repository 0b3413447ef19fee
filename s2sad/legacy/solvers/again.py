"""Flows differentiated again: the printed derivatives of a flow are flows of state and tangent.

z = (y, m)    z' = (f(y, k), f_y m + f_k k_dot)    m is the tangent of y along m(0) and k_dot

What is pulled back to p = (y0, k) moves along v as the adjoint of y in the flow z does, where m is
the tangent along v: the derivative of <y_bar, J(p) v> is taken with respect to p.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from s2sad.legacy.activity import flow
from s2sad.legacy.facts import UNKNOWN
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.refusals import not_differentiated
from s2sad.legacy.solvers import flows
from s2sad.legacy.solvers.derived import both_of
from s2sad.legacy.solvers.task import Task
from s2sad.legacy.solvers.work import Work, known
from s2sad.legacy.templating import OF_FLOWS, printed_name

# what is said to the flow of state and tangent: its Jacobian is another, its times are given
HANDED = ("fun", "func", "pull", "push", "args", "wrt", "y_bar", "y0_dot", "arg_dots")
KEPT = ("y0", "t", "t_span", "t_eval", "method", "rtol", "atol", "tfirst")
STACK = Ref("np.hstack", np.hstack)
JOIN = Ref("np.concatenate", np.concatenate)
SPLIT = Ref("np.split", np.split)
ZEROS = Ref("np.zeros_like", np.zeros_like)
Pairs = list[tuple[Var, Expr]]
Own = list[tuple[Expr, Expr]]


@dataclass(frozen=True, slots=True)
class Again:
    """A call of a printed derivative of a flow, with respect to which arguments.

    `given` is what it is handed last: the adjoint of the states, or the tangents of the start and of
    the arguments.
    """

    task: Task
    wrt: tuple[str, ...]
    given: tuple[Expr, ...]

    @property
    def is_ahead(self) -> bool:
        """Tell whether it is the tangent of the states, not the adjoints of what they come from."""
        return len(self.given) > 1

    @property
    def y0_dot(self) -> Expr:
        """Return the tangent of the start."""
        return self.given[0]

    @property
    def dots(self) -> dict[str, Expr]:
        """Return the tangents of the arguments that move."""
        assert isinstance(self.given[1], Op)
        pairs = zip(self.task.later, self.given[1].args, strict=True)
        return {name: dot for name, dot in pairs if dot != NONE}


def again_of(value: Expr) -> Again | None:
    """Return what a call of a printed derivative of a flow is; None of anything else."""
    if not (isinstance(value, Call) and isinstance(value.func, Ref)):
        return None
    name = printed_name(value.func.value)
    if name not in OF_FLOWS:
        return None
    signature = inspect.signature(value.func.value)
    bound = dict(signature.bind(*value.args, **dict(value.keywords)).arguments)
    bound |= bound.pop("how", {})
    solver = f"integrate.{'solve_ivp' if name.startswith('_solve_ivp') else 'odeint'}"
    function, args = bound.get("fun", bound.get("func")), bound["args"]
    if not isinstance(function, Ref) or not isinstance(args, Op):
        return None
    call = Call(known(f"scipy.{solver}", sys.modules["scipy.integrate"]), ())
    given = {key: each for key, each in bound.items() if key not in HANDED}
    task = Task(solver, call, function, args.args, given)
    wrt = tuple(task.later[each.value] for each in bound.get("wrt", Op("tuple", ())).args)
    last = ("y0_dot", "arg_dots") if name.endswith("_ahead") else ("y_bar",)
    return Again(task, wrt, tuple(bound[key] for key in last))


# ---------------------------------------------------------------------------- reverse


def back(work: Work, again: Again, seeds: Sequence[Expr | None]) -> Pairs:
    """Return what is received by everything that a printed derivative of a flow is handed."""
    active = flows.asked(work, again.task)
    if again.is_ahead:
        assert seeds[0] is not None
        return _received(work, _through_tangents(work, again, seeds[0]))
    return _received(work, _through_adjoints(work, again, active, seeds))


def _through_tangents(work: Work, again: Again, seed: Expr) -> Own:
    """Return what start, arguments and their tangents receive: what those of one flow do."""
    moving = _moving(work, again, again.y0_dot, again.dots)
    active = work.active_args(moving)
    below = _pair(again, Call(ZEROS, (seed,)), seed)
    start, *parts = flows.pulled(work, moving, [name for name, _ in active], below)
    upper, lower = _halves(work, again.task, start)
    starts = flows.of_start(again.task.given["y0"], upper) + flows.of_start(again.y0_dot, lower)
    return [*starts, *zip([arg for _, arg in active], parts, strict=True)]


def _through_adjoints(
    work: Work, again: Again, active: list[tuple[str, Var]], seeds: Sequence[Expr | None]
) -> Own:
    """Return what the adjoint of the states receives, a tangent, and what start and arguments do."""
    task, (y_bar,) = again.task, again.given
    pairs = zip(again.wrt, seeds[1:], strict=True)
    dots = {name: seed for name, seed in pairs if seed is not None}
    y_bar_bar = flows.pushed(work, task, dots, seeds[0] or NONE)
    moving = _moving(work, again, seeds[0] or NONE, dots)
    below = _pair(again, Call(ZEROS, (y_bar,)), y_bar)
    start, *parts = flows.pulled(work, moving, [name for name, _ in active], below)
    starts = flows.of_start(task.given["y0"], _halves(work, task, start)[0])
    return [(y_bar, y_bar_bar), *starts, *zip([arg for _, arg in active], parts, strict=True)]


def _received(work: Work, own: Own) -> Pairs:
    for arg, _ in own:
        if not isinstance(arg, Var) and any(var in work.active for var in flow(arg, work.fact)):
            raise not_differentiated(arg, work.span)
    return [(arg, part) for arg, part in own if isinstance(arg, Var) and arg in work.active]


# ---------------------------------------------------------------------------- forward


def ahead(work: Work, again: Again, dots: Mapping[Expr, Expr]) -> list[Expr]:
    """Return the tangents of what a printed derivative of a flow gives."""
    start, active = again.task.given["y0"], flows.asked(work, again.task)
    start_dot = flows.start_dot(start, dots)
    if again.is_ahead:
        moving = _moving(work, again, again.y0_dot, again.dots)
        both_dot = _joined(start, start_dot, flows.start_dot(again.y0_dot, dots))
        further = {name: dots[arg] for name, arg in work.active_args(moving)}
        return [_lower(again, flows.pushed(work, moving, further, both_dot))]
    moving = _moving(work, again, start_dot, {name: dots[arg] for name, arg in active})
    (y_bar,) = again.given
    seed = _pair(again, dots.get(y_bar, Call(ZEROS, (y_bar,))), y_bar)
    first, *parts = flows.pulled(work, moving, again.wrt, seed)
    return [_halves(work, again.task, first)[0], *parts]


def parts_of(again: Again) -> list[Expr]:
    """Return all that may move."""
    starts = (again.task.given["y0"], again.given[0])
    shown = [each for start in starts if isinstance(start, Op) for each in start.args]
    further = again.dots.values() if again.is_ahead else ()
    return [*starts, *shown, *again.task.args, *further]


# ---------------------------------------------------------------------------- state and tangent


def _moving(work: Work, again: Again, start_dot: Expr, dots: Mapping[str, Expr]) -> Task:
    """Return the flow of state and tangent, at the times of the states."""
    task = again.task
    kept = {key: each for key, each in task.given.items() if key in KEPT}
    if task.name == "integrate.solve_ivp" and kept.get("t_eval", NONE) == NONE:
        kept["t_eval"] = work.temp(_own_times(task))
    given = work.facts_of_parameters(task, flows.first_of(work, task))
    start = _joined(task.given["y0"], task.given["y0"], start_dot)
    return both_of(replace(task, given=kept), flows.state_of(task), given, dots, start)


def _own_times(task: Task) -> Expr:
    """Return the times of the steps that a solver chose itself: those of the state alone."""
    args = (("args", task.shown_args),) if task.args else ()
    handed = (task.function, task.given["t_span"], task.given["y0"])
    return Attr(Call(task.call.func, handed, (*args, *flows.steps_of(task))), "t")


def _joined(start: Expr, *parts: Expr) -> Expr:
    """Return a start or its tangent, and a tangent, as one; zeros for what does not move."""
    zeros = Call(ZEROS, (start,))
    return Call(STACK, (Op("list", tuple(zeros if part == NONE else part for part in parts)),))


def _pair(again: Again, upper: Expr, lower: Expr) -> Expr:
    """Return adjoints of states and tangents as one array."""
    axis = () if again.task.name == "integrate.solve_ivp" else (("axis", Const(1)),)
    return Call(JOIN, (Op("list", (upper, lower)),), axis)


def _lower(again: Again, both: Expr) -> Expr:
    """Return the tangents of states and tangents without the former."""
    axis = () if again.task.name == "integrate.solve_ivp" else (("axis", Const(1)),)
    return Op("index", (Call(SPLIT, (both, Const(2)), axis), Const(1)))


def _halves(work: Work, task: Task, both: Var) -> tuple[Expr, Expr]:
    """Return what start and tangent receive of what both do."""
    if work.fact(task.given["y0"]).is_scalar:
        return Op("index", (both, Const(0))), Op("index", (both, Const(1)))
    upper, lower = work.unpacked([UNKNOWN, UNKNOWN], Call(SPLIT, (both, Const(2))))
    return upper, lower
