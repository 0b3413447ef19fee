"""Lines and times of emitted derivatives beside adjoints that were written by hand.

    python -m tests.benchmarks.text                 all functions, at three sizes
    python -m tests.benchmarks.text --only=hmm,warp
    python -m tests.benchmarks.text --lines         no times
    python -m tests.benchmarks.text --show=hmm      both texts
    python -m tests.benchmarks.text --markdown      as it stands in docs/text.md

Lines are those of code: imports, docstrings, comments and what is asked at the entry do not count,
and both texts are laid out in one way. Times are of the plain functions, in turns, the shortest of
many calls; emitted / written. Run it with OPENBLAS_NUM_THREADS=1: threads that wait for a core
make any ratio.
"""

from __future__ import annotations

import ast
import copy
import inspect
import math
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import s2sad
from s2sad.emit.layout import wrap
from tests.benchmarks.experts import CASES, Case

SIZES = ("small", "middle", "large")
ROUNDS, SECONDS = 10, 0.02


@dataclass(frozen=True, slots=True)
class Row:
    """What is found of a case: lines of both texts, emitted / written in time at each size."""

    case: Case
    emitted: int
    written: int
    times: tuple[float, ...]

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.case.function.__name__

    @property
    def lines(self) -> float:
        """Lines emitted / written."""
        return self.emitted / self.written


def derivative(case: Case, size: int) -> s2sad.DerivativeFunction:
    """Return the derivative that is emitted for arguments of a size."""
    wrt = case.wrt if len(case.wrt) > 1 else case.wrt[0]
    return s2sad.grad(case.function, wrt, like=case.args(size))


def plain(df: s2sad.DerivativeFunction) -> Callable[..., Any]:
    """Return the emitted function without the callable around it."""
    return df.emitted(df.request.given).function


def difference(case: Case, size: int) -> float:
    """Return the largest difference of both adjoints, relative to the largest number of each."""
    args = case.args(size)
    emitted = plain(derivative(case, size))(*copy.deepcopy(args))
    written = case.adjoint(*copy.deepcopy(args))
    if len(case.wrt) == 1:
        emitted, written = (emitted,), (written,)
    return max(map(_apart, emitted, written))


def _apart(one: Any, other: Any) -> float:
    scale = np.max(np.abs(other))
    return float(np.max(np.abs(np.asarray(one) - other)) / (scale if scale > 0.0 else 1.0))


# ---------------------------------------------------------------------------- lines


def code_lines(source: str) -> int:
    """Return how many lines of code a text has, laid out as emitted texts are."""
    return sum(len(wrap(*line)) for line in _statements(ast.parse(source).body))


def _statements(body: Iterable[ast.stmt]) -> Iterator[tuple[str, int]]:
    """Yield the logical lines that hold code, with how deep they stand."""
    kept = ast.Module([each for each in body if not _is_import(each)], [])
    for node in ast.walk(kept):
        if isinstance(node, ast.FunctionDef):
            start = 1 if ast.get_docstring(node) is not None else 0
            node.body = [each for each in node.body[start:] if not _is_check(each)]
    for line in ast.unparse(kept).splitlines():
        if line.strip():
            yield line.strip(), len(line) - len(line.lstrip())


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _is_check(node: ast.stmt) -> bool:
    """Tell whether a statement asks what the text relies on: `if ...: raise ValueError(...)`."""
    return isinstance(node, ast.If) and not node.orelse and isinstance(node.body[0], ast.Raise)


def written_text(case: Case) -> str:
    """Return the adjoint that was written by hand, with the functions that it calls."""
    module = inspect.getmodule(case.adjoint)
    found = [case.adjoint]
    for each in found:
        names = (getattr(module, n, None) for n in each.__code__.co_names)
        found += [f for f in names if inspect.isfunction(f) and f not in found]
    return "\n\n".join(textwrap.dedent(inspect.getsource(each)) for each in reversed(found))


# ---------------------------------------------------------------------------- times


def ratio(one: Callable[..., Any], other: Callable[..., Any], args: tuple[Any, ...]) -> float:
    """Return how much longer one function takes than another, measured in turns."""
    pairs = [(_shortest(one, args), _shortest(other, args)) for _ in range(ROUNDS)]
    return min(a for a, _ in pairs) / min(b for _, b in pairs)


def _shortest(function: Callable[..., Any], args: tuple[Any, ...]) -> float:
    shortest, end = math.inf, time.perf_counter() + SECONDS
    while True:
        start = time.perf_counter()
        function(*args)
        now = time.perf_counter()
        shortest = min(shortest, now - start)
        if now > end:
            return shortest


# ---------------------------------------------------------------------------- the table


def measured(case: Case, timed: bool = True) -> Row:
    """Return what is found of a case."""
    made = derivative(case, case.sizes[1])
    emitted = code_lines(str(made.source))
    written = code_lines(written_text(case))
    sizes = case.sizes if timed else ()
    times = tuple(ratio(plain(made), case.adjoint, case.args(size)) for size in sizes)
    return Row(case, emitted, written, times)


def mean(numbers: Iterable[float]) -> float:
    """Return the geometric mean."""
    logs = [math.log(number) for number in numbers]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def table(rows: list[Row]) -> Iterator[str]:
    """Yield the lines of the table, the geometric means and the worst."""
    yield f"{'function':22}{'lines':>9}{'ratio':>7}  time: " + "".join(
        f"{size:>8}" for size in SIZES
    )
    for row in rows:
        mark = " " if row.case.mirrors else "*"
        lines = f"{row.emitted}/{row.written}"
        times = "".join(f"{each:8.2f}" for each in row.times)
        yield f"{row.name + mark:22}{lines:>9}{row.lines:7.2f}        {times}"
    yield "* knows of the primal what no rule can: restructured\n"
    yield from summary("all", rows)
    yield from summary("that mirror their primals", [row for row in rows if row.case.mirrors])


def markdown(rows: list[Row]) -> Iterator[str]:
    """Yield the same as a table of Markdown: lines and times, then the means."""
    yield "| function | lines | small | middle | large |\n|---|---|---|---|---|"
    for row in rows:
        times = " | ".join(f"{each:.2f}" for each in row.times)
        mark = "" if row.case.mirrors else " *"
        yield f"| `{row.name}`{mark} | {row.emitted} / {row.written} | {times} |"
    means = [mean(row.times[k] for row in rows) for k in range(len(SIZES))]
    times = " | ".join(f"**{each:.2f}**" for each in means)
    yield f"| geometric mean | **{mean(row.lines for row in rows):.2f}** | {times} |"


def summary(what: str, rows: list[Row]) -> Iterator[str]:
    """Yield the geometric means and the worst of some rows."""
    longest = max(rows, key=lambda row: row.lines)
    lines = mean(row.lines for row in rows)
    yield f"{len(rows)} {what}: lines {lines:.2f}, worst {longest.lines:.2f} ({longest.name})"
    for place, size in enumerate(SIZES[: len(rows[0].times)]):
        slowest = max(rows, key=lambda row: row.times[place])
        time_ = mean(row.times[place] for row in rows)
        yield f"    time, {size}: {time_:.2f}, worst {slowest.times[place]:.2f} ({slowest.name})"


def main(words: list[str]) -> None:
    """Print the table."""
    options = dict(word.lstrip("-").partition("=")[::2] for word in words)
    only = set(options.get("only", options.get("show", "")).split(",")) - {""}
    chosen = [case for case in CASES if not only or case.function.__name__ in only]
    if "show" in options:
        for case in chosen:
            print(derivative(case, case.sizes[1]).source, written_text(case), sep="\n\n")
        return
    rows = [measured(case, "lines" not in options) for case in chosen]
    print(*(markdown(rows) if "markdown" in options else table(rows)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
