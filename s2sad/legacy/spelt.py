"""A call is spelt as rules spell it: arguments in their places, and nothing that changes no value.

np.trapezoid(y=f, x=t)             ->    np.trapezoid(f, t)
np.max(A, 0, None, True)           ->    np.max(A, 0, keepdims=True)     `out` was left open
np.exp(x, out=None, where=True)    ->    np.exp(x)             what they would be anyway
np.copy(A, order="F")              ->    np.copy(A)            where it is held
np.sum(x, dtype=float)             ->    np.sum(x)             of float64 x; so with dtype=x.dtype
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from inspect import Parameter
from typing import Any

import numpy as np

from s2sad.legacy.facts.dtypes import dtype_of_object
from s2sad.legacy.guards import NOTHING
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref
from s2sad.source.optional import PREFIX

Ask = Callable[[Expr], Any]
Named = tuple[str, Expr]
# as NumPy documents them: a ufunc's signature does not tell
OF_UFUNCS: Mapping[str, Any] = {
    "out": None,
    "where": True,
    "casting": "same_kind",
    "order": "K",
    "dtype": None,
    "subok": True,
    "signature": None,
}
# of functions whose signature Python cannot tell
OF_OTHERS: Mapping[str, Any] = {"out": None, "dtype": None}
# in these `order` says how the result is held, not which element is where
LAID_OUT = frozenset("copy array asarray zeros_like ones_like full_like full astype".split())
# which way of sorting is taken decides nothing but the time
SORTED = frozenset("sort argsort partition argpartition".split())
# functions of NumPy that are written out, with those that they are given
TAKEN_APART = (np.piecewise, np.apply_along_axis)
PLACED = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def as_rules_spell(expr: Expr, fact: Ask) -> Expr:
    """Return a call with its arguments in their places, without those that change no value."""
    if not isinstance(expr, Call) or any(map(_is_star, expr.args)):
        return expr
    parameters = parameters_of(expr.func)
    named = _named(expr, parameters)
    if named is None:
        return expr
    known = _defaults(expr.func, parameters)
    kept = [each for each in named if not _says_nothing(expr, *each, known, fact)]
    args = tuple(_in_their_places(kept, parameters))
    return replace(expr, args=args, keywords=tuple(kept[len(args) :]))


def with_first_places(call: Call) -> Call:
    """Return a call of a function that is taken apart with what it must be given by position."""
    if not isinstance(call.func, Ref) or not call.keywords:
        return call
    if not (call.func.text.startswith(PREFIX) or call.func.value in TAKEN_APART):
        return call
    must = [each.name for each in parameters_of(call.func) if each.default is each.empty]
    if not any(key in must for key, _ in call.keywords):
        return call
    placed = as_rules_spell(call, lambda expr: NOTHING)
    return placed if isinstance(placed, Call) else call


def _is_star(part: Expr) -> bool:
    return isinstance(part, Op) and part.op == "star"


def _named(call: Call, parameters: Sequence[Parameter]) -> list[Named] | None:
    """Return every argument under a name, in the order of the parameters."""
    places = [each.name for each in parameters if each.kind in PLACED]
    match call.func:
        case Ref(_, np.ufunc() as ufunc) if ufunc.nout == 1:
            places = [*places, "out"]
    given = dict(call.keywords)
    if len(call.args) > len(places) or given.keys() & {*places[: len(call.args)]}:
        return None
    named = list(zip(places, call.args, strict=False))
    rest = [name for name in places[len(call.args) :] if name in given]
    rest += [name for name in given if name not in rest]
    return named + [(name, given[name]) for name in rest]


def _in_their_places(named: Sequence[Named], parameters: Sequence[Parameter]) -> Iterator[Expr]:
    """Yield the arguments that can be given by position: those before one that is left out."""
    for (name, value), each in zip(named, parameters, strict=False):
        if name != each.name or each.kind not in PLACED:
            return
        yield value


# ---------------------------------------------------------------------------- what says nothing


def _says_nothing(call: Call, key: str, value: Expr, known: Mapping[str, Any], fact: Ask) -> bool:
    if key in known and isinstance(value, Const):
        if type(value.value) is type(known[key]) and value.value == known[key]:
            return True
    elif key in known and known[key] is None and fact(value).kind == "none":
        return True
    match call.func:
        case Attr(owner, name):
            operands: list[Expr] = [owner, *call.args]
        case Ref(text) if text.startswith("np."):
            name, operands = text.removeprefix("np."), list(call.args)
        case _:
            return False
    if key == "subok":
        return True  # arrays of classes of their own are refused
    if key == "dtype":
        return _has_it_anyway([part for part in operands if part is not value], value, fact)
    if key == "order":
        return _is_ufunc(call.func) or name in LAID_OUT
    return key in ("kind", "stable") and name in SORTED


def _has_it_anyway(operands: list[Expr], dtype: Expr, fact: Ask) -> bool:
    """Tell whether what is made of some operands is of that precision without being asked."""
    match dtype:
        case Ref(_, value) | Const(value):
            asked = dtype_of_object(value)
        case Attr(owner, "dtype"):
            asked = fact(owner).dtype
        case _:
            asked = ""
    arrays = [known for known in map(fact, operands) if known.is_array or known.kind == "float"]
    known = asked in ("float32", "float64") and bool(arrays)
    return known and all(a.dtype == asked for a in arrays)


# ---------------------------------------------------------------------------- parameters


def _is_ufunc(func: Expr) -> bool:
    return isinstance(func, Ref) and isinstance(func.value, np.ufunc)


def _defaults(func: Expr, parameters: Sequence[Parameter]) -> Mapping[str, Any]:
    if _is_ufunc(func):
        return OF_UFUNCS
    return {each.name: each.default for each in parameters} if parameters else OF_OTHERS


def parameters_of(func: Expr) -> Sequence[Parameter]:
    """Return the parameters of a function or of a method of arrays; none where they are not known."""
    match func:
        case Attr(_, name):
            return _parameters(getattr(np.ndarray, name, None))[1:]
        case Ref(_, np.ufunc() as ufunc):
            return [Parameter(f"x{i}", Parameter.POSITIONAL_ONLY) for i in range(ufunc.nin)]
        case Ref(_, function):
            with suppress(TypeError):  # it may have no hash, whatever its class says
                return _parameters(function)
    return ()


@cache
def _parameters(function: Any) -> Sequence[Parameter]:
    try:
        return tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return ()
