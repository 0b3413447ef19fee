"""`with` of a class of the user's that lets errors through: what it does stands before and behind.

with Scaled(k) as c:            scaled = Scaled(k)
    y = c.k * x          ->     c = scaled.__enter__()
                                y = c.k * x
                                scaled.__exit__(None, None, None)
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.desugar.cutting import LEAVING
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    constant,
    jumps,
    method,
    name,
    own_nodes,
    placed,
    statement,
)
from s2sad.source.plain import makes_records
from s2sad.source.text import source_of
from s2sad.source.trees import nodes_of


def entered(stmt: Node, names: Names) -> Body | None:
    """Return a `with` as what its managers do before and behind it; None where that is not known."""
    kinds = [_kind(item.context_expr, names) for item in stmt.items]
    if None in kinds or not all(map(_lets_through, kinds)):
        return None
    if any(isinstance(part, gast.Try) and part.handlers for part in nodes_of(names.source.tree)):
        return None  # what is handled there is left in the middle
    body: Body = stmt.body
    for item, kind in reversed(list(zip(stmt.items, kinds, strict=True))):
        body = _around(body, item, kind, names)
    return body


def _around(body: Body, item: Node, kind: Any, names: Names) -> Body:
    at = item.context_expr
    held = at.id if isinstance(at, gast.Name) else names.fresh(kind.__name__.lower())
    first = [] if isinstance(at, gast.Name) else [assign(held, at, at)]
    begun = method(name(held, at), "__enter__", [], at)
    target = item.optional_vars
    first.append(statement(begun, at) if target is None else assign(target, begun, at))
    nothing = [constant(None, at) for _ in range(3)]
    last = [statement(method(name(held, at), "__exit__", nothing, at), at)]
    if jumps(body, LEAVING):
        left = gast.Try(body=body, handlers=[], orelse=[], finalbody=last)
        return [*first, placed(left, at)]
    return [*first, *body, *last]


def _kind(manager: Node, names: Names) -> Any:
    """Return the class of a manager: one that is made here, or has one name."""
    if isinstance(manager, gast.Name) and names.is_local(manager.id):
        parts = list(nodes_of(names.source.tree))
        stores = [n for n in parts if getattr(n, "id", "") == manager.id]
        stores = [n for n in stores if not isinstance(n.ctx, gast.Load)]
        made = [
            part.value
            for part in parts
            if isinstance(part, gast.Assign) and part.targets == stores and len(stores) == 1
        ]
        return _kind(made[0], names) if made and isinstance(made[0], gast.Call) else None
    kind = names.value(manager.func) if isinstance(manager, gast.Call) else None
    return kind if isinstance(kind, type) and makes_records(kind) else None


def _lets_through(kind: Any) -> bool:
    """Tell whether the `__exit__` of a class is Python, and swallows no error."""
    found = [inspect.getattr_static(kind, each, None) for each in ("__enter__", "__exit__")]
    if not all(isinstance(each, FunctionType) for each in found):
        return False
    try:
        tree = source_of(found[1]).tree
    except S2sadError:
        return False
    given = [part.value for part in own_nodes(tree.body) if isinstance(part, gast.Return)]
    return all(each is None or getattr(each, "value", each) in (None, False) for each in given)
