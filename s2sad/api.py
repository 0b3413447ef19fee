"""What users call: a function in, its derivative as a function out.

df = s2sad.grad(misfit, wrt=("W", "m"))
W_bar, m_bar = df(W, m, d)
df.save("misfit_grad.py")
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from s2sad import pipeline
from s2sad.arguments import bind, check_arguments, facts_of
from s2sad.callable import DerivativeFunction, own_signature
from s2sad.errors import ArgumentError, NoSource, Unsupported
from s2sad.explain import Explanation, explained
from s2sad.explain.budget import within
from s2sad.pipeline import Request
from s2sad.places import parameter_place, signature_place
from s2sad.schedules.kinds import Checkpoint, schedules

Wrt = str | int | tuple[str | int, ...] | list[str | int] | None


def grad(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: tuple[Any, ...] | None = None,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
) -> DerivativeFunction:
    """Return the gradient of a scalar function, by default with respect to its first argument.

    `wrt` is a name or a position, or a tuple of them, for which a tuple of gradients comes back.
    `like` are arguments that the text is made for: what they are counts, not what is in them.
    `checkpoint` tells which states of long loops to keep: "sqrt", `Every(50)`, `Binomial(20)`,
    `Recompute()`, or a dict of these for "line 12" (a loop) or "march" (all loops of a function).
    `memory`, such as "2 GB", chooses a schedule for arguments of the size of `like`.
    """
    return _derivative(function, wrt, like, checkpoint=checkpoint, memory=memory)


def value_and_grad(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: tuple[Any, ...] | None = None,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
) -> DerivativeFunction:
    """Return a function that gives (value, gradient), as scipy's minimize(jac=True) wants it."""
    return _derivative(function, wrt, like, value=True, checkpoint=checkpoint, memory=memory)


def vjp(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: tuple[Any, ...] | None = None,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
) -> DerivativeFunction:
    """Return a function that takes `seed`, the adjoint of the result, last and gives adjoints."""
    return _derivative(function, wrt, like, seed=True, checkpoint=checkpoint, memory=memory)


def jvp(
    function: Callable[..., Any], wrt: Wrt = None, *, like: tuple[Any, ...] | None = None
) -> DerivativeFunction:
    """Return a function that takes a tangent for each of `wrt` last and gives (value, tangent)."""
    return _derivative(function, wrt, like, mode="forward", value=True)


def explain(
    function: Callable[..., Any],
    wrt: Wrt = None,
    *,
    like: tuple[Any, ...],
    checkpoint: Checkpoint = None,
) -> Explanation:
    """Return what the gradient keeps, saves and computes again for arguments, and its peak.

    Printed it is a table; `rows` and `peak` (in bytes, None where a loop's passes are not known
    before it runs) are for programs. What the arguments take is left out.
    """
    request = _request(function, wrt, like, mode="reverse")
    bound = bind(function.__name__, own_signature(function), like, {})
    request = replace(request, schedules=schedules(checkpoint))
    return explained(*pipeline.derived_of(request), bound)


def show(
    function: Callable[..., Any],
    after: str,
    *,
    wrt: Wrt = None,
    mode: str = "reverse",
    like: tuple[Any, ...] | None = None,
) -> str:
    """Return the function as it stands after a stage of the pipeline, as Python that runs."""
    request = _request(function, wrt, like, mode=mode)
    return pipeline.stage(request, after)


def _derivative(
    function: Callable[..., Any],
    wrt: Wrt,
    like: tuple[Any, ...] | None,
    *,
    mode: str = "reverse",
    value: bool = False,
    seed: bool = False,
    checkpoint: Checkpoint = None,
    memory: str | float | None = None,
) -> DerivativeFunction:
    request = _request(function, wrt, like, mode=mode, value=value, seed=seed)
    request = replace(request, schedules=schedules(checkpoint))
    if memory is not None:
        if like is None or checkpoint is not None:
            wrong = "without like=" if like is None else "together with checkpoint="
            raise ArgumentError(
                f"memory= is given {wrong}",
                hint="It chooses a schedule for arguments of the size of like=(...).",
            )
        bound = bind(function.__name__, own_signature(function), like, {})
        request = within(request, bound, memory)
    return DerivativeFunction(request)


def _request(
    function: Callable[..., Any],
    wrt: Wrt,
    like: tuple[Any, ...] | None,
    *,
    mode: str,
    value: bool = False,
    seed: bool = False,
) -> Request:
    _check_function(function)
    if mode not in ("forward", "reverse"):
        raise ArgumentError(f"mode is 'forward' or 'reverse', not {mode!r}")
    names, single = parameter_names(function, wrt)
    request = Request(function, mode, names, single, value, seed, None)
    if like is None:
        return request
    if not isinstance(like, tuple):
        raise ArgumentError(
            f"like= takes a tuple of arguments, not a {type(like).__name__}",
            hint="For one argument: like=(x,).",
        )
    bound = bind(function.__name__, own_signature(function), like, {})
    check_arguments(bound, names, {}, lambda name: parameter_place(function, name))
    return replace(request, given=facts_of(bound))


# ---------------------------------------------------------------------------- checks


def _check_function(function: object) -> None:
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise Unsupported(
            f"{function.__name__} is an async function: it returns no value to derive"
        )
    if isinstance(function, (FunctionType, DerivativeFunction)):
        return
    if not callable(function):
        raise ArgumentError(f"{function!r} is not a function")
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
        raise ArgumentError("wrt is empty: name at least one parameter")
    if not parameters:
        raise ArgumentError(
            f"{function.__name__} has no parameter to differentiate with respect to",
            signature_place(function),
            "*args and **kwargs are none: name the arguments in the signature.",
        )
    names = tuple(_parameter(function, parameters, each) for each in wanted)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ArgumentError(f"wrt names {twice} twice")
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
    if not 0 <= wanted < len(parameters):
        raise ArgumentError(
            f"{name} has no parameter at position {wanted}: it has {len(parameters)}",
            signature_place(function),
            f"Positions count from 0. {known}".rstrip(),
        )
    return parameters[wanted]
