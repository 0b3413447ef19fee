"""Copies of arguments that are written to, whose shadows are those of the arguments.

bodies_2 = copy.deepcopy(bodies)        bodies_bar is the shadow of both

A shadow is made slot by slot, but what an argument holds twice its copy holds under two names: so the
objects in a list, and the arrays that are written in place, are asked to be different ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.analysis.containers import (
    field_step,
    is_container,
    is_copy,
    is_deep_copy,
    made_of,
    parts_of,
    stepped,
    whole,
)
from s2sad.analysis.loops import WHOLE, length_of
from s2sad.analysis.memory import Memory
from s2sad.ir.expression import Expr, Role, Variable, call, constant, global_, name, subscript
from s2sad.ir.program import Function, Let
from s2sad.ir.spelling import is_none
from s2sad.ir.types import Array, Number, Other, Reference, Sequence, Type, region_of
from s2sad.ir.walk import read_counts
from s2sad.types.plain import BOOL, EACH

LEAVES = (Array, Number, Other)


def entry_copies(function: Function, memory: Memory) -> Mapping[Variable, Variable]:
    """Return the copies of arguments that are read nowhere else, each with its argument."""
    counts, given = read_counts(function.body), {p.variable for p in function.parameters}
    found: dict[Variable, Variable] = {}
    for each in function.body:
        if not isinstance(each, Let) or not isinstance(each.target, Variable):
            continue
        if not _is_whole_copy(each.value):
            continue
        source = made_of(each.value)[0]
        is_argument = source.op == "name" and source.data in given and counts[source.data] == 1
        if is_argument and len(memory.uses.bound[each.target]) == 1:
            if _is_flat(_item_of(source.type, memory) or source.type, memory):
                found[each.target] = source.data
    return found


def _is_whole_copy(made: Expr) -> bool:
    """Tell whether a value is a copy of a container, and no part of it."""
    if made.op == "subscript":
        return is_copy(made) and all(map(is_none, made.args[1].args))
    return is_deep_copy(made) or is_copy(made)


def _item_of(type_: Type, memory: Memory) -> Type | None:
    """Return what a list of any length holds."""
    if isinstance(type_, Sequence):
        return type_.item if type_.cls is list else None
    region = region_of(type_, memory.regions)
    return region.item if region is not None and region.kind == "list" else None


def _is_flat(type_: Type, memory: Memory) -> bool:
    """Tell whether a value is a number or an array, or an object or dict of such."""
    if not isinstance(type_, Reference):
        return isinstance(type_, LEAVES)
    region = memory.regions.get(type_.site)
    is_object = region is not None and region.kind == "fields" and region.cls is not list
    return is_object and all(isinstance(t, LEAVES) for _, t in parts_of(type_, memory.regions))


def are_different(copy: Variable, argument: Expr, memory: Memory) -> Expr | None:
    """Return the test that what is changed in a copy has one name in the argument; None where it has."""
    held, item = name(copy, argument.type), _item_of(argument.type, memory)
    if item is None:
        places = _written_arrays(argument, held, memory)
        return _all_different(Expr("set", tuple(map(_id, places))), whole(len(places)), places)
    each = name(EACH, item)
    places = [each] if is_container(item) else []
    places += _written_arrays(each, subscript(held, whole(0), item), memory)
    part, generators = each, [Expr("generator", (argument,), each.data)]
    if len(places) > 1:
        part = name(Variable("part", 0, Role.TERM))
        generators.append(Expr("generator", (Expr("tuple", tuple(places)),), part.data))
    ids = Expr("comprehension", (_id(part), *generators), "set")
    count = length_of(argument)
    if len(places) > 1:
        count = Expr("binary", (whole(len(places)), count), "*", WHOLE)
    return _all_different(ids, count, places)


def _written_arrays(place: Expr, held: Expr, memory: Memory) -> list[Expr]:
    """Return the arrays of an object, or an array itself, that are written in place in its copy."""
    if isinstance(place.type, Array):
        return [place] if memory.sites(held) & memory.written else []
    if not isinstance(place.type, Reference) or memory.holds_values(held):
        return []
    region = memory.regions[place.type.site]
    steps = {k: constant(k) if region.cls is dict else field_step(str(k)) for k in region.fields}
    arrays = (k for k in region.born if isinstance(region.fields[k], Array))
    return [stepped(place, steps[k]) for k in sorted(arrays, key=str)]


def _id(place: Expr) -> Expr:
    return call(global_("id", id), place, type_=WHOLE)


def _all_different(ids: Expr, count: Expr, places: list[Expr]) -> Expr | None:
    """Return the test that a set of identities has as many items as there are places."""
    if not places or (ids.op == "set" and len(places) == 1):
        return None
    return Expr("compare", (call(global_("len", len), ids, type_=WHOLE), count), ("==",), BOOL)
