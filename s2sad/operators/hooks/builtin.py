"""Python's own functions of several numbers, and displays themselves.

max(a, b, c)    ->    a_bar = y_bar if a == y else 0.0 ; ...
sum([a, b])     ->    a_bar = y_bar ; b_bar = y_bar
[a, b] * n      ->    a_bar = sum(y_bar[0::2]) ; ...
"""

from __future__ import annotations

from s2sad.ir.expression import Expr, positional
from s2sad.ir.types import Number
from s2sad.operators.binding import is_starred
from s2sad.operators.guards import is_array, is_display, is_scalar
from s2sad.operators.hooks.making import Making, display, has_star, only_display, read, with_display
from s2sad.operators.match import Match
from s2sad.operators.rule import ELEMENTWISE, Line, hole


def total(expr: Expr) -> Match | None:
    """Return the rule of sum([a, b, ...]): that of a + b + ..."""
    whole = expr.args[1]
    if not only_display(expr) or has_star(whole):
        return None
    making = Making(expr)
    form = with_display(expr, display(whole.op, map(making.leaf, whole.args)))
    return making.match("sum", "sum", form, ELEMENTWISE)


def extreme_of_display(expr: Expr) -> Match | None:
    """Return the rule of max([a, b, ...]) and min."""
    return extreme(expr, expr.args[1].args) if only_display(expr) else None


def extreme(expr: Expr, parts: tuple[Expr, ...]) -> Match | None:
    """Return the rule of max or min: the first operand that equals the result has it all."""
    if any(is_starred(part) or is_array(part.type) for part in parts):
        return None
    making, leaves = Making(expr), []
    for part in parts:
        is_first = " and ".join([f"{making.next} == y", *(f"{p} != y" for p in making.bound)])
        leaves.append(making.operand(part, f"y_bar if {is_first} else 0.0"))
    inside = [display("tuple", leaves)] if is_display(expr.args[1]) else leaves
    form = expr.with_args((expr.args[0], *inside))
    return making.match("extreme", expr.args[0].data.text, form, ELEMENTWISE)


def hypot(expr: Expr) -> Match | None:
    """Return the rule of math.hypot(a, b, c): each receives its cosine, nothing where all are 0."""
    parts = positional(expr)
    if expr.data or any(map(is_starred, parts)):
        return None
    making = Making(expr)
    leaves = [making.operand(part, f"y_bar * {making.next} / (y + (y == 0.0))") for part in parts]
    making.lines.append(Line("y_squared", read(" + ".join(f"{p}**2" for p in making.bound)), True))
    form = expr.with_args((expr.args[0], *leaves))
    return making.match("hypot", "math.hypot", form, ELEMENTWISE)


# ---------------------------------------------------------------------------- lists


def repeated(expr: Expr) -> Match | None:
    """Return the rule of [a, b] * n and n * [a, b], of numbers and arrays."""
    whole = next(arg for arg in expr.args if arg.op == "list")
    times = expr.args[1] if whole is expr.args[0] else expr.args[0]
    is_count = isinstance(times.type, Number) and times.type.dtype[0] in "iu"
    if not is_count or has_star(whole):
        return None
    making, leaves = Making(expr), []
    for k, part in enumerate(whole.args):
        places = f"y_bar[{k}::{len(whole.args)}]" if len(whole.args) > 1 else "y_bar"
        start = "" if is_scalar(part) else f", np.zeros_like({making.next})"
        leaves.append(making.operand(part, f"sum({places}{start})"))
    making.bound["times"] = times
    repeated = display("list", leaves)
    form = expr.with_args(hole("times") if arg is times else repeated for arg in expr.args)
    return making.match("repeat", "*", form)


def displayed(expr: Expr) -> Match | None:
    """Return the rule of a display: each part receives its own; None where a part is several."""
    if has_star(expr):
        return None
    making = Making(expr)
    return making.match("display", expr.op, _leaves(making, expr, 0))


def appended(expr: Expr) -> Match | None:
    """Return the rule of xs + [a], [a] + xs and xs + ys of lists and tuples."""
    left, right = expr.args
    if any(has_star(side) and is_display(side) for side in expr.args):
        return None
    making = Making(expr)
    if is_display(left):
        first = _leaves(making, left, 0)
        start = len(left.args)
        is_written = is_display(right)
        second = _leaves(making, right, start) if is_written else making.leaf(right, f"{start}:")
    elif is_display(right):
        start = -len(right.args)
        first = making.leaf(left, f":{start or ''}")
        second = _leaves(making, right, start)
    else:
        first = making.leaf(left, ":len(part_0)")
        second = making.leaf(right, "len(part_0):")
    return making.match("append", "+", expr.with_args((first, second)))


def _leaves(making: Making, whole: Expr, start: int) -> Expr:
    parts = [making.leaf(part, str(start + k)) for k, part in enumerate(whole.args)]
    return display(whole.op, parts)
