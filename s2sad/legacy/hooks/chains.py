"""A product of any number of matrices: each receives what stands to its left and right.

np.linalg.multi_dot([A, B, C])    ->    B_bar = np.linalg.multi_dot([A.T, y_bar, C.T])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2sad.legacy.filling import Match
from s2sad.legacy.hooks.making import Y_BAR, Ask, Making, display_of, form_of, rank_of
from s2sad.legacy.program import Attr, Call, Expr, Op, Ref
from s2sad.legacy.templating import LINEAR, local_var

MULTI_DOT = Ref("np.linalg.multi_dot", np.linalg.multi_dot)
DOT = Ref("np.dot", np.dot)
OUTER = Ref("np.outer", np.outer)


def multi_dot(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.linalg.multi_dot: matrices, at the ends perhaps vectors."""
    parts = display_of(call).args
    ranks = [rank_of(part, fact) for part in parts]
    inner = all(rank == 2 for rank in ranks[1:-1])
    ends = {ranks[0], ranks[-1]} <= {1, 2}
    if len(call.args) > 1 or call.keywords or len(parts) < 2 or not inner or not ends:
        return None
    making = Making(fact)
    params = [local_var(f"part_{k}") for k in range(len(parts))]
    for k, part in enumerate(parts):
        making.operand(part, lambda _, k=k: _received(params, k, ranks[0] == 1, ranks[-1] == 1))  # type: ignore[misc]
    form = form_of(call, Op(display_of(call).op, tuple(params)))
    return making.match("multi_dot", form, LINEAR)


def _received(params: Sequence[Expr], k: int, row: bool, column: bool) -> Expr:
    """Return the adjoint of factor k; the first may be a row, the last a column."""
    left, right = list(params[:k]), list(params[k + 1 :])
    if not row and not column:
        return _chain(
            [*map(_transposed, reversed(left)), Y_BAR, *map(_transposed, reversed(right))]
        )
    before = left if row else [Y_BAR, *left]
    behind = right if column else [*right, Y_BAR]
    if row and not left:
        made = _chain(behind)
    elif column and not right:
        made = _chain(before)
    else:
        made = Call(OUTER, (_chain(before), _chain(behind)))
    return Op("*", (Y_BAR, made)) if row and column else made


def _transposed(factor: Expr) -> Expr:
    return Attr(factor, "T")


def _chain(factors: Sequence[Expr]) -> Expr:
    if len(factors) == 1:
        return factors[0]
    if len(factors) == 2:
        return Call(DOT, tuple(factors))
    return Call(MULTI_DOT, (Op("list", tuple(factors)),))
