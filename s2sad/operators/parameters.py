"""The parameters of functions and methods of NumPy, by their own names.

names_of(np.roll)      ("a", "shift", "axis")
names_of(u.sum)        ("axis", "dtype", "out", ...)
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from inspect import Parameter
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr

POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
# what a ufunc may be told, as NumPy documents it: a signature of its own it has not
OF_UFUNCS: Mapping[str, Any] = {
    "out": None,
    "where": True,
    "casting": "same_kind",
    "order": "K",
    "dtype": None,
    "subok": True,
    "signature": None,
}
# what functions may be told of which Python knows no signature
OF_OTHERS: Mapping[str, Any] = {"out": None, "dtype": None}


def parameters_of(function: Expr) -> tuple[Parameter, ...]:
    """Return the parameters of a function or of a method of arrays; none where they are not known."""
    if function.op == "attribute":
        return _parameters(getattr(np.ndarray, function.data, None))[1:]
    if function.op != "global":
        return ()
    value = function.data.value
    if isinstance(value, np.ufunc):
        return tuple(Parameter(f"x{k}", Parameter.POSITIONAL_ONLY) for k in range(value.nin))
    try:
        return _parameters(value)
    except TypeError:  # it has no hash, whatever its class says
        return ()


@cache
def _parameters(function: Any) -> tuple[Parameter, ...]:
    try:
        return tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return ()


def names_of(function: Expr) -> tuple[str, ...]:
    """Return the names of the parameters that can be given by position."""
    return tuple(each.name for each in parameters_of(function) if each.kind in POSITIONAL)


def defaults_of(function: Expr) -> Mapping[str, Any]:
    """Return what a function takes for what it is not given."""
    if function.op == "global" and isinstance(function.data.value, np.ufunc):
        return OF_UFUNCS
    parameters = parameters_of(function)
    return {each.name: each.default for each in parameters} if parameters else OF_OTHERS
