"""The modules that templates name, each under one name, and what a function is known by.

    linalg.solve_banded      scipy.linalg.solve_banded, if the user's program has imported scipy.linalg
    np.add.reduce            (id of np.add, "reduce"): it is another object each time

SciPy is never imported here: a function of SciPy's can be met only where its module is loaded.
"""

from __future__ import annotations

import builtins
import cmath
import copy
import itertools
import json
import logging
import math
import statistics
import sys
import warnings
from collections.abc import Hashable, Mapping
from types import BuiltinMethodType, ModuleType
from typing import Any

import numpy as np

from s2sad.source.optional import MODULES as SCIPY

PLAIN: Mapping[str, ModuleType] = {
    "np": np,
    "math": math,
    "cmath": cmath,
    "statistics": statistics,
    "copy": copy,
    "itertools": itertools,
    "json": json,
    "logging": logging,
    "warnings": warnings,
}
MISSING = object()
OF_NUMBERS = ("math", "cmath")


def module(short: str) -> tuple[str, Any]:
    """Return the text and the object of a module that templates name; MISSING of any other word."""
    if short in PLAIN:
        return short, PLAIN[short]
    if short == "scipy":
        return short, sys.modules.get(short, MISSING)
    return SCIPY.get(short, short), sys.modules.get(SCIPY.get(short, ""), MISSING)


def takes_numbers(function: Any) -> bool:
    """Tell whether a function is of a module of Python's own numbers: no array may be handed to it."""
    return getattr(function, "__module__", "") in OF_NUMBERS


def builtin(word: str) -> Any:
    """Return a function of Python's own, MISSING of any other word."""
    return vars(builtins).get(word, MISSING)


def resolved(dotted: str) -> Any:
    """Return the object that a dotted name of a template stands for, MISSING where it has none."""
    first, *rest = dotted.split(".")
    _, found = module(first)
    if found is MISSING and not rest:
        found = builtin(first)
    for word in rest:
        if found is MISSING:
            return MISSING
        found = getattr(found, word, MISSING)
    return found


def is_hashable(value: Any) -> bool:
    """Tell whether a value can be a key; an object that compares in a way of its own cannot."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def identity(function: Any) -> Hashable:
    """Return what a function is known by."""
    if isinstance(function, BuiltinMethodType) and isinstance(function.__self__, np.ufunc):
        return id(function.__self__), function.__name__
    return id(function)
