"""What the passes of a loop that is written out consist of: targets, and keys put in for names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.source.names import reads_of
from s2sad.source.trees import nodes_of


def functions_in(body: list[Any]) -> Iterator[Any]:
    nodes = (part for stmt in body for part in nodes_of(stmt))
    return (part for part in nodes if isinstance(part, gast.Lambda | gast.FunctionDef))


def changing(body: list[Any]) -> set[str]:
    """Return the names that a body gives values, and those that functions made in it read later."""
    parts = (part for stmt in body for part in nodes_of(stmt) if isinstance(part, gast.Name))
    stored = {part.id for part in parts if not isinstance(part.ctx, gast.Load)}
    return stored | {name for made in functions_in(body) for name in reads_of(made)}


def assigned(target: Any, value: Any) -> Any:
    return gast.copy_location(gast.Assign([target], value, None), target)


class Spelled(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, name: str, key: Any):
        self.name, self.key = name, key

    def visit_Name(self, node: Any) -> Any:
        if node.id != self.name:
            return node
        return gast.copy_location(gast.Constant(self.key, None), node)
