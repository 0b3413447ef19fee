"""Operations that are spelled as text, and what their rules give: "np.maximum(x, z)" for x and z."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, global_
from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators.find import Known, find
from s2sad.operators.library import every_rule
from s2sad.operators.match import Match
from s2sad.operators.reading import Text
from s2sad.operators.rule import TWIN, Rule
from s2sad.operators.trees import Reader
from s2sad.testing.checks import adjoint, is_name
from s2sad.testing.evaluate import Values

# rules that make complex values of real ones: test_complex.py
COMPLEX_OF_REAL = frozenset(
    "eig eigvals roots rfft rfft_of_whole ihfft rfft2 rfftn wofz lambertw hilbert rect".split()
)


def typed(
    text: str, env: Mapping[str, Any], names: Mapping[str, Any] | None = None
) -> tuple[Expr, Values]:
    """Return an operation with the types of what its names stand for, and these values."""
    read = Reader(Text("here"), frozenset(env)).expression(ast.parse(text, mode="eval").body)
    values = Values(env)
    given = names or {}

    def change(node: Expr) -> Expr | None:
        if node.op == "global" and node.data.text in given:
            return global_(node.data.text, given[node.data.text])
        return None

    return values.typed(rebuilt(read, change)), values


def matched(text: str, env: Mapping[str, Any]) -> Match:
    """Return the rule of an operation."""
    expr, values = typed(text, env)
    match = find(expr, Known(values.regions))
    assert match is not None, f"no rule for {text}"
    return match


def adjoints(text: str, /, **values: Any) -> dict[str, Any]:
    """Return what each of the values receives from a seed of ones."""
    match = matched(text, values)
    y = Values(values).value(match.expr)
    seed = np.ones_like(y) if isinstance(y, np.ndarray) else type(y)(1.0)
    env = {**values, "y": y, "y_bar": seed}
    read = {node.data.name for node in nodes(match.expr) if node.op == "name"}
    found = {}
    for named in (name for name in values if name in read):
        slots = {p for p in match.differentiable if is_name(match.bound[p], named)}
        if slots:
            found[named] = adjoint(match, env, slots, named)
    return found


def plain_rules() -> list[Rule]:
    """Return every rule but twins, which are differentiated as printed functions."""
    return [rule for rule in every_rule() if rule.family != TWIN]
