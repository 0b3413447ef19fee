"""Derivatives that the rooms write; where they cannot yet, the first core does."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from s2sad.api.answer import Question, answer
from s2sad.api.arrays import as_examples
from s2sad.api.derivative import Derivative
from s2sad.api.fallback import is_alone
from s2sad.api.pipeline import Gradient
from s2sad.api.request import SECOND, Request, name_of
from s2sad.api.rules import are_looked_up
from s2sad.ir.errors import InternalError, NotYet, Refused, S2sadError, Unsupported
from s2sad.ir.remedies import refusal
from s2sad.operators.in_force import using

# a variable of the environment
RAISES_FAULTS = "S2SAD_RAISES_FAULTS"
FORMS = frozenset({"", "tangent", "directional", "jacobian", "elementwise"})


def by_rooms(
    request: Request, examples: Mapping[str, Any] | None, otherwise: Callable[[], Derivative]
) -> Derivative:
    """Return the derivative for arguments like these or any, the first core's where the rooms make none.

    What goes wrong in the rooms is raised where RAISES_FAULTS is set, as in the tests. What neither
    does is refused as the rooms say, if they know why. Where they answer alone, nothing else is asked.
    """
    try:
        if not _may_be_asked(request):
            raise NotYet("a request of this kind")
        return _made(request, examples)
    except (NotYet, S2sadError, RecursionError) as error:
        fault: Exception = error
    except Exception as error:
        if RAISES_FAULTS in os.environ:
            raise
        fault = error
    told = _refusal(fault, examples is not None)
    if is_alone():
        raise told
    try:
        return otherwise()
    except S2sadError:
        if _says_why(fault):
            raise told from None
        raise


def _says_why(fault: Exception) -> bool:
    """Tell whether the rooms refuse something for good, with a reason of its own."""
    return isinstance(fault, Refused | S2sadError) and not isinstance(fault, InternalError)


def _made(request: Request, examples: Mapping[str, Any] | None) -> Derivative:
    """Return the derivative that the rooms make."""
    below = request if request.inner is None else request.inner.request
    question = replace(
        _question(request),
        schedules=request.schedules or below.schedules,
        reassociate=request.reassociate,
        note=request.note,
    )
    with using(request.rules):
        made = answer(question, None if examples is None else as_examples(examples))
    return Derivative(
        made.source,
        made.name,
        made.bindings,
        made.messages,
        live=made.live,
        text_of=made.text_of,
        written=made.written,
        checked=True,  # a gradient is refused where the result is not surely a number
        by_rooms=True,
        is_long=made.is_long,
    )


def _refusal(error: Exception, is_known: bool) -> Exception:
    """Return what a user sees of what the rooms do not do."""
    if isinstance(error, RecursionError):
        return Unsupported(
            "a function that calls itself or leads too deep is not differentiated",
            hint="Write it as a loop.",
        )
    if isinstance(error, S2sadError):
        return error
    if not isinstance(error, NotYet):
        return InternalError(f"a mistake of s2sad's own: {type(error).__name__}: {error}")
    told = refusal(error)
    # of arguments of which nothing is known, some may go through
    told.certain = told.certain and (is_known or isinstance(error, Refused))
    return told


def _question(request: Request) -> Question:
    """Return a request as the rooms are asked; of a gradient the function below it."""
    form, arrays = _form(request), request.arrays
    asked = request.wrt, form, name_of(request), request.single, request.mode, arrays, request.aux
    if request.inner is None:
        return Question(request.function, *asked)
    inner = request.inner.request
    plain = Question(inner.function, *asked)
    if form == "jvp":
        first = "value_and_grad" if inner.value else "grad"
        return replace(plain, first=Gradient(inner.wrt, inner.single, first))
    # a Hessian is symmetric: pulled back is as good as pushed forward
    return replace(plain, form={"vjp": "hvp", "grad": "second"}.get(form, form))


def _form(request: Request) -> str:
    """Return the form of what is asked for, as the rooms call it."""
    if request.form or request.mode == "forward":
        return request.form or "jvp"
    return "vjp" if request.seed else "value_and_grad" if request.value else "grad"


def _may_be_asked(request: Request) -> bool:
    """Tell whether a request is of a kind that the rooms answer."""
    if request.inner is None:
        plain = request.form in FORMS
    else:
        inner = request.inner.request
        plain = inner.inner is None and not inner.form and _may_be_asked(inner)
        plain = plain and not isinstance(inner.function, type(request.inner))
        plain = plain and not (inner.aux or request.aux)
        plain = plain and inner.mode == "reverse" and not inner.seed and _is_known(request, inner)
    return plain and are_looked_up(request)


def _is_known(request: Request, inner: Request) -> bool:
    """Tell whether the rooms have the derivative of a gradient."""
    if request.form:
        return request.form in SECOND and not inner.value
    if request.mode == "forward":
        return True
    alone = request.single and inner.single and request.wrt == inner.wrt
    return alone and not (inner.value or request.value)
