"""What has to be known while lowering, and how to ask for it.

need(m, n)      what n is; where that is not known, lowering begins again so that it is
"""

from __future__ import annotations

from collections.abc import Sequence as Values
from typing import Any

from s2sad.ir.errors import UnknownFunction
from s2sad.ir.expression import Expr, calls, positional
from s2sad.ir.types import UNKNOWN, Number, Numeric, Reference, Site, Tuple, Type, is_float
from s2sad.lowering.machine import Machine, flip
from s2sad.lowering.memory import ITEM, Kept
from s2sad.lowering.typing import memory_of, reference
from s2sad.lowering.unions import members_of
from s2sad.lowering.values import BY_PLACE, Cell, Choice, Code, Data, Demand, Origins, Tup, Value

FEW = 8  # items of a tuple that a comprehension over it makes one by one
PASSES = 4  # of a loop of one statement that is written out
MOST = 32  # items of a list that the text is made for one by one


def demand_structure(m: Machine, owner: Data) -> None:
    """Something that is no data goes into memory: make it a structure, if that is possible."""
    demand_open(m, owner.origins, "structure")
    found = reference(owner.type)
    if found is not None:  # what a call gave back: push(c, f).push(g)
        demand_open(m, frozenset({("structure", m.memory.find(found.site))}), "structure")


def demand_open(m: Machine, origins: Origins, *kinds: str) -> None:
    """Begin again with the first choice of some kinds that was not made yet, if there is one."""
    is_open = [o for o in origins if o[0] in kinds and o not in m.choices]
    if is_open:
        raise Demand(min(is_open, key=_rank))


def _rank(choice: Choice) -> tuple[bool, bool, str]:
    """Return what tells which choice is tried first: comprehensions are short, and statements last.

    A tuple that comprehensions make in the passes of a loop has as many items as theirs have.
    """
    is_loop = choice[0] == "unroll"
    is_statement = is_loop and not {"For", "While"}.isdisjoint(choice[1])
    return is_statement, not is_loop, str(choice)


def demand_one_kind(m: Machine, type_: Type, of: tuple[Type, Type], origins: Origins) -> None:
    """Begin again where a value is a list on some ways alone, if its length would tell which."""
    is_list = [isinstance(each, Reference) for each in of]
    if type_ == UNKNOWN and UNKNOWN not in of and any(is_list) and not all(is_list):
        demand_open(m, origins, "structure")


def demand_field_of_one_kind(m: Machine, type_: Type, wanted: str) -> None:
    """Begin again where a field is a list or number first and an array then: self.c = []; self.c = x / 2."""
    found, kept = reference(type_), memory_of(m, type_)
    if found is not None and kept is not None and wanted in kept.of_two_kinds:
        demand_open(m, frozenset({("structure", m.memory.find(found.site))}), "structure")


def demand_class_name(m: Machine, type_: Type) -> None:
    """Begin again with the name of its class in each object of one of several classes."""
    choice = _class_name(m, type_)
    if choice is not None and choice not in m.choices:
        raise Demand(choice)


def is_named(m: Machine, type_: Type) -> bool:
    """Tell whether an object that may be of several classes has the name of its own in a field."""
    return _class_name(m, type_) in m.choices


def _class_name(m: Machine, type_: Type) -> Choice | None:
    kept = memory_of(m, type_)
    members = () if kept is None else members_of(kept.cls)
    return ("class name", tuple(map(id, members))) if len(members) > 1 else None


def ask_for_items(m: Machine, value: Value) -> None:
    """Begin again with each item of a comprehension over a few numbers that a tuple or two hold.

    tuple(s + h * d for s, d in zip(state, slope)) is a state again, whose items have names.
    """
    expr = value.expr if isinstance(value, Data) and value.expr.op == "comprehension" else None
    if expr is not None and len(expr.args) == 2 and len(expr.args[1].args) == 1:
        if all(_has_few_floats(each) for each in columns(expr.args[1].args[0])):
            demand_open(m, value.origins, "unroll")


def ask_for_passes(m: Machine, over: Value, site: Site) -> None:
    """Begin again with a loop of one statement written out, if it is over what is computed for it, and little."""
    expr = over.expr if isinstance(over, Data) else None
    if expr is not None and calls(expr, enumerate) and len(positional(expr)) == 1:
        expr = positional(expr)[0]
    if expr is None or expr.op not in ("tuple", "call") or not _has_few_floats(expr):
        return
    items = expr.type.items  # type: ignore[union-attr]
    is_short = len(items) <= PASSES and all(isinstance(item, Number) for item in items)
    if is_short and ("no unroll", site) not in m.choices:
        demand_open(m, frozenset({("unroll", site)}), "unroll")


def ask_for_state(m: Machine, old: Data, new: Data) -> None:
    """Begin again with a slot for each item of a list of a few numbers that a pass makes anew of such."""
    kept = [found for each in (old, new) if (found := _splittable(m, each.type)) is not None]
    if len(kept) == 2:
        _split(m, kept[0].displays | kept[1].displays)


def ask_for_items_of_list(m: Machine, value: Data) -> None:
    """Begin again with a slot for each item of a list of a few numbers that is taken apart."""
    kept = _splittable(m, value.type)
    if kept is not None and value.expr.op in ("name", "list", "call"):
        _split(m, kept.displays)


def _split(m: Machine, displays: set[Site]) -> None:
    if displays and not m.context.keeps_lists:
        m.context.split_lists |= displays
        demand_open(m, frozenset((BY_PLACE, site) for site in displays), BY_PLACE)


def may_be_split(m: Machine, over: Expr) -> bool:
    """Tell whether the items of all that is gone through together may be values of their own: a few floats."""
    return all(
        _has_few_floats(each) or _splittable(m, each.type) is not None for each in columns(over)
    )


def _splittable(m: Machine, type_: Type) -> Kept | None:
    """Return a list of which all that make it are displays of a few numbers, or made item by item of such."""
    kept = memory_of(m, type_)
    is_list = kept is not None and kept.kind == "list" and not kept.is_parameter
    return kept if is_list and kept.may_be_split and kept.displays else None


def _has_few_floats(over: Expr) -> bool:
    """Tell whether something is a tuple of a few floats that are computed."""
    return over.known is None and isinstance(over.type, Tuple) and are_few_floats(over.type.items)


def are_few_floats(types: Values[Type]) -> bool:
    """Tell whether values are floats and arrays, and few."""
    return 0 < len(types) <= FEW and all(map(is_float, types))


def columns(over: Expr) -> tuple[Expr, ...]:
    """Return what is gone through together: of zip(a, b) both."""
    return tuple(positional(over)) if calls(over, zip) else (over,)


def need(m: Machine, value: Value) -> Any:
    """Return what a value is, or ask for a lowering in which that is known."""
    if isinstance(value, Tup):
        return tuple(need(m, part) for part in value.parts)
    if isinstance(value, Code):
        return value.obj
    data = m.to_data(value)
    if data.known is not None:
        return data.known.value
    ask(m, data)
    demand_structure(m, data)  # what an object of the run holds beside data is not known
    problem = "what this line needs is not known when the derivative is made"
    hint = (
        "A name, key, option or number of items decides here what is computed: write it out, choose\n"
        "with an `if`, or give an example of the arguments: like=(...)."
    )
    raise UnknownFunction.refused(problem, m.span, hint)


def ask(m: Machine, value: Data) -> None:
    """Begin again with a choice that makes a value known, if there is one."""
    for origin in _open_choices(m, value):
        raise Demand(origin)


def can_be_known(m: Machine, value: Data) -> bool:
    """Tell whether a choice that was not made yet would make a value known."""
    return bool(_open_choices(m, value))


def _open_choices(m: Machine, value: Data) -> list[Choice]:
    """Return the choices that would make a value known, and were neither made nor refused."""
    found = [o for o in sorted(value.origins, key=_rank) if o[0] in ("unroll", "known")]
    return [o for o in found if not {o, ("no " + o[0], *o[1:])} & m.choices]


def ask_by_place(m: Machine, owner: Data, count: int | None = None) -> None:
    """Begin again with a slot for each item of a list that is handed over and used item by item.

    That is one which is unpacked to so many names, or whose items differ in rank.
    """
    ask_if_kinds_differ(m, owner.type)
    found = reference(owner.type)
    region = None if found is None else m.context.by_place.get(found.site)
    if found is None or region is None or m.memory.of(found).kind != "list":
        return
    differ = isinstance(m.memory.item(found, ITEM), Numeric)
    if len(region.fields) == count or (count is None and differ and len(region.fields) <= MOST):
        raise Demand((BY_PLACE, found.site))


def ask_if_kinds_differ(m: Machine, type_: Type) -> None:
    """Begin again with a slot for each item of a list of whole numbers beside other ones."""
    kept, found = memory_of(m, type_), reference(type_)
    if kept is not None and found is not None and kept.kind == "list" and kept.of_several_kinds:
        demand_open(m, frozenset({(BY_PLACE, m.memory.find(found.site))}), BY_PLACE)


def ask_by_places_around(m: Machine, held: Reference) -> None:
    """Begin again with a slot for each item of a list whose items hold this memory, each its own."""
    wanted = m.memory.find(held.site)
    for site, region in m.context.by_place.items():
        reached = m.memory.reached(Reference(site)) if len(region.fields) <= MOST else ()
        if any(isinstance(t, Reference) and m.memory.find(t.site) == wanted for t in reached):
            raise Demand((BY_PLACE, site))


def ask_for_slots(m: Machine, owner: Data) -> None:
    """Begin again with a slot for each item of a list, be it handed over or made here."""
    found = reference(owner.type)
    if found is None or m.memory.of(found).kind != "list":
        return
    if found.site in m.context.by_place:
        raise Demand((BY_PLACE, found.site))
    made = frozenset((BY_PLACE, site) for word, site in owner.origins if word == "structure")
    demand_open(m, made, BY_PLACE)


def ask_for_slots_within(m: Machine, over: Data) -> None:
    """Begin again with a slot for each item of a short list that is gone through: zip(a, b) of two."""
    columns = positional(over.expr) if over.expr.op == "call" else (over.expr,)
    for column in columns:
        found = reference(column.type)
        region = None if found is None else m.context.by_place.get(found.site)
        if found is not None and region is not None and len(region.fields) <= MOST:
            raise Demand((BY_PLACE, found.site))


def known_key(m: Machine, cell: Cell, place: Value) -> Any:
    """Return a key of a known list or dict; under one of the run it becomes memory of the run."""
    if isinstance(place, Data) and place.known is None and not can_be_known(m, place):
        flip(m, cell.site, "runtime")
    return need(m, place)


def is_unrolled(m: Machine, loop: Any) -> bool:
    """Tell whether a loop was asked to be written out pass by pass, and can be."""
    return ("unroll", loop) in m.choices and ("no unroll", loop) not in m.choices
