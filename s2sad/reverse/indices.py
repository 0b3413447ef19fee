"""What a subscript chooses by: positions, slices, arrays of positions that may name one twice.

u[k]           an array, if k is one: a copy of the elements
u[order]       each element once, where np.argsort gave the order
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2sad.analysis.containers import is_field_step
from s2sad.ir.expression import Expr, Variable, calls, index_parts, positional
from s2sad.ir.types import Array, Number, Other, Tuple
from s2sad.operators.guards import is_none, spelled
from s2sad.operators.table import calls_one
from s2sad.reverse.calculus import ONE, is_array
from s2sad.reverse.world import World


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
    is_slice = isinstance(index.type, Other) and index.type.cls is slice
    return not is_slice and not is_field_step(index)


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
    chosen = [part for part in index_parts(index) if has_positions(part)]
    if _are_together(index, world):
        return True
    return any(
        _is_distinct(part, world) and all(_is_no_longer(other, part) for other in chosen)
        for part in chosen
    )


def _are_together(index: Expr, world: World) -> bool:
    """Tell whether an index is all that one call gives: A[np.nonzero(B)], or i, j and A[i, j].

    Two of three positions may name an element twice; so may those of two calls that are alike.
    """
    if index.op != "tuple":
        made, place = _origin(index, world)
        return place is None and _gives(made, "distinct_together")
    origins = [_origin(part, world) for part in index.args]
    first, _ = origins[0]
    places = {place for made, place in origins if made is first}
    count = len(first.type.items) if isinstance(first.type, Tuple) else 0
    return (
        count == len(origins) and places == set(range(count)) and _gives(first, "distinct_together")
    )


def _origin(part: Expr, world: World) -> tuple[Expr, int | None]:
    """Return what computes a part of an index; and which one of its results the part is."""
    made = _defined(part, world)
    if made.op == "name" and made.data in world.unpacked and world.memory.is_steady(made.data):
        let, place = world.unpacked[made.data]
        return _defined(let.value, world), place
    at = spelled(made.args[1]) if made.op == "subscript" else None
    return (_defined(made.args[0], world), at) if isinstance(at, int) else (made, None)


def _defined(part: Expr, world: World) -> Expr:
    """Return what a name stands for, as far as that is known."""
    while part.op == "name":
        if part.data in world.named:
            part = world.named[part.data]
        elif part.data in world.definitions and world.memory.is_steady(part.data):
            part = world.definitions[part.data].value
        else:
            break
    return part


def _gives(made: Expr, trait: str) -> bool:
    """Tell whether an expression calls a function of a trait; np.where of a test alone."""
    is_choice = calls(made, np.where) and len(made.args) > 2
    return not is_choice and calls_one(made, trait)


def _is_no_longer(other: Expr, part: Expr) -> bool:
    """Tell whether positions do not stretch others along the same axis: A[np.arange(n), labels]."""
    if other is part:
        return True
    if not (isinstance(other.type, Array) and isinstance(part.type, Array)):
        return False
    mine, length = other.type.lengths, part.type.lengths
    return len(mine) == len(length) == 1 and length[0] is not None and mine[0] in (ONE, length[0])


def _is_distinct(part: Expr, world: World) -> bool:
    made, place = _origin(part, world)
    if place is not None:
        of_vector = _gives(made, "distinct_together") and _is_of_vector(made)
        return of_vector or _gives(made, "distinct_each")
    if made.op == "list":
        return _are_apart(made.args, world)
    if calls(made, np.array) and made.args[1].op in ("list", "tuple"):
        return _are_apart(made.args[1].args, world)
    if calls(made, np.random.permutation):
        return isinstance(made.args[1].type, Number)
    if calls(made, np.ix_):
        return all(_is_distinct(arg, world) or has_mask(arg) for arg in made.args[1:])
    if calls(made, np.arange):
        return _is_within(made, world)
    return _gives(made, "distinct") or (_gives(made, "distinct_of_vector") and _is_of_vector(made))


def _is_within(made: Expr, world: World) -> bool:
    """Tell whether np.arange gives whole numbers that are all different, and none below 0.

    Negative ones count from the end, and a dtype may round or cut off several to one.
    """
    if set(made.data) - {"dtype"} or getattr(made.type, "dtype", "") != "int64":
        return False
    given = positional(made)
    if len(given) == 1:
        return True
    start, stop, *step = given
    by = spelled(step[0]) if step else 1
    if not isinstance(by, int):
        return False
    return _is_from(start, 0, world) if by > 0 else _is_from(stop, -1, world)


def _is_from(item: Expr, least: int, world: World) -> bool:
    """Tell whether a number is no less than another: k + 1 of a counter k that starts at 0."""
    counter, place = _step(item)
    first = 0 if counter is None else counts_from(counter, world)
    return first is not None and place is not None and first + place >= least


def _is_of_vector(made: Expr) -> bool:
    """Tell whether the first operand of a call has one axis."""
    type_ = made.args[1].type if len(made.args) > 1 else None
    return isinstance(type_, Array) and len(type_.lengths) == 1


def _are_apart(items: Sequence[Expr], world: World) -> bool:
    """Tell whether positions that are written out are apart: [0, 2], [k, k + 1] of a counter k.

    Negative ones count from the end: with others they may name the same element.
    """
    steps = [_step(item) for item in items]
    counters = {counter for counter, _ in steps}
    places = [place for _, place in steps]
    if None in places or len(counters) != 1 or len(set(places)) < len(places):
        return False
    (counter,) = counters
    first = 0 if counter is None else counts_from(counter, world)
    if first is None:
        return False
    signs = {first + place >= 0 for place in places if place is not None}
    return signs == {True} or (counter is None and len(signs) == 1)


def _step(item: Expr) -> tuple[Variable | None, int | None]:
    """Return k and 1 of k + 1, None and 2 of 2; None for the number of what is neither."""
    number = spelled(item)
    if isinstance(number, int):
        return None, number
    if item.op == "name":
        return item.data, 0
    if item.op == "binary" and item.data in ("+", "-") and item.args[0].op == "name":
        step = spelled(item.args[1])
        if isinstance(step, int):
            return item.args[0].data, step if item.data == "+" else -step
    return None, None


def counts_from(counter: Variable, world: World) -> int | None:
    """Return the number that a loop counts up from, None where it does not, or that is not known."""
    domain = world.reads.counters.get(counter)
    if domain is None or not calls(domain, range) or not 2 <= len(domain.args) <= 3:
        return None
    start = spelled(domain.args[1]) if len(domain.args) == 3 else 0
    is_own = world.memory.uses.is_bound_at_one_place(counter)
    return start if is_own and isinstance(start, int) else None
