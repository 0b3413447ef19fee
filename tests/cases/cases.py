"""A function and its arguments, held against differences in both modes, with examples and without.

verdict(f, (1.1,))      "right", "refused", or a sentence that says what is wrong
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

import s2sad
from s2sad.ir.errors import InternalError, S2sadError
from tests import oracles


def verdict(function: Callable[..., Any], args: tuple[Any, ...], wrt: int = 0) -> str:
    """Return what is made of a function: right in every way, refused, or what is wrong."""
    expected = oracles.differences(function, args, (wrt,))
    assert expected.scorable.all()
    found = {_judged(function, args, wrt, expected, known) for known in ({}, {"like": args})}
    for kind in ("refused", "right"):
        if found == {kind}:
            return kind
    return "; ".join(sorted(found))


def _judged(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: int,
    expected: oracles.Estimate,
    known: dict[str, Any],
) -> str:
    try:
        gradient = s2sad.grad(function, wrt=wrt, **known)(*copy.deepcopy(args))
        dot = np.ones_like(args[wrt]) if isinstance(args[wrt], np.ndarray) else 1.0
        tangent = s2sad.jvp(function, wrt=wrt, **known)(*copy.deepcopy(args), dot)[1]
    except InternalError:
        raise
    except S2sadError:
        return "refused"
    numbers = oracles.flatten((gradient,), (args[wrt],))
    fault = oracles.compare(numbers, expected)
    if fault:
        return f"wrong: {fault}"
    if not np.isclose(np.sum(numbers), tangent, rtol=1e-9, atol=1e-12):
        return f"forward {tangent} and reverse {np.sum(numbers)} differ"
    return "right"
