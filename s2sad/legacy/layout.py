"""How what a function returns is put together of its parts: dicts, and objects that it makes.

return {"first": u, "rest": Pair(v, w)}     ->     u, v, w and the layout of a dict with a Pair

The derivative program has the parts as a tuple; dicts and objects are made at its end.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref
from s2sad.source.plain import is_named_tuple


@dataclass(frozen=True)
class Layout:
    """A dict, tuple, list or object: each of its parts has a layout, or is one value (None)."""

    kind: Any
    keys: tuple[Any, ...]
    parts: tuple[Layout | None, ...]


def is_put_together(kind: Any) -> bool:
    """Tell whether an object of a class is no more than what is said when it is made."""
    if kind is dict or is_named_tuple(kind):
        return True
    own = vars(kind)
    generated = "__dataclass_params__" in own and own["__dataclass_params__"].init
    if not generated or hasattr(kind, "__post_init__"):
        return False
    return all(field.init for field in dataclasses.fields(kind))


def put_together(layout: Layout, values: Expr) -> Expr:
    """Return the expression that makes a result of the tuple of its parts."""
    return _made(layout, iter(parts_of(values)))


def parts_of(values: Expr) -> tuple[Expr, ...]:
    """Return what stands in a tuple."""
    assert isinstance(values, Op)
    return values.args


def _made(layout: Layout, values: Iterator[Expr]) -> Expr:
    parts = [next(values) if each is None else _made(each, values) for each in layout.parts]
    if layout.kind in (tuple, list):
        return Op(layout.kind.__name__, tuple(parts))
    if layout.kind is dict:
        pairs = zip(map(Const, layout.keys), parts, strict=True)
        return Op("dict", tuple(each for pair in pairs for each in pair))
    named = tuple((key, part) for key, part in zip(layout.keys, parts, strict=True))
    return Call(Ref(layout.kind.__name__, layout.kind), (), named)


def taken_apart(layout: Layout, whole: Expr) -> Iterator[Expr]:
    """Yield what reads each of the parts of a value that is put together so."""
    for key, each in zip(layout.keys, layout.parts, strict=True):
        by_name = not issubclass(layout.kind, dict | list) and isinstance(key, str)
        part = Attr(whole, key) if by_name else Op("index", (whole, Const(key)))
        if each is None:
            yield part
        else:
            yield from taken_apart(each, part)
