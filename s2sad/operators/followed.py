"""Functions of libraries that no rule answers for: their own lines are lowered, like the user's.

chebyshev.chebval(x, c)      followed: Python's text, and no rule
np.sin(x)                    by its rule
np.union1d(u, v)             neither: it is refused
"""

from __future__ import annotations

from types import FunctionType

from s2sad.ir.errors import NotYet, S2sadError, Span, Unfollowed
from s2sad.ir.expression import Expr
from s2sad.operators import printed
from s2sad.operators.find import has_rule
from s2sad.source.owners import is_own
from s2sad.source.read import read


def unsupported(reason: str, expr: Expr | None, span: Span | None) -> NotYet:
    """Return what says that an operation is not supported, or that its lines may be lowered."""
    if expr is None:
        return NotYet(reason, span)
    function = function_to_follow(expr)
    place = expr.span or span
    return NotYet(reason, place) if function is None else Unfollowed(reason, place, function)


def function_to_follow(call: Expr) -> FunctionType | None:
    """Return the function of a library that a call calls, if its text can be lowered instead."""
    if call.op != "call" or call.args[0].op != "global":
        return None
    function = call.args[0].data.value
    if not isinstance(function, FunctionType) or is_own(function) or printed.name_of(function):
        return None
    if has_rule(call):
        return None
    try:
        read(function)
    except S2sadError:
        return None
    return function
