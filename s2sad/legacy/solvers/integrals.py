"""Integrals of arrays, by Leibniz' rule: the derivative of the integrand is integrated.

y = quad_vec(f, a, b, args=(k,))[0]    k_bar = quad_vec(f_vjp, a, b, args=(k, y_bar))[0]
                                       b_bar = np.sum(y_bar * f(b, k))
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.solvers.derived import tangent_of
from s2sad.legacy.solvers.task import Task
from s2sad.legacy.solvers.work import NUMBER, Work, negative

SUM = Ref("np.sum", np.sum)
ENDS = (("a", -1), ("b", 1))


def back(work: Work, task: Task, y: Var, seed: Expr) -> list[tuple[Var, Expr]] | None:
    """Return what ends and arguments receive from the adjoint of an integral."""
    if task.name != "integrate.quad_vec":
        return None
    found: list[tuple[Var, Expr]] = []
    for end, sign in _ends(work, task):
        received = Call(SUM, (Op("*", (seed, work.applied(task.function, end, *task.args))),))
        found.append((end, negative(received) if sign < 0 else received))
    for name, arg in work.active_args(task):
        pull = work.derivative(task, [name], _first(task), seeded=True)
        found.append((arg, _integral(task, pull, (*task.args, seed))))
    return found


def ahead(work: Work, task: Task, y: Var, dots: Mapping[Expr, Expr]) -> Expr | None:
    """Return the tangent of an integral."""
    if task.name != "integrate.quad_vec":
        return None
    terms: list[Expr] = []
    active = work.active_args(task)
    if active:
        given = work.facts_of_parameters(task, _first(task))
        push = tangent_of(task, given, [name for name, _ in active])
        terms.append(_integral(task, push, (*task.args, *(dots[arg] for _, arg in active))))
    for end, sign in _ends(work, task):
        moved = Op("*", (work.applied(task.function, end, *task.args), dots[end]))
        terms.append(negative(moved) if sign < 0 else moved)
    total = terms[0]
    for term in terms[1:]:
        total = Op("+", (total, term))
    return total


def _first(task: Task) -> dict[str, Fact]:
    return {task.parameters[0]: NUMBER}


def _ends(work: Work, task: Task) -> list[tuple[Var, int]]:
    """Return the ends that vary, with the signs of what they contribute."""
    pairs = [(task.given.get(name), sign) for name, sign in ENDS]
    return [(end, sign) for end, sign in pairs if isinstance(end, Var) and end in work.active]


def _integral(task: Task, function: Expr, args: tuple[Expr, ...]) -> Expr:
    """Return the integral of another function between the same ends."""
    how = task.keywords("epsabs", "epsrel", "norm", "limit", "points", "quadrature")
    ends = (function, task.given["a"], task.given["b"])
    return Op("index", (Call(task.call.func, ends, (("args", Op("tuple", args)), *how)), Const(0)))
