"""Where a slope may be infinite.

    x_bar = y_bar / x                 is_steep: 0 * inf is nan where a branch leaves x = 0 out
    x_bar = y_bar / (1.0 + x**2)      finite everywhere

A sweep masks what is steep by the test of np.where, where= and branches: where the test leaves a
value out, its slope is never multiplied. Python's floats raise ZeroDivisionError instead of inf.
"""

from __future__ import annotations

import numpy as np

from s2sad.ir.expression import Expr
from s2sad.ir.types import Number
from s2sad.ir.walk import nodes, reads
from s2sad.operators import printed
from s2sad.operators.guards import spelled
from s2sad.operators.match import Match
from s2sad.operators.rule import Line

LOGARITHMS = frozenset({"log", "log2", "log10", "log1p"})


def is_steep(line: Line) -> bool:
    """Tell whether a line may be infinite or nan for finite operands; True where it is not known."""
    return may_be_infinite(line.value)


def may_be_infinite(expr: Expr) -> bool:
    """Tell whether an expression of finite values may be infinite or nan somewhere in it."""
    return any(map(_may_be_infinite, nodes(expr)))


def may_raise(match: Match) -> bool:
    """Tell whether a derivative of Python's own numbers may divide by zero, which raises."""
    numbers = [operand.type for operand in match.bound.values() if isinstance(operand.type, Number)]
    is_python = bool(numbers) and all(not number.boxed for number in numbers)
    return is_python and any(map(is_steep, match.adjoints(match.differentiable)))


def _may_be_infinite(node: Expr) -> bool:
    if node.op == "binary" and node.data in ("/", "//", "%"):
        return _reads_content(node.args[1]) and not _is_nonzero(node.args[1])
    if node.op == "binary" and node.data == "**":
        exponent = spelled(node.args[1])
        return exponent is None or exponent < 0 or (exponent < 1 and exponent != 0)
    if node.op != "call" or node.args[0].op != "global":
        return False
    function = node.args[0].data
    if printed.name_of(function.value):
        return True
    is_log = function.text.rpartition(".")[2] in LOGARITHMS
    return is_log and any(_reads_content(arg) for arg in node.args[1:])


def _reads_content(expr: Expr) -> bool:
    return any(content for _, content in reads(expr))


def _is_nonzero(expr: Expr) -> bool:
    """Tell whether a divisor is nowhere zero: 1.0 + x**2, y + (y == 0.0), a square's factor, a count."""
    if expr.op != "binary":
        return _is_count(expr)
    left, right = expr.args
    if expr.data == "*":
        return all(_is_factor_nonzero(each) for each in expr.args)
    if expr.data != "+":
        return False
    if right.op == "compare" and right.data == ("==",) and right.args[0] == left:
        return True
    pairs = ((left, right), (right, left))
    return any((spelled(a) or 0) > 0 and _is_square(b) for a, b in pairs)


def _is_count(expr: Expr) -> bool:
    """Tell whether an expression is how templates count the elements that are an extreme."""
    is_sum = expr.op == "call" and expr.args[0].op == "global" and expr.args[0].data.value is np.sum
    return is_sum and "dtype" in expr.data


def _is_factor_nonzero(expr: Expr) -> bool:
    return not _reads_content(expr) or _is_nonzero(expr)


def _is_square(expr: Expr) -> bool:
    exponent = spelled(expr.args[1]) if expr.op == "binary" and expr.data == "**" else None
    return isinstance(exponent, int) and exponent % 2 == 0 and exponent > 0
