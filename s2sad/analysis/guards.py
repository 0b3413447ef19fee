"""Guards: what keeps a value away from where a slope is infinite, or leaves its slope out.

np.sqrt(np.maximum(x, 0.0))             np.where(x > 0, np.log(x), 0.0)             r[r == 0] = 1.0

0 * inf is nan: where a guard leaves a value out, an infinite slope must not be multiplied by 0.
"""

from __future__ import annotations

from s2sad.ir.expression import Expr, index_parts
from s2sad.ir.program import Function, Store
from s2sad.ir.types import Array
from s2sad.ir.walk import expressions, nodes, statements

FUNCTIONS = frozenset(
    """
    where maximum minimum fmax fmin clip select choose nan_to_num heaviside max min piecewise
    putmask copyto place triu tril fill_diagonal compress extract
    """.split()
)


def has_guards(function: Function) -> bool:
    """Tell whether a function chooses among values by tests, element by element."""
    for statement in statements(function.body):
        if isinstance(statement, Store) and _is_partial(statement.target):
            return True
        if any(_is_guard(node) for expr in expressions(statement) for node in nodes(expr)):
            return True
    return False


def _is_guard(node: Expr) -> bool:
    match node.op:
        case "conditional":
            return True
        case "call" if node.args[0].op in ("global", "attribute"):
            word = node.args[0].data
            called = word if isinstance(word, str) else word.text
            return called.rpartition(".")[2] in FUNCTIONS
        case "binary" if node.data == "*":
            return any(getattr(arg.type, "dtype", "") == "bool" for arg in node.args)
        case "subscript":
            return _chooses(node.args[1])
    return False


def _is_partial(target: Expr) -> bool:
    return target.op == "subscript" and _chooses(target.args[1])


def _chooses(index: Expr) -> bool:
    """Tell whether a subscript chooses elements by an array of positions or a mask."""
    parts = index_parts(index)
    return any(isinstance(part.type, Array) for part in parts)
