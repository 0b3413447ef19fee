"""A decorated inner function is what its decorator gives for it, under the name of the function.

@doubled                      def g(x):
def g(x):            ->           return k * x
    return k * x              g = doubled(g)
"""

from __future__ import annotations

import copy
import functools
from types import FunctionType
from typing import Any

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, assign, call, name, own_nodes

# what functools.wraps tells of a function
TOLD = frozenset("__wrapped__ __name__ __qualname__ __doc__ __module__ __dict__".split())
# what keeps results, or makes managers and dispatchers, is no plain function of a function
BEYOND = ("functools", "contextlib")
YIELDS = (gast.Yield, gast.YieldFrom, gast.Await)


def without_decorators(body: Body, names: Names) -> Body:
    """Return statements in which functions that are differentiated have no decorators."""
    body = _without_wraps(body, names)
    made = [part for part in own_nodes(body) if isinstance(part, gast.FunctionDef)]
    found = {id(each) for each in made if each.decorator_list and _is_followed(each, names)}
    return _each(body, found, names) if found else body


def _without_wraps(body: Body, names: Names) -> Body:
    """Return statements without `functools.wraps`: what a function is called changes no value."""
    made = [part for part in own_nodes(body) if isinstance(part, gast.FunctionDef)]
    if any(isinstance(part, gast.Attribute) and part.attr in TOLD for part in own_nodes(body)):
        return body
    above = [(each, one) for each in made for one in each.decorator_list if _wraps(one, names)]
    if not above:
        return body
    return [_Unwrapped(names).visit(copy.deepcopy(stmt)) for stmt in body]


def _wraps(decorator: Node, names: Names) -> bool:
    return isinstance(decorator, gast.Call) and names.means(decorator.func, functools.wraps)


class _Unwrapped(gast.NodeTransformer):  # type: ignore[misc]
    """Takes `functools.wraps` from definitions."""

    def __init__(self, names: Names):
        self.names = names

    def visit_FunctionDef(self, node: Any) -> Any:
        node = self.generic_visit(node)
        node.decorator_list = [e for e in node.decorator_list if not _wraps(e, self.names)]
        return node


def _is_followed(made: Node, names: Names) -> bool:
    if not names.is_open(made) or any(isinstance(part, YIELDS) for part in own_nodes(made.body)):
        return False
    return all(_gives_function(each, made, names) for each in made.decorator_list)


def _gives_function(decorator: Node, made: Node, names: Names) -> bool:
    """Tell whether a decorator is a function that can be read, or one that such a function gives."""
    called = decorator.func if isinstance(decorator, gast.Call) else decorator
    if isinstance(called, gast.Name) and names.is_local(called.id):
        return bool(called.id != made.name)
    value = names.value(called)
    return isinstance(value, FunctionType) and value.__module__ not in BEYOND


def _each(body: Body, found: set[int], names: Names) -> Body:
    out: Body = []
    for stmt in body:
        if id(stmt) in found:
            out += _applied(stmt)
        elif isinstance(stmt, gast.If | gast.For | gast.While | gast.With | gast.Try):
            made = copy.copy(stmt)
            for key in ("body", "orelse", "finalbody"):
                if getattr(stmt, key, None):
                    setattr(made, key, _each(getattr(stmt, key), found, names))
            out.append(made)
        else:
            out.append(stmt)
    return out


def _applied(made: Node) -> Body:
    """Return the function, and its name for what the decorators give."""
    plain = copy.copy(made)
    plain.decorator_list = []
    value: Any = name(made.name, made)
    for each in reversed(made.decorator_list):
        value = call(each, [value], made)
    return [plain, assign(made.name, value, made)]
