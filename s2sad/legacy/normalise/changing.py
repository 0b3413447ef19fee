"""Which statements of a function give names other values, and which write to what they hold.

k = 3.0             bound: k
d["a"] = k          written: d
fill(d)             written: d, where fill writes to what it is given
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import gast

from s2sad.legacy.written import params_stored_into, shown_writes
from s2sad.source.names import changed_names, is_bound, reads_of
from s2sad.source.text import Source
from s2sad.source.trees import nodes_of

Names = frozenset[str]


@dataclass(frozen=True)
class Change:
    """A statement or call, the names that it gives values, and those whose objects it writes to."""

    node: Any
    bound: Names
    written: Names


@dataclass(frozen=True)
class Changes:
    """What a function changes, the functions that it makes, and which names are called alike."""

    all: tuple[Change, ...]
    functions: dict[str, Any]
    alike: tuple[Names, ...]

    def between(self, start: tuple[int, int], end: tuple[int, int]) -> Iterator[Change]:
        """Yield the changes at places between two."""
        for each in self.all:
            if start < (each.node.lineno, each.node.col_offset) < end:
                yield each

    def read_by(self, names: Iterable[str]) -> Names:
        """Return what those of some names read that are functions made here, and theirs."""
        found: set[str] = set()
        waiting = [name for name in names if name in self.functions]
        while waiting:
            read = {*reads_of(self.functions[waiting.pop()])} - found
            found |= read
            waiting += [name for name in read if name in self.functions]
        return frozenset(found)

    def also_called(self, names: Iterable[str]) -> Names:
        """Return names, what functions under them read, and other names of what they hold."""
        found = {*names} | self.read_by(names)
        while more := {n for group in self.alike if group & found for n in group} - found:
            found |= more
        return frozenset(found)


def changes_of(source: Source) -> Changes:
    """Return what a function changes, and where."""
    nodes = list(nodes_of(source.tree))
    functions = {each.name: each for each in nodes if isinstance(each, gast.FunctionDef)}
    functions |= dict(_lambdas(nodes))
    functions.pop(source.tree.name if hasattr(source.tree, "name") else "", None)
    found = [*_by_statements(nodes), *_by_calls(nodes, functions, source)]
    return Changes(tuple(found), functions, tuple(_alike(nodes)))


def _lambdas(nodes: list[Any]) -> Iterator[tuple[str, Any]]:
    for node in nodes:
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as value):
                yield name, value


def _by_statements(nodes: list[Any]) -> Iterator[Change]:
    for node in nodes:
        if isinstance(node, gast.stmt) and not hasattr(node, "body"):
            bound = {part.id for part in nodes_of(node) if is_bound(part)}
            yield Change(node, frozenset(bound), changed_names([node]))
        elif isinstance(node, gast.For):
            bound = {part.id for part in nodes_of(node.target) if is_bound(part)}
            yield Change(node, frozenset(bound), frozenset())
        elif isinstance(node, gast.NamedExpr):
            yield Change(node, frozenset({node.target.id}), frozenset())


def _by_calls(nodes: list[Any], functions: dict[str, Any], source: Source) -> Iterator[Change]:
    """Yield what calls change of what they are given, or of what is around an inner function."""
    for node in nodes:
        if not isinstance(node, gast.Call):
            continue
        given = [*node.args, *(each.value for each in node.keywords)]
        names = frozenset(name for each in given for name in reads_of(each))
        if isinstance(node.func, gast.Attribute):
            names, bound = frozenset(reads_of(node.func.value)), frozenset[str]()
            if _is_plain(node.func.attr):
                continue
        elif isinstance(node.func, gast.Name) and node.func.id in functions:
            inner = functions[node.func.id]
            bound, changed = _changed_around(inner)
            names = changed | (names if params_stored_into(inner) else frozenset())
        else:
            called = source.resolve(node.func.id) if isinstance(node.func, gast.Name) else None
            bound = frozenset()
            if not (isinstance(called, FunctionType) and shown_writes(called)):
                continue
        yield Change(node, bound, names)


def _is_plain(name: str) -> bool:
    """Tell whether a method is one of arrays and containers, which are known by what they change."""
    import numpy as np

    kinds = (np.ndarray, np, list, dict, set, str, tuple, float, np.random.Generator)
    return any(hasattr(kind, name) for kind in kinds)


def _changed_around(function: Any) -> tuple[Names, Names]:
    """Return the names around an inner function that it gives values, and those that it writes to."""
    nodes = list(nodes_of(function))
    outer = {name for each in nodes if isinstance(each, gast.Nonlocal) for name in each.names}
    body = function.body if isinstance(function.body, list) else [function.body]
    own = {part.id for part in nodes if is_bound(part)} - outer
    bound = {part.id for part in nodes if is_bound(part)} & outer
    return frozenset(bound), changed_names(body) - own


def _alike(nodes: list[Any]) -> Iterator[Names]:
    """Yield names that are given one another, and so may hold one object."""
    for node in nodes:
        match node:
            case gast.Assign(targets=targets, value=gast.Name(id=name)):
                given = (each.id for each in targets if isinstance(each, gast.Name))
                yield frozenset({name, *given})
