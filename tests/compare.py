"""Two states of the project side by side: verdict, value and text of every program and kernel.

    python -m tests.compare write before.json        in the one state
    python -m tests.compare write after.json         in the other
    python -m tests.compare before.json after.json   what differs: verdicts, numbers, lines
    python -m tests.compare write x.json forward     of tangents

A row is differentiated with its arguments as examples and judged by differences: in reverse mode,
or along one direction in forward mode.
"""

from __future__ import annotations

import ast
import copy
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import s2sad
from s2sad.ir.errors import InternalError, S2sadError
from tests import oracles
from tests.fuzz.limits import quiet, time_limit
from tests.kernels.test_kernels import KERNELS, floats
from tests.programs.table import ALL
from tests.rooms.forward import called, direction
from tests.rooms.forward import judged as judged_tangent

JOBS = 2


@dataclass(frozen=True, slots=True)
class Row:
    """A function, what to call it with, and what is asked."""

    label: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: tuple[int, ...]
    seed: Any
    mode: str


def rows() -> Iterator[Row]:
    """Yield every row of the tables of programs, and every kernel."""
    for entry in ALL:
        table = entry.function.__module__.rpartition(".")[2]
        label = f"{table}.{entry.label}"
        yield Row(label, entry.function, entry.args, entry.wrt, entry.seed, entry.mode)
    for kernel, make in KERNELS.items():
        args = make(np.random.default_rng(7))
        names = kernel.__code__.co_varnames
        wrt = tuple(names.index(name) for name in floats(kernel, args))
        yield Row(f"kernels.{kernel.__name__}", kernel, args, wrt, 1.0, "grad")


def judged(place: int, forward: bool) -> tuple[str, dict[str, Any]]:
    """Return the label of a row and what is found of it."""
    row = _rows()[place]
    started = time.perf_counter()
    try:
        with quiet(), time_limit():
            found = _found_forward(row) if forward else _found(row)
    except InternalError as error:
        found = {"verdict": "internal", "reason": error.problem}
    except S2sadError as error:
        found = {"verdict": "refused", "reason": error.problem}
    except Exception as error:
        found = {"verdict": "internal", "reason": f"{type(error).__name__}: {error}"}
    return row.label, {**found, "seconds": round(time.perf_counter() - started, 3)}


ROWS: list[Row] = []


def _rows() -> list[Row]:
    if not ROWS:
        ROWS.extend(rows())
    return ROWS


def _found(row: Row) -> dict[str, Any]:
    wrt = row.wrt[0] if len(row.wrt) == 1 else row.wrt
    mode = row.mode if row.mode in ("grad", "vjp", "value_and_grad") else "vjp"
    started = time.perf_counter()
    derivative = getattr(s2sad, mode)(row.function, wrt=wrt, like=row.args)
    source = str(derivative.source)
    derived = time.perf_counter() - started
    args = copy.deepcopy(row.args)
    seeds = (row.seed,) if mode == "vjp" else ()
    result = derivative(*args, *seeds)
    adjoints = result[1] if mode == "value_and_grad" else result
    like = tuple(row.args[i] for i in row.wrt)
    numbers = oracles.flatten(adjoints if len(row.wrt) > 1 else (adjoints,), like)
    expected = oracles.differences(row.function, row.args, row.wrt, row.seed)
    fault = oracles.compare(numbers, expected)
    return {
        "verdict": "wrong" if fault else "right",
        "reason": fault or "",
        "numbers": [float(number) for number in np.real(numbers)],
        "lines": code_lines(source),
        "derived": round(derived, 4),
        "text": source,
    }


def _found_forward(row: Row) -> dict[str, Any]:
    started = time.perf_counter()
    derivative = s2sad.jvp(row.function, wrt=row.wrt, like=row.args)
    source = str(derivative.source)
    derived = time.perf_counter() - started
    dots = direction(row.args, row.wrt, np.random.default_rng(0))
    found = called(derivative, copy.deepcopy(row.args), copy.deepcopy(dots))
    fault = judged_tangent(row.function, row.args, row.wrt, derivative)
    return {
        "verdict": "wrong" if fault else "right",
        "reason": fault or "",
        "numbers": [float(number) for number in np.real(oracles.pack(found))],
        "lines": code_lines(source),
        "derived": round(derived, 4),
        "text": source,
    }


def code_lines(source: str) -> int:
    """Return how many lines hold code: no comments, blanks, docstrings or imports."""
    tree = ast.parse(source)
    texts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            texts.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
        if isinstance(node, ast.Import | ast.ImportFrom):
            texts.update(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(1 for k, line in lines if k not in texts and line.strip() and line.strip()[0] != "#")


def write(path: Path, forward: bool) -> None:
    """Judge every row and write what was found."""
    places = range(len(_rows()))
    with ProcessPoolExecutor(JOBS) as pool:
        found = dict(pool.map(partial(judged, forward=forward), places, chunksize=16))
    path.write_text(json.dumps(found, indent=0, sort_keys=True))
    print(f"{len(found)} rows:", summary(found))


def summary(found: dict[str, Any]) -> str:
    """Return how many rows have each verdict, and how many lines their texts have."""
    verdicts = Counter(row["verdict"] for row in found.values())
    lines = sum(row.get("lines", 0) for row in found.values())
    return f"{dict(verdicts)}, {lines} lines"


def compare(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each row that differs in verdict or numbers, and the sums."""
    for label in sorted(before.keys() | after.keys()):
        old, new = before.get(label, {}), after.get(label, {})
        if old.get("verdict") != new.get("verdict"):
            yield f"{label}: {old.get('verdict')} -> {new.get('verdict')} {new.get('reason', '')}"
        elif old.get("numbers") and not np.allclose(
            old["numbers"], new["numbers"], rtol=1e-9, atol=1e-12, equal_nan=True
        ):
            yield f"{label}: other numbers"
    yield f"before: {summary(before)}"
    yield f"after:  {summary(after)}"
    both = [k for k in before.keys() & after.keys() if "lines" in before[k] and "lines" in after[k]]
    ratio = sum(after[k]["lines"] for k in both) / max(1, sum(before[k]["lines"] for k in both))
    times = [after[k]["derived"] / max(before[k]["derived"], 1e-6) for k in both]
    yield f"{len(both)} rows in both: lines {ratio:.3f} of before"
    if times:
        yield f"time to derive {np.exp(np.mean(np.log(times))):.3f} of before (geometric mean)"


def main(words: list[str]) -> None:
    """Write the state of the rows, or compare two."""
    if words[0] == "write":
        write(Path(words[1]), words[2:] == ["forward"])
        return
    before, after = (json.loads(Path(word).read_text()) for word in words)
    print(*compare(before, after), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
