"""Calls of the marks of values (operators/marks.py) in a Program.

s2sad.on_adjoint(x, clipped)      without_marks: x
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy.program import Call, Expr, Ref
from s2sad.operators.marks import no_grad, on_adjoint, stop_gradient
from s2sad.source.text import source_of
from s2sad.source.trees import nodes_of

Function = Callable[..., Any]

# what a call of one of these gives is its first argument; in a region values are given to `no_grad`
MARKS = (stop_gradient, no_grad, on_adjoint)


def is_call_of(expr: Expr, function: Function) -> bool:
    """Tell whether an expression calls one of the marks."""
    return isinstance(expr, Call) and isinstance(expr.func, Ref) and expr.func.value is function


def without_marks(expr: Expr) -> Expr:
    """Return what a call of `stop_gradient` or `on_adjoint` gives, without the call."""
    marked = any(is_call_of(expr, mark) for mark in MARKS)
    return expr.args[0] if marked and isinstance(expr, Call) else expr


def returns_nothing(hook: Expr, span: Span) -> bool:
    """Tell whether a hook only looks at an adjoint; refuse one that is not known."""
    if not (isinstance(hook, Ref) and callable(hook.value)):
        raise Unsupported(
            "the hook of on_adjoint is not known when the derivative is made",
            span,
            "Name a function of the module.",
        )
    if not isinstance(hook.value, FunctionType):
        return hook.value is print
    tree = source_of(hook.value).tree
    if isinstance(tree, gast.Lambda):
        return False
    own = [part for part in nodes_of(tree) if isinstance(part, gast.Return)]
    return not any(part.value is not None for part in own)


def checked_mark(call: Call, span: Span) -> None:
    """Refuse a mark that is not called as it is meant to be."""
    counts = {id(stop_gradient): 1, id(no_grad): 1, id(on_adjoint): 2}
    wanted = counts.get(id(getattr(call.func, "value", None)))
    if wanted and (len(call.args) != wanted or call.keywords):
        assert isinstance(call.func, Ref)
        raise Unsupported(
            f"{call.func.text} takes {wanted} argument{'s' * (wanted > 1)} by position",
            span,
            "Give them in their order, without names.",
        )
