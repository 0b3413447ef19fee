"""Private names are those of their class: `self.__rate` in a class Tank is `self._Tank__rate`.

So those of a class do not meet those of another one that is derived from it.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

import gast

# the fields of nodes in which names stand
_NAMES = ("id", "attr", "arg", "name", "asname")


def with_private_names(tree: Any, code: CodeType) -> Any:
    """Give the private names in the tree of a function the class that it is written in, in place."""
    _name_privately(tree, _class_around(code.co_qualname))
    return tree


def _class_around(qualname: str) -> str:
    """Return the innermost class that a function is written in, "" if it is in none: f.<locals>.Tank.step."""
    for part in reversed(qualname.split(".<locals>.")):
        *owners, _ = part.split(".")
        if owners:
            return owners[-1]
    return ""


def _name_privately(node: Any, owner: str) -> None:
    for word in _NAMES:
        found = getattr(node, word, None)
        if isinstance(found, str):
            setattr(node, word, _private(found, owner))
    if isinstance(node, gast.Global | gast.Nonlocal):
        node.names = [_private(each, owner) for each in node.names]
    if isinstance(node, gast.ClassDef):
        for outer in (*node.bases, *node.keywords, *node.decorator_list):
            _name_privately(outer, owner)
        for inner in node.body:
            _name_privately(inner, node.name)
        return
    for child in gast.iter_child_nodes(node):
        _name_privately(child, owner)


def _private(name: str, owner: str) -> str:
    """Return what Python makes of a name that is written in a class."""
    is_private = name.startswith("__") and not name.endswith("__") and "." not in name
    return f"_{owner.lstrip('_')}{name}" if is_private and owner.strip("_") else name
