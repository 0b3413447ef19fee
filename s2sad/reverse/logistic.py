"""The logistic function through its result, as tanh is: where exp overflows it is still finite.

y = 1 / (1 + exp(-x))        x_bar += y_bar * y * (1 - y)
"""

from __future__ import annotations

import math

import numpy as np

from s2sad.ir.expression import Expr, calls
from s2sad.reverse.calculus import is_literal, number
from s2sad.reverse.world import Code


def exponent_of_logistic(expr: Expr) -> Expr | None:
    """Return z of 1 / (1 + exp(z)), None of another expression."""
    if expr.op != "binary" or expr.data != "/" or not is_literal(expr.args[0], 1):
        return None
    divisor = expr.args[1]
    if divisor.op != "binary" or divisor.data != "+":
        return None
    for one, power in (divisor.args, divisor.args[::-1]):
        is_power = calls(power, np.exp) or calls(power, math.exp)
        if is_literal(one, 1) and is_power and len(power.args) == 2:
            return power.args[1]
    return None


def adjoint_of_exponent(expr: Expr, g: Expr, code: Code) -> Expr:
    """Return the adjoint of z: -g * y * (1 - y)."""
    calculus, y = code.world.calculus, code.value(expr)
    rest = calculus.subtract(number(1.0), y)
    return calculus.negate(calculus.multiply(calculus.multiply(g, y), rest))
