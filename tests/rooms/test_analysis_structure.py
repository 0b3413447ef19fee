"""Exits, calls, loops, tuples and webs: the text before and after."""

import numpy as np
import pytest

from s2sad.analysis.calls import inlined
from s2sad.analysis.exits import structured
from s2sad.analysis.loops import over_ranges
from s2sad.analysis.tuples import taken_apart
from s2sad.analysis.webs import webs, without_copies
from s2sad.ir.program import Program
from s2sad.ir.text import function as text_of
from s2sad.ir.text import runnable
from tests.rooms.lowered import program_of

VECTOR = np.array([0.3, 0.7, 1.1, 0.45])


def first_over(u, c):
    for k in range(len(u)):
        if u[k] > c:
            return u[k]
    return c


def skips(u, c):
    s = 0.0
    for x in u:
        if x > c:
            continue
        s = s + x
        if s > 3.0:
            break
    return s


def calls_twice(u, c):
    a = norm(u) * c
    return a + norm(u * c) if c > 0.0 else norm(u)


def norm(p):
    total = np.sum(p * p)
    if total > 1.0:
        return np.sqrt(total)
    return total


def fibonacci(u, c):
    a, b = c, u[0]
    for k, x in enumerate(u):
        a, b = b, a + x * k
    p = (a, b)
    q = p if c > 0.5 else (b, a)
    return q[0] * q[1]


def reuses(u, c):
    x = u * c
    y = np.sum(x)
    x = np.sin(u)
    v = x
    return y + v[0]


STAGES = {
    "exits": lambda p: structured(p.function),
    "calls": lambda p: inlined(p, lambda e: e),
    "loops": lambda p: over_ranges(inlined(p, lambda e: e), {}),
    "tuples": lambda p: taken_apart(over_ranges(inlined(p, lambda e: e), {})),
    "webs": lambda p: without_copies(webs(taken_apart(over_ranges(inlined(p, lambda e: e), {})))),
}


@pytest.mark.parametrize("c", [0.6, 5.0])
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("function", [first_over, skips, calls_twice, fibonacci, reuses])
def test_the_value_stays(function, stage, c):
    program = program_of(function, (VECTOR, c))
    made = STAGES[stage](program)
    functions = {**program.functions, made.name: made}
    run = runnable(Program(functions, made.name))
    assert run(VECTOR.copy(), c) == pytest.approx(function(VECTOR.copy(), c), rel=1e-14)


def test_a_return_in_a_loop_becomes_a_flag():
    program = program_of(first_over, (VECTOR, 0.6))
    assert (
        text_of(structured(program.function))
        == """\
def first_over(u, c):
    left = False
    for k in range(len(u)):
        if u[k] > c:
            left = True
            break
    if left:
        result = u[k]
    else:
        result = c
    return result
"""
    )


def test_webs_have_names_of_their_own_and_second_names_go():
    program = program_of(reuses, (VECTOR, 0.6))
    assert (
        text_of(STAGES["webs"](program))
        == """\
def reuses(u, c):
    x = u * c
    y = np.sum(x)
    x_2 = np.sin(u)
    return y + x_2[0]
"""
    )


def previous(u):
    s = 0.0
    before = 0
    for k in range(len(u)):
        s = s + u[before]
        before = k
    return s


def test_a_name_for_a_value_of_another_pass_stays():
    program = program_of(previous, (VECTOR,))
    made = STAGES["webs"](program)
    run = runnable(Program({made.name: made}, made.name))
    assert run(VECTOR) == pytest.approx(previous(VECTOR), rel=1e-14)
