"""Subscripts of values with an axis of directions: that axis is taken whole.

x_dot[i]        x_dot[:, i]             x_dot[1:, 0]      x_dot[:, 1:, 0]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from s2sad.legacy.facts import Fact
from s2sad.legacy.program import NONE, Call, Const, Expr, Op, Ref
from s2sad.legacy.traverse import WHOLE

if TYPE_CHECKING:
    from s2sad.legacy.directions.expressions import Lift

CONTAINERS = frozenset({"list", "tuple", "dict"})
BASIC, NUMBER, ARRAY = "basic", "number", "array"


def indexed(lift: Lift, owner: Expr, key: Expr) -> Expr:
    """Return the part of a value that a key selects, along many directions."""
    if lift.is_many(key):
        raise lift.no_form("a subscript that varies")
    whole, own = lift.lifted(owner), lift.lifted(key)
    if not lift.is_many(owner) or lift.fact(owner).kind in (*CONTAINERS, "record"):
        return Op("index", (whole, own))
    lift.rank(owner)
    return Op("index", (whole, key_of(lift, own)))


def key_of(lift: Lift, key: Expr) -> Expr:
    """Return the key of the same part, with the axis of directions in front."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    kinds = [_kind(lift, part) for part in parts]
    chosen = [at for at, kind in enumerate(kinds) if kind != BASIC]
    # NumPy puts the axis of separate index arrays first, where the directions are
    apart = chosen and chosen != [*range(chosen[0], chosen[-1] + 1)]
    if ARRAY in kinds and apart:
        raise lift.no_form("this subscript")
    return Op("tuple", (WHOLE, *parts))


def _kind(lift: Lift, part: Expr) -> str:
    match part:
        case Op("slice", _):
            return BASIC
        case Const(value) | Ref(value=value) if value is None or value is Ellipsis:
            return BASIC
    fact = lift.fact(part)
    if fact.kind == "int":
        return NUMBER
    if fact.is_array or fact.kind == "list":
        return ARRAY
    raise lift.refused("what this subscript selects decides about many directions at once")


def one_key(
    first: tuple[Expr, ...], second: tuple[Expr, ...], fact: Callable[[Expr], Fact]
) -> tuple[Expr, ...] | None:
    """Return the key of x[:, i][:, None], which is that of x[:, i, None]; None of other two."""
    if first[:1] != (WHOLE,) or second[:1] != (WHOLE,) or set(second[1:]) != {NONE}:
        return None
    numbers = all(fact(part).kind == "int" for part in first[1:])
    return (*first, *second[1:]) if numbers else None


def shown(call: Call) -> str:
    """Return what a call is named after in a refusal."""
    return call.func.text if isinstance(call.func, Ref) else "this call"
