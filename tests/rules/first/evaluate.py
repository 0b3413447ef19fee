"""Expressions of the rules become numbers, without the transformer and without text."""

from __future__ import annotations

import copy
import math
import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.templating import PRINTED_FUNCTION, printed_names, printed_source

OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "&": operator.and_,
    "|": operator.or_,
    "u-": operator.neg,
    "u+": operator.pos,
    "~": operator.invert,
    "not": operator.not_,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is_not": operator.is_not,
    "in": lambda x, z: x in z,
    "not_in": lambda x, z: x not in z,
    "slice": slice,
    "index": operator.getitem,
    "tuple": lambda *parts: parts,
    "list": lambda *parts: list(parts),
}


@cache
def printed_functions() -> Mapping[str, Any]:
    """Return the printed functions, compiled as a file that prints them all would be."""
    names: dict[str, Any] = {"np": np, "math": math, "scipy": sys.modules.get("scipy")}
    for name in printed_names():
        exec(printed_source(name), names)
    return names


def evaluate(expr: Expr, env: Mapping[str, Any]) -> Any:
    """Return the value of an expression whose Vars are looked up by slot."""
    match expr:
        case Const(value):
            return value
        case Var(slot):
            # a generator draws the same numbers each time
            return copy.deepcopy(env[slot]) if is_generator(env[slot]) else env[slot]
        case Ref(text, value):
            return printed_functions()[text] if value is PRINTED_FUNCTION else value
        case Attr(value, name):
            return getattr(evaluate(value, env), name)
        case Op("if", (test, then, orelse)):
            return evaluate(then if evaluate(test, env) else orelse, env)
        case Op("and", parts):
            return all(evaluate(part, env) for part in parts)
        case Op(op, parts):
            return OPERATORS[op](*_values(parts, env))
        case Call(func, args, keywords):
            named = {key: evaluate(value, env) for key, value in keywords}
            if isinstance(func, Ref) and func.text.startswith("np.random."):
                np.random.seed(7)
            return evaluate(func, env)(*_values(args, env), **named)
    raise TypeError(expr)


def is_generator(value: Any) -> bool:
    """Tell whether a value draws random numbers."""
    return isinstance(value, np.random.Generator)


def _values(parts: tuple[Expr, ...], env: Mapping[str, Any]) -> list[Any]:
    values: list[Any] = []
    for part in parts:
        if isinstance(part, Op) and part.op == "star":
            values.extend(evaluate(part.args[0], env))  # += would add an array to each
        else:
            values.append(evaluate(part, env))
    return values


@dataclass(frozen=True)
class Known:
    """What the transformer would know of a value: the attributes that guards ask for."""

    kind: str
    dtype: str = ""
    rank: int | None = None
    is_scalar: bool = False
    is_array: bool = False
    value: Const | None = None
    items: tuple[Any, ...] = ()

    @property
    def in_the_end(self) -> Known:
        """Return the same: these are values as they are."""
        return self


def known(value: Any) -> Known:
    """Return all that can be known of a value."""
    match value:
        case None:
            return Known("none", value=Const(None))
        case bool():
            return Known("bool", "bool", 0, True, value=Const(value))
        case int() | np.integer():
            return Known("int", "int64", 0, True)
        case float() | np.floating():
            return Known("float", str(np.result_type(value)), 0, True)
        case complex() | np.complexfloating():
            return Known("complex", str(np.result_type(value)), 0, True)
        case np.ndarray():
            return Known("array", str(value.dtype), value.ndim, False, True)
        case list() | tuple():
            return Known(type(value).__name__, items=tuple(map(known, value)))
        case np.random.Generator():
            return Known("generator")
    return Known(type(value).__name__)


def known_in(env: Mapping[str, Any]) -> Callable[[Expr], Known]:
    """Return the facts of expressions over the values of `env`."""
    return lambda expr: known(evaluate(expr, env))
