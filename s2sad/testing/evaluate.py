"""Expressions of the rules become numbers, without the transformer and without text.

values = Values({"x": np.ones(3)})
values.value(expr)       the number
values.infer(expr)       the expression, typed by what it is
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Variable, keywords, name, positional
from s2sad.ir.types import Array, Length, Number, Other, Reference, Region, Site, Tuple, Type
from s2sad.types.elementwise import BINARY, COMPARE, UNARY

BUILT: Mapping[str, Callable[..., Any]] = {
    "subscript": operator.getitem,
    "slice": slice,
    "tuple": lambda *parts: parts,
    "list": lambda *parts: list(parts),
}
# what is written, and takes no type of its own
UNTYPED = frozenset({"global", "constant", "starred", "slice"})


class Values:
    """Values of names: expressions over them are typed by what they are."""

    def __init__(self, env: Mapping[str, Any]) -> None:
        self.env = dict(env)
        self.regions: dict[Site, Region] = {}

    def named(self, called: str) -> Expr:
        """Return a name with the type of its value."""
        return name(Variable(called), type_of(self.env[called], self.regions, (called,)))

    def infer(self, expr: Expr) -> Expr:
        """Return an expression with the type of its value."""
        return expr.typed(type_of(self.value(expr), self.regions, (expr,)), expr.known)

    def typed(self, expr: Expr) -> Expr:
        """Return an operation in which every part has the type of its value."""
        if expr.op in ("name", "global", "constant"):
            return self.named(expr.data.name) if expr.op == "name" else expr
        made = expr.with_args(map(self.typed, expr.args))
        if made.op in UNTYPED:
            return made
        try:
            return self.infer(made)
        except Exception:
            return made

    def value(self, expr: Expr) -> Any:
        """Return the value of an expression; what draws draws the same numbers each time."""
        match expr.op:
            case "constant":
                return expr.data
            case "name":
                found = self.env[expr.data.name]
                return copy.deepcopy(found) if is_generator(found) else found
            case "global":
                return expr.data.value
            case "conditional":
                return self.value(expr.args[1 if self.value(expr.args[0]) else 2])
            case "and":
                return all(map(self.value, expr.args))
            case "or":
                return any(map(self.value, expr.args))
            case "call":
                return self._called(expr)
        args = self._values(expr.args)
        match expr.op:
            case "unary":
                return UNARY[expr.data](*args)
            case "binary":
                return BINARY[expr.data](*args)
            case "compare":
                return COMPARE[expr.data[0]](*args)
            case "attribute":
                return getattr(args[0], expr.data)
        return BUILT[expr.op](*args)

    def _values(self, parts: tuple[Expr, ...]) -> list[Any]:
        found: list[Any] = []
        for part in parts:
            if part.op == "starred":
                found.extend(self.value(part.args[0]))  # += would add an array to each
            else:
                found.append(self.value(part))
        return found

    def _called(self, expr: Expr) -> Any:
        function = expr.args[0]
        words = {key: self.value(value) for key, value in keywords(expr).items()}
        if function.op == "global" and function.data.text.startswith("np.random."):
            np.random.seed(7)
        return self.value(function)(*self._values(positional(expr)), **words)


def is_generator(value: Any) -> bool:
    """Tell whether a value draws random numbers."""
    return isinstance(value, np.random.Generator)


def type_of(value: Any, regions: dict[Site, Region], site: Site = ()) -> Type:
    """Return the type of a value; lists are put into `regions`."""
    shape: tuple[int, ...] = np.shape(value) if isinstance(value, np.ndarray) else ()
    match value:
        case bool() | int() | float() | complex() if not isinstance(value, np.generic):
            return Number(str(np.asarray(value).dtype))
        case np.generic():
            return Number(str(value.dtype), True)
        case np.ndarray():
            return Array(str(value.dtype), tuple(Length((), n) for n in shape))
        case tuple():
            return Tuple(_types_of(value, regions, site))
        case list():
            inner = _types_of(value, regions, site)
            regions[site] = Region(site, "list", inner[0] if inner else Other(None))
            return Reference(site)
    return Other(type(value))


def _types_of(parts: Any, regions: dict[Site, Region], site: Site) -> tuple[Type, ...]:
    at: tuple[Any, ...] = site if isinstance(site, tuple) else (site,)
    return tuple(type_of(part, regions, (*at, k)) for k, part in enumerate(parts))
