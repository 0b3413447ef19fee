"""Derivatives that the rooms write; where they cannot yet, the first core does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from s2sad.api.answer import Question, answer
from s2sad.api.arrays import as_examples
from s2sad.api.derivative import Derivative
from s2sad.api.request import SECOND, Request, name_of
from s2sad.api.rules import are_looked_up
from s2sad.ir.errors import NotYet, S2sadError
from s2sad.operators.in_force import using

# a variable of the environment
RAISES_FAULTS = "S2SAD_RAISES_FAULTS"
FORMS = frozenset({"", "tangent", "directional", "jacobian", "elementwise"})


def by_rooms(request: Request, examples: Mapping[str, Any]) -> Derivative | None:
    """Return the derivative for arguments like these, None where the rooms cannot do it yet.

    What goes wrong in the rooms is raised where RAISES_FAULTS is set, as in the tests; users get the
    first core's answer.
    """
    if not _may_be_asked(request):
        return None
    function = request.function if request.form not in SECOND else request.inner.request.function
    form, mode = _form(request), request.mode
    question = Question(function, request.wrt, form, name_of(request), request.single, mode)
    question = replace(question, arrays=request.arrays, has_aux=request.aux)
    question = replace(question, schedules=request.schedules)
    try:
        with using(request.rules):
            made = answer(question, as_examples(examples))
    except (NotYet, S2sadError, RecursionError):
        return None
    except Exception:
        if RAISES_FAULTS in os.environ:
            raise
        return None
    return Derivative(
        made.source,
        made.name,
        {},
        made.messages,
        live=made.live,
        written=made.written,
        checked=True,  # a gradient is refused where the result is not surely a number
        by_rooms=True,
        is_long=made.is_long,
    )


def _form(request: Request) -> str:
    """Return the form of what is asked for, as the rooms call it."""
    if request.form or request.mode == "forward":
        return request.form or "jvp"
    return "vjp" if request.seed else "value_and_grad" if request.value else "grad"


def _may_be_asked(request: Request) -> bool:
    """Tell whether a request is of a kind that the rooms answer."""
    inner = None if request.inner is None else request.inner.request
    if request.form in SECOND:  # of the gradient
        plain = inner is not None and not inner.value and not inner.form and _may_be_asked(inner)
        plain = plain and inner is not None and inner.schedules is None
    else:
        plain = inner is None and request.form in FORMS
    special = request.reassociate or request.note
    if request.schedules is not None and request.arrays != "numpy":
        return False
    if request.schedules is not None and (request.form or request.mode == "forward"):
        return False
    return plain and not special and are_looked_up(request)
