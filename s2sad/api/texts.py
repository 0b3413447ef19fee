"""The text that answers a request, or the refusal that its reader sees.

text_for(request, examples)     ->     Derivative("def misfit_grad(W, m, d): ...", "misfit_grad", ...)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from s2sad.api.answer import Answer, Question, answer
from s2sad.api.arrays import as_examples
from s2sad.api.pipeline import Gradient
from s2sad.api.request import SECOND, Derivative, Request, known_of, name_of
from s2sad.ir.errors import InternalError, NoRule, NotYet, Refused, S2sadError, Unsupported, placed
from s2sad.ir.remedies import refusal
from s2sad.operators.in_force import using
from s2sad.source.places import signature_place

# a variable of the environment: an error that is none of s2sad's is raised as it is
RAISES_FAULTS = "S2SAD_RAISES_FAULTS"

DEEPEST = 10_000
TANGENTS = frozenset({"tangent", "directional"})


def text_for(request: Request, examples: Mapping[str, Any] | None) -> Derivative:
    """Return the derivative for arguments like these, or for any; S2sadError where it is refused.

    A mistake of s2sad's own is an InternalError, or raised as it is where RAISES_FAULTS is set.
    """
    try:
        with _deep():  # a sum of a thousand terms is a deep tree
            return _made(request, examples)
    except (NotYet, S2sadError, RecursionError) as error:
        fault: Exception = error
    except Exception as error:
        if RAISES_FAULTS in os.environ:
            raise
        fault = error
    refused = _refusal(fault, examples is not None)
    # what is nested too deeply to be read is nested too deeply to be shown
    if not isinstance(fault, RecursionError) and not isinstance(refused, InternalError):
        below = request if request.inner is None else request.inner.request
        refused = placed(refused, signature_place(below.function))
    raise refused


@contextmanager
def _deep() -> Iterator[None]:
    """Let trees be gone through that are deeper than Python's own functions call each other."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _made(request: Request, examples: Mapping[str, Any] | None, smooth: bool = False) -> Derivative:
    """Return the derivative that the rooms make; a `smooth` one can be differentiated again."""
    with using(request.rules):
        made = _answered(request, examples, smooth)
    return Derivative(
        made.source,
        made.name,
        made.bindings,
        made.messages,
        live=made.live,
        text_of=made.text_of,
        written=made.written,
    )


def _answered(request: Request, examples: Mapping[str, Any] | None, smooth: bool) -> Answer:
    """Return the answer; a gradient that has no rule in one sweep more is written out, and read."""
    below = request if request.inner is None else request.inner.request

    def found(question: Question) -> Answer:
        question = replace(
            question,
            schedules=request.schedules or below.schedules,
            reassociate=request.reassociate,
            note=request.note,
            smooth=smooth,
        )
        return answer(question, None if examples is None else as_examples(examples))

    question = _question(request, examples)
    if request.inner is None or request.form in SECOND:
        return found(question)
    try:
        return found(question)
    except (NotYet, NoRule):
        if not _is_of_gradient(request, below):
            raise
    return found(_plain(_written_out(request.inner, examples), request))


def _refusal(error: Exception, is_known: bool) -> S2sadError:
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
    refused = refusal(error)
    # of arguments of which nothing is known, some may be supported
    refused.certain = refused.certain and (is_known or isinstance(error, Refused))
    return refused


def _question(request: Request, examples: Mapping[str, Any] | None) -> Question:
    """Return a request as the rooms are asked; of a gradient the function below it."""
    if request.inner is None:
        return _plain(request.function, request)
    if not _is_of_gradient(request, request.inner.request):
        return _plain(_written_out(request.inner, examples), request)
    inner, form = request.inner.request, _form(request)
    of = inner.function
    if isinstance(of, type(request.inner)):
        of = _written_out(of, examples)
    plain = _plain(of, request)
    if form in TANGENTS or form == "jvp":
        first = "value_and_grad" if inner.value else "grad"
        return replace(plain, first=Gradient(inner.wrt, inner.single, first))
    # a Hessian is symmetric: pulled back is as good as pushed forward
    return replace(plain, form={"vjp": "hvp", "grad": "second"}.get(form, form))


def _plain(function: Callable[..., Any], request: Request) -> Question:
    """Return what is asked of a function, whatever it is itself made of."""
    form, arrays = _form(request), request.arrays
    asked = request.wrt, form, name_of(request), request.single, request.mode, arrays, request.aux
    return Question(function, *asked)


def _written_out(derivative: Any, examples: Mapping[str, Any] | None) -> Callable[..., Any]:
    """Return the function of the text of a derivative, which is differentiated again."""
    own, given = None, derivative.request.given
    if examples is not None:
        own = {name: value for name, value in examples.items() if name not in derivative.extra}
        given = known_of(own)
    text = _made(derivative.asked_for(given), own, smooth=True)
    made: Callable[..., Any] = derivative.running(text).function
    return made


def _form(request: Request) -> str:
    """Return the form of what is asked for, as the rooms call it."""
    if request.form or request.mode == "forward":
        return request.form or "jvp"
    return "vjp" if request.seed else "value_and_grad" if request.value else "grad"


def _is_of_gradient(request: Request, inner: Request) -> bool:
    """Tell whether a derivative of a gradient is made of the function below it, in one sweep more."""
    if inner.form or inner.aux or request.aux or inner.seed or inner.mode != "reverse":
        return False
    if request.form:
        return request.form in (*SECOND, *TANGENTS) and not inner.value
    if request.mode == "forward":
        return True
    alone = request.single and inner.single and request.wrt == inner.wrt
    return alone and not (inner.value or request.value)
