"""Ordinary differential equations: adjoints by the adjoint equation, tangents by the variational.

    y = odeint(f, y0, t, args=(k,))    backwards in time    l' = -l df/dy    k_bar' = -l df/dk

Both are solved at least to a relative accuracy of 1e-10 (Pontryagin; Chen et al. 2018).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2sad.ir.errors import NoRule
from s2sad.legacy.activity import flow
from s2sad.legacy.facts import UNKNOWN, Dim, Fact
from s2sad.legacy.program import NONE, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.solvers.task import FLOWS, Task
from s2sad.legacy.solvers.work import NUMBER, Work


def back(work: Work, task: Task, y: Var, seed: Expr) -> list[tuple[Var, Expr]] | None:
    """Return what the start and the arguments receive from the adjoint of a flow."""
    if task.name not in FLOWS:
        return None
    active = asked(work, task)
    first, *parts = pulled(work, task, [name for name, _ in active], seed)
    own = [*of_start(task.given["y0"], first), *zip([arg for _, arg in active], parts, strict=True)]
    return [(arg, part) for arg, part in own if isinstance(arg, Var)]


def of_start(start: Expr, part: Expr) -> list[tuple[Expr, Expr]]:
    """Return what a start receives; one that is written out is given it number by number."""
    if isinstance(start, Op):
        return [(e, Op("index", (part, Const(at)))) for at, e in enumerate(start.args)]
    return [(start, part)]


def pulled(work: Work, task: Task, names: Sequence[str], seed: Expr) -> tuple[Var, ...]:
    """Return the adjoints of the start and of the parameters with these names."""
    pull = work.derivative(task, [state_of(task), *names], first_of(work, task), seeded=True)
    places = [task.later.index(name) for name in names]
    wrt = [("wrt", Op("tuple", tuple(Const(place) for place in places)))] if places else []
    facts = [UNKNOWN, *(work.fact(task.args[place]) for place in places)]
    return work.unpacked(facts, _call(task, "_back", pull, (seed,), wrt))


def ahead(work: Work, task: Task, y: Var, dots: Mapping[Expr, Expr]) -> Expr | None:
    """Return the tangent of a flow."""
    if task.name not in FLOWS:
        return None
    moving = {name: dots[arg] for name, arg in asked(work, task)}
    return pushed(work, task, moving, start_dot(task.given["y0"], dots))


def start_dot(start: Expr, dots: Mapping[Expr, Expr]) -> Expr:
    """Return the tangent of a start, None where it does not move."""
    if not isinstance(start, Op):
        return dots.get(start, NONE)
    if not any(each in dots for each in start.args):
        return NONE
    return Op("list", tuple(dots.get(each, Const(0.0)) for each in start.args))


def pushed(work: Work, task: Task, dots: Mapping[str, Expr], y0_dot: Expr) -> Call:
    """Return the tangent of the states where start and parameters have these tangents."""
    given = work.facts_of_parameters(task, first_of(work, task))
    names = (state_of(task), *dots)
    order = [name for name in task.parameters if name in names]
    call = Call(task.function, tuple(Var(name, 0) for name in task.parameters))
    made = work.callees.forward(call, tuple(order), given, work.span)
    assert made is not None
    moved = Op("tuple", tuple(dots.get(name, NONE) for name in task.later))
    return _call(task, "_ahead", Ref(made[0].name, made[0]), (y0_dot, moved))


def asked(work: Work, task: Task) -> list[tuple[str, Var]]:
    """Return the arguments that vary, with the parameters that they are given to."""
    for name in ("t", "t_span", "t_eval"):
        times = task.given.get(name, NONE)
        if any(var in work.active for var in flow(times, work.fact)):
            raise NoRule(
                f"{task.call.func.text} has no derivative with respect to {name}",  # type: ignore[union-attr]
                work.span,
                f"Give {name} a value that does not depend on what you differentiate with respect to.",
            )
    return work.active_args(task)


def first_of(work: Work, task: Task) -> dict[str, Fact]:
    """Return what is known of time and state."""
    state = state_of(task)
    time = next(name for name in task.parameters[:2] if name != state)
    fact = work.fact(task.given["y0"])
    # whatever it starts from, the function is called with a row
    row = fact.shape if fact.rank == 1 else (Dim("?"),)
    return {time: NUMBER, state: Fact("array", "float64", row)}


def state_of(task: Task) -> str:
    """Return the name of the parameter that is the state, not the time."""
    first = task.name == "integrate.solve_ivp" or task.given.get("tfirst") == Const(True)
    return task.parameters[1 if first else 0]


def steps_of(task: Task) -> tuple[tuple[str, Expr], ...]:
    """Return the keywords that decide in which steps a flow is solved."""
    if task.name == "integrate.odeint":
        return task.keywords("rtol", "atol", "tfirst")
    return task.keywords("method", "rtol", "atol", "max_step", "first_step", "jac")


def _call(
    task: Task,
    ending: str,
    function: Expr,
    seeds: Sequence[Expr],
    more: Sequence[tuple[str, Expr]] = (),
) -> Call:
    """Return the call of what solves the other equation."""
    given = task.given
    if task.name == "integrate.solve_ivp":
        name = f"_solve_ivp{ending}"
        # the steps depend on these: a derivative has to know at which times the states are
        own = [given["t_span"], given["y0"], task.shown_args, given.get("t_eval", NONE)]
    else:
        name = f"_odeint{ending}"
        own = [given["y0"], given["t"], task.shown_args]
    how = [(key, value) for key, value in steps_of(task) if value != NONE]
    return Call(Ref(name, "printed"), (task.function, function, *own, *seeds), (*more, *how))
