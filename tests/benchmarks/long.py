"""Time and memory to derive functions of many lines: python -m tests.benchmarks.long [LINES...]

Each size is measured in a process of its own: lines, seconds, megabytes above what was there.
"""

from __future__ import annotations

import linecache
import resource
import subprocess
import sys
import time

import numpy as np

import s2sad

SIZES = (250, 500, 1000)


def chain(count: int) -> str:
    """Return a function of so many lines, each with a name of its own."""
    lines = ["def f(x, c):", "    v0 = x * c", "    v1 = np.sin(v0)"]
    lines += [f"    v{k} = np.sin(v{k - 1}) * c + v{k - 2}" for k in range(2, count)]
    return "\n".join([*lines, f"    return np.sum(v{count - 1})"]) + "\n"


def measure(count: int) -> str:
    """Derive a function of so many lines; return what it took."""
    text = chain(count)
    linecache.cache["<chain>"] = len(text), None, text.splitlines(True), "<chain>"
    space = {"np": np}
    exec(compile(text, "<chain>", "exec"), space)
    before, start = _memory(), time.perf_counter()
    derivative = s2sad.grad(space["f"], wrt=(0, 1), like=(np.ones(3), 0.5))
    lines = len(derivative.source.splitlines())
    seconds, used = time.perf_counter() - start, _memory() - before
    return f"{count:6} lines: {seconds:7.2f} s, {used:6.0f} MB, {lines} lines of text"


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(words: list[str]) -> None:
    """Measure each size in a process of its own."""
    if words[:1] == ["--one"]:
        print(measure(int(words[1])))
        return
    for count in words or map(str, SIZES):
        command = [sys.executable, "-m", "tests.benchmarks.long", "--one", count]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
