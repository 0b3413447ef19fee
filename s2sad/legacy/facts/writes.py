"""What a write to elements leaves of what is known of an array, list, tuple or dict.

u[i] = e        an array keeps its shape and dtype
xs[i] = e       a list holds what it held, or e
"""

from __future__ import annotations

from typing import Any

from s2sad.legacy.facts.binding import constant_of
from s2sad.legacy.facts.elementwise import may_have_shape
from s2sad.legacy.facts.expressions import fact_of
from s2sad.legacy.facts.fact import UNKNOWN, Fact
from s2sad.legacy.facts.joins import join_elements, with_item, with_item_inside, with_part
from s2sad.legacy.facts.shapes import broadcast_shapes
from s2sad.legacy.program import Expr, Op, Update
from s2sad.legacy.traverse import is_path, rewrites


def written(stmt: Update, index: Expr, known: tuple[Fact, Fact], ctx: Any) -> Fact:
    """Return what a write leaves, where it is `known` what was there and what is written."""
    old, value = known
    if old.kind == "list":
        return _list_written(stmt, index, old, value)
    if old.kind == "array" and value.rank:
        place = fact_of(Op("index", (stmt.old, index)), ctx)
        # a value of length 1 may be spread, all others are those of the place
        broadcast_shapes(place.shape, value.shape, ctx.meet)
    if old.kind == "dict":
        return with_item(old, constant_of(index, fact_of, ctx), value)
    if old.kind == "tuple" and stmt.op == "+":
        return old  # the list of zeros for a tuple: each keeps its shape
    if old.kind == "tuple":
        return with_part(old, constant_of(index, fact_of, ctx), value)
    return old if may_have_shape(old) else UNKNOWN


def _list_written(stmt: Update, index: Expr, old: Fact, value: Fact) -> Fact:
    if is_path(index):
        return with_item_inside(old, len(index.args), value)
    if not (isinstance(index, Op) and index.op == "slice"):
        return Fact("list", items=join_elements((*old.items, value)))
    kept = () if rewrites(stmt) else old.items
    more = value.items if value.kind in ("list", "tuple") else (UNKNOWN,)
    return Fact("list", items=join_elements((*kept, *more)))
