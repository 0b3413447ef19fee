"""Where in the user's text the parameters of a function stand, and what it returns.

parameter_place(misfit, "m")      def misfit(W, m, d):
                                              ^
result_place(misfit)              return 0.5 * np.sum(s * s)
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import S2sadError, Span
from s2sad.source.text import Source, source_of, span
from s2sad.source.trees import below, nodes_of

_INNER = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def parameter_place(function: Any, name: str) -> Span | None:
    """Return the place of a parameter in a signature, None where there is no text to show."""
    source = _shown(function)
    if source is None:
        return None
    args = source.tree.args
    every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    return next((span(source, arg) for arg in every if arg.id == name), None)


def signature_place(function: Any) -> Span | None:
    """Return the first line of a function, None where there is no text to show."""
    source = _shown(function)
    return None if source is None else span(source, source.tree)


def result_place(function: Any) -> Span | None:
    """Return the place of the last `return` of a function, or else its first line."""
    source = _shown(function)
    if source is None:
        return None
    own, found = list(source.tree.body), source.tree
    while own:
        node = own.pop(0)
        found = node if isinstance(node, gast.Return) else found
        own[:0] = [] if isinstance(node, _INNER) else below(node)
    return span(source, found)


def takes_objects(function: Any, depth: int = 3) -> bool:
    """Tell whether a parameter is used as an object with fields or a function, here or in calls."""
    source = _shown(function)
    if source is None:
        return False
    params = _names_of(source.tree.args)
    for part in nodes_of(source.tree) if params else ():
        if isinstance(part, gast.FunctionDef | gast.Lambda):
            params |= _names_of(part.args)
    if any(_is_used_so(part, params) for part in nodes_of(source.tree)):
        return True
    called = (
        {part.func.id for part in nodes_of(source.tree) if _calls_a_name(part)} if depth else set()
    )
    found = (function.__globals__.get(name) for name in called - params)
    return any(isinstance(each, FunctionType) and takes_objects(each, depth - 1) for each in found)


def _names_of(args: Any) -> set[str]:
    return {arg.id for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}


def _calls_a_name(part: Any) -> bool:
    return isinstance(part, gast.Call) and isinstance(part.func, gast.Name)


def _is_used_so(part: Any, params: set[str]) -> bool:
    match part:
        case gast.Attribute(value=gast.Name(id=owner), attr=name):
            return owner in params and not hasattr(np.ndarray, name)
        case gast.Call(func=gast.Name(id=called), args=args):
            return called in params or (called == "dict" and _any_of(args, params))
        case gast.Call(func=gast.Attribute(attr="update"), args=args):
            return _any_of(args, params)
        case gast.Subscript(value=gast.Name(id=owner), slice=gast.Constant(value=str())):
            return owner in params
        case gast.Dict(keys=keys, values=values):
            return _any_of((v for k, v in zip(keys, values, strict=True) if k is None), params)
        case gast.BinOp(left=left, op=gast.BitOr(), right=right):
            of_dicts = isinstance(left, gast.Dict) or isinstance(right, gast.Dict)
            return of_dicts and _any_of((left, right), params)
    return False


def _any_of(parts: Iterable[Any], params: set[str]) -> bool:
    return any(isinstance(part, gast.Name) and part.id in params for part in parts)


def _shown(function: Any) -> Source | None:
    """Return the source of a function of the user's; the text of a derivative is not theirs."""
    try:
        source = source_of(function)
    except S2sadError:
        return None
    return None if source.is_emitted else source
