"""What joins tangents, or takes them apart: arrays side by side, displays, lists.

np.concatenate([a_dot, b_dot])     np.concatenate([a_dot, b_dot], axis=1)
np.array([x_dot, 0.0])             np.stack([x_dot, np.zeros(directions)], axis=1)
list(u_dot)                        list(np.swapaxes(u_dot, 0, 1))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from s2sad.legacy.directions.axes import Rule, argument, later
from s2sad.legacy.directions.keys import CONTAINERS, shown
from s2sad.legacy.program import Call, Const, Expr, Op, Ref

if TYPE_CHECKING:
    from s2sad.legacy.directions.expressions import Lift

STACK = Ref("np.stack", np.stack)
SWAPPED = Ref("np.swapaxes", np.swapaxes)


def joined(name: str) -> Rule:
    """Return the rule of np.concatenate, np.stack and their kin."""

    def rule(lift: Lift, call: Call) -> Expr:
        axis = argument(call, 1, "axis") or Const(0)
        if len(call.args) > 2 or any(key != "axis" for key, _ in call.keywords):
            raise lift.no_form(shown(call))
        parts = _parts(lift, call.args[0])
        moved = (("axis", later(lift, call, axis)),)
        return Call(Ref(f"np.{name}", getattr(np, name)), (parts,), moved)

    return rule


def _parts(lift: Lift, parts: Expr) -> Expr:
    """Return what is joined, each with the axis of directions."""
    if isinstance(parts, Op) and parts.op in ("tuple", "list"):
        return Op(parts.op, tuple(lift.spread(part, lift.rank(part)) for part in parts.args))
    return lift.lifted(parts)


def side_by_side(lift: Lift, call: Call) -> Expr:
    """np.hstack: vectors end to end, other arrays along their second axis."""
    rank = lift.fact(call).rank
    if rank is None or len(call.args) != 1 or call.keywords:
        raise lift.no_form(shown(call))
    axis = (("axis", Const(1 if rank == 1 else 2)),)
    parts = _parts(lift, call.args[0])
    return Call(Ref("np.concatenate", np.concatenate), (parts,), axis)


def at_least_one(lift: Lift, call: Call) -> Expr:
    """np.atleast_1d of one value."""
    if len(call.args) != 1:
        raise lift.no_form(shown(call))
    return lift.spread(call.args[0], max(1, lift.rank(call.args[0])))


def array(lift: Lift, call: Call) -> Expr:
    """np.array of numbers that vary, in a display; np.array(x) is a copy."""
    if len(call.args) != 1 or any(key != "dtype" for key, _ in call.keywords):
        raise lift.no_form(shown(call))
    (value,) = call.args
    if lift.fact(value).is_array:
        return Call(call.func, (lift.lifted(value),), call.keywords)
    return _stacked(lift, value)


def _stacked(lift: Lift, value: Expr) -> Expr:
    if isinstance(value, Op) and value.op in ("tuple", "list"):
        parts: Expr = Op("list", tuple(_stacked(lift, part) for part in value.args))
        return Call(STACK, (parts,), (("axis", Const(1)),))
    return lift.spread(value, lift.rank(value))


# ---------------------------------------------------------------- lists of tangents


def listed(lift: Lift, call: Call) -> Expr:
    """list(x): the elements of an array along its own first axis."""
    (x,) = call.args
    if lift.fact(x).kind in CONTAINERS:
        return Call(call.func, (lift.lifted(x),))
    return Call(call.func, (Call(SWAPPED, (lift.lifted(x), Const(0), Const(1))),))


def added_up(lift: Lift, call: Call) -> Expr:
    """sum(xs) of a list, all of one rank."""
    fact = lift.fact(call.args[0])
    ranks = {item.rank for item in fact.items}
    if len(call.args) > 1 or fact.kind not in CONTAINERS or len(ranks) != 1 or None in ranks:
        raise lift.no_form(shown(call))
    return Call(call.func, (lift.lifted(call.args[0]),))


def of_number(lift: Lift, call: Call) -> Expr:
    """float(x) of a number; many are an array."""
    if len(call.args) != 1 or lift.rank(call.args[0]):
        raise lift.no_form(shown(call))
    return lift.lifted(call.args[0])
