"""Functions of libraries that no rule answers for: other lines are lowered in their place.

chebyshev.chebval(x, c)      its own, as its authors wrote them
integrate.simpson(u, x)      those of its twin, a printed function that gives the same
np.union1d(u, v)             neither has lines, nor a rule: it is refused
"""

from __future__ import annotations

from collections.abc import Hashable
from types import FunctionType

from s2sad.ir.errors import NotYet, Refused, S2sadError, Span, Unfollowed
from s2sad.ir.expression import Expr
from s2sad.ir.types import Other
from s2sad.operators.effects import effect
from s2sad.operators.find import find, has_twin
from s2sad.operators.guards import is_factored
from s2sad.operators.heads import head_of
from s2sad.operators.spelling import with_owner
from s2sad.operators.table import row_of
from s2sad.source.optional import solver_name
from s2sad.source.owners import is_own
from s2sad.source.read import read


def unsupported(reason: str, expr: Expr | None, span: Span | None) -> NotYet:
    """Return what says that an operation is not supported, or that other lines may be lowered."""
    if expr is None:
        return NotYet(reason, span)
    return followed(NotYet(reason, expr.span or span), expr)


def followed(fault: NotYet, expr: Expr) -> NotYet:
    """Return a fault of an operation, or what says that other lines may be lowered for it."""
    key = key_of_twin(expr) if has_twin(expr) else _of_factors(expr) or _function_to_follow(expr)
    if expr.op == "call" and effect(expr).writes:
        key = None  # what fills in a result ends in compiled code, whose writes are not seen
    return fault if key is None else Unfollowed(fault, key)


def refuse_unless_followed(error: S2sadError, expr: Expr) -> S2sadError:
    """Return what a user is told of an operation without a rule; Unfollowed where lines may do."""
    fault = followed(Refused(error), expr)
    if isinstance(fault, Unfollowed):
        raise fault
    return error


def key_of_twin(call: Expr) -> Hashable | None:
    """Return what tells apart a call that has a twin; None of one that nobody wrote."""
    is_call = call.op == "call" and call.span is not None
    return (head_of(with_owner(call)), call.span) if is_call else None


def _of_factors(expr: Expr) -> Hashable | None:
    """Return what says that the factors of a sparse matrix, which varies, stand where they solve."""
    is_made = isinstance(expr.type, Other) and is_factored(expr.type.cls)
    return (("method", "solve"), expr.span) if is_made else None


def _function_to_follow(call: Expr) -> FunctionType | None:
    """Return the function of a library that a call calls, if its text can be lowered instead."""
    if call.op != "call" or call.args[0].op != "global":
        return None
    function = call.args[0].data.value
    if not isinstance(function, FunctionType) or is_own(function) or find(call) is not None:
        return None
    row = row_of(function)
    if solver_name(function) or (row is not None and not row.effect.is_pure):
        return None
    try:
        read(function)
    except S2sadError:
        return None
    return function
