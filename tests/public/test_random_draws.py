"""What a program draws is drawn once: its gradient is that of the draws which the program made."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.texts import defined

X = np.array([0.3, 0.5, 0.7])
SCHEDULES = ["sqrt", s2sad.Binomial(2), s2sad.Every(3), s2sad.Recompute()]
DRAWN = "x = np.sin(x) * 2.0 if {} else x * x + 0.3"
# a helper and the line that a loop of six passes repeats
BODIES = {
    "an array": ("", "x = np.sin(x) * rng.normal(size=3)"),
    "around what varies": ("", "x = rng.normal(np.sin(x), 0.1 + x**2)"),
    "added in place": ("", "x = x.copy()\n        x += rng.gumbel(x, 1.0)\n        x = np.sin(x)"),
    "an element": ("", "x = np.sin(x)\n        x[k % 3] = np.random.uniform(x[0], 2.0) * x[1]"),
    "a test": ("", DRAWN.format("rng.random() > 0.5")),
    "a part of a test": ("", DRAWN.format("k > 1 and rng.random() > 0.5")),
    "a test of many": ("", DRAWN.format("any(rng.random() > 0.8 for _ in range(3))")),
    "NumPy's own": ("", DRAWN.format("np.random.rand() > 0.5")),
    "Python's own": ("import random", "x = np.sin(x) * random.gauss(0.0, 1.0)"),
    "a position": ("", "x = x * np.sin(x[rng.integers(3)])"),
    "how often": ("", "for _ in range(rng.integers(1, 4)):\n            x = np.sin(x) * 1.5"),
    "until": ("", "while rng.random() > 0.6:\n            x = np.sin(x) * 1.5"),
    "a helper": ("def g(x, rng):\n    return np.sin(x) * rng.normal(size=3)", "x = g(x, rng)"),
    "a helper's helper": (
        "def h(r):\n    return r.normal()\ndef g(x, *, r):\n    return np.sin(x) * h(r) * h(r)",
        "x = g(x, r=rng)",
    ),
    "a helper that tests": (
        "def flip(r):\n    return r.random() > 0.5",
        DRAWN.format("flip(rng)"),
    ),
    "a helper that returns early": (
        "def g(x, r):\n    if r.random() > 0.5:\n        return np.sin(x)\n    return x * r.normal()",
        "x = g(x, rng)",
    ),
    "a helper of the module's": (
        "def g(x):\n    return np.sin(x) * np.random.normal()",
        "x = g(x)",
    ),
    "a lambda": ("", "g = lambda y: np.sin(y) * rng.normal()\n        x = g(x)"),
    "a recursion": (
        "def g(x, k, rng):\n    return x if k == 0 else np.sin(g(x, k - 1, rng)) * rng.normal()",
        "x = g(x, 3, rng)",
    ),
    "nothing reads it": (
        "def noise(r):\n    return r.normal()",
        "noise(rng)\n        w = noise(rng)\n        x = np.sin(x) * rng.normal()",
    ),
    "a generator by default": (
        "def g(x, r=None):\n    r = np.random.default_rng(0) if r is None else r\n"
        "    return np.sin(x) * r.normal()",
        "x = g(x, rng) * g(x)",
    ),
    "seeded in each pass": (
        "def g(x, k):\n    r = np.random.default_rng(k)\n    return np.sin(x) * r.normal(size=3)",
        "x = g(x, k)",
    ),
}


@cache
def program(name: str) -> Any:
    helper, line = BODIES[name]
    source = (
        f"{helper}\n\ndef f(x, rng):\n    for k in range(6):\n        {line}\n    return np.sum(x)"
    )
    return defined(source)


def fresh() -> np.random.Generator:
    np.random.seed(3)
    random.seed(4)
    return np.random.default_rng(1)


def states(rng: np.random.Generator) -> str:
    return repr((rng.bit_generator.state, np.random.get_state(), random.getstate()))


def slopes(f: Any) -> np.ndarray:
    steps = 1e-6 * np.eye(3)
    return np.array([(f(X + h, fresh()) - f(X - h, fresh())) / 2e-6 for h in steps])


@pytest.mark.parametrize("number, name", list(enumerate(BODIES)), ids=BODIES.keys())
def test_the_reverse_sweep_does_not_draw_again(number: int, name: str) -> None:
    f = program(name)
    drawn = fresh()
    f(X, drawn)
    expected, after = slopes(f), states(drawn)
    for checkpoint in (None, SCHEDULES[number % 4]):
        made = s2sad.grad(f, "x", like=(X, fresh()), checkpoint=checkpoint)
        assert checkpoint is None or "_loop_rev(" in made.source
        rng = fresh()
        assert np.allclose(made(X, rng), expected, rtol=1e-6, atol=1e-8)
        assert states(rng) == after


@pytest.mark.parametrize("schedule", SCHEDULES, ids=repr)
def test_what_a_schedule_draws_again_is_the_same_to_the_last_bit(schedule: Any) -> None:
    f = program("a helper that returns early")
    plain = s2sad.grad(f, "x")(X, fresh())
    assert np.array_equal(s2sad.grad(f, "x", checkpoint=schedule)(X, fresh()), plain)


def test_forward_mode_draws_once() -> None:
    f = program("a helper's helper")
    rng = fresh()
    value, slope = s2sad.jvp(f, "x")(X, rng, np.ones(3))
    assert value == f(X, fresh())
    assert slope == pytest.approx(np.sum(slopes(f)), rel=1e-6)


@pytest.mark.parametrize("name", ["an array", "NumPy's own", "Python's own"])
@pytest.mark.parametrize("again", [s2sad.jvp, s2sad.vjp], ids=["forward", "reverse"])
def test_texts_that_draw_again_are_differentiated_again(name: str, again: Any) -> None:
    f = program(name)
    along, made = np.cos(X), s2sad.grad(f, "x", checkpoint=s2sad.Binomial(2))
    up, down = (s2sad.grad(f, "x")(X + h * along, fresh()) for h in (1e-5, -1e-5))
    rng = fresh()
    f(X, rng)
    after, rng = states(rng), fresh()
    found = again(made, "x")(X, rng, along)
    found = found[1] if again is s2sad.jvp else found
    assert np.allclose(found, (up - down) / 2e-5, rtol=1e-6, atol=1e-8)
    assert states(rng) == after


def test_looking_at_the_result_draws_nothing() -> None:
    f = defined(
        "G = np.random.default_rng(5)\n\ndef f(x):\n    return x * G.normal() * np.random.rand()"
    )
    fresh()
    np.random.seed(3)
    drawn = np.random.default_rng(5).normal() * np.random.rand()
    np.random.seed(3)  # the first call finds out what f returns
    assert s2sad.vjp(f)(0.5, 1.0) == pytest.approx(drawn, rel=1e-15)


def test_each_number_of_an_array_draws() -> None:
    """np.vectorize asks the function once more at first, for what it gives."""
    f = defined(
        "def g(y):\n    return np.sin(y) * np.random.normal()\n"
        "def f(x, rng):\n    return np.sum(np.vectorize(g)(x))"
    )
    assert np.allclose(s2sad.grad(f, "x")(X, fresh()), slopes(f), rtol=1e-6)


def test_passes_that_run_again_ask_an_iterator_for_the_same_items() -> None:
    f = defined(
        "def f(x, rng):\n    it = iter([1.0, 2.0, 3.0])\n    for k in range(3):\n"
        "        x = np.sin(x) * next(it)\n    return np.sum(x)"
    )
    found = s2sad.grad(f, "x", checkpoint="sqrt")(X, fresh())
    assert np.allclose(found, slopes(f), rtol=1e-6)


REFUSED = {
    "a recursion": (
        "def g(x, rng):\n    if np.sum(x) < 0.1:\n        return x\n"
        "    return np.sin(g(x * 0.5, rng)) * rng.normal()\n"
        "def f(x, rng):\n    return np.sum(g(x, rng))",
        "draws random numbers",
        None,
    ),
    "a generator of the module's": (
        "G = np.random.default_rng(0)\n"
        "def f(x, rng):\n    for k in range(3):\n        x = np.sin(x) * G.normal()\n"
        "    return np.sum(x)",
        "let generators be arguments",
        "sqrt",
    ),
}


@pytest.mark.parametrize("source, words, schedule", REFUSED.values(), ids=REFUSED.keys())
def test_what_would_draw_others_is_refused(source: str, words: str, schedule: Any) -> None:
    with pytest.raises(s2sad.Unsupported, match=words):
        s2sad.grad(defined(source), "x", checkpoint=schedule)(X, fresh())
