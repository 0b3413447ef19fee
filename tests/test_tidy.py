"""Statements whose results nobody reads disappear; nothing else does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import Assign, Call, Ref, Restore, Save, Var
from s2sad.legacy.tidy import is_pure, settled, without_dead_code
from tests.texts import defined, dump, lines

CASES = {
    "an unused value": (
        """
        def f(x):
            y = x * x
            return x
        """,
        """
        f(x@0)
          return x@0
        """,
    ),
    "what an unused value is made of": (
        """
        def f(x):
            y = x * x
            z = y + x
            return x
        """,
        """
        f(x@0)
          return x@0
        """,
    ),
    "a write that is read": (
        """
        def f(x):
            y = np.zeros(2)
            y[0] = x
            y[1] = 2.0
            return y[0]
        """,
        """
        f(x@0)
          y@1 = np.zeros(2)
          y@2 = y@1[0] = x@0
          y@3 = y@2[1] = 2.0
          result%1@1 = y@3[0]
          return result%1@1
        """,
    ),
    "a write after the last read": (
        """
        def f(x):
            y = np.zeros(2)
            y[0] = x
            z = y[0] * x
            y[1] = 2.0
            return z
        """,
        """
        f(x@0)
          y@1 = np.zeros(2)
          y@2 = y@1[0] = x@0
          z%1@1 = y@2[0]
          z@1 = z%1@1 * x@0
          return z@1
        """,
    ),
    "an empty branch": (
        """
        def f(x):
            if x > 0.0:
                y = x * x
            return x
        """,
        """
        f(x@0)
          return x@0
        """,
    ),
    "one side of a branch": (
        """
        def f(x):
            y = x
            if x > 0.0:
                z = x * x
                y = z
            else:
                z = x
            return y
        """,
        """
        f(x@0)
          y@1 = x@0
          if x@0 > 0.0
            z@1 = x@0 * x@0
            y@2 = z@1
          y@3 = y@2 | y@1
          return y@3
        """,
    ),
    "an unused loop": (
        """
        def f(x, n):
            y = x
            for i in range(n):
                y = y * x
            return x
        """,
        """
        f(x@0, n@0)
          return x@0
        """,
    ),
    "a value that feeds only itself": (
        """
        def f(x, n):
            y = x
            z = x
            for i in range(n):
                y = y * x
                z = z + x
            return z
        """,
        """
        f(x@0, n@0)
          z@1 = x@0
          for i@2 in range(n@0)
            z@2 = z@1 .. z@3 -> z@4
            z@3 = z@2 + x@0
          return z@4
        """,
    ),
    "what ends a loop stays with the loop": (
        """
        def f(x, n):
            y = x
            z = x
            for i in range(n):
                y = y * x
                z = z + x
                if y > 2.0:
                    break
            return z
        """,
        """
        f(x@0, n@0)
          y@1 = x@0
          z@1 = x@0
          for i@2 in range(n@0)
            y@2 = y@1 .. y@3 -> y@4
            z@2 = z@1 .. z@3 -> z@4
            y@3 = y@2 * x@0
            z@3 = z@2 + x@0
            if y@3 > 2.0
              break
          return z@4
        """,
    ),
    "a while stays with its test": (
        """
        def f(x, n):
            k = 0
            while k < n:
                k = k + 1
                x = x * x
            return x
        """,
        """
        f(x@0, n@0)
          k@1 = 0
          while k@2 < n@0
            k@2 = k@1 .. k@3 -> k@4
            x@1 = x@0 .. x@2 -> x@3
            k@3 = k@2 + 1
            x@2 = x@1 * x@1
          return x@3
        """,
    ),
    "effects stay, with what they read": (
        """
        def f(x):
            y = x * x
            z = y * x
            print(y)
            return x
        """,
        """
        f(x@0)
          y@1 = x@0 * x@0
          print(y@1)
          return x@0
        """,
    ),
    "a loop with an effect stays": (
        """
        def f(x, n):
            for i in range(n):
                print(i)
            return x
        """,
        """
        f(x@0, n@0)
          for i@2 in range(n@0)
            print(i@2)
          return x@0
        """,
    ),
    "a pop that moves a list that is read": (
        """
        def f(x):
            s = [x, x]
            y = s.pop()
            return s
        """,
        """
        f(x@0)
          s@1 = [x@0, x@0]
          y@1, s@2 = s@1.pop
          return s@2
        """,
    ),
    "a read of the shape alone": (
        """
        def f(u):
            v = u * u
            return np.zeros_like(v)
        """,
        """
        f(u@0)
          v@1 = u@0 * u@0
          result%1@1 = np.zeros_like(v@1)
          return result%1@1
        """,
    ),
}


@pytest.mark.parametrize("source, expected", CASES.values(), ids=CASES.keys())
def test_without_dead_code(source: str, expected: str) -> None:
    assert dump(without_dead_code(normalise(defined(source)))) == lines(expected)


@pytest.mark.parametrize("source, _", CASES.values(), ids=CASES.keys())
def test_nothing_is_left_to_do(source: str, _: str) -> None:
    once = without_dead_code(normalise(defined(source)))
    assert without_dead_code(once) == once


def test_what_is_asked_for_stays() -> None:
    program = normalise(defined("def f(x):\n    y = x * x\n    return x"))
    assert without_dead_code(program, [Var("y", 1)]) == program


def test_saves_live_as_long_as_their_restore() -> None:
    program = normalise(defined("def f(x):\n    y = x * x\n    return x"))
    (made,) = program.body
    assert isinstance(made, Assign)
    save = Save("y_saved", made.target, program.span)
    back = Restore(Var("y~back1", 1), "y_saved", program.span)
    unused = replace(program, body=(made, save, back))
    assert without_dead_code(unused).body == ()
    used = replace(unused, result=Var("y~back1", 1))
    assert without_dead_code(used) == used


def test_settled_merges_and_carried_values() -> None:
    source = """
        def f(x, y, n):
            for i in range(n):
                if x > 0.0:
                    z = y
                x = x + y
            return x * y
        """
    program = normalise(defined(source))
    (before,) = [each for each in program.body if hasattr(each, "carried")]
    after = settled(replace(program, result=program.result))
    assert dump(after) == dump(program)
    kept = {each.head.slot for each in before.carried}
    assert kept == {"i", "x", "z"}


def test_calls_that_may_act_are_not_pure() -> None:
    read = Var("u", 0)
    assert is_pure(Call(Ref("np.sin", None), (read,)))
    from s2sad.legacy.program import Attr

    assert is_pure(Call(Attr(read, "sum")))
    assert not is_pure(Call(Attr(read, "pop")))
