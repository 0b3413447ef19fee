"""Elements chosen of a display of arrays: each receives y_bar where it was chosen.

np.select([c, d], [a, b])    ->    a_bar = np.select([c, d], [y_bar, 0.0])
np.choose(i, (a, b))         ->    a_bar = np.where(i == 0, y_bar, 0.0)

Tests and positions stand for values of their own in the lines: `tests`, `index`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2sad.ir.expression import Expr, attribute, global_, keywords, positional
from s2sad.ir.types import Array
from s2sad.operators.guards import dtype_of, is_display, text_of
from s2sad.operators.hooks.making import (
    WHERE,
    Y_BAR,
    ZERO,
    Making,
    binary,
    call,
    compare,
    display,
    has_star,
    only_display,
    rank_of,
    rest_of,
    with_display,
)
from s2sad.operators.match import Match
from s2sad.operators.rule import ELEMENTWISE, LINEAR, hole
from s2sad.operators.trees import literal

SELECT = global_("np.select", np.select)
EQUAL = global_("np.equal", np.equal)
CLIP = global_("np.clip", np.clip)
TESTS, INDEX = hole("tests"), hole("index")


def select(expr: Expr) -> Match | None:
    """Return the rule of np.select: the first condition that holds chooses."""
    given = rest_of(expr, "choicelist", "default")
    if given is None or not _is_plain(given.get("choicelist")):
        return None
    choices = given["choicelist"]
    count = len(choices.args)
    making = Making(expr)
    leaves = [making.operand(part, _chosen(count, k)) for k, part in enumerate(choices.args)]
    args = [TESTS, display(choices.op, leaves)]
    if "default" in given:
        nothing = display("list", (ZERO,) * count)
        args.append(making.operand(given["default"], call(SELECT, TESTS, nothing, Y_BAR)))
    making.bound["tests"] = expr.args[1]
    return making.match("select", "np.select", call(expr.args[0], *args), ELEMENTWISE)


def _is_plain(choices: Expr | None) -> bool:
    return choices is not None and is_display(choices) and not has_star(choices)


def _chosen(count: int, at: int) -> Expr:
    """Return y_bar where the choice `at` was taken."""
    parts = (Y_BAR if k == at else ZERO for k in range(count))
    return call(SELECT, TESTS, display("list", parts))


def choose(expr: Expr) -> Match | None:
    """Return the rule of np.choose between arrays that are written out."""
    args, named = positional(expr), keywords(expr)
    mode = text_of(named["mode"]) if "mode" in named else "raise"
    if len(args) != 2 or named.keys() - {"mode"} or mode not in ("raise", "clip", "wrap"):
        return None
    index, choices = args
    if dtype_of(index)[:1] not in ("i", "u") or not _is_plain(choices):
        return None
    making = Making(expr)
    place = _within(len(choices.args), mode)
    compares = isinstance(index.type, Array)
    leaves = [
        making.operand(part, _where_it_is(place, k, compares))
        for k, part in enumerate(choices.args)
    ]
    making.bound["index"] = index
    form = call(expr.args[0], INDEX, display(choices.op, leaves), **named)
    return making.match("choose", "np.choose", form, ELEMENTWISE)


def _within(count: int, mode: str) -> Expr:
    """Return which choice is taken, of positions beyond the last or before the first as well."""
    if mode == "clip":
        return call(CLIP, INDEX, literal(0), literal(count - 1))
    return binary("%", INDEX, literal(count)) if mode == "wrap" else INDEX


def _where_it_is(place: Expr, at: int, compares: bool) -> Expr:
    is_it = compare("==", place, literal(at)) if compares else call(EQUAL, place, literal(at))
    return call(WHERE, is_it, Y_BAR, ZERO)


# ---------------------------------------------------------------------------- products of several matrices

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
