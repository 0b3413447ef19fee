"""Time and memory to derive, stage by stage.

    python -m tests.benchmarks.derive [goldens] [kernels] [lines] [loops] [--profile=NAME]

A row: milliseconds of each stage and of all of them, and the lines of the text; with --memory the
megabytes that are held at most. Each row is the best of several runs in one process.
"""

from __future__ import annotations

import copy
import cProfile
import linecache
import math
import pstats
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import numpy as np

from s2sad.api import pipeline, rounds
from s2sad.api.request import Request as Asked
from s2sad.checkpoint import gradient as joined
from s2sad.emit import Request
from s2sad.emit import text as emit_text
from s2sad.ir.errors import NotYet
from s2sad.optimize import simplify
from tests.emitted.cases import cases
from tests.kernels.test_kernels import KERNELS, floats

SIZES = (100, 300, 1000, 3000)
SHORT = 0.5  # seconds: a row that takes less is run again
STAGES = {
    "lower": (rounds, "lower"),
    "prepare": (joined, "prepared"),
    "adjoint": (joined, "adjoint"),
    "plan": (joined, "plan"),
    "join": (joined, "join"),
    "own": (joined, "owned"),
}


@dataclass
class Row:
    """A function to be derived, with arguments."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: tuple[str, ...]
    form: str = "grad"


@dataclass
class Clock:
    """The seconds that each stage took."""

    seconds: dict[str, float] = field(default_factory=dict)

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose time is added to a stage."""

        def run(*args: Any, **options: Any) -> Any:
            start = time.process_time()
            try:
                return function(*args, **options)
            finally:
                self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - start

        return run


# ---------------------------------------------------------------------------- rows


def goldens() -> Iterator[Row]:
    """Yield the functions whose gradients are kept as golden files."""
    for name, case in cases().items():
        if case.mode in ("grad", "value_and_grad", "vjp"):
            yield Row(name, case.function, case.args, case.names, case.mode)


def kernels() -> Iterator[Row]:
    """Yield the classic kernels."""
    for kernel, arguments in KERNELS.items():
        args = arguments(np.random.default_rng(7))
        yield Row(kernel.__name__, kernel, args, floats(kernel, args))


def lines() -> Iterator[Row]:
    """Yield straight-line functions of more and more statements, of arrays and of numbers."""
    for count in SIZES:
        text = ["def f(x, c):", "    v0 = x * c", "    v1 = np.sin(v0)"]
        text += [f"    v{k} = np.sin(v{k - 1}) * c + v{k - 2}" for k in range(2, count)]
        text.append(f"    return np.sum(v{count - 1})")
        yield Row(f"line_{count}", _made(text), (np.ones(3), 0.5), ("x", "c"))
    for count in SIZES:
        text = ["def f(x, c):", "    v = x * c"]
        text += [f"    v = v * c + x[{k % 3}]" for k in range(count)]
        yield Row(
            f"again_{count}", _made([*text, "    return np.sum(v)"]), (np.ones(3), 0.5), ("x", "c")
        )


def loops() -> Iterator[Row]:
    """Yield loops over many statements: of arrays, and with stores to elements."""
    for count in (100, 300):
        body = [f"        u = u + c * np.sin(u - {k}.0)" for k in range(count)]
        text = ["def f(u, c, n):", "    for _ in range(n):", *body, "    return np.sum(u)"]
        yield Row(f"loop_{count}", _made(text), (np.ones(5), 0.5, 3), ("u", "c"))
    for count in (100, 300):
        body = [f"        v[{k % 5}] += c * v[{(k + 1) % 5}] ** 2" for k in range(count)]
        text = ["def f(u, c, n):", "    v = u.copy()", "    for _ in range(n):", *body]
        made = _made([*text, "    return np.sum(v)"])
        yield Row(f"stores_{count}", made, (np.ones(5), 0.1, 3), ("u", "c"))


def _made(text: list[str]) -> Callable[..., Any]:
    source = "\n".join(text) + "\n"
    path = f"<derive {hash(source)}>"
    linecache.cache[path] = len(source), None, source.splitlines(True), path
    space: dict[str, Any] = {"np": np}
    exec(compile(source, path, "exec"), space)
    made: Callable[..., Any] = space["f"]
    return made


GROUPS = {"goldens": goldens, "kernels": kernels, "lines": lines, "loops": loops}

# ---------------------------------------------------------------------------- stages


def derived(row: Row, clock: Clock) -> str:
    """Return the text of a derivative by the rooms; the clock has the time of each."""
    with ExitStack() as stack:
        for name, (module, function) in STAGES.items():
            timed = clock.timed(name, getattr(module, function))
            stack.enter_context(mock.patch.object(module, function, timed))
        made = clock.timed("gradient", pipeline.gradient_of)(
            Asked(row.function, row.wrt, row.form), copy.deepcopy(row.args)
        )
    program = clock.timed("simplify", simplify)(made.program, made.context)
    name = f"{row.function.__name__}_{row.form}"
    request = Request(name, row.form, row.wrt, made.source, made.context)
    text: str = clock.timed("emit", emit_text)(program, request)
    return text


def best(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least time of some runs, and what the last gave."""
    least, spent, result = math.inf, 0.0, None
    for _ in range(5):
        start = time.process_time()
        result = run()
        took = time.process_time() - start
        least, spent = min(least, took), spent + took
        if spent > SHORT:
            break
    return least, result


# ---------------------------------------------------------------------------- printing

ORDER = ("lower", "prepare", "adjoint", "plan", "join", "own", "simplify", "emit")


def measure(row: Row) -> bool:
    """Print one row, and tell whether it has a text."""
    stages: dict[str, float] = {}

    def run() -> str:
        clock = Clock()
        text = derived(row, clock)
        for name, seconds in clock.seconds.items():
            stages[name] = min(stages.get(name, math.inf), seconds)
        return text

    try:
        ours, text = best(run)
    except NotYet as error:
        print(f"{row.name[:22]:22} not yet: {error.reason}")
        return False
    cells = " ".join(f"{stages.get(name, 0.0) * 1e3:8.1f}" for name in ORDER)
    print(f"{row.name[:22]:22} {cells} {ours * 1e3:9.1f} {_code_lines(text):6}", flush=True)
    return True


def _code_lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def memory(row: Row) -> float:
    """Return the megabytes that a derivation has at most."""
    tracemalloc.start()
    derived(row, Clock())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def profile(name: str) -> None:
    """Print where the time of one row goes."""
    rows = [row for group in GROUPS.values() for row in group()]
    row = next(row for row in rows if row.name == name)
    derived(row, Clock())
    profiler = cProfile.Profile()
    profiler.enable()
    derived(row, Clock())
    profiler.disable()
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def main(words: list[str]) -> None:
    """Print the groups that are named, or all."""
    for word in words:
        if word.startswith("--profile="):
            profile(word[10:])
            return
    names = [word for word in words if not word.startswith("--")] or list(GROUPS)
    head = " ".join(f"{name:>8}" for name in ORDER)
    print(f"{'milliseconds':22} {head} {'all':>9} {'lines':>6}")
    for row in (row for name in names for row in GROUPS[name]()):
        if measure(row) and "--memory" in words:
            print(f"{'':22} {memory(row):8.1f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
