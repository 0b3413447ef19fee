"""What is gone through later than it is named sees what has changed meanwhile, as Python has it.

g = (k * x for x in u)              sum(g) has the new k: refused, as what is written out here
k = 3.0                             is computed where it is named
y = sum(g)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.errors import Unsupported
from s2sad.parse import Source, changed_names, is_bound, reads_of, span
from s2sad.trees import nodes_of

VIEWS = ("keys", "values", "items")
Position = tuple[int, int]


def refuse_late(source: Source) -> None:
    """Raise where a generator expression or a view of a dict is used after what it reads changes."""
    for node in nodes_of(source.tree):
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if _is_lazy(value):
                _refuse_change(name, value, source)


def _is_lazy(value: Any) -> bool:
    match value:
        case gast.GeneratorExp():
            return True
        case gast.Call(func=gast.Attribute(value=gast.Name(), attr=attr), args=[], keywords=[]):
            return attr in VIEWS
    return False


def _refuse_change(name: str, value: Any, source: Source) -> None:
    read, made = frozenset(reads_of(value)), _position(value)
    used = [at for each, at in _loads(source.tree) if each == name and at > made]
    changes = [node for node in _changes(source.tree, read) if made < _position(node)]
    early = [node for node in changes if used and _position(node) < max(used)]
    if early:
        raise Unsupported(
            f"{name} is gone through after this line, and sees what it changes",
            span(source, early[0]),
            f"Make a list of it where it is named: {name} = [...], or list(...).",
        )


def _position(node: Any) -> Position:
    return node.lineno, node.col_offset


def _loads(tree: Any) -> Iterator[tuple[str, Position]]:
    for node in nodes_of(tree):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            yield node.id, _position(node)


def _changes(tree: Any, names: frozenset[str]) -> Iterator[Any]:
    """Yield the statements that give one of the names another value, or write to what it holds."""
    for node in nodes_of(tree):
        if isinstance(node, gast.stmt) and not hasattr(node, "body"):
            bound = {part.id for part in nodes_of(node) if is_bound(part)}
            if names & (bound | changed_names([node])):
                yield node
        elif isinstance(node, gast.For):
            if names & {part.id for part in nodes_of(node.target) if is_bound(part)}:
                yield node
