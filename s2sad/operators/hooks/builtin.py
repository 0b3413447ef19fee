"""Python's own functions of several numbers, and displays themselves.

max(a, b, c)    ->    a_bar = y_bar if a == y else 0.0 ; ...
sum([a, b])     ->    a_bar = y_bar ; b_bar = y_bar
[a, b] * n      ->    a_bar = sum(y_bar[0::2]) ; ...
"""

from __future__ import annotations

import numpy as np

from s2sad.ir.expression import Expr, constant, global_, positional, subscript
from s2sad.ir.types import Number
from s2sad.operators.binding import is_starred
from s2sad.operators.guards import is_array, is_display, is_scalar
from s2sad.operators.hooks.making import (
    LEN,
    NONE,
    Y_BAR,
    ZERO,
    Making,
    Y,
    binary,
    call,
    compare,
    display,
    has_star,
    only_display,
    slice_,
    with_display,
)
from s2sad.operators.match import Match
from s2sad.operators.rule import ELEMENTWISE, Line, hole
from s2sad.operators.trees import literal

SUM = global_("sum", sum)
ZEROS_LIKE = global_("np.zeros_like", np.zeros_like)


def total(expr: Expr) -> Match | None:
    """Return the rule of sum([a, b, ...]): that of a + b + ..."""
    whole = expr.args[1]
    if not only_display(expr) or has_star(whole):
        return None
    making = Making(expr)
    leaves = [making.leaf(part, None) for part in whole.args]
    form = with_display(expr, display(whole.op, leaves))
    return making.match("sum", "sum", form, ELEMENTWISE)


def extreme_of_display(expr: Expr) -> Match | None:
    """Return the rule of max([a, b, ...]) and min."""
    return extreme(expr, expr.args[1].args) if only_display(expr) else None


def extreme(expr: Expr, parts: tuple[Expr, ...]) -> Match | None:
    """Return the rule of max or min: the first operand that equals the result has it all."""
    if any(is_starred(part) or is_array(part.type) for part in parts):
        return None
    making = Making(expr)
    leaves = tuple(making.leaf(part, None) for part in parts)
    making.lines = [
        Line(name, Expr("conditional", (_is_first(k), Y_BAR, ZERO)))
        for k, name in enumerate(making.bound)
    ]
    inside = (display("tuple", leaves),) if is_display(expr.args[1]) else leaves
    return making.match("extreme", expr.args[0].data.text, call(expr.args[0], *inside), ELEMENTWISE)


def _is_first(k: int) -> Expr:
    """Return the test that part k is the first that equals the result."""
    hit = compare("==", hole(f"part_{k}"), Y)
    before = tuple(compare("!=", hole(f"part_{j}"), Y) for j in range(k))
    return Expr("and", (hit, *before)) if before else hit


def hypot(expr: Expr) -> Match | None:
    """Return the rule of math.hypot(a, b, c): each receives its cosine, nothing where all are 0."""
    parts = positional(expr)
    if expr.data or any(map(is_starred, parts)):
        return None
    making = Making(expr)
    length = binary("+", Y, compare("==", Y, ZERO))
    leaves = [
        making.operand(part, binary("/", binary("*", Y_BAR, making.next), length)) for part in parts
    ]
    return making.match("hypot", "math.hypot", call(expr.args[0], *leaves), ELEMENTWISE)


# ---------------------------------------------------------------------------- lists


def repeated(expr: Expr) -> Match | None:
    """Return the rule of [a, b] * n and n * [a, b], of numbers and arrays."""
    whole = next(arg for arg in expr.args if arg.op == "list")
    times = expr.args[1] if whole is expr.args[0] else expr.args[0]
    is_count = isinstance(times.type, Number) and times.type.dtype[0] in "iu"
    if not is_count or has_star(whole):
        return None
    making = Making(expr)
    leaves = display("list", [making.leaf(part, None) for part in whole.args])
    count = len(whole.args)
    making.lines = [_all_of(k, part, count) for k, part in enumerate(whole.args)]
    making.bound["times"] = times
    form = expr.with_args(hole("times") if arg is times else leaves for arg in expr.args)
    return making.match("repeat", "*", form)


def _all_of(k: int, part: Expr, count: int) -> Line:
    """Return what the k-th of `count` parts receives: the sum over its places."""
    places = Y_BAR
    if count > 1:
        places = subscript(Y_BAR, slice_(literal(k), NONE, literal(count)))
    start = () if is_scalar(part) else (call(ZEROS_LIKE, hole(f"part_{k}")),)
    return Line(f"part_{k}", call(SUM, places, *start))


def displayed(expr: Expr) -> Match | None:
    """Return the rule of a display: each part receives its own; None where a part is several."""
    if has_star(expr):
        return None
    making = Making(expr)
    leaves = [making.leaf(part, literal(place)) for place, part in enumerate(expr.args)]
    return making.match("display", expr.op, display(expr.op, leaves))


def appended(expr: Expr) -> Match | None:
    """Return the rule of xs + [a], [a] + xs and xs + ys of lists and tuples."""
    left, right = expr.args
    if any(has_star(side) and is_display(side) for side in expr.args):
        return None
    making = Making(expr)
    if is_display(left) and is_display(right):
        first, second = _leaves(making, left, 0), _leaves(making, right, len(left.args))
    elif is_display(left):
        cut = literal(len(left.args))
        first = _leaves(making, left, 0)
        second = making.leaf(right, slice_(cut, NONE))
    elif is_display(right):
        cut = literal(-len(right.args)) if right.args else constant(None)
        first = making.leaf(left, slice_(NONE, cut))
        second = _leaves(making, right, -len(right.args))
    else:
        cut = call(LEN, hole("part_0"))
        first = making.leaf(left, slice_(NONE, cut))
        second = making.leaf(right, slice_(cut, NONE))
    return making.match("append", "+", expr.with_args((first, second)))


def _leaves(making: Making, whole: Expr, start: int) -> Expr:
    parts = [making.leaf(part, literal(start + k)) for k, part in enumerate(whole.args)]
    return display(whole.op, parts)
