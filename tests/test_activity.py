"""Which values depend on the inputs and reach the result."""

from __future__ import annotations

import pytest

from s2sad.legacy.activity import active_values, varied_values
from s2sad.legacy.facts import Fact, infer
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import Op, Var, is_temp
from tests.texts import defined

ARRAY = Fact("array", "float64")
NUMBER = Fact("float")


def active(source: str, *wrt: str, **given: Fact) -> list[str]:
    """Return the active values of the user's own names."""
    program = normalise(defined(source))
    found = active_values(program, wrt, infer(program, given).expr)
    return sorted(f"{var.slot}@{var.version}" for var in found if not is_temp(var.slot))


CASES = {
    "what does not depend on the input": (
        """
        def f(x, y):
            k = 2.0 * y
            z = k * x
            return z
        """,
        ["x@0", "z@1"],
    ),
    "what does not reach the result": (
        """
        def f(x, y):
            k = 2.0 * x
            z = x * y
            return z
        """,
        ["x@0", "z@1"],
    ),
    "what is overwritten": (
        """
        def f(x, y):
            z = x * y
            z = y * y
            return z * x
        """,
        ["x@0"],
    ),
    "nothing": (
        """
        def f(x, y):
            z = y * y
            return z
        """,
        [],
    ),
    "through a branch": (
        """
        def f(x, y):
            if y > 0.0:
                z = x * x
            else:
                z = y
            return z
        """,
        ["x@0", "z@1", "z@3"],
    ),
    "tests carry no derivative": (
        """
        def f(x, y):
            t = x > y
            z = y
            if t:
                z = 2.0 * y
            return z
        """,
        [],
    ),
    "through a loop, one pass later": (
        """
        def f(x, n):
            a = 0.0
            b = 0.0
            for i in range(n):
                b = a
                a = x
            return b
        """,
        ["a@2", "a@3", "b@3", "b@4", "x@0"],
    ),
    "shapes carry no derivative": (
        """
        def f(x, y):
            n = x.shape[0]
            z = n * y[len(x) - 1]
            return z
        """,
        [],
    ),
    "constant functions carry no derivative": (
        """
        def f(x, y):
            z = np.zeros_like(x)
            s = np.sign(x)
            return z * y
        """,
        [],
    ),
    "a written element makes the array active": (
        """
        def f(x, y):
            z = np.zeros(3)
            z[1] = x
            return z[1]
        """,
        ["x@0", "z@2"],
    ),
    "unpacking keeps the parts apart": (
        """
        def f(x, y):
            a, b = x * y, y
            return a * b
        """,
        ["a@1", "x@0"],
    ),
    "a swap": (
        """
        def f(x, y):
            a, b = y, x
            a, b = b, a
            return a
        """,
        ["a@2", "b@1", "x@0"],
    ),
    "through a list": (
        """
        def f(x, y):
            s = []
            s.append(x)
            s.append(y)
            z = s.pop()
            return z
        """,
        ["s@2", "s@3", "x@0", "z@1"],
    ),
    "what is copied as it stands": (
        """
        def f(x, y):
            print(x)
            z = [k for k in range(3)]
            return x * z[0]
        """,
        ["x@0"],
    ),
}


@pytest.mark.parametrize("source, expected", CASES.values(), ids=CASES.keys())
def test_active_values(source: str, expected: list[str]) -> None:
    assert active(source, "x") == expected


def test_integers_are_never_active() -> None:
    source = """
        def f(x, y):
            k = int(x)
            z = k * y
            return z
        """
    assert active(source, "x", x=NUMBER, y=NUMBER) == []
    assert active(source, "y", x=NUMBER, y=NUMBER) == ["y@0", "z@1"]


def test_several_inputs_are_active_together() -> None:
    source = """
        def f(x, y, c):
            a = x * c
            b = y * c
            return a + b
        """
    assert active(source, "x", "y") == ["a@1", "b@1", "x@0", "y@0"]
    assert active(source, "c") == ["a@1", "b@1", "c@0"]


def test_varied_values_need_not_reach_the_result() -> None:
    program = normalise(defined("def f(x, y):\n    a = x * x\n    b = y * y\n    return b"))
    varied = varied_values(program, ("x",), infer(program, {}).expr)
    assert {var for var in varied if not is_temp(var.slot)} == {Var("x", 0), Var("a", 1)}


def test_active_values_are_varied_values() -> None:
    for source, _ in CASES.values():
        program = normalise(defined(source))
        facts = infer(program, {})
        assert active_values(program, ("x",), facts.expr) <= varied_values(
            program, ("x",), facts.expr
        )


def test_each_result_counts() -> None:
    source = "def f(x, y):\n    a = x * x\n    b = y * x\n    return a, b"
    program = normalise(defined(source))
    assert isinstance(program.result, Op)
    assert active(source, "x") == ["a@1", "b@1", "x@0"]
    assert active(source, "y") == ["b@1", "y@0"]
