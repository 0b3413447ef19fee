"""Derivative code is simplified as it is built: the same numbers, and the text of a hand."""

import ast
import itertools

import numpy as np
import pytest

from s2sad.ir.expression import Expr, Variable, constant, name
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Length, Number, Numeric
from s2sad.ir.walk import nodes
from s2sad.operators.algebra import Algebra
from s2sad.operators.filling import fill
from s2sad.operators.find import find
from s2sad.operators.reading import Text
from s2sad.operators.rewrites import ANY, LATE, PLAIN, rewrites
from s2sad.operators.slopes import is_steep, may_raise
from s2sad.operators.trees import Reader, literal
from s2sad.testing.evaluate import Values

DRAW = np.random.default_rng(4).standard_normal
VALUES = {"u": DRAW(3), "v": DRAW(3), "A": DRAW((3, 2)), "B": DRAW((3, 2)), "c": 0.7, "k": 3}


def built(text):
    """Return an expression built by the algebra, with what it is worth."""
    values = Values(VALUES)
    holes = {called: values.named(called) for called in VALUES}
    read = Reader(Text("here"), frozenset(VALUES)).expression(ast.parse(text, mode="eval").body)
    return fill(read, holes, values.infer), values


EXACT = [
    ("1.0 * u", "u"),
    ("u * 1.0", "u"),
    ("u / 1.0", "u"),
    ("u**1", "u"),
    ("-(-u)", "u"),
    ("u + -v", "u - v"),
    ("u - -v", "u + v"),
    ("-u + v", "v - u"),
    ("-(u - v)", "v - u"),
    ("u + 0.0", "u"),
    ("0.0 - u", "-u"),
    ("u * 2.0", "2.0 * u"),
    ("2.0 * (3.0 * u)", "6.0 * u"),
    ("2.0 * u * v", "2.0 * (u * v)"),
    ("u * (0.5 * v)", "0.5 * (u * v)"),
    ("2.0 * u * (0.5 * v)", "u * v"),
    ("-u * v", "-(u * v)"),
    ("u * -v", "-(u * v)"),
    ("-u * -v", "u * v"),
    ("-(2.0 * u)", "-2.0 * u"),
    ("-u / v", "-(u / v)"),
    ("u + u", "2.0 * u"),
    ("-u - u", "-2.0 * u"),
    ("-(2 * u)", "-2.0 * u"),
    ("c * v + u * v + v * u", "(c + 2.0 * u) * v"),
    ("c / v + u * v + v * u", "c / v + 2.0 * (v * u)"),
    ("c - u - u", "c - 2.0 * u"),
    ("3.0 * (0.3 * u)", "0.9 * u"),
    ("2.0 * (0.25 / u)", "0.5 / u"),
    ("2.0 * (0.25 * u / v)", "0.5 * u / v"),
    ("2.0 * (0.25 * u / v * c)", "0.5 * u / v * c"),
    ("2.0 * (0.25 * u / v / c)", "0.5 * u / v / c"),
    ("2.0 * (0.25 * u / v / c * A[:, 0])", "0.5 * u / v / c * A[:, 0]"),
    ("2.0 * (0.25 * u / v / c / A[:, 0])", "0.5 * u / v / c / A[:, 0]"),
    ("c * u - np.sin(v) * u - 2.0 * u * v", "(c - np.sin(v) - 2.0 * v) * u"),
    ("-(u * v) + c * u * 0.5", "(0.5 * c - v) * u"),
    ("2.0 * (c * (u / (2.0 * v)))", "c * (u / v)"),
    ("u * v - v * c", "(u - c) * v"),
    ("-(u * v) - c * v", "-((u + c) * v)"),
    ("(-u) @ v", "-(u @ v)"),
    ("(-u - v) * c", "-((u + v) * c)"),
    ("np.dot(u, A)", "u @ A"),
    ("u + -2.0 * v", "u - 2.0 * v"),
    ("2 * 3 - 1", "5"),
    ("A.T.T", "A"),
    ("u.T", "u"),
    ("(-A).T", "-A.T"),
    ("np.outer(u, v).T", "np.outer(v, u)"),
    ("c.shape", "()"),
    ("c.size", "1"),
    ("(u, v)[1]", "v"),
    ("np.full_like(c, c)", "c"),
    ("np.reshape(u, *(3,))", "np.reshape(u, 3)"),
]


@pytest.mark.parametrize(("text", "wanted"), EXACT, ids=[text for text, _ in EXACT])
def test_what_is_written(text, wanted):
    made, values = built(text)
    assert expression(made) == wanted
    space = {"np": np, **VALUES}
    if text not in ("u.T", "c.shape", "c.size"):
        assert np.allclose(values.value(made), eval(text, space), rtol=1e-15, atol=0.0)


@pytest.mark.parametrize(
    "text", ["k * u", "u - 0.0 * v", "A @ u[:2]", "0.0 * u", "u * v", "k + 0.0"]
)
def test_what_has_to_stay(text):
    assert expression(built(text)[0]) == text


def test_another_rounding_only_on_request():
    assert expression(built("u / c + v / c")[0]) == "u / c + v / c"


@pytest.mark.parametrize(
    ("product", "wanted"),
    [
        (("u", "v"), "u @ v"),
        (("A", "B"), "np.vdot(A, B)"),
        (("c", "u"), "c * np.sum(u)"),
        (("A", "A"), "np.vdot(A, A)"),
    ],
)
def test_the_sum_of_a_product_is_a_contraction(product, wanted):
    values = Values(VALUES)
    c = Algebra(values.infer)
    made = c.total(c.multiply(*(values.named(called) for called in product)))
    assert expression(made) == wanted
    a, b = (VALUES[called] for called in product)
    assert np.isclose(values.value(made), np.sum(a * b))


def test_lengths_that_are_not_known_to_be_equal_are_summed():
    u = name(Variable("u"), Array("float64", (Length.of("n"),)))
    v = name(Variable("v"), Array("float64", (Length.of("m"),)))
    c = Algebra(lambda expr: expr)
    assert expression(c.total(Expr("binary", (u, v), "*"))) == "np.sum(u * v)"
    x = name(Variable("x"), Numeric())
    assert expression(c.attribute(x, "shape")) == "np.shape(x)"
    assert expression(c.attribute(x, "T")) == "np.transpose(x)"


def test_numbers_that_are_only_known_are_not_written_out():
    n = name(Variable("n"), Number("float64")).typed(Number("float64"), constant(2.0).known)
    u = name(Variable("u"), Array("float64", (Length.of("n"),)))
    c = Algebra(lambda expr: expr)
    assert expression(c.multiply(u, n)) == "u * n"
    assert expression(c.negate(n)) == "-n"
    assert expression(c.multiply(n, literal(3.0))) == "3.0 * n"


@pytest.mark.parametrize("files", [PLAIN, ANY, LATE])
def test_every_rewrite_keeps_the_value(files):
    every = {each.name: each for found in rewrites(files).values() for each in found}
    drawn = {"number": 0.5, "negative": -0.5, "scalar": 1.5}
    whole = {"key": 1, "n": 3, "axis": 0, "one": (1,), "text": "i,i->i"}
    for each in every.values():
        matrices = any(node.op == "attribute" for node in nodes(each.before)) or "n" in each.marks
        env = {}
        for called, place in zip(_names(each), itertools.count(), strict=False):
            words = set(each.marks.get(called, ()))
            value = next((drawn[word] + place for word in words if word in drawn), None)
            if value is not None and "negative" in words:
                value = -0.5
            is_matrix = matrices or not words.isdisjoint({"matrix", "square", "spatial"})
            shape = (2, 2) if "planar" in words else (3, 3) if is_matrix else (3,)
            env[called] = DRAW(shape) if value is None else value
            env[called] = env[called] > 0.5 if "flags" in words else env[called]
        env |= {called: number for called, number in whole.items() if called in env}
        if "outer" in each.name:
            env = {called: v if np.ndim(v) == 0 else DRAW(3) for called, v in env.items()}
        values = Values(env)
        before, after = values.value(each.before), values.value(each.after)
        assert np.allclose(before, after, rtol=1e-12, atol=1e-14), each.name


def _names(each):
    return dict.fromkeys(n.data.name for n in nodes(each.before) if n.op == "name")


def matched(text):
    values = Values(VALUES)
    read = Reader(Text("here"), frozenset(VALUES)).expression(ast.parse(text, mode="eval").body)
    return find(read.with_args(_filled(arg, values) for arg in read.args))


def _filled(arg, values):
    return values.named(arg.data.name) if arg.op == "name" else arg


@pytest.mark.parametrize(
    ("text", "steep"),
    [
        ("np.sqrt(u)", True),
        ("np.log(u)", True),
        ("u / v", True),
        ("u**-1", True),
        ("u**v", True),
        ("np.arccos(u)", True),
        ("np.sin(u)", False),
        ("u**2", False),
        ("np.arctan(u)", False),
        ("np.hypot(u, v)", False),
        ("np.linalg.norm(u)", False),
        ("np.mean(u)", False),
        ("u * v", False),
    ],
)
def test_which_slopes_may_be_infinite(text, steep):
    match = matched(text)
    assert any(map(is_steep, match.adjoints(match.differentiable))) == steep


def test_what_raises():
    assert may_raise(matched("math.sqrt(c)"))
    assert not may_raise(matched("np.sqrt(u)"))
    assert not may_raise(matched("math.sin(c)"))
