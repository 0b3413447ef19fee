"""Which function a call is of: behind a name, a partial object, a method, an entry of a table.

f = np.sin; f(x)                        np.sin(x)
h = partial(misfit, W); h(m)            misfit(W, m)
MODEL.energy(x)                         energy(x), MODEL being what it reads
ACTIVATIONS["tanh"](x)                  np.tanh(x)
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
from dataclasses import dataclass, replace
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import S2sadError, Unsupported
from s2sad.legacy.generators import as_list, is_consumed, is_generator
from s2sad.legacy.higher import (
    along_axis,
    as_quadrature,
    as_ref,
    each_number,
    each_pair,
    gives_integers,
    piecewise,
)
from s2sad.legacy.program import (
    Assign,
    Attr,
    Call,
    Const,
    Expr,
    Op,
    Opaque,
    Ref,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.rules import is_known
from s2sad.legacy.scope import Scope
from s2sad.legacy.traverse import reads
from s2sad.source.functions import FUNCTION_TYPES, Tabulated, is_function, name_of
from s2sad.source.getters import GETTERS, as_written
from s2sad.source.given import as_function, refitted
from s2sad.source.installed import is_installed, is_installed_path, is_ours
from s2sad.source.outside import LONGEST
from s2sad.source.text import MISSING

PARTIAL = Ref("functools.partial", functools.partial)
CACHED = functools._lru_cache_wrapper
LITERALS = (bool, int, float, str, type(None))
HOLDERS = (functools.partial, MethodType, CACHED, *GETTERS)

_made: dict[Any, tuple[Any, Any]] = {}
_methods: dict[tuple[Any, int], Any] = {}


def function_of(expr: Expr, scope: Scope) -> Expr | None:
    """Return the function that an expression is known to be, or a partial of one; else None."""
    match expr:
        case Var():
            return scope.held.functions.get(expr)
        case Ref(text, value) if is_function(value):
            return expr
        case Ref(text, functools.partial() as value):
            return _ref(text, as_function_once(value)) or _partial_of_library(value)
        case Ref(text, value) if isinstance(value, HOLDERS):
            return _ref(text, as_function_once(value))
        case Call(Ref(value=type() as called), args, ()) if called in GETTERS:
            return _getter(called, args)
        case Call(Ref(value=functools.partial), (first, *rest), keywords):
            inner = function_of(first, scope)
            return None if inner is None else Call(expr.func, (inner, *rest), keywords)
        case Call(Ref(value=called), (first,), ()) if called is np.vectorize:
            return Call(PARTIAL, (as_ref(each_number), first))
        case Op("index", (Var() as owner, key)) if owner in scope.held.displays:
            return _shown(scope.held.displays[owner], _constant(key, scope), scope)
        case Call(Ref(value=called), (Ref(_, owner), key), ()) if called is getattr:
            known = _constant(key, scope)
            return None if known is None else _attribute(owner, known.value)
        case Call(Attr(Ref(_, dict() as table), "get"), (key, *other), ()):
            known = _constant(key, scope)
            if known is None:
                return None
            held = _ref_of(table.get(known.value))
            return function_of(other[0], scope) if held is None and other else held
        case Attr(owner, name):
            holder = object_of(owner, scope)
            if isinstance(holder, Some):
                return _method_of_some(holder, owner, name, scope)
            if isinstance(holder, ModuleType) and isinstance(owner, Var):
                return _attribute(holder, name)
            own = getattr(holder, "__dict__", {})
            return (
                _ref_of(own[name], name)
                if name in own and _is_object(holder)
                else _method(holder, name, scope)
            )
        case Op("index"):
            return _ref_of(object_of(expr, scope))
    return None


def object_of(expr: Expr, scope: Scope) -> Any:
    """Return the object outside of the function that an expression surely is; MISSING for others.

    MODEL.layers[0]      the first layer, as the list is now: outside.py sees when it changes
    """
    match expr:
        case Ref(_, value):
            return value
        case Var():
            return scope.held.objects.get(expr, MISSING)
        case Attr(owner, name):
            holder = object_of(owner, scope)
            fields = isinstance(holder, ModuleType) or _is_object(holder)
            return vars(holder).get(name, MISSING) if fields else MISSING
        case Op("index", (owner, key)):
            holder, known = object_of(owner, scope), _constant(key, scope)
            if known is None or not isinstance(holder, dict | list | tuple):
                return one_of(holder)
            try:
                return holder[known.value]
            except (LookupError, TypeError):
                return MISSING
    return MISSING


@dataclass(frozen=True, slots=True)
class Some:
    """One of several objects of one class, which one is not known: an item of a list of them."""

    kind: type


def one_of(holder: Any) -> Any:
    """Return what is known of each item of a list of the module's: `for link in LINKS`."""
    if not isinstance(holder, list | tuple) or not 0 < len(holder) <= LONGEST:
        return MISSING  # outside.py sees when an item is exchanged, or another comes
    kinds = {type(item) for item in holder}
    return Some(kinds.pop()) if len(kinds) == 1 and _is_object(holder[0]) else MISSING


def _method_of_some(some: Some, owner: Expr, name: str, scope: Scope) -> Expr | None:
    """Return the method of an item of a list, bound to that: its function, given the item."""
    found = inspect.getattr_static(some.kind, name, None)
    if not isinstance(found, FunctionType):
        return None
    if is_installed(found) and not is_installed_path(scope.source.path):
        return None
    return Call(PARTIAL, (Ref(name, found), owner))


def _is_object(holder: Any) -> bool:
    """Tell whether something is an object of a class of the user's, with fields of its own."""
    foreign = isinstance(holder, ModuleType | type | np.ndarray | FunctionType) or is_ours(holder)
    return holder is not MISSING and not foreign and hasattr(holder, "__dict__")


def as_function_once(value: Any) -> Any:
    """Return the plain function behind an object, the same one each time.

    Python makes a bound method anew whenever it is read: it is known by what it is made of.
    """
    is_method = isinstance(value, MethodType)
    key = (value.__func__, id(value.__self__)) if is_method else id(value)
    kept = _made.get(key)
    if kept is None:
        kept = _made[key] = value, as_function(value)
    elif (again := refitted(kept[1])) is not kept[1]:
        kept = _made[key] = value, again
    return kept[1]


def _ref(text: str, value: Any) -> Ref | None:
    return Ref(text.rpartition(".")[2], value) if isinstance(value, FUNCTION_TYPES) else None


def _partial_of_library(value: functools.partial[Any]) -> Expr | None:
    """Return a partial of a function not written in Python, where it was given literals."""
    inner = _ref_of(value.func)
    given = (*value.args, *value.keywords.values())
    if inner is None or not all(isinstance(each, LITERALS) for each in given):
        return None
    keywords = tuple((name, Const(each)) for name, each in value.keywords.items())
    return Call(PARTIAL, (inner, *map(Const, value.args)), keywords)


def _getter(kind: type, args: tuple[Expr, ...]) -> Ref | None:
    """Return the function that operator.itemgetter(1) is."""
    values = [arg.value for arg in args if isinstance(arg, Const)]
    return _ref_of(as_written(kind(*values))) if values and len(values) == len(args) else None


def _constant(key: Expr, scope: Scope) -> Const | None:
    match key:
        case Const():
            return key
        case Op("u-", (Const(int(value)),)):
            return Const(-value)
        case Call(Attr(owner, "lower" | "upper" | "strip" | "casefold" as method), (), ()):
            text = _constant(owner, scope)
            known = text is not None and isinstance(text.value, str)
            return Const(getattr(text.value, method)()) if known else None  # type: ignore[union-attr]
        case Var():
            return scope.held.constants.get(key)
    return None


def _shown(parts: tuple[Expr, ...], key: Const | None, scope: Scope) -> Expr | None:
    """Return the function that stands in a display of the function's own."""
    at = None if key is None else key.value
    if not isinstance(at, int) or not -len(parts) <= at < len(parts):
        return None
    return function_of(parts[at], scope)


def _attribute(owner: Any, name: Any) -> Ref | None:
    """Return what getattr(np, "sin") is."""
    value = getattr(owner, name, None) if isinstance(owner, ModuleType) else None
    return _ref_of(value)


def _ref_of(value: Any, held_as: str = "") -> Ref | None:
    """Return a function under its own name; what is only as good as one, as what holds it says."""
    if isinstance(value, HOLDERS) or (_is_object(value) and callable(value)):
        value = as_function_once(value)
    if not isinstance(value, FUNCTION_TYPES):
        return None
    own = held_as if held_as and isinstance(value, Tabulated) else name_of(value)
    if getattr(np, own, None) is value or getattr(math, own, None) is value:
        return Ref(f"{'np' if getattr(np, own, None) is value else 'math'}.{own}", value)
    return Ref(own if own.isidentifier() else "function", value)


def _method(owner: Any, name: str, scope: Scope) -> Ref | None:
    """Return the method of an object of the user's module, which the function then reads.

    Where it is a library's function that is read, its objects have methods as well.
    """
    if isinstance(owner, ModuleType | type | np.ndarray) or name in getattr(owner, "__dict__", {}):
        return None
    if owner is MISSING or is_ours(owner):
        return None  # what is s2sad's own stands for itself
    found = inspect.getattr_static(type(owner), name, None)
    if isinstance(found, staticmethod):
        return _ref(name, found.__func__)
    if isinstance(found, classmethod):
        return _ref(name, as_function_once(getattr(type(owner), name)))
    if not isinstance(found, FunctionType):
        return None
    if is_installed(found) and not is_installed_path(scope.source.path):
        return None
    kept = _methods.get((found, id(owner)))
    made = as_function(MethodType(found, owner)) if kept is None else refitted(kept)
    _methods[found, id(owner)] = made
    return _ref(name, made)


# ---------------------------------------------------------------------------- calls

OPERATORS: dict[Any, str] = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/",
    operator.pow: "**", operator.matmul: "@", operator.floordiv: "//", operator.mod: "%",
    pow: "**",
}  # fmt: skip


def as_operation(call: Call) -> Expr:
    """Return a call of a function of `operator`, or of pow(), as the operation that it is."""
    found = call.func.value if isinstance(call.func, Ref) else None
    if call.keywords or not isinstance(found, BuiltinFunctionType):
        return call
    if len(call.args) == 1 and found is operator.neg:
        return Op("u-", call.args)
    starred = any(isinstance(arg, Op) and arg.op == "star" for arg in call.args)
    if len(call.args) != 2 or starred or found not in OPERATORS:
        return call
    return Op(OPERATORS[found], call.args)


def seen_through(call: Call, node: Any, scope: Scope) -> Call:
    """Return a call as one of the function behind what is called, and of those handed on."""
    if isinstance(call.func, Ref) and _keeps(call.func.value) and not scope.opens_here(node):
        return call  # what nothing is asked of keeps what it has computed
    func = _called(call.func, scope)
    if isinstance(func, Ref) and func.value is np.piecewise:
        call = _in_pieces(call, scope)
        func = call.func
    if isinstance(func, Ref) and func.value is np.apply_along_axis and len(call.args) == 3:
        func = as_ref(along_axis)
    if isinstance(func, Ref) and func.text.startswith("scipy.integrate."):
        call = _with_quadrature(call, func, scope)
        func = call.func
    if isinstance(func, Call) and func.args:
        _refuse_changed(func, node, scope)
        named = {**dict(func.keywords), **dict(call.keywords)}
        args = (*func.args[1:], *call.args)
        if func.args[0] == as_ref(each_number):
            return _vectorized(call, args, node, scope)
        return seen_through(Call(func.args[0], args, tuple(named.items())), node, scope)
    if isinstance(func, Ref) and is_generator(func.value) and is_consumed(node):
        made = as_list(func.value)
        func = Ref(made.__name__, made)
    call = replace(call, func=func)
    if not isinstance(func, Ref) or not isinstance(func.value, FunctionType) or is_known(call):
        return call
    args = tuple(_handed(arg, node, scope) for arg in call.args)
    return Call(func, args, tuple((n, _handed(arg, node, scope)) for n, arg in call.keywords))


def _keeps(value: Any) -> bool:
    """Tell whether a function keeps something between calls: a cache, or as random.seed does."""
    bound = isinstance(value, MethodType) and isinstance(value.__func__, FunctionType)
    return isinstance(value, CACHED) or (bound and is_installed(value.__func__))


def _with_quadrature(call: Call, func: Ref, scope: Scope) -> Call:
    """Return fixed_quad or dblquad as a call of Python that calls the function it is given."""
    named = dict(call.keywords)
    if len(call.args) < 3 or not named.keys() <= {"n"}:
        return replace(call, func=func)
    given = tuple(_behind_a_name(each, scope) for each in call.args[1:])
    made = as_quadrature(func.text.rpartition(".")[2], call.args[0], given)
    if made is None:
        return replace(call, func=func)
    further = (named.get("n", Const(5)),) if made.__name__ == "fixed_quad" else ()
    return Call(Ref(made.__name__, made), (*call.args, *further))


def _behind_a_name(each: Expr, scope: Scope) -> Expr:
    made = (s.value for s in scope.out if isinstance(s, Assign) and s.targets == (each,))
    return next(made, each)


def _in_pieces(call: Call, scope: Scope) -> Call:
    """Return a call of np.piecewise as one of Python that calls each of its functions."""
    match call:
        case Call(_, (x, Op("list" | "tuple", tests), Op("list" | "tuple", pieces)), ()):
            if tests and len(pieces) - len(tests) in (0, 1):
                called = tuple(_is_called(each, scope) for each in pieces)
                return Call(Ref("piecewise", piecewise(called, len(tests))), (x, *tests, *pieces))
    return call


def _is_called(piece: Expr, scope: Scope) -> bool:
    if isinstance(piece, Var):
        made = (s.value for s in scope.out if isinstance(s, Assign) and s.targets == (piece,))
        found = next(made, piece)
        is_lambda = isinstance(found, Opaque) and isinstance(found.node, gast.Lambda)
        return is_lambda or piece in scope.held.functions
    return isinstance(piece, Ref) and callable(piece.value)


def _vectorized(call: Call, args: tuple[Expr, ...], node: Any, scope: Scope) -> Call:
    """Return a call of np.vectorize(f) as one of what calls f for each number."""
    made = {s.target: s.value for s in scope.out if isinstance(s, Assign) and not s.unpack}
    first = made.get(args[0]) if isinstance(args[0], Var) else args[0]
    first = function_of(first, scope) or first if first is not None else None
    if call.keywords or len(args) not in (2, 3) or gives_integers(first):
        return call
    whole = as_ref(each_number if len(args) == 2 else each_pair)
    return seen_through(Call(whole, args), node, scope)


def _called(func: Expr, scope: Scope) -> Expr:
    if isinstance(func, Ref) and isinstance(func.value, FUNCTION_TYPES):
        return func
    if isinstance(func, Ref) and isinstance(func.value, np.vectorize):
        inner = _vectorized_function(func.value)
        return func if inner is None else Call(PARTIAL, (as_ref(each_number), inner))
    if isinstance(func, Ref) and not isinstance(func.value, (*HOLDERS, type)):
        method = _method(func.value, "__call__", scope)
        return func if method is None else Ref(func.text.rpartition(".")[2], method.value)
    try:
        return function_of(func, scope) or func
    except S2sadError:
        return func


def _vectorized_function(value: Any) -> Ref | None:
    plain = value.signature is None and not value.excluded and value.otypes is None
    return _ref_of(value.pyfunc) if plain else None


def _handed(arg: Expr, node: Any, scope: Scope) -> Expr:
    """Return the function that an argument is, where it is one."""
    if not isinstance(arg, Var):
        return arg
    text = scope.held.constants.get(arg)
    if text is not None and isinstance(text.value, str):
        return text
    found = scope.held.functions.get(arg)
    if found is None:
        return arg
    _refuse_changed(found, node, scope)
    return found


def _refuse_changed(partial: Expr, node: Any, scope: Scope) -> None:
    """Refuse a partial of what has changed since: the name does not hold that value any more."""
    for var in reads(partial):
        if not is_temp(var.slot) and scope.held.values.get(var.slot) != var:
            raise Unsupported(
                f"{base(var.slot)} has changed since a function was given it",
                scope.span(node),
                "Give what it held a name of its own, or call the function with it here.",
            )
