"""A pattern of a rule is laid over an operation: which operand does each parameter stand for?

np.roll(a, shift, axis)  over  np.roll(u, shift=1)     {"a": u, "shift": 1}

Arguments bind by NumPy's own parameter names. A keyword that a pattern does not spell fits
nothing: it is refused, never ignored.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import Parameter
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, call, global_, keywords, object_of, positional
from s2sad.ir.types import Array, Length, Number
from s2sad.operators.guards import is_display, literal, value_of
from s2sad.operators.heads import head_of_function
from s2sad.operators.rule import Rule
from s2sad.operators.table import calls_one

Bound = dict[str, Expr]
Place = tuple[str | None, Expr, Expr | None]  # the user's keyword, the pattern's part, the user's


def bind(rule: Rule, pattern: Expr, expr: Expr, bound: Bound) -> bool:
    """Fill `bound` with what the parameters of a pattern stand for; tell whether it fits."""
    match pattern.op:
        case "name":
            return _bind_parameter(rule, pattern.data.name, expr, bound)
        case "starred" if expr.op == "starred" and is_display(expr.args[0]):
            if pattern.args[0].op == "name":  # the arguments themselves, not a list of them
                return bound.setdefault(pattern.args[0].data.name, expr.args[0]) == expr.args[0]
        case "global":
            return expr.op in ("global", "function") and _is_same(pattern, expr)
        case "call":
            return expr.op == "call" and _bind_call(rule, pattern, expr, bound)
        case "constant" | "unary" if (number := literal(pattern)) is not None:
            return literal(expr) == number
        case "constant":
            known = value_of(expr)
            return type(known) is type(pattern.data) and bool(known == pattern.data)
    if (pattern.op, pattern.data, len(pattern.args)) != (expr.op, expr.data, len(expr.args)):
        return False
    pairs = zip(pattern.args, expr.args, strict=True)
    if expr.op == "binary" and not any(isinstance(arg.type, Array) for arg in expr.args):
        return all(_bind_as_it_stands(rule, *pair, bound) for pair in pairs)
    return all(bind(rule, *pair, bound) for pair in pairs)


def _bind_as_it_stands(rule: Rule, pattern: Expr, expr: Expr, bound: Bound) -> bool:
    """Bind an operand of no array: `xs + [y]` puts lists together, and is no sum of arrays."""
    is_of_literals = all(literal(part) is not None for part in expr.args)
    if pattern.op == "name" and is_display(expr) and not is_of_literals:
        return bound.setdefault(pattern.data.name, expr) == expr
    return bind(rule, pattern, expr, bound)


def _is_same(pattern: Expr, expr: Expr) -> bool:
    one = pattern.data.value
    other = expr.data.value if expr.op == "global" else expr.known and expr.known.value
    return one is other or head_of_function(one) == head_of_function(other)


def _bind_parameter(rule: Rule, name: str, expr: Expr, bound: Bound) -> bool:
    if name in rule.differentiable and not any(
        calls_one(pattern, "takes_display") for pattern in rule.patterns
    ):
        expr = as_array(expr)
    return bound.setdefault(name, expr) == expr


def as_array(expr: Expr) -> Expr:
    """Return a display of numbers as the array that it is as good as."""
    lengths = _lengths_of_numbers(expr) if is_display(expr) else None
    if lengths is None:
        return expr
    made = call(global_("np.array", np.array), expr)
    return made.typed(Array("float64", tuple(Length((), n) for n in lengths)))


def _lengths_of_numbers(expr: Expr) -> tuple[int, ...] | None:
    """Return the lengths of a display of real numbers; None of any other, or a ragged one."""
    if not expr.args:
        return None
    if all(literal(part) is not None or _is_real(part) for part in expr.args):
        return (len(expr.args),)
    inner = {_lengths_of_numbers(part) if is_display(part) else None for part in expr.args}
    first = inner.pop()
    return None if inner or first is None else (len(expr.args), *first)


def _is_real(part: Expr) -> bool:
    return isinstance(part.type, Number) and part.type.dtype[0] in "fiu"


# ---------------------------------------------------------------------------- calls


def _bind_call(rule: Rule, pattern: Expr, expr: Expr, bound: Bound) -> bool:
    if not bind(rule, pattern.args[0], expr.args[0], bound):
        return False
    found = places(pattern, expr)
    if found is None:
        return False
    for _, part, given in found:
        if given is None:
            if part.op != "name" or part.data.name not in rule.defaults:
                return False
        elif not bind(rule, part, given, bound):
            return False
    return True


def places(pattern: Expr, expr: Expr) -> list[Place] | None:
    """Pair each argument of a pattern with the user's, under the keyword that the user wrote.

    None where the user gives what the pattern does not spell.
    """
    spelled = positional(pattern)
    args, given = _args_as_in(pattern, expr)
    pairs = _positional_places(spelled, args)
    if pairs is None:
        return None
    found: list[Place] = list(pairs)
    for part in spelled[len(pairs) :]:
        key = part.data.name if part.op == "name" else ""
        found.append((key, part, given.pop(key, None)))
    for key, part in keywords(pattern).items():
        found.append((key, part, given.pop(key, None)))
    return None if given else found


def _args_as_in(pattern: Expr, expr: Expr) -> tuple[tuple[Expr, ...], dict[str, Expr]]:
    """Return the arguments by position and by name; what the pattern spells by name is by name."""
    args, given = positional(expr), keywords(expr)
    spelled = positional(pattern)
    count = len(spelled)
    if len(args) <= count or not pattern.data or any(map(is_starred, spelled)):
        return args, given
    names = names_of(expr.args[0])[count : len(args)]
    if len(names) < len(args) - count or given.keys() & {*names}:
        return args, given
    return args[:count], {**dict(zip(names, args[count:], strict=True)), **given}


def is_starred(expr: Expr) -> bool:
    """Tell whether an argument stands for several."""
    return expr.op == "starred"


def _positional_places(spelled: tuple[Expr, ...], given: tuple[Expr, ...]) -> list[Place] | None:
    if spelled and is_starred(spelled[-1]):
        first, rest = given[: len(spelled) - 1], given[len(spelled) - 1 :]
        is_spread = len(rest) == 1 and is_starred(rest[0])  # as good as its parts
        if not rest or any(map(is_starred, first if is_spread else given)):
            return None
        if not is_spread:
            given = (*first, Expr("starred", (Expr("tuple", rest),), "*"))
    elif any(map(is_starred, given)):
        return None
    if len(given) > len(spelled):
        return None
    return [(None, part, arg) for part, arg in zip(spelled, given, strict=False)]


# ---------------------------------------------------------------------------- the form


def form_of(rule: Rule, pattern: Expr, expr: Expr) -> Expr:
    """Return an operation that a pattern fits, with the parameters in place of its operands."""
    if pattern.op == "name":
        return pattern
    if pattern.op == "constant":
        return pattern  # what the user has there may be a name that is known to be this value
    if pattern.op == "global":
        return expr
    if pattern.op != "call":
        pairs = zip(pattern.args, expr.args, strict=False)
        return expr.with_args(form_of(rule, *pair) for pair in pairs)
    function = form_of(rule, pattern.args[0], expr.args[0])
    found = places(pattern, expr) or []
    formed = [(key, form_of(rule, part, given)) for key, part, given in found if given is not None]
    plain = [value for key, value in formed if key is None]
    named = {key: value for key, value in formed if key is not None}
    return Expr("call", (function, *plain, *named.values()), tuple(named), expr.type)


def holes_of(pattern: Expr) -> Iterator[str]:
    """Yield the names of the parameters in a pattern, once for each place."""
    if pattern.op == "name":
        yield pattern.data.name
    for arg in pattern.args:
        yield from holes_of(arg)


# ---------------------------------------------------------------------------- parameters

POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
# what a ufunc may be told, as NumPy documents it: a signature of its own it has not
OF_UFUNCS: Mapping[str, Any] = {
    "out": None,
    "where": True,
    "casting": "same_kind",
    "order": "K",
    "dtype": None,
    "subok": True,
    "signature": None,
}
# what functions may be told of which Python knows no signature
OF_OTHERS: Mapping[str, Any] = {"out": None, "dtype": None}


def parameters_of(function: Expr) -> tuple[Parameter, ...]:
    """Return the parameters of a function or of a method of arrays; none where they are not known."""
    if function.op == "attribute":
        return _parameters(getattr(np.ndarray, function.data, None))[1:]
    if function.op != "global":
        return ()
    value = function.data.value
    if isinstance(value, np.ufunc):
        return tuple(Parameter(f"x{k}", Parameter.POSITIONAL_ONLY) for k in range(value.nin))
    try:
        return _parameters(value)
    except TypeError:  # it has no hash, whatever its class says
        return ()


@cache
def _parameters(function: Any) -> tuple[Parameter, ...]:
    try:
        return tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return ()


def names_of(function: Expr) -> tuple[str, ...]:
    """Return the names of the parameters that can be given by position."""
    return tuple(each.name for each in parameters_of(function) if each.kind in POSITIONAL)


def defaults_of(function: Expr) -> Mapping[str, Any]:
    """Return what a function takes for what it is not given."""
    if isinstance(object_of(function), np.ufunc):
        return OF_UFUNCS
    parameters = parameters_of(function)
    return {each.name: each.default for each in parameters} if parameters else OF_OTHERS
