"""The arguments of a call in the text find the parameters of a function in the text.

def f(a, b=1, *, c=2): ...      f(x, c=y)       a: x, c: y        b is left to its default
"""

from __future__ import annotations

import inspect
from inspect import Parameter
from typing import Any

from s2sad.errors import Unsupported
from s2sad.scope import Scope


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
    starred = any(type(each).__name__ == "Starred" for each in call.args)
    if starred or any(each.arg is None for each in call.keywords):
        raise Unsupported(
            "this call cannot be followed: what is starred is not known here",
            scope.span(call),
            "Write its arguments out.",
        )
    named = {each.arg: each.value for each in call.keywords}
    try:
        return dict(signature(args).bind(*call.args, **named).arguments)
    except TypeError as error:
        raise Unsupported(
            f"this call cannot be followed: {error}",
            scope.span(call),
            "Give it the arguments that it takes, each written out.",
        ) from error
