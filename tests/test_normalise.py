"""Syntax becomes one operation a statement, every value numbered."""

from __future__ import annotations

import pytest

from s2sad.ir.errors import S2sadError
from s2sad.legacy.normalise import normalise
from tests.texts import defined, dump, lines

CASES = {
    "nested expressions": (
        """
        def f(x, y):
            z = np.sin(2.0 * x) * y
            return z - 1.0
        """,
        """
        f(x@0, y@0)
          z%1@1 = 2.0 * x@0
          z%2@1 = np.sin(z%1@1)
          z@1 = z%2@1 * y@0
          result%1@1 = z@1 - 1.0
          return result%1@1
        """,
    ),
    "subscripts stay nested": (
        """
        def f(u, i):
            return u[2 * i + 1]
        """,
        """
        f(u@0, i@0)
          result%1@1 = u@0[2 * i@0 + 1]
          return result%1@1
        """,
    ),
    "writes in place": (
        """
        def f(u, i):
            u[i] = u[i - 1]
            u[1:] += 2.0
            u *= 3.0
            return u
        """,
        """
        f(u@0, i@0)
          u%1@1 = u@0[i@0 - 1]
          u@1 = u@0[i@0] = u%1@1
          u@2 = u@1[1:] += 2.0
          u@3 = u@2 *= 3.0
          return u@3
        """,
    ),
    "an element that is multiplied": (
        """
        def f(u, i):
            u[i] *= 2.0
            return u
        """,
        """
        f(u@0, i@0)
          u%1@1 = u@0[i@0]
          u%2@1 = u%1@1 * 2.0
          u@1 = u@0[i@0] = u%2@1
          return u@1
        """,
    ),
    "a tuple": (
        """
        def f(x, y):
            x, y = y, x * y
            return x, y
        """,
        """
        f(x@0, y@0)
          y%1@1 = x@0 * y@0
          x@1, y@1 = (y@0, y%1@1)
          return (x@1, y@1)
        """,
    ),
    "elements of a tuple": (
        """
        def f(u):
            u[0], u[1] = u[1], u[0]
            return u
        """,
        None,
    ),
    "a branch": (
        """
        def f(x):
            if x > 0.0:
                y = x * x
            else:
                y = x
            return y
        """,
        """
        f(x@0)
          if x@0 > 0.0
            y@1 = x@0 * x@0
          else
            y@2 = x@0
          y@3 = y@1 | y@2
          return y@3
        """,
    ),
    "a name bound on one side": (
        """
        def f(x):
            if x > 0.0:
                y = x
            return x
        """,
        """
        f(x@0)
          if x@0 > 0.0
            y@1 = x@0
          y@2 = y@1 | -
          return x@0
        """,
    ),
    "a loop": (
        """
        def f(x, n):
            y = x
            for i in range(n):
                y = y * x
            return y
        """,
        """
        f(x@0, n@0)
          y@1 = x@0
          for i@2 in range(n@0)
            i@1 = - .. i@2 -> i@3
            y@2 = y@1 .. y@3 -> y@4
            y@3 = y@2 * x@0
          return y@4
        """,
    ),
    "a while": (
        """
        def f(x):
            while x > 1.0:
                x = 0.5 * x
            return x
        """,
        """
        f(x@0)
          while x@1 > 1.0
            x@1 = x@0 .. x@2 -> x@3
            x@2 = 0.5 * x@1
          return x@3
        """,
    ),
    "targets in a tuple": (
        """
        def f(u):
            s = 0.0
            for i, (a, b) in enumerate(zip(u, u)):
                s = s + a
            return s
        """,
        None,
    ),
    "a list": (
        """
        def f(x):
            s = []
            s.append(x * x)
            y = s.pop()
            return y
        """,
        """
        f(x@0)
          s@1 = []
          s%1@1 = x@0 * x@0
          s@2 = s@1 append= s%1@1
          y@1, s@3 = s@2.pop
          return y@1
        """,
    ),
    "effects": (
        """
        def f(x):
            \"\"\"A docstring.\"\"\"
            print("x =", x)
            assert x > 0.0, "positive"
            pass
            return x
        """,
        """
        f(x@0)
          print("x =", x@0)
          <assert x > 0.0, 'positive'>
          return x@0
        """,
    ),
    "a conditional expression": (
        """
        def f(x):
            y = x * x if x > 0.0 else -x
            return y
        """,
        """
        f(x@0)
          if x@0 > 0.0
            y%1@2 = x@0 * x@0
          else
            y%1@3 = -x@0
          y%1@4 = y%1@2 | y%1@3
          y@1 = y%1@4
          return y@1
        """,
    ),
    "chained assignment": (
        """
        def f(x):
            a = b = x * x
            return a + b
        """,
        """
        f(x@0)
          b@1 = x@0 * x@0
          a@1 = b@1
          result%1@1 = a@1 + b@1
          return result%1@1
        """,
    ),
    "annotations": (
        """
        def f(x: float) -> float:
            y: float
            y: float = x
            return y
        """,
        """
        f(x@0)
          y@1 = x@0
          return y@1
        """,
    ),
    "nothing is returned": (
        """
        def f(x):
            y = x
        """,
        """
        f(x@0)
          y@1 = x@0
          return None
        """,
    ),
    "one name for NumPy whatever the import": (
        """
        import numpy
        import numpy as xyz
        from numpy import sin as sine
        def f(x):
            return numpy.cos(x) + xyz.exp(x) + sine(x)
        """,
        """
        f(x@0)
          result%1@1 = np.cos(x@0)
          result%2@1 = np.exp(x@0)
          result%3@1 = result%1@1 + result%2@1
          result%4@1 = np.sin(x@0)
          result%5@1 = result%3@1 + result%4@1
          return result%5@1
        """,
    ),
    "a helper that writes to its argument is lowered in place": (
        """
        def scale(y, c):
            y[:] = c * y

        def f(u, c):
            v = u.copy()
            scale(v, c)
            return v
        """,
        """
        f(u@0, c@0)
          v@1 = u@0.copy()
          y%1@1 = c@0 * v@1
          v@2 = v@1[:] = y%1@1
          return v@2
        """,
    ),
    "any other helper stays a call": (
        """
        def square(y):
            return y * y

        def f(x):
            return square(x)
        """,
        """
        f(x@0)
          result%1@1 = square(x@0)
          return result%1@1
        """,
    ),
    "an assignment expression": (
        """
        def f(x, u):
            return f(u[0], u) + (y := 2.0 * x) * y
        """,
        """
        f(x@0, u@0)
          result%1@1 = u@0[0]
          result%d1@1 = f(result%1@1, u@0)
          y@1 = 2.0 * x@0
          result%2@1 = y@1 * y@1
          result%3@1 = result%d1@1 + result%2@1
          return result%3@1
        """,
    ),
    "an assignment expression in a test that goes on": (
        """
        def f(x):
            while (y := 0.5 * x) > 1.0:
                x = y
            return x
        """,
        """
        f(x@0)
          while True
            y@1 = - .. y@2 -> y@3
            x@1 = x@0 .. x@3 -> x@4
            y@2 = 0.5 * x@1
            if not y@2 > 1.0
              break
            else
              x@2 = y@2
            x@3 = x@1 | x@2
          return x@4
        """,
    ),
    "a chained assignment to elements": (
        """
        def f(u, x):
            u[0] = y = u[1] = x * x
            return u
        """,
        """
        f(u@0, x@0)
          y@1 = x@0 * x@0
          u@1 = u@0[0] = y@1
          u@2 = u@1[1] = y@1
          return u@2
        """,
    ),
    "starred targets": (
        """
        def f(u):
            a, *b = u
            return b
        """,
        """
        f(u@0)
          a@1 = u@0[0]
          b%1@1 = u@0[1:]
          b@1 = list(b%1@1)
          return b@1
        """,
    ),
    "an inactive comprehension is copied": (
        """
        def f(n):
            k = [i for i in range(n)]
            return k
        """,
        """
        f(n@0)
          k@1 = <[i for i in range(n)]>
          return k@1
        """,
    ),
    "del": (
        """
        def f(x):
            y = x * x
            del x
            return y
        """,
        """
        f(x@0)
          y@1 = x@0 * x@0
          return y@1
        """,
    ),
}
EXACT = {name: case for name, case in CASES.items() if case[1] is not None}


@pytest.mark.parametrize("source, expected", EXACT.values(), ids=EXACT.keys())
def test_normalised(source: str, expected: str) -> None:
    assert dump(normalise(defined(source))) == lines(expected)


@pytest.mark.parametrize("source, _", CASES.values(), ids=CASES.keys())
def test_every_value_is_defined_once(source: str, _: str | None) -> None:
    from s2sad.legacy.blocks import all_defines

    program = normalise(defined(source))
    made = [param.var for param in program.params]
    made += [var for stmt in program.body for var in all_defines(stmt)]
    assert len(made) == len(set(made))


@pytest.mark.parametrize("source, _", CASES.values(), ids=CASES.keys())
def test_every_read_is_of_a_value_that_is_defined(source: str, _: str | None) -> None:
    from s2sad.legacy.blocks import all_defines, all_reads
    from s2sad.legacy.traverse import reads

    program = normalise(defined(source))
    made = {param.var for param in program.params}
    made |= {var for stmt in program.body for var in all_defines(stmt)}
    used = {var for stmt in program.body for var in all_reads(stmt)} | set(reads(program.result))
    assert used <= made


def test_values_carry_the_line_that_made_them() -> None:
    function = defined("def f(x):\n    y = np.sin(\n        x * x\n    )\n    return y")
    program = normalise(function)
    first = program.span.line
    assert [stmt.span.line - first for stmt in program.body] == [2, 1]


def test_docstring_defaults_and_kinds_of_parameters() -> None:
    function = defined('def f(x, /, y=2.0, *, z=None):\n    """About f."""\n    return x * y')
    program = normalise(function)
    assert program.doc == "About f."
    assert [(p.var.slot, p.kind) for p in program.params] == [
        ("x", "positional"),
        ("y", "either"),
        ("z", "keyword"),
    ]


REFUSED = {
    "variable arguments": "def f(*args):\n    return args[0]",
    "a read before a value": "def f(x):\n    y = z * x\n    z = x\n    return y",
    "an attribute is assigned": "def f(x):\n    x.a = 1.0\n    return x",
    "an unknown name": "def f(x):\n    return nowhere * x",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED.keys())
def test_refused_with_a_line(source: str) -> None:
    with pytest.raises(S2sadError) as caught:
        normalise(defined(source))
    assert caught.value.span is not None


def test_all_problems_in_one_report() -> None:
    function = defined("def f(x):\n    x.a = 1.0\n    y = x * 2.0\n    y.b = 2.0\n    return y")
    with pytest.raises(S2sadError) as caught:
        normalise(function)
    assert len(caught.value.problems) == 2
