"""Where a slope may be infinite.

    x_bar = y_bar / x                 is_steep: 0 * inf is nan where a branch leaves x = 0 out
    x_bar = y_bar / (1.0 + x**2)      finite everywhere

A sweep masks what is steep by the test of np.where, where= and branches: where the test leaves a
value out, its slope is never multiplied. Python's floats raise ZeroDivisionError instead of inf.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, called_object, calls, keywords, positional, text_of_call
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import nodes, reads
from s2sad.operators import printed
from s2sad.operators.guards import is_complex, spelled
from s2sad.operators.match import Match
from s2sad.operators.rule import Line
from s2sad.operators.table import calls_one, words

LOGARITHMS = words("logarithm")
# methods of arrays
SPREADS, AVERAGES = frozenset({"var", "std"}), frozenset({"sum", "mean"})


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
        return may_be_zero(node.args[1])
    if node.op == "binary" and node.data == "**":
        base, exponent = map(spelled, node.args)
        if base is not None and base > 0:
            return False
        return exponent is None or exponent < 0 or (exponent < 1 and exponent != 0)
    if printed.name_of(called_object(node)):
        return True
    is_log = text_of_call(node).rpartition(".")[2] in LOGARITHMS
    return is_log and any(map(_may_be_zero, node.args[1:]))


def may_be_zero(expr: Expr) -> bool:
    """Tell whether a divisor may be zero somewhere."""
    return _may_be_zero(expr) and not _is_nonzero(expr)


def _may_be_zero(expr: Expr) -> bool:
    """Tell whether a value may be zero somewhere: it is computed from others, or is an array."""
    return _reads_content(expr) or isinstance(expr.type, Array)


def _reads_content(expr: Expr) -> bool:
    return any(content for _, content in reads(expr))


def _is_nonzero(expr: Expr) -> bool:
    """Tell whether a divisor is nowhere zero: 1.0 + x**2, y + (y == 0.0), a square's factor, a count."""
    if expr.op != "binary":
        is_count = calls(expr, np.sum) and "dtype" in expr.data  # of what is an extreme
        if is_count or _has_a_one(expr):
            return True
        return _is_sqrt(expr) and all(
            test(expr.args[1]) for test in (is_nowhere_negative, _is_nonzero)
        )
    left, right = expr.args
    if expr.data == "*":
        return all(not _reads_content(each) or _is_nonzero(each) for each in expr.args)
    if expr.data != "+":
        return False
    if right.op == "compare" and right.data == ("==",) and right.args[0] == left:
        return True
    pairs = ((left, right), (right, left))
    return any(
        (spelled(a) or 0) > 0 and (_is_square(b) or is_nowhere_negative(b)) for a, b in pairs
    )


def _has_a_one(expr: Expr) -> bool:
    """Tell whether a value is a sum of exponentials of which one is 1: np.sum(np.exp(z - np.max(z)))."""
    match expr:
        case Expr("call", (_, Expr("call", (_, Expr("binary", (z, shift), "-"))) as power, *_)):
            while shift.op == "subscript":  # m[:, None]
                shift = shift.args[0]
            if not (calls(expr, np.sum) and calls(power, np.exp) and calls(shift, np.max)):
                return False
            along = [keywords(each).get("axis") for each in (expr, shift)]
            is_plain = {*expr.data, *shift.data} <= {"axis", "keepdims"}
            is_of_all = positional(expr) == (power,) and positional(shift) == (z,)
            return is_plain and is_of_all and along[0] == along[1]
    return False


def _is_square(expr: Expr) -> bool:
    exponent = spelled(expr.args[1]) if expr.op == "binary" and expr.data == "**" else None
    return isinstance(exponent, int) and exponent % 2 == 0 and exponent > 0


def _is_sqrt(expr: Expr) -> bool:
    return (calls(expr, np.sqrt) or calls(expr, math.sqrt)) and len(expr.args) == 2


def is_root(expr: Expr) -> bool:
    """Tell whether an expression is a root of a sum of squares."""
    return _is_sqrt(expr) and is_sum_of_squares(expr.args[1])


def is_nowhere_negative(expr: Expr) -> bool:
    """Tell whether a value surely is not negative: np.maximum(v, 0.0) * 2.0, np.exp(x) + y**2."""
    if _is_positive(expr) or is_sum_of_squares(expr):
        return True
    match expr:
        case Expr("binary", args, "+" | "*" | "/"):
            return all(map(is_nowhere_negative, args))
        case Expr("call", (_, a, b)) if calls(expr, np.maximum) or calls(expr, np.fmax):
            return is_nowhere_negative(a) or is_nowhere_negative(b)
        case Expr("call", (_, _, low, *_)) if calls(expr, np.clip):
            return is_nowhere_negative(low)
        case Expr("call", (_, whole, *_)) if calls(expr, np.sum) or calls(expr, np.mean):
            return is_nowhere_negative(whole)
        case Expr("call", (Expr("attribute", (whole,), called), *_)):
            return called in SPREADS or (called in AVERAGES and is_nowhere_negative(whole))
        case Expr("subscript", (whole, *_)):
            return is_nowhere_negative(whole)
        case Expr("compare"):
            return True
        case Expr("attribute", data="shape" | "size" | "ndim"):
            return True
    return calls_one(expr, "nowhere_negative")


# ---------------------------------------------------------------------------- squares


def power_of(expr: Expr) -> tuple[Expr, int] | None:
    """Return base and exponent of an even power: r**2, r * r, np.square(r), np.power(r, 4)."""
    match expr:
        case Expr("binary", (base, Expr("constant", data=n)), "**") if _is_even(n):
            return base, int(n)
        case Expr("binary", (base, other), "*") if base == other:
            return base, 2
        case Expr("call", (_, base)) if calls(expr, np.square):
            return base, 2
        case Expr("call", (_, base, Expr("constant", data=n))) if _is_even(n):
            if calls_one(expr, "power"):
                return base, int(n)
    return None


def _is_even(n: Any) -> bool:
    return type(n) in (int, float) and n > 0 and n % 2 == 0


def is_sum_of_squares(expr: Expr) -> bool:
    """Tell whether a value is nowhere negative: x @ x, np.sum(x**2), x * x + 1.0."""
    if not is_real(expr):
        return False
    found = power_of(expr)
    if found is not None:
        return is_real(found[0])
    match expr:
        case Expr("binary", (left, right), "@"):
            return left == right and is_vector(left)
        case Expr("binary", (left, right), "+"):
            return all(is_sum_of_squares(each) or _is_positive(each) for each in (left, right))
        case Expr("call", (_, left, right)) if calls_one(expr, "product"):
            return left == right and is_vector(left)
        case Expr("call", (_, whole, *_)) if calls(expr, np.sum) or calls(expr, np.mean):
            return is_sum_of_squares(whole)
        case Expr("call", (Expr("attribute", (left,), "dot"), right)):
            return left == right and is_vector(left)
        case Expr("call", (Expr("attribute", (whole,), "sum" | "mean"), *_)):
            return is_sum_of_squares(whole)
    return False


def is_vector(expr: Expr) -> bool:
    """Tell whether the items of an array are numbers."""
    return isinstance(expr.type, Array) and expr.type.rank == 1


def _is_positive(expr: Expr) -> bool:
    return expr.op == "constant" and type(expr.data) in (int, float) and expr.data >= 0


def is_squared_size(expr: Expr) -> bool:
    """Tell whether an expression is the square of the size of complex numbers: np.abs(z) ** 2."""
    match expr:
        case Expr("binary", (Expr("call", (_, z)) as size, Expr("constant", data=2)), "**"):
            return is_complex(z) and any(calls(size, each) for each in (abs, np.abs))
    return False


def is_real(expr: Expr) -> bool:
    return isinstance(expr.type, Number | Array | Numeric) and expr.type.dtype[0] == "f"
