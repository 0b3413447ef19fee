"""Gradients of programs whose names are bound again, held against differences."""

from __future__ import annotations

import pytest

import s2sad
from tests.oracles import compare, differences, flatten
from tests.texts import defined

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
