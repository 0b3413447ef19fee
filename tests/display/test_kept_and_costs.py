"""What a report says of memory and of work agrees with what the text does when it runs."""

from __future__ import annotations

import re

import numpy as np
import pytest

import s2sad
from s2sad.api.display.costs import costs
from s2sad.api.display.counts import Count, Passes, readable
from s2sad.api.display.explanation import explained, measured
from s2sad.api.request import Request
from s2sad.ir.types import Length
from tests.display.models import HEAT, heat, misfit, misfit_example
from tests.texts import defined

TWICE = """
def twice(x, n):
    total = 0.0
    for i in range(n):
        for j in range(3):
            x = np.sin(x) * x
        total += np.sum(x)
    return total
"""
CASES = {
    "misfit": (misfit, ("W", "m"), misfit_example()),
    "heat": (heat, ("u", "nu"), HEAT),
    "twice": (defined(TWICE), ("x",), (np.linspace(0.1, 1.0, 11), 4)),
}


def known_of(function, wrt, args):
    names = function.__code__.co_varnames
    examples = dict(zip(names, args, strict=False))
    return measured(Request(function, wrt), examples, lettered=True)


def saved_in(found):
    return {row.name: row.size.number for row in explained(found).rows if row.how == "saved"}


@pytest.mark.parametrize("function, wrt, args", CASES.values(), ids=CASES)
def test_saved_bytes_are_those_that_the_text_saves(function, wrt, args):
    source = s2sad.grad(function, wrt, like=args).source
    # what stands on the stacks where the reverse sweep begins
    begun = re.findall(r"^    ([\w, ]+) = \[\]", source, re.MULTILINE)
    stacks = sorted({each for line in begun for each in line.split(", ")})
    seen = "[" + ", ".join(stacks) + "]"
    told = re.sub(r"    # -- reverse sweep.*", f"    raise Seen({seen})", source)

    class Seen(Exception):
        pass

    space = {"Seen": Seen}
    exec(told, space)
    with pytest.raises(Seen) as found:
        space[f"{function.__name__}_grad"](*args)
    held = sum(np.asarray(value).nbytes for stack in found.value.args[0] for value in stack)
    assert sum(saved_in(known_of(function, wrt, args)).values()) == held > 0


def test_arrays_that_are_saved_by_reference_take_no_memory():
    f = defined(
        "def f(c, u):\n    u, w = u.copy(), 2.0 * u\n    for k in range(4):\n"
        "        v = u if np.sum(u) > 3.0 + k else w\n"
        "        v[1:-1] += c * (v[2:] + v[1:-1] * v[:-2])\n        u = v\n"
        "    return np.sum(u * u)"
    )
    source = s2sad.grad(f, like=(0.3, np.ones(9))).source
    saved = re.search(r"saved.append\(\((.*)\)\)", source)[1].split(", ")
    assert {*saved} == {"v", "v_bar"}, "by reference"
    rows = saved_in(known_of(f, ("c",), (0.3, np.ones(9))))
    assert all(rows[name] == 4 * 8 for name in saved)


def test_a_product_and_elementwise_operations_are_counted():
    f = defined("def f(A, x):\n    y = A @ x\n    return 0.5 * np.sum(y**2)")
    found = known_of(f, ("x",), (np.ones((3, 5)), np.ones(5)))
    of_lines = costs(found.program, found.passes)
    first = of_lines[min(of_lines)]
    assert found.passes.number(first.forward) == 2 * 3 * 5
    assert found.passes.shown(first.forward) == "2 * n * m = 30"
    # x_bar = y_bar @ A
    assert found.passes.number(first.reverse) == 2 * 3 * 5


def test_a_loop_counts_as_often_as_it_runs():
    found = known_of(*CASES["twice"])
    numbers = (found.passes.number(c.forward) for c in costs(found.program, found.passes).values())
    assert next(filter(None, numbers)) == 2 * 11 * 3 * 4


def test_what_is_not_known_is_marked():
    passes = Passes({})
    assert passes.shown(Count(Length(), True)) == "not known"
    assert passes.shown(Count(Length.of("n"), True)) == ">= n"
    assert passes.shown(Count()) == ""


@pytest.mark.parametrize(
    "number, text",
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (2.5e9, "2.5 GB"), (7e18, "7e+03 PB")],
)
def test_amounts_are_readable(number, text):
    assert readable(number, "B") == text


def test_calls_are_counted_by_what_they_do():
    f = defined(
        "def f(A, b, x):\n    y = np.dot(A, x)\n    z = np.linalg.solve(A, b)\n    w = z.copy()\n"
        "    m = y.sum()\n    return m * m * np.sum(w)"
    )
    found = known_of(f, ("x",), (np.eye(4), np.ones(4), np.ones(4)))
    forward = [found.passes.number(c.forward) for c in costs(found.program, found.passes).values()]
    # a product, n**3 and what one right side takes more, nothing but a move, a sum
    assert [n for n in forward if n is not None][-5:-1] == [2 * 4 * 4, 4**3 + 2 * 4 * 4, 0, 4]
