"""Assignment: to names, tuples of targets, items, fields; see `augment` for what is in place.

x = e          Let(x, e)
a, b = b, a    Let((a, b), (b, a)), at once
u[i] = e       Store(u[i], "=", e)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Pattern, Variable, name
from s2sad.ir.program import Let
from s2sad.ir.records import dataclass
from s2sad.ir.types import Array, Length, Numeric, Sequence, Tuple, Type
from s2sad.ir.types import Code as CodeType
from s2sad.lowering import demands, displays, evaluation_order, items, iterables, places, reflection
from s2sad.lowering.iterables import Callback
from s2sad.lowering.machine import (
    Machine,
    as_name,
    bind,
    bound_at_once,
    emit,
    forked,
    fresh,
    named,
    refusal,
    settled,
    site_of,
    slot_variable,
    stable,
)
from s2sad.lowering.typing import has_slots, item_type, memory_of, reference
from s2sad.lowering.values import LISTED, Data, Fails, Lazy, Tup, Value, holding, literal, option_at
from s2sad.types import Mismatch
from s2sad.types.attributes import known_number

# ---------------------------------------------------------------------------- one target


def assign(m: Machine, target: Any, value: Value) -> None:
    """Assign one value to one target."""
    match target:
        case gast.Name():
            places.store(m, target, [], value)
        case gast.Tuple() | gast.List():
            unpack(m, target.elts, settled(m, value, "parts"))
        case gast.Starred():
            assign(m, target.value, value)
        case gast.Attribute() | gast.Subscript():
            value = settled(m, value)
            value, *held = evaluation_order.in_order(m, lambda: value, *places.parts(m, target))
            places.store(m, target, held, value)
        case _:
            raise refusal(m, "this target")


# ---------------------------------------------------------------------------- several targets


def assign_parts(m: Machine, targets: list[Any], values: list[Value]) -> None:
    """Assign values to targets at once."""
    names = [t.id for t in targets if isinstance(t, gast.Name)]
    if len(names) == len(targets) == len(set(names)):
        if all(isinstance(v, Data) and v.later is None for v in values):
            _assign_names(m, names, [v for v in values if isinstance(v, Data)])
            return
    if _are_plain(targets, values):
        evaluation_order.one_by_one(m, values, lambda at, value: assign(m, targets[at], value))
        return
    if len(targets) > 1:
        written = set(_names_in(targets))
        words = [t.id if isinstance(t, gast.Name) else "part" for t in targets]
        pairs = zip(values, words, strict=True)
        values = [_out_of_the_way(m, value, written, word) for value, word in pairs]
    for target, value in zip(targets, values, strict=True):
        assign(m, target, value)


def _are_plain(targets: list[Any], values: list[Value]) -> bool:
    """Tell whether targets are names, fields and elements, and what they are assigned is computed by no call.

    Then each is stored as it stands, but for what the stores before it change.
    """
    are_places = all(isinstance(t, gast.Name | gast.Attribute) or _is_element(t) for t in targets)
    return are_places and all(isinstance(v, Data) and v.pending is None for v in values)


def _is_element(target: Any) -> bool:
    """Tell whether a target is a part of a name whose index is made of literals: u[0], u[-1, :]."""
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return False
    literals = gast.Constant | gast.UnaryOp | gast.USub | gast.Slice | gast.Tuple | gast.Load
    return all(isinstance(each, literals) for each in gast.walk(target.slice))


def _out_of_the_way(m: Machine, value: Value, written: set[str], wanted: str) -> Value:
    """Return a value that assigning to the names of a tuple, one after the other, does not change."""
    if isinstance(value, Data) and value.expr.op == "name" and value.expr.data.name in written:
        return named(m, value, wanted)
    value = stable(m, value, wanted)
    if isinstance(value, Tup):
        return holding(value, [_out_of_the_way(m, part, written, "part") for part in value.parts])
    return value


def _names_in(targets: list[Any]) -> Iterator[str]:
    """Yield the names that targets assign to, those of tuples in them, too."""
    for target in targets:
        match target:
            case gast.Name():
                yield target.id
            case gast.Starred():
                yield from _names_in([target.value])
            case gast.Tuple() | gast.List():
                yield from _names_in(target.elts)


def _assign_names(m: Machine, names: list[str], values: list[Data]) -> None:
    slots = [places.slot_of(m, wanted) for wanted in names]
    variables = [slot_variable(m, slot) for slot in slots]
    moves = [
        (variable, value)
        for variable, value in zip(variables, values, strict=True)
        if not (value.expr.op == "name" and value.expr.data == variable)
    ]
    if len(moves) == 1:
        bind(m, *moves[0])
    else:
        for let in bound_at_once(m, [(variable, value.expr) for variable, value in moves]):
            emit(m, let)
    for (place, key), variable, value in zip(slots, variables, values, strict=True):
        m.heap[place].slots[key] = as_name(variable, value)


def _write_out(m: Machine, value: Data, count: int) -> None:
    """Begin again with as many values, where a comprehension of so many is unpacked."""
    expr, made = value.expr, reference(value.type)
    if made is not None and isinstance(made.site, tuple) and made.site[0] == LISTED:
        demands.demand_open(m, frozenset({("unroll", made.site)}), "unroll")
    if expr.op != "comprehension" or len(expr.args) != 2 or len(expr.args[1].args) != 1:
        return
    domain = expr.args[1].args[0]
    if not isinstance(domain.type, Array) and items.fixed_length(m, Data(domain)) == count:
        demands.demand_open(m, value.origins, "unroll")


def unpack(m: Machine, targets: list[Any], value: Value) -> None:
    """Assign the items of a value to targets."""
    star = next((k for k, t in enumerate(targets) if isinstance(t, gast.Starred)), None)
    value = items.reversed_at_once(m, iterables.opened(m, value))
    if isinstance(value, Lazy):
        words = () if star is not None else _words(targets)
        is_listed = iterables.is_listed(m, value)
        found = iterables.collected(m, value, words=words) if is_listed else None
        value = collected(m, value, words) if found is None else Tup(tuple(found))
    if isinstance(value, Data) and star is None:
        _write_out(m, value, len(targets))
        demands.ask_by_place(m, value, len(targets))
        demands.ask_for_items_of_list(m, value)
    if isinstance(value, Data) and value.expr.op not in ("tuple", "list"):
        is_fixed = items.fixed_length(m, value) is not None
        if star is not None and (isinstance(value.type, Array) or not is_fixed):
            bare = [t.value if isinstance(t, gast.Starred) else t for t in targets]
            assign_parts(m, bare, parts_around(m, value, star, len(targets) - star - 1))
            return
        if is_pattern(m, targets, value.type):
            _assume_as_long(m, value.type, len(targets))
            pattern = make_pattern(m, targets, value)
            emit(m, Let(pattern, value.expr, m.span))
            return
    parts, least = m.parts_of(value), len(targets) - (star is not None)
    if len(parts) < least or (star is None and len(parts) > least):
        raise Fails("there are more or fewer values than targets", m.span, raised=ValueError)
    if star is not None:
        parts = gathered(m, parts, star, least - star, targets[star])
    assign_parts(m, targets, parts)


def gathered(m: Machine, parts: list[Value], star: int, behind: int, node: Any) -> list[Value]:
    """Return parts with those that a star takes as one list."""
    end = len(parts) - behind
    middle = displays.list_of(m, parts[star:end], site_of(m, node))
    return [*parts[:star], middle, *parts[end:]]


def parts_around(m: Machine, value: Data, star: int, behind: int) -> list[Value]:
    """Return the first and last items of data, and between them what they leave as a list."""
    _refuse_tried(m, value)
    over = items.indexable(value) if _has_places(m, value) else m.call_global("list", list, [value])
    whole = evaluation_order.name_if_long(m, over, "parts")
    ends = [literal(star), literal(-behind or None), literal(None)]
    rest = m.item(whole, items.slice_of(m, ends), None)
    if reference(rest.type) is None:
        rest = m.call_global("list", list, [rest])
    first = [m.item(whole, literal(k), None) for k in range(star)]
    last = [m.item(whole, literal(k), None) for k in range(-behind, 0)]
    return [*first, rest, *last]


def _has_places(m: Machine, value: Data) -> bool:
    """Tell whether the items of data are read by their positions: not those of a dict or its views."""
    match value.type:
        case Array() | Tuple() | Numeric():
            return not (value.expr.op == "attribute" and value.expr.data == "flat")
        case Sequence(_, cls):
            return cls in (tuple, list, range) or items.indexable(value) is not value
        case type_:
            kept = memory_of(m, type_)
            return kept is not None and kept.kind == "list"


def words_of(target: Any) -> tuple[str, ...]:
    """Return the name that a target is, or those that it unpacks to."""
    if isinstance(target, gast.Tuple | gast.List):
        return _words(target.elts)
    return (target.id,) if isinstance(target, gast.Name) else ()


def _words(targets: list[Any]) -> tuple[str, ...]:
    """Return the names that targets are; none if there is another one among them."""
    words = tuple(t.id for t in targets if isinstance(t, gast.Name))
    return words if len(words) == len(targets) else ()


def collected(m: Machine, lazy: Lazy, words: tuple[str, ...] = ()) -> Value:
    """Return the items of an iterator, by the names they will have: known ones, or a list of the run."""
    heap, block, used = m.heap, m.block, set(m.used)
    m.heap, m.block = forked(heap), []
    try:
        found: Value = Tup(tuple(iterables.collected(m, lazy, words=words)))
        block.extend(m.block)
        return found
    except NotYet:
        m.heap, m.used = heap, used
    finally:
        m.block = block
    return m.listed(lazy, words)


def _refuse_tried(m: Machine, value: Data) -> None:
    """Refuse to unpack in a `try` what may have more or fewer items: sweeps read them one by one."""
    if m.is_tried and items.fixed_length(m, value) is None:
        raise refusal(m, "an unpacking in a `try` of what may have more or fewer items")


def _assume_as_long(m: Machine, type_: Type, count: int) -> None:
    """Ask that an array, or a list of a list, be as long as the targets that its items are assigned to.

    Raises Fails where it has another length in the examples: that is what the text is made for.
    """
    found = _length_in_examples(m, type_, count)
    if found is not None and found != count:
        raise Fails("there are more or fewer values than targets", m.span, raised=ValueError)


def _length_in_examples(m: Machine, type_: Type, count: int) -> int | None:
    """Return how long an array or a list of a list is in the examples, which the text asks for."""
    kept = reference(type_)
    if kept is not None and kept.site in m.context.by_place:
        found = len(m.context.by_place[kept.site].fields)
        m.context.sized[kept.site] = found
        return found
    if not isinstance(type_, Array) or not type_.lengths or type_.lengths[0] is None:
        return None
    length, assumed = type_.lengths[0], m.context.assumptions
    assumed.take_apart(length, count)
    size = count if assumed.agree(length, Length((), count)) else assumed.value(length)
    if size is not None and length != Length((), size):
        raise Mismatch(length, Length((), size))
    return size


def is_pattern(m: Machine, targets: list[Any], type_: Type) -> bool:
    """Tell whether targets are names that the items of data can be bound to in one statement."""
    if isinstance(type_, Tuple) and len(type_.items) != len(targets):
        return False
    if reflection.class_of_type(m, type_) is not None:
        return False
    parts = part_types(m, type_, targets)
    return all(_is_target(m, t, p) for t, p in zip(targets, parts, strict=True))


def _is_target(m: Machine, target: Any, type_: Type) -> bool:
    match target:
        case gast.Name():
            return not isinstance(type_, CodeType)
        case gast.Tuple() | gast.List():
            return is_pattern(m, target.elts, type_)
    return False


def part_types(m: Machine, type_: Type, targets: list[Any]) -> list[Type]:
    """Return the types of what targets are bound to."""
    demands.ask_if_kinds_differ(m, type_)
    if isinstance(type_, Tuple):
        return list(type_.items)
    place = reference(type_)
    if place is not None and has_slots(m, place):
        return [m.memory.item(place, key) for key in range(len(targets))]
    return [item_type(m, type_)] * len(targets)


def unpacked(m: Machine, value: Data, count: int) -> list[Value]:
    """Return the items of data of which there have to be so many, each under a name."""
    return items.named_parts(m, value, (item_type(m, value.type),) * count)


def make_pattern(m: Machine, targets: list[Any], value: Data) -> tuple[Pattern, ...]:
    """Set the slots of targets; return the pattern that binds them."""
    _refuse_tried(m, value)
    found: list[Pattern] = []
    for k, (target, type_) in enumerate(
        zip(targets, part_types(m, value.type, targets), strict=True)
    ):
        part = option_at(value.type, k) or Data(Expr("name", (), None, type_), value.origins)
        match target:
            case gast.Name():
                found.append(_bound_name(m, target.id, part))
            case _:
                _assume_as_long(m, type_, len(target.elts))
                found.append(make_pattern(m, target.elts, part))
    return tuple(found)


def _bound_name(m: Machine, wanted: str, part: Data) -> Variable:
    place, key = places.slot_of(m, wanted)
    variable = slot_variable(m, (place, key))
    bound = Data(name(variable).typed(part.type, known_number(part.type)), part.origins)
    m.heap[place].slots[key] = bound if part.known is None else part
    return variable


@dataclass(frozen=True, slots=True)
class Target:
    """What a loop assigns its items to: targets of the user's."""

    node: Any

    def assign(self, m: Machine, value: Value) -> None:
        """Set the targets to a value."""
        assign(m, self.node, value)

    def write_out(self, m: Machine) -> None:
        """Have literals stand for the names of a pass of their own, which is written out: u[0] of u[i]."""
        for wanted in _names_in([self.node]):
            place, key = places.slot_of(m, wanted)
            value = m.heap[place].slots.get(key)
            known = value.known.value if isinstance(value, Data) and value.known else None
            if type(known) in (int, float, str):
                m.heap[place].slots[key] = literal(known)

    def pattern(self, m: Machine, item: Data) -> Pattern:
        """Set the targets to the items of a loop of the program; return the pattern of them."""
        if is_pattern(m, [self.node], _alone(item.type)):
            whole = Data(item.expr.typed(_alone(item.type)), item.origins)
            return make_pattern(m, [self.node], whole)[0]  # type: ignore[no-any-return]
        found = fresh(m, "item")
        self.assign(m, Data(name(found, item.type), item.origins))
        return found


def _alone(type_: Type) -> Type:
    return Tuple((type_,))


Targets = Target | Callback
