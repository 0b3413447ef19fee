"""Derivatives that the rooms write; where they cannot yet, the first core does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2sad.api.answer import Question, answer
from s2sad.api.derivative import Derivative
from s2sad.api.request import Request, name_of
from s2sad.operators.in_force import added


def by_rooms(request: Request, examples: Mapping[str, Any]) -> Derivative | None:
    """Return the derivative for arguments like these, None where the rooms cannot do it yet."""
    if not _may_be_asked(request):
        return None
    form = "vjp" if request.seed else "value_and_grad" if request.value else "grad"
    question = Question(request.function, request.wrt, form, name_of(request), request.single)
    try:
        made = answer(question, examples)
    except Exception:  # whatever the rooms cannot do yet, the first core is asked for
        return None
    return Derivative(
        made.source,
        made.name,
        {},
        made.messages,
        None,
        None,
        written=made.written,
        checked=True,  # a gradient is refused where the result is not surely a number
        by_rooms=True,
    )


def _may_be_asked(request: Request) -> bool:
    """Tell whether a request is of a kind that the rooms answer."""
    plain = request.mode == "reverse" and not request.form and request.inner is None
    special = request.aux or request.schedules is not None or request.reassociate or request.note
    own_rules = bool(request.rules) or bool(added())
    return plain and not special and not own_rules and request.arrays == "numpy"
