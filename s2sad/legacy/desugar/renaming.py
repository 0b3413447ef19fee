"""Names of syntax are replaced, those that inner scopes bind left alone.

[x * y for x in x]   with x -> a       [x * y for x in a]
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import gast

from s2sad.legacy.desugar.syntax import Node, bound_names
from s2sad.source.names import locals_of

Change = Mapping[str, "str | Node"]


def renamed(node: Any, new: Change) -> Any:
    """Return a copy of syntax with names replaced, by other names or by expressions."""
    return _renamed(copy.deepcopy(node), dict(new))


def _renamed(node: Any, new: dict[str, Any]) -> Any:
    if not new:
        return node
    match node:
        case list():
            return [_renamed(each, new) for each in node]
        case gast.Name() if node.id in new:
            return _put(node, new[node.id])
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.Lambda():
            return _function(node, new)
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            return _comprehension(node, new)
        case gast.MatchAs() | gast.MatchStar() | gast.ExceptHandler() if node.name in new:
            node.name = new[node.name]
        case gast.Global() | gast.Nonlocal():
            node.names = [new.get(name, name) for name in node.names]
    if isinstance(node, gast.AST):
        for key in node._fields:
            value = getattr(node, key, None)
            if isinstance(value, gast.AST | list):
                setattr(node, key, _renamed(value, new))
    return node


def _put(node: Node, made: str | Node) -> Node:
    if isinstance(made, str):
        node.id = made
        return node
    return gast.copy_location(copy.deepcopy(made), node)


def _function(node: Node, new: dict[str, Any]) -> Node:
    inner = {name: made for name, made in new.items() if name not in locals_of(node)}
    for key in ("decorator_list", "returns"):
        if getattr(node, key, None):
            setattr(node, key, _renamed(getattr(node, key), new))
    node.args.defaults = _renamed(node.args.defaults, new)
    node.args.kw_defaults = _renamed(node.args.kw_defaults, new)
    node.body = _renamed(node.body, inner)
    if isinstance(node, gast.FunctionDef) and isinstance(new.get(node.name), str):
        node.name = new[node.name]
    return node


def _comprehension(node: Node, new: dict[str, Any]) -> Node:
    bound = bound_names([each.target for each in node.generators])
    inner = {name: made for name, made in new.items() if name not in bound}
    first, *others = node.generators
    first.iter = _renamed(first.iter, new)
    for each in others:
        each.iter = _renamed(each.iter, inner)
    for each in node.generators:
        each.target, each.ifs = _renamed(each.target, inner), _renamed(each.ifs, inner)
    for key in ("elt", "key", "value"):
        if hasattr(node, key):
            setattr(node, key, _renamed(getattr(node, key), inner))
    return node
