"""A function or a word that stands in for one that was not given is chosen by a branch.

kernel = kernel or np.exp                        if not kernel:
                                       ->            kernel = np.exp
f = np.sin if f is None else f                   if f is None:
                                       ->            f = np.sin

Which branch is taken is known when the derivative is called, and with it what the name is.
"""

from __future__ import annotations

import copy
import functools
from types import ModuleType
from typing import Any

import gast

from s2sad.desugar.names import Names
from s2sad.desugar.syntax import Body, Node, assign, branch, negated, with_
from s2sad.parse import is_function


def instead(stmt: Node, names: Names) -> Body | None:
    """Return an assignment that chooses between functions, or words for them, as a branch."""
    match stmt:
        case gast.Assign(
            targets=[gast.Name() | gast.Attribute() as target],
            value=gast.IfExp(test=test, body=body, orelse=orelse),
        ):
            if _is_option(body, names) or _is_option(orelse, names):
                return _branch(target, test, body, orelse, stmt)
        case gast.Assign(
            targets=[gast.Name() | gast.Attribute() as target],
            value=gast.BoolOp(op=gast.Or(), values=[gast.Name() as given, other]),
        ) if _is_option(other, names):
            return _branch(target, negated(given, stmt), other, given, stmt)
    return None


def _branch(target: Node, test: Node, body: Node, orelse: Node, at: Node) -> Body:
    ways = [
        []
        if gast.dump(way) == gast.dump(_read(target))
        else [assign(copy.deepcopy(target), way, at)]
        for way in (body, orelse)
    ]
    if not ways[0]:
        return [branch(negated(test, at), ways[1], [], at)] if ways[1] else []
    return [branch(test, ways[0], ways[1], at)]


def _read(target: Node) -> Node:
    """Return what reads a target."""
    return with_(target, ctx=gast.Load())


def _is_option(node: Any, names: Names) -> bool:
    """Tell whether an expression is a function, or a word that may stand for one."""
    match node:
        case gast.Constant(value=value):
            return isinstance(value, str)
        case gast.Lambda():
            return True
        case gast.Call(func=func, args=[first, *_]) if names.means(
            func, functools.partial, getattr
        ):
            return names.means(func, functools.partial) or _is_module(names.value(first))
        case gast.Name() | gast.Attribute():
            held = None if names.is_local(_root(node)) else names.value(node)
            return is_function(held) or _is_module(held)
    return False


def _is_module(value: Any) -> bool:
    return isinstance(value, ModuleType)


def _root(node: Any) -> str:
    while isinstance(node, gast.Attribute):
        node = node.value
    return getattr(node, "id", "")
