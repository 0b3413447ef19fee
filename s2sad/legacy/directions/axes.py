"""NumPy's functions that go along axes: the axis of directions stands in front of all others.

np.sum(x_dot, axis=0)     np.sum(x_dot, axis=1)
np.cumsum(x_dot)          np.cumsum(x_dot, axis=1)
np.reshape(x_dot, -1)     np.reshape(x_dot, (directions, -1))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from s2sad.legacy.directions.keys import shown
from s2sad.legacy.filling import literal, number
from s2sad.legacy.program import NONE, Call, Const, Expr, Op, Ref

if TYPE_CHECKING:
    from s2sad.legacy.directions.expressions import Lift

Rule = Callable[["Lift", Call], Expr]
MOVED = Ref("np.transpose", np.transpose)

FILLED: Final = frozenset({"prepend", "append", "where", "initial", "out"})


def argument(call: Call, at: int, name: str) -> Expr | None:
    """Return an argument by its place or name."""
    return call.args[at] if len(call.args) > at else dict(call.keywords).get(name)


def later(lift: Lift, call: Call, axis: Expr) -> Expr:
    """Return axes behind that of the directions; those from the end stay."""
    if isinstance(axis, Op) and axis.op == "tuple":
        return Op("tuple", tuple(later(lift, call, part) for part in axis.args))
    value = literal(axis)
    if not isinstance(value, int):
        raise lift.no_form(shown(call))
    return number(value + 1 if value >= 0 else value)


def along(at: int, name: str = "axis", default: str = "") -> Rule:
    """Return the rule of a function that goes along the axes which its argument `name` tells.

    Left out, they are every axis ("all"), the last one ("last"), the first one ("first"), or that
    of a vector.
    """

    def rule(lift: Lift, call: Call) -> Expr:
        x, rank = lift.lifted(call.args[0]), lift.rank(call.args[0])
        axis = argument(call, at, name)
        if not FILLED.isdisjoint(key for key, _ in call.keywords):
            raise lift.no_form(shown(call))
        if axis in (None, NONE):
            if default == "last":
                return Call(call.func, (x, *call.args[1:]), call.keywords)
            if rank == 0 and default == "all":
                return x
            if rank != 1 and default not in ("all", "first"):
                raise lift.no_form(shown(call))
            axes = range(1, 2 if default == "first" else rank + 1)
            every = tuple(Const(n) for n in axes)
            axis = every[0] if len(every) == 1 else Op("tuple", every)
        else:
            axis = later(lift, call, axis)
        if len(call.args) > at + 1:
            raise lift.no_form(shown(call))
        others = tuple(pair for pair in call.keywords if pair[0] != name)
        return Call(call.func, (x, *call.args[1:at]), ((name, axis), *others))

    return rule


def two_axes(lift: Lift, call: Call) -> Expr:
    """np.swapaxes and np.moveaxis."""
    if len(call.args) != 3:
        raise lift.no_form(shown(call))
    moved = (later(lift, call, axis) for axis in call.args[1:])
    return Call(call.func, (lift.lifted(call.args[0]), *moved), call.keywords)


def of_matrix(lift: Lift, call: Call) -> Expr:
    """np.trace and np.diagonal of a matrix."""
    if lift.rank(call.args[0]) != 2 or call.keywords or len(call.args) > 2:
        raise lift.no_form(shown(call))
    axes = (("axis1", Const(1)), ("axis2", Const(2)))
    return Call(call.func, (lift.lifted(call.args[0]), *call.args[1:]), axes)


def transposed(lift: Lift, value: Expr, axes: Expr | None = None) -> Expr:
    """Return a value with its own axes turned round, or in the order that is given."""
    whole, rank = lift.lifted(value), lift.rank(value)
    if axes in (None, NONE):
        order: Sequence[int] = range(rank, 0, -1)
    elif isinstance(axes, Op) and axes.op == "tuple":
        order = [_place(lift, axis, rank) for axis in axes.args]
    else:
        raise lift.no_form("this order of axes")
    if rank < 2:
        return whole
    return Call(MOVED, (whole, Op("tuple", (Const(0), *map(Const, order)))))


def _place(lift: Lift, axis: Expr, rank: int) -> int:
    value = literal(axis)
    if not isinstance(value, int):
        raise lift.no_form("this order of axes")
    return value % rank + 1


def transpose(lift: Lift, call: Call) -> Expr:
    return transposed(lift, call.args[0], argument(call, 1, "axes"))


# ---------------------------------------------------------------- shapes


def reshape(lift: Lift, call: Call) -> Expr:
    if len(call.args) != 2 or call.keywords:
        raise lift.no_form(shown(call))
    x, shape = call.args
    return Call(call.func, (lift.lifted(x), _shape(lift, shape)))


def _shape(lift: Lift, shape: Expr) -> Expr:
    """Return a shape with the number of directions in front."""
    whole = lift.lifted(shape)
    if isinstance(whole, Op) and whole.op == "tuple":
        return Op("tuple", (lift.count, *whole.args))
    if lift.fact(shape).kind == "int":
        return Op("tuple", (lift.count, whole))
    return Op("tuple", (lift.count, Op("star", (whole,))))


def ravel(lift: Lift, call: Call) -> Expr:
    if len(call.args) != 1 or call.keywords:
        raise lift.no_form(shown(call))
    flat = Op("tuple", (lift.count, Op("u-", (Const(1),))))
    return Call(Ref("np.reshape", np.reshape), (lift.lifted(call.args[0]), flat))


def broadcast(lift: Lift, call: Call) -> Expr:
    x = lift.aligned(call.args[0], lift.rank(call))
    return Call(call.func, (x, _shape(lift, call.args[1])))


def filled(lift: Lift, call: Call) -> Expr:
    """np.full_like(x, value): the value may vary, x gives the shape."""
    x, value = call.args
    zeros = Call(Ref("np.zeros_like", np.zeros_like), (x,))
    return lift.elementwise(Op("+", (zeros, value)))
