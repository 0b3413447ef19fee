"""Values of the primal in derivatives: which are written again, and what the others are called.

u[1:], n - 1, len(u)     written again
np.sin(u)                sin_u
u * v, in a line for w   w_term
"""

from __future__ import annotations

import math

import numpy as np

from s2sad.ir.expression import Expr, called_object, calls, is_own_call, positional, text_of_call
from s2sad.ir.program import RegionOp, Statement
from s2sad.ir.types import Array, Number, Numeric, Other
from s2sad.ir.walk import expressions, nodes
from s2sad.operators.guards import spelled

FEW = 3  # operations on numbers that are written again rather than named
CHEAP_CALLS = ("len", "abs", "float", "int")


def is_cheap(expr: Expr) -> bool:
    """Tell whether a value is written again rather than named: a name, a view, a few numbers."""
    match expr.op:
        case "name" | "constant" | "global" | "function" | "copied":
            return True
        case "attribute" | "starred":
            return is_cheap(expr.args[0])
        case "slice" | "tuple" | "list":
            return all(map(is_cheap, expr.args))
        case "subscript":
            has_arrays = any(map(has_axes, nodes(expr.args[1])))
            return not has_arrays and all(map(is_cheap, expr.args))
        case "call" if isinstance(called_object(expr), np.ufunc):  # np.sqrt(2.0 * np.pi)
            literals = ("constant", "binary", "global")
            every = (node for arg in expr.args[1:] for node in nodes(arg))
            return not has_axes(expr) and all(node.op in literals for node in every)
        case "call" if calls(expr, np.eye) and len(positional(expr)) == 1:
            return all(map(is_cheap, expr.args[1:]))
    if has_axes(expr) or expr.op not in ("binary", "unary", "compare"):
        return _is_cheap_call(expr) and not reads_set(expr)
    inner = list(nodes(expr))
    few = sum(node.op in ("binary", "call") for node in inner) <= FEW
    few = few and not reads_set(expr)
    return few and all(_is_cheap_call(node) for node in inner if node.op == "call")


def reads_set(expr: Expr) -> bool:
    """Tell whether a value is asked of a set: what was in it is not had again."""
    return any(isinstance(n.type, Other) and n.type.cls is set for n in nodes(expr))


def _is_cheap_call(expr: Expr) -> bool:
    is_known = text_of_call(expr) in CHEAP_CALLS and not has_axes(expr)
    return is_known and all(map(is_cheap, expr.args[1:]))


def has_axes(expr: Expr) -> bool:
    """Tell whether a value has axes, or may have some."""
    return isinstance(expr.type, Numeric) or (isinstance(expr.type, Array) and expr.type.rank > 0)


WORDS = {
    "+": "sum",
    "-": "difference",
    "*": "product",
    "/": "ratio",
    "**": "power",
    "@": "product",
    "call": "value",
    "subscript": "part",
}


def word_of(expr: Expr) -> str:
    """Return a word for what an expression is: sum, ratio, sin."""
    if expr.op == "call" and expr.args[0].op in ("global", "attribute", "function"):
        function = expr.args[0]
        text = function.data.text if function.op == "global" else function.data
        return str(text).rpartition(".")[2].strip("_")
    return WORDS.get(expr.data if expr.op == "binary" else expr.op, "term")


def term_name(expr: Expr, target: str) -> str:
    """Return what a term of a statement is called: after its function, else after the target."""
    if called_object(expr) is not None and [arg.op for arg in expr.args[1:2]] == ["name"]:
        return f"{word_of(expr)}_{expr.args[1].data.name}"
    return f"{target}_term"


def is_elementwise(expr: Expr) -> bool:
    """Tell whether a call computes each element of its result from one of each operand."""
    called = called_object(expr)
    return isinstance(called, np.ufunc) and called.signature is None and not expr.data


def elementwise_operands(expr: Expr) -> tuple[Expr, ...]:
    """Return what each element of a value is computed from; () where it is no such operation."""
    if expr.op == "unary" or (expr.op == "binary" and expr.data != "@"):
        return expr.args
    return expr.args[1:] if is_elementwise(expr) else ()


def exponent_of_logistic(expr: Expr) -> Expr | None:
    """Return z of 1 / (1 + exp(z)), None of another expression."""
    if expr.op != "binary" or expr.data != "/" or spelled(expr.args[0]) != 1:
        return None
    divisor = expr.args[1]
    if divisor.op != "binary" or divisor.data != "+":
        return None
    for one, power in (divisor.args, divisor.args[::-1]):
        is_power = calls(power, np.exp) or calls(power, math.exp)
        if spelled(one) == 1 and is_power and len(power.args) == 2:
            return power.args[1]
    return None


# what holds its parts as they are
HOLDERS = frozenset({"list", "tuple", "dict", "item", "record", "starred"})


def is_holder(expr: Expr) -> bool:
    """Tell whether an expression hands on its operands as they are: a display, a call of the program's own."""
    return expr.op in HOLDERS or is_own_call(expr)


def is_held_twice(value: Expr, statement: Statement) -> bool:
    """Tell whether a statement makes arrays alike and hands them on, P(np.zeros(3), np.zeros(3)): one name is one array."""
    if isinstance(value.type, Number):
        return False
    every = (node for whole in expressions(statement) for node in nodes(whole))
    return sum(node == value for node in every) > 1 and is_handed_on(value, statement)


def is_handed_on(value: Expr, statement: Statement) -> bool:
    """Tell whether a statement puts a value into a container, or hands it to a function of the program's own."""
    if isinstance(statement, RegionOp) and value in statement.args:
        return True
    every = (node for whole in expressions(statement) for node in nodes(whole))
    return any(value in node.args for node in every if is_holder(node))
