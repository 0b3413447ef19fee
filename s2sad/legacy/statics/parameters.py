"""The arguments of a call in the text find the parameters of a function in the text.

def f(a, b=1, *, c=2): ...      f(x, c=y)       a: x, c: y        b is left to its default
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from inspect import Parameter
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar import syntax
from s2sad.legacy.gathered import Rest, takes_rest
from s2sad.legacy.scope import Scope


def signature(args: Any) -> inspect.Signature:
    """Return the signature that parameters in the text have; defaults stand for themselves."""
    plain: list[tuple[Any, Any]] = [(arg, Parameter.POSITIONAL_ONLY) for arg in args.posonlyargs]
    plain += [(arg, Parameter.POSITIONAL_OR_KEYWORD) for arg in args.args]
    defaults = [Parameter.empty] * (len(plain) - len(args.defaults)) + list(args.defaults)
    made = [
        Parameter(arg.id, kind, default=default)
        for (arg, kind), default in zip(plain, defaults, strict=True)
    ]
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        given = Parameter.empty if default is None else default
        made.append(Parameter(arg.id, Parameter.KEYWORD_ONLY, default=given))
    if args.vararg:
        made.insert(len(plain), Parameter(args.vararg.id, Parameter.VAR_POSITIONAL))
    if args.kwarg:
        made.append(Parameter(args.kwarg.id, Parameter.VAR_KEYWORD))
    return inspect.Signature(made)


def bound_arguments(args: Any, call: Any, scope: Scope) -> dict[str, Any]:
    """Return the syntax that a call gives for each parameter.

    What *args takes is a tuple, and what **kwargs takes a dict.
    """
    stars = [isinstance(each, gast.Starred) for each in call.args]
    named = {each.arg: each.value for each in call.keywords}
    if stars.count(True) == 1 and stars[-1] and None not in named:
        rest = takes_rest(signature(args).parameters.values(), len(stars) - 1, named)
        if rest:
            whole = syntax.call("tuple", [call.args[-1].value], call)
            given = bound_arguments(args, syntax.with_(call, args=call.args[:-1]), scope)
            return {**given, rest: Rest(whole)}
    if any(stars) or any(each.arg is None for each in call.keywords):
        raise Unsupported(
            "this call cannot be followed: what is starred is not known here",
            scope.span(call),
            "Write its arguments out.",
        )
    try:
        return dict(signature(args).bind(*call.args, **named).arguments)
    except TypeError as error:
        raise Unsupported(
            f"this call cannot be followed: {error}",
            scope.span(call),
            "Give it the arguments that it takes, each written out.",
        ) from error


def in_order(given: Mapping[str, Any], call: Any) -> list[tuple[str, Any]]:
    """Return what parameters are given as a call evaluates it: its arguments from left to right."""
    written = [*call.args, *(each.value for each in call.keywords)]
    order = {id(value): at for at, value in enumerate(written)}
    starred = len(call.args) - 1  # where what *args takes of it stands
    return sorted(given.items(), key=lambda item: order.get(id(item[1]), starred))
