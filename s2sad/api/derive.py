"""What users ask for becomes a request, once it is known to be possible, and the derivative that answers it.

derivative("grad", misfit, "m", checkpoint="sqrt")     ->     Request(misfit, ("m",), "grad", ...)

parameter_names(misfit, ("W", 1))    ->    ("W", "m"), not a single one
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.api.arguments import bind, check_arguments
from s2sad.api.arrays import UNNAMED, checked
from s2sad.api.callable import DerivativeFunction
from s2sad.api.libraries import call_of_library
from s2sad.api.request import SECOND, Like, Request, Wrt, known_of, mode_of, name_of
from s2sad.api.results import mode_for, result_of
from s2sad.api.rules import Rules, as_added
from s2sad.api.signatures import own_signature
from s2sad.api.variadic import Make, VariadicDerivative, is_variadic
from s2sad.ir.errors import ArgumentError, NoSource, NotYet, Unsupported
from s2sad.ir.records import replace
from s2sad.ir.remedies import refusal
from s2sad.operators.schedules import Checkpoint, schedules
from s2sad.source.given import as_function, is_put_in
from s2sad.source.read import parameter_place, signature_place


def derivative(form: str, function: Any, wrt: Wrt, argnums: Wrt = None, **options: Any) -> Any:
    """Return the derivative that a user asks for; that of a gradient for what is made of it."""
    wrt = either(wrt, argnums)
    if form not in SECOND:
        return _made(form, function, wrt, **options)
    given = dict(options)
    rules, arrays = options.pop("rules", None), checked(options.pop("arrays", "numpy"))
    inner = "numpy" if arrays == "numpy" else UNNAMED
    gradient = _made("grad", function, wrt, arrays=inner, rules=rules, **options)
    if isinstance(gradient, VariadicDerivative):
        return _for_each_call(form, gradient.__wrapped__, wrt, partial(derivative, form, **given))
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
    made = _for_each_call(form, function, wrt, make)
    # one number of arguments is known: that of the example
    return made if like is None else made.fitted(like, {})[0]


def _for_each_call(form: str, function: Any, wrt: Wrt, make: Make) -> VariadicDerivative:
    """Return what makes a derivative for each number of arguments."""
    return VariadicDerivative(function, wrt, form, name_of(Request(function, (), form)), make)


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

    from s2sad.api.display.explanation import within

    try:
        return replace(within(request, examples, memory), memory=memory)
    except NotYet as fault:
        raise refusal(fault) from None


def refuse_functions(function: Any, bound: dict[str, Any]) -> None:
    """Refuse example arguments that are functions: each has a text of its own."""
    defaults = {name: p.default for name, p in own_signature(function).parameters.items()}
    for name, value in bound.items():
        if is_put_in(value) and value is not defaults[name]:
            raise ArgumentError(
                f"like= gives the function {name}, for which there is a text of its own",
                parameter_place(function, name),
                f"Differentiate functools.partial({function.__name__}, {name}=...).",
            )


def check_function(function: object) -> None:
    """Refuse what has no text that could be differentiated."""
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise Unsupported(
            f"{function.__name__} is an async function: it returns no value to derive",
            signature_place(function),
            hint="Write a plain function that computes the value.",
        )
    if isinstance(function, (FunctionType, DerivativeFunction)):
        return
    if not callable(function):
        raise ArgumentError(
            f"{function!r} is not a function", hint="Give s2sad a function written in Python."
        )
    name = getattr(function, "__name__", "the object")
    compiled = isinstance(function, np.ufunc) or inspect.isbuiltin(function)
    if compiled or hasattr(function, "__wrapped__"):
        raise NoSource(
            f"{name} has no Python source: it is a {type(function).__name__}",
            hint=f"Write a function that calls it, as in: def f(x): return {name}(x)",
        )
    kind = "a class" if isinstance(function, type) else f"of the type {type(function).__name__}"
    raise ArgumentError(
        f"{name} is {kind}, not a function of its own",
        hint="Write a function that calls it, and differentiate that.",
    )


def parameter_names(function: Callable[..., Any], wrt: Wrt) -> tuple[tuple[str, ...], bool]:
    """Return the parameters that `wrt` means, and whether it is a single one."""
    parameters = _differentiable(function)
    single = not isinstance(wrt, (tuple, list))
    wanted = (0 if wrt is None else wrt,) if not isinstance(wrt, (tuple, list)) else tuple(wrt)
    if not wanted:
        raise ArgumentError(
            "wrt is empty: name at least one parameter",
            hint='Name parameters: wrt="x", or wrt=("x", "y").',
        )
    if not parameters:
        raise ArgumentError(
            f"{function.__name__} has no parameter to differentiate with respect to",
            signature_place(function),
            "*args and **kwargs are none: name the arguments in the signature.",
        )
    names = tuple(_parameter(function, parameters, each) for each in wanted)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ArgumentError(f"wrt names {twice} twice", hint="Name each parameter once.")
    return names, single


def _differentiable(function: Callable[..., Any]) -> tuple[str, ...]:
    parameters = own_signature(function).parameters
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return tuple(name for name, each in parameters.items() if each.kind not in variable)


def _parameter(function: Callable[..., Any], parameters: tuple[str, ...], wanted: str | int) -> str:
    name = function.__name__
    known = f"Its parameters: {', '.join(parameters)}."
    if isinstance(wanted, str):
        if wanted not in parameters:
            problem = f"{name} has no parameter {wanted!r}"
            raise ArgumentError(problem, signature_place(function), known)
        return wanted
    if isinstance(wanted, bool) or not isinstance(wanted, int | np.integer):
        raise ArgumentError(f"wrt is made of names and positions, not of {wanted!r}", hint=known)
    if not -len(parameters) <= wanted < len(parameters):
        raise ArgumentError(
            f"{name} has no parameter at position {wanted}: it has {len(parameters)}",
            signature_place(function),
            f"Positions count from 0, or from -1 backwards. {known}".rstrip(),
        )
    return parameters[wanted]


def one_of(wrt: Wrt, name: str) -> str | int | None:
    if isinstance(wrt, (tuple, list)):
        raise ArgumentError(
            f"{name} takes one argument at a time, by name or position", hint='Name one: wrt="x".'
        )
    return wrt


def either(wrt: Wrt, argnums: Wrt) -> Wrt:
    """Return what is to be differentiated with respect to, under one name or the other."""
    if wrt is not None and argnums is not None:
        raise ArgumentError(
            "wrt and argnums are two names for one thing: give one of them",
            hint="Leave out argnums.",
        )
    return argnums if wrt is None else wrt


def bound_examples(
    function: Callable[..., Any], wrt: tuple[str, ...], like: object
) -> dict[str, Any]:
    """Return example arguments by name."""
    if not isinstance(like, tuple):
        raise ArgumentError(
            f"like= takes a tuple of arguments, not a {type(like).__name__}",
            hint="For one argument: like=(x,).",
        )
    bound = bind(function.__name__, own_signature(function), like, {})
    refuse_functions(function, bound)
    check_arguments(bound, wrt, {}, lambda name: parameter_place(function, name))
    return bound
