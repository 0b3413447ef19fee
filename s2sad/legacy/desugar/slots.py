"""The parts of an expression in the order in which Python evaluates them.

f(a, *b, k=c)       f, a, b, c        each with where it stands, so that it can be replaced
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.legacy.desugar.syntax import COMPREHENSIONS, Node, with_

Slot = tuple[str, int | None, Node]
PARTS = gast.expr | gast.Slice  # to gast a slice is no expression


def slots_of(node: Node) -> Iterator[Slot]:
    """Yield the parts of an expression in the order in which they are evaluated."""
    if isinstance(node, COMPREHENSIONS):
        yield "generators", 0, node.generators[0].iter
        return
    if isinstance(node, gast.Dict):
        for i, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            if key is not None:
                yield "keys", i, key
            yield "values", i, value
        return
    if isinstance(node, gast.Attribute | gast.Starred | gast.FormattedValue):
        yield "value", None, node.value
        return
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        yield "owner", None, node.func.value
    elif isinstance(node, gast.Call):
        yield "func", None, node.func
    for field_ in node._fields:
        if field_ == "func":
            continue
        value = getattr(node, field_, None)
        if isinstance(value, list):
            for i, part in enumerate(value):
                if isinstance(part, gast.keyword):
                    yield "keywords", i, part.value
                elif isinstance(part, PARTS):
                    yield field_, i, part
        elif isinstance(value, PARTS):
            yield field_, None, value


def filled(node: Node, slots: list[Slot], values: list[Node]) -> Node:
    """Return `node` with its parts replaced."""
    fields: dict[str, Any] = {}
    for (where, i, _), value in zip(slots, values, strict=True):
        if where == "owner":
            fields["func"] = with_(node.func, value=value)
        elif i is None:
            fields[where] = value
        else:
            parts = fields.setdefault(where, list(getattr(node, where)))
            parts[i] = _part(parts[i], value)
    return with_(node, **fields)


def _part(old: Node, value: Node) -> Node:
    if isinstance(old, gast.keyword):
        return with_(old, value=value)
    return with_(old, iter=value) if isinstance(old, gast.comprehension) else value
