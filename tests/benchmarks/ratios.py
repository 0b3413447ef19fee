"""Print every figure that is promised beside what is measured here and now.

python tests/benchmarks/ratios.py
"""

import sys
import tempfile
import time
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


def generation(source, folder, name):
    """Return the seconds that it takes to derive the gradient of a generated function."""
    function = getattr(written(source, folder, name + "_module"), name)
    start = time.perf_counter()
    s2sad.grad(function)
    return time.perf_counter() - start


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


def show(name, value, limit, unit=""):
    """Print one figure and whether it keeps its promise."""
    print(
        f"{name:40} {value:8.2f} {unit:3} at most {limit:5.2f}  {'' if value <= limit else 'OVER'}"
    )


def main():
    """Measure everything."""
    for name, case in cases().items():
        value = ratio(case.emitted(), case.handwritten, case.all_args)
        show(f"{name}: emitted / hand-written", value, 1.15)
    args = (0.3, 3.7, 10_000)
    gradient = plain(s2sad.grad(logistic, ("x", "r"), like=args))
    show("scalar loop: gradient / primal", ratio(gradient, logistic, args), 4.0)
    show("call with three arguments", overhead(), 3.0, "us")
    with tempfile.TemporaryDirectory() as folder:
        for count in (250, 1000):
            seconds = generation(straight(count), Path(folder), "straight")
            show(f"generation of {count} statements, each", 1e3 * seconds / count, 10.0, "ms")
        seconds = generation(nested(20), Path(folder), "nested")
        show("generation of 20 nested blocks, each", 1e3 * seconds / 40, 10.0, "ms")


if __name__ == "__main__":
    main()
