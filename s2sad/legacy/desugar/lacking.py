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

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, assign, branch, negated, with_
from s2sad.source.functions import is_function
from s2sad.source.names import root_of


def instead(stmt: Node, names: Names) -> Body | None:
    """Return an assignment that chooses between functions, or words for them, as a branch."""
    match stmt:
        case gast.Assign(
            targets=[gast.Name() | gast.Attribute() as target],
            value=gast.IfExp(test=test, body=body, orelse=orelse),
        ):
            words = isinstance(body, gast.Constant) and isinstance(orelse, gast.Constant)
            if not words and (_is_option(body, names) or _is_option(orelse, names)):
                return _branch(target, test, body, orelse, stmt)
        case gast.Assign(
            targets=[gast.Name() | gast.Attribute() as target],
            value=gast.BoolOp(op=gast.Or(), values=[gast.Name() as given, other]),
        ) if _is_option(other, names):
            return _branch(target, negated(given, stmt), other, given, stmt)
    return None


def _branch(target: Node, test: Node, body: Node, orelse: Node, at: Node) -> Body:
    then, other = (_given(target, way, at) for way in (body, orelse))
    if then:
        return [branch(test, then, other, at)]
    return [branch(negated(test, at), other, [], at)] if other else []


def _given(target: Node, value: Node, at: Node) -> Body:
    """Return the assignment of a value; none where the target has it."""
    same = gast.dump(value) == gast.dump(with_(target, ctx=gast.Load()))
    return [] if same else [assign(copy.deepcopy(target), value, at)]


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
            return names.means(func, functools.partial) or isinstance(
                names.value(first), ModuleType
            )
        case gast.Name() | gast.Attribute():
            local = names.is_local(getattr(root_of(node), "id", ""))
            held = None if local else names.value(node)
            return is_function(held) or isinstance(held, ModuleType)
    return False
