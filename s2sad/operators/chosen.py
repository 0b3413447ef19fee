"""What a choice says of the choices within it: those by the same test are made already.

np.where(up, a * np.where(up, b, 0.0), c)       np.where(up, a * b, c)
np.where(g != 0.0, np.where(g != 0.0, a, 0.0) * b, 0.0)
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_

import numpy as np

from s2sad.ir.expression import Expr, called_object, calls
from s2sad.operators.guards import rank_of, spelled

Build = Callable[[Expr, tuple[Expr, ...]], Expr]


def is_choice(expr: Expr) -> bool:
    """Tell whether an expression is np.where(test, a, b)."""
    return calls(expr, np.where) and len(expr.args) == 4


def zero_by_test(expr: Expr) -> tuple[Expr, int, Expr] | None:
    """Return what a choice that may be zero asks, what it is elsewhere, and on which side.

    np.where(test, g, 0.0)      test, 0, g
    """
    if expr.op != "conditional" and not is_choice(expr):
        return None
    test, *arms = expr.args[-3:]
    place = next((k for k in (0, 1) if spelled(arms[1 - k]) == 0), None)
    return None if place is None else (test, place, arms[place])


def arm_within(arm: Expr, test: Expr, holds: bool, build: Build) -> Expr:
    """Return an arm of a choice without choices by the same test, which are made already.

    Each element of it is made of those of the choices in it; `build` makes the nodes around them.
    """
    if is_choice(arm) and arm.args[1] == test:
        return arm_within(arm.args[2 if holds else 3], test, holds, build)
    if not _is_elementwise(arm):
        return arm
    args = tuple(arm_within(arg, test, holds, build) for arg in arm.args)
    if all(map(is_, args, arm.args)) or divides_numbers(arm.with_args(args)):
        return arm
    return build(arm, args)


def divides_numbers(expr: Expr) -> bool:
    """Tell whether numbers are divided by one that is not told: of Python's, that raises where it is zero."""
    if expr.op != "binary" or expr.data not in ("/", "//", "%", "**"):
        return False
    are_numbers = all(rank_of(arg.type) == 0 for arg in expr.args)
    return are_numbers and spelled(expr.args[1]) is None


def _is_elementwise(expr: Expr) -> bool:
    if expr.op == "call":
        called = called_object(expr)
        is_ufunc = isinstance(called, np.ufunc) and called.signature is None
        return is_choice(expr) or (is_ufunc and not expr.data)
    return expr.op == "unary" or (expr.op == "binary" and expr.data != "@")
