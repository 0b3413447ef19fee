"""Lines of a derivative are linked with the lines of the function that they belong to."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import s2sad
from s2sad.api.display.panes import panes_for, panes_of
from s2sad.emit.comments import lines_of
from tests.display.models import HEAT, heat, misfit, misfit_example
from tests.texts import defined


def links(df):
    """Return the linked lines of a derivative, each with what the user wrote on its lines."""
    lines, start = inspect.getsourcelines(df.primal)
    return {
        line.text.strip(): {lines[n - start].strip() for n in line.links}
        for line in panes_for(df).derivative
        if line.links
    }


@pytest.mark.parametrize("like", [misfit_example(), None], ids=["examples", "any arguments"])
def test_every_line_of_both_sweeps_has_its_line(like):
    found = links(s2sad.grad(misfit, ("W", "m"), like=like))
    adjoint = next(line for line in found if line.startswith("return "))
    assert found[adjoint] == {"u = np.tanh(W @ m)"}
    forward = next(line for line in found if line.startswith("u = np.tanh("))
    assert found[forward] == {"u = np.tanh(W @ m)"}
    assert found["for _ in range(steps):"] == {"for _ in range(steps):"}
    backward = next(line for line in found if "reversed(" in line)
    assert found[backward] == {"for _ in range(steps):"}
    assert found["saved.append((w.copy(), u))"] <= {
        "u = u + np.sin(w) * 0.5",
        "w[1:] += 0.1 * u[:-1] * w[1:]",
    }


def test_lines_of_both_sweeps_are_all_linked():
    panes = panes_for(s2sad.grad(heat, ("u", "nu"), like=HEAT))
    start = next(line.number for line in panes.derivative if "forward sweep" in line.text)
    alone = [
        line.text.strip()
        for line in panes.derivative[start:]
        if not line.links and line.text.strip() and not line.text.strip().startswith("#")
    ]
    assert alone == []


def test_own_functions_are_shown_beside_the_one_that_calls_them():
    outer = defined(
        """
def inner(a):
    b = np.exp(a)
    return b * a


def outer(x):
    return np.sum(inner(x) + x)
"""
    )
    panes = panes_for(s2sad.grad(outer, like=(np.ones(3),)))
    shown = [lines[0].text for lines in panes.primal]
    assert shown[0] == "def outer(x):"
    assert "def inner(a):" in shown


def test_a_function_without_source_has_no_links():
    space = {}
    exec("def hidden(x):\n    return x", space)
    lines = lines_of("def f(x):\n    return x\n")
    assert panes_of(space["hidden"], lines, "f").primal == ()


def test_lines_of_a_branch_belong_to_the_statement_in_it():
    f = defined(
        "def f(x, k):\n    if k > 0.0:\n        y = x * k\n    else:\n        y = x / k\n    return y"
    )
    found = links(s2sad.grad(f, ("x", "k"), like=(2.0, 3.0)))
    assert found["y = x * k"] == {"y = x * k"}
    assert found["x_bar = 1.0 / k"] == {"y = x / k"}
    assert found["if k > 0.0:"] == {"if k > 0.0:"}


def test_a_loop_that_goes_back_belongs_to_the_loop_even_where_all_its_lines_do():
    f = defined("def f(u):\n    s = 0.0\n    for v in u:\n        s = s * v + v * v\n    return s")
    found = links(s2sad.grad(f, like=(np.ones(3),)))
    (head,) = (line for line in found if line.startswith("for") and "reversed" in line)
    assert found[head] == {"for v in u:"}


def test_lines_for_another_array_module_are_linked_alike():
    f = defined("def f(u):\n    v = np.sin(u)\n    return np.sum(v * v)")
    found = links(s2sad.grad(f, like=(np.ones(3),), arrays="dispatch"))
    assert found["v = xp.sin(u)"] == {"v = np.sin(u)"}
