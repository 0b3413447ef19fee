"""What libraries ask of whatever module their arrays are of: a derivative is made for NumPy's.

Contexts of the standard library that change what is computed under them stand here, too.
"""

# mypy: ignore-errors

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np


def array_namespace(*arrays):
    """Return the module of arrays."""
    return np


def cast(kind, value):
    """Return a value: what type checkers are told of it changes nothing."""
    return value


def isclass(value):
    """Tell whether a value is a class, as inspect does."""
    return isinstance(value, type)


def promoted(array, *others, broadcast=False, force_floating=False, xp=None):
    """Return arrays, whole numbers as floats if that is asked for; one array by itself."""
    if not others:
        return np.asarray(array) * 1.0 if force_floating else np.asarray(array)
    one = 1.0 if force_floating else 1
    found = [np.asarray(each) * one for each in (array, *others)]
    return np.broadcast_arrays(*found) if broadcast else found


def converted(
    array, dtype=None, order=None, copy=None, *, xp=None, check_finite=False, subok=False
):
    """Return an array, a copy if that is asked for."""
    return np.array(array, dtype=dtype) if copy else np.asarray(array, dtype=dtype)


def size(array):
    """Return how many elements an array has."""
    return np.size(array)


def copied(array, *, xp=None):
    """Return a copy of an array."""
    return np.array(array)


def raveled(array, *, xp=None):
    """Return the elements of an array in a row."""
    return np.ravel(array)


def yes(array):
    """Tell that an array is NumPy's."""
    return True


def no(array):
    """Tell that an array is no other module's."""
    return False


# what such helpers of SciPy are called; those that ask for a module by the beginning of their name
HELPERS = {
    "array_namespace": array_namespace,
    "_namespace": array_namespace,
    "xp_promote": promoted,
    "_asarray": converted,
    "xp_size": size,
    "size": size,
    "xp_copy": copied,
    "xp_ravel": raveled,
    "is_numpy": yes,
    "is_numpy_array": yes,
    "is_numpy_namespace": yes,
}
OTHERS = "array_api_strict cupy torch jax dask lazy marray ndonnx pydata_sparse".split()
HELPERS |= {f"is_{name}{end}": no for name in OTHERS for end in ("", "_array", "_namespace")}


# modules that hold NumPy's functions under the names of the array API, which it has itself from 2.1
STAND_INS = {f"array_api_compat.numpy{part}" for part in ("", ".linalg", ".fft")}
# what holds functions of NumPy and SciPy that another transformer can see through
TRACED = ("autograd.numpy", "autograd.scipy")


def as_numpy(function: Any) -> Any:
    """Return what a helper of SciPy's for any module of arrays does with NumPy's, None of others.

    Of a module that stands in for NumPy, NumPy; of a function that wraps one of NumPy's, that.
    """
    if isinstance(function, ModuleType):
        return _module_that_computes(function)
    module, called = (str(getattr(function, each, "")) for each in ("__module__", "__name__"))
    if getattr(function, "_is_autograd_primitive", False):
        return function.fun
    if module == "autograd.numpy.numpy_wrapper":
        return getattr(np, called, None)
    of_any = "array_api" in module or (called == "_namespace" and module.startswith("scipy."))
    return HELPERS.get(called) if of_any else None


def _module_that_computes(module: ModuleType) -> Any:
    """Return the module of NumPy or SciPy that another one stands in for, or the distribution."""
    if module.__name__.startswith(TRACED):
        package, _, called = module.__name__.removeprefix("autograd.").rpartition(".")
        return getattr(importlib.import_module(package), called) if package else np
    _, found, part = module.__name__.partition("array_api_compat.numpy")
    if not hasattr(np, "astype") or found + part not in STAND_INS:
        return None
    return getattr(np, part[1:]) if part else np


@contextmanager
def suppress(*kinds: type[BaseException]) -> Iterator[None]:
    """Leave the block at an exception of these kinds."""
    try:  # noqa: SIM105 - it is what this is made of
        yield
    except kinds:
        pass
