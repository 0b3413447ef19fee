"""np.tensordot of arrays of known ranks, over axes that are written out: each adjoint is another one.

    np.tensordot(A, B, axes=([1, 2], [0, 1]))    ->    A_bar = np.tensordot(y_bar, B, axes=(2, 2))
    np.tensordot(M, N, axes=1)                   ->    M_bar = y_bar @ N.T

Each axis has a letter, as in an Einstein sum: y_bar is "ad" of A "abc" and B "bcd".
"""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr
from s2sad.operators.guards import rank_of, spelled
from s2sad.operators.hooks.einsum import product_of
from s2sad.operators.hooks.making import Making, rest_of
from s2sad.operators.match import Match
from s2sad.operators.rule import LINEAR
from s2sad.operators.trees import literal

Term = tuple[str, str]  # the letters of the axes, and whose they are, as it is written


def rule_of(expr: Expr) -> Match | None:
    """Return the rule of np.tensordot, made to measure; None where a rank or an axis is not known."""
    given = rest_of(expr, "b", "axes")
    if given is None or "b" not in given:
        return None
    a, b = expr.args[1], given["b"]
    return _over_axes(expr, a, b, written(given.get("axes", literal(2))))


def of_stacks(expr: Expr) -> Match | None:
    """Return the rule of np.dot and np.inner of more than two axes; of fewer there are templates."""
    given = rest_of(expr, "b")
    if not given or max(rank_of(each.type) or 0 for each in (expr.args[1], given["b"])) < 3:
        return None
    is_dot = expr.args[0].data.value is np.dot
    last = -2 if is_dot and rank_of(given["b"].type) != 1 else -1
    return _over_axes(expr, expr.args[1], given["b"], (-1, last))


def _over_axes(expr: Expr, a: Expr, b: Expr, axes: Any) -> Match | None:
    letters = _letters(rank_of(a.type), rank_of(b.type), axes)
    if letters is None:
        return None
    of_a, of_b = letters
    of_y = "".join(each for each in of_a + of_b if not (each in of_a and each in of_b))
    making = Making(expr)
    y_bar = (of_y, "y_bar")
    params = [
        making.operand(a, contracted(y_bar, (of_b, "part_1"), of_a)),
        making.operand(b, contracted((of_a, "part_0"), y_bar, of_b)),
    ]
    others = [value for value in expr.args[1:] if value is not a and value is not b]
    return making.match(
        "tensordot", "np.tensordot", expr.with_args((expr.args[0], *params, *others)), LINEAR
    )


def written(axes: Expr) -> Any:
    """Return axes that are written out, as numbers in tuples; None of others."""
    if axes.op in ("tuple", "list"):
        found = tuple(map(written, axes.args))
        return None if None in found else found
    value = axes.data if axes.op == "constant" else spelled(axes)
    return value if isinstance(value, int | tuple) else None


def _letters(of_a: int | None, of_b: int | None, axes: Any) -> tuple[str, str] | None:
    """Return the letters of the axes of both operands: those that are summed over have the same."""
    if not of_a or not of_b or axes is None:
        return None
    if isinstance(axes, int):
        axes = range(-axes, 0), range(axes)
    if len(axes) != 2:
        return None
    over_a, over_b = ((each,) if isinstance(each, int) else tuple(each) for each in axes)
    if len(over_a) != len(over_b) or len(over_a) > min(of_a, of_b):
        return None
    a, b = list(string.ascii_letters[:of_a]), list(string.ascii_letters[of_a : of_a + of_b])
    try:
        for i, j in zip(over_a, over_b, strict=True):
            b[j] = a[i]
    except (IndexError, TypeError):
        return None
    is_each_once = len({*b}) == of_b and len({*a} & {*b}) == len(over_a)
    return ("".join(a), "".join(b)) if is_each_once else None


# ---------------------------------------------------------------------------- what is received


def contracted(left: Term, right: Term, target: str) -> str:
    """Return the product of two arrays, summed over the axes that the target lacks."""
    if not left[0] or not right[0]:
        return f"{left[1]} * {right[1]}"
    product = product_of([left, right], target)
    if product is not None:
        return product
    for first, second in ((left, right), (right, left)):
        shared, made = _over(first, second)
        if made == target:
            return shared
    shared, made = _over(left, right)
    if len(made) == 2:
        return f"{shared}.T"
    return f"np.transpose({shared}, {tuple(map(made.index, target))})"


def _over(left: Term, right: Term) -> tuple[str, str]:
    """Return two arrays that are summed over all axes that both have, and the letters that are left."""
    (a, x), (b, y) = left, right
    over = [each for each in a if each in b]
    made = "".join(each for each in a + b if each not in over)
    if not over:
        return f"np.multiply.outer({x}, {y})", made
    places = [a.index(each) for each in over], [b.index(each) for each in over]
    count = len(over)
    if places == ([*range(len(a) - count, len(a))], [*range(count)]):
        return f"np.tensordot({x}, {y}, {count})", made
    axes: Any = tuple(each[0] for each in places) if count == 1 else places
    return f"np.tensordot({x}, {y}, axes={axes})", made
