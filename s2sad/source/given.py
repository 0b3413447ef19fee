"""What is given to be differentiated becomes a function of its own, whose text can be read.

functools.partial(misfit, W)     ->      def misfit(m, d): return misfit_of(W, m, d)
model.energy                     ->      def energy(x): return energy_of(self, x)
poly, for three arguments        ->      def poly(x, c_1, c_2): return poly_of(x, c_1, c_2)
cached(f), a classmethod, an object that can be called: the function behind it

Lowering enters what is called: the text of the derivative is that of the function itself.

@numba.njit                       drag      ->    the function that was decorated, drag.py_func
@numba.vectorize, @guvectorize    kernel    ->    a function that calls it element by element
operator.itemgetter(k)                      ->    a function that gives x[k]
"""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import math
import operator
import zlib
from collections.abc import Mapping
from inspect import Parameter
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import ArgumentError, Unsupported
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import free_name
from s2sad.source.files import run_text
from s2sad.source.owners import is_function, is_installed, is_ours
from s2sad.source.read import GIVEN, read, signature_of

PUT_IN = (functools.partial, MethodType, ModuleType)


def is_put_in(value: Any) -> bool:
    """Tell whether an argument has a text of its own: a function, a type of numbers, a module."""
    return isinstance(value, PUT_IN) or is_function(python_of(value))


def as_function(given: Any) -> Any:
    """Return the plain function that a partial object, a method or the like stands for.

    What is a function already, or none at all, comes back as it is.
    """
    match given := python_of(given):
        case functools.partial():
            return _of_partial(given)
        case MethodType():
            inner = as_function(given.__func__)
            if not isinstance(inner, FunctionType):
                return given
            named = type(given.__self__).__name__.lower() if inner.__name__ == "__call__" else ""
            return _of_method(inner, given.__self__, named)
        case functools._lru_cache_wrapper():
            return as_function(given.__wrapped__)
        case staticmethod():
            return as_function(given.__func__)
        case operator.itemgetter() | operator.attrgetter() | operator.methodcaller():
            return as_written(given) or given
    called = None if isinstance(given, type) else inspect.getattr_static(type(given), "__call__", 0)
    if isinstance(called, FunctionType) and not isinstance(given, FunctionType):
        other = is_ours(given) or is_installed(called)
        return given if other else as_function(MethodType(called, given))
    return given


def _of_method(function: FunctionType, owner: Any, named: str) -> FunctionType:
    """Return a function of what a method takes beside its object, which may be the first of *args."""
    first = next(iter(signature_of(function).parameters.values()), None)
    if first is None or first.kind is not Parameter.VAR_POSITIONAL:
        return fitted_to(function, Fit({} if first is None else {first.name: owner}), named)
    made = fitted_to(function, Fit({}, first=(owner,)), named)
    if hasattr(function, "__wrapped__"):  # which names the others
        made.__wrapped__ = MethodType(function.__wrapped__, owner)  # type: ignore[attr-defined]
    return made


def _of_partial(given: functools.partial[Any]) -> Any:
    inner = as_function(given.func)
    if not isinstance(inner, FunctionType):
        return given
    signature = signature_of(inner)
    try:
        bound = signature.bind_partial(*given.args, **given.keywords).arguments
    except TypeError as error:
        raise ArgumentError(
            f"{inner.__name__}{signature} does not take these arguments: {error}",
            hint="Give the partial object what the function takes.",
        ) from None
    variable = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    if any(signature.parameters[name].kind in variable for name in bound):
        raise Unsupported(
            f"this partial object gives what *args or **kwargs of {inner.__name__} take",
            hint="Write the function that you mean: def g(x): return f(x, ...).",
        )
    defaults = {name: value for name, value in bound.items() if name in given.keywords}
    return fitted_to(inner, Fit({n: v for n, v in bound.items() if n not in defaults}, defaults))


# ---------------------------------------------------------------------------- fitting


@dataclass(frozen=True, slots=True)
class Fit:
    """What a function is called with.

    `given` are the values of parameters that are given once for all, `defaults` those that a call
    may give another, by name. `more` is how many arguments `*args` takes and `keywords` which
    `**kwargs` does; where it is None they stay what they are. `names` are what the arguments in
    `*args` are called, as far as that is known. `first` is the object that stands in `*args` before all others.
    """

    given: Mapping[str, Any]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    more: int | None = None
    keywords: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    first: tuple[Any, ...] = ()


def fitted_to(function: FunctionType, fit: Fit, named: str = "") -> FunctionType:
    """Return a function that calls `function` in one way, under the same name or `named`."""
    source = read(function)
    own = function.__name__ if function.__name__.isidentifier() else "function"
    calling = _Calling(fit, gast.gast_to_ast(source.tree).args, named or own)
    tree, space = calling.tree(source.tree), {calling.called: function, **calling.space}
    made = _compiled(tree, {**space, "__name__": function.__module__}, function)
    _give_defaults(made, calling, {**_defaults_of(function), **fit.defaults})
    cells = {name: CellType(value) for name, value in space.items()}
    again = replace(source, function=made, tree=gast.ast_to_gast(tree), name=made.__name__)
    made.__dict__[GIVEN] = replace(again, cells=cells, called=function)
    made.__dict__[_FITTED] = Fitted(function.__code__, fit, named)
    return made


class _Calling:
    """The definition of a function that calls another, and what it names besides its parameters."""

    def __init__(self, fit: Fit, args: ast.arguments, name: str):
        self.fit, self.args, self.name = fit, args, name
        self.space: dict[str, Any] = {}
        self.positional: list[ast.arg] = []
        self.by_name: list[ast.arg] = []
        self.call = ast.Call(ast.Name("", ast.Load()), [], [])
        self.take()
        taken = {each.arg for each in (*self.positional, *self.by_name)} | {*self.space}
        self.called = free_name(f"{name}_of", taken)
        self.call.func = ast.Name(self.called, ast.Load())

    def take(self) -> None:
        """Take the parameters of the function one by one, as parameters or as what is given."""
        for each in (*self.args.posonlyargs, *self.args.args):
            # what has been given by name, and all behind it, is given by name from then on
            is_named = each.arg in self.fit.defaults or bool(self.by_name)
            self.call.args.append(self.value(each, is_named))
        for each in self.args.kwonlyargs:
            self.call.keywords.append(ast.keyword(each.arg, self.value(each, True)))
        for value in self.fit.first:
            self.space["self"] = value
            self.call.args.append(_name("self"))
        if self.fit.more is None:
            starred = [self.args.vararg] if self.args.vararg else []
            self.call.args += [ast.Starred(_name(each.arg), ast.Load()) for each in starred]
            whole = [self.args.kwarg] if self.args.kwarg else []
            self.call.keywords += [ast.keyword(None, _name(each.arg)) for each in whole]
        else:
            self.take_more(self.fit.more)

    def take_more(self, count: int) -> None:
        """Take what `*args` and `**kwargs` stand for."""
        own = {each.arg for each in (*self.positional, *self.by_name)} | {*self.space}
        star, stars = (each.arg if each else "" for each in (self.args.vararg, self.args.kwarg))
        wished = [f"{star}_{place + 1}" for place in range(count)]
        wished[: len(self.fit.names)] = [
            n if n not in own else w for n, w in zip(self.fit.names, wished, strict=False)
        ]
        for wish in wished:
            self.call.args.append(self.value(ast.arg(free_name(wish, own)), False))
            own.add(self.positional[-1].arg)
        for key in self.fit.keywords:
            name = free_name(f"{stars}_{key}" if key in own else key, own)
            self.call.keywords.append(ast.keyword(key, self.value(ast.arg(name), True)))
            own.add(name)

    def value(self, parameter: ast.arg, is_named: bool) -> ast.expr:
        """Return what the call hands over for a parameter."""
        if parameter.arg not in self.fit.given:
            own = ast.copy_location(ast.arg(parameter.arg), parameter)
            (self.by_name if is_named else self.positional).append(own)
            return _name(parameter.arg)
        value = self.fit.given[parameter.arg]
        is_plain_float = type(value) is float and math.isfinite(value)
        if value is None or type(value) in (bool, int, str) or is_plain_float:
            return ast.parse(repr(value), mode="eval").body
        self.space[parameter.arg] = value
        return _name(parameter.arg)

    def tree(self, original: Any) -> ast.FunctionDef:
        """Return the definition, in the place of the original one."""
        made = ast.parse(f"def {self.name}(): pass").body[0]
        assert isinstance(made, ast.FunctionDef)
        nothing: list[Any] = [None] * len(self.by_name)
        made.args = ast.arguments([], self.positional, None, self.by_name, nothing, None, [])
        if self.fit.more is None:
            made.args.vararg, made.args.kwarg = map(_bare, (self.args.vararg, self.args.kwarg))
        made.body = [ast.Return(self.call)]
        return ast.copy_location(made, original)


def _name(word: str) -> ast.Name:
    return ast.Name(word, ast.Load())


def _bare(parameter: ast.arg | None) -> ast.arg | None:
    """Return a parameter without its annotation, whose names belong to another module."""
    return None if parameter is None else ast.copy_location(ast.arg(parameter.arg), parameter)


def _compiled(tree: Any, space: dict[str, Any], function: FunctionType) -> FunctionType:
    """Return the function of a definition, of the module of another; it stands in no file."""
    path = f"<made {tree.name} {zlib.crc32(ast.dump(tree).encode()):x}>"
    whole = ast.fix_missing_locations(ast.Module([copy.deepcopy(tree)], []))
    held: dict[str, Any] = {}
    exec(compile(whole, path, "exec", dont_inherit=True), space, held)
    made: FunctionType = held[tree.name]
    made.__doc__ = function.__doc__
    return made


def _defaults_of(function: FunctionType) -> dict[str, Any]:
    parameters = signature_of(function).parameters.items()
    return {name: each.default for name, each in parameters if each.default is not each.empty}


def _give_defaults(made: FunctionType, calling: _Calling, values: Mapping[str, Any]) -> None:
    """Give a function the defaults of the one that it calls, as these are now."""
    plain = [each.arg for each in calling.positional if not calling.fit.more]  # else all are given
    named = [each.arg for each in calling.by_name]
    made.__defaults__ = tuple(values[name] for name in plain if name in values) or None
    made.__kwdefaults__ = {name: values[name] for name in named if name in values} or None


@dataclass(frozen=True, slots=True)
class Fitted:
    """How a function was fitted, and the code that the other one ran then."""

    code: CodeType
    fit: Fit
    named: str


_FITTED = "__s2sad_fitted__"


def refitted(function: Any) -> Any:
    """Return a fitted function anew where the one that it calls runs other code by now."""
    if not isinstance(function, FunctionType) or _FITTED not in function.__dict__:
        return function
    fitted: Fitted = function.__dict__[_FITTED]
    before = read(function).called
    inner = refitted(before)
    same = inner is before and getattr(inner, "__code__", None) is fitted.code
    return function if same else fitted_to(inner, fitted.fit, fitted.named)


def python_of(value: Any) -> Any:
    """Return the Python function behind one that Numba compiles; anything else as it is."""
    kind = type(value)
    if not kind.__module__.startswith("numba."):
        return value
    kernel = _kernel_of(value)
    if not isinstance(kernel, FunctionType):
        return value
    return _each(kernel) if type(value).__name__ == "DUFunc" else kernel


def _kernel_of(value: Any) -> Any:
    """Return what was decorated: dispatchers hold it, and ufuncs hold a dispatcher."""
    held = getattr(value, "_dispatcher", value)
    return getattr(held, "py_func", getattr(held, "_pyfunc", None))


@functools.lru_cache(maxsize=256)
def _each(kernel: FunctionType) -> FunctionType:
    """Return a function that calls one of numbers for each element of its arguments."""
    name = kernel.__name__
    params = list(kernel.__code__.co_varnames[: kernel.__code__.co_argcount])
    text = _text_of_each(name, params)
    path = f"<numba {name} {zlib.crc32(text.encode()):x}>"
    space: dict[str, Any] = {"np": np, f"{name}_of_one": kernel, "__name__": kernel.__module__}
    run_text(text, path, space)
    made: FunctionType = space[name]
    return made


def _text_of_each(name: str, params: list[str]) -> str:
    every = ", ".join(params)
    if len(params) == 1:
        (one,) = params
        return (
            f"def {name}({one}):\n"
            f"    found = np.array([{name}_of_one(item) for item in np.ravel({one})])\n"
            f"    return np.reshape(found, np.shape({one}))\n"
        )
    items = ", ".join(f"{each}_item" for each in params)
    shapes = ", ".join(f"np.shape({each})" for each in params)
    flat = ", ".join(f"np.ravel(np.broadcast_to({each}, {name}_shape))" for each in params)
    return (
        f"def {name}({every}):\n"
        f"    {name}_shape = np.broadcast_shapes({shapes})\n"
        f"    found = np.array([{name}_of_one({items}) for {items} in zip({flat})])\n"
        f"    return np.reshape(found, {name}_shape)\n"
    )


GETTERS: tuple[Any, ...] = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
LITERALS = (bool, int, float, str, slice, type(None))

_made: dict[str, FunctionType] = {}


def as_written(getter: Any) -> FunctionType | None:
    """Return the function that a getter stands for; None where its arguments are no literals."""
    args, keywords = _arguments(getter)
    if not all(isinstance(each, LITERALS) for each in (*args, *keywords.values())):
        return None
    name = type(getter).__name__
    text = f"def {name}(held):\n    return {_expression(name, args, keywords)}\n"
    if text not in _made:
        space: dict[str, Any] = {}
        run_text(text, f"<{name} {len(_made)}>", space)
        _made[text] = space[name]
    return _made[text]


def _arguments(getter: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return what a getter was made with, which only copying it tells."""
    made, args = getter.__reduce__()[:2]
    if isinstance(made, type):
        return args, {}
    return (*made.args, *args), made.keywords  # a partial object, where there are keywords


def _expression(name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> str:
    if name == "itemgetter":
        return ", ".join(f"held[{each!r}]" for each in args)
    if name == "attrgetter":
        return ", ".join(f"held.{each}" for each in args)
    given = [*map(repr, args[1:]), *(f"{key}={value!r}" for key, value in keywords.items())]
    return f"held.{args[0]}({', '.join(given)})"
