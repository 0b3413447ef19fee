"""Writes in place are left only where the derivative owns the memory."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from s2sad.legacy.facts import Fact, fact_of_value, infer
from s2sad.legacy.normalise import normalise
from s2sad.legacy.own import copy_of, owned
from s2sad.legacy.program import Program, Var
from s2sad.legacy.scope import numbers_after
from s2sad.legacy.verify import verify
from tests.texts import defined, dump, lines, shown

ARRAY = fact_of_value(np.ones(3), "u")


def settled(source: str, **given: Fact) -> Program:
    program = normalise(defined(source))
    facts = infer(program, given)
    return owned(program, facts.of, numbers_after(program))


CASES = {
    "own memory": (
        """
        def f(u):
            v = u + 0.0
            v[0] = 1.0
            return v
        """,
        """
        f(u@0)
          v@1 = u@0 + 0.0
          v@2 = v@1[0] = 1.0
          return v@2
        """,
    ),
    "a binding to what is read later": (
        """
        def f(u):
            v = u * 2.0
            w = v
            w[0] = 1.0
            return w * v
        """,
        """
        f(u@0)
          v@1 = u@0 * 2.0
          w@1 = v@1
          w@2 = w@1[0] = 1.0
          v@2 = w@2
          result%1@1 = w@2 * v@2
          return result%1@1
        """,
    ),
    "a binding to a view": (
        """
        def f(u):
            v = u * 2.0
            w = v[1:]
            w[0] = 1.0
            return w * v[1]
        """,
        """
        f(u@0)
          v@1 = u@0 * 2.0
          w@1 = v@1[1:].copy()
          w@2 = w@1[0] = 1.0
          result%1@1 = v@1[1]
          result%2@1 = w@2 * result%1@1
          return result%2@1
        """,
    ),
    "a binding to what is dead": (
        """
        def f(u):
            v = u * 2.0
            w = v
            w[0] = 1.0
            return w
        """,
        """
        f(u@0)
          v@1 = u@0 * 2.0
          w@1 = v@1
          w@2 = w@1[0] = 1.0
          v@2 = w@2
          return w@2
        """,
    ),
    "a sum over the whole is taken apart": (
        """
        def f(u):
            v = u * 2.0
            w = v
            w += u
            return w * v
        """,
        """
        f(u@0)
          v@1 = u@0 * 2.0
          w@1 = v@1
          w@2 = w@1 + u@0
          result%1@1 = w@2 * v@1
          return result%1@1
        """,
    ),
    "an argument bound to a name": (
        """
        def f(u):
            v = u
            v[0] = 1.0
            return v
        """,
        """
        f(u@0)
          v@1 = u@0.copy()
          v@2 = v@1[0] = 1.0
          u@1 = v@2
          return v@2
        """,
    ),
}


@pytest.mark.parametrize("source, expected", CASES.values(), ids=CASES.keys())
def test_owned(source: str, expected: str) -> None:
    assert dump(settled(source, u=ARRAY)) == lines(expected)


def test_an_argument_that_is_written() -> None:
    program = settled("def f(u):\n    u[0] = 1.0\n    return u", u=ARRAY)
    assert verify(program).problems == []
    assert "u@0.copy()" in dump(program)


LOOPS = {
    "an array that the next pass reads": """
        def f(u, n):
            v = u * 2.0
            for i in range(n):
                w = v
                w[i] = 1.0
                u = u + w * v
            return u
        """,
    "an array carried from the argument": """
        def f(u, n):
            v = u
            for i in range(n):
                v[i] = 2.0
            return v * u
        """,
    "either of two": """
        def f(u, n):
            v = u * 2.0
            if n > 2:
                w = v
            else:
                w = u
            w[0] = 1.0
            return w * v
        """,
    "a list": """
        def f(u, n):
            a = [u]
            b = a
            b.append(u)
            return np.sum(u) * len(a)
        """,
}


@pytest.mark.parametrize("source", LOOPS.values(), ids=LOOPS.keys())
def test_owned_programs_are_consistent(source: str) -> None:
    """What a user may not write is put right for adjoints, whatever the flow."""
    program = settled(source, u=ARRAY, n=Fact("int"))
    assert verify(program, infer(program, {"u": ARRAY, "n": Fact("int")}).of).problems == []


@pytest.mark.parametrize("source", [each for each, _ in CASES.values()], ids=CASES.keys())
def test_owned_twice_is_owned_once(source: str) -> None:
    program = settled(source, u=ARRAY)
    facts = infer(program, {"u": ARRAY})
    assert owned(program, facts.of, numbers_after(program)) == program


@pytest.mark.parametrize(
    "fact, expected",
    [
        (Fact("list"), "list(u@0)"),
        (ARRAY, "u@0.copy()"),
        (Fact("unknown"), "np.copy(u@0)"),
    ],
)
def test_copies(fact: Fact, expected: str) -> None:
    var = Var("u", 0)
    assert shown(copy_of(var, lambda _: fact, var)) == expected


def turned_and_written(u, x, c):
    u[1] = x
    w = u[::-1]
    if c > 0:
        for _ in range(3):
            u[1] *= x * w[0]
    return np.sum(w) + np.mean(u)


def test_what_a_call_gives_is_not_copied_for_a_write_before_it() -> None:
    args = np.array([0.3, 0.5, 0.7, 0.9]), 0.4, 1
    made = s2sad.grad(turned_and_written, ("u", "x"), checkpoint=s2sad.Recompute(), like=args)
    assert "np.copy" not in made.source
    plain = s2sad.grad(turned_and_written, ("u", "x"), like=args)
    assert all(map(np.allclose, made(*args), plain(*args)))
