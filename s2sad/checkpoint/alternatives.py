"""What may be saved in place of other values, and when that is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from s2sad.analysis.pointers import stored_base
from s2sad.analysis.tuples import literal_position
from s2sad.checkpoint.needs import Content, whole_copied
from s2sad.checkpoint.planner import Planner, Restoration
from s2sad.checkpoint.recomputation import FEW_ELEMENTS
from s2sad.ir.expression import Expr, Variable, index_parts
from s2sad.ir.program import Store
from s2sad.ir.spelling import is_none
from s2sad.ir.types import Array, Length, Number, Type
from s2sad.ir.walk import nodes, read_variables
from s2sad.reverse.sweep import Path

MOST_EDGES = 3  # rows at the walls of a field


def _taken_apart(planner: Planner) -> tuple[Variable, ...]:
    """Return the arrays of one pass of which each element is saved by itself: q of w, x, y, z = q."""
    lets = [planner.index.let_of(v) for v in planner.saved_in_passes()]
    taken = Counter(_taken_of(let.value) for let in lets if let is not None)
    return tuple(each[0] for each, count in taken.items() if each is not None and count == each[1])


def _sources_of_several(planner: Planner) -> tuple[Variable, ...]:
    """Return the arrays that a pass begins with, of which several are computed that are saved: H of s = b + H."""
    reads: Counter[Variable] = Counter()
    types: dict[Variable, set[Type]] = {}
    for restoration, _ in planner.again.values():
        variable = restoration.variable
        let = planner.index.let_of(variable)
        if restoration.value is None and let is not None:
            for source in read_variables(let.value):
                reads[source] += 1
                types.setdefault(source, set()).add(let.value.type)
    known = planner.forward.memory.types
    several = (v for v, count in reads.items() if count > 1 and known.get(v) in types[v])
    return tuple(v for v in several if isinstance(known.get(v), Array) and v not in planner.saved)


def _computed_of_saved(planner: Planner) -> tuple[Variable, ...]:
    """Return the arrays of one pass that are computed again from what is saved for that.

    They are copies of it, or computed of several parts.
    """
    sites = Counter(s for path in planner.overwritten for s in _sites_at(planner, path))
    often = {site for site, count in sites.items() if count > 1}
    found = [r for r, _ in planner.again.values() if r.value is not None]
    return tuple(
        r.variable
        for r in found
        if _reads_any(planner, r, sites.keys() if whole_copied(r.value) is not None else often)
    )


def _lengthy_of_saved(planner: Planner) -> tuple[Variable, ...]:
    """Return the arrays of one pass that take long to compute again from what is saved for that."""
    every = [restoration for restoration, _ in planner.again.values()]
    saved = {*planner.saved_in_passes()}.union(*planner.lost.values())
    found = [r for r in every if r.value is not None and isinstance(r.value.type, Array)]
    return tuple(
        r.variable
        for r in found
        if r.value is not None
        and not saved.isdisjoint(read_variables(r.value))
        and {"lengthy", "costly"} & {planner.cost(node) for node in nodes(r.value)}
    )


def _saves_fewer_than(planner: Planner, other: Planner, variable: Variable) -> bool:
    """Tell whether fewer values are saved."""
    return len(_saves(planner)) < len(_saves(other))


def _saves_fewer_alike(planner: Planner, other: Planner, variable: Variable) -> bool:
    """Tell whether fewer values are saved, and each besides in place of one of the same shape."""
    is_fewer = _saves_fewer_than(planner, other, variable)
    return is_fewer and _saves_no_more_than(planner, other, variable)


def _saves_no_more_than(planner: Planner, other: Planner, variable: Variable) -> bool:
    """Tell whether each value that is saved besides stands in place of one of the same shape."""
    mine, others = _saves(planner), _saves(other)
    new = Counter(types[0] for place, types in mine.items() if place not in others)
    gone = Counter(types[0] for place, types in others.items() if place not in mine)
    return None not in new and new <= gone


def _saves_less_than(planner: Planner, other: Planner, variable: Variable) -> bool:
    """Tell whether fewer values are saved, each in place of one of the same shape.

    As many are less where one of them is a copy already.
    """
    mine, others = _saves(planner), _saves(other)
    new = Counter(types[0] for place, types in mine.items() if place not in others)
    gone = [types for place, types in others.items() if place not in mine]
    again = next(r.value for r, _ in other.again.values() if r.variable == variable)
    is_copied = whole_copied(again) is not None
    fits = any(new <= Counter(of_one) for of_one in zip(*gone, strict=True))
    return len(mine) < len(others) + is_copied and fits


def _saves(planner: Planner) -> Mapping[object, tuple[Type | None, Type | None]]:
    """Return what is saved: where, its type, and that of the array of which it is all but the edges."""
    nothing = None, None
    types = planner.forward.memory.types
    found: dict[object, tuple[Type | None, Type | None]] = {
        (p, v): (types.get(v),) * 2 for p, vs in planner.lost.items() for v in vs
    }
    for path in planner.overwritten:
        store = planner.index.by_path[path].statement
        found[path] = _saved_types(store.target) if isinstance(store, Store) else nothing
    for (variable, block), (restoration, _) in planner.again.items():
        if restoration.value is None:
            let = planner.index.let_of(variable)
            found[variable, block] = nothing if let is None else (let.value.type,) * 2
    return found


def _reads_any(planner: Planner, restoration: Restoration, sites: Set[object]) -> bool:
    """Tell whether what computes an array again reads memory of some sites."""
    value = restoration.value
    if value is None or planner.forward.memory.is_reference(value):
        return False
    needs = planner.forward.binding_needs(value)
    is_known = not isinstance(value.type, Array) or None not in value.type.lengths
    is_known &= isinstance(value.type, Array | Number)
    return is_known and any(isinstance(n, Content) and n.site in sites for n in needs)


def _sites_at(planner: Planner, path: Path) -> Set[object]:
    store = planner.index.by_path[path].statement
    return planner.forward.memory.sites(stored_base(store)) if isinstance(store, Store) else set()


def _taken_of(value: Expr) -> tuple[Variable, int] | None:
    """Return the array of few elements that a value is one of, and how many: q, 4 of q[2]."""
    match value:
        case Expr("subscript", (Expr("name", data=array, type=Array(_, (Length() as n,))), index)):
            is_one = index.op == "constant" and n.is_literal and 1 < n.constant <= FEW_ELEMENTS
            return (array, n.constant) if is_one else None
    return None


def _saved_types(target: Expr) -> tuple[Type, Type]:
    """Return the type of what is saved of a store, and of the array of which it is all but the edges."""
    if target.op != "subscript" or not all(map(is_but_edges, index_parts(target.args[1]))):
        return target.type, target.type
    return target.type, target.args[0].type


def is_but_edges(part: Expr) -> bool:
    """Tell whether a part of an index leaves out a few at the ends: 1:-1."""
    if part.op != "slice":
        return False
    lower, upper, step = part.args
    first, last = (0 if is_none(each) else literal_position(each) for each in (lower, upper))
    if first is None or last is None or not is_none(step):
        return False
    return 0 <= first <= MOST_EDGES and -MOST_EDGES <= last <= 0


# what may be saved in place of other values, and when that is better; a later one sees what is decided
ALTERNATIVES = (
    (_taken_apart, _saves_fewer_than),
    (_sources_of_several, _saves_fewer_alike),
    (_computed_of_saved, _saves_less_than),
    (_lengthy_of_saved, _saves_no_more_than),
)
