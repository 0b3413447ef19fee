"""SciPy's functions get one name each; SciPy itself is never imported here.

    from scipy.special import expit    known_name("expit", expit)    "scipy.special.expit"

Only modules that the user's program has imported are looked at: a function of SciPy's can be
met in no other way.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache, lru_cache
from types import ModuleType
from typing import Any

# the names that templates use, and the modules behind them
MODULES: Mapping[str, str] = {
    "special": "scipy.special",
    "linalg": "scipy.linalg",
    "fft": "scipy.fft",
    "fftpack": "scipy.fftpack",
    "stats": "scipy.stats",
    "signal": "scipy.signal",
    "ndimage": "scipy.ndimage",
    "integrate": "scipy.integrate",
    "interpolate": "scipy.interpolate",
    "optimize": "scipy.optimize",
    "sparse": "scipy.sparse",
    "sparse_linalg": "scipy.sparse.linalg",
    "distance": "scipy.spatial.distance",
}
PREFIX = "scipy."
# what may be said to each solver without another problem being solved
BRACKET = "a b k xtol rtol maxiter disp"
SOLVERS: Mapping[str, str] = {
    "integrate.quad": "a b epsabs epsrel limit points",
    "integrate.quad_vec": "a b epsabs epsrel norm limit points quadrature",
    **{f"optimize.{name}": BRACKET for name in ("brentq", "brenth", "ridder", "bisect", "toms748")},
    "optimize.newton": "x0 x1 fprime fprime2 tol maxiter rtol disp",
    "optimize.root_scalar": "method bracket fprime fprime2 x0 x1 xtol rtol maxiter options",
    "optimize.fixed_point": "x0 xtol maxiter method",
    "optimize.fsolve": "x0 fprime xtol maxfev",
    "optimize.root": "x0 method jac tol options",
    "optimize.minimize": "x0 method jac hess hessp tol options",
    "optimize.minimize_scalar": "bracket method tol options",
    "optimize.least_squares": "x0 jac method ftol xtol gtol x_scale diff_step tr_solver max_nfev",
    "optimize.curve_fit": (
        "xdata ydata p0 sigma absolute_sigma method jac check_finite ftol xtol gtol maxfev"
    ),
    "integrate.odeint": "y0 t rtol atol hmax h0 mxstep tfirst",
    "integrate.solve_ivp": "t_span y0 method t_eval rtol atol max_step first_step jac dense_output",
}


def solver_name(function: Any) -> str:
    """Return the short name of one of SciPy's solvers, "" of anything else."""
    module = str(getattr(function, "__module__", "") or "")
    if not module.startswith(("scipy.optimize", "scipy.integrate")):
        return ""
    found = known_name(getattr(function, "__name__", ""), function) or ""
    name = found.removeprefix(PREFIX)
    return name if name in SOLVERS else ""


def loaded() -> tuple[str, ...]:
    """Return the names that templates use of those modules that are imported."""
    return _loaded(len(sys.modules))


@lru_cache(maxsize=1)
def _loaded(count: int) -> tuple[str, ...]:
    """Return them for so many modules: it is asked for each call of an expression."""
    return tuple(name for name, whole in MODULES.items() if whole in sys.modules)


def imported() -> Mapping[str, ModuleType]:
    """Return those modules under the names that templates use."""
    return {name: sys.modules[MODULES[name]] for name in loaded()}


def known_name(text: str, value: Any) -> str | None:
    """Return the name of one of SciPy's functions or modules, None of anything else."""
    if not callable(value) and not isinstance(value, ModuleType):
        return None
    found = _names(loaded()).get(id(value))
    if found is None:
        return None
    owner, last = found.rpartition(".")[0], text.rpartition(".")[2]
    # psi and digamma are one function: the user's word for it stays
    same = owner in sys.modules and vars(sys.modules[owner]).get(last) is value
    return f"{owner}.{last}" if same else found


@cache
def _names(words: tuple[str, ...]) -> Mapping[int, str]:
    modules = [MODULES[word] for word in words]
    found = {id(sys.modules[module]): module for module in modules}
    for module in modules:
        for name, value in vars(sys.modules[module]).items():
            if not name.startswith("_") and callable(value) and not _is_foreign(value):
                found.setdefault(id(value), f"{module}.{name}")
    return found


def _is_foreign(value: Any) -> bool:
    """Tell whether a name in one of SciPy's modules is a type or function of another's."""
    owner = getattr(value, "__module__", None) or PREFIX
    return not str(owner).startswith(PREFIX)
