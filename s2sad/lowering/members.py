"""Members of an Enum of which the run tells which one: kind == Kind.CLOSED is kind.name == "CLOSED".

No file that a text is saved to has the class of the user's, and members of one class are told from
each other by their names.
"""

from __future__ import annotations

import enum
from typing import Any

import gast

from s2sad.ir.expression import Expr
from s2sad.ir.types import Other
from s2sad.lowering.values import TEXT, Data, Tup, Value, literal

SAME: dict[type, type] = {gast.Is: gast.Eq, gast.IsNot: gast.NotEq}


def by_name(op: Any, a: Value, b: Value) -> tuple[Any, Value, Value]:
    """Return a comparison of members by their names where one is of the run and others are known."""
    if isinstance(op, gast.Eq | gast.NotEq | gast.Is | gast.IsNot):
        if (
            _class_of(a) is not None
            and _class_of(a) is _class_of(b)
            and _is_known(a) != _is_known(b)
        ):
            return SAME.get(type(op), type(op))(), _name_of(a), _name_of(b)
    if isinstance(op, gast.In | gast.NotIn) and _class_of(a) is not None and not _is_known(a):
        parts = _parts_of(b)
        if parts and all(_is_known(p) and _class_of(p) is _class_of(a) for p in parts):
            return op, _name_of(a), Tup(tuple(map(_name_of, parts)))
    return op, a, b


def _parts_of(value: Value) -> tuple[Value, ...]:
    """Return the parts of a display; none where it is another value."""
    if isinstance(value, Tup):
        return value.parts
    is_display = isinstance(value, Data) and value.expr.op in ("tuple", "list", "set")
    return tuple(map(Data, value.expr.args)) if is_display else ()  # type: ignore[union-attr]


def _class_of(value: Value) -> type | None:
    """Return the Enum that a value is a member of, if its members are equal to themselves alone."""
    cls = value.type.cls if isinstance(value, Data) and isinstance(value.type, Other) else None
    if cls is None or not issubclass(cls, enum.Enum) or issubclass(cls, enum.Flag):
        return None
    return cls if cls.__eq__ is object.__eq__ else None


def _is_known(value: Value) -> bool:
    return isinstance(value, Data) and value.known is not None


def _name_of(value: Any) -> Data:
    if value.known is not None:
        return literal(value.known.value.name)
    return Data(Expr("attribute", (value.expr,), "name", TEXT), value.origins)
