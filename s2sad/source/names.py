"""Turns gast trees into the names that they bind and read, scope by scope.

for i in range(n):          reads_of:    range, n, a, i, u, x
    u[i] = a                locals_of:   i, x
    x += u[i]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.source.trees import fields_with_nodes

_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def locals_of(tree: Any) -> frozenset[str]:
    """Return the names that a function (or lambda) binds in its own scope."""
    bound = {*_parameters(tree.args), *_bound(_body(tree))}
    return frozenset(bound - _declared_outer(_body(tree)))


def bound_in(tree: Any) -> Iterator[str]:
    """Yield the names that a function binds in its own scope, each as often as it does."""
    yield from (*_parameters(tree.args), *_bound(_body(tree)), *_declared_outer(_body(tree)))


def reads_of(node: Any) -> tuple[str, ...]:
    """Return the free names read in a node (or list of nodes), each once, in source order."""
    return tuple(dict.fromkeys(root_of(each).id for each in _free(node, frozenset())))


def is_bound(node: Any) -> bool:
    """Tell whether a node is a name that is given a value, or deleted."""
    return isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)


def root_of(node: Any) -> Any:
    """Return the name that a dotted name begins with."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return node


# ---------------------------------------------------------------------------- walking


def _own_nodes(node: Any) -> Iterator[Any]:
    """Yield the nodes of a tree in source order, bodies of inner functions left out."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += each[::-1]
        elif isinstance(each, gast.AST):
            yield each
            for field in _BACKWARDS[each.__class__]:
                part = getattr(each, field, None)
                if part is not None:
                    waiting.append(part)


def _order(kind: Any) -> tuple[str, ...]:
    """Return a node's fields in order of evaluation, those of another scope left out."""
    fields = _ORDERS.get(kind)
    return tuple(kind._fields) if fields is None else fields


_FUNCTION = ("decorator_list", "args", "returns")
_ASSIGNMENT = ("value", "targets", "target", "annotation")
_FOR = ("iter", "target", "body", "orelse")
_COMPREHENSION = ("generators", "elt", "key", "value")
_ORDERS: dict[Any, tuple[str, ...]] = (
    {gast.FunctionDef: _FUNCTION, gast.AsyncFunctionDef: _FUNCTION, gast.Lambda: ("args",)}
    | {gast.ClassDef: ("decorator_list", "bases", "keywords")}
    | {gast.arguments: ("defaults", "kw_defaults")}
    | dict.fromkeys((gast.Assign, gast.AnnAssign, gast.AugAssign, gast.NamedExpr), _ASSIGNMENT)
    | dict.fromkeys((gast.For, gast.AsyncFor), _FOR)
    | dict.fromkeys(_COMPREHENSIONS, _COMPREHENSION)
    | {gast.comprehension: ("iter", "target", "ifs")}
)


class _Backwards(dict[type, tuple[str, ...]]):
    """The fields of each class of nodes that can hold others, the one evaluated last first."""

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        holding = fields_with_nodes(kind)
        self[kind] = tuple(field for field in _order(kind)[::-1] if field in holding)
        return self[kind]


_BACKWARDS = _Backwards()


def _body(tree: Any) -> list[Any]:
    return tree.body if isinstance(tree.body, list) else [tree.body]


def _parameters(arguments: Any) -> Iterator[str]:
    groups = (arguments.posonlyargs, arguments.args, arguments.kwonlyargs)
    yield from (each.id for group in groups for each in group)
    yield from (each.id for each in (arguments.vararg, arguments.kwarg) if each is not None)


# ---------------------------------------------------------------------------- binding


def _bound(nodes: list[Any]) -> Iterator[str]:
    """Yield the names that nodes bind in the scope they stand in."""
    for each in (each for node in nodes for each in _seen_nodes(node)):
        yield from _binds(each)


def _seen_nodes(node: Any) -> Iterator[Any]:
    """Yield the nodes in a scope, without the targets of comprehensions."""
    hidden: set[int] = set()
    for each in _own_nodes(node):
        if isinstance(each, gast.comprehension):
            hidden.update(id(part) for part in _own_nodes(each.target))
        if id(each) not in hidden:
            yield each


def _binds(node: Any) -> Iterator[str]:
    """Yield the names that one node itself binds."""
    match node:
        case gast.Name() if is_bound(node):
            yield node.id
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
            yield node.name
        case gast.alias():
            yield node.asname or node.name.split(".")[0]
        case gast.MatchAs() | gast.MatchStar() if node.name:
            yield node.name
        case gast.MatchMapping() if node.rest:
            yield node.rest


def _declared_outer(nodes: list[Any]) -> set[str]:
    own = (each for node in nodes for each in _own_nodes(node))
    return {
        name
        for each in own
        if isinstance(each, (gast.Global, gast.Nonlocal))
        for name in each.names
    }


# ---------------------------------------------------------------------------- reading


def _free(node: Any, bound: frozenset[str]) -> Iterator[Any]:
    """Yield the (dotted) names read in a node that no inner scope binds."""
    match node:
        case list():
            for each in node:
                yield from _free(each, bound)
        case gast.Name():
            if isinstance(node.ctx, gast.Load) and node.id not in bound:
                yield node
        case gast.Attribute() if isinstance(root_of(node), gast.Name):
            yield from _free_attribute(node, bound)
        case gast.AugAssign():
            yield from _free(node.value, bound)
            yield from _free_target(node.target, bound)
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.Lambda():
            yield from _free_fields(node, bound)
            yield from _free(_body(node), bound | locals_of(node))
        case gast.ClassDef():
            yield from _free_fields(node, bound)
            yield from _free(node.body, bound)
        case gast.ListComp() | gast.SetComp() | gast.GeneratorExp() | gast.DictComp():
            yield from _free_comprehension(node, bound)
        case gast.AST():
            yield from _free_fields(node, bound)


def _free_attribute(node: Any, bound: frozenset[str]) -> Iterator[Any]:
    if isinstance(node.ctx, gast.Load):
        yield from (node,) if root_of(node).id not in bound else ()
    else:
        # the object is read, its attribute written
        yield from _free(node.value, bound)


def _free_fields(node: Any, bound: frozenset[str]) -> Iterator[Any]:
    for field in _order(type(node)):
        yield from _free(getattr(node, field, None), bound)


def _free_target(target: Any, bound: frozenset[str]) -> Iterator[Any]:
    # `x += e` reads x, though its tree says that x is stored
    if isinstance(target, gast.Name) and target.id not in bound:
        yield target
    yield from _free(target, bound)


def _free_comprehension(node: Any, bound: frozenset[str]) -> Iterator[Any]:
    targets = [each.target for each in node.generators]
    inner = bound | {
        name for target in targets for each in _own_nodes(target) for name in _binds(each)
    }
    yield from _free(node.generators[0].iter, bound)
    for position, each in enumerate(node.generators):
        yield from _free([each.iter] if position else [], inner)
        yield from _free([each.target, *each.ifs], inner)
    yield from _free([getattr(node, key, None) for key in ("elt", "key", "value")], inner)
