"""The dtypes of operands become the dtype of the result, by NumPy's own promotion (NEP 50).

float32 array * Python float   ->  float32
int64 array / int64 array      ->  float64
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np

from s2sad.legacy.facts.fact import KINDS, Fact

OPERATORS: dict[str, np.ufunc] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide,
    "//": np.floor_divide, "%": np.remainder, "**": np.power, "&": np.bitwise_and,
    "|": np.bitwise_or, "^": np.bitwise_xor, "<<": np.left_shift, ">>": np.right_shift,
    "u-": np.negative, "u+": np.positive, "~": np.invert,
}  # fmt: skip

_WEAK: dict[str, type] = {"float": float, "int": int, "complex": complex}


def promoted(facts: tuple[Fact, ...]) -> str:
    """Return the dtype that operands are brought to, '' when unknown."""
    return _both(facts, _promote)


def ufunc_dtypes(ufunc: np.ufunc, facts: tuple[Fact, ...]) -> tuple[str, ...]:
    """Return the dtypes of a ufunc's results, '' where unknown."""
    return tuple(_both(facts, partial(_resolve_one, ufunc, at)) for at in range(ufunc.nout))


def _resolve_one(ufunc: np.ufunc, at: int, operands: tuple[type | str, ...]) -> str:
    return _resolve(ufunc, operands)[at]


def _both(facts: tuple[Fact, ...], rule: Any) -> str:
    """Apply a rule to dtypes; where a number may be Python's or NumPy's, both must agree."""
    if any(not fact.dtype for fact in facts):
        return ""
    weak = tuple(_operand(fact, fact.weak is not False) for fact in facts)
    result: str = rule(weak)
    if any(fact.weak is None for fact in facts):
        strong = tuple(_operand(fact, fact.weak is True) for fact in facts)
        return result if rule(strong) == result else ""
    return result


def _operand(fact: Fact, weak: bool) -> type | str:
    return _WEAK[fact.kind] if weak and fact.kind in _WEAK else fact.dtype


@lru_cache(maxsize=4096)
def _promote(operands: tuple[type | str, ...]) -> str:
    # NumPy is asked about values: 1.0 stands for any Python float
    values = [op(1) if isinstance(op, type) else np.dtype(op) for op in operands]
    if not any(isinstance(value, np.dtype) for value in values):
        values = [np.asarray(value).dtype for value in values]
    try:
        return np.result_type(*values).name
    except TypeError:
        return ""


@lru_cache(maxsize=4096)
def _resolve(ufunc: np.ufunc, operands: tuple[type | str, ...]) -> tuple[str, ...]:
    asked: list[Any] = [op if isinstance(op, type) else np.dtype(op) for op in operands]
    if all(isinstance(op, type) for op in operands):
        asked = [np.asarray(op(1)).dtype for op in asked]
    try:
        found = ufunc.resolve_dtypes((*asked, *[None] * ufunc.nout))
    except (TypeError, ValueError):
        return ("",) * ufunc.nout
    return tuple(dtype.name for dtype in found[ufunc.nin :])


def floating(dtype: str) -> str:
    """Return the inexact dtype that a mean or an inverse of `dtype` has."""
    if not dtype:
        return ""
    return dtype if np.dtype(dtype).kind in "fc" else "float64"


def summed(dtype: str) -> str:
    """Return the dtype of a sum: that of small integers is the machine's."""
    if not dtype:
        return ""
    return _promote_sum(dtype)


@lru_cache(maxsize=64)
def _promote_sum(dtype: str) -> str:
    return str(np.sum(np.zeros(1, dtype)).dtype.name)


def real_part(dtype: str) -> str:
    """Return the dtype of the real part, or of the absolute value."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def dtype_of_object(value: Any) -> str:
    """Return the name of a dtype given as np.float64, float, 'f8' or np.dtype; '' if it is none."""
    try:
        name = np.dtype(value).name
    except (TypeError, ValueError):
        return ""
    return name if np.dtype(value).kind in KINDS and value is not None else ""
