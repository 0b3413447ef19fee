"""What is asked for is looked at: a function that can be differentiated, and which of its parameters.

parameter_names(misfit, ("W", 1))    ->    ("W", "m"), not a single one
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.api.arguments import bind, check_arguments
from s2sad.api.callable import DerivativeFunction
from s2sad.api.options import Wrt
from s2sad.api.signatures import own_signature
from s2sad.ir.errors import ArgumentError, NoSource, Unsupported
from s2sad.source.given import is_put_in
from s2sad.source.places import parameter_place, signature_place


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
