"""The reverse sweep as it is written, before it is known how what it reads is had again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import InternalError
from s2sad.legacy.called import called_forward, called_reverse
from s2sad.legacy.callee import Callees
from s2sad.legacy.facts import fact_of_value
from s2sad.legacy.primal import prepared
from s2sad.legacy.program import If, Op, Var
from s2sad.legacy.reverse import reverse_sweep
from s2sad.legacy.reverse.branches import branch_back
from s2sad.legacy.reverse.sweep import Sweep
from tests.oracles import compare, differences, flatten
from tests.texts import defined, dump, lines

U = np.array([0.3, -0.4, 0.9, 0.5])


def sweep(source: str, **given: Any) -> str:
    """Return the reverse sweep of a function with respect to all its float arguments."""
    function = defined(source)
    facts = {name: fact_of_value(value, name) for name, value in given.items()}
    wrt = tuple(name for name, fact in facts.items() if fact.is_float)
    callees = Callees(called_reverse, called_forward)
    primal = prepared(function, wrt, facts)
    result = primal.program.result
    assert isinstance(result, Var)
    seed = Var("seed", 0)
    block, bars, _ = reverse_sweep(
        primal.program, primal.facts, primal.active, [(result, seed)], primal.numbers, callees
    )
    adjoints = Op("tuple", tuple(bars[name] for name in wrt if name in bars))
    return dump(replace(primal.program, params=(), body=block, result=adjoints))


CASES = {
    "a product": (
        "def f(x, y):\n    z = x * y\n    return z",
        {"x": 0.3, "y": 0.4},
        """
        f()
          z~bar@1 = seed@0
          x~bar@1 = z~bar@1 * y@0
          y~bar@1 = z~bar@1 * x@0
          return (x~bar@1, y~bar@1)
        """,
    ),
    "two uses of a value": (
        "def f(x):\n    y = np.sin(x)\n    z = x - y\n    return z",
        {"x": 0.3},
        """
        f()
          z~bar@1 = seed@0
          x~bar@1 = z~bar@1
          y~bar@1 = -z~bar@1
          x~bar@2 = x~bar@1 += y~bar@1 * np.cos(x@0)
          return (x~bar@2,)
        """,
    ),
    "a name that is computed from itself": (
        "def f(x):\n    x = np.sin(x)\n    x = np.exp(x)\n    return x",
        {"x": 0.3},
        """
        f()
          x~bar@1 = seed@0
          x~bar@2 = x~bar@1 * x@2
          x~bar@3 = x~bar@2 * np.cos(x@0)
          return (x~bar@3,)
        """,
    ),
    "an element that is read": (
        "def f(u):\n    y = u[1]\n    return y",
        {"u": U},
        """
        f()
          y~bar@1 = seed@0
          u~bar@1 = np.zeros_like(u@0)
          u~bar@2 = u~bar@1[1] += y~bar@1
          return (u~bar@2,)
        """,
    ),
    "an element that is written": (
        """
        def f(u, x):
            v = u * 2.0
            v[1] = x
            y = v[1]
            return y
        """,
        {"u": U, "x": 0.3},
        """
        f()
          y~bar@1 = seed@0
          v~bar@1 = np.zeros_like(v@2)
          v~bar@2 = v~bar@1[1] += y~bar@1
          x~bar@1 = v~bar@2[1]
          v~bar@3 = v~bar@2[1] = 0.0
          u~bar@1 = v~bar@3 * 2.0
          return (u~bar@1, x~bar@1)
        """,
    ),
    "positions that may repeat": (
        "def f(u, k):\n    v = u[k]\n    y = np.sum(v)\n    return y",
        {"u": U, "k": np.array([0, 0, 1])},
        """
        f()
          y~bar@1 = seed@0
          v~bar@1 = np.full_like(v@1, y~bar@1)
          u~bar@1 = np.zeros_like(u@0)
          u~bar@2 = u~bar@1[k@0] add.at= v~bar@1
          return (u~bar@2,)
        """,
    ),
    "a scalar that was spread": (
        "def f(u, c):\n    v = u * c\n    y = np.sum(v)\n    return y",
        {"u": U, "c": 0.3},
        """
        f()
          y~bar@1 = seed@0
          v~bar@1 = np.full_like(v@1, y~bar@1)
          u~bar@1 = v~bar@1 * c@0
          c~bar@1 = np.sum(v~bar@1 * u@0)
          return (u~bar@1, c~bar@1)
        """,
    ),
    "a branch": (
        """
        def f(x):
            if x > 0.0:
                y = x * 3.0
            else:
                y = np.sin(x)
            return y
        """,
        {"x": 0.3},
        """
        f()
          y~bar@1 = seed@0
          if x@0 > 0.0
            x~bar@1 = y~bar@1 * 3.0
          else
            x~bar@2 = y~bar@1 * np.cos(x@0)
          x~bar@3 = x~bar@1 | x~bar@2
          return (x~bar@3,)
        """,
    ),
    "a loop": (
        """
        def f(x, c, n):
            for i in range(n):
                x = x * c
            return x
        """,
        {"x": 0.3, "c": 0.4, "n": 2},
        """
        f()
          x~bar@1 = seed@0
          c~bar@1 = 0.0
          for i@2 in reversed(range(n@0))
            x~bar@2 = x~bar@1 .. x~bar@3 -> x~bar@4
            c~bar@2 = c~bar@1 .. c~bar@3 -> c~bar@4
            c~bar@3 = c~bar@2 += x~bar@2 * x@1
            x~bar@3 = x~bar@2 * c@0
          return (x~bar@4, c~bar@4)
        """,
    ),
    "a value that another overwrites": (
        """
        def f(x, y):
            z = x * 2.0
            z = y * 3.0
            return z
        """,
        {"x": 0.3, "y": 0.4},
        """
        f()
          z~bar@1 = seed@0
          y~bar@1 = z~bar@1 * 3.0
          return (y~bar@1,)
        """,
    ),
}


@pytest.mark.parametrize("source, given, expected", CASES.values(), ids=CASES.keys())
def test_sweep(source: str, given: dict[str, Any], expected: str) -> None:
    assert sweep(source, **given) == lines(expected)


# ---------------------------------------------------------------- by differences

HARD = {
    "an inactive value overwrites an active name": """
        def f(x, n):
            s = x * x
            q = x
            for i in range(n):
                s = s * q
                q = 2.0
            return s
        """,
    "its own double": """
        def f(x, n):
            for i in range(n):
                x += x
            return x * x
        """,
    "a swap in a loop": """
        def f(x, n):
            y = 1.0
            for i in range(n):
                x, y = y * x, x + y
            return x * y
        """,
    "a value from outside read in two nested loops": """
        def f(x, n):
            s = 0.0
            for i in range(n):
                for j in range(i):
                    s = s * x + x * j
            return s
        """,
    "a break in an inner loop": """
        def f(x, n):
            s = x
            for i in range(n):
                for j in range(n):
                    s = s * x + 0.3
                    if s > 0.8:
                        break
                s = s * x
            return s
        """,
    "a name bound in one branch": """
        def f(x, n):
            if n > 1:
                y = x * x
            else:
                y = x
                z = 2.0 * x
                y = y * z
            return y * x
        """,
    "two branches on one test": """
        def f(x, n):
            y = x
            if n > 1:
                y = np.sin(y)
            x = x * y
            if n > 1:
                y = y * x
            return y * x
        """,
    "a list": """
        def f(x, n):
            s = []
            for i in range(n):
                s.append(x * i)
                x = np.sin(x)
            y = 0.0
            for i in range(n):
                t = s.pop()
                y = y * x + t
            return y
        """,
    "a conditional expression": """
        def f(x, n):
            y = x * x if n > 1 else np.sin(x)
            return (y if y > 0.0 else x) * y
        """,
}


@pytest.mark.parametrize("passes", [0, 1, 2, 4])
@pytest.mark.parametrize("source", HARD.values(), ids=HARD.keys())
def test_against_differences(source: str, passes: int) -> None:
    function = defined(source)
    expected = differences(function, (0.7, passes), (0,))
    for gradient in (s2sad.grad(function, like=(0.7, passes)), s2sad.grad(function)):
        assert compare(flatten(gradient(0.7, passes), 0.7), expected) is None, gradient.source


def test_an_adjoint_that_goes_nowhere_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reverse of a loop or branch that forgets what its body contributed is found out."""

    def forgetful(sweep: Sweep, stmt: If) -> None:
        before = dict(sweep.bars)
        branch_back(sweep, stmt)
        sweep.bars = before

    monkeypatch.setattr("s2sad.legacy.reverse.branch_back", forgetful)
    source = "def f(x, n):\n    y = x * x\n    if n > 2:\n        y = y * x\n    return y\n"
    with pytest.raises(InternalError, match="a part of the adjoint of x is lost"):
        sweep(source, x=0.5, n=3)
