"""A rule while it is made to measure: its parameters, what they stand for, what they receive.

making.leaf(a, Const(0))    ->    part_0, which stands for a and receives y_bar[0]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2sad.legacy.filling import Match, literal, number
from s2sad.legacy.program import NONE, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.templating import JOINT, Line, Rule, local_var
from s2sad.legacy.traverse import WHOLE

Ask = Callable[[Expr], Any]
LEN = Ref("len", len)
SHAPE = Ref("np.shape", np.shape)
Y_BAR = local_var("y_bar")


@dataclass(slots=True)
class Making:
    """A rule while it is made."""

    fact: Ask
    bound: dict[str, Expr] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    @property
    def next(self) -> Var:
        """Return the parameter that is made next."""
        return local_var(f"part_{len(self.bound)}")

    def leaf(self, value: Expr, key: Expr | None) -> Expr:
        """Make a parameter for `value`, which receives `y_bar[key]`, all of it without a key."""
        return self.operand(value, lambda _: Y_BAR if key is None else Op("index", (Y_BAR, key)))

    def operand(self, value: Expr, received: Callable[[Var], Expr]) -> Expr:
        """Make a parameter for `value`, of which `received` tells what it receives."""
        param = self.next
        self.bound[param.slot] = value
        self.lines.append(Line(param.slot, received(param)))
        return param

    def match(self, name: str, form: Expr, family: str = JOINT) -> Match:
        """Return the finished rule, matched."""
        rule = Rule(name, family, tuple(self.bound), (), tuple(self.lines))
        arrays = frozenset(p for p, each in self.bound.items() if self.fact(each).is_array)
        scalars = frozenset(p for p, each in self.bound.items() if is_scalar(each, self.fact))
        lists = (p for p, each in self.bound.items() if self.fact(each).kind in ("list", "tuple"))
        return Match(rule, self.bound, form, arrays, scalars, frozenset(lists))


def is_scalar(value: Expr, fact: Ask) -> bool:
    """Tell whether an operand is a number."""
    return literal(value) is not None or bool(fact(value).is_scalar)


def is_display(value: Expr) -> bool:
    """Tell whether an operand is a list or tuple that is written out."""
    return isinstance(value, Op) and value.op in ("tuple", "list")


def is_star(part: Expr) -> bool:
    """Tell whether a part of a display stands for several."""
    return isinstance(part, Op) and part.op == "star"


def has_star(value: Expr) -> bool:
    """Tell whether a part of an operand stands for several."""
    return isinstance(value, Op) and any(map(is_star, value.args))


def rank_of(part: Expr, fact: Ask) -> int | None:
    """Return the rank of an operand, of a display of numbers 1; None where it is not known."""
    match part:
        case Op("tuple" | "list", parts):
            inner = {rank_of(each, fact) for each in parts}
            return 1 if inner <= {0} else None
        case _ if is_scalar(part, fact):
            return 0
    known = fact(part)
    rank: int | None = known.rank
    return rank if known.is_array else None


def rest_of(call: Call, *allowed: str) -> Mapping[str, Expr] | None:
    """Return the arguments after the first by name; None if there are others."""
    rest = dict(zip(allowed, call.args[1:], strict=False))
    given = {**rest, **dict(call.keywords)}
    complete = len(given) == len(call.args) - 1 + len(call.keywords)
    return given if complete and given.keys() <= set(allowed) else None


def axis_of(call: Call) -> int | None:
    """Return the axis that a call spells after its display, 0 by default."""
    given = rest_of(call, "axis")
    axis = None if given is None else literal(given.get("axis", Const(0)))
    return axis if isinstance(axis, int) else None


def form_of(call: Call, display: Expr) -> Call:
    """Return a call with its first argument replaced."""
    return Call(call.func, (display, *call.args[1:]), call.keywords)


def display_of(call: Call) -> Op:
    """Return the display that a call is given."""
    display = call.args[0]
    assert isinstance(display, Op)
    return display


# ---------------------------------------------------------------------------- places


def key_of(parts: tuple[Expr, ...]) -> Expr:
    """Return a subscript of some parts."""
    return parts[0] if len(parts) == 1 else Op("tuple", parts)


def at_axis(axis: int, key: Expr) -> Expr:
    """Return the subscript that takes `key` along an axis, counted from either end."""
    if axis >= 0:
        return key_of((WHOLE,) * axis + (key,))
    return Op("tuple", (Const(...), key) + (WHOLE,) * (-1 - axis))


@dataclass(frozen=True, slots=True)
class Position:
    """A place along an axis: a number and some lengths, added."""

    offset: int = 0
    lengths: tuple[Expr, ...] = ()

    def moved(self, by: int) -> Position:
        """Return the place some elements further on."""
        return Position(self.offset + by, self.lengths)

    def behind(self, length: Expr) -> Position:
        """Return the place behind a part of some length."""
        return Position(self.offset, (*self.lengths, length))

    def expr(self) -> Expr:
        """Return the place as an expression."""
        total: Expr | None = None
        for length in self.lengths:
            total = length if total is None else Op("+", (total, length))
        if total is None:
            return number(self.offset)
        return Op("+", (total, number(self.offset))) if self.offset else total


def length_of(param: Expr, axis: int) -> Expr:
    """Return the length of a parameter along an axis."""
    if axis == 0:
        return Call(LEN, (param,))
    return Op("index", (Call(SHAPE, (param,)), number(axis)))


def stretch(start: Position, stop: Position, first: bool, last: bool) -> Expr:
    """Return the slice from one place to another; the ends of the axis are left out."""
    return Op("slice", (NONE if first else start.expr(), NONE if last else stop.expr(), NONE))
