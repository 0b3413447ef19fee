"""What a function is that makes another one and returns it.

def scaled_by(a):               f = scaled_by(x)        f is known while the function is lowered
    def scaled(b):              y = f(z)                y = x * z
        return a * b
    return scaled

A function that is called at once gets a name first: `scaled_by(x)(z)`.
"""

from __future__ import annotations

from types import FunctionType

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, assign, name, own_nodes
from s2sad.source.text import source_of
from s2sad.source.trees import nodes_of


def written(node: Node, names: Names) -> tuple[Body, Node] | None:
    """Return the function that a call makes under a name of its own, where that is called at once."""
    match node:
        case gast.Call(func=gast.Call(func=maker)) if _may_make_one(maker, names):
            held = names.temp("called")
            called = gast.Call(func=name(held, node), args=node.args, keywords=node.keywords)
            return [assign(held, node.func, node.func)], gast.copy_location(called, node)
    return None


def _may_make_one(maker: Node, names: Names) -> bool:
    if isinstance(maker, gast.Name) and names.is_local(maker.id):
        tree = names.source.tree
        return any(
            isinstance(part, gast.FunctionDef) and part.name == maker.id and gives_function(part)
            for part in nodes_of(tree)
        )
    return is_factory(names.value(maker))


def is_factory(function: object) -> bool:
    """Tell whether a Python function returns a function that it makes."""
    if not isinstance(function, FunctionType) or not function.__code__.co_consts:
        return False
    try:
        return gives_function(source_of(function).tree)
    except S2sadError:
        return False


def gives_function(tree: Node) -> bool:
    """Tell whether all that a function returns is one that it makes: a lambda, or by its name."""
    body = tree.body if isinstance(tree.body, list) else []
    made = {each.name for each in body if isinstance(each, gast.FunctionDef)}
    if not body or not isinstance(body[-1], gast.Return):
        return False
    given = body[-1].value
    if not (isinstance(given, gast.Lambda) or (isinstance(given, gast.Name) and given.id in made)):
        return False
    returns = (part for stmt in body for part in own_nodes(stmt) if isinstance(part, gast.Return))
    return sum(1 for _ in returns) == 1
