"""Members of an Enum of which the run tells which one: kind == Kind.CLOSED is kind.name == "CLOSED".

No file that a text is saved to has the class of the user's, and members of one class are told from
each other by their names; from what may be anything else, str(kind) == "Kind.CLOSED".
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import gast

from s2sad.ir.expression import Expr, call, global_
from s2sad.ir.types import Number, Numeric, Optional, Other, Unknown
from s2sad.lowering.values import TEXT, Data, Tup, Value, literal
from s2sad.types.structure import written_member

SAME: dict[type, type] = {gast.Is: gast.Eq, gast.IsNot: gast.NotEq}


def by_name(op: Any, a: Value, b: Value) -> tuple[Any, Value, Value]:
    """Return a comparison of members by their names where one is of the run and others are known."""
    if isinstance(op, gast.Eq | gast.NotEq | gast.Is | gast.IsNot):
        by_identity = isinstance(op, gast.Is | gast.IsNot)
        for of_run, other in ((a, b), (b, a)):
            word_of = _word_of(of_run, (other,), by_identity)
            if word_of is not None:
                return SAME.get(type(op), type(op))(), word_of(of_run), word_of(other)
    if isinstance(op, gast.In | gast.NotIn):
        parts = _parts_of(b)
        word_of = _word_of(a, parts)
        if word_of is not None:
            return op, word_of(a), Tup(tuple(map(word_of, parts)))
    return op, a, b


def _word_of(
    of_run: Value, others: tuple[Value, ...], by_identity: bool = False
) -> Callable[[Any], Data] | None:
    """Return what gives the texts by which a value of the run is told from members that are known."""
    classes = {_class_of(each, by_identity) if _is_known(each) else None for each in others}
    if len(classes) != 1 or None in classes or _is_known(of_run) or not isinstance(of_run, Data):
        return None
    if _class_of(of_run, by_identity) in classes:
        return _name_of
    is_open = isinstance(of_run.type, Unknown | Number | Numeric | Optional)
    return _said_of(others) if is_open else None


def _said_of(members: tuple[Value, ...]) -> Callable[[Any], Data]:
    """Return what gives the text that tells a member from all else: Law.LINEAR, or what repr says."""
    said = str if all(written_member(each.known.value) for each in members) else repr

    def text(value: Any) -> Data:
        if value.known is not None:
            return literal(said(value.known.value))
        return Data(call(global_(said.__name__, said), value.expr, type_=TEXT), value.origins)

    return text


def _parts_of(value: Value) -> tuple[Value, ...]:
    """Return the parts of a display; none where it is another value."""
    if isinstance(value, Tup):
        return value.parts
    is_display = isinstance(value, Data) and value.expr.op in ("tuple", "list", "set")
    return tuple(map(Data, value.expr.args)) if is_display else ()  # type: ignore[union-attr]


def _class_of(value: Value, by_identity: bool) -> type | None:
    """Return the Enum that a value is a member of, if its members are equal to themselves alone."""
    is_other = isinstance(value, Data) and isinstance(value.type, Other)
    cls = type(value.known.value) if _is_known(value) else value.type.cls if is_other else None
    if cls is None or not issubclass(cls, enum.Enum) or issubclass(cls, enum.Flag):
        return None
    return cls if by_identity or cls.__eq__ is object.__eq__ else None


def _is_known(value: Value) -> bool:
    return isinstance(value, Data) and value.known is not None


def _name_of(value: Any) -> Data:
    if value.known is not None:
        return literal(value.known.value.name)
    return Data(Expr("attribute", (value.expr,), "name", TEXT), value.origins)
