"""Many data sets on Dask: the derivative is sent to processes, and Dask's arrays go through it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad

ROOT = Path(__file__).resolve().parents[2]
RNG = np.random.default_rng(3)


def some(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


# ---------------------------------------------------------------- arrays in chunks


def chain(u, v, c):
    a = np.tanh(u) * v + c
    b = np.exp(-a * a) / (1.0 + u * u)
    return np.sum(a * b + np.sin(b))


def mlp(W, b, V, x, y):
    h = np.tanh(x @ W + b)
    r = h @ V - y
    return np.mean(r * r)


def spread(u, w):
    m = np.mean(u, axis=0)
    s = np.sqrt(np.var(u, axis=0) + 1e-3)
    z = (u - m) / s
    return np.sum(w * np.max(z, axis=0)) + np.sum(np.abs(z) * w)


CHAIN = some(40), some(40), 0.3
MLP = some(6, 8), some(8), some(8, 2), some(100, 6), some(100, 2)
SPREAD = some(50, 4), some(4)


@pytest.mark.parametrize("with_examples", [False, True])
@pytest.mark.parametrize(
    ("function", "wrt", "args", "chunked"),
    [
        (chain, ("u", "v"), CHAIN, {"u", "v"}),
        (chain, ("u", "v"), CHAIN, {"v"}),
        (mlp, ("W", "b", "V"), MLP, {"x", "y"}),
        (mlp, ("W", "b", "V"), MLP, {"x"}),
        (spread, ("u", "w"), SPREAD, {"u"}),
    ],
)
def test_arrays_of_dask_stand_beside_those_of_numpy(
    function: Any, wrt: Any, args: Any, chunked: set[str], with_examples: bool
) -> None:
    dask = pytest.importorskip("dask")
    names = function.__code__.co_varnames
    given = [_chunks(a) if n in chunked else a for n, a in zip(names, args, strict=False)]
    like = args if with_examples else None
    made = s2sad.value_and_grad(function, wrt=wrt, arrays="dispatch", like=like)(*given)
    value, gradient = dask.compute(*made)
    expected, slopes = s2sad.value_and_grad(function, wrt=wrt)(*args)
    assert np.isclose(value, expected, rtol=1e-12)
    assert all(np.allclose(a, b, rtol=1e-11) for a, b in zip(gradient, slopes, strict=True))


def _chunks(array: np.ndarray) -> Any:
    import dask.array

    return dask.array.from_array(array, chunks=(len(array) // 3, *array.shape[1:]))


def norms(u):
    return np.sum(np.sqrt(np.mean(u * u, axis=1) + 1.0))


@pytest.mark.parametrize("function", [chain, norms, mlp])
def test_what_is_larger_than_memory_is_taken_chunk_by_chunk(function: Any) -> None:
    dask = pytest.importorskip("dask")
    args, first, size = _large(function)
    with dask.config.set(scheduler="synchronous"):
        made = s2sad.value_and_grad(function, arrays="dispatch")(*args)
        dask.compute(args[-1 if function is mlp else 0][:10].sum() ** 2)  # imports what it needs
        tracemalloc.start()
        value, total = dask.compute(made[0], (made[1] ** 2).sum())
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        expected, gradient = s2sad.value_and_grad(function)(*dask.compute(*args))
    assert peak < size / 2, f"{peak / 1e6:.0f} MB of {size / 1e6:.0f} MB"
    assert np.isclose(value, expected, rtol=1e-10)
    assert np.isclose(total, np.sum(gradient**2), rtol=1e-10), first


def _large(function: Any) -> tuple[tuple[Any, ...], str, int]:
    """Return arguments of several MB that are made chunk by chunk, and how large the first is."""
    import dask.array as da

    n, chunk = 1_600_000, 40_000
    line = da.sin(da.arange(n, chunks=chunk, dtype=float))
    if function is chain:
        return (line, 0.5 * line, 0.3), "u", 8 * n
    rows = line.reshape(n // 8, 8)
    if function is norms:
        return (rows,), "u", 8 * n
    return (*(MLP[0][:2].repeat(4, axis=0), *MLP[1:3]), rows, 0.1 * rows[:, :2]), "W", 8 * n


def test_arrays_of_a_device_do_not_mix_with_those_of_dask() -> None:
    pytest.importorskip("dask")
    from tests.modules.standin import standing_in, to_device

    with standing_in():
        derivative = s2sad.grad(chain, arrays="dispatch")
        with pytest.raises(s2sad.ArgumentError, match="u is an array of cupy's, and v of dask's"):
            derivative(to_device(CHAIN[0]), _chunks(CHAIN[1]), 0.3)


# ---------------------------------------------------------------- a sum over experiments


@pytest.fixture(scope="module")
def shots() -> Iterator[Any]:
    pytest.importorskip("distributed")
    sys.path.insert(0, str(ROOT / "examples"))
    import shots as module  # type: ignore[import-not-found]

    yield module
    sys.path.remove(str(ROOT / "examples"))
    del sys.modules["shots"]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**local) as cluster, distributed.Client(cluster) as made:
        yield made


def slowly(derivative: Any, *args: Any) -> Any:
    time.sleep(0.4)
    return derivative(*args)


def gap(c, place, wavelet, data):
    return np.sum((c[place] * wavelet - data) ** 2) + np.sum(c**2)


def test_a_sum_over_shots_is_right_though_a_worker_dies(shots: Any, client: Any) -> None:
    c, wavelet, every = some(6), some(20), [(place, some(20)) for place in range(6)]
    derivative = s2sad.value_and_grad(gap, wrt="c", like=(c, *every[0][:1], wavelet, every[0][1]))
    parts = [derivative(c, place, wavelet, data) for place, data in every]
    value, gradient = sum(v for v, _ in parts), sum(g for _, g in parts)

    total = shots.Sum(client, partial(slowly, derivative), wavelet, every)
    before = set(client.run(os.getpid).values())
    killed = threading.Timer(0.6, os.kill, (min(before), signal.SIGKILL))
    killed.start()
    found = total(c)
    killed.join()
    assert np.isclose(found[0], value, rtol=1e-13) and np.allclose(found[1], gradient, rtol=1e-12)
    assert min(before) not in set(client.run(os.getpid).values())


def test_the_shots_are_inverted(shots: Any) -> None:
    true, wavelet, every = shots.survey((12, 18), shots=2)
    derivative = s2sad.value_and_grad(shots.misfit, wrt="c")

    def total(c: Any) -> Any:
        values, gradients = zip(*(derivative(c, p, wavelet, d) for p, d in every), strict=True)
        return sum(values), sum(gradients)

    start = np.broadcast_to(true[:, :1], true.shape).copy()
    found, before, after = shots.invert(total, start, iterations=4)
    assert after < 0.2 * before and found.shape == true.shape


SCRIPT = """
import sys

import cloudpickle
import numpy as np

import s2sad

SCALE = 3.0


def cube(x):
    return SCALE * x**3


def energy(u):
    return np.sum(cube(u))


if __name__ == "__main__":
    cloudpickle.dump(s2sad.grad(energy), open(sys.argv[1], "wb"))
"""
LOADS = (
    "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb'))(__import__('numpy').ones(2)))"
)


def test_a_derivative_of_a_script_is_sent_by_value(tmp_path: Path) -> None:
    pytest.importorskip("cloudpickle")
    (tmp_path / "script.py").write_text(SCRIPT)
    where = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    target = tmp_path / "sent.pkl"
    run = partial(subprocess.run, check=True, capture_output=True, text=True, env=where)
    run([sys.executable, "script.py", target], cwd=tmp_path)
    (tmp_path / "script.py").unlink()
    done = run([sys.executable, "-c", LOADS, target])
    assert done.stdout.strip() == "[9. 9.]"
