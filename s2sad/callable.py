"""A derivative as a function: the text for what it is called with, derived once and cached.

df = DerivativeFunction(request)     # derives the text that is right for any arguments
df(x, W, b)                          # runs the text for an array x, an array W and a float b
"""

from __future__ import annotations

import ast
import copy
import importlib
import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from inspect import BoundArguments, Parameter, Signature
from pathlib import Path
from typing import Any

import numpy as np

from s2sad.arguments import (
    Given,
    bind,
    check_arguments,
    check_tangent,
    exact_kind,
    facts_of,
    is_real_scalar,
)
from s2sad.compile import Compiled, compiled, raised_in
from s2sad.errors import ArgumentError, S2sadError, Span, Unsupported
from s2sad.facts import Fact
from s2sad.pipeline import Derivative, Request, derive, name_of
from s2sad.places import parameter_place, result_place, takes_objects

# distinct sets of argument shapes that are remembered before the fast table starts again
_REMEMBERED = 1024


class DerivativeFunction:
    """A derivative that is called like the function it was made from."""

    __name__: str
    __qualname__: str

    def __init__(self, request: Request):
        self.request = request
        self.__wrapped__ = request.function
        self.__name__ = name_of(request)
        self.__qualname__ = _renamed(request.function.__qualname__, self.__name__)
        self.__module__ = request.function.__module__
        self.__doc__ = _docstring(request)
        self._lock = threading.RLock()
        self._exact: dict[tuple[Any, ...], Compiled] = {}
        self._derived: dict[Given | None, Derivative] = {}
        self._compiled: dict[Given | None, Compiled] = {}
        self.extra = extra_parameters(request, self._derive_at_once())
        self.__signature__ = derivative_signature(request, self.extra)
        self._most = most_positional(self.__signature__)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if len(args) > self._most:
            args, keywords = self._named(args, keywords)
        key = tuple(map(exact_kind, args))
        if keywords:
            key += (*keywords, *map(exact_kind, keywords.values()))
        made = self._exact.get(key)
        if made is None:
            made = self._specialised(key, args, keywords)
        try:
            return made.function(*args, **keywords)
        except ValueError as error:
            if not self._assumed(error, made):
                raise
        return self._without_assumptions(key, args, keywords)

    @property
    def source(self) -> str:
        """The whole text as `save` writes it."""
        return self.derivative(self.request.given).source

    @property
    def graph(self) -> Any:
        """The dataflow graph of the derivative."""
        return self.derivative(self.request.given).graph

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the text to a file that runs on its own and return its path."""
        self.refuse_unreachable()
        target = Path(path)
        target.write_text(self.source, encoding="utf-8")
        return target

    def refuse_unreachable(self) -> None:
        """Raise if the text uses objects that a file of its own could not import."""
        unreachable = self.derivative(self.request.given).bindings
        if unreachable:
            raise ArgumentError(
                f"{self.__name__} cannot be saved: it uses {', '.join(sorted(unreachable))}",
                hint="A file can only hold numbers, short arrays and functions that write to nothing "
                "outside them. Pass it as an argument.",
            )

    def derivative(self, given: Given | None) -> Derivative:
        """Return the derivative for arguments of which `given` is known, None for any at all."""
        with self._lock:
            if given not in self._derived:
                function = _plain(self.request.function, given)
                asked = replace(self.request, function=function, given=given)
                self._derived[given] = _derived(asked)
            return self._derived[given]

    def emitted(self, given: Given | None) -> Compiled:
        """Return the derivative for `given` as a running function."""
        with self._lock:
            if given not in self._compiled:
                text = self.derivative(given)
                self._compiled[given] = compiled(text.source, text.name, text.bindings)
            return self._compiled[given]

    def __repr__(self) -> str:
        return f"<s2sad derivative {self.__module__}.{self.__qualname__}{self.__signature__}>"

    def __copy__(self) -> DerivativeFunction:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> DerivativeFunction:
        return self

    def __reduce__(self) -> str | tuple[Any, ...]:
        function = self.request.function
        if isinstance(function, DerivativeFunction):
            return DerivativeFunction, (self.request,)
        found = _importable(function.__module__, function.__qualname__)
        if found is self:
            return str(function.__qualname__)
        if found is not function:
            raise ArgumentError(
                f"{self.__name__} cannot be pickled: {function.__qualname__} of module "
                f"{function.__module__} is not what an import finds under that name"
            )
        return DerivativeFunction, (self.request,)

    def _named(
        self, args: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Give their names to seeds and tangents that follow all of the function's own arguments."""
        own, last = args[: self._most], args[self._most :]
        names = list(self.extra)
        if len(last) != len(names) or any(name in keywords for name in names):
            return args, keywords
        return own, {**keywords, **dict(zip(names, last, strict=True))}

    def _derive_at_once(self) -> Derivative | None:
        try:
            return self.derivative(self.request.given)
        except S2sadError as error:
            # an error that the kinds of the arguments may cure waits for them
            certain = getattr(error, "certain", True)
            if certain and (
                self.request.given is not None or not takes_objects(self.request.function)
            ):
                raise
        return None

    def _specialised(
        self, key: tuple[Any, ...], args: tuple[Any, ...], keywords: Mapping[str, Any]
    ) -> Compiled:
        bound = bind(self.__name__, self.__signature__, args, keywords, self._by_name())
        check_arguments(bound, self.request.wrt, self.extra, self._place)
        own = {name: value for name, value in bound.items() if name not in self.extra}
        if self.request.seed:
            self._check_seed(own, bound)
        given = facts_of(own)
        self._refuse_other_ranks(given)
        if not self.derivative(given).checked:
            self._check_scalar(own)
        return self._remember(key, self.emitted(given))

    def _by_name(self) -> str:
        named = [n for n, p in self.__signature__.parameters.items() if n in self.extra]
        kinds = {self.__signature__.parameters[name].kind for name in named}
        if Parameter.KEYWORD_ONLY not in kinds:
            return ""
        wanted = ", ".join(f"{name}=..." for name in named)
        return f"Give {wanted} by name: the function's own arguments may be left out."

    def _check_seed(self, own: dict[str, Any], bound: Mapping[str, Any]) -> None:
        (seed,) = self.extra
        place = partial(result_place, self.request.function)
        check_tangent(seed, bound[seed], "the result", self._result(own), place)

    def _check_scalar(self, own: dict[str, Any]) -> None:
        result = self._result(own)
        if is_real_scalar(result):
            return
        shape = f"an array of shape {np.shape(result)}"
        kind = shape if np.ndim(result) else f"a {type(result).__name__}"
        function = self.request.function
        raise ArgumentError(
            f"{function.__name__} returns {kind}, and grad takes a real scalar",
            result_place(function),
            "Use s2sad.vjp with a seed of the result's shape, or sum the result.",
        )

    def _result(self, own: dict[str, Any]) -> Any:
        # the text never needs the result itself: once for each set of shapes, find out what it is
        primal = self.request.function
        call = BoundArguments(own_signature(primal), copy.deepcopy(own))
        return primal(*call.args, **call.kwargs)

    def _remember(self, key: tuple[Any, ...], made: Compiled) -> Compiled:
        with self._lock:
            if len(self._exact) >= _REMEMBERED:
                self._exact.clear()
            self._exact[key] = made
        return made

    def _refuse_other_ranks(self, given: Given) -> None:
        made_for = dict(self.request.given or ())
        for name, fact in given:
            wanted = made_for.get(name)
            differs = wanted is not None and _difference(fact, wanted)
            if differs:
                is_, was = differs
                raise ArgumentError(
                    f"{name} {is_}, but {self.__name__} was made for a {name} {was}",
                    self._place(name),
                    "Leave out like=, or give arguments that are like those of the call.",
                )

    def _place(self, name: str) -> Span | None:
        return parameter_place(self.request.function, name)

    def _assumed(self, error: ValueError, made: Compiled) -> bool:
        return raised_in(error, made.filename) and str(error) in self._assumptions()

    def _assumptions(self) -> frozenset[str]:
        with self._lock:
            own = frozenset[str]().union(*(d.assumptions for d in self._derived.values()))
        inner = self.request.function
        return own | inner._assumptions() if isinstance(inner, DerivativeFunction) else own

    def _without_assumptions(
        self, key: tuple[Any, ...], args: tuple[Any, ...], keywords: Mapping[str, Any]
    ) -> Any:
        made = self._remember(key, self.emitted(None))
        try:
            return made.function(*args, **keywords)
        except ValueError as error:
            if not self._assumed(error, made):
                raise
            problem = str(error)
        raise ArgumentError(f"{self.__name__}: {problem}")


# ---------------------------------------------------------------------------- names


def _derived(request: Request) -> Derivative:
    try:
        return derive(request)
    except RecursionError:
        raise Unsupported(
            f"{request.function.__name__} is nested too deeply, or calls itself",
            hint="Split long expressions over several statements, and write recursion as a loop.",
        ) from None


def extra_parameters(request: Request, derived: Derivative | None) -> dict[str, str]:
    """Return the parameters that follow the primal's own, and whose tangent each is ('': none).

    Where the text is known its names count: they give way to the user's own.
    """
    tangents = request.mode == "forward"
    if not tangents and not request.seed:
        return {}
    names = [f"{name}_dot" for name in request.wrt] if tangents else ["seed"]
    if derived is not None:
        own = own_signature(request.function).parameters
        names = [name for name in _parameters(derived) if name not in own]
    return dict(zip(names, request.wrt if tangents else [""], strict=True))


def _parameters(derived: Derivative) -> list[str]:
    """Return the parameters of the emitted function, read off its text."""
    functions = (
        node for node in ast.parse(derived.source).body if isinstance(node, ast.FunctionDef)
    )
    args = next(node.args for node in functions if node.name == derived.name)
    return [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]


def derivative_signature(request: Request, extra: Iterable[str]) -> Signature:
    """Return the primal's parameters and the extra ones: keyword-only where they must be."""
    own = list(own_signature(request.function).parameters.values())
    positional = [p for p in own if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = [p for p in own if p not in positional]
    by_name = any(p.default is not p.empty for p in positional)
    by_name = by_name or any(p.kind is p.VAR_POSITIONAL for p in rest)
    kind = Parameter.KEYWORD_ONLY if by_name else Parameter.POSITIONAL_OR_KEYWORD
    added = [Parameter(name, kind) for name in extra]
    if not by_name:
        return Signature([*positional, *added, *rest])
    last = [p for p in rest if p.kind is p.VAR_KEYWORD]
    return Signature([*positional, *(p for p in rest if p not in last), *added, *last])


def most_positional(signature: Signature) -> int:
    """Return how many arguments may be given by position."""
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    if Parameter.VAR_POSITIONAL in kinds:
        return sys.maxsize
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(kind in positional for kind in kinds)


def own_signature(function: Callable[..., Any]) -> Signature:
    """Return the parameters of a function itself, not of what it may wrap."""
    if isinstance(function, DerivativeFunction):
        return function.__signature__
    return Signature.from_callable(function, follow_wrapped=False)


def _docstring(request: Request) -> str:
    wrt = ", ".join(request.wrt)
    name = request.function.__name__
    if request.mode == "forward":
        first = f"Value of {name} and its derivative along tangents of {wrt}."
    elif request.seed:
        first = f"Adjoints of {wrt} for an adjoint `seed` of the result of {name}."
    else:
        first = f"{'Value and gradient' if request.value else 'Gradient'} of {name} with "
        first += f"respect to {wrt}."
    own = (request.function.__doc__ or "").strip("\n")
    return f"{first}\n\n{own}" if own else first


def _renamed(qualname: str, name: str) -> str:
    outer, dot, _ = qualname.rpartition(".")
    return outer + dot + name


def _difference(fact: Fact, wanted: Fact) -> tuple[str, str] | None:
    """Return in which way an argument is not like that which a text was made for."""
    if fact.rank is not None and wanted.rank is not None:
        return None if fact.rank == wanted.rank else _worded(fact.rank, wanted.rank)
    held = ("list", "tuple", "dict")
    kinds = [kind if kind in held else "number or array" for kind in (fact.kind, wanted.kind)]
    if kinds[0] == kinds[1] or "unknown" in (fact.kind, wanted.kind):
        return None
    return f"is a {kinds[0]}", f"that is a {kinds[1]}"


def _worded(rank: int, wanted: int) -> tuple[str, str]:
    return f"has {_axes(rank)}", f"with {_axes(wanted)}"


def _axes(rank: int) -> str:
    return {0: "no axes", 1: "1 axis"}.get(rank, f"{rank} axes")


def _plain(function: Callable[..., Any], given: Given | None) -> Callable[..., Any]:
    """Return the function whose text is to be differentiated: that of a derivative, emitted."""
    if not isinstance(function, DerivativeFunction):
        return function
    if given is None or function.request.given is not None:
        return function.emitted(function.request.given).function
    own = tuple(pair for pair in given if pair[0] not in function.extra)
    return function.emitted(own).function


def _importable(module: str, qualname: str) -> Any:
    try:
        found: Any = importlib.import_module(module)
        for part in qualname.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found
