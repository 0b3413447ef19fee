"""The options of the functions that users call: each is named once, and what stands for it.

@public(Kept)
def vjp(function, wrt=None, *, argnums=None, **options)     s2sad.vjp(f, like=..., checkpoint=..., ...)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Literal, TypedDict, TypeVar

from s2sad.api.display.short import short
from s2sad.api.rules import Given
from s2sad.operators.schedules import Checkpoint

F = TypeVar("F", bound=Callable[..., Any])

One = str | int
Several = tuple[str | int, ...] | list[str | int]
Wrt = One | Several | None
Like = tuple[Any, ...] | None
# texts of templates, paths of files with them, or what rule_for gives
Rules = Given


class Shared(TypedDict, total=False):
    """What every derivative may be told."""

    like: Like
    rules: Rules


class Matrix(Shared, total=False):
    """What matrices may be told."""

    arrays: str


class Options(Matrix, total=False):
    """What one sweep may be told."""

    reassociate: bool


class Kept(Options, total=False):
    """What reverse mode may be told of the states it keeps."""

    checkpoint: Checkpoint
    memory: str | float | None


class Plain(Kept, total=False):
    """What reverse mode may be told of a function that returns nothing but what varies."""

    has_aux: Literal[False]


RAISES = """
Raises:
    ArgumentError: an argument that is no float, a result that is no scalar where one is asked for, a
        parameter that is not there, or arguments that do not fit.
    NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.
"""
# what stands for an option that is left out, where that is not None
LEFT_OUT = {"arrays": "numpy", "reassociate": False, "has_aux": False}


def public(options: type) -> Callable[[F], F]:
    """Return what makes a function one of those that users call with these options.

    Its signature names them, its docstring what it raises; its errors do not show what it calls.
    """
    asked = options.__annotations__

    def made(function: F) -> F:
        own = inspect.signature(function)
        known = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=LEFT_OUT.get(name))
            for name in asked
        ]
        whole = own.replace(parameters=[*known, *more])

        @functools.wraps(function)
        def called(*args: Any, **keywords: Any) -> Any:
            for name in keywords:
                if name not in whole.parameters:
                    problem = f"got an unexpected keyword argument {name!r}"
                    raise TypeError(f"{function.__name__}() {problem}")
            return function(*args, **keywords)

        shown: Any = short(called)
        shown.__signature__ = whole
        said, example, shows = inspect.cleandoc(function.__doc__ or "").partition("\nExample:")
        shown.__doc__ = f"{said}{RAISES}{example}{shows}"
        return shown  # type: ignore[no-any-return]

    return made
