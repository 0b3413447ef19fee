"""SciPy's solvers with a function of the user's: the derivative of what they find.

    x = brentq(f, 0.0, 2.0, args=(k,))    k_bar = -(x_bar * f_k / f_x)

Not their steps are differentiated but the solution: integrals by Leibniz' rule, roots and minima
by the implicit function theorem, flows by the adjoint equation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2sad.ir.errors import NoRule, Span, Unsupported
from s2sad.legacy.facts import Fact
from s2sad.legacy.guards import may_be_complex
from s2sad.legacy.program import NONE, Assign, Call, Const, Expr, Op, Ref, Var, base
from s2sad.legacy.solvers import again, flows, integrals, numbers, systems
from s2sad.legacy.solvers.again import Again, again_of
from s2sad.legacy.solvers.task import Task, task_of
from s2sad.legacy.solvers.work import Work
from s2sad.legacy.traverse import walk

SEVERAL = ("integrate.quad", "integrate.quad_vec", "optimize.curve_fit")
SUM = Ref("np.sum", np.sum)


def back(
    sweep: Any, value: Expr, targets: Sequence[Var], seeds: Sequence[Expr | None], span: Span
) -> list[tuple[Var, Expr]] | None:
    """Return what the arguments of a solver receive; None of anything that is none."""
    task, printed = task_of(value), again_of(value)
    if printed is not None:
        return again.back(_work(sweep, sweep.callee, sweep.fact, targets[0], span), printed, seeds)
    if task is None:
        return None
    _refuse_whole(task, targets, span)
    if any(seeds[1:]):
        refuse_further(task, span)
    if seeds[0] is None:
        return []  # the error estimate of an integral is taken as a constant
    _refuse_complex(task, sweep.fact, span)
    work = _work(sweep, sweep.callee, sweep.fact, targets[0], span)
    moves = numbers.moves_of(work, task, targets[0])
    if moves is not None:
        return [(arg, Op("*", (seeds[0], move))) for arg, move in moves]
    for solved in (integrals.back, systems.back, flows.back):
        found = solved(work, task, targets[0], seeds[0])
        if found is not None:
            return found
    return None


def ahead_again(
    state: Any, printed: Again, targets: Sequence[Var], span: Span
) -> list[tuple[Var, Expr]]:
    """Return the tangents of what a printed derivative of a solver gives."""
    work = _work(state, state.callees, state.facts.expr, targets[0], span)
    dots: dict[Expr, Expr] = {
        part: state.of(part) for part in again.parts_of(printed) if _moves(state, part)
    }
    return list(zip(targets, again.ahead(work, printed, dots), strict=True))


def ahead(state: Any, task: Task, targets: Sequence[Var], span: Span) -> Expr | None:
    """Return the tangent of what a solver finds; None where it has none."""
    _refuse_whole(task, targets, span)
    target = targets[0]
    _refuse_complex(task, state.facts.expr, span)
    work = _work(state, state.callees, state.facts.expr, target, span)
    moves = numbers.moves_of(work, task, target)
    if moves is not None:
        total: Expr = Const(0.0)
        for number, (arg, move) in enumerate(moves):
            term: Expr = Op("*", (move, state.of(arg)))
            term = term if state.facts.of(arg).is_scalar else Call(SUM, (term,))
            total = Op("+", (total, term)) if number else term
        return total
    start = task.given.get("y0", task.given.get("x0", Const(0.0)))
    ends = (task.given.get("a", NONE), task.given.get("b", NONE))
    parts = (*task.args, *ends, start, *(start.args if isinstance(start, Op) else ()))
    dots: dict[Expr, Expr] = {part: state.of(part) for part in parts if _moves(state, part)}
    for solved in (integrals.ahead, systems.ahead, flows.ahead):
        found = solved(work, task, target, dots)
        if found is not None:
            return found
    return None


def _work(place: Any, callees: Any, fact: Callable[[Expr], Fact], target: Var, span: Span) -> Work:
    """Return what is asked and written where a derivative is: a sweep, or tangents."""
    name = base(target.slot)

    def unpacked(facts: Sequence[Fact], expr: Expr) -> tuple[Var, ...]:
        made = tuple(place.numbers.temp(name) for _ in facts)
        place.known.update(zip(made, facts, strict=True))
        place.emit(Assign(made, expr, span, unpack=len(facts) > 1))
        return made

    def temp(expr: Expr) -> Var:
        return unpacked((fact(expr),), expr)[0]

    return Work(callees, fact, temp, unpacked, place.active, span)


def _refuse_complex(task: Task, fact: Callable[[Expr], Fact], span: Span) -> None:
    """Refuse a solver that is given complex values: its equations are taken for real ones."""
    for each in (part for given in (*task.args, *task.given.values()) for part in walk(given)):
        literal = isinstance(each, Const) and isinstance(each.value, complex)
        if literal or (isinstance(each, Var) and may_be_complex(each, fact)):
            raise Unsupported(
                "complex numbers are not differentiated in SciPy's solvers",
                span,
                "Solve for the real and the imaginary part, as one vector of twice the length.",
            )


def _refuse_whole(task: Task, targets: Sequence[Var], span: Span) -> None:
    """Refuse a tuple of an integral and its error that is handed on as it is."""
    if has_several(task.call) and len(targets) == 1:
        raise Unsupported(
            f"the tuple that {task.call.func.text} gives is used as a whole",  # type: ignore[union-attr]
            span,
            "Take it apart first: value, error = quad(...), and hand the value on.",
        )


def _moves(state: Any, arg: Expr) -> bool:
    return isinstance(arg, Var) and arg in state.active


def refuse_further(task: Task, span: Span) -> None:
    """Refuse the covariance that a fit gives; error estimates of integrals count as constants."""
    if task.name == "optimize.curve_fit":
        raise NoRule(
            "the covariance that scipy.optimize.curve_fit gives has no derivative",
            span,
            "Stop it: s2sad.stop_gradient(covariance), or compute it from the Jacobian.",
        )


def has_several(call: Expr) -> bool:
    """Tell whether a solver gives a tuple of which the first part is the solution."""
    return (
        isinstance(call, Call)
        and isinstance(call.func, Ref)
        and call.func.text.removeprefix("scipy.") in SEVERAL
    )


__all__ = ["again_of", "ahead", "ahead_again", "back", "has_several", "refuse_further", "task_of"]
