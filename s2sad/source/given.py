"""What is given to be differentiated becomes a function of its own, whose text can be read.

functools.partial(misfit, W)     ->      def misfit(m, d): W = W_given ...
model.energy                     ->      def energy(x): ...     self being the model
cached(f), a classmethod, an object that can be called: the function behind it
"""

from __future__ import annotations

import ast
import functools
import inspect
import operator
from inspect import Parameter
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import gast

from s2sad.ir.errors import ArgumentError, Unsupported
from s2sad.ir.records import dataclass
from s2sad.source.fit import AS_IT_IS, Fit
from s2sad.source.installed import is_installed, is_ours
from s2sad.source.owners import is_function
from s2sad.source.read import read, signature_of
from s2sad.source.readable import as_written, python_of
from s2sad.source.remade import namespace, remade
from s2sad.source.rewriting import rewritten

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
            first = next(iter(signature_of(inner).parameters), "")
            named = type(given.__self__).__name__.lower() if inner.__name__ == "__call__" else ""
            return fitted_to(inner, Fit({first: given.__self__}, AS_IT_IS, ()), named)
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
    functions = {
        name: value
        for name, value in bound.items()
        if is_put_in(value) and not _by_name(name, given)
    }
    defaults = {name: value for name, value in bound.items() if _by_name(name, given)}
    constants = {n: v for n, v in bound.items() if n not in functions and n not in defaults}
    return fitted_to(inner, Fit(functions, AS_IT_IS, (), constants, defaults))


def _by_name(name: str, given: functools.partial[Any]) -> bool:
    return name in given.keywords


# ---------------------------------------------------------------------------- fitting


def fitted_to(function: FunctionType, fit: Fit, named: str = "") -> FunctionType:
    """Return a function like `function` for one way to call it, under the same name or `named`."""
    source = read(function)
    space = namespace(function)
    tree = _as_def(gast.gast_to_ast(source.tree))
    name = named or (function.__name__ if function.__name__.isidentifier() else tree.name)
    made = remade(rewritten(tree, fit, name, space, source), space, source)
    made.__doc__ = function.__doc__
    _same_defaults(made, function, fit)
    made.__dict__[_OF] = function
    made.__dict__[_FITTED] = Fitted(function.__code__, fit, named)
    return made


def _as_def(tree: Any) -> Any:
    """Return a lambda as the `def` that means the same; a `def` as it is."""
    if not isinstance(tree, ast.Lambda):
        return tree
    made = ast.copy_location(ast.parse("def function(): pass").body[0], tree)
    assert isinstance(made, ast.FunctionDef)
    made.args = tree.args
    made.body = [ast.copy_location(ast.Return(tree.body), tree.body)]
    return made


@dataclass(frozen=True, slots=True)
class Fitted:
    """How a function was fitted, and the code that the other one ran then."""

    code: CodeType
    fit: Fit
    named: str


_OF, _FITTED = "__s2sad_of__", "__s2sad_fitted__"


def refitted(function: Any) -> Any:
    """Return a fitted function anew where the one that it was made from runs other code by now."""
    if not isinstance(function, FunctionType) or _FITTED not in function.__dict__:
        return function
    fitted: Fitted = function.__dict__[_FITTED]
    before = function.__dict__[_OF]
    inner = refitted(before)
    same = inner is before and inner.__code__ is fitted.code
    return function if same else fitted_to(inner, fitted.fit, fitted.named)


def _same_defaults(made: FunctionType, function: FunctionType, fit: Fit) -> None:
    """Give a function the defaults that the one it was made from had when that was defined."""
    own = signature_of(function).parameters
    held = {n: p.default for n, p in own.items() if p.default is not p.empty} | {**fit.defaults}
    parameters = inspect.signature(made).parameters.values()
    given = [p for p in parameters if p.default is not p.empty]
    plain = [held[p.name] for p in given if p.kind is not Parameter.KEYWORD_ONLY]
    named = {p.name: held[p.name] for p in given if p.kind is Parameter.KEYWORD_ONLY}
    made.__defaults__, made.__kwdefaults__ = tuple(plain) or None, named or None
