"""Roots of systems, fixed points of vectors and minima, by the implicit function theorem.

x = fsolve(f, x0, args=(k,))     J = df/dx     dx = -J**-1 (df/dk) dk
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from s2sad.legacy.callee import own_lengths
from s2sad.legacy.facts import UNKNOWN, Fact
from s2sad.legacy.program import Call, Expr, Op, Ref, Var
from s2sad.legacy.solvers.derived import half_squares, slope_of
from s2sad.legacy.solvers.task import Task
from s2sad.legacy.solvers.work import Work, negative

JACOBIAN = Ref("_jacobian", "printed")
SOLVE = Ref("np.linalg.solve", np.linalg.solve)
TRANSPOSE = Ref("np.transpose", np.transpose)
EYE = Ref("np.eye", np.eye)
LEN = Ref("len", len)
SYSTEMS = frozenset(
    {"optimize.fsolve", "optimize.root", "optimize.fixed_point", "optimize.minimize"}
    | {"optimize.least_squares", "optimize.curve_fit"}
)


def back(work: Work, task: Task, x: Var, seed: Expr) -> list[tuple[Var, Expr]] | None:
    """Return what the arguments receive from the adjoint of a solution."""
    if task.name not in SYSTEMS:
        return None
    active = work.active_args(task)
    if not active:
        return []
    first = {task.parameters[0]: _vector(work.fact(x))}
    task = _stationary(work, task, first)
    matrix = Call(TRANSPOSE, (_matrix(work, task, x, first),))
    pull = work.derivative(task, [name for name, _ in active], first, seeded=True)
    adjoint = work.temp(Call(SOLVE, (matrix, seed)))
    handed = adjoint if task.name == "optimize.fixed_point" else negative(adjoint)
    received = work.applied(pull, x, *task.args, work.temp(handed))
    parts = work.unpacked([work.fact(arg) for _, arg in active], received)
    return [(arg, part) for (_, arg), part in zip(active, parts, strict=True)]


def ahead(work: Work, task: Task, x: Var, dots: Mapping[Expr, Expr]) -> Expr | None:
    """Return the tangent of a solution."""
    if task.name not in SYSTEMS:
        return None
    active = work.active_args(task)
    first = {task.parameters[0]: _vector(work.fact(x))}
    task = _stationary(work, task, first)
    matrix = _matrix(work, task, x, first)
    given = work.facts_of_parameters(task, first)
    call = Call(task.function, (x, *task.args))
    made = work.callees.forward(call, tuple(name for name, _ in active), given, work.span)
    assert made is not None
    written, _ = made
    handed = (x, *task.args, *(dots[arg] for _, arg in active))
    _, moved = work.unpacked((UNKNOWN, UNKNOWN), Call(Ref(written.name, written), handed))
    tangent = Call(SOLVE, (matrix, moved))
    return tangent if task.name == "optimize.fixed_point" else negative(tangent)


def _matrix(work: Work, task: Task, x: Var, first: dict[str, Fact]) -> Expr:
    """Return the matrix of derivatives of what is zero at the solution."""
    pull = work.derivative(task, [task.parameters[0]], first, seeded=True)
    jacobian = Call(JACOBIAN, (pull, x, *task.args))
    if task.name == "optimize.fixed_point":
        return Op("-", (Call(EYE, (Call(LEN, (x,)),)), jacobian))
    return jacobian


def _vector(fact: Fact) -> Fact:
    return replace(fact, kind="array", dtype="float64") if fact.rank == 1 else Fact("unknown")


def _stationary(work: Work, task: Task, first: dict[str, Fact]) -> Task:
    """Return the task of a minimum as that of a root: its function's gradient is zero."""
    given = own_lengths(work.facts_of_parameters(task, first))
    if task.name == "optimize.least_squares":
        return slope_of(half_squares(task, given), given)
    is_minimum = task.name in ("optimize.minimize", "optimize.curve_fit")
    return slope_of(task, given) if is_minimum else task
