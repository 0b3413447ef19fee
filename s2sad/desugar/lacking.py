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
import numpy as np

from s2sad.desugar.names import Names
from s2sad.desugar.syntax import (
    Body,
    Node,
    assign,
    branch,
    call,
    display,
    is_none,
    name,
    negated,
    placed,
    with_,
)
from s2sad.parse import is_function


def instead(stmt: Node, names: Names) -> Body | None:
    """Return an assignment that chooses between functions, or words for them, as a branch.

    A branch that imports what is there is left out.
    """
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
        case gast.If(test=test, body=body, orelse=[]) if _is_there(test, body, names):
            return []
        case gast.Try(
            body=[gast.Assign(targets=[gast.Attribute(value=gast.Name()) as field]) as store],
            handlers=[gast.ExceptHandler(type=gast.Name(id="AttributeError"), body=rest)],
            orelse=[],
            finalbody=[],
        ) if isinstance(store.value, gast.Constant):
            numpy = _numpy(names)
            if numpy:
                return [branch(_has_no_fields(field.value, numpy, stmt), rest, [store], stmt)]
        case gast.Global(names=held) if all(_is_import(names.value(_name(n))) for n in held):
            return []  # what else changes them is refused
    return None


def _attribute(owner: str, field: str, at: Node) -> Node:
    return placed(gast.Attribute(value=name(owner, at), attr=field, ctx=gast.Load()), at)


def _numpy(names: Names) -> str:
    """Return what NumPy is called in a function's module, '' where it is not known there."""
    held = names.source.function.__globals__.items()
    return next((text for text, value in held if value is np and not names.is_local(text)), "")


def _has_no_fields(node: Node, numpy: str, at: Node) -> Node:
    """Return the test whether a value is a number or an array, which take no fields.

    try: power.name = "power"           if isinstance(power, (np.ndarray, np.number, float, int)):
    except AttributeError: pass   ->        pass
                                        else:
                                            power.name = "power"     refused where it has no place
    """
    own = [_attribute(numpy, kind, at) for kind in ("ndarray", "number")]
    kinds = [*own, name("float", at), name("int", at)]
    return call("isinstance", [node, display(gast.Tuple, kinds, at)], at)


def _name(text: str) -> Node:
    return gast.Name(text, gast.Load(), None, None)


def _is_import(value: Any) -> bool:
    return is_function(value) or isinstance(value, ModuleType | type)


def _is_there(test: Node, body: Body, names: Names) -> bool:
    """Tell whether statements would only import what the module holds by now.

    if quad is None:
        from scipy.integrate import quad        where quad is global, and was imported by a call
    """
    match test:
        case gast.Compare(left=gast.Name() as asked_for, ops=[gast.Is()], comparators=[none]):
            asked = is_none(none)
        case gast.UnaryOp(op=gast.Not(), operand=gast.Name() as asked_for):
            asked = True
        case _:
            return False
    held = None if names.is_local(asked_for.id) else names.value(asked_for)
    return asked and _is_import(held) and all(_imports(stmt, asked_for.id) for stmt in body)


def _imports(stmt: Node, name: str) -> bool:
    aliases = stmt.names if isinstance(stmt, gast.Import | gast.ImportFrom) else []
    return len(aliases) == 1 and (aliases[0].asname or aliases[0].name) == name


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
