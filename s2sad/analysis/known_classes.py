"""Tests of the class of an object are decided where it has become names, and its class is known.

kernel_class_name = "RBF"
if kernel_class_name == "Const":          k = np.exp(-0.5 * x**2 / kernel_l**2)
    k = kernel_v * np.ones(len(x))   ->
else:
    k = np.exp(-0.5 * x**2 / kernel_l**2)
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.analysis.calls import decided_choice
from s2sad.ir.expression import Expr, Variable, constant
from s2sad.ir.program import Block, Function, If, Let, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import Number
from s2sad.ir.walk import bind_counts, rebuilt, rewritten, statements, with_expressions

BOOL = Number("bool")


def with_known_classes(function: Function) -> Function:
    """Return a function without the branches that texts decide which names are bound to, once."""
    often = bind_counts(function.body)
    texts = {
        s.target: s.value
        for s in statements(function.body)
        if isinstance(s, Let) and isinstance(s.target, Variable) and often[s.target] == 1
        if s.value.op == "constant" and isinstance(s.value.data, str)
    }
    if not texts:
        return function

    def change(statement: Statement) -> Statement | Block:
        made = with_expressions(statement, lambda e: rebuilt(e, lambda n: _decided(n, texts)))
        if isinstance(made, If) and made.test.op == "constant":
            return made.body if made.test.data else made.orelse
        return made

    body = rewritten(function.body, change)
    return function if body == function.body else replace(function, body=body)


def _decided(node: Expr, texts: Mapping[Variable, Expr]) -> Expr | None:
    """Return what a test of texts gives, and what is chosen by a test that is decided."""
    if node.op == "conditional" and node.args[0].op == "constant":
        return node.args[1 if node.args[0].data else 2]
    if node.op in ("and", "or"):
        return decided_choice(node)
    if node.op == "unary" and node.data == "not" and node.args[0].op == "constant":
        return constant(not node.args[0].data, BOOL)
    if node.op != "compare" or len(node.args) != 2 or node.data[0] not in ("==", "!="):
        return None
    left, right = (texts.get(a.data, a) if a.op == "name" else a for a in node.args)
    if not all(a.op == "constant" and isinstance(a.data, str) for a in (left, right)):
        return None
    return constant((left.data == right.data) is (node.data[0] == "=="), BOOL)
