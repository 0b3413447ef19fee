"""Shadows and gradients written out by what is known of the structure of a value.

L is a list of numbers              L_bar = [0.0] * len(L)
pairs is a list of pairs            pairs_bar = [[0.0, 0.0] for x in pairs]
                                    pairs_grad = [tuple(x) for x in pairs_bar]
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import SimpleNamespace

from s2sad.analysis.containers import NUMBER, dict_types, is_field_step, kind_of, parts_of, whole
from s2sad.analysis.loops import length_of
from s2sad.analysis.writes import is_place
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    call,
    constant,
    global_,
    name,
    subscript,
)
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Region,
    Sequence,
    Tuple,
    Type,
)
from s2sad.operators import printed
from s2sad.reverse.calculus import number
from s2sad.reverse.world import World
from s2sad.source.plain import is_made_of_fields

NOTHING = constant(None)
FEW = 4  # numbers whose zeros are written one by one: [0.0, 0.0]
DEEPEST, MOST_PARTS = 3, 8  # of what is written out where it is made
ZEROS = global_("_shadow_of", printed.function("_shadow_of"))
NAMESPACE = global_("SimpleNamespace", SimpleNamespace)
WITH_FIELDS = global_("_with_fields", printed.function("_with_fields"))
REPLACE = global_("dataclasses.replace", dataclasses.replace)
GRADIENT = global_("_gradient_of", printed.function("_gradient_of"))


def region_of(type_: Type, world: World) -> Region | None:
    """Return the region that a value of a type refers to."""
    if isinstance(type_, Optional):
        return region_of(type_.type, world)
    return world.regions.get(type_.site) if isinstance(type_, Reference) else None


def slot_type(held: Type, step: Expr, world: World) -> Type:
    """Return the type of what stands in a slot of a container."""
    region = region_of(held, world)
    if region is not None:
        if region.kind != "fields":
            return region.item
        if is_field_step(step) or step.op == "constant":
            return region.fields.get(step.data, UNKNOWN)
        _, item = dict_types(held, world.regions)  # under a key of the run
        return UNKNOWN if item is None else item
    if isinstance(held, Optional):
        return slot_type(held.type, step, world)
    if isinstance(held, Sequence):
        return held.item
    step = shadow_step(held, step)
    if isinstance(held, Tuple) and step.op == "constant" and type(step.data) is int:
        return held.items[step.data] if step.data < len(held.items) else UNKNOWN
    return UNKNOWN


def shadow_step(held: Type, step: Expr) -> Expr:
    """Return the step to the shadow of a slot: shadows of tuples are lists."""
    if isinstance(held, Optional):
        return shadow_step(held.type, step)
    if isinstance(held, Tuple) and is_field_step(step):
        names = getattr(held.cls, "_fields", ())
        if step.data in names:
            return whole(names.index(step.data))
    return step


def zeros_of(value: Expr, world: World) -> Expr:
    """Return a new shadow of a value, whatever it holds."""
    written = written_zeros(value, world)
    if written is not None:
        return written
    if may_be_number_or_array(value.type, world):
        raise NotYet("a container of numbers and of arrays or lists", value.span)
    return call(ZEROS, value, type_=value.type)


def may_be_number_or_array(type_: Type, world: World, seen: frozenset[Type] = frozenset()) -> bool:
    """Tell whether a place in a value holds a number or an array: names cannot share its zero."""
    if isinstance(type_, Numeric):
        return True
    held = () if type_ in seen else (t for _, t in parts_of(type_, world.regions))
    return any(may_be_number_or_array(t, world, seen | {type_}) for t in held)


def is_list_of_values(variable: Variable, world: World) -> bool:
    """Tell whether a variable is a list of numbers, or of arrays that nobody writes to."""
    mine = world.memory.points_to.get(variable, frozenset())
    return bool(mine) and mine <= world.memory.of_values


def is_of_values(slot: Type, container: Expr, world: World) -> bool:
    """Tell whether a slot has an adjoint of its own: that of a number, or of an array as a value."""
    if isinstance(slot, Array):
        return world.memory.holds_values(container)
    return kind_of(slot) == NUMBER


def written_zeros(value: Expr, world: World, depth: int = DEEPEST) -> Expr | None:
    """Return a new shadow of a value as its type writes it out; None where that does not tell."""
    type_, region = value.type, region_of(value.type, world)
    if isinstance(type_, Array | Numeric):
        return world.calculus.zeros_like(value)
    if isinstance(type_, Number):
        return number(0.0)
    if isinstance(type_, Other):
        return NOTHING if type_.cls in (str, type(None)) else None
    if isinstance(type_, Optional) or not depth:
        return None
    if is_list_of_numbers(type_, world):
        zero = Expr("list", (number(0.0),), None, type_)
        return Expr("binary", (zero, length_of(value)), "*", type_)
    if isinstance(type_, Tuple):
        parts = [subscript(value, whole(k), item) for k, item in enumerate(type_.items)]
        return _display_of_zeros(parts, value, world, depth)
    if isinstance(type_, Sequence) or (region is not None and region.kind == "list"):
        return _zeros_of_items(value, world, depth)
    return None if region is None else _zeros_of_fields(value, region, world)


def _zeros_of_fields(value: Expr, region: Region, world: World) -> Expr | None:
    """Return the shadow of a dict or an object of a few numbers and arrays, under their names."""
    fields = _float_fields(region)
    if region.kind != "fields" or fields is None or not is_place(value):
        return None
    is_dict = region.cls is dict
    read = {
        key: subscript(value, constant(key), t) if is_dict else attribute(value, key, t)
        for key, t in fields.items()
    }
    zeros = {key: written_zeros(part, world) for key, part in read.items()}
    if None in zeros.values():
        return None
    if is_dict:
        items = (Expr("item", (constant(key), zero)) for key, zero in zeros.items() if zero)
        return Expr("dict", tuple(items), None, value.type)
    return call(NAMESPACE, type_=value.type, **zeros)  # type: ignore[arg-type]


def _float_fields(region: Region) -> dict[str, Array | Number | Numeric] | None:
    """Return the few numbers and arrays with adjoints that a dict or an object holds under words.

    None where it holds more than is written out; an object may hold whole numbers and texts beside.
    An argument has the fields that it had from the first.
    """
    are_words = all(isinstance(key, str) and key.isidentifier() for key in region.fields)
    found: dict[str, Array | Number | Numeric] = {}
    for key, type_ in region.fields.items():
        if region.is_parameter and key not in region.born:
            continue
        if isinstance(type_, Array | Number | Numeric) and type_.dtype[0] == "f":
            found[str(key)] = type_
        elif region.cls in (None, dict) or not _has_no_adjoint(type_):
            return None
    return found if are_words and 0 < len(found) <= MOST_PARTS else None


def _has_no_adjoint(type_: Type) -> bool:
    """Tell whether a field is a whole number, a flag, a text or None."""
    is_whole = isinstance(type_, Number) and type_.dtype[0] in "iub"
    return is_whole or (isinstance(type_, Other) and type_.cls in (str, bool, type(None)))


def _display_of_zeros(parts: list[Expr], value: Expr, world: World, depth: int) -> Expr | None:
    """Return the shadow of a tuple, which is a list."""
    zeros = [written_zeros(part, world, depth - 1) for part in parts]
    known = tuple(z for z in zeros if z is not None)
    if len(known) < len(zeros) or not is_place(value):
        return None
    if len(known) > FEW and all(zero == number(0.0) for zero in known):
        one = Expr("list", known[:1], None, value.type)
        return Expr("binary", (one, constant(len(known))), "*", value.type)
    return Expr("list", known, None, value.type) if len(known) <= MOST_PARTS else None


def _zeros_of_items(value: Expr, world: World, depth: int) -> Expr | None:
    each = world.fresh.variable("x", Role.TERM)
    item = name(each, slot_type(value.type, whole(0), world))
    zeros = written_zeros(item, world, depth - 1)
    if zeros is None:
        return None
    made = (zeros, Expr("generator", (value,), each))
    return Expr("comprehension", made, "list", value.type)


def is_list(type_: Type, world: World) -> bool:
    """Tell whether a value is a list."""
    region = region_of(type_, world)
    return isinstance(type_, Sequence) or (region is not None and region.kind == "list")


def is_list_of_numbers(type_: Type, world: World) -> bool:
    """Tell whether a value is a list, and numbers are all that it holds."""
    return is_list(type_, world) and kind_of(slot_type(type_, whole(0), world)) == NUMBER


# ---------------------------------------------------------------------------- gradients


def gradient_of(bar: Expr, like: Expr, world: World) -> Expr:
    """Return a shadow in the structure of what it is the gradient of."""
    written = _written_gradient(bar, world) or _gradient_of_objects(bar, like, world)
    return call(GRADIENT, bar, like, type_=Other(object)) if written is None else written


def with_fields(like: Expr, cls: type | None, type_: Type, fields: Mapping[str, Expr]) -> Expr:
    """Return an object like another one with other fields."""
    return call(REPLACE if is_made_of_fields(cls) else WITH_FIELDS, like, type_=type_, **fields)


def _gradient_of_objects(bar: Expr, like: Expr, world: World) -> Expr | None:
    """Return an object of a few numbers and arrays, or a list of them, with their adjoints."""
    region = region_of(bar.type, world)
    if region is not None and region.kind == "fields":
        fields = _float_fields(region)
        if region.cls in (None, dict) or fields is None:
            return None
        bars = {key: attribute(bar, key, t) for key, t in fields.items()}
        return with_fields(like, region.cls, Other(object), bars)
    if region is None or region.kind != "list":
        return None
    each, of = world.fresh.variable("x", Role.TERM), slot_type(bar.type, whole(0), world)
    each_bar = world.fresh.variable("g", Role.TERM)
    made = _gradient_of_objects(name(each_bar, of), name(each, of), world)
    if made is None:
        return None
    both = call(global_("zip", zip), like, bar, type_=Sequence(Tuple((of, of)), zip))
    generator = Expr("generator", (both,), (each, each_bar))
    return Expr("comprehension", (made, generator), "list", Other(object))


def _written_gradient(bar: Expr, world: World, depth: int = DEEPEST) -> Expr | None:
    """Return a gradient as its type writes it out; None where that does not tell."""
    type_, region = bar.type, region_of(bar.type, world)
    if isinstance(type_, Array | Number | Numeric):
        return bar if type_.dtype[0] == "f" else None
    if isinstance(type_, Optional) or not depth:
        return None
    if isinstance(type_, Tuple):
        return _tuple_gradient(bar, type_, world, depth)
    if region is not None and region.cls is dict and region.kind == "fields":
        return bar if len(_float_fields(region) or ()) == len(region.fields) else None
    is_list = isinstance(type_, Sequence) and type_.cls is list
    if not is_list and (region is None or region.kind != "list"):
        return None
    each = world.fresh.variable("x", Role.TERM)
    item = name(each, slot_type(type_, whole(0), world))
    gradient = _written_gradient(item, world, depth - 1)
    if gradient is None or gradient == item:
        return None if gradient is None else bar
    generator = Expr("generator", (bar,), each)
    return Expr("comprehension", (gradient, generator), "list", Other(object))


def _tuple_gradient(bar: Expr, type_: Tuple, world: World, depth: int) -> Expr | None:
    if type_.cls is not None or not is_place(bar):
        return None
    parts = [subscript(bar, whole(k), item) for k, item in enumerate(type_.items)]
    gradients = [_written_gradient(part, world, depth - 1) for part in parts]
    known = tuple(g for g in gradients if g is not None)
    if len(known) < len(gradients):
        return None
    if known == tuple(parts):
        return call(global_("tuple", tuple), bar, type_=Other(object))
    return Expr("tuple", known, None, Other(object)) if len(known) <= MOST_PARTS else None
