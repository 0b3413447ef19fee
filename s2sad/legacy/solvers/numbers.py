"""Integrals and roots, which are numbers: what each of their arguments moves them by.

y = quad(f, a, b, args=(k,))[0]    dy = f(b, k) db - f(a, k) da + quad(df/dk, a, b, (k,))[0] dk
x = brentq(f, 0.0, 1.0, (k,))      dx = -(df/dk) / (df/dx) dk
"""

from __future__ import annotations

import sys

from s2sad.ir.errors import Unsupported
from s2sad.legacy.callee import own_lengths
from s2sad.legacy.program import Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.solvers.derived import slope_of
from s2sad.legacy.solvers.task import Task
from s2sad.legacy.solvers.work import NUMBER, Work, known, negative

Moves = list[tuple[Var, Expr]]


def integral(work: Work, task: Task, y: Var) -> Moves:
    """Return what moves an integral (Leibniz' rule)."""
    moves: Moves = []
    for name, sign in (("a", -1), ("b", 1)):
        bound = task.given.get(name)
        if isinstance(bound, Var) and bound in work.active:
            end = work.applied(task.function, bound, *task.args)
            moves.append((bound, negative(end) if sign < 0 else end))
    for name, arg in work.active_args(task):
        moves.append((arg, _integrated(work, task, name, arg)))
    return moves


def _integrated(work: Work, task: Task, name: str, arg: Var) -> Expr:
    """Return the integral of the derivative with respect to one argument."""
    first = {task.parameters[0]: NUMBER}
    slope = work.derivative(task, [name], first, seeded=False)
    ends = (slope, task.given["a"], task.given["b"])
    args = (("args", task.shown_args),) if task.args else ()
    if work.fact(arg).is_scalar:
        options = task.keywords("epsabs", "epsrel", "limit", "points")
        return Op("index", (Call(task.call.func, ends, (*args, *options)), Const(0)))
    vector = known("scipy.integrate.quad_vec", sys.modules["scipy.integrate"])
    return Op("index", (Call(vector, ends, args), Const(0)))


def root(work: Work, task: Task, x: Var) -> Moves:
    """Return what moves a root of a function of one number (implicit function theorem)."""
    slope, others = _slopes(work, task, x)
    rate = work.temp(negative(Op("/", (Const(1.0), slope)))) if len(others) > 1 else None
    return [
        (arg, Op("*", (rate, part)) if rate else negative(Op("/", (part, slope))))
        for arg, part in others
    ]


def fixed(work: Work, task: Task, x: Var) -> Moves:
    """Return what moves a fixed point of a function of one number."""
    slope, others = _slopes(work, task, x)
    gap = work.temp(Op("-", (Const(1.0), slope))) if len(others) > 1 else None
    rest = gap or Op("-", (Const(1.0), slope))
    return [(arg, Op("/", (part, rest))) for arg, part in others]


def _slopes(work: Work, task: Task, x: Var) -> tuple[Var, Moves]:
    """Return the derivatives of a function at x: in x, and in its arguments that vary."""
    active = work.active_args(task)
    if not active:
        return x, []
    first = task.parameters[0]
    wrt = [first, *(name for name, _ in active)]
    if len(set(wrt)) < len(wrt) or task.parameters[0] in dict(active):
        raise Unsupported(
            "a parameter is given twice",
            work.span,
            "Give each parameter once, by position or by name.",
        )
    gradient = work.derivative(task, wrt, {first: NUMBER}, seeded=False)
    facts = [NUMBER, *(work.fact(arg) for _, arg in active)]
    found = work.unpacked(facts, work.applied(gradient, x, *task.args))
    return found[0], [(arg, part) for (_, arg), part in zip(active, found[1:], strict=True)]


SCALAR_ROOTS = frozenset(
    f"optimize.{name}"
    for name in ("brentq", "brenth", "ridder", "bisect", "toms748", "newton", "root_scalar")
)


def moves_of(work: Work, task: Task, target: Var) -> Moves | None:
    """Return what moves a solution that is a number; None where it is none."""
    if task.name == "integrate.quad":
        return integral(work, task, target)
    start = task.given.get("x0", Const(0.0))
    number = isinstance(start, Const | Ref) or work.fact(start).is_scalar
    if task.name in SCALAR_ROOTS and number:
        return root(work, task, target)
    if task.name == "optimize.minimize_scalar":
        first = {task.parameters[0]: NUMBER}
        given = own_lengths(work.facts_of_parameters(task, first))
        return root(work, slope_of(task, given), target)
    if task.name == "optimize.fixed_point" and number:
        return fixed(work, task, target)
    return None
