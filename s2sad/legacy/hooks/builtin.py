"""Python's own functions of several numbers, and displays themselves.

max(a, b, c)    ->    a_bar = y_bar if a == y else 0.0 ; ...
[a, b]          ->    a_bar = y_bar[0] ; b_bar = y_bar[1]
xs + [a]        ->    xs_bar = y_bar[:-1] ; a_bar = y_bar[-1]
"""

from __future__ import annotations

import numpy as np

from s2sad.legacy.filling import Match, literal, number
from s2sad.legacy.hooks.making import (
    LEN,
    Y_BAR,
    Ask,
    Making,
    display_of,
    has_star,
    is_display,
    is_scalar,
    is_star,
)
from s2sad.legacy.program import NONE, Call, Const, Expr, Op, Ref
from s2sad.legacy.templating import ELEMENTWISE, Line, local_var

SUM = Ref("sum", sum)
ZEROS_LIKE = Ref("np.zeros_like", np.zeros_like)


def total(call: Call, fact: Ask) -> Match | None:
    """Return the rule of sum([a, b, ...]): that of a + b + ..."""
    if len(call.args) > 1 or call.keywords:
        return None
    making = Making(fact)
    display = display_of(call)
    parts = tuple(making.leaf(part, None) for part in display.args)
    return making.match("sum", Call(call.func, (Op(display.op, parts),)), ELEMENTWISE)


def extreme_of_display(call: Call, fact: Ask) -> Match | None:
    """Return the rule of max([a, b, ...]) and min."""
    parts = display_of(call).args
    return None if len(call.args) > 1 or call.keywords else extreme(call, parts, fact)


def extreme(call: Call, parts: tuple[Expr, ...], fact: Ask) -> Match | None:
    """Return the rule of max or min: the first operand that equals the result has it all."""
    making = Making(fact)
    leaves = tuple(making.leaf(part, None) for part in parts)
    displayed = isinstance(call.args[0], Op) and call.args[0].op in ("tuple", "list")
    form = Call(call.func, (Op("tuple", leaves),) if displayed else leaves)
    making.lines = [
        Line(name, Op("if", (_first(i), Y_BAR, Const(0.0)))) for i, name in enumerate(making.bound)
    ]
    return making.match("extreme", form, ELEMENTWISE)


def hypot(call: Call, fact: Ask) -> Match | None:
    """Return the rule of math.hypot(a, b, c): each receives its cosine, nothing where all are 0."""
    if call.keywords or any(map(is_star, call.args)):
        return None
    making = Making(fact)
    y = local_var("y")
    length = Op("+", (y, Op("==", (y, Const(0.0)))))
    parts = tuple(
        making.operand(part, lambda own: Op("/", (Op("*", (Y_BAR, own)), length)))
        for part in call.args
    )
    return making.match("hypot", Call(call.func, parts), ELEMENTWISE)


def _first(i: int) -> Expr:
    y = local_var("y")
    hit: Expr = Op("==", (local_var(f"part_{i}"), y))
    before = tuple(Op("!=", (local_var(f"part_{j}"), y)) for j in range(i))
    return Op("and", (hit, *before)) if before else hit


def repeated(value: Op, parts: tuple[Expr, ...], times: Expr, fact: Ask) -> Match | None:
    """Return the rule of [a, b] * n, of numbers and arrays."""
    if fact(times).kind != "int" or any(map(is_star, parts)):
        return None
    making = Making(fact)
    display = Op("list", tuple(making.leaf(part, None) for part in parts))
    making.lines = [_all_of(i, part, len(parts), fact) for i, part in enumerate(parts)]
    form = Op("*", tuple(times if each == times else display for each in value.args))
    return making.match("repeat", form)


def _all_of(i: int, part: Expr, count: int, fact: Ask) -> Line:
    """Return what the i-th of `count` parts receives: the sum over its places."""
    places: Expr = Y_BAR
    if count > 1:
        places = Op("index", (Y_BAR, Op("slice", (Const(i), NONE, Const(count)))))
    if is_scalar(part, fact):
        return Line(f"part_{i}", Call(SUM, (places,)))
    return Line(f"part_{i}", Call(SUM, (places, Call(ZEROS_LIKE, (local_var(f"part_{i}"),)))))


def displayed(value: Op, fact: Ask) -> Match | None:
    """Return the rule of [a, (b, c)]: each value receives its own of the list of adjoints."""
    making = Making(fact)
    form = _held(making, value, Y_BAR)
    return None if form is None else making.match("display", form)


def _held(making: Making, display: Op, bars: Expr) -> Expr | None:
    """Make a parameter for each value that a display holds, and displays in it hold."""
    parts: list[Expr] = []
    for i, part in enumerate(display.args):
        own = Op("index", (bars, Const(i)))
        if isinstance(part, Op) and part.op in ("tuple", "list"):
            form = _held(making, part, own)
        else:
            form = None if is_star(part) else making.operand(part, lambda _, own=own: own)  # type: ignore[misc]
        if form is None:
            return None
        parts.append(form)
    return Op(display.op, tuple(parts))


# ---------------------------------------------------------------------------- lists


def is_sequence(value: Expr, fact: Ask) -> bool:
    """Tell whether a value is surely a list or tuple."""
    if is_display(value):
        return not has_star(value)
    return literal(value) is None and fact(value).kind in ("list", "tuple")


def behind(value: Op, fact: Ask) -> Match:
    """Return the rule of one list set behind another: each receives its stretch of y_bar."""
    making = Making(fact)
    left, right = value.args
    cut: Expr
    first: Expr
    second: Expr
    if isinstance(left, Op) and is_display(left):
        first, cut = _leaves(making, left, 0), Const(len(left.args))
        second = making.leaf(right, Op("slice", (cut, NONE, NONE)))
    elif isinstance(right, Op) and is_display(right):
        cut = number(-len(right.args)) if right.args else NONE
        first = making.leaf(left, Op("slice", (NONE, cut, NONE)))
        second = _leaves(making, right, -len(right.args))
    else:
        cut = Call(LEN, (local_var("part_0"),))
        first = making.leaf(left, Op("slice", (NONE, cut, NONE)))
        second = making.leaf(right, Op("slice", (cut, NONE, NONE)))
    return making.match("behind", Op("+", (first, second)))


def _leaves(making: Making, display: Op, start: int) -> Op:
    parts = (making.leaf(part, number(start + i)) for i, part in enumerate(display.args))
    return Op(display.op, tuple(parts))
