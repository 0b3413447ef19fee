"""Keys of a dict in the order of what stands under them: what is gone through is said to be its keys.

k = max(d, key=d.get)      ->      k = max(list(d), key=lambda key: d[key])
"""

from __future__ import annotations

import gast

from s2sad.legacy.desugar.listable import makes_dict
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Node, call, constant, index, method, name, placed, with_
from s2sad.source.fresh import free
from s2sad.source.trees import nodes_of

ORDERING = (max, min, sorted)
READERS = ("get", "__getitem__")


def over_keys(node: Node, names: Names) -> Node:
    """Return a call that orders the keys of a dict as one of a list of them; any other as it is."""
    keys = [each.value for each in node.keywords if each.arg == "key"]
    owner = _owner(node.args[0], names) if len(node.args) == 1 and keys else None
    if owner is None:
        return node
    key, items = keys[0], node.args[0]
    for part in reads_own(key, owner):
        part.s2sad_is_there = True  # nothing is made under a key
    if isinstance(key, gast.Attribute) and key.attr in READERS and _is_own(key.value, names):
        key = _entry(key, key.value.id == owner and _is_dict(owner, names))
    elif not isinstance(items, gast.Name) or not (_is_dict(owner, names) or reads_own(key, owner)):
        return node
    through = call("list", [items], items) if isinstance(items, gast.Name) else items
    keywords = [with_(each, value=key) if each.arg == "key" else each for each in node.keywords]
    return with_(node, args=[through], keywords=keywords)


class OverKeys(gast.NodeTransformer):  # type: ignore[misc]
    """Does so for all calls of a function."""

    def __init__(self, names: Names):
        self.names = names

    def visit_Call(self, node: Node) -> Node:
        """Say of a call that orders the keys of a dict that they are what it orders."""
        self.generic_visit(node)
        return over_keys(node, self.names) if self.names.means(node.func, *ORDERING) else node


def _owner(items: Node, names: Names) -> str | None:
    """Return the name of the function's own whose keys may be gone through."""
    match items:
        case gast.Name(id=owner):
            pass
        case gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr="keys"), args=[]):
            pass
        case gast.Call(func=func, args=[gast.Name(id=owner)]):
            if not names.means(func, list, tuple, sorted):
                return None
        case _:
            return None
    return str(owner) if names.is_local(owner) else None


def _is_own(node: Node, names: Names) -> bool:
    return isinstance(node, gast.Name) and names.is_local(node.id)


def _entry(reader: Node, is_there: bool) -> Node:
    """Return the function that tells what a dict has under a key, or None where it has nothing."""
    owner = reader.value.id
    key = free("key", {owner})
    held = name(key, reader)
    there = index(name(owner, reader), held, reader)
    there.s2sad_is_there = is_there
    if not is_there and reader.attr == "get":
        there = method(name(owner, reader), "get", [held, constant(None, reader)], reader)
    made = gast.parse(f"lambda {key}: 0", mode="eval").body
    return placed(with_(made, body=there), reader)


def _is_dict(owner: str, names: Names) -> bool:
    """Tell whether a name is given nothing but dicts that are made here."""
    parts = list(nodes_of(names.source.tree))
    stored = [n for n in parts if isinstance(n, gast.Name) and n.id == owner]
    stored = [n for n in stored if not isinstance(n.ctx, gast.Load)]
    made = [each for each in parts if makes_dict(each, names)]
    made = [each for each in made if each.targets[0].id == owner]
    return bool(made) and len(made) == len(stored)


def reads_own(key: Node, owner: str) -> list[Node]:
    """Return where a key reads what stands in the dict under an item of it: it is there."""
    if not isinstance(key, gast.Lambda) or len(key.args.args) != 1:
        return []
    item = key.args.args[0].id
    return [
        part
        for part in nodes_of(key.body)
        if isinstance(part, gast.Subscript)
        and getattr(part.value, "id", None) == owner
        and getattr(part.slice, "id", None) == item
    ]
