"""Which functions a probe may run: those of libraries that only compute.

np.linalg.solve yes; np.save, np.random.rand, a function of the user's no.
"""

from __future__ import annotations

import builtins
import math
import types
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import signature
from typing import Any

import numpy as np

from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Tuple, Type
from s2sad.operators import printed
from s2sad.operators.guards import is_sparse
from s2sad.operators.heads import head_of_function
from s2sad.operators.library import is_spelled
from s2sad.operators.modules import OF_NUMBERS
from s2sad.operators.table import METHOD, OF_SPARSE_THAT_WRITE, has, named, words
from s2sad.source.optional import MODULES as SCIPY
from s2sad.types.samples import NoSample

Function = Callable[..., Any]

BUILTINS: frozenset[Any] = frozenset(
    {abs, all, any, bool, complex, divmod, enumerate, float, int, isinstance, len, list, max, min}
    | {pow, range, reversed, round, slice, sorted, str, sum, tuple, type, zip, issubclass, repr}
    | {callable, hasattr, frozenset, set, ord, chr, bin, hash, format}
)
ROOTS = ("numpy", "scipy", "math", "cmath", "operator", "statistics")
EXCLUDED_MODULES = (
    "numpy.random",
    "numpy.testing",
    "numpy.ctypeslib",
    "numpy.f2py",
    "numpy.lib.format",
    "numpy.lib._npyio_impl",
    "numpy.lib._utils_impl",
    "numpy.distutils",
    "scipy.io",
    "scipy.datasets",
    "scipy.stats",
    "scipy.sparse.csgraph",
    "scipy.sparse.linalg._eigen",  # ARPACK: compiled code that corrupts memory for some shapes
    "scipy.spatial",
    "scipy.cluster",
    "scipy.linalg.lapack",
    "scipy.linalg.blas",
    "scipy.linalg.interpolative",
)
# they write, print, or change how NumPy behaves; or call what they are handed
EFFECTS = ("writes", "state", "prints", "draws", "not_probed")
EXCLUDED_NAMES = frozenset(
    name.rpartition(".")[2]
    for name in named(*EFFECTS)
    if name.startswith(("np.", *SCIPY)) and not name.startswith(METHOD)
)
EXCLUDED_METHODS = frozenset(
    name.removeprefix(METHOD) for name in named(*EFFECTS) if name.startswith((METHOD, "stats."))
)
# SciPy's, and the one of its own that it calls for each matrix of a stack
SOLVES_BY_PIVOTS = words("pivots")


@cache
def may_run(function: Function) -> bool:
    """Tell whether a call of a function only computes its result."""
    if isinstance(function, np.ufunc):
        return True
    if printed.name_of(function):
        return True
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return getattr(function, "__name__", "") != "at"  # which writes to its argument
    if function in BUILTINS or has(function, "choices"):
        return True
    if getattr(function, "__module__", None) == "builtins":
        return False
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    if module.partition(".")[0] not in ROOTS:
        return _is_of_math(function)
    if module.startswith(EXCLUDED_MODULES):
        return name not in EXCLUDED_NAMES and _is_spelled(function, name)
    if name in EXCLUDED_NAMES:
        return False
    if module.startswith("scipy.") and isinstance(function, types.BuiltinFunctionType):
        return _is_spelled(function, name)  # compiled: it may write past an `out` of another shape
    return not isinstance(function, types.ModuleType)


def _is_spelled(function: Function, name: str) -> bool:
    """Tell whether a rule spells a function, or a method of an object of a module."""
    if getattr(function, "__self__", None) is not None and is_spelled(("method", name)):
        return True
    return is_spelled(head_of_function(function))


def asks_for_places(function: Function) -> bool:
    """Tell whether a function takes whole numbers for places without looking whether they are any.

    Compiled code of SciPy does: made-up pivots of a factorisation would have it write to memory
    that is not its own. 0 is the place of something wherever there is anything.
    """
    own = printed.name_of(function)
    if own:
        return has(function, "content_shape") or printed.is_of_scipy(own)
    return str(getattr(function, "__module__", None) or "").startswith("scipy.")


def _is_of_math(function: Function) -> bool:
    is_built = isinstance(function, types.BuiltinFunctionType)
    return is_built and function.__module__ in (*OF_NUMBERS, "_operator")


def may_run_method(owner: type, name: str) -> bool:
    """Tell whether a method of a value only computes its result."""
    if name in EXCLUDED_METHODS:
        return False
    if issubclass(owner, np.ndarray | np.generic | int | float | complex | str | tuple | range):
        return hasattr(owner, name)
    if is_sparse(owner):
        return name not in OF_SPARSE_THAT_WRITE
    return owner is list and name in ("count", "index", "copy")


def is_content_shaped(function: Function) -> bool:
    """Tell whether the lengths of a result depend on what numbers an argument has."""
    return getattr(function, "__name__", "") in words("content_shape")


def of_any_numbers(type_: Type, function: Function, is_real: bool) -> Type:
    """Return the type of a result that is complex for some real numbers, whatever a probe met."""
    word = getattr(function, "__name__", "")
    is_of_emath = getattr(function, "__module__", "") == "numpy.lib.scimath"
    if is_of_emath or word in words("perhaps_complex"):
        return _with_dtypes(type_, {"float64": "complex128", "float32": "complex64"})
    if word in words("real_or_refused") and is_real:
        return _with_dtypes(type_, {"complex128": "float64", "complex64": "float32"})
    return type_


def _with_dtypes(type_: Type, dtypes: Mapping[str, str]) -> Type:
    match type_:
        case Tuple(items):
            return replace(type_, items=tuple(_with_dtypes(item, dtypes) for item in items))
        case Array(dtype) | Number(dtype) if dtype in dtypes:
            return replace(type_, dtype=dtypes[dtype])
    return type_


def fills_memory(function: Function, values: Iterable[Any], most: int) -> bool:
    """Tell whether a function is told to make an array of more elements than that."""
    return has(function, "told_shape") and any(
        math.prod(map(int, value)) > most
        for value in values
        if isinstance(value, tuple | list) and all(isinstance(n, int | np.integer) for n in value)
    )


def with_pivots(function: Function, values: list[Any]) -> list[Any]:
    """Return the values of a call with pivots that name rows of the factors, where made up ones may not.

    Compiled code exchanges the rows that they name, wherever these are in memory, and leaves the
    memory of a spline whose knots do not rise, or are too few for its degree.
    """
    if (getattr(function, "__module__", None) or "").startswith("scipy.interpolate._fitpack"):
        if _is_without_spline(function, values):
            raise NoSample(function)
        return [_spline(each) if isinstance(each, tuple | list) else each for each in values]
    if getattr(function, "__name__", "") not in SOLVES_BY_PIVOTS or not values:
        return values
    is_pair = isinstance(values[0], tuple | list)
    factors = list(values[0] if is_pair else values[:2])
    if len(factors) < 2 or np.ndim(factors[0]) < 2:
        return values
    factors[1] = np.broadcast_to(np.arange(np.shape(factors[0])[-1]), np.shape(factors[0])[:-1])
    return [tuple(factors), *values[1:]] if is_pair else [*factors, *values[2:]]


def _is_without_spline(function: Function, values: Iterable[Any]) -> bool:
    """Tell whether a function that takes a spline apart is given one array or number in its place."""
    if not callable(function) or "tck" not in signature(function).parameters:
        return False
    return not any(isinstance(each, tuple | list) or hasattr(each, "tck") for each in values)


def _spline(parts: Iterable[Any]) -> tuple[Any, ...]:
    """Return parts of a spline with knots that rise, and that are enough for its degree, 5 at most."""
    rising = [np.sort(part) if np.ndim(part) == 1 else part for part in parts]
    knots = min((len(part) for part in rising if np.ndim(part) == 1), default=0)
    most = max(min(5, knots // 2 - 1), 0)
    return tuple(
        min(int(part), most) if isinstance(part, float | int | np.number) else part
        for part in rising
    )


def is_costly(function: Function, values: list[Any]) -> bool:
    """Tell whether a call with values that are known may take long or much memory."""
    numbers = [v for v in values if isinstance(v, int) and not isinstance(v, bool)]
    if function in (math.factorial, math.comb, math.perm):
        return any(number > 1000 for number in numbers)
    return function in (builtins.list, builtins.tuple, builtins.sum) and any(
        isinstance(v, range) and len(v) > 10_000 for v in values
    )
