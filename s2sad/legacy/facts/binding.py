"""The arguments of a call are bound to the names that NumPy gives its parameters.

np.sum(x, axis=0)   ->   Bound(a=x, axis=0)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from s2sad.legacy.facts.context import Context, text_of
from s2sad.legacy.facts.dtypes import dtype_of_object, promoted
from s2sad.legacy.facts.fact import UNKNOWN, Dim, Fact, Shape, array, constant
from s2sad.legacy.facts.joins import element
from s2sad.legacy.program import NONE, Call, Const, Expr, Op, Ref

OPEN: Final = object()  # an argument that is given, but not known

FactOf = Callable[[Expr, Context], Fact]


@dataclass(frozen=True, slots=True)
class Bound:
    """A call whose arguments have names; `fact_of` looks at an argument."""

    ctx: Context
    call: Call
    exprs: dict[str, Expr]
    fact_of: FactOf

    @property
    def name(self) -> str:
        """Return what to call a length that this call makes."""
        return text_of(self.call)

    def has(self, name: str) -> bool:
        """Tell whether an argument is given, and not as None."""
        expr = self.exprs.get(name)
        return expr not in (None, NONE) and self.fact(name).kind != "none"

    def expr(self, name: str) -> Expr | None:
        """Return an argument as it stands."""
        return self.exprs.get(name)

    def fact(self, name: str) -> Fact:
        """Return what is known of an argument as it is."""
        expr = self.exprs.get(name)
        return UNKNOWN if expr is None else self.fact_of(expr, self.ctx)

    def array(self, name: str) -> Fact:
        """Return what is known of an argument once NumPy has made an array of it."""
        expr = self.exprs.get(name)
        return UNKNOWN if expr is None else as_array(expr, self.fact_of(expr, self.ctx), self.ctx)

    def constant(self, name: str, default: Any = None) -> Any:
        """Return the constant that is given for an argument, or OPEN."""
        expr = self.exprs.get(name)
        return default if expr is None else constant_of(expr, self.fact_of, self.ctx)

    def dtype(self, default: str, name: str = "dtype") -> str:
        """Return the dtype that is asked for, or the default."""
        if not self.has(name):
            return default
        asked = self.constant(name)
        return "" if asked is OPEN else dtype_of_object(asked)

    def shape(self, name: str) -> Shape:
        """Return the shape that an argument spells."""
        expr = self.exprs.get(name)
        return None if expr is None else spelled_shape(expr, self.fact_of, self.ctx)

    def length(self, name: str) -> Dim:
        """Return the length that an integer argument is."""
        return length_of(self.exprs[name], self.fact_of, self.ctx)


def bind(
    names: Sequence[str], call: Call, owner: Expr | None, ctx: Context, fact_of: FactOf
) -> Bound | None:
    """Bind a call's arguments (after `owner`, of a method); None where they do not fit."""
    args = call.args if owner is None else (owner, *call.args)
    if len(args) > len(names) or any(isinstance(a, Op) and a.op == "star" for a in args):
        return None
    exprs = dict(zip(names, args, strict=False))
    for key, value in call.keywords:
        if key in exprs or key not in names:
            return None
        exprs[key] = value
    return Bound(ctx, call, exprs, fact_of)


def constant_of(expr: Expr, fact_of: FactOf, ctx: Context) -> Any:
    """Return the Python value of an expression that is known at generation, or OPEN."""
    match expr:
        case Const(value) | Ref(_, value):
            return value
        case Op("u-", (Const(int() | float() as value),)):
            return -value
        case Op("tuple" | "list", args):
            values = tuple(constant_of(arg, fact_of, ctx) for arg in args)
            return OPEN if OPEN in values else values
    fact = fact_of(expr, ctx)
    if fact.value is not None:
        return fact.value.value
    return known_int(fact)


def known_int(fact: Fact) -> Any:
    """Return the value of an integer that is known at generation, or OPEN."""
    if fact.kind == "int" and isinstance(fact.extent, tuple) and not fact.extent[0].symbol:
        return fact.extent[0].offset
    return OPEN


# ---------------------------------------------------------------------------- shapes as arguments


def length_of(expr: Expr, fact_of: FactOf, ctx: Context) -> Dim:
    """Return an integer as a length."""
    fact = fact_of(expr, ctx)
    if fact.kind == "int" and isinstance(fact.extent, tuple):
        return fact.extent[0]
    return ctx.fresh("#" + text_of(expr), (expr,))


def spelled_shape(expr: Expr, fact_of: FactOf, ctx: Context) -> Shape:
    """Return the shape that an argument such as (3, n) or x.shape stands for."""
    if isinstance(expr, Op) and expr.op in ("tuple", "list"):
        if any(isinstance(arg, Op) and arg.op == "star" for arg in expr.args):
            return None
        return tuple(length_of(arg, fact_of, ctx) for arg in expr.args)
    fact = fact_of(expr, ctx)
    if fact.extent is not None:
        return fact.extent
    if fact.kind == "int":
        return (length_of(expr, fact_of, ctx),)
    if fact.kind == "tuple" and fact.shape is not None:
        name = text_of(expr)
        return tuple(_item_length(i, x, name, expr, ctx) for i, x in enumerate(fact.items))
    return None


def _item_length(number: int, item: Fact, name: str, expr: Expr, ctx: Context) -> Dim:
    if isinstance(item.extent, tuple):
        return item.extent[0]
    return ctx.fresh(f"#{name}[{number}]", (expr,))


# ---------------------------------------------------------------------------- arrays from anything


def as_array(expr: Expr, fact: Fact, ctx: Context) -> Fact:
    """Return the fact of np.asarray(expr); numbers stay numbers of shape ()."""
    return _array_called(text_of(expr), expr, fact, ctx)


def _array_called(name: str, expr: Expr, fact: Fact, ctx: Context) -> Fact:
    if fact.kind == "list" or (fact.kind == "tuple" and (fact.shape is not None or fact.items)):
        return _array_of_parts(name, expr, fact, ctx)
    return fact


def _array_of_parts(name: str, expr: Expr, fact: Fact, ctx: Context) -> Fact:
    # all rows are of one length, or NumPy raises: so one name does for all of them
    parts = [_array_called(f"{name}[]", _row(expr, at), item, ctx)
             for at, item in enumerate(element(item, lambda _: Dim("?")) for item in fact.items)]  # fmt: skip
    if not parts:
        return array("float64" if fact.kind == "tuple" else "", _no_parts(fact))
    # in a display a Python float counts as float64
    dtype = promoted(tuple(replace(part, weak=False) for part in parts))
    shape = parts[0].shape
    if any(part.shape != shape for part in parts) or not isinstance(shape, tuple):
        return array(dtype, None)
    inner = [d if d.symbol != "?" else ctx.fresh(f"{name}:{i}", (expr,))
             for i, d in enumerate(shape)]  # fmt: skip
    first = constant(len(parts))
    if fact.kind == "list" or fact.shape is None:
        count = _count(expr)
        first = ctx.fresh(f"len({name})", (expr,)) if count is None else constant(count)
    return array(dtype, (first, *inner))


def _count(expr: Expr) -> int | None:
    """Return how many items a display has, None where that is not written out."""
    if not isinstance(expr, Op) or expr.op not in ("list", "tuple"):
        return None
    starred = any(isinstance(arg, Op) and arg.op == "star" for arg in expr.args)
    return None if starred else len(expr.args)


def _row(expr: Expr, at: int) -> Expr:
    """Return what says most about the rows of a display; what is no display stands for its own."""
    if not _count(expr) or not isinstance(expr, Op):
        return expr
    displays = (arg for arg in expr.args if _count(arg) is not None)
    return next(displays, expr.args[min(at, len(expr.args) - 1)])


def _no_parts(fact: Fact) -> Shape:
    return (constant(0),) if fact.kind == "tuple" else None
