"""Calls of the marks of values: what they give is their first argument.

s2sad.stop_gradient(x)            is_stopped
s2sad.on_adjoint(x, clipped)      is_hooked          without_mark: x
"""

from __future__ import annotations

from typing import Any

from s2sad.ir.expression import Expr, call, global_
from s2sad.ir.types import Code
from s2sad.operators.marks import on_adjoint, stop_gradient

MARKS = (stop_gradient, on_adjoint)


def _calls(expr: Expr, function: Any) -> bool:
    if expr.op != "call" or len(expr.args) < 2 or expr.args[0].op != "global":
        return False
    return expr.args[0].data.value is function


def is_stopped(expr: Expr) -> bool:
    """Tell whether an expression is a value that counts as constant."""
    return _calls(expr, stop_gradient)


def is_hooked(expr: Expr) -> bool:
    """Tell whether an expression is a value whose adjoint goes through a hook."""
    return _calls(expr, on_adjoint)


def is_marked(expr: Expr) -> bool:
    """Tell whether an expression is a value with a mark."""
    return any(_calls(expr, mark) for mark in MARKS)


def stopped(expr: Expr) -> Expr:
    """Return a value that counts as constant."""
    head = global_("s2sad.stop_gradient", stop_gradient).typed(Code(stop_gradient))
    return call(head, expr, type_=expr.type).at(expr.span)


def hooked(expr: Expr, hook: Expr) -> Expr:
    """Return a value whose adjoint goes through a hook."""
    head = global_("s2sad.on_adjoint", on_adjoint).typed(Code(on_adjoint))
    return call(head, expr, hook, type_=expr.type).at(expr.span)


def without_mark(expr: Expr) -> Expr | None:
    """Return the value that a mark is on; None of what is no call of a mark."""
    return expr.args[1] if is_marked(expr) else None
