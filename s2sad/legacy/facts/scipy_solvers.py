"""What SciPy's solvers find: numbers, vectors, and rows of states.

integrate.quad(f, a, b)      ->   a number and an error estimate
optimize.root(f, x0).x       ->   what x0 is
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Final

from s2sad.legacy.facts.binding import Bound
from s2sad.legacy.facts.elementwise import Rule
from s2sad.legacy.facts.fact import UNKNOWN, Dim, Fact, array, tuple_of
from s2sad.legacy.program import Call, Const, Op, Ref
from s2sad.source.text import signature_of

NUMBER: Final = Fact("float", "float64", (), weak=None)


def integral(b: Bound) -> Fact:
    """integrate.quad without more output."""
    return UNKNOWN if b.has("full_output") else tuple_of((NUMBER, NUMBER))


def integral_of_arrays(b: Bound) -> Fact:
    """integrate.quad_vec: what its function gives at one place."""
    function, args = b.expr("f"), b.expr("args")
    if b.has("full_output") or function is None:
        return UNKNOWN
    further = args.args if isinstance(args, Op) else ()
    return tuple_of((b.fact_of(Call(function, (Const(0.0), *further)), b.ctx), NUMBER))


def root(b: Bound) -> Fact:
    """optimize.brentq and its kin."""
    return UNKNOWN if b.has("full_output") else NUMBER


def fitted(b: Bound) -> Fact:
    """optimize.curve_fit: a number for each parameter of the curve, and their covariance."""
    function = b.expr("f")
    if b.has("full_output") or not isinstance(function, Ref):
        return UNKNOWN
    if not isinstance(function.value, FunctionType):
        return UNKNOWN
    count = Dim("", len(signature_of(function.value).parameters) - 1)
    return tuple_of((array("float64", (count,)), array("float64", (count, count))))


def _is_real(start: Fact) -> bool:
    """Tell whether a solver starts from something real, and so goes through real values."""
    return not start.dtype.startswith("complex") and start.kind != "complex" and not start.mixed


def from_number(b: Bound) -> Fact:
    """optimize.newton: a number where it starts from one."""
    start = b.fact("x0")
    real = _is_real(start) and not b.has("full_output")
    return NUMBER if start.is_scalar and real else UNKNOWN


def fixed(b: Bound) -> Fact:
    """optimize.fixed_point: an array without axes where it starts from a number."""
    start = b.fact("x0")
    return array("float64", ()) if start.is_scalar and _is_real(start) else UNKNOWN


def vector(b: Bound) -> Fact:
    """optimize.fsolve: a vector like the start."""
    start = b.array("x0")
    known = isinstance(start.shape, tuple) and start.rank == 1 and _is_real(start)
    if b.has("full_output") or not known:
        return UNKNOWN
    return array("float64", start.shape)


def states(b: Bound) -> Fact:
    """integrate.odeint: a row of states for each time."""
    start, times = b.array("y0"), b.array("t")
    if b.has("full_output") or start.rank != 1 or times.rank != 1:
        return UNKNOWN
    assert isinstance(start.shape, tuple) and isinstance(times.shape, tuple)
    return array("float64", times.shape + start.shape)


def states_in_columns(b: Bound) -> Fact:
    """integrate.solve_ivp(...).y: a column of states for each time."""
    start, times = b.array("y0"), b.array("t_eval")
    if start.rank != 1 or not isinstance(start.shape, tuple) or not _is_real(start):
        return UNKNOWN
    known = times.rank == 1 and isinstance(times.shape, tuple)
    count = times.shape if known else (b.ctx.fresh(b.name, b.call.args),)
    return array("float64", start.shape + count)  # type: ignore[operator]


def _object(name: str, rule: Rule) -> Rule:
    """Return a rule for an object of which one part is known."""

    def made(b: Bound) -> Fact:
        return Fact("object", items=(rule(b),), keys=(name,))

    return made


# what is read of objects
PARTS: Final[Mapping[str, tuple[str, Rule]]] = {
    "optimize.root_scalar.root": ("f args method bracket", lambda b: NUMBER),
    "optimize.minimize_scalar.x": ("fun bracket bounds args method tol options", lambda b: NUMBER),
    "optimize.least_squares.x": ("fun x0 jac bounds method ftol xtol gtol", vector),
    "optimize.root.x": ("fun x0 args method jac tol callback options", vector),
    "optimize.minimize.x": ("fun x0 args method jac hess hessp bounds tol options", vector),
    "integrate.solve_ivp.y": (
        "fun t_span y0 method t_eval dense_output args rtol atol max_step",
        states_in_columns,
    ),
}
TABLE: Final[Mapping[str, tuple[str, Rule]]] = {
    "integrate.quad_vec": (
        "f a b epsabs epsrel norm cache_size limit workers points quadrature full_output args",
        integral_of_arrays,
    ),
    "integrate.quad": ("func a b args full_output epsabs epsrel limit points", integral),
    **{
        f"optimize.{name}": ("f a b args xtol rtol maxiter full_output disp k", root)
        for name in ("brentq", "brenth", "ridder", "bisect", "toms748")
    },
    "optimize.curve_fit": (
        "f xdata ydata p0 sigma absolute_sigma check_finite bounds method jac full_output",
        fitted,
    ),
    "optimize.newton": (
        "func x0 fprime args tol maxiter fprime2 x1 rtol full_output disp",
        from_number,
    ),
    "optimize.fixed_point": ("func x0 args xtol maxiter method", fixed),
    "optimize.fsolve": ("func x0 args fprime full_output col_deriv xtol maxfev", vector),
    "integrate.odeint": (
        "func y0 t args Dfun col_deriv full_output ml mu rtol atol tcrit h0 hmax hmin tfirst mxstep",
        states,
    ),
    # the objects themselves
    **{
        name.rpartition(".")[0]: (params, _object(name.rpartition(".")[2], rule))
        for name, (params, rule) in PARTS.items()
    },
}
