"""What an operation on tangents is along many directions, by the family that it belongs to.

elementwise    x_dot * c              axes of the operands are put behind that of the directions
reductions     np.sum(x_dot, 0)       np.sum(x_dot, 1)
along an axis  np.roll(x_dot, 1)      np.roll(x_dot, 1, axis=1)
products       A @ x_dot              x_dot @ A.T
of matrices    np.tril(x_dot)         goes along the last axes anyway
layout         x_dot.T                np.swapaxes(x_dot, 1, 2)
joining        np.stack([x_dot, 0])   np.stack([x_dot, zeros], axis=1)
filling        np.full_like(a, c_dot) np.full((directions, *a.shape), c_dot[:, None])
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from s2sad.forward.axes import (
    NOTHING,
    array,
    axis_behind,
    broadcast,
    filled,
    flat,
    index_of,
    joined,
    rank_of,
    reshaped,
    side_by_side,
    transposed,
    two_axes,
)
from s2sad.ir.expression import EVERYTHING, Expr, attribute, call, keywords, positional
from s2sad.ir.types import Array, Number, Tuple
from s2sad.ir.walk import operands
from s2sad.operators.algebra import numpy_function
from s2sad.operators.table import has, traits_of, values
from s2sad.operators.trees import literal

if TYPE_CHECKING:
    from s2sad.forward.lifting import Lift

# what is handed to a function by the names of its parameters
Bound = Mapping[str, Expr]
Form = Callable[[Expr, "Lift", Bound], Expr | None]

ARITHMETIC = frozenset({"+", "-", "*", "/"})
OF_ARRAY = frozenset({"real", "imag"})


def form_of(expr: Expr, lift: Lift) -> Expr | None:
    """Return an operation along many directions, None where none is known."""
    match expr.op:
        case "unary":
            return expr.with_args(map(lift.operand, expr.args))
        case "binary" if expr.data in ARITHMETIC:
            return _elementwise(expr, lift)
        case "binary" if expr.data == "@":
            return _product(expr.args[0], expr.args[1], lift)
        case "compare":
            return _elementwise(expr, lift)
        case "attribute" if expr.data in OF_ARRAY:
            return expr.with_args(map(lift.operand, expr.args))
        case "attribute" if expr.data == "T":
            return transposed(expr, lift, {"a": expr.args[0]})
        case "call":
            return _called(expr, lift)
    return None


def _elementwise(expr: Expr, lift: Lift) -> Expr:
    """Return an operation whose operands are aligned; the first of a call is its function."""
    rank = max(rank_of(a.type) for a in (expr, *operands(expr)))
    args = tuple(lift.aligned(arg, rank) for arg in operands(expr))
    first = expr.args[:1] if expr.op == "call" else ()
    return Expr(expr.op, (*first, *args), expr.data, span=expr.span)


def _called(expr: Expr, lift: Lift) -> Expr | None:
    """Return a call of a function of NumPy, or of a method of an array."""
    function = expr.args[0]
    if function.op == "attribute" and isinstance(function.args[0].type, Array):
        return _method(expr, lift)
    if function.op != "global":
        return None
    value = function.data.value
    if isinstance(value, np.ufunc) or has(value, "elementwise"):
        is_plain = not expr.data and all(isinstance(a.type, Number | Array) for a in expr.args[1:])
        return _elementwise(expr, lift) if is_plain else None
    if value in (float, np.float64) and len(expr.args) == 2:
        return _as_number(expr.args[1], lift)
    form = FORMS.get(traits_of(value).get("many", ""))
    bound = None if form is None else _bound(value, positional(expr), keywords(expr))
    return None if form is None or bound is None else form(expr, lift, bound)


def _method(expr: Expr, lift: Lift) -> Expr | None:
    """Return x_dot.sum(...) as np.sum(x_dot, ...); copies stay as they are."""
    function = expr.args[0]
    owner, word = function.args[0], function.data
    if any(map(lift.carries, expr.args[1:])):
        return None
    if word in ("copy", "astype"):
        return expr.with_args((attribute(lift.operand(owner), word), *expr.args[1:]))
    if word == "item" and len(expr.args) == 1:
        return _as_number(owner, lift)
    args = positional(expr)
    if word in ("reshape", "transpose") and len(args) > 1:
        args = (Expr("tuple", args, None, Tuple(tuple(a.type for a in args))),)
    word = "ravel" if word == "flatten" else word
    if word not in values("many"):
        return None
    whole = (numpy_function(word), owner, *args, *keywords(expr).values())
    return _called(Expr("call", whole, expr.data, expr.type, None, expr.span), lift)


def _as_number(arg: Expr, lift: Lift) -> Expr | None:
    return lift.operand(arg) if rank_of(arg.type) == 0 else None


def _bound(function: Any, args: tuple[Expr, ...], named: Bound) -> dict[str, Expr] | None:
    """Return what the parameters of a function of NumPy are; None where that is not known."""
    try:
        found = inspect.signature(function).bind(*args, **named)
    except (TypeError, ValueError):
        return None
    return dict(found.arguments)


# ---------------------------------------------------------------------------- along axes


def _along(first: str, absent: str, name: str = "axis") -> Form:
    """Return the form of a function along an axis; without one it is for `absent`.

    "all": for all axes; "flat": of the array without axes; "last", "first": for that axis.
    """

    def form(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
        if _others_carry(bound, first, lift) or first not in bound:
            return None
        rank = rank_of(bound[first].type)
        axis = axis_behind(bound.get(name, NOTHING), absent, rank)
        if axis is None:
            return None
        return _rebuilt(expr, {**bound, first: lift.operand(bound[first]), name: axis})

    return form


def _rebuilt(expr: Expr, bound: Bound) -> Expr:
    """Return a call whose arguments after the first are named, those that may not be, in place."""
    function = expr.args[0]
    parameters = inspect.signature(function.data.value).parameters
    plain: list[Expr] = []
    named: dict[str, Expr] = {}
    skipped = False
    for key in parameters:
        if key not in bound:
            skipped = True
        elif skipped or key in ("axis", "keepdims", "dtype"):
            named[key] = bound[key]
            skipped = True
        else:
            plain.append(bound[key])
    return Expr("call", (function, *plain, *named.values()), tuple(named), span=expr.span)


def _others_carry(bound: Bound, first: str, lift: Lift) -> bool:
    return any(lift.carries(value) for key, value in bound.items() if key != first)


# ---------------------------------------------------------------------------- products


def _product(a: Expr, b: Expr, lift: Lift) -> Expr | None:
    """Return a @ b, of which one is a tangent."""
    ranks = rank_of(a.type), rank_of(b.type)
    if lift.carries(a) == lift.carries(b) or 0 in ranks:
        return None
    left, right = lift.operand(a), lift.operand(b)
    if lift.carries(a):
        return _matmul(left, right) if ranks[1] <= 2 or ranks[0] == ranks[1] else None
    if ranks[1] == 1:  # each direction is a row
        if ranks[0] > 2:
            return None
        return _matmul(right, attribute(left, "T") if ranks[0] == 2 else left)
    return _matmul(left, right) if ranks[0] <= 2 or ranks[0] == ranks[1] else None


def _matmul(a: Expr, b: Expr) -> Expr:
    return Expr("binary", (a, b), "@")


def _dot(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    if len(expr.args) != 3 or expr.data:
        return None
    a, b = expr.args[1:]
    ranks = rank_of(a.type), rank_of(b.type)
    if 0 in ranks:
        return _elementwise(Expr("binary", (a, b), "*", expr.type), lift)
    return _product(a, b, lift) if max(ranks) <= 2 else None


def _vectors(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    """Return np.inner and np.vdot of two real vectors."""
    ranks = [rank_of(a.type) for a in expr.args[1:]]
    is_real = all(getattr(a.type, "dtype", "c")[0] != "c" for a in expr.args[1:])
    return _dot(expr, lift, bound) if ranks == [1, 1] and is_real else None


def _outer(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    if len(expr.args) != 3 or expr.data or any(rank_of(a.type) != 1 for a in expr.args[1:]):
        return None
    a, b = expr.args[1:]
    front = (EVERYTHING,) if lift.carries(a) else ()
    column = Expr("subscript", (lift.operand(a), index_of(*front, EVERYTHING, NOTHING)))
    if not lift.carries(b):
        return Expr("binary", (column, b), "*")
    row = Expr("subscript", (lift.operand(b), index_of(EVERYTHING, NOTHING, EVERYTHING)))
    return Expr("binary", (column, row), "*")


# ---------------------------------------------------------------------------- matrices


def _of_stack(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    """Return what goes along the last axes of its first argument, a matrix at least."""
    first, *rest = expr.args[1:]
    if rank_of(first.type) < 2 or any(map(lift.carries, rest)):
        return None
    return expr.with_args((expr.args[0], lift.operand(first), *rest))


def _as_it_is(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    first, *rest = expr.args[1:]
    if any(map(lift.carries, rest)) or not isinstance(first.type, Array):
        return None
    return expr.with_args((expr.args[0], lift.operand(first), *rest))


def _of_matrix(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    """Return np.trace and np.diagonal of one matrix."""
    a = bound.get("a")
    if a is None or rank_of(a.type) != 2 or set(bound) - {"a", "offset"}:
        return None
    offset = [bound["offset"]] if "offset" in bound else []
    return call(expr.args[0], lift.operand(a), *offset, axis1=literal(1), axis2=literal(2))


def _solve(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    if len(expr.args) != 3 or lift.carries(expr.args[1]) or rank_of(expr.args[1].type) != 2:
        return None
    function, A, b = expr.args
    if rank_of(b.type) == 2:
        return call(function, A, lift.operand(b))
    columns = call(function, A, attribute(lift.operand(b), "T"))
    return attribute(columns, "T")


# by what the rows call them
FORMS: Mapping[str, Form] = {
    "along:a:all": _along("a", "all"),
    "along:m:all": _along("m", "all"),
    "along:a:flat": _along("a", "flat"),
    "along:a:last": _along("a", "last"),
    "along:y:last": _along("y", "last"),
    "along:ary:first": _along("ary", "first"),
    "dot": _dot,
    "vectors": _vectors,
    "outer": _outer,
    "stack": _of_stack,
    "same": _as_it_is,
    "matrix": _of_matrix,
    "solve": _solve,
    "transpose": transposed,
    "axes": two_axes,
    "reshape": reshaped,
    "ravel": flat,
    "broadcast": broadcast,
    "fill": filled,
    "join": joined,
    "side": side_by_side,
    "array": array,
}
