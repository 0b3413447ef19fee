"""Each rewrite of derivative expressions: what it makes of what, and that it changes no bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.ir.expression import Expr
from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators.filling import fill
from s2sad.operators.rewrites import ANY, LATE, PLAIN, Rewrite, fitting, rewrites
from s2sad.operators.trees import literal
from s2sad.testing.evaluate import Values

EXACT = {each.name for found in rewrites(PLAIN).values() for each in found}
LAST = {each.name for found in rewrites(LATE).values() for each in found}
ROWS = [each for files in (ANY, LATE) for found in rewrites(files).values() for each in found]
RNG = np.random.default_rng(8)
WHOLE = {"key": 3, "n": 4, "axis": 0, "one": (1,), "text": "i,i->i"}
SHAPES = {"planar": (2, 2), "spatial": (3, 3)}
LITERALS = {"number": 0.5, "negative": -0.25, "constant": 0.5}
# a power is computed by products, which round in another way than the power does
BY_PRODUCTS = {"cube", "fourth_power"}


def files_of(rewrite: Rewrite) -> tuple[str, ...]:
    """Return the files with which a rewrite is used."""
    return LATE if rewrite.name in LAST else PLAIN if rewrite.name in EXACT else ANY


def operands(rewrite: Rewrite) -> dict[str, Any]:
    """Return values for the names of a rewrite; those of literals are powers of two."""
    drawn: dict[str, Any] = {}
    every = {word for words in rewrite.marks.values() for word in words}
    for name, words in rewrite.marks.items():
        known = [value for word, value in LITERALS.items() if word in words]
        of_two_axes = {"matrix", "square"} & {*words} or "@" in str(rewrite.before)
        shape: tuple[int, ...] = (4, 4) if of_two_axes else (4,)
        shape = next((shaped for word, shaped in SHAPES.items() if word in every), shape)
        shape = (4,) if "vector" in words else () if {"scalar", "valued"} & {*words} else shape
        drawn[name] = known[0] if known else RNG.uniform(0.5, 2.0, shape)
        drawn[name] = drawn[name] > 1.2 if "flags" in words else drawn[name]
        drawn[name] = float(drawn[name]) if "valued" in words else drawn[name]
    return {**drawn, **{name: whole for name, whole in WHOLE.items() if name in drawn}}


def filled(expr: Expr, env: dict[str, Any], marks: Any) -> Expr:
    """Return a side of a rewrite with literals where its names stand for them."""

    def change(node: Expr) -> Expr | None:
        if node.op == "name" and LITERALS.keys() & {*marks[node.data.name]}:
            return literal(env[node.data.name])
        return None

    return Values(env).typed(rebuilt(expr, change))


@pytest.mark.parametrize("rewrite", ROWS, ids=lambda each: each.name)
def test_a_rewrite_fits_its_pattern_and_gives_the_same(rewrite: Rewrite) -> None:
    env = operands(rewrite)
    values = Values(env)
    before = filled(rewrite.before, env, rewrite.marks)
    found = fitting(before, files_of(rewrite))
    assert found is not None
    after = fill(found[0].after, found[1], values.infer)
    a, b = values.value(before), values.value(after)
    assert np.shape(a) == np.shape(b)
    np.testing.assert_allclose(a, b, rtol=1e-12, atol=0.0)
    may_be_long = BY_PRODUCTS | LAST
    if found[0].name in EXACT - may_be_long and "@" not in str(rewrite.before):
        assert len([*nodes(after)]) <= len([*nodes(before)]) + 1


def test_names_are_unique() -> None:
    assert len({each.name for each in ROWS}) == len(ROWS)


@pytest.mark.parametrize("rewrite", ROWS, ids=lambda each: each.name)
def test_what_a_name_has_to_be_counts(rewrite: Rewrite) -> None:
    """Unsigned integers have no sign that could be moved, and an integer is no float."""
    marked = [
        n for n, words in rewrite.marks.items() if {"signed", "floating", "inexact"} & {*words}
    ]
    env = operands(rewrite)
    unsigned = {
        name: np.full(np.shape(value), 3, np.uint8) if name in marked and np.ndim(value) else value
        for name, value in env.items()
    }
    found = fitting(filled(rewrite.before, unsigned, rewrite.marks), files_of(rewrite))
    assert not marked or found is None or found[0].name != rewrite.name


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
