"""Lines of a derivative are linked with the lines of the function that they belong to."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import s2sad
from s2sad.api.display.panes import panes_of
from tests.display.models import HEAT, heat, misfit, misfit_example
from tests.texts import defined


def links(function, source):
    """Return the linked lines of a text, each with what the user wrote on its lines."""
    lines, start = inspect.getsourcelines(function)
    panes = panes_of(function, source, "f_grad")
    return {
        line.text.strip(): {lines[n - start].strip() for n in line.links}
        for line in panes.derivative
        if line.links
    }


@pytest.mark.parametrize("like", [misfit_example(), None], ids=["examples", "any arguments"])
def test_every_line_of_both_sweeps_has_its_line(like):
    found = links(misfit, s2sad.grad(misfit, ("W", "m"), like=like).source)
    adjoint = next(line for line in found if line.startswith("return "))
    assert found[adjoint] == {"u = np.tanh(W @ m)"}
    forward = next(line for line in found if line.startswith("u = np.tanh("))
    assert found[forward] == {"u = np.tanh(W @ m)"}
    assert found["for _ in range(steps):"] == {"for _ in range(steps):"}
    backward = next(line for line in found if "reversed(" in line)
    assert found[backward] == {"for _ in range(steps):"}
    assert found["u_saved.append(u)"] <= {
        "u = u + np.sin(w) * 0.5",
        "w[1:] += 0.1 * u[:-1] * w[1:]",
    }


def test_lines_of_both_sweeps_are_all_linked_but_zeros():
    source = s2sad.grad(heat, ("u", "nu"), like=HEAT).source
    panes = panes_of(heat, source, "heat_grad")
    start = next(line.number for line in panes.derivative if "forward sweep" in line.text)
    alone = [
        line.text.strip()
        for line in panes.derivative[start:]
        if not line.links and line.text.strip() and not line.text.strip().startswith("#")
    ]
    assert alone == ["nu_bar = 0.0", "flux_bar = np.zeros_like(flux)"]


def test_an_edited_text_without_line_numbers_is_linked_by_what_its_remarks_say():
    text = """
def f_grad(x):
    u = np.sin(x)  # mine

    # u = np.sin(x)
    x_bar = np.cos(x) * 2.0 * u
    return x_bar
"""
    f = defined("def f(x):\n    u = np.sin(x)\n    return np.sum(u * u)")
    found = links(f, text)
    assert found["x_bar = np.cos(x) * 2.0 * u"] == {"u = np.sin(x)"}
    assert found["u = np.sin(x)  # mine"] == {"u = np.sin(x)"}
    assert found["return x_bar"] == {"def f(x):"}


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
    panes = panes_of(outer, s2sad.grad(outer, like=(np.ones(3),)).source, "outer_grad")
    shown = [lines[0].text for lines in panes.primal]
    assert shown[0] == "def outer(x):"
    assert "def inner(a):" in shown


def test_a_text_that_is_no_python_and_a_function_without_source_have_no_links():
    assert links(misfit, "this is ( no text") == {}
    space = {}
    exec("def hidden(x):\n    return x", space)
    assert panes_of(space["hidden"], "def f(x):\n    return x\n", "f").primal == ()


def test_remarks_at_the_top_of_a_block_count_for_its_lines():
    text = """
def f_grad(x, k):
    if k > 0.0:
        # 3: y = x * k
        x_bar = k * 1.0
        k_bar = x * 1.0
    else:
        # 5: y = x / k
        x_bar = 1.0 / k
        k_bar = -x / k**2
    return x_bar, k_bar
"""
    f = defined(
        "def f(x, k):\n    if k > 0.0:\n        y = x * k\n    else:\n        y = x / k\n    return y"
    )
    start = f.__code__.co_firstlineno
    text = text.replace("3:", f"{start + 2}:").replace("5:", f"{start + 4}:")
    found = links(f, text)
    assert found["x_bar = k * 1.0"] == found["k_bar = x * 1.0"] == {"y = x * k"}
    assert found["x_bar = 1.0 / k"] == found["k_bar = -x / k**2"] == {"y = x / k"}
    assert found["if k > 0.0:"] == {"if k > 0.0:"}


def test_a_loop_that_goes_back_belongs_to_the_loop_even_where_all_its_lines_do():
    f = defined("def f(u):\n    s = 0.0\n    for v in u:\n        s = s + v * v\n    return s")
    start = f.__code__.co_firstlineno
    text = f"""
def f_grad(u):
    u_bar = np.zeros_like(u)
    for k in reversed(range(len(u))):
        u_bar[k] += 2.0 * u[k]  # {start + 2}: for v in u:
    return u_bar
"""
    assert links(f, text)["for k in reversed(range(len(u))):"] == {"for v in u:"}
