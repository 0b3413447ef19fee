"""Print every figure that is promised beside what is measured here and now.

python tests/benchmarks/ratios.py
"""

import sys
import tempfile
import time
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "handwritten"), str(HERE.parent.parent)]

import numpy as np  # noqa: E402
from cases import cases, logistic, nested, plain, straight, three, written  # noqa: E402

import s2sad  # noqa: E402


def best(function, args, seconds=0.2):
    """Return the shortest time of one call, of as many as fit."""
    shortest, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        function(*args)
        shortest = min(shortest, time.perf_counter() - start)
    return shortest


def ratio(one, other, args, rounds=5):
    """Return how much longer `one` takes than `other`, measured in turns."""
    pairs = [(best(one, args), best(other, args)) for _ in range(rounds)]
    return min(a for a, _ in pairs) / min(b for _, b in pairs)


def generation(source, folder, name, statements):
    """Return the milliseconds that one statement of a generated function takes to derive."""
    function = getattr(written(source, folder, name + "_module"), name)
    start = time.perf_counter()
    s2sad.grad(function)
    return 1e3 * (time.perf_counter() - start) / statements


def overhead():
    """Return the microseconds that the callable adds to the emitted function."""
    args = (np.ones(3), np.ones((3, 3)), 2.0)
    df = s2sad.grad(three, "b")
    df(*args)
    (made,) = df._exact.values()

    def many(function):
        for _ in range(1000):
            function(*args)

    return (best(many, (df,)) - best(many, (made.function,))) * 1e3


def scalar_loop():
    """Return the time of a gradient through 10,000 scalar steps, in times of the primal."""
    args = (0.3, 3.7, 10_000)
    return ratio(plain(s2sad.grad(logistic, ("x", "r"), like=args)), logistic, args)


def figures(folder):
    """Yield what is measured, its limit, and a function that measures it."""
    for name, case in cases().items():
        measure = partial(lambda c: ratio(c.emitted(), c.handwritten, c.all_args), case)
        yield f"{name}: emitted / hand-written", 1.15, measure
    yield "scalar loop: gradient / primal", 4.0, scalar_loop
    yield "call with three arguments, us", 3.0, overhead
    for count in (250, 1000):
        measure = partial(generation, straight(count), folder, "straight", count)
        yield f"generation of {count} statements, ms each", 10.0, measure
    measure = partial(generation, nested(20), folder, "nested", 40)
    yield "generation of 20 nested blocks, ms each", 10.0, measure


def main():
    """Measure everything and print one line for each figure."""
    with tempfile.TemporaryDirectory() as folder:
        for name, limit, measure in figures(Path(folder)):
            try:
                value = measure()
            except s2sad.S2sadError as error:
                print(f"{name:42} refused: {error.problem}")
                continue
            print(
                f"{name:42} {value:8.2f}  at most {limit:5.2f}  {'' if value <= limit else 'OVER'}"
            )


if __name__ == "__main__":
    main()
