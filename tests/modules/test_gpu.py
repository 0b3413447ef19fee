"""Derivatives on a GPU against those on the host; run them with `pytest -m gpu` where there is one."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import S2sadError
from tests.benchmarks.experts import CASES as EXPERTS
from tests.benchmarks.experts import Case
from tests.fuzz import generate
from tests.fuzz.case import loaded
from tests.kernels.test_kernels import KERNELS
from tests.programs.entry import Entry
from tests.programs.table import ALL

pytestmark = pytest.mark.gpu
DRAWN = {"drawn_by_the_module"}
TWICE = {"put_at_flags"}  # writes two values to one place: which stays is not defined on a device
TOLERANCES = {"float64": 1e-10, "float32": 1e-4}


@pytest.fixture(scope="module")
def cupy() -> Any:
    found = pytest.importorskip("cupy")
    try:
        found.cuda.runtime.getDeviceCount()
    except Exception as error:
        pytest.skip(f"no GPU: {error}")
    return found


def moved(value: Any, convert: Any) -> Any:
    """Return a value with each of its arrays converted."""
    if isinstance(value, (list, tuple)):
        return type(value)(moved(part, convert) for part in value)
    if isinstance(value, dict):
        return type(value)((key, moved(part, convert)) for key, part in value.items())
    return (
        convert(value) if hasattr(value, "shape") and not isinstance(value, np.generic) else value
    )


def cast(value: Any, dtype: str) -> Any:
    return moved(value, lambda a: a.astype(dtype) if a.dtype.kind == "f" else a)


def compare(
    cupy: Any,
    function: Any,
    args: Any,
    wrt: Any,
    seed: Any,
    dtype: str,
    arrays: str = "cupy",
    form: Any = s2sad.vjp,
) -> None:
    """Compare a derivative on the device with that on the host; `seed` may be a direction."""
    args, seed = cast(args, dtype), cast(seed, dtype)
    try:
        function(*copy.deepcopy(args))
    except Exception as problem:
        pytest.skip(f"the function itself raises: {problem}".splitlines()[0])
    try:
        expected = form(function, wrt=wrt)(*args, seed)
        derivative = form(function, wrt=wrt, arrays=arrays)
        found = derivative(*moved(args, cupy.asarray), moved(seed, cupy.asarray))
    except S2sadError as problem:
        pytest.skip(f"refused: {problem}".splitlines()[0])
    near(moved(found, cupy.asnumpy), expected, TOLERANCES[dtype])


def near(found: Any, expected: Any, tolerance: float) -> None:
    if isinstance(expected, (list, tuple)):
        for a, b in zip(found, expected, strict=True):
            near(a, b, tolerance)
    elif isinstance(expected, dict):
        for key, part in expected.items():
            near(found[key], part, tolerance)
    elif expected is not None:
        scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.label)
def test_programs(cupy: Any, entry: Entry, dtype: str) -> None:
    if entry.label in DRAWN | TWICE:
        pytest.skip("what a device gives is not what the host gives")
    wrt = entry.wrt if len(entry.wrt) > 1 else entry.wrt[0]
    compare(cupy, entry.function, entry.args, wrt, entry.seed, dtype)


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.label)
def test_programs_of_either_module(cupy: Any, entry: Entry) -> None:
    if entry.label in DRAWN | TWICE:
        pytest.skip("what a device gives is not what the host gives")
    wrt = entry.wrt if len(entry.wrt) > 1 else entry.wrt[0]
    compare(cupy, entry.function, entry.args, wrt, entry.seed, "float64", "dispatch")


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.label)
def test_tangents(cupy: Any, entry: Entry) -> None:
    direction = entry.args[entry.wrt[0]] if isinstance(entry.wrt[0], int) else None
    if entry.label in DRAWN | TWICE or not isinstance(direction, (float, np.ndarray)):
        pytest.skip("no number or array, or what a device gives is not what the host gives")
    direction = direction + 0.5 if isinstance(direction, float) else np.asarray(direction + 0.5)
    compare(cupy, entry.function, entry.args, entry.wrt[0], direction, "float64", form=s2sad.jvp)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_kernels(cupy: Any, kernel: Any) -> None:
    compare(cupy, kernel, KERNELS[kernel](np.random.default_rng(0)), 0, 1.0, "float64")


@pytest.mark.parametrize("number", range(500))
def test_random_programs(cupy: Any, number: int, tmp_path: Path) -> None:
    case = generate.program(6001, number)
    with loaded(case, tmp_path) as function:
        wrt = case.wrt if len(case.wrt) > 1 else case.wrt[0]
        compare(cupy, function, case.args, wrt, case.seed, "float64")


@pytest.mark.parametrize("case", EXPERTS, ids=lambda case: case.function.__name__)
def test_functions_with_adjoints_by_hand(cupy: Any, case: Case) -> None:
    args = case.args(case.sizes[1])
    expected = s2sad.grad(case.function, wrt=case.wrt, like=args)(*args)
    derivative = s2sad.grad(case.function, wrt=case.wrt, like=args, arrays="cupy")
    near(moved(derivative(*moved(args, cupy.asarray)), cupy.asnumpy), expected, 1e-9)
