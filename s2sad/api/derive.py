"""What users ask for becomes a request, and the derivative that answers it.

derivative("grad", misfit, "m", checkpoint="sqrt")     ->     Request(misfit, ("m",), "grad", ...)
"""

from __future__ import annotations

from typing import Any

from s2sad.api.arrays import UNNAMED, checked
from s2sad.api.callable import DerivativeFunction
from s2sad.api.library_calls import call_of_library
from s2sad.api.options import Like, Rules, Wrt
from s2sad.api.parameters import bound_examples, check_function, either, parameter_names
from s2sad.api.request import SECOND, Request, known_of, mode_of, name_of
from s2sad.api.results import mode_for, result_of
from s2sad.api.rules import as_added
from s2sad.api.variadic import VariadicDerivative, is_variadic
from s2sad.ir.errors import ArgumentError
from s2sad.ir.records import replace
from s2sad.operators.schedules import Checkpoint, schedules
from s2sad.source.given import as_function


def derivative(form: str, function: Any, wrt: Wrt, argnums: Wrt = None, **options: Any) -> Any:
    """Return the derivative that a user asks for; that of a gradient for what is made of it."""
    wrt = either(wrt, argnums)
    if form not in SECOND:
        return _made(form, function, wrt, **options)
    rules, arrays = options.pop("rules", None), checked(options.pop("arrays", "numpy"))
    inner = "numpy" if arrays == "numpy" else UNNAMED
    gradient = _made("grad", function, wrt, arrays=inner, rules=rules, **options)
    if isinstance(gradient, VariadicDerivative):
        raise ArgumentError(
            f"{gradient.__name__} is made for a number of arguments that is not known",
            hint="Give an example of them: like=(...).",
        )
    names = gradient.request.wrt
    wanted = names[0] if gradient.request.single else names
    return _made(form, gradient, wanted, arrays=arrays, **options)


def _made(form: str, function: Any, wrt: Wrt, like: Like = None, **options: Any) -> Any:
    """Return the derivative of a function, or what makes one for each number of arguments."""
    function = as_function(call_of_library(function))

    def make(fitted: Any, names: Wrt) -> DerivativeFunction:
        return DerivativeFunction(request_for(form, fitted, names, like, **options))

    if not is_variadic(function):
        return make(function, wrt)
    made = VariadicDerivative(function, wrt, form, name_of(Request(function, (), form)), make)
    # one number of arguments is known: that of the example
    return made if like is None else made.fitted(like, {})[0]


def request_for(
    form: str,
    function: Any,
    wrt: Wrt,
    like: Like = None,
    *,
    mode: str | None = None,
    arrays: str = "numpy",
    rules: Rules = None,
    has_aux: bool = False,
    reassociate: bool = False,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
) -> Request:
    """Return the request that options make."""
    function = as_function(call_of_library(function))
    check_function(function)
    by_shape = form == "jacobian" and mode is None
    mode = ("forward" if by_shape else mode_of(form)) if mode is None else mode
    if mode not in ("forward", "reverse"):
        raise ArgumentError(f"mode is 'forward' or 'reverse', not {mode!r}")
    names, single = parameter_names(function, wrt)
    request = Request(function, names, form, single, mode, checked(arrays), has_aux)
    request = replace(request, by_shape=by_shape, rules=as_added(rules), reassociate=reassociate)
    if like is not None:
        examples = bound_examples(function, names, like)
        request = replace(request, given=known_of(examples), examples=examples)
        if form == "jacobian":
            arguments = {name: examples[name] for name in names}
            mode = mode_for(request, arguments, result_of(function, examples))
            request = replace(request, mode=mode)
    return _scheduled(request, checkpoint, memory)


def _scheduled(request: Request, checkpoint: Checkpoint, memory: str | float | None) -> Request:
    """Return a request whose loops keep their states as it is asked for."""
    examples = request.examples
    if memory is not None and (examples is None or checkpoint is not None):
        wrong = "without like=" if examples is None else "together with checkpoint="
        raise ArgumentError(
            f"memory= is given {wrong}",
            hint="It chooses a schedule for arguments of the size of like=(...).",
        )
    request = replace(request, schedules=schedules(checkpoint))
    if memory is None or examples is None:
        return request

    from s2sad.api.display.budget import within

    return replace(within(request, examples, memory), memory=memory)
