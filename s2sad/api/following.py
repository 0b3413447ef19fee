"""Functions of libraries are lowered like the user's, where no rule answers for them.

follow(fault, context)                 from now on other lines are lowered for a call
follow_unknown(primal, context)        so for calls of which nothing is known
with at_call_of_library(context): ...  what cannot be done in them is told of the user's call
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType

from s2sad.ir.errors import NoSource, NotYet, Refused, Unfollowed
from s2sad.ir.expression import Expr
from s2sad.ir.program import Program
from s2sad.ir.types import Unknown, is_float
from s2sad.ir.walk import nodes_in
from s2sad.operators.followed import unsupported
from s2sad.source.files import text_of
from s2sad.source.owners import is_own_file, library_of
from s2sad.types import Context


def follow(fault: Unfollowed, context: Context) -> None:
    """Have other lines lowered in place of a call, or raise what asked for them again."""
    if fault.key in context.followed:
        raise fault.fault
    context.followed[fault.key] = fault.fault


def follow_alike(primal: Program, context: Context) -> None:
    """Have lines lowered for all calls of a library of numbers that may vary, once for one is asked."""
    libraries = {library_of(each) for each in context.followed} - {None}
    of_them = (c for c in _calls(primal) if library_of(_function(c)) in libraries)
    calls = (call for call in of_them if any(is_float(a.type) for a in call.args[1:]))
    for key, fault in _followable(calls).items():
        context.followed.setdefault(key, fault.fault)


def follow_unknown(fault: NotYet, primal: Program, context: Context) -> None:
    """Have lines lowered for the calls that nothing is known of, or raise a fault again."""
    unknown = [call for call in _calls(primal) if isinstance(call.type, Unknown)]
    more = _followable(unknown)
    if more.keys() <= context.followed.keys():
        refuse_unread(fault, unknown)
        raise fault
    context.followed |= dict.fromkeys(more, fault)


def _calls(primal: Program) -> Iterator[Expr]:
    return (n for f in primal.functions.values() for n in nodes_in(f.body) if n.op == "call")


def _function(call: Expr) -> object:
    """Return what a call calls, if it is an object that the text names."""
    return call.args[0].data.value if call.args[0].op == "global" else None


def _followable(calls: Iterable[Expr]) -> dict[Hashable, Unfollowed]:
    """Return the calls for which other lines can be lowered, by what tells them apart."""
    faults = (unsupported("a call of which nothing is known", call, None) for call in calls)
    return {each.key: each for each in faults if isinstance(each, Unfollowed)}


def refuse_unread(fault: NotYet, calls: Iterable[Expr]) -> None:
    """Refuse for its cause what goes back to a function of the user's whose text is not found."""
    if isinstance(fault, Refused) and "may be no number" not in str(fault):
        return
    for call in calls:
        function = _function(call)
        if isinstance(function, FunctionType) and any(is_float(a.type) for a in call.args[1:]):
            try:
                text_of(function)
            except NoSource as error:
                raise Refused(NoSource(error.problem, call.span, error.hint)) from None


@contextmanager
def at_call_of_library(context: Context) -> Iterator[None]:
    """Tell of the user's call what cannot be done in the lines of a library that it leads to."""
    try:
        yield
    except Unfollowed:
        raise
    except NotYet as fault:
        calls = [each for each in context.followed.values() if _is_users(each)]
        if not calls or _is_users(fault):
            raise
        raise calls[0] from None


def _is_users(fault: Exception) -> bool:
    """Tell whether a fault stands in a file of the user's."""
    span = getattr(fault, "span", None)
    return span is None or (is_own_file(span.path) and not span.path.startswith("<s2sad"))
