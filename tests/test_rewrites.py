"""Each rewrite of derivative expressions: what it makes of what, and that it changes no bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.legacy.facts.fact import array, axis, scalar
from s2sad.legacy.printing import text
from s2sad.legacy.program import Const, Expr, Op, Var
from s2sad.legacy.rewrites import EXACT, REASSOCIATING, Rewrite, reassociating, rewrites, rewritten
from s2sad.legacy.traverse import substitute, walk

ROWS = [(file, each) for file in (EXACT, REASSOCIATING) for each in rewrites(file)]
RNG = np.random.default_rng(8)


def known(var: Var) -> Any:
    """Return what is known of the operands: floats, but for the positions."""
    return scalar("int64") if var.slot == "key" else array("float64", (axis("a", 0),))


def operands(rewrite: Rewrite) -> dict[str, Any]:
    """Return values for the names of a rewrite; those of literals are literals."""
    drawn = {name: RNG.uniform(-2.0, 2.0, 50) for name in rewrite.marks}
    for name, words in rewrite.marks.items():
        if "number" in words or "negative" in words:
            drawn[name] = -0.3 if "negative" in words else 0.7
    return {**drawn, "key": 3} if "key" in drawn else drawn


def spelled(expr: Expr, values: dict[str, Any]) -> Expr:
    """Return an expression with literals for the names that stand for them."""

    def one(var: Var) -> Expr:
        value = values[var.slot]
        return Const(value) if isinstance(value, float) else Var(var.slot, 0)

    return substitute(expr, one)


def length(expr: Expr) -> int:
    return sum(isinstance(part, Op) for part in walk(expr))


def evaluated(expr: Expr, values: dict[str, Any]) -> Any:
    return eval(text(expr, lambda slot: slot), {"np": np, **values})


@pytest.mark.parametrize(("file", "rewrite"), ROWS, ids=lambda each: getattr(each, "name", None))
def test_a_rewrite_fits_its_pattern_and_gives_the_same(file: str, rewrite: Rewrite) -> None:
    values = operands(rewrite)
    before = spelled(rewrite.before, values)
    with reassociating(file == REASSOCIATING):
        after = rewritten(before, known)
    assert after != before
    powers = rewrite.name in ("cube", "fourth_power")  # of which a product is faster
    assert length(after) <= length(before) + powers
    a, b = evaluated(before, values), evaluated(after, values)
    if file == EXACT:
        np.testing.assert_array_equal(a, b)
    else:
        np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-14)


def test_names_are_unique() -> None:
    names = [each.name for _, each in ROWS]
    assert len({*names}) == len(names)


@pytest.mark.parametrize(("file", "rewrite"), ROWS, ids=lambda each: getattr(each, "name", None))
def test_what_a_name_has_to_be_counts(file: str, rewrite: Rewrite) -> None:
    """Unsigned integers have no sign that could be moved, and an integer is no float."""

    def unsigned(var: Var) -> Any:
        return array("uint8", (axis("a", 0),))

    marked = [n for n, words in rewrite.marks.items() if {"signed", "floating"} & {*words}]
    before = spelled(rewrite.before, operands(rewrite))
    with reassociating(file == REASSOCIATING):
        assert not marked or rewritten(before, unsigned) == before


# ---------------------------------------------------------------------------- in whole texts


def likelihood(x, mu, s):
    r = (x - mu) / s
    logl = -0.5 * np.sum(r**2) - len(x) * np.log(s)
    return -logl


def quotient(e, v, k):
    return -e / (k - v)


def waves(x, w):
    y = x * w
    return np.sum(np.sin(y) * np.cos(y) + np.exp(y) / x**3)


X, W = np.array([0.7, 1.3, 0.4]), np.array([0.2, -0.6, 0.5])
PROGRAMS = [(likelihood, (X, 0.4, 0.9)), (quotient, (0.4, 0.3, 1.7)), (waves, (X, W))]


@pytest.mark.parametrize(("function", "args"), PROGRAMS)
@pytest.mark.parametrize("reassociate", [False, True])
def test_no_sign_is_said_twice(function: Any, args: Any, reassociate: bool) -> None:
    wrt = tuple(range(len(args)))
    made = s2sad.grad(function, wrt, like=args, reassociate=reassociate)
    assert "-(-" not in made.source
    assert s2sad.check_grad(function, args, wrt).ok
    for found, exact in zip(made(*args), s2sad.grad(function, wrt)(*args), strict=True):
        np.testing.assert_allclose(found, exact, rtol=1e-13)


@pytest.mark.parametrize("like", [False, True])
def test_minus_of_unsigned_integers_stays_where_it_is(like: bool) -> None:
    def product(x, k):
        return np.sum(x * (-k)) + np.sum(np.sin(x) / (-k)) + np.sum(x * ((-k) + x))

    k = np.array([3, 4, 5], dtype=np.uint8)
    found = s2sad.grad(product, like=(X, k) if like else None)(X, k)
    h = 1e-6
    for i, e in enumerate(np.eye(3)):
        expected = (product(X + h * e, k) - product(X - h * e, k)) / (2 * h)
        np.testing.assert_allclose(found[i], expected, rtol=1e-6)


def test_rounding_in_another_way_is_asked_for() -> None:
    def scaled(x, w):
        y = np.sin(x) / 0.7
        return np.sum(0.3 * y * w)

    exact = s2sad.grad(scaled, like=(X, W))
    asked = s2sad.grad(scaled, like=(X, W), reassociate=True)
    assert "/ 0.7" in body(exact.source) and "/ 0.7" not in body(asked.source)
    np.testing.assert_allclose(asked(X, W), exact(X, W), rtol=1e-14)


def body(source: str) -> str:
    """Return the statements of a text, without comments."""
    return "\n".join(line.partition("#")[0] for line in source.rpartition('"""')[2].splitlines())


# ---------------------------------------------------------------------------- common expressions


@pytest.mark.parametrize("mode", ["grad", "jvp"])
def test_what_is_costly_is_computed_once(mode: str) -> None:
    source = getattr(s2sad, mode)(waves, like=(X, W)).source
    for call in ("np.sin(y)", "np.cos(y)", "np.exp(y)"):
        assert body(source).count(call) <= 1


def test_expressions_of_other_values_are_apart() -> None:
    def twice(x):
        y = np.sin(x) * x
        x = x * 2.0
        return np.sum(y * np.sin(x) * np.cos(x))

    assert s2sad.check_grad(twice, (X,)).ok
    h = 1e-6
    _, tangent = s2sad.jvp(twice, like=(X,))(X, W)
    np.testing.assert_allclose(tangent, (twice(X + h * W) - twice(X - h * W)) / (2 * h), rtol=1e-7)


def test_draws_are_never_one() -> None:
    def noisy(x, rng):
        a = np.exp(rng.normal(size=3))
        b = np.exp(rng.normal(size=3))
        return np.sum(x * a * b)

    found = s2sad.grad(noisy)(X, np.random.default_rng(4))
    again = np.random.default_rng(4)
    np.testing.assert_allclose(found, np.exp(again.normal(size=3)) * np.exp(again.normal(size=3)))
