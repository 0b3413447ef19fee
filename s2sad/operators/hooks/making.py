"""A rule while it is made to measure: its parameters, what they stand for, what they receive.

making.leaf(a, "0")    ->    part_0, which stands for a and receives y_bar[0]

What they receive is written as in a template.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from s2sad.ir.expression import Expr, keywords, positional
from s2sad.ir.records import dataclass, field
from s2sad.operators.binding import is_starred
from s2sad.operators.guards import is_display, is_scalar, spelled
from s2sad.operators.guards import rank_of as rank_of_type
from s2sad.operators.match import Match
from s2sad.operators.reading import Text
from s2sad.operators.rule import JOINT, Line, Rule, hole
from s2sad.operators.trees import Reader, literal

HOLES = re.compile(r"\b(?:y|y_bar|tests|index|part_\d+)\b")


@lru_cache(maxsize=4096)
def read(text: str) -> Expr:
    """Return an expression of a rule as it is written."""
    reader = Reader(Text("hooks"), frozenset(HOLES.findall(text)))
    return reader.expression(ast.parse(text, mode="eval").body)


@dataclass(slots=True)
class Making:
    """A rule while it is made."""

    expr: Expr
    bound: dict[str, Expr] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    @property
    def next(self) -> str:
        """Return the parameter that is made next."""
        return f"part_{len(self.bound)}"

    def leaf(self, value: Expr, key: str = "") -> Expr:
        """Make a parameter for a value, which receives `y_bar[key]`, all of it without a key."""
        return self.operand(value, f"y_bar[{key}]" if key else "y_bar")

    def operand(self, value: Expr, received: str) -> Expr:
        """Make a parameter for a value, with what it receives."""
        param = self.next
        self.bound[param] = value
        self.lines.append(Line(param, read(received)))
        return hole(param)

    def match(self, name: str, operator: str, form: Expr, family: str = JOINT) -> Match:
        """Return the finished rule, matched."""
        rule = Rule(name, family, tuple(self.bound), (), tuple(self.lines))
        return Match(operator, rule, self.bound, self.expr, None, form)


def display(op: str, parts: Iterable[Expr]) -> Expr:
    """Return a list or tuple that is written out."""
    return Expr(op, tuple(parts))


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


def at_axis(axis: int, key: str) -> str:
    """Return the subscript that takes `key` along an axis, counted from either end."""
    parts = [":"] * axis + [key] if axis >= 0 else ["...", key] + [":"] * (-1 - axis)
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Position:
    """A place along an axis: a number and some lengths, added."""

    offset: int = 0
    lengths: tuple[str, ...] = ()

    def moved(self, by: int) -> Position:
        """Return the place some elements further on."""
        return Position(self.offset + by, self.lengths)

    def after(self, length: str) -> Position:
        """Return the place at the end of a part of some length."""
        return Position(self.offset, (*self.lengths, length))

    def __str__(self) -> str:
        has_offset = self.offset or not self.lengths
        return " + ".join([*self.lengths, *([str(self.offset)] if has_offset else [])])


def length_of(param: str, axis: int) -> str:
    """Return the length of a parameter along an axis."""
    return f"len({param})" if axis == 0 else f"np.shape({param})[{axis}]"


def stretch(start: Position, stop: Position, is_last: bool) -> str:
    """Return the slice from one place to another; the ends of the axis are left out."""
    return f"{'' if start == Position() else start}:{'' if is_last else stop}"
