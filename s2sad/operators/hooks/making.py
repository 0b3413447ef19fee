"""A rule while it is made to measure: its parameters, what they stand for, what they receive.

making.leaf(a, literal(0))    ->    part_0, which stands for a and receives y_bar[0]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from s2sad.ir.expression import EVERYTHING, Expr, constant, global_, keywords, positional, subscript
from s2sad.ir.records import dataclass, field
from s2sad.operators.binding import is_starred
from s2sad.operators.guards import is_display, is_scalar, spelled
from s2sad.operators.guards import rank_of as rank_of_type
from s2sad.operators.match import Match
from s2sad.operators.rule import JOINT, Line, Rule, hole
from s2sad.operators.trees import literal

LEN = global_("len", len)
SHAPE = global_("np.shape", np.shape)
WHERE = global_("np.where", np.where)
Y, Y_BAR, ZERO = hole("y"), hole("y_bar"), literal(0.0)
NONE = constant(None)


@dataclass(slots=True)
class Making:
    """A rule while it is made."""

    expr: Expr
    bound: dict[str, Expr] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    @property
    def next(self) -> Expr:
        """Return the parameter that is made next."""
        return hole(f"part_{len(self.bound)}")

    def leaf(self, value: Expr, key: Expr | None) -> Expr:
        """Make a parameter for a value, which receives `y_bar[key]`, all of it without a key."""
        return self.operand(value, Y_BAR if key is None else subscript(Y_BAR, key))

    def operand(self, value: Expr, received: Expr) -> Expr:
        """Make a parameter for a value, with what it receives."""
        param = self.next
        self.bound[param.data.name] = value
        self.lines.append(Line(param.data.name, received))
        return param

    def match(self, name: str, operator: str, form: Expr, family: str = JOINT) -> Match:
        """Return the finished rule, matched."""
        rule = Rule(name, family, tuple(self.bound), (), tuple(self.lines))
        return Match(operator, rule, self.bound, self.expr, None, form)


# ---------------------------------------------------------------------------- building


def call(function: Expr, *args: Expr, **named: Expr) -> Expr:
    """Return a call of a rule."""
    return Expr("call", (function, *args, *named.values()), tuple(named))


def binary(symbol: str, a: Expr, b: Expr) -> Expr:
    """Return a binary operation of a rule."""
    return Expr("binary", (a, b), symbol)


def compare(symbol: str, a: Expr, b: Expr) -> Expr:
    """Return a comparison of a rule."""
    return Expr("compare", (a, b), (symbol,))


def display(op: str, parts: Iterable[Expr]) -> Expr:
    """Return a list or tuple that is written out."""
    return Expr(op, tuple(parts))


def slice_(lower: Expr, upper: Expr, step: Expr = NONE) -> Expr:
    """Return a slice of a rule."""
    return Expr("slice", (lower, upper, step))


# ---------------------------------------------------------------------------- asking


def has_star(value: Expr) -> bool:
    """Tell whether a part of an operand stands for several."""
    return any(map(is_starred, value.args))


def rank_of(part: Expr) -> int | None:
    """Return the rank of an operand, of a display of numbers 1; None where it is not known."""
    if is_display(part):
        return 1 if {rank_of(each) for each in part.args} <= {0} else None
    return 0 if is_scalar(part) else rank_of_type(part.type)


def rest_of(expr: Expr, *allowed: str) -> Mapping[str, Expr] | None:
    """Return the arguments after the first by name; None if there are others."""
    args, named = positional(expr), keywords(expr)
    given = {**dict(zip(allowed, args[1:], strict=False)), **named}
    is_complete = len(given) == len(args) - 1 + len(named)
    return given if is_complete and given.keys() <= {*allowed} else None


def axis_of(expr: Expr) -> int | None:
    """Return the axis that a call spells after its display, 0 by default."""
    given = rest_of(expr, "axis")
    axis = None if given is None else spelled(given.get("axis", literal(0)))
    return axis if isinstance(axis, int) else None


def only_display(expr: Expr) -> bool:
    """Tell whether a call is given nothing but its display."""
    return len(expr.args) == 2


def with_display(expr: Expr, made: Expr) -> Expr:
    """Return a call with its first argument replaced."""
    return expr.with_args((expr.args[0], made, *expr.args[2:]))


# ---------------------------------------------------------------------------- places


def key_of(parts: tuple[Expr, ...]) -> Expr:
    """Return a subscript of some parts."""
    return parts[0] if len(parts) == 1 else display("tuple", parts)


def at_axis(axis: int, key: Expr) -> Expr:
    """Return the subscript that takes `key` along an axis, counted from either end."""
    if axis >= 0:
        return key_of((EVERYTHING,) * axis + (key,))
    return display("tuple", (constant(...), key) + (EVERYTHING,) * (-1 - axis))


@dataclass(frozen=True, slots=True)
class Position:
    """A place along an axis: a number and some lengths, added."""

    offset: int = 0
    lengths: tuple[Expr, ...] = ()

    def moved(self, by: int) -> Position:
        """Return the place some elements further on."""
        return Position(self.offset + by, self.lengths)

    def after(self, length: Expr) -> Position:
        """Return the place at the end of a part of some length."""
        return Position(self.offset, (*self.lengths, length))

    @property
    def expr(self) -> Expr:
        """Return the place as an expression."""
        if not self.lengths:
            return literal(self.offset)
        total = self.lengths[0]
        for length in self.lengths[1:]:
            total = binary("+", total, length)
        return binary("+", total, literal(self.offset)) if self.offset else total


def length_of(param: Expr, axis: int) -> Expr:
    """Return the length of a parameter along an axis."""
    return call(LEN, param) if axis == 0 else subscript(call(SHAPE, param), literal(axis))


def stretch(start: Position, stop: Position, is_last: bool) -> Expr:
    """Return the slice from one place to another; the ends of the axis are left out."""
    return slice_(NONE if start == Position() else start.expr, NONE if is_last else stop.expr)
