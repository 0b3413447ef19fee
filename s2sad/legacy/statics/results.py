"""The dicts and objects that a function returns, as their parts and how they are put together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from s2sad.legacy.layout import Layout, is_put_together
from s2sad.legacy.program import Expr, Op
from s2sad.legacy.scope import Scope, static_as_value
from s2sad.legacy.statics import records
from s2sad.legacy.statics.kinds import Function
from s2sad.legacy.traverse import walk


def refuse_functions(result: Expr, scope: Scope, node: Any) -> None:
    """Refuse to return a function that is called in place: the caller could do nothing with it."""
    for part in walk(result):
        made = scope.apart(part)
        if isinstance(made, Function):
            raise static_as_value(made, scope.span(node))


def laid_out(value: Expr, scope: Scope, node: Any) -> tuple[Layout | None, tuple[Expr, ...]]:
    """Return the layout of a result and its parts; no layout where it is one value.

    Nor is there one of an object that is more than what it is made with.
    """
    kind, held = _parts(value, scope, node)
    if not held or not is_put_together_of(kind, held):
        return None, (value,)
    layouts: list[Layout | None] = []
    parts: list[Expr] = []
    for part in held.values():
        inner, values = laid_out(part, scope, node)
        if inner is None and scope.record(part) is not None:
            return None, (value,)
        layouts.append(inner)
        parts += values
    return Layout(kind, tuple(held), tuple(layouts)), tuple(parts)


def is_put_together_of(kind: Any, held: dict[Any, Expr]) -> bool:
    """Tell whether these parts are all that an object of a class is made of."""
    if kind in (tuple, list, dict):
        return True
    names: Iterable[str] = getattr(kind, "_fields", ()) or getattr(kind, "__dataclass_fields__", ())
    return is_put_together(kind) and set(held) == set(names)


def _parts(value: Expr, scope: Scope, node: Any) -> tuple[Any, dict[Any, Expr]]:
    """Return what kind of thing a value is, and its parts by their keys."""
    record = scope.record(value)
    if record is not None:
        return record.kind, records.items(record, scope, node)
    holds_records = any(scope.record(part) is not None for part in _all(value))
    if isinstance(value, Op) and value.op in ("tuple", "list") and holds_records:
        return tuple if value.op == "tuple" else list, dict(enumerate(value.args))
    return None, {}


def _all(value: Expr) -> list[Expr]:
    parts = value.args if isinstance(value, Op) else ()
    return [value, *(inner for part in parts for inner in _all(part))]
