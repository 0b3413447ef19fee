"""What a subscript chooses by: positions, slices, arrays of positions that may name one twice.

u[k]           an array, if k is one: a copy of the elements
u[order]       each element once, where np.argsort gave the order
"""

from __future__ import annotations

import numpy as np

from s2sad.analysis.containers import is_field_step
from s2sad.ir.expression import Expr, index_parts, text_of_call
from s2sad.ir.types import Array, Number
from s2sad.operators.guards import is_none, spelled
from s2sad.reverse.calculus import ONE, is_array
from s2sad.reverse.world import World

# what these give names no element twice
DISTINCT = frozenset(
    """
    arange nonzero flatnonzero argsort argwhere tril_indices triu_indices diag_indices
    tril_indices_from triu_indices_from diag_indices_from permutation ix_
    """.split()
)


def is_turned(index: Expr) -> bool:
    """Tell whether a subscript gives all elements with some axes turned round: u[::-1], A[:, ::-1]."""
    parts = index_parts(index)
    return all(part.op == "slice" and _is_turn(*part.args) for part in parts)


def _is_turn(start: Expr, stop: Expr, step: Expr) -> bool:
    """Tell whether a slice has no ends, and goes on or back by one."""
    return is_none(start) and is_none(stop) and (is_none(step) or spelled(step) in (1, -1))


def has_array(index: Expr) -> bool:
    """Tell whether a subscript chooses by an array, so that it gives a copy."""
    parts = index_parts(index)
    return any(is_array(part) or part.op == "list" or is_unknown(part) for part in parts)


def is_unknown(index: Expr) -> bool:
    """Tell whether a subscript may be a number or an array."""
    if index.op in ("slice", "constant", "unary") or isinstance(index.type, Number | Array):
        return False
    if is_field_step(index):
        return False
    return index.op in ("name", "call", "binary", "subscript", "attribute")


def has_mask(index: Expr) -> bool:
    """Tell whether a subscript chooses by truth: u[u > 0.0]."""
    parts = index_parts(index)
    return any(is_array(part) and getattr(part.type, "dtype", "?") == "bool" for part in parts)


def has_positions(index: Expr) -> bool:
    """Tell whether a subscript chooses by an array of integers, which may name an element twice."""
    parts = index_parts(index)
    return any(
        (is_array(part) and getattr(part.type, "dtype", "?")[0] in "iu?")
        or part.op == "list"
        or is_unknown(part)
        for part in parts
        if getattr(part.type, "dtype", "") != "bool"
    )


def names_once(index: Expr, world: World) -> bool:
    """Tell whether no element is named twice by an index."""
    parts = index_parts(index)
    chosen = [part for part in parts if has_positions(part)]
    return any(
        _is_distinct(part, world) and all(_is_no_longer(other, part) for other in chosen)
        for part in chosen
    )


def _is_no_longer(other: Expr, part: Expr) -> bool:
    """Tell whether positions do not stretch others along the same axis: A[np.arange(n), labels]."""
    if other is part:
        return True
    if not (isinstance(other.type, Array) and isinstance(part.type, Array)):
        return False
    mine, length = other.type.lengths, part.type.lengths
    return len(mine) == len(length) == 1 and length[0] is not None and mine[0] in (ONE, length[0])


def _is_distinct(part: Expr, world: World) -> bool:
    if part.op == "name" and part.data in world.named:
        return _is_distinct(world.named[part.data], world)
    if part.op == "name" and part.data in world.definitions:
        memory = world.memory
        if not memory.uses.is_bound_again(part.data) and not memory.is_memory(part.data):
            return _is_distinct(world.definitions[part.data].value, world)
    if part.op == "list":
        values = [arg.data for arg in part.args if arg.op == "constant"]
        same_sign = all(v >= 0 for v in values) or all(v < 0 for v in values)
        return len(values) == len(part.args) == len(set(values)) and same_sign
    if part.op == "subscript" and part.args[1].op == "constant":
        part = part.args[0]
    if part.known is not None and isinstance(part.known.value, np.ndarray):
        return False
    return text_of_call(part).rpartition(".")[2] in DISTINCT
