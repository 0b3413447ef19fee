"""What a report says of memory and of work agrees with what the text does when it runs."""

from __future__ import annotations

import re

import numpy as np
import pytest

import s2sad
from s2sad.api.display.anatomy import anatomy_of
from s2sad.api.display.counts import Count, Passes, readable
from s2sad.api.display.kept import saved_bytes
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


def anatomy(function, wrt, args):
    names = function.__code__.co_varnames
    found = anatomy_of(function, wrt, dict(zip(names, args, strict=False)))
    assert found is not None
    return found


@pytest.mark.parametrize("function, wrt, args", CASES.values(), ids=CASES)
def test_saved_bytes_are_those_that_the_text_saves(function, wrt, args):
    source = s2sad.grad(function, wrt, like=args).source
    # what stands on the stacks where the reverse sweep begins
    stacks = sorted(set(re.findall(r"^    (\w+_saved\w*) = \[\]", source, re.MULTILINE)))
    seen = "[" + ", ".join(stacks) + "]"
    told = re.sub(r"    # -- reverse sweep.*", f"    raise Seen({seen})", source)

    class Seen(Exception):
        pass

    space = {"Seen": Seen}
    exec(told, space)
    with pytest.raises(Seen) as found:
        space[f"{function.__name__}_grad"](*args)
    held = sum(np.asarray(value).nbytes for stack in found.value.args[0] for value in stack)
    known = anatomy(function, wrt, args)
    assert known.passes.number(saved_bytes(known.kept)) == held > 0


def test_arrays_that_are_saved_by_reference_take_no_memory():
    f = defined(
        "def step(u, c):\n    v = u[1:-1]\n    v += c * (u[2:] + v * u[:-2])\n    return u\n"
        "def f(c, u):\n    u = u.copy()\n    for _ in range(4):\n        u = step(u, c)\n"
        "    return np.sum(u * u)"
    )
    source = s2sad.grad(f, like=(0.3, np.ones(9))).source
    saved = re.search(r"saved.append\(\((.*)\)\)", source)[1].split(", ")
    assert {"u", "u_bar"} <= {*saved}, "by reference"
    known = anatomy(f, ("c",), (0.3, np.ones(9)))
    rows = {each.name: known.passes.number(each.size) for each in known.kept if each.how == "saved"}
    assert all(rows[name] == 4 * 8 for name in saved)


def test_a_product_and_elementwise_operations_are_counted():
    f = defined("def f(A, x):\n    y = A @ x\n    return 0.5 * np.sum(y**2)")
    known = anatomy(f, ("x",), (np.ones((3, 5)), np.ones(5)))
    first = min(known.costs)
    assert known.passes.number(known.costs[first].forward) == 2 * 3 * 5
    assert known.shown(known.costs[first].forward) == "2 * n * m = 30"
    # x_bar = y_bar @ A
    assert known.passes.number(known.costs[first].reverse) == 2 * 3 * 5


def test_a_loop_counts_as_often_as_it_runs():
    known = anatomy(*CASES["twice"])
    line = next(n for n, cost in known.costs.items() if known.passes.number(cost.forward))
    assert known.passes.number(known.costs[line].forward) == 2 * 11 * 3 * 4


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


def test_a_function_that_the_rooms_do_not_take_has_no_anatomy():
    f = defined("def f(x):\n    return np.sum(np.union1d(x, x))")
    assert anatomy_of(f, ("x",), {"x": np.ones(2)}) is None
