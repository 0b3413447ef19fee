"""Expressions of the rules become numbers, without the transformer: their text is evaluated.

values = Values({"x": np.ones(3)})
values.value(expr)       the number
values.infer(expr)       the expression, typed by what it is
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Variable, name
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Length, Number, Other, Reference, Region, Site, Tuple, Type
from s2sad.ir.walk import nodes, rebuilt

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
        held: dict[str, Any] = {}

        def by_name(node: Expr) -> Expr | None:
            if node.op != "global":
                return None
            held[f"_{len(held)}"] = node.data.value
            return name(Variable(f"_{len(held) - 1}"))

        text = expression(rebuilt(expr, by_name))
        given = {n: copy.deepcopy(v) if is_generator(v) else v for n, v in self.env.items()}
        if any(n.op == "global" and n.data.text.startswith("np.random.") for n in nodes(expr)):
            np.random.seed(7)
        return eval(text, {"np": np, **given, **held})


def is_generator(value: Any) -> bool:
    """Tell whether a value draws random numbers."""
    return isinstance(value, np.random.Generator)


def type_of(value: Any, regions: dict[Site, Region], site: Site = ()) -> Type:
    """Return the type of a value; lists are put into `regions`."""
    shape: tuple[int, ...] = np.shape(value) if isinstance(value, np.ndarray) else ()
    match value:
        case bool() | float() | complex() if not isinstance(value, np.generic):
            return Number(str(np.asarray(value).dtype))
        case int():
            return Number("int64", length=Length((), value))
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
