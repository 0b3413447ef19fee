"""Judges texts by calls with other data than they were made for: each is right, or raises ValueError.

    judge(f, case, folder)

A text is made once for any arguments and once for these, and called with arrays of other lengths and
numbers of axes, with views, lists, whole numbers, single precision, and with other options.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests import oracles
from tests.fuzz.case import Case
from tests.fuzz.limits import quiet, time_limit
from tests.fuzz.score import BADNESS, Derive, Score, Wrong, judged_stage, s2sad_derive

# what a text, or the function itself, may raise for what it is not made for
RAISED = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, NameError)
RAISED += (AssertionError, TimeoutError, oracles.Mismatch)
SINGLE = 1e-3
OPTIONS: tuple[dict[str, Any], ...] = (
    *({"n": n} for n in (0, 1, 3, -1, 2.0, True, np.int64(3), None)),
    *({"kind": kind} for kind in ("b", "c", "", None, 1)),
    *({"flag": flag} for flag in (False, 0, 1, None, np.bool_(False), np.True_, "x")),
    {"n": 1, "kind": "b", "flag": False},
)
LENGTHS = ((3, 4), (4, 4), (1, 4), (5, 4), (3, 1), (1, 1), (3, 5), (2, 2), (0, 4), (1, 0))


def judge(f: Callable[..., Any], case: Case, folder: Path, derive: Derive = s2sad_derive) -> Score:
    """Return the worse of the scores of the two texts."""
    f(*copy.deepcopy(case.args))
    called = list(others(*case.args, np.random.default_rng(len(case.text))))

    def made(like: Any) -> None:
        df = derive("value_and_grad", f, wrt=case.wrt, like=like)
        run = oracles.standalone(df.source, df.__name__)
        for what, args, options in called:
            _check(f, run, what, args, options)

    with quiet():
        scores = [
            judged_stage("any.text", lambda: made(None)),
            judged_stage("like.text", lambda: made(case.args)),
        ]
    return max(scores, key=lambda each: BADNESS.index(each.verdict))


def _check(
    f: Callable[..., Any], run: Callable[..., Any], what: str, args: Any, options: dict[str, Any]
) -> None:
    try:
        with time_limit(5.0):
            found, bars = run(*copy.deepcopy(args), **options)
            value = f(*copy.deepcopy(args), **options)
    except RAISED:
        return
    is_single = any(str(getattr(each, "dtype", "")) == "float32" for each in args)
    digits = SINGLE if is_single else 1e-9
    if not np.allclose(found, value, rtol=digits, equal_nan=True):
        raise Wrong(f"{what} {options}: value {found}, the primal gives {value}")
    wide = tuple(_wide(each) for each in args)
    try:
        known = oracles.differences(lambda *given: f(*given, **options), wide, range(len(args)))
        flat = oracles.flatten([np.asarray(b) for b in bars], [np.asarray(w) for w in wide])
    except RAISED:
        return
    if known.scorable.all():
        fault = oracles.compare(flat, replace(known, error=known.error + digits))
        if fault is not None:
            raise Wrong(f"{what} {options}: {fault}")


def _wide(value: Any) -> Any:
    """Return an argument in double precision, so that differences can be taken."""
    if isinstance(value, list | tuple):
        return np.array(value, float)
    if isinstance(value, np.ndarray):
        return value.astype(float) if value.dtype.kind == "f" else value
    return float(value) if isinstance(value, float | np.floating) else value


def others(
    M: np.ndarray, v: np.ndarray, c: float, rng: np.random.Generator
) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield what stands in the place of a matrix, a vector as long as its rows, and a number."""

    def some(*shape: int) -> np.ndarray:
        return np.abs(rng.uniform(-0.1, 1.0, shape)).round(3)

    for rows, columns in LENGTHS:
        yield "a matrix", (some(rows, columns), v, c), {}
        yield "a vector", (M, some(columns), c), {}
        yield "both", (some(rows, columns), some(columns), c), {}
    yield "axes", (some(4), v, c), {}
    yield "axes", (M, some(3, 4), c), {}
    yield "axes", (some(2, 3, 4), v, c), {}
    yield "numbers", (M, 0.3, c), {}
    yield "numbers", (0.3, v, c), {}
    for number in (some(4), some(1), np.array(c), np.float64(c), np.float32(c), -c, 0.0):
        yield "a number", (M, v, number), {}
    yield "views", (np.asfortranarray(M), v[::-1], c), {}
    yield "views", (np.repeat(M, 2, axis=1)[:, ::2], np.stack([v, v])[0], c), {}
    yield "one array", (M, M[0], c), {}
    yield "one array", (M, M[1, ::-1], c), {}
    yield "read alone", (np.broadcast_to(v, (3, 4)), v, c), {}
    yield "read alone", (M, np.broadcast_to(0.4, 4), c), {}
    yield "single precision", (M.astype(np.float32), v.astype(np.float32), c), {}
    yield "single precision", (M, v.astype(np.float32), c), {}
    yield "lists", (M, v.tolist(), c), {}
    yield "lists", (M.tolist(), v, c), {}
    yield "a tuple", (M, tuple(v.tolist()), c), {}
    yield "signs", (-M, -v, c), {}
    yield "zeros", (0.0 * M, 0.0 * v, c), {}
    yield "an order", (M[::-1, ::-1], np.roll(v, 1), c), {}
    for options in OPTIONS:
        yield "options", (M, v, c), options
    for w in (some(4), v, some(2), 0.7, some(4).tolist()):
        yield "an option", (M, v, c), {"w": w}
