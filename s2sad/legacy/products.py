"""Products of derivative expressions become as short as they can, with every bit the same.

    2.0 * s * np.full_like(s * s, 0.5)      ->      s
    x_bar * 0.5                             ->      0.5 * x_bar

A power of two may be multiplied at any place of a product; any other constant stays at its own.
"""

from __future__ import annotations

from collections.abc import Callable
from math import frexp
from typing import Any

import numpy as np

from s2sad.legacy.facts import Fact, same_shape
from s2sad.legacy.facts.context import Reading
from s2sad.legacy.facts.expressions import fact_of
from s2sad.legacy.numerals import value_of
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.traverse import walk

Known = Callable[[Var], Fact]

# functions whose result is of the kind of their argument, and those that give no integer
SAME_KIND = frozenset({"np.sum", "_sum_to", "np.reshape", "np.abs", "np.roll", "np.copy"})
FLOATS = frozenset(
    f"{module}.{name}"
    for module in ("np", "math")
    for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "sinh", "cosh")
)


class _Lookup:
    """A function from values to facts, asked as a mapping is."""

    def __init__(self, known: Known):
        self.known = known

    def get(self, var: Var, default: Any = None) -> Fact:
        """Return what is known of a value."""
        return self.known(var)


def fact_of_expr(expr: Expr, known: Known) -> Fact:
    """Return what is known of an expression."""
    return known(expr) if isinstance(expr, Var) else fact_of(expr, Reading(_Lookup(known)))  # type: ignore[arg-type]


SEQUENCES = ("list", "tuple", "dict")


def is_surely_float(expr: Expr, known: Known) -> bool:
    """Tell whether an expression is surely no integer, nor a list: a factor of 1.0 may be dropped."""
    if isinstance(expr, Var) and known(expr).kind in SEQUENCES:
        return False
    match expr:
        case Var(slot) if "~bar" in slot or "~dot" in slot or slot.startswith("seed&"):
            return True
        case Const(value):
            return isinstance(value, float)
        case Op("+" | "-" | "*" | "/" | "u-", args) if any(is_surely_float(a, known) for a in args):
            return True
        case Call(Ref(text), (first, *_)) if text in SAME_KIND and is_surely_float(first, known):
            return True
        case Call(Ref(text)) if text in FLOATS:
            return True
    return fact_of_expr(expr, known).dtype.startswith(("float", "complex"))


def has_sign(expr: Expr, known: Known) -> bool:
    """Tell whether minus gives the negative of a value, as it does not of unsigned integers."""
    return is_surely_float(expr, known) or fact_of_expr(expr, known).dtype == "int64"


# ---------------------------------------------------------------- one product


def product(a: Expr, b: Expr, known: Known) -> Expr:
    """Return a * b, with signs outside, powers of two in front and spread numbers as numbers."""
    match a, b:
        case Op("u-", (inner,)), _ if has_sign(inner, known):
            return negative(product(inner, b, known))
        case _, Op("u-", (inner,)) if has_sign(inner, known):
            return negative(product(a, inner, known))
    if spreads(a, b, known):
        return _times_number(b, filling(a), known)
    if spreads(b, a, known):
        return _times_number(a, filling(b), known)
    for one, other in ((a, b), (b, a)):
        if isinstance(other, Const) and _fillable(one):
            return _filled(one, other, known)
    scale_a, rest_a = _split(a)
    scale_b, rest_b = _split(b)
    if rest_a is a and rest_b is b:
        return _ordered(a, b, known)
    if rest_a is None or rest_b is None:
        rest = rest_a if rest_b is None else rest_b
    else:
        rest = _ordered(rest_a, rest_b, known)
    return scaled(scale_a * scale_b, rest, known)


def negative(expr: Expr) -> Expr:
    """Return an expression with the other sign."""
    match expr:
        case Op("u-", (inner,)):
            return inner
    return Op("u-", (expr,))


def _times_number(expr: Expr, number: Expr, known: Known) -> Expr:
    match number:
        case Op("/", (Const(float() as value), count)) if _is_power_of_two(value):
            # rounded once, where expr * (1.0 / count) is rounded twice
            return Op("/", (product(expr, Const(value), known), count))
    return product(expr, number, known)


def scaled(scale: float, expr: Expr | None, known: Known) -> Expr:
    """Return a power of two times an expression."""
    if expr is None:
        return Const(scale)
    if scale == 1.0 and is_surely_float(expr, known):
        return expr
    if scale == -1.0 and is_surely_float(expr, known):
        return negative(expr)
    return _in_front(scale, expr)


def _in_front(scale: float, expr: Expr) -> Expr:
    match expr:
        case Op("*" | "/" as op, (first, second)):
            return Op(op, (_in_front(scale, first), second))
        case Const(float() as value) if value * scale / scale == value:
            return Const(value * scale)
    return Op("*", (Const(scale), expr))


def _split(expr: Expr) -> tuple[float, Expr | None]:
    """Return an expression as a power of two times a rest."""
    match expr:
        case Const(float() as value) if _is_power_of_two(value):
            return value, None
        case Op("*", (a, b)):
            (x, first), (y, second) = _split(a), _split(b)
            if first is a and second is b:
                return 1.0, expr
            if first is None or second is None:
                return x * y, first if second is None else second
            return x * y, Op("*", (first, second))
        case Op("/", (a, b)):
            scale, rest = _split(a)
            if scale != 1.0 and rest is not None:
                return scale, Op("/", (rest, b))
    return 1.0, expr


def _is_power_of_two(value: float) -> bool:
    return abs(frexp(value)[0]) == 0.5 and 1e-30 < abs(value) < 1e30


def _ordered(a: Expr, b: Expr, known: Known) -> Expr:
    """Return a * b with a constant or a number first."""
    if isinstance(b, Op) and value_of(b) is not None and value_of(a) is None:
        return Op("*", (b, a))  # 2 * np.pi
    if isinstance(a, Op) and a.op in ("*", "/"):
        return Op("*", (a, b))
    if isinstance(b, Const) and not isinstance(a, Const):
        return Op("*", (b, a))
    if isinstance(a, Const) and isinstance(b, Const):
        return _folded(a, b)
    if isinstance(b, Var) and known(b).is_scalar and fact_of_expr(a, known).is_array:
        return Op("*", (b, a))
    return Op("*", (a, b))


def _folded(a: Const, b: Const) -> Expr:
    x, y = a.value, b.value
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (x, y))
    return Const(x * y) if numbers else Op("*", (a, b))


# ---------------------------------------------------------------- numbers spread over a shape


def spreads(value: Expr, other: Expr, known: Known) -> bool:
    """Tell whether `value` only spreads a number over the shape that `other` has anyway."""
    like = _shape_giver(value)
    if like is None or not _is_number(filling(value), known):
        return False
    fact, beside = fact_of_expr(like, known), fact_of_expr(other, known)
    return same_shape(fact, beside) and _decides_dtype(beside.dtype, fact.dtype)


def _decides_dtype(dtype: str, spread: str) -> bool:
    """Tell whether a number times an array of `dtype` is what an array of `spread` makes of it."""
    if not dtype or (not spread and np.dtype(dtype).kind in "fc"):
        return True
    if not spread:
        return False  # a mask or a count has not the dtype of what it selects
    number = np.result_type(np.dtype(dtype), 1.0)
    return bool(np.result_type(np.dtype(dtype), np.dtype(spread)) == number)


def _shape_giver(value: Expr) -> Expr | None:
    match value:
        case Call(Ref("np.full_like"), (like, _), ()):
            return like
        case Call(Ref("np.broadcast_to"), (_, Attr(like, "shape")), ()):
            return like
        case Call(Ref("np.broadcast_to"), (_, Call(Ref("np.shape"), (like,), ())), ()):
            return like
    return None


def filling(value: Expr) -> Expr:
    """Return the number that np.full_like or np.broadcast_to spreads."""
    assert isinstance(value, Call)
    text = value.func.text if isinstance(value.func, Ref) else ""
    return value.args[1] if text == "np.full_like" else value.args[0]


def _fillable(value: Expr) -> bool:
    match value:
        case Call(Ref("np.full_like"), (Var(), Const(1.0)), ()):
            return True
    return False


def _filled(value: Expr, number: Expr, known: Known) -> Expr:
    assert isinstance(value, Call)
    return Call(value.func, (value.args[0], number))


def _is_number(expr: Expr, known: Known) -> bool:
    return isinstance(expr, Const) or fact_of_expr(expr, known).is_scalar


def shaped_like(call: Call, known: Known) -> Expr:
    """Return np.full_like(e, c) with a name in place of e that has its shape and dtype."""
    like, number = call.args
    named = name_of_shape(like, known, dtype=True)
    return call if named is None else Call(call.func, (named, number))


def name_of_shape(expr: Expr, known: Known, dtype: bool = False) -> Var | None:
    """Return a value in an expression that has the shape (and dtype) of all of it."""
    wanted = fact_of_expr(expr, known)
    for part in walk(expr):
        if isinstance(part, Var) and part != expr:
            fact = known(part)
            same = fact.kind == wanted.kind and same_shape(fact, wanted)
            if same and (not dtype or (fact.is_array and fact.dtype == wanted.dtype)):
                return part
    return None
