"""Ordinary differential equations: adjoints by the adjoint equation, tangents by the variational.

    y = odeint(f, y0, t, args=(k,))    backwards in time    l' = -l df/dy    k_bar' = -l df/dk

Both are solved at least to a relative accuracy of 1e-10 (Pontryagin; Chen et al. 2018).
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.activity import flow
from s2sad.errors import NoRule
from s2sad.facts import UNKNOWN, Fact
from s2sad.program import NONE, Call, Const, Expr, Op, Ref, Var
from s2sad.solvers.task import FLOWS, Task
from s2sad.solvers.work import NUMBER, Work


def back(work: Work, task: Task, y: Var, seed: Expr) -> list[tuple[Var, Expr]] | None:
    """Return what the start and the arguments receive from the adjoint of a flow."""
    if task.name not in FLOWS:
        return None
    active, first = _asked(work, task)
    state = _state(task)
    pull = work.derivative(task, [state, *(name for name, _ in active)], first, seeded=True)
    made = _call(task, "_back", pull, seed)
    start = task.given["y0"]
    parts = work.unpacked([UNKNOWN] * (1 + len(active)), made)
    own: list[tuple[Expr, Expr]] = [(start, parts[0])]
    if isinstance(start, Op):
        own = [(e, Op("index", (parts[0], Const(at)))) for at, e in enumerate(start.args)]
    own += [(arg, part) for (_, arg), part in zip(active, parts[1:], strict=True)]
    return [(arg, part) for arg, part in own if isinstance(arg, Var)]


def ahead(work: Work, task: Task, y: Var, dots: Mapping[Expr, Expr]) -> Expr | None:
    """Return the tangent of a flow."""
    if task.name not in FLOWS:
        return None
    active, first = _asked(work, task)
    given = work.facts_of_parameters(task, first)
    names = (_state(task), *(name for name, _ in active))
    order = [name for name in task.parameters if name in names]
    call = Call(task.function, tuple(Var(name, 0) for name in task.parameters))
    made = work.callees.forward(call, tuple(order), given, work.span)
    assert made is not None
    written, _ = made
    start = task.given["y0"]
    start_dot = dots.get(start, NONE)
    if isinstance(start, Op):
        start_dot = Op("list", tuple(dots.get(each, Const(0.0)) for each in start.args))
    moved = Op("tuple", tuple(dots[arg] for _, arg in active))
    return _call(task, "_ahead", Ref(written.name, written), start_dot, moved)


def _asked(work: Work, task: Task) -> tuple[list[tuple[str, Var]], dict[str, Fact]]:
    """Return the arguments that vary, and what is known of time and state."""
    for name in ("t", "t_span", "t_eval"):
        times = task.given.get(name, NONE)
        if any(var in work.active for var in flow(times, work.fact)):
            raise NoRule(
                f"{task.call.func.text} has no derivative with respect to {name}",  # type: ignore[union-attr]
                work.span,
                f"Give {name} a value that does not depend on what you differentiate with respect to.",
            )
    state = _state(task)
    time = next(name for name in task.parameters[:2] if name != state)
    fact = work.fact(task.given["y0"])
    row = Fact("array", "float64", fact.shape) if fact.rank == 1 else Fact("unknown")
    return work.active_args(task), {time: NUMBER, state: row}


def _state(task: Task) -> str:
    """Return the name of the parameter that is the state, not the time."""
    first = task.name == "integrate.solve_ivp" or task.given.get("tfirst") == Const(True)
    return task.parameters[1 if first else 0]


def _call(task: Task, ending: str, function: Expr, *seeds: Expr) -> Call:
    """Return the call of what solves the other equation."""
    given = task.given
    if task.name == "integrate.solve_ivp":
        name = f"_solve_ivp{ending}"
        own = [given["t_span"], given["y0"], task.shown_args, given.get("t_eval", NONE)]
        # the steps depend on these: a derivative has to know at which times the states are
        how = task.keywords("method", "rtol", "atol", "max_step", "first_step", "jac")
    else:
        name = f"_odeint{ending}"
        own = [given["y0"], given["t"], task.shown_args]
        how = task.keywords("rtol", "atol", "tfirst")
    how = tuple((name, value) for name, value in how if value != NONE)
    return Call(Ref(name, "printed"), (task.function, function, *own, *seeds), how)
