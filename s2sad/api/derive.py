"""What users ask for becomes a request, and the derivative that answers it.

grad(misfit, "m", checkpoint="sqrt")     ->     Request(misfit, ("m",), "grad", ...)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from s2sad.api.arrays import UNNAMED, checked
from s2sad.api.callable import DerivativeFunction
from s2sad.api.library_calls import call_of_library
from s2sad.api.parameters import Wrt, bound_examples, check_function, parameter_names
from s2sad.api.request import Request, known_of, mode_of, name_of
from s2sad.api.rules import Given, as_added
from s2sad.api.variadic import VariadicDerivative, is_variadic
from s2sad.ir.errors import ArgumentError
from s2sad.ir.records import replace
from s2sad.operators.schedules import Checkpoint, schedules
from s2sad.source.given import as_function

Like = tuple[Any, ...] | None


# texts of templates, paths of files with them, or what rule_for gives
Rules = Given


def derivative(
    function: Any,
    wrt: Wrt,
    like: Like,
    *,
    form: str = "grad",
    finish: Callable[[Request], Request] | None = None,
    **options: Any,
) -> DerivativeFunction:
    function = as_function(call_of_library(function))

    def make(fitted: Any, names: Wrt) -> DerivativeFunction:
        request = request_for(fitted, names, like, form, **options)
        return DerivativeFunction(request if finish is None else finish(request))

    if not is_variadic(function):
        return make(function, wrt)
    made = VariadicDerivative(function, wrt, form, name_of(Request(function, (), form)), make)
    # one number of arguments is known: that of the example
    return made if like is None else made.fitted(like, {})[0]  # type: ignore[return-value]


def kept_in_part(
    function: Any,
    wrt: Wrt,
    like: Like,
    checkpoint: Checkpoint,
    memory: str | float | None,
    **options: Any,
) -> DerivativeFunction:
    """Return a derivative in reverse mode whose loops keep their states as it is asked for."""
    asked = partial(scheduled, like=like, checkpoint=checkpoint, memory=memory)
    return derivative(function, wrt, like, finish=asked, **options)


def scheduled(
    request: Request, like: Like, checkpoint: Checkpoint, memory: str | float | None
) -> Request:
    """Return a request whose loops keep their states as it is asked for."""
    if memory is not None and (like is None or checkpoint is not None):
        wrong = "without like=" if like is None else "together with checkpoint="
        raise ArgumentError(
            f"memory= is given {wrong}",
            hint="It chooses a schedule for arguments of the size of like=(...).",
        )
    request = replace(request, schedules=schedules(checkpoint))
    if memory is None or like is None:
        return request

    from s2sad.api.display.budget import within

    bound = bound_examples(request.function, request.wrt, like)
    return replace(within(request, bound, memory), memory=memory)


def of_gradient(
    function: Callable[..., Any],
    wrt: Wrt,
    like: Like,
    form: str,
    rules: Rules,
    arrays: str = "numpy",
    reassociate: bool = False,
) -> DerivativeFunction:
    """Return what is made of the gradient of a function, in forward mode."""
    inner = "numpy" if checked(arrays) == "numpy" else UNNAMED
    gradient = derivative(function, wrt, like, arrays=inner, rules=rules, reassociate=reassociate)
    if isinstance(gradient, VariadicDerivative):
        raise ArgumentError(
            f"{gradient.__name__} is made for a number of arguments that is not known",
            hint="Give an example of them: like=(...).",
        )
    names, single = gradient.request.wrt, gradient.request.single
    wanted = names[0] if single else names
    return derivative(gradient, wanted, like, form=form, arrays=arrays, reassociate=reassociate)


def request_for(
    function: Callable[..., Any],
    wrt: Wrt,
    like: Like,
    form: str = "grad",
    *,
    mode: str = "",
    arrays: str = "numpy",
    rules: Rules = None,
    **options: Any,
) -> Request:
    function = as_function(call_of_library(function))
    check_function(function)
    mode = mode or mode_of(form)
    if mode not in ("forward", "reverse"):
        raise ArgumentError(f"mode is 'forward' or 'reverse', not {mode!r}")
    names, single = parameter_names(function, wrt)
    request = Request(function, names, form, single, mode, checked(arrays), **options)
    request = replace(request, rules=as_added(rules))
    if like is None:
        return request
    examples = bound_examples(function, names, like)
    return replace(request, given=known_of(examples), examples=examples)
