"""Judges programs in single precision by differences of what they would compute in double precision.

    judge(f, case, folder)

Gradients have the dtypes of their arguments, and as many digits as these.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests import oracles
from tests.fuzz.case import Case, loaded
from tests.fuzz.limits import quiet
from tests.fuzz.score import BADNESS, Derive, Score, Wrong, judged_stage, s2sad_derive

# what a program in single precision may be off by, relative to its largest derivative
ROUNDED = 1e-4
LARGEST = 1e4
WIDER = {"float32": "float64", "complex64": "complex128", "'f4'": "'f8'"}


def judge(f: Callable[..., Any], case: Case, folder: Path, derive: Derive = s2sad_derive) -> Score:
    """Return the worse of the scores of both modes."""
    label, args = f"{case.label}_wide", tuple(map(_wide, case.args))
    with loaded(replace(case, label=label, text=in_double(case.text)), folder) as g, quiet():
        with np.errstate(all="raise", under="ignore"):
            value, wide = (h(*copy.deepcopy(xs)) for h, xs in ((f, case.args), (g, args)))
        known = oracles.differences(g, args, case.wrt)
    scale = 1.0 + float(np.max(np.abs(known.value)))
    is_near = abs(value - wide) <= ROUNDED * (
        1.0 + abs(wide)
    )  # else a test flips, or it is chaotic
    if not is_near or not known.scorable.all() or scale > LARGEST:
        return Score("unscorable", "primal")
    known = replace(known, error=known.error + 0.1 * ROUNDED * scale)

    def reverse() -> None:
        _check_gradient(derive("value_and_grad", f, wrt=case.wrt), case, value, known)

    def forward() -> None:
        _check_tangent(derive("jvp", f, wrt=case.wrt), case, value, known)

    with quiet():
        scores = [judged_stage("reverse", reverse), judged_stage("forward", forward)]
    return max(scores, key=lambda each: BADNESS.index(each.verdict))


def in_double(text: str) -> str:
    """Return a program that computes in double precision where it did in single."""
    for name, wider in WIDER.items():
        text = text.replace(name, wider)
    return text


def _wide(value: Any) -> Any:
    is_float = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return value.astype(np.float64) if is_float else value


def _check_gradient(
    df: Callable[..., Any], case: Case, value: Any, known: oracles.Estimate
) -> None:
    args = copy.deepcopy(case.args)
    found, bars = df(*args)
    _check_value(found, value, case.args, args)
    like = tuple(case.args[place] for place in case.wrt)
    fault = oracles.compare(oracles.flatten(bars, like), known)
    if fault is not None:
        raise Wrong(fault)
    for arg, bar in zip(like, bars, strict=True):
        if isinstance(arg, np.ndarray) and bar.dtype != arg.dtype:
            raise Wrong(f"a gradient of {bar.dtype} for an argument of {arg.dtype}")


def _check_tangent(df: Callable[..., Any], case: Case, value: Any, known: oracles.Estimate) -> None:
    like = tuple(case.args[place] for place in case.wrt)
    flat = np.random.default_rng(7).uniform(-1.0, 1.0, known.value.size)
    dots, args = oracles.unpack(flat, like), copy.deepcopy(case.args)
    found, tangent = df(*args, *dots)
    _check_value(found, value, case.args, args)
    expected = known.value @ oracles.pack(dots)
    if not abs(tangent - expected) <= 20.0 * np.max(known.error):
        raise Wrong(f"tangent {tangent}, differences {expected}")


def _check_value(found: Any, value: Any, before: Any, after: Any) -> None:
    if oracles.changed(before, after):
        raise Wrong("an argument was written to")
    if not abs(found - value) <= 1e-6 * (1.0 + abs(value)):
        raise Wrong(f"value {found!r}, the primal gives {value!r}")
