"""A function becomes its derivative: the rooms in their order.

gradient_of(Request(f, ("u",)), (u, 0.3))           the Program of f_grad, and what was assumed of arguments
tangent_of(Request(f, ("u",), "jvp"), (u, 0.3))     that of f_jvp
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from s2sad import forward
from s2sad.analysis.calls import inlined
from s2sad.analysis.comprehensions import with_own_names
from s2sad.analysis.even_powers import without_kinks
from s2sad.analysis.layout import reshaped_in_place
from s2sad.analysis.prepare import Prepared, prepared
from s2sad.analysis.ranks import with_proved_ranks
from s2sad.api.again import with_printed
from s2sad.api.elementwise import summed
from s2sad.api.lengths import only_computes, run, with_known_lengths
from s2sad.api.request import Gradient, Request
from s2sad.api.results import refuse_result
from s2sad.api.rounds import Arguments, Derived, Made, Make, derived
from s2sad.api.tools import tangent_tools, tools_for
from s2sad.api.unexampled import (
    SEED_MESSAGE,
    is_shape_known,
    number_message,
    refuse_arrays,
    with_named_result,
)
from s2sad.api.unsupported import refuse_in_forward, refuse_unknown_result
from s2sad.checkpoint.gradient import Tools, gradient
from s2sad.ir.errors import NotYet, Refused, Unfollowed
from s2sad.ir.expression import Expr, Role, constant
from s2sad.ir.program import Function, Let, Program, Return
from s2sad.ir.records import replace
from s2sad.ir.remedies import unfit
from s2sad.ir.types import UNKNOWN, Array, Number, Numeric, Optional, Tuple
from s2sad.ir.walk import statements
from s2sad.operators.schedules import Schedules
from s2sad.optimize import with_own_results, written_out
from s2sad.types import Context


def gradient_of(asked: Request, args: Arguments | None) -> Derived:
    """Return the gradient of a function for arguments like these, or for any arguments.

    The form is "grad", "value_and_grad", "vjp" or "elementwise": where each element of the result
    depends on its own of the argument alone, their derivatives are the gradient of the sum.
    Arguments come in the order of the parameters, or by their names: `*rest` as rest_1, rest_2, ...
    Raises NotYet where a room cannot do it.
    """
    form, wrt, has_aux = asked.form, asked.wrt, asked.aux
    is_of_number = form != "vjp"

    def make(primal: Program, context: Context) -> Made:
        refuse_result(asked.function, primal, is_of_number and form != "elementwise", has_aux)
        refuse_unknown_result(primal)
        if form == "elementwise":
            primal = summed(primal, wrt, context)
        schedules = in_its_file(asked.schedules, primal)
        tools = replace(tools_for(primal, context), schedules=schedules)
        result = primal.facts.get("result")
        parts = result.items if isinstance(result, Tuple) else (result,)
        is_open = any(isinstance(part, Numeric | Optional) for part in parts)
        if is_of_number or (args is not None and not is_open):
            primal, tools = _of_number(primal, args, tools, context, has_aux)
        elif not is_shape_known(primal):
            facts = {**primal.facts, "asks_seed": True}
            primal = replace(with_named_result(primal), facts=facts)
            tools = replace(tools, asks_seed=SEED_MESSAGE)
        form_ = "grad" if form == "elementwise" else form
        again = partial(gradient, primal, wrt, form=form_, single=asked.single, has_aux=has_aux)
        made = with_known_lengths(again, tools, args if is_of_number else None, context)
        if schedules is not None:
            schedules.refuse_unmet(tools.loops, primal.functions)
        return with_printed(made.program, context), made, made.prepared

    return _derived(asked, args, make)


def _derived(asked: Request, args: Arguments | None, make: Make) -> Derived:
    """Return what is made of a function, without its kinks where it is to be differentiated again."""
    made = _of_smooth(make) if asked.smooth else make
    return derived(asked.function, args, made, asked.wrt, asked.known)


def _of_number(
    primal: Program,
    args: Arguments | None,
    tools: Tools,
    context: Context,
    has_aux: bool = False,
) -> tuple[Program, Tools]:
    """Return a program that has to give a number, with what tells it; a text for any tests it."""
    tools = replace(tools, asks_number=number_message(primal))
    if args is not None:
        tells = replace(tools, gives_number=lambda: gives_number(primal, args, has_aux))
        if primal.facts.get("result") == UNKNOWN and tells.gives_number():
            primal = replace(primal, facts={**primal.facts, "result": Number("float64")})
        return primal if has_aux else with_named_result(primal), tells
    context.asks_number = True
    refuse_arrays(primal, context, tools.infer)
    made = with_proved_ranks(primal.function, True, tools.infer)
    is_assumed = _is_number(made) and not _is_number(
        with_proved_ranks(primal.function, False, tools.infer)
    )
    primal = primal.with_first(made)
    tools = replace(tools, gives_number=lambda: True, assumes_number=is_assumed)
    return with_named_result(primal), tools


def _is_number(function: Function) -> bool:
    """Tell whether the result is known to be a number."""
    ends = [each for each in statements(function.body) if isinstance(each, Return)]
    return all(isinstance(each.value.type, Number) for each in ends)


def in_its_file(schedules: Schedules | None, primal: Program) -> Schedules | None:
    """Return what is asked of loops; lines are those of the function's file."""
    span = primal.function.span
    return schedules if schedules is None or span is None else replace(schedules, path=span.path)


def lowered(function: Callable[..., Any], args: Arguments | None, wrt: tuple[str, ...]) -> Derived:
    """Return a function as lowering leaves it for arguments like these: its derivative is itself."""
    return derived(function, args, lambda primal, context: (primal, None, None), wrt)


def tangent_of(asked: Request, args: Arguments | None) -> Derived:
    """Return the tangent of a function for arguments like these.

    The form is "jvp", which gives (value, tangent), "tangent", "directional", the tangents along many
    directions, "hvp", the tangent of the gradient, or "second", the second derivative by a number.
    With a gradient that is taken first, it is the tangent of that, and schedules are those of its loops.
    Raises NotYet where a room cannot do it.
    """
    form, wrt, first = asked.form, asked.wrt, asked.first
    if first is None and form in ("hvp", "second"):
        first = Gradient(wrt, asked.single)

    def make(primal: Program, context: Context) -> Made:
        refuse_result(asked.function, primal, first is not None)
        refuse_in_forward(primal)
        if first is not None:
            return of_gradient(primal, context, first)
        tools = tangent_tools(primal, context)

        def along(program: Program) -> Program:
            made = forward.tangent(program, wrt, tools, form == "jvp")
            made = with_own_results(made, form == "jvp")
            return forward.along_many(made, tools) if form == "directional" else made

        made = _of_first(along, primal, lambda: _as_one(primal, context))
        made = with_printed(made, context)
        asks = _writes_to_parts(primal) or reshaped_in_place(primal.functions.values())
        return made, None, made_ready(primal, context) if asks else None

    def of_gradient(primal: Program, context: Context, first: Gradient) -> Made:
        tools = replace(tools_for(primal, context), schedules=in_its_file(asked.schedules, primal))
        primal, tools = _of_number(primal, args, tools, context)
        tools = replace(tools, cost=partial(_cost_with_tangent, tools.cost))
        plain = _without_kinks(primal, tools.infer)
        again = partial(gradient, plain, first.wrt, form=first.form, single=first.single)
        inner = with_known_lengths(again, tools, args, context)
        pairs = form == "jvp"
        once = with_printed(written_out(inner.program, context), context)
        along = tangent_tools(primal, context)
        made = with_own_results(forward.tangent(once, wrt, along, pairs), pairs)
        made = forward.along_many(made, along) if form == "directional" else made
        return _by_a_number(made) if form == "second" else made, None, inner.prepared

    return _derived(asked, args, make)


def _cost_with_tangent(cost: Callable[[Expr], str], expr: Expr) -> str:
    """Return what it costs to have a value again whose tangent would be computed again, too."""
    found = cost(expr)
    return found if found == "free" else "costly"


def _of_smooth(make: Make) -> Make:
    """Return what makes a derivative of a program without its kinks where it is smooth."""

    def made(primal: Program, context: Context) -> Made:
        return make(_without_kinks(primal, tools_for(primal, context).infer), context)

    return made


def _by_a_number(program: Program) -> Program:
    """Return the tangent of the derivative by a number along 1.0, which is the second derivative."""
    function = program.function
    (dot,) = (p for p in function.parameters if p.variable.role is Role.TANGENT)
    if not isinstance(dot.type, Number):
        raise NotYet("a gradient of what is no number", function.span)
    own = tuple(p for p in function.parameters if p is not dot)
    body = (Let(dot.variable, constant(1.0, Number("float64"))), *function.body)
    made = replace(function, parameters=own, body=body)
    return program.with_first(made)


def _without_kinks(primal: Program, infer: Callable[[Expr], Expr]) -> Program:
    """Return a program with the same first derivatives, squares of what functions give included."""
    smooth = without_kinks(primal, infer)
    if len(primal.functions) == 1:
        return smooth
    together = replace(primal.function, body=inlined(with_own_names(primal), infer).body)
    as_one = primal.with_first(together)
    smoother = without_kinks(as_one, infer)
    return smooth if smoother.function == together else smoother


def _of_first(
    make: Callable[[Program], Program], program: Program, other: Callable[[], Program]
) -> Program:
    """Return what is made of a program as it stands, of another where that cannot be done."""
    try:
        return make(program)
    except NotYet as fault:
        try:
            return make(other())
        except Unfollowed:
            raise
        except NotYet:
            raise fault from None


def _as_one(primal: Program, context: Context) -> Program:
    """Return a program as reverse mode takes it: one function, structured, its memory named."""
    ready = made_ready(primal, context)
    if ready.openings or ready.memory.in_rows:
        raise NotYet("arguments that are taken apart", primal.function.span)
    return primal.with_first(ready.function)


def made_ready(primal: Program, context: Context) -> Prepared:
    """Return a program as reverse mode takes it, for what it says of arguments that are written."""
    tools = tools_for(primal, context)
    return prepared(primal, tools.infer, tools.shares, tools.join, tools.regions)


def _writes_to_parts(primal: Program) -> bool:
    """Tell whether a program writes to arguments that hold more than one array."""
    function = primal.function
    written = frozenset() if function.summary is None else function.summary.writes
    several = (p for p in function.parameters if not isinstance(p.type, Array | Numeric | Number))
    return any(p.variable in written for p in several)


def gives_number(primal: Program, args: Arguments, has_aux: bool = False) -> bool:
    """Tell whether a program gives one real number for arguments; what cannot be run unseen may.

    With `has_aux` it gives something beside it.
    """
    if not only_computes(primal):
        return True  # the text asks as it runs
    try:
        value = run(primal, args)
    except (ValueError, IndexError, KeyError, ZeroDivisionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise Refused(unfit(reason, primal.function.span)) from None
    except Exception:
        return False
    value = value[0] if has_aux and isinstance(value, tuple) else value
    return isinstance(value, float | int | np.floating | np.integer) or (
        isinstance(value, np.ndarray) and value.shape == () and value.dtype.kind == "f"
    )
