"""Long, deep and wide functions: the work grows with their length, and no limit is met."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.emit.names import names_of
from s2sad.ir.errors import S2sadError
from tests.oracles import compare, differences, flatten
from tests.texts import defined, run

ROOT = Path(__file__).resolve().parents[2]


def straight(count: int) -> str:
    body = "".join(
        "    y = np.sin(y) * y + 0.1\n" if k % 2 else f"    y = y * {k % 7 + 1}.0 - x * y\n"
        for k in range(count)
    )
    return f"def f(x):\n    y = x\n{body}    return y\n"


def bounded(count: int) -> str:
    body = "".join("    y = 0.5 * np.sin(y) + x\n" for _ in range(count))
    return f"def f(x):\n    y = x\n{body}    return y\n"


def branches(count: int) -> str:
    body = "".join(
        f"    if y > 0.{k % 7}:\n        y = 0.5 * np.sin(y) + x\n" for k in range(count)
    )
    return f"def f(x):\n    y = x\n{body}    return y\n"


def nest(kinds: list[str]) -> str:
    text = ["def f(x):", "    y = x"]
    for level, kind in enumerate(kinds):
        pad = "    " * (level + 1)
        if kind == "if":
            text += [f"{pad}if y > -{level}.0:"]
        elif kind == "for":
            text += [f"{pad}for i{level} in range(1):"]
        else:
            text += [f"{pad}n{level} = 0", f"{pad}while n{level} < 1:", f"{pad}    n{level} += 1"]
        text += [f"{pad}    y = y * np.sin(y) + x"]
    return "\n".join([*text, "    return y"])


def read_twice(count: int) -> str:
    """Each array is read by the next two lines: the ways that lead back double with each line."""
    lines = "".join(f"    v{k + 2} = np.sin(v{k + 1}) * v{k}\n" for k in range(count))
    return f"def f(x):\n    v0 = x * np.arange(3.0)\n    v1 = v0 + x\n{lines}    return np.sum(v{count + 1})\n"


def convolved(count: int) -> str:
    """Every adjoint of a product is computed at length, and none changes what others are computed of."""
    terms = (f"    y += np.sum(np.sin(np.convolve({k}.0 * u, u, 'same')))" for k in range(count))
    return "\n".join(["def f(x):", "    u, y = x * np.arange(3.0), 0.0", *terms, "    return y"])


def chain(count: int) -> str:
    exits = "".join(
        f"    if x < {k}.0:\n        return x * y + {k}.0\n    y = y + 0.1 * x * x\n"
        for k in range(count)
    )
    return f"def f(x):\n    y = 1.0\n{exits}    return -y\n"


def total(count: int) -> str:
    return "def f(x):\n    return " + " + ".join(["x * x"] * count)


MIXED = (["for", "if", "while"] * 7)[:20]
LARGE = {
    "500 statements": (bounded(500), 0.3),
    "20 branches in each other": (nest(["if"] * 20), 0.3),
    "19 loops in each other": (nest(["for"] * 19), 0.3),
    "20 blocks of all kinds in each other": (nest(MIXED), 0.3),
    "100 branches one after the other": (branches(100), 0.3),
    "18 early returns": (chain(18), 7.3),
    "a sum of 200 terms": (total(200), 0.3),
}


@pytest.mark.parametrize("source, x", LARGE.values(), ids=LARGE.keys())
def test_large_functions_in_both_modes(source: str, x: float) -> None:
    function = defined(source)
    expected = differences(function, (x,), (0,))
    gradient = s2sad.grad(function, like=(x,))
    assert compare(flatten(gradient(x), x), expected) is None
    value, tangent = s2sad.jvp(function, like=(x,))(x, 1.0)
    assert value == function(x)
    assert compare(np.array([tangent]), expected) is None


def test_the_recursion_limit_is_left_alone() -> None:
    before = sys.getrecursionlimit()
    s2sad.grad(defined(nest(MIXED)), like=(0.3,))(0.3)
    assert sys.getrecursionlimit() == before


def test_a_chain_of_300_returns_is_not_nested_deeply() -> None:
    function = defined(chain(300))
    text = s2sad.show(function, after="lowering", like=(7.3,))
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) < 80
    shown = run(text, "f")
    assert [shown(x) for x in (7.3, 150.5, 400.0)] == [function(x) for x in (7.3, 150.5, 400.0)]


def test_a_chain_of_30_returns_is_refused_and_one_of_branches_is_not() -> None:
    """What follows a return stands in its `else`, and Python reads no more than 20 of them."""
    with pytest.raises(s2sad.Unsupported, match="so many blocks in each other"):
        s2sad.grad(defined(chain(30)), like=(7.3,))
    tests = "".join(f"    elif x < {k}.0:\n        y = x * {k}.0\n" for k in range(40))
    function = defined(f"def f(x):\n    if x < -1.0:\n        y = x\n{tests}    return y * y\n")
    assert s2sad.grad(function, like=(7.3,))(7.3) == pytest.approx(2.0 * 64.0 * 7.3)


@pytest.mark.parametrize("count", [200, 500])
def test_a_deep_expression(count: int) -> None:
    assert s2sad.grad(defined(total(count)), like=(0.3,))(0.3) == pytest.approx(0.6 * count)


# ---------------------------------------------------------------- work, counted


def calls_made(work: Callable[[], Any]) -> int:
    """Return the number of Python calls in `work`: the same on every machine."""
    count = 0

    def note(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def work_of(source: str, mode: str) -> int:
    function = defined(source)
    derivative = getattr(s2sad, mode)
    return calls_made(lambda: derivative(function, like=(0.3,)).source)


@pytest.mark.parametrize("mode", ["grad", "jvp"])
@pytest.mark.parametrize(
    "make",
    [straight, bounded, branches, read_twice],
    ids=["statements", "costly statements", "branches", "arrays read twice"],
)
def test_work_grows_with_the_number_of_statements(make: Callable[[int], str], mode: str) -> None:
    """Four times the statements are about four times the work, not sixteen times."""
    work_of(make(8), mode)
    short, long = work_of(make(25), mode), work_of(make(100), mode)
    assert long < 6.5 * short


def test_what_is_computed_twice_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    repeated = sys.modules["s2sad.optimize.numbering"]
    asked = Counter[int]()

    def counted(count: int) -> int:
        assert s2sad.grad(defined(convolved(count)), like=(0.3,)).source
        return asked.total()

    changes = vars(repeated)["changes_of"]
    monkeypatch.setattr(repeated, "changes_of", lambda *a: asked.update([0]) or changes(*a))
    short = counted(10)
    assert counted(40) - short < 5 * short


@pytest.mark.parametrize("mode", ["grad", "jvp"])
def test_work_grows_with_the_depth_of_blocks(mode: str) -> None:
    """A level more is not twice the work."""
    work_of(nest(MIXED[:2]), mode)
    shallow, deep = work_of(nest(MIXED[:5]), mode), work_of(nest(MIXED), mode)
    assert deep < 25 * shallow


def exchanged(count: int) -> str:
    """Loops whose branches exchange three variables: each is contributed to in the ways of others."""
    lines = ["def f(x):", "    y, z = x * x, x + 1.0"]
    for k in range(count):
        lines += [
            f"    while x > {k}.5:",
            "        if y > z:",
            "            x, y, z = y * z, z - x, x",
            "        elif z > x:",
            "            x, z = z * x, y",
            "        else:",
            "            y, z = x * z, y + x",
        ]
    return "\n".join([*lines, "    return x * y + z"]) + "\n"


def test_work_grows_with_the_number_of_loops_that_exchange_variables() -> None:
    """The ways in which one is contributed to are counted by those of the others: not for each loop."""
    work_of(exchanged(2), "grad")
    short, long = work_of(exchanged(3), "grad"), work_of(exchanged(12), "grad")
    assert long < 6.5 * short


def met(count: int) -> str:
    """Where a line meets a surface: a long sum deep inside of an expression."""
    terms = " + ".join(f"{word} * k * m * z" for word in "abcxyz" * count)
    return f"""
def met(x, y, z, a, b, c):
    k, m = y / x, z / x
    t = (a * b + np.sqrt(a * b * ({terms}))) / (a * b * m)
    return np.array([x + t, y + k * t])

def f(p, q):
    return np.sum(met(p[0], p[1], p[2], q[0], q[1], 3.0))
"""


def test_ranks_of_long_sums_are_found_without_examples() -> None:
    """What ranks a term may have is asked once, not for each sum that it stands in."""
    calls_made(lambda: s2sad.grad(defined(met(1))).source)
    short, long = (calls_made(lambda n=n: s2sad.grad(defined(met(n))).source) for n in (1, 2))
    assert long < 3 * short


def series(last: str) -> str:
    """A function that takes a list apart, or hands its parts on to itself or another."""
    return f"""
def halved(x, parts):
    return x, parts

def {"g" if last == "f" else "f"}(x, parts):
    return {last}(x, parts)

def {last}(x, parts):
    try:
        parts[0][0]
        nested = True
    except TypeError:
        nested = False
    out = []
    if nested:
        for part in parts:
            y, last = CALLED(x, [part, 1.0])
            out.append(last)
        return x, out
    return x, [x * part for part in parts]
"""


@pytest.mark.parametrize("last", ["f", "g"], ids=["itself", "each other"])
def test_what_a_function_asks_of_itself_is_asked_once(last: str) -> None:
    """A function that calls itself takes as much work as one that calls another."""

    def work(called: str) -> int:
        function = defined(series(last).replace("CALLED", called))
        return calls_made(lambda: _tried(function))

    work("halved")
    assert work("f") < 6 * work("halved")


@pytest.mark.parametrize("parts", ["(u, u)", "(u, n)"])
def test_tuples_put_into_tuples_by_a_recursion_are_refused_at_once(parts: str) -> None:
    function = defined(
        "def s(u):\n    return s(u[0]) if isinstance(u, tuple) else u * u\n"
        f"def f(u, n):\n    return s(u) if n == 0 else f({parts}, n - 1)\n"
    )
    with pytest.raises(s2sad.Unsupported, match="a recursion that is too deep"):
        s2sad.grad(function, "u", like=(0.3, 3)).source  # noqa: B018


def _tried(function: Callable[..., Any]) -> None:
    with contextlib.suppress(S2sadError):
        s2sad.jvp(function).source  # noqa: B018


# ---------------------------------------------------------------- the same text always

PRINT_ALL = """
import hashlib
import s2sad
from s2sad.ir.errors import S2sadError
from tests.programs.table import ALL

for entry in [*{entry.function: entry for entry in ALL}.values()][::STEP]:
    for mode, like in (("vjp", entry.args), ("vjp", None), ("jvp", entry.args)):
        try:
            text = getattr(s2sad, mode)(entry.function, entry.wrt, like=like).source
        except S2sadError as problem:
            text = str(problem)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        print(entry.label, mode, like is None, digest)
"""


def printed(seed: str, step: int) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_ALL.replace("STEP", str(step))],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("step", [60, 1])
def test_text_is_the_same_to_the_byte_whatever_the_hash_seed(step: int) -> None:
    first, second = printed("0", step), printed("12345", step)
    assert len(first) > 600 // step - 1
    assert [a for a, b in zip(first, second, strict=True) if a != b] == []


def test_text_is_the_same_the_second_time() -> None:
    function = defined(nest(MIXED))
    once = s2sad.grad(function, like=(0.3,)).source
    assert s2sad.grad(function, like=(0.3,)).source == once


def test_naming_takes_memory_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is saved is alive together: names are not held against each other in sets."""

    def peak(count: int) -> int:
        lines = "    a = np.sin(a) * x\n" * count
        function = defined(f"def f(x):\n    a = x\n{lines}    return np.sum(a)\n")
        peaks: list[int] = []

        def measured(*args: Any, **options: Any) -> Any:
            tracemalloc.start()
            try:
                return names_of(*args, **options)
            finally:
                peaks.append(tracemalloc.get_traced_memory()[1])
                tracemalloc.stop()

        monkeypatch.setattr(sys.modules["s2sad.emit.text"], "names_of", measured)
        s2sad.grad(function, like=(np.ones(3),)).source  # noqa: B018
        return max(peaks)

    assert peak(320) < 3 * peak(160)
