"""Whether two names hold one object: `a is b`, and `==` of classes that have no `__eq__`."""

from __future__ import annotations

from typing import Any

from s2sad.ir.errors import Unsupported
from s2sad.legacy.program import NONE, Const, Expr
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics.kinds import Copy, Record, Row


def identity(op: str, parts: list[Expr], scope: Scope, node: Any) -> Expr:
    """Tell whether two are one object; an argument may be one that is known by another name."""
    left, right = (scope.record(each) for each in parts)
    if left == right:
        return Const(op == "is")
    outer = [_is_from_outside(each, scope) for each in parts]
    if all(outer):
        raise Unsupported(
            "whether an argument is this very object is not known when the derivative is made",
            scope.span(node),
            "Compare something that it holds: a name, or a number.",
        )
    return Const(op != "is")  # what is made here is nothing else


def _is_from_outside(part: Expr, scope: Scope) -> bool:
    """Tell whether an object is there before the function begins, or may be."""
    record = scope.record(part)
    if record is not None:
        return record.number in scope.held.entered
    return not (isinstance(part, Const) or part == NONE)


def is_told_apart(record: Record | None) -> bool:
    """Tell whether the objects of a class are equal only to themselves."""
    return record is not None and record.kind.__eq__ is object.__eq__


def refuse_copies(owned: list[Record | None], node: Any, scope: Scope) -> None:
    """Refuse to tell whether two are one where an item of a list may be meant."""
    if len(owned) == 2 and any(isinstance(each, Row | Copy) for each in owned):
        raise Unsupported(
            "which item of a list this is, is not known",
            scope.span(node),
            "Compare their places: `for i, a in enumerate(objects)`.",
        )
