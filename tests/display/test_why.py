"""Where a zero derivative is cut off: each kind of place, with its line, held against differences."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from s2sad.api.commands.main import main
from tests.texts import defined

U = np.linspace(0.2, 1.7, 5)
BISECTION = """
def root(lo, hi, k):
    for _ in range(40):
        mid = 0.5 * (lo + hi)
        if mid**2 > k:
            hi = mid
        else:
            lo = mid
    return mid
"""
GOLDEN = """
def least(k, lo, hi):
    while hi - lo > 1e-6:
        a = hi - 0.618 * (hi - lo)
        b = lo + 0.618 * (hi - lo)
        if (a - k) ** 2 < (b - k) ** 2:
            hi = b
        else:
            lo = a
    return 0.5 * (lo + hi)
"""
# text, arguments, and what is said of k: the lines that are named, with a word of the reason
CASES = {
    "int": (
        "def f(x, k):\n    n = int(k)\n    return x * n",
        (1.5, 3.4),
        [("n = int(k)", "int(k)")],
    ),
    "floor division": ("def f(x, k):\n    return x * (k // 2.0)", (1.5, 3.4), [("return x", "//")]),
    "test": (
        "def f(x, k):\n    if x > k:\n        x = 2.0 * x\n    return x",
        (1.5, 3.4),
        [("if x > k:", "a test")],
    ),
    "stopped": (
        "import s2sad\ndef f(x, k):\n    w = s2sad.stop_gradient(k * 2.0)\n    return x * w",
        (1.5, 3.4),
        [("w = s2sad", "stopped here")],
    ),
    "unread": ("def f(x, k):\n    return x * x", (1.5, 3.4), []),
    "computed for nothing": (
        "def f(x, k):\n    w = np.sin(k)\n    return x * x",
        (1.5, 3.4),
        [("w = np.sin(k)", "does not depend")],
    ),
    "position": (
        "def f(u, k):\n    i = int(k)\n    return u[i] ** 2",
        (U, 2.3),
        [("i = int(k)", "int(k)")],
    ),
    "loop": (
        "def f(x, k):\n    for _ in range(int(k)):\n        x = x * 1.5\n    return x",
        (1.5, 3.4),
        [("for _ in", "how often")],
    ),
    "where": (
        "def f(u, k):\n    return np.sum(np.where(u > k, u, 0.0))",
        (U, 0.61),
        [("return np.sum", "a test")],
    ),
    "sign": (
        "def f(u, k):\n    return np.sum(u * np.sign(u - k))",
        (U, 0.61),
        [("return", "np.sign")],
    ),
    "text": (
        "def f(x, k):\n    return x * float(f'{k:.1f}')",
        (1.5, 3.44),
        [("return x", 'f"{k:.1f}" is the same')],
    ),
    "shape": ("def f(u, k):\n    return u[0] * len(k)", (U, U), [("return", "shape")]),
    "bisection": (BISECTION, (0.0, 2.0, 1.3), [("if mid**2 > k:", "a test")]),
}


@pytest.mark.parametrize("text, args, places", CASES.values(), ids=CASES)
@pytest.mark.parametrize("with_examples", [True, False], ids=["examples", "any arguments"])
def test_a_zero_derivative_is_traced_to_its_line(text, args, places, with_examples):
    f = defined(text)
    found = s2sad.why(f, "k", like=args if with_examples else None)
    assert not found
    assert len(found.places) == len(places)
    for place, (line, reason) in zip(found.places, places, strict=True):
        assert place.text.startswith(line)
        assert reason in place.reason


@pytest.mark.parametrize("text, args, places", CASES.values(), ids=CASES)
def test_what_is_said_to_be_zero_is_zero(text, args, places):
    f = defined(text)
    x, k = args[:-1], args[-1]
    step = 1e-9
    assert f(*x, k + step) == pytest.approx(f(*x, k - step), abs=1e-6)


def test_an_argument_that_counts_is_not_said_to_be_cut_off():
    f = defined("def f(x, k):\n    r = x * k\n    if x > k:\n        r = 2.0 * r\n    return r")
    found = s2sad.why(f, "k")
    assert found and not found.by_tests_alone
    assert str(found).startswith("f varies with k, through lines")
    assert [place.text for place in found.places] == ["if x > k:"]


@pytest.mark.parametrize(
    "text, argument", [(BISECTION, "k"), (GOLDEN, "k")], ids=["halves", "golden"]
)
def test_a_search_by_tests_alone_is_named_by_why_explain_and_the_text(text, argument):
    f = defined(text)
    args = (0.0, 2.0, 1.3) if f.__name__ == "root" else (1.3, 0.0, 2.0)
    assert "through tests alone" in str(s2sad.why(f, argument))
    assert "through tests alone" in str(s2sad.explain(f, argument, like=args))
    df = s2sad.grad(f, argument, like=args)
    assert (
        f"The result depends on {argument} through tests alone: its derivative is 0." in df.source
    )
    assert df(*args) == 0.0
    for derive in (s2sad.jvp, s2sad.hvp, s2sad.directional, s2sad.jacobian):
        told = f"on {argument} through tests alone: its derivative is 0."
        assert told in derive(f, argument, like=args).source
    other = "lo"
    for derive in (s2sad.grad, s2sad.jvp, s2sad.hvp):
        assert "through tests alone" not in derive(f, other, like=args).source


NARROWED = """
import numpy as np
def level(x, total):
    lo, hi = 0.0, 3.0
    for _ in range(40):
        mid = (lo + hi) / 2
        if np.sum(np.maximum(mid - x, 0.0)) < total:
            lo = mid
        else:
            hi = mid
    return lo * np.sum(x)
"""
ADAPTIVE = """
def fall(x, k):
    t, h = 0.0, 0.25
    while t < 1.0:
        full = x - h * k * x
        half = x - 0.5 * h * k * x
        half = half - 0.5 * h * k * half
        if abs(half - full) < 0.02:
            t, x = t + h, half
        else:
            h = 0.5 * h
    return x
"""


@pytest.mark.parametrize("derive", [s2sad.grad, s2sad.jvp, s2sad.hvp])
def test_what_a_search_narrows_down_is_named_beside_what_varies(derive):
    args = (np.array([0.2, 0.5, 0.9]), 0.7)
    told = "values of lo and hi depend on x through tests alone: their derivatives are 0."
    for like in (args, None):
        assert told in derive(defined(NARROWED), "x", like=like).source
    told = "the values of lo and hi depend on x through tests alone"
    assert told in str(s2sad.explain(defined(NARROWED), "x", like=args))
    assert "tests alone" not in derive(defined(ADAPTIVE), "x", like=(1.0, 2.0)).source


def test_own_functions_are_looked_into():
    f = defined(
        """
def steps(k):
    return int(k * 2.0)


def f(x, k):
    n = steps(k)
    return x * n
"""
    )
    found = s2sad.why(f, "k")
    assert [place.text for place in found.places] == ["return int(k * 2.0)"]


def test_wrong_questions_are_answered_by_one_error():
    f = defined("def f(x, k):\n    return x * k")
    with pytest.raises(s2sad.ArgumentError, match="f has no parameter z"):
        s2sad.why(f, "z")
    with pytest.raises(s2sad.NoSource):
        s2sad.why(len, "x")


def test_the_command_says_it(tmp_path, capsys, monkeypatch):
    (tmp_path / "model.py").write_text("def f(x, k):\n    n = int(k)\n    return x * n\n")
    monkeypatch.chdir(tmp_path)
    assert main("why model.py:f k x".split()) == 0
    assert capsys.readouterr().out == (
        "f does not vary with k: its derivative is 0\n"
        "  line 2: n = int(k)\n"
        "      int(k) is the same for all k nearby\n"
        "f varies with x, through line 3\n"
    )
    assert main("why model.py:f nothing".split()) == 2
    assert "no parameter nothing" in capsys.readouterr().err


def test_a_notebook_shows_a_table():
    shown = s2sad.why(defined(CASES["int"][0]), "k")._repr_html_()
    assert "<table>" in shown and "int(k) is the same" in shown
