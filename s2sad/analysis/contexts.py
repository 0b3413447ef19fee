"""Contexts that change no value: the reverse sweep enters them again, made anew.

quiet = np.errstate(all="ignore")       with np.errstate(all="ignore"):
with quiet:                                 y = np.log(x)
    y = np.log(x)
"""

from __future__ import annotations

from s2sad.analysis.places import uses
from s2sad.ir.errors import Refused, Span, Unsupported
from s2sad.ir.expression import Expr, Variable, called
from s2sad.ir.program import Function, Let, Statement, With
from s2sad.ir.records import replace
from s2sad.ir.walk import rewritten, statements

QUIET = frozenset({"errstate", "catch_warnings", "nullcontext", "printoptions"})


def with_plain_contexts(function: Function) -> Function:
    """Return a function whose contexts are made where they are entered; refuse all others."""
    found = [s for s in statements(function.body) if isinstance(s, With)]
    if not found:
        return function
    named = {s.context.data for s in found if s.context.op == "name"}
    once = {v for v in named if len(uses(function).bound.get(v, ())) == 1}
    made = {
        s.target: s.value
        for s in statements(function.body)
        if isinstance(s, Let) and isinstance(s.target, Variable) and s.target in once
    }

    def change(statement: Statement) -> Statement | None:
        if isinstance(statement, Let) and statement.target in made:
            return None
        if not isinstance(statement, With):
            return statement
        context = statement.context
        if context.op == "name":
            context = made.get(context.data, context)
        if not is_quiet(context):
            raise _refused(context.span or statement.span)
        return replace(statement, context=context)

    return replace(function, body=rewritten(function.body, change))


def _refused(span: Span | None) -> Refused:
    """Return the refusal of a context that may change what is computed in it."""
    return Unsupported.refused(
        "a `with` around what is differentiated",
        span,
        "Leave what is differentiated outside the `with`.",
    )


def is_quiet(context: Expr) -> bool:
    """Tell whether a context only says what is done with warnings."""
    if context.op != "call" or context.args[0].op != "global" or called(context) not in QUIET:
        return False
    return all(arg.op == "constant" for arg in context.args[1:])
