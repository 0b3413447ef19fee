"""The derivative of a function that takes *args or **kwargs: one for each way to call it.

df = grad(poly)            # def poly(x, *coefficients)
df(x, 1.0, 2.0)            # the derivative of poly(x, coefficients_1, coefficients_2)

A decorated function is one: its wrapper takes *args, and what it wraps names them.
"""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from types import FunctionType
from typing import Any

from s2sad.api.arguments import bind
from s2sad.emit.request import FORWARD
from s2sad.ir.errors import ArgumentError
from s2sad.source.given import Fit, fitted_to
from s2sad.source.read import signature_of, signature_place

OF_ONE_TEXT = ("source", "graph", "save", "refuse_unreachable")
VARIABLE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
# make(function, wrt) returns the derivative of a function with parameters of fixed number
Make = Callable[[FunctionType, Any], Any]


def is_variadic(function: Any) -> bool:
    """Tell whether a function takes *args or **kwargs."""
    if not isinstance(function, FunctionType):
        return False
    parameters = own_parameters(function)
    return any(each.kind in VARIABLE for each in parameters.values())


def own_parameters(function: Any) -> Mapping[str, Parameter]:
    """Return the parameters of a function itself, not of what it wraps."""
    return signature_of(function).parameters


def fixed(function: Any, args: tuple[Any, ...]) -> Any:
    """Return a function of *args with parameters for a call such as this; others as they are."""
    return function if not is_variadic(function) else _fixed(function, *_more(function, args, {}))


def _more(
    function: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> tuple[int, tuple[str, ...]]:
    """Return how many arguments *args takes of a call, and which **kwargs takes."""
    signature = Signature.from_callable(function, follow_wrapped=False)
    bound = bind(function.__name__, signature, args, keywords)
    kinds = {p.kind: name for name, p in signature.parameters.items() if p.kind in VARIABLE}
    more = len(bound.get(kinds.get(VARIABLE[0], ""), ()))
    return more, tuple(bound.get(kinds.get(VARIABLE[1], ""), ()))


def _fixed(function: FunctionType, more: int, keys: tuple[str, ...]) -> FunctionType:
    return fitted_to(function, Fit({}, {}, more, keys, _known_names(function, more)))


class VariadicDerivative:
    """A derivative that is called like the function it was made from, with any arguments."""

    def __init__(self, function: FunctionType, wrt: Any, form: str, name: str, make: Make):
        self.__wrapped__ = function
        self.__name__ = name
        self.__qualname__ = name
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__
        self._wrt, self._form, self._make = wrt, form, make
        self._made: dict[tuple[int, tuple[str, ...]], tuple[Any, dict[str, str]]] = {}
        self._lock = threading.RLock()

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        own, extra = self._split(keywords)
        derivative, names = self.fitted(args, own)
        named = {names.get(key, key): value for key, value in own.items()}
        return derivative(*args, **named, **extra)

    def __getattr__(self, name: str) -> Any:
        """Refuse what there is of one text alone."""
        if name not in OF_ONE_TEXT:
            raise AttributeError(name)
        raise ArgumentError(
            f"the text of {self.__name__} depends on how many arguments it is called with",
            signature_place(self.__wrapped__),
            "Give example arguments: like=(...).",
        )

    def __repr__(self) -> str:
        return f"<s2sad derivative {self.__module__}.{self.__qualname__}(*args, **kwargs)>"

    def fitted(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[Any, Any]:
        """Return the derivative for a call such as this, and what it calls its keywords."""
        more, keys = _more(self.__wrapped__, args, keywords)
        with self._lock:
            if (more, keys) not in self._made:
                self._made[more, keys] = self._derived(more, keys)
            return self._made[more, keys]

    def _derived(self, more: int, keys: tuple[str, ...]) -> tuple[Any, dict[str, str]]:
        function = self.__wrapped__
        made = _fixed(function, more, keys)
        own = list(own_parameters(made))
        names = dict(zip(keys, own[len(own) - len(keys) :], strict=True))
        several = isinstance(self._wrt, tuple | list)
        wanted = self._wrt if several else (self._wrt,)
        wrt = tuple(_parameter(function, names, each) for each in wanted)
        return self._make(made, wrt if several else wrt[0]), names

    def _split(self, keywords: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a call's arguments by name, and the seed or the tangents among them."""

        def is_extra(name: str) -> bool:
            if name in own_parameters(self.__wrapped__):
                return False
            if self._form == "vjp":
                return name == "seed"
            return self._form in FORWARD and name.endswith("_dot")

        extra = {name: value for name, value in keywords.items() if is_extra(name)}
        return {n: v for n, v in keywords.items() if n not in extra}, extra


def _known_names(function: Any, more: int) -> tuple[str, ...]:
    """Return what the arguments in *args are called by the function that a wrapper wraps."""
    if not hasattr(function, "__wrapped__"):
        return ()
    try:
        inner = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return ()
    plain = [p for p in inner if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    own = [p for p in own_parameters(function).values() if p.kind not in VARIABLE]
    before = sum(p.kind is not p.KEYWORD_ONLY for p in own)
    return tuple(p.name for p in plain[before : before + more])


def _parameter(function: Any, names: Mapping[str, str], wanted: Any) -> Any:
    """Return the parameter of the fitted function that is meant: by key, or as `args[1]`."""
    if wanted is None:
        return 0
    if not isinstance(wanted, str):
        return wanted
    if wanted in names:
        return names[wanted]
    kinds = {p.kind: name for name, p in own_parameters(function).items()}
    vararg = kinds.get(Parameter.VAR_POSITIONAL, "")
    element = re.fullmatch(r"(\w+)\[(\d+)\]", wanted)
    if element and element[1] == vararg:
        fixed = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        return sum(p.kind in fixed for p in own_parameters(function).values()) + int(element[2])
    if wanted in (vararg, kinds.get(Parameter.VAR_KEYWORD, "")):
        raise ArgumentError(
            f"{wanted} stands for several arguments of {function.__name__}",
            signature_place(function),
            f"Name those that are meant: wrt='{wanted}[0]', by key, or by position.",
        )
    return wanted
