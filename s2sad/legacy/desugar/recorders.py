"""What is handed to a function to record what it is called with gets a name, as it is followed by that.

y = solve(f, x, callback=lambda t, y: kept.append(y))   ->   callback = lambda t, y: kept.append(y)
y = solve(f, x, kept.append)                                 y = solve(f, x, callback=callback)
"""

from __future__ import annotations

from types import FunctionType

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, assign, name, placed, with_
from s2sad.source.fresh import free
from s2sad.source.text import MISSING
from s2sad.source.trees import nodes_of

# methods of one argument that tell nothing, and of any
ADDING = frozenset({"append", "add"})
SILENT = ADDING | {"extend", "insert", "update"}


def written(node: Node, names: Names) -> tuple[Body, Node] | None:
    """Return a call with names for such arguments, and what gives them their functions."""
    if not isinstance(node, gast.Call) or not _is_followed(node.func, names):
        return None
    out: Body = []

    def named(value: Node, wish: str) -> Node:
        made = _recorder(value, names)
        if made is None:
            return value
        held = names.fresh(wish)
        out.append(assign(held, made, value))
        return name(held, value)

    args = [named(each, "record") for each in node.args]
    keywords = [with_(each, value=named(each.value, each.arg or "")) for each in node.keywords]
    return (out, with_(node, args=args, keywords=keywords)) if out else None


def _is_followed(func: Node, names: Names) -> bool:
    """Tell whether a call is of a function whose text is read, as far as the name tells."""
    if isinstance(func, gast.Name) and names.is_local(func.id):
        return True
    known = names.value(func)
    return isinstance(known, FunctionType) or (
        known is MISSING and isinstance(func, gast.Attribute)
    )


def _recorder(value: Node, names: Names) -> Node | None:
    """Return the function that an argument is, if all it does is to add to what is around it."""
    match value:
        case gast.Lambda(
            body=gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr=called))
        ) if called in SILENT and names.is_local(owner):
            own = {part.id for part in nodes_of(value.args) if isinstance(part, gast.Name)}
            return None if owner in own else value
        case gast.Attribute(value=gast.Name(id=owner), attr=called) if called in ADDING:
            return _as_lambda(value, owner) if names.is_local(owner) else None
    return None


def _as_lambda(value: Node, owner: str) -> Node:
    """Return `kept.append` as `lambda item: kept.append(item)`."""
    item = free("item", {owner})
    made = gast.parse(f"lambda {item}: 0", mode="eval").body
    called = gast.Call(func=value, args=[name(item, value)], keywords=[])
    return placed(with_(made, body=placed(called, value)), value)
