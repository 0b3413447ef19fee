"""What is computed as it is gone through: generators, zip, views of dicts, and iterators asked by next().

g = (k * x for x in u)      nothing is computed here, and nothing stands in the program
k = 2.0
sum(g)                      sum(k * x for x in u)

Where it is kept it is a Lazy, which is evaluated where it is gone through, as Python does. There it
is one expression, where it can be.

it = iter(u)
head = next(it)         head = u[0]
for x in it: ...        for x in u[1:]: ...

An iterator over what has positions holds the place of its next item, one known number or a
variable; those that it goes through in turn hold their own, and an item is taken by advancing all
of them. What is made of the items of one other alone (x for x in it if x > 0.0) has no place of its
own where it is gone on with, but that of the other. Another can be asked for its first item alone.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, TypeGuard

import gast

from s2sad.ir.expression import Expr, calls
from s2sad.ir.remedies import counted
from s2sad.ir.types import UNKNOWN, Array, Reference, Sequence
from s2sad.lowering import classes, comprehend, evaluation_order, items, iterables, iterate
from s2sad.lowering.items import slice_of
from s2sad.lowering.iterables import Steps
from s2sad.lowering.machine import (
    AT_END,
    LEFT,
    PLACE,
    SPENT,
    Machine,
    held,
    is_counted,
    is_mentioned,
    iterator,
    put,
    refusal,
    stable,
    used_up,
)
from s2sad.lowering.typing import has_slots, typed
from s2sad.lowering.values import Code, Data, Lazy, Tup, Value, literal
from s2sad.prelude import iterators, ordering
from s2sad.source.owners import is_own

# what keeps an iterator that it is handed, or only asks what it is
KEEPERS = (zip, enumerate, reversed, map, filter, iter, next, functools.partial)
# what takes all that is left of an iterator
TAKERS = (list, tuple, set, frozenset, dict, sorted, sum, min, max, math.prod, math.fsum)
ASKERS = (isinstance, issubclass, type, callable, id, hasattr, getattr)


def at_once(m: Machine, value: Value, state: Data = LEFT) -> Value:
    """Return what is gone through here as one expression, if it can be one; so far is it gone through."""
    value = iterables.current(m, value)
    if not isinstance(value, Lazy):
        return value
    found = as_one(m, value, state is AT_END)
    if found is None:
        return value
    iterables.spend(m, value, state)
    return found


def handed_to(m: Machine, function: Value, args: list[Value]) -> list[Value]:
    """Return the arguments of a function that is none of the user's: it goes through them."""
    obj = function.obj if isinstance(function, Code) else None
    if any(obj is each for each in (*KEEPERS, *ASKERS)):
        return args
    if isinstance(obj, type) and (is_own(obj) or classes.is_named_tuple(obj)):
        return args
    state = AT_END if any(obj is each for each in TAKERS) else LEFT
    if obj in (any, all):  # they leave an iterator where they know what they give
        return [arg if counted_in(m, arg) else at_once(m, arg, state) for arg in args]
    return [at_once(m, arg, state) for arg in args]


# ---------------------------------------------------------------------------- as one expression


def as_one(m: Machine, lazy: Lazy, to_end: bool = False) -> Value | None:
    """Return what an iterator goes through as one expression; None where it takes statements."""
    if any(_loses_places(m, inner, to_end) for inner, _ in iterables.nested(lazy)):
        return None
    if is_begun_within(m, lazy):
        left = rest(m, lazy)
        return as_one(m, left, to_end) if isinstance(left, Lazy) else left
    make = MAKERS.get(lazy.kind)
    if make is None:
        return None
    parts = [as_one(m, p, to_end) if isinstance(p, Lazy) else p for p in lazy.parts]
    if lazy.kind != "view":
        if not all(p is not None and iterables.is_plain_iterable(m, p) for p in parts):
            return None
    return make(m, lazy, parts)


def _loses_places(m: Machine, lazy: Lazy, to_end: bool) -> bool:
    """Tell whether one expression would not say where a counted iterator is left.

    Where items have no places, it is not known how many are taken, nor which of several ends.
    """
    if has_places(m, lazy):
        return False
    several = iterables.are_side_by_side(lazy)
    parts = iterables.sources(lazy) if several else () if to_end else (lazy,)
    return any(counted_in(m, part) for part in parts)


def counted_in(m: Machine, part: Value) -> list[int]:
    """Return the cells of the iterators that are gone through with a part alone and are counted."""
    chain = [lazy for lazy in iterables.chain(part) if has_places(m, lazy)]
    return [lazy.cell for lazy in chain if lazy.cell is not None and is_counted(m, lazy.cell)]


def _generator(m: Machine, lazy: Lazy, parts: list[Any]) -> Value | None:
    node, frame = lazy.extra
    if not isinstance(node, gast.GeneratorExp):
        return None
    around, m.frame = m.frame, frame
    try:
        return comprehend.plain(m, node, parts[0])
    finally:
        m.frame = around


def _enumerate(m: Machine, lazy: Lazy, parts: list[Any]) -> Value:
    over, start = parts
    if isinstance(start, Data) and start.expr.op == "constant" and start.expr.data == 0:
        return m.call_global("enumerate", enumerate, [over])
    if lazy.extra:
        return m.call_global("enumerate", enumerate, [over], {"start": start})
    return m.call_global("enumerate", enumerate, parts)


def _view(m: Machine, lazy: Lazy, parts: list[Any]) -> Value | None:
    owner, word = parts[0], lazy.extra
    if not isinstance(owner, Data) and word != "keys":
        return None  # each entry is read when its turn comes
    if isinstance(owner, Data) and not iterables.is_of_several_types(m, owner):
        return view(m, owner, word)
    pairs = items.dict_items(m, owner)
    match word:
        case "items":
            return Tup(tuple(Tup(pair) for pair in pairs))
        case "values":
            return Tup(tuple(value for _, value in pairs))
    return Tup(tuple(key for key, _ in pairs))


def _reversed(m: Machine, lazy: Lazy, parts: list[Any]) -> Value | None:
    return m.call_global("reversed", reversed, parts)


MAKERS: dict[str, Callable[[Machine, Lazy, list[Any]], Value | None]] = {
    "comprehension": _generator,
    "zip": lambda m, lazy, parts: iterate.zipped(m, parts, lazy.extra or {}),
    "enumerate": _enumerate,
    "reversed": _reversed,
    "view": _view,
    "iter": lambda m, lazy, parts: parts[0],
}


def view(m: Machine, owner: Data, word: str) -> Value:
    """Return a view of a dict, which is read where it is gone through."""
    kept = Lazy("view", (owner,), word)
    if iterables.is_of_several_types(m, owner):
        return kept  # its items are known one by one
    if has_slots(m, owner.type):
        items.dict_items(m, owner)  # all of them are there
    function = Expr("attribute", (owner.expr,), word, UNKNOWN, None, m.span)
    made = typed(m, Expr("call", (function,), (), span=m.span))
    return Data(made, owner.origins, None, lambda: kept)


START, EMPTY = literal(0), literal(None)


def next_item(m: Machine, over: Value, default: Value | None) -> Value:
    """Return the next item of an iterator, or else a default."""
    if isinstance(over, Data) and calls(over.expr, reversed):  # nobody else has it
        over = iterator(m, "reversed", (Data(over.expr.args[1], over.origins),))
    if isinstance(over, Data) and over.expr.op == "global":  # the next call takes another item
        raise counted(over.expr.data.text, m.span)
    if default is not None and isinstance(iterables.current(m, over), Tup):
        return default
    cell = iterables.own_cell(over)
    if not isinstance(over, Lazy) or cell is None:
        raise refusal(m, "next() of what is no iterator")
    if SPENT in m.heap[cell].slots:
        raise used_up(m, cell)
    is_direct = over.kind in ("iter", "reversed") and isinstance(over.parts[0], Data)
    if not has_places(m, over) or (default is not None and not is_direct):
        function = ordering.next_of if default is None else ordering.next_or
        args = [over] if default is None else [over, default]
        return m.called(m.lift(function, None), args, {}, None)
    return _taken(m, over) if default is None else _taken_or(m, over, default)


def _taken(m: Machine, over: Lazy) -> Value:
    """Take the next item of an iterator: one of each that it goes through, in turn."""
    place = _place(m, over)
    found: list[Value] = []
    for part in iterables.sources(over):
        with held(m, found):
            asked = is_asked(part)
            item = _taken(m, part) if asked else item_at(m, part, _seen_from(m, over, place))
            found.append(stable(m, item, "item"))
    with held(m, found):
        count(m, over)
    return stable(m, _made(m, over, found, place), "item")


def _taken_or(m: Machine, over: Lazy, default: Value) -> Value:
    """Take the next item of an iterator, or a default where there is none."""
    place, length = _place(m, over), m.to_data(m.call_global("len", len, [over.parts[0]]))
    test = evaluation_order.operation(m, Expr("compare", (place.expr, length.expr), ("<",)), length)
    item, other = m.to_data(item_at(m, over, place)), m.to_data(default)
    if test.known is not None:
        found = item if test.known.value else other
    else:
        type_ = m.memory.joined(item.type, other.type)
        found = Data(Expr("conditional", (test.expr, item.expr, other.expr), None, type_))
    found = stable(m, found, "item")
    with held(m, [found]):
        count(m, over)
    return found


def further(m: Machine, place: Data, steps: Data) -> Data:
    """Return the place that comes so many places later."""
    for number, other in ((steps, place), (place, steps)):
        if number.known is not None and number.known.value == 0:
            return other
    if place.known is not None and steps.known is not None:
        return literal(place.known.value + steps.known.value)
    return m.to_data(m.binary("+", place, steps, None))


def with_counts(m: Machine, over: Lazy, inside: Steps) -> Steps:
    """Return those iterators of a loop over one of which the items that they give are counted."""
    if not has_places(m, over):
        return []
    return [(lazy, step) for lazy, step in inside if lazy.cell and is_counted(m, lazy.cell)]


def count(m: Machine, over: Lazy, step: int = 1) -> None:
    """Count the items that an iterator gives, unless what it goes through counts them."""
    if over.cell is not None:
        put(m, (over.cell, PLACE), further(m, _place(m, over), literal(step)), always=False)


def is_begun(m: Machine, over: Lazy) -> bool:
    """Tell whether an iterator goes on at other places than what it goes through begins at."""
    known = _place(m, over).known
    return known is None or known.value != 0 or iterables.is_of_one(over)


def is_begun_within(m: Machine, over: Lazy) -> bool:
    """Tell whether an iterator, or one that it goes through, goes on at other places."""
    parts = filter(is_asked, iterables.sources(over))
    return is_begun(m, over) or any(is_begun_within(m, part) for part in parts)


def is_asked(part: Value) -> TypeGuard[Lazy]:
    """Tell whether a part of an iterator is one itself, which keeps a place of its own."""
    return iterables.own_cell(part) is not None


def rest(m: Machine, over: Lazy) -> Value:
    """Return what is left of an iterator, as what goes through parts that begin there."""
    return _from(m, over, START)


def _place(m: Machine, over: Lazy) -> Data:
    return START if over.cell is None else place(m, over.cell)


def place(m: Machine, cell: int) -> Data:
    """Return the place of the item that an iterator gives next."""
    found = m.heap[cell].slots.get(PLACE, START)
    assert isinstance(found, Data)
    return found


# ---------------------------------------------------------------------------- places


def has_places(m: Machine, value: Value) -> bool:
    """Tell whether the items of something can be taken at their places."""
    match value:
        case Data(type=Array() as type_):
            return bool(type_.lengths)
        case Data(type=Reference() as type_):
            return m.memory.of(type_).kind == "list"
        case Data(type=Sequence(cls=cls)):
            return cls in (list, tuple) or calls(value.expr, range)
        case Lazy(kind="iter" | "zip" | "enumerate" | "reversed" | "map"):
            return all(_is_at_a_place(m, part) for part in iterables.sources(value))
        case Lazy(kind="comprehension", parts=(first,), extra=(node, _)):
            is_plain = len(node.generators) == 1 and not node.generators[0].ifs
            return is_plain and _is_at_a_place(m, first)
        case Lazy(kind="generator"):
            return is_endless(m, value)
    return False


def _is_at_a_place(m: Machine, part: Value) -> bool:
    """Tell whether the items of a part have places, and it is known where it was left."""
    is_spent = isinstance(part, Lazy) and part.cell in m.heap and SPENT in m.heap[part.cell].slots
    return not is_spent and has_places(m, part)


def is_endless(m: Machine, over: Value) -> bool:
    """Tell whether an iterator is one of itertools that never ends: its items are had at places."""
    if not isinstance(over, Lazy) or over.kind != "generator":
        return False
    slots = m.heap[over.parts[1].id].slots
    match over.parts[0].original:
        case iterators.count:
            return True
        case iterators.cycle:
            return has_places(m, slots["items"]) and _is_alone(m, over, slots["items"])
    return False


def _is_alone(m: Machine, over: Lazy, items_: Value) -> bool:
    """Tell whether nothing else has the list that is cycled: it does not change on the way."""
    if not isinstance(items_, Data) or items_.expr.op != "name":
        return False
    return not is_mentioned(m, items_.expr.data, (over.parts[1].id, "items"))


def _item_of_endless(m: Machine, over: Lazy, place: Data) -> Value:
    """Return the item of count() or cycle(items) at a place."""
    slots = m.heap[over.parts[1].id].slots
    if over.parts[0].original is iterators.count:
        more = m.binary("*", place, slots["step"], None)
        return m.binary("+", slots["start"], more, None)
    pool = slots["items"]
    length = m.call_global("len", len, [pool])
    return item_at(m, pool, m.to_data(m.binary("%", place, length, None)))


def item_at(m: Machine, over: Value, place: Data) -> Value:
    """Return the item at a place of what was not asked for items."""
    if isinstance(over, Data):
        return m.item(over, place, None)
    assert isinstance(over, Lazy)
    seen = _seen_from(m, over, place)
    return _made(m, over, [item_at(m, part, seen) for part in iterables.sources(over)], place)


def _seen_from(m: Machine, over: Lazy, place: Data) -> Data:
    """Return the place in what an iterator goes through; backwards it is one from the end."""
    if over.kind != "reversed":
        return place
    return m.to_data(m.binary("-", literal(-1), place, None))


def _made(m: Machine, over: Lazy, found: list[Value], place: Data) -> Value:
    """Return the item at a place, made of those that an iterator goes through."""
    match over.kind:
        case "generator":
            return _item_of_endless(m, over, place)
        case "zip":
            return Tup(tuple(found))
        case "enumerate":
            return Tup((m.binary("+", over.parts[1], place, None), *found))
        case "map":
            return m.called(over.parts[0], found, {}, None)
        case "comprehension":
            return comprehend.element_of(m, over, found[0])
    return found[0]


def _from(m: Machine, over: Value, begin: Data, step: Data = EMPTY) -> Value:
    """Return what is gone through from a place on, counted from the next item, or every so many of it.

    zip(it, it) takes the items of one iterator in turn.
    """
    if not isinstance(over, Lazy):
        if isinstance(over, Data) and calls(over.expr, range) and len(over.expr.args) == 2:
            steps = [] if step is EMPTY else [step]
            return m.call_global("range", range, [begin, Data(over.expr.args[1]), *steps])
        return m.item(over, slice_of(m, [begin, EMPTY, step]), None)
    place = further(m, _place(m, over), begin)
    if over.kind == "reversed":
        back = m.item(over.parts[0], slice_of(m, [EMPTY, EMPTY, literal(-1)]), None)
        return _from(m, back, place, step)
    if over.kind == "generator" or (over.kind == "enumerate" and step is not EMPTY):
        raise refusal(
            m, "an iterator without an end, or with numbers, that is gone through in parts"
        )
    in_turn = iterables.is_of_one(over)
    if in_turn and not (begin is START and step is EMPTY):
        raise refusal(m, "an iterator whose items are taken in turn within another")
    sources = iterables.sources(over)
    if in_turn:
        if not has_places(m, sources[0]):  # which items it gives is known once they are there
            sources = (m.listed(sources[0]),) * len(sources)
        step = literal(len(sources))
        left = [_from(m, part, literal(k), step) for k, part in enumerate(sources)]
    else:
        left = [_from(m, part, begin if is_asked(part) else place, step) for part in sources]
    if over.kind == "enumerate":
        left.append(further(m, place, m.to_data(over.parts[1])))
        return Lazy("enumerate", tuple(left), ("start",))
    return Lazy(over.kind, (*over.parts[: len(over.parts) - len(left)], *left), over.extra)


def length(m: Machine, over: Value) -> Data:
    """Return how many items there are at places: as many as the shortest of several has."""
    if isinstance(over, Data):
        return m.to_data(m.call_global("len", len, [over]))
    lengths = [length(m, part) for part in iterables.sources(over)]
    return lengths[0] if len(lengths) == 1 else m.to_data(m.call_global("min", min, lengths))
