"""The checks that every template passes are seen to fail on templates that are wrong."""

from __future__ import annotations

import ast

import pytest

from s2sad.ir.errors import InternalError
from s2sad.operators.find import matched
from s2sad.operators.reading import Text, rules_in
from s2sad.operators.rule import Rule
from s2sad.testing.checks import check, primal
from s2sad.testing.evaluate import Values
from s2sad.testing.samples import cases

WRONG = {
    "a factor": "def f(x):\n    y = np.sin(x)\n    x_bar = 1.01 * y_bar * np.cos(x)",
    "a sign": "def f(x, z):\n    y = x - z\n    x_bar = y_bar\n    z_bar = y_bar",
    "the other operand": "def f(x, z):\n    y = x * z\n"
    "    x_bar = y_bar * x\n    z_bar = y_bar * z",
    "a wider dtype": "def f(x):\n    y = np.exp(x)\n    x_bar = y_bar * y * np.float64(1.0)",
    "a shape": "def f(a):\n    y = np.sum(a)\n    a_bar = y_bar\n    y_dot = np.sum(a_dot)",
    "only the tangent": "def f(a):\n    y = np.sum(a)\n    a_bar = np.full_like(a, y_bar)\n"
    "    y_dot = 2.0 * np.sum(a_dot)",
    "a write": "def f(x):\n    y = np.sin(x)\n    x_bar = np.multiply(y_bar, np.cos(x), out=x)",
}


def _rules(text: str, where: Text) -> tuple[Rule, ...]:
    return rules_in(ast.parse(text).body, where)


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_wrong_template_is_caught(text: str) -> None:
    (rule,) = _rules('FAMILY = "elementwise"\n' + text.replace("elementwise", ""), Text("wrong.py"))
    if "np.sum" in text:
        (rule,) = _rules(text, Text("wrong.py"))
    with pytest.raises((AssertionError, ValueError, TypeError)):
        for case in cases(rule, rule.patterns[0], thorough=True):
            value = primal(case, case.env)
            if value is None:
                continue
            expr = Values(case.env).typed(case.expr)
            match = matched((rule, rule.patterns[0]), expr)
            assert match is not None
            check(match, case, value)


BROKEN = {
    "an unknown name": "def f(x):\n    y = np.sin(x)\n    x_bar = y_bar * t",
    "a statement": "def f(x):\n    y = np.sin(x)\n    return x",
    "two tangents in a line": "def f(x, z):\n    y = x * z\n    y_dot = x_dot * z + x * z_dot",
    "a lambda": "def f(x):\n    y = np.sin(x)\n    x_bar = (lambda: y_bar)()",
}  # what is wrong in each stands in its third line


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_broken_template_names_its_place(text: str) -> None:
    with pytest.raises(InternalError, match=r"templates/mine.py:3: "):
        _rules(text, Text("mine.py"))
