"""Where in the user's text the parameters of a function stand, and what it returns.

parameter_place(misfit, "m")      def misfit(W, m, d):
                                              ^
result_place(misfit)              return 0.5 * np.sum(s * s)
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.ir.errors import S2sadError, Span
from s2sad.source.read import Source, read
from s2sad.source.trees import below

_INNER = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def parameter_place(function: Any, name: str) -> Span | None:
    """Return the place of a parameter in a signature, None where there is no text to show."""
    source = _shown(function)
    if source is None:
        return None
    args = source.tree.args
    every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    return next((source.span(arg) for arg in every if arg.id == name), None)


def signature_place(function: Any) -> Span | None:
    """Return the first line of a function, None where there is no text to show."""
    source = _shown(function)
    return None if source is None else source.span(source.tree)


def result_place(function: Any) -> Span | None:
    """Return the place of the last `return` of a function, or else its first line."""
    source = _shown(function)
    if source is None:
        return None
    if isinstance(source.tree, gast.Lambda):
        return source.span(source.tree.body)
    own, found = list(source.tree.body), source.tree
    while own:
        node = own.pop(0)
        found = node if isinstance(node, gast.Return) else found
        own[:0] = [] if isinstance(node, _INNER) else below(node)
    return source.span(found)


def _shown(function: Any) -> Source | None:
    """Return the source of a function of the user's; the text of a derivative is not theirs."""
    try:
        source = read(function)
    except S2sadError:
        return None
    return None if source.is_emitted else source
