"""Turns copied syntax into the same syntax under other names, inner scopes left alone.

[x * y for x in xs]   with xs -> xs_old, x -> a     gives     [x * y for x in xs_old]
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from s2sad.ir.errors import InternalError
from s2sad.source.trees import nodes_of


@dataclass(frozen=True, slots=True)
class Names:
    """What to put for the names of copied syntax; `hidden` are bound by an inner scope."""

    reads: Mapping[str, ast.expr]
    writes: Mapping[str, ast.expr]
    hidden: frozenset[str] = field(default_factory=frozenset)

    def inside(self, bound: Iterable[str]) -> Names:
        return Names(self.reads, self.writes, self.hidden | frozenset(bound))

    def at(self, name: str, store: bool) -> ast.expr | None:
        put = (self.writes if store else self.reads).get(name)
        if put is None or name in self.hidden:
            return None
        taken = {each.id for each in nodes_of(put) if isinstance(each, ast.Name)}
        if taken & self.hidden:
            raise InternalError(f"copied syntax binds the name that {name!r} is to have")
        return put

    def identifier(self, name: str) -> str:
        read, put = self.at(name, store=False), self.at(name, store=True)
        if read is None and put is None:
            return name
        if put is None and isinstance(read, ast.Name) and read.id == name:
            return name
        if not isinstance(put, ast.Name):
            raise InternalError(f"copied syntax writes {name!r}, which it was not said to write")
        return put.id


def rename(node: Any, names: Names) -> Any:
    """Replace the names of a tree of `ast`, in place, and return it."""
    match node:
        case list():
            return [rename(each, names) for each in node]
        case ast.Name():
            return _renamed_name(node, names)
        case ast.alias():
            return _renamed_import(node, names)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return _renamed_comprehension(node, names)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            return _renamed_function(node, names)
        case ast.Global() | ast.Nonlocal():
            node.names = [names.identifier(each) for each in node.names]
            return node
        case ast.AST():
            return _renamed_fields(node, names)
    return node


def _renamed_fields(node: ast.AST, names: Names, skip: tuple[str, ...] = ()) -> ast.AST:
    for key, value in ast.iter_fields(node):
        if key == "name" and isinstance(value, str):
            # def f, class C, except E as e, case x
            setattr(node, key, names.identifier(value))
        elif key not in skip:
            setattr(node, key, rename(value, names))
    return node


def _renamed_name(node: ast.Name, names: Names) -> ast.expr:
    if not isinstance(node.ctx, ast.Load):
        return ast.Name(names.identifier(node.id), node.ctx)
    put = names.at(node.id, store=False)
    return node if put is None else copy.deepcopy(put)


def _renamed_import(node: ast.alias, names: Names) -> ast.alias:
    bound = node.asname or node.name.split(".")[0]
    wanted = names.identifier(bound)
    if wanted != bound and node.asname is None and "." in node.name:
        raise InternalError(f"copied syntax imports {node.name}, which cannot be renamed")
    node.asname = wanted if wanted != bound else node.asname
    return node


def _renamed_comprehension(node: Any, names: Names) -> Any:
    first = rename(node.generators[0].iter, names)
    node.generators[0].iter = ast.Constant(None)
    renamed = _renamed_fields(node, names.inside(_stored(g.target for g in node.generators)))
    node.generators[0].iter = first
    return renamed


def _renamed_function(node: Any, names: Names) -> Any:
    arguments = node.args
    parameters = [each.arg for each in nodes_of(arguments) if isinstance(each, ast.arg)]
    body = node.body if isinstance(node.body, list) else [node.body]
    outer = {n for each in body for n in _declared_outer(each)}
    inner = names.inside({*parameters, *_stored(body)} - outer)
    node.body = rename(node.body, inner)
    return _renamed_fields(node, names, skip=("body",))


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    found = set()
    for each in (part for node in nodes for part in nodes_of(node)):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            found.add(each.name)
        elif isinstance(each, ast.alias):
            found.add(each.asname or each.name.split(".")[0])
    return found


def _declared_outer(node: ast.AST) -> set[str]:
    scopes = (each for each in nodes_of(node) if isinstance(each, (ast.Global, ast.Nonlocal)))
    return {name for scope in scopes for name in scope.names}
