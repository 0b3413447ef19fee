"""A product of any number of matrices: each receives what stands to its left and right.

np.linalg.multi_dot([A, B, C])    ->    B_bar = np.linalg.multi_dot([A.T, y_bar, C.T])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2sad.ir.expression import Expr, attribute, global_
from s2sad.operators.hooks.making import (
    Y_BAR,
    Making,
    binary,
    call,
    display,
    only_display,
    rank_of,
    with_display,
)
from s2sad.operators.match import Match
from s2sad.operators.rule import LINEAR, hole

MULTI_DOT = global_("np.linalg.multi_dot", np.linalg.multi_dot)
DOT = global_("np.dot", np.dot)
OUTER = global_("np.outer", np.outer)


def multi_dot(expr: Expr) -> Match | None:
    """Return the rule of np.linalg.multi_dot: matrices, at the ends perhaps vectors."""
    parts = expr.args[1].args
    ranks = [rank_of(part) for part in parts]
    if not only_display(expr) or len(parts) < 2:
        return None
    if any(rank != 2 for rank in ranks[1:-1]) or not {ranks[0], ranks[-1]} <= {1, 2}:
        return None
    making = Making(expr)
    params = [hole(f"part_{k}") for k in range(len(parts))]
    for k, part in enumerate(parts):
        making.operand(part, _received(params, k, ranks[0] == 1, ranks[-1] == 1))
    form = with_display(expr, display(expr.args[1].op, params))
    return making.match("multi_dot", "np.linalg.multi_dot", form, LINEAR)


def _received(params: Sequence[Expr], k: int, is_row: bool, is_column: bool) -> Expr:
    """Return the adjoint of factor k; the first may be a row, the last a column."""
    left, right = list(params[:k]), list(params[k + 1 :])
    if not is_row and not is_column:
        turned = [[attribute(p, "T") for p in reversed(side)] for side in (left, right)]
        return _chain([*turned[0], Y_BAR, *turned[1]])
    before = left if is_row else [Y_BAR, *left]
    behind = right if is_column else [*right, Y_BAR]
    if is_row and not left:
        made = _chain(behind)
    elif is_column and not right:
        made = _chain(before)
    else:
        made = call(OUTER, _chain(before), _chain(behind))
    return binary("*", Y_BAR, made) if is_row and is_column else made


def _chain(factors: Sequence[Expr]) -> Expr:
    if len(factors) == 1:
        return factors[0]
    return call(DOT, *factors) if len(factors) == 2 else call(MULTI_DOT, display("list", factors))
