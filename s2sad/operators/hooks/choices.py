"""Elements chosen of a display of arrays: each receives y_bar where it was chosen.

np.select([c, d], [a, b])    ->    a_bar = np.select([c, d], [y_bar, 0.0])
np.choose(i, (a, b))         ->    a_bar = np.where(i == 0, y_bar, 0.0)

Tests and positions stand for values of their own in the lines: `tests`, `index`.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.ir.expression import Expr, keywords, positional
from s2sad.ir.types import Array
from s2sad.operators.guards import dtype_of, is_display, text_of
from s2sad.operators.hooks.making import (
    Making,
    display,
    has_star,
    only_display,
    rank_of,
    rest_of,
    with_display,
)
from s2sad.operators.match import Match
from s2sad.operators.rule import ELEMENTWISE, LINEAR, hole


def select(expr: Expr) -> Match | None:
    """Return the rule of np.select: the first condition that holds chooses."""
    given = rest_of(expr, "choicelist", "default")
    if given is None or not _is_plain(given.get("choicelist")):
        return None
    choices = given["choicelist"]
    nothing = ["0.0"] * len(choices.args)
    making, leaves = Making(expr), []
    for k, part in enumerate(choices.args):
        chosen = ", ".join([*nothing[:k], "y_bar", *nothing[k + 1 :]])
        leaves.append(making.operand(part, f"np.select(tests, [{chosen}])"))
    args = [hole("tests"), display(choices.op, leaves)]
    if "default" in given:
        received = f"np.select(tests, [{', '.join(nothing)}], y_bar)"
        args.append(making.operand(given["default"], received))
    making.bound["tests"] = expr.args[1]
    form = Expr("call", (expr.args[0], *args), ())
    return making.match("select", "np.select", form, ELEMENTWISE)


def _is_plain(choices: Expr | None) -> bool:
    return choices is not None and is_display(choices) and not has_star(choices)


def choose(expr: Expr) -> Match | None:
    """Return the rule of np.choose between arrays that are written out."""
    args, named = positional(expr), keywords(expr)
    mode = text_of(named["mode"]) if "mode" in named else "raise"
    if len(args) != 2 or named.keys() - {"mode"} or mode not in ("raise", "clip", "wrap"):
        return None
    index, choices = args
    if dtype_of(index)[:1] not in ("i", "u") or not _is_plain(choices):
        return None
    making, leaves = Making(expr), []
    place = _within(len(choices.args), mode)
    compares = isinstance(index.type, Array)
    for k, part in enumerate(choices.args):
        is_it = f"{place} == {k}" if compares else f"np.equal({place}, {k})"
        leaves.append(making.operand(part, f"np.where({is_it}, y_bar, 0.0)"))
    making.bound["index"] = index
    chosen = display(choices.op, leaves)
    form = expr.with_args((expr.args[0], hole("index"), chosen, *named.values()))
    return making.match("choose", "np.choose", form, ELEMENTWISE)


def _within(count: int, mode: str) -> str:
    """Return which choice is taken, of positions beyond the last or before the first as well."""
    if mode == "clip":
        return f"np.clip(index, 0, {count - 1})"
    return f"index % {count}" if mode == "wrap" else "index"


# ---------------------------------------------------------------------------- products of several matrices


def multi_dot(expr: Expr) -> Match | None:
    """Return the rule of np.linalg.multi_dot: matrices, at the ends perhaps vectors."""
    parts = expr.args[1].args
    ranks = [rank_of(part) for part in parts]
    if not only_display(expr) or len(parts) < 2:
        return None
    if any(rank != 2 for rank in ranks[1:-1]) or not {ranks[0], ranks[-1]} <= {1, 2}:
        return None
    making, leaves = Making(expr), []
    params = [f"part_{k}" for k in range(len(parts))]
    for k, part in enumerate(parts):
        received = _received(params, k, ranks[0] == 1, ranks[-1] == 1)
        leaves.append(making.operand(part, received))
    form = with_display(expr, display(expr.args[1].op, leaves))
    return making.match("multi_dot", "np.linalg.multi_dot", form, LINEAR)


def _received(params: Sequence[str], k: int, is_row: bool, is_column: bool) -> str:
    """Return the adjoint of factor k; the first may be a row, the last a column."""
    left, right = params[:k], params[k + 1 :]
    if not is_row and not is_column:
        turned = [[f"{p}.T" for p in reversed(side)] for side in (left, right)]
        return _chain([*turned[0], "y_bar", *turned[1]])
    before = left if is_row else ["y_bar", *left]
    behind = right if is_column else [*right, "y_bar"]
    if is_row and not left:
        made = _chain(behind)
    elif is_column and not right:
        made = _chain(before)
    else:
        made = f"np.outer({_chain(before)}, {_chain(behind)})"
    return f"y_bar * {made}" if is_row and is_column else made


def _chain(factors: Sequence[str]) -> str:
    if len(factors) == 1:
        return factors[0]
    listed = ", ".join(factors)
    return f"np.dot({listed})" if len(factors) == 2 else f"np.linalg.multi_dot([{listed}])"
