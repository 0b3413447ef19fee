"""What a name may hold that is a function, or is called as one is.

np.sin, a function of the user's, a spline that was made before, float
"""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np


class _HasRules(type):
    def __instancecheck__(cls, value: Any) -> bool:
        kind = type(value)
        known = kind.__module__.startswith(("scipy.interpolate.", "numpy.polynomial."))
        return (known and callable(value) and kind is not type) or kind is np.poly1d


class Tabulated(metaclass=_HasRules):
    """An interpolant or a polynomial: called as a function is, and known by its class."""


# what a name may hold that is a function: Python's, built in, NumPy's; or as good as one
FUNCTION_TYPES = (FunctionType, BuiltinFunctionType, np.ufunc, type(np.sum), Tabulated)


def is_function(value: Any) -> bool:
    """Tell whether a value is a function, or a type of numbers, which makes what it is given one."""
    if isinstance(value, type):
        return value in (float, int, bool, complex) or issubclass(value, np.generic)
    return isinstance(value, FUNCTION_TYPES)


def name_of(function: Any) -> str:
    """Return the name of a function; of what is only as good as one, that of its class."""
    return str(getattr(function, "__name__", type(function).__name__.lower()))
