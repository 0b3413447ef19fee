"""Emitted against hand-written derivatives, generation, scalar loops, and the cost of a call."""

import time
import tracemalloc

import numpy as np
import pytest
from cases import burgers, cases, logistic, nested, plain, straight, three, written

import s2sad
from s2sad.api.structure import leaves

CASES = cases()


@pytest.mark.parametrize("by", ["handwritten", "emitted"])
@pytest.mark.parametrize("name", CASES)
def test_target(benchmark, name, by):
    case = CASES[name]
    benchmark.group = name
    function = case.handwritten if by == "handwritten" else case.emitted()
    found = benchmark(function, *case.all_args)
    expected = case.handwritten(*case.all_args)
    for (_, a), (_, b) in zip(leaves(found, ""), leaves(expected, ""), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)


@pytest.mark.parametrize("count", [250, 500, 1000])
def test_generation_of_straight_code(benchmark, tmp_path, count):
    function = written(straight(count), tmp_path, f"straight_{count}").straight
    benchmark.group = "generation"
    benchmark.extra_info["statements"] = count
    benchmark.pedantic(lambda: s2sad.grad(function), rounds=1)


def test_generation_of_nested_blocks(benchmark, tmp_path):
    function = written(nested(20), tmp_path, "nested_20").nested
    benchmark.group = "generation"
    df = benchmark.pedantic(lambda: s2sad.grad(function, like=(0.7,)), rounds=1)
    h = 1e-6
    differences = (function(0.7 + h) - function(0.7 - h)) / (2.0 * h)
    assert df(0.7) == pytest.approx(differences, rel=1e-6)


@pytest.mark.parametrize("by", ["primal", "gradient"])
def test_scalar_loop(benchmark, by):
    benchmark.group = "scalar loop, 10,000 steps"
    args = (0.3, 3.7, 10_000)
    df = plain(s2sad.grad(logistic, ("x", "r"), like=args))
    benchmark(logistic if by == "primal" else df, *args)


@pytest.mark.parametrize("schedule", [None, "sqrt", s2sad.Binomial(40)], ids=str)
def test_schedule(benchmark, schedule):
    benchmark.group = "Burgers' equation, 1,000 steps of 10,000 points"
    x = np.linspace(0.0, 2.0 * np.pi, 10_000, endpoint=False)
    args = (np.sin(x), 0.01, x[1], 1e-5, 1000)
    df = plain(s2sad.grad(burgers, like=args, checkpoint=schedule))
    tracemalloc.start()
    df(*args)
    benchmark.extra_info["peak, MB"] = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    benchmark(df, *args)


@pytest.mark.parametrize("by", ["emitted", "callable"])
def test_call(benchmark, by):
    benchmark.group = "call with three arguments"
    args = (np.ones(3), np.ones((3, 3)), 2.0)
    df = s2sad.grad(three, "b")
    assert df(*args) == 4.0
    (made,) = df._exact.values()
    benchmark(df if by == "callable" else made.function, *args)


def test_generation_is_linear(tmp_path):
    seconds = {}
    for count in (250, 1000):
        function = written(straight(count), tmp_path, f"linear_{count}").straight
        start = time.perf_counter()
        s2sad.grad(function)
        seconds[count] = time.perf_counter() - start
    assert seconds[1000] < 8.0 * seconds[250]
