"""Loops over anything: data by a loop of the program, known parts pass by pass, generators by
running the loop's body where they yield.

for v in u:              For(v, u, ...)
for f in (np.sin, g):    the body twice
for a in pairs(u):       the loops of pairs, with the body in place of its yield
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import gast

from s2sad.ir.expression import Expr, Pattern, global_, name
from s2sad.ir.expression import call as call_of
from s2sad.ir.program import For, Let, RegionOp
from s2sad.ir.types import UNKNOWN, Array, Other, Tuple, Type
from s2sad.ir.types import Code as CodeType
from s2sad.lowering import (
    asked,
    attributes,
    branches,
    calls,
    comprehend,
    execute,
    exits,
    items,
    lazies,
    lifting,
    loops,
    operations,
    passes,
    targets,
    ways,
)
from s2sad.lowering import evaluate as evaluating
from s2sad.lowering.machine import (
    Machine,
    Scope,
    Slot,
    emit,
    fresh,
    held,
    iterator,
    named,
    new_cell,
    put,
    refusal,
    site_of,
    stable,
)
from s2sad.lowering.memory import ITEM
from s2sad.lowering.typing import assume_equal, item_type, reference
from s2sad.lowering.values import (
    SEVERAL,
    Cell,
    Choice,
    Code,
    Data,
    Demand,
    Lazy,
    Ref,
    Tup,
    Value,
    literal,
    origins_of,
    word_of,
)

Body = Callable[[], ways.Way]
Orelse = Callable[[], ways.Way] | None
LONGEST = 300  # passes of a loop that is unrolled


MOST_YIELDS = 40


@dataclass(frozen=True, slots=True)
class Target:
    """What a loop assigns its items to: targets of the user's."""

    node: Any

    def assign(self, m: Machine, value: Value) -> None:
        """Set the targets to a value."""
        targets.assign(m, self.node, value)

    def pattern(self, m: Machine, item: Data) -> Pattern:
        """Set the targets to the items of a loop of the program; return the pattern of them."""
        if targets.is_pattern(m, [self.node], _alone(item.type)):
            whole = Data(item.expr.typed(_alone(item.type)), item.origins)
            return targets.make_pattern(m, [self.node], whole)[0]  # type: ignore[no-any-return]
        found = fresh(m, "item")
        self.assign(m, Data(name(found, item.type), item.origins))
        return found


def _alone(type_: Type) -> Type:
    return Tuple((type_,))


@dataclass(frozen=True, slots=True)
class Callback:
    """Hands the items of a loop to a function."""

    function: Callable[[Value], None]
    hint: str = "item"

    def assign(self, m: Machine, value: Value) -> None:
        """Hand one item over."""
        self.function(value)

    def pattern(self, m: Machine, item: Data) -> Pattern:
        """Hand the item of a loop of the program over under a name."""
        found = fresh(m, self.hint)
        self.function(Data(name(found, item.type), item.origins))
        return found


Targets = Target | Callback


def loop(
    m: Machine, over: Value, target: Targets, body: Body, site: Any, orelse: Orelse = None
) -> ways.Way:
    """Run a loop; return its way out."""
    unroll = ("unroll", site) in m.choices and ("no unroll", site) not in m.choices
    match over:
        case Data():
            return _over_data(m, over, target, body, site, orelse, unroll)
        case Tup() if over.cls is not tuple and "__iter__" in vars(over.cls):
            function = attributes.of_class(m, over.cls, "__iter__", over)
            return loop(m, _called(m, function), target, body, site, orelse)
        case Ref() if m.heap[over.id].kind == "object":
            return loop(m, _iterator(m, over), target, body, site, orelse)
        case Ref() if m.heap[over.id].kind == "list":
            return unrolled(m, over, target, body, orelse)
        case Tup() | Ref():
            return unrolled(m, items.parts_of(m, over), target, body, orelse)
        case Lazy():
            found = over if over.kind == "comprehension" else lazies.at_once(m, over)
            if not isinstance(found, Lazy):
                return loop(m, found, target, body, site, orelse)
            lazies.mark_spent(m, over)
            if asked.is_begun(m, over):
                return loop(m, asked.rest(m, over), target, body, site, orelse)
            return LAZY[over.kind](m, over, target, body, site, orelse)
        case Code() if hasattr(over.obj, "__members__"):
            members = [attributes.attribute(m, over, k) for k in over.obj.__members__]
            return unrolled(m, members, target, body, orelse)
    raise refusal(m, f"a loop over {word_of(over)}")


def _called(m: Machine, function: Value | None) -> Value:
    assert function is not None
    return calls.called(m, function, [], {}, None)


def _iterator(m: Machine, over: Value) -> Value:
    return _called(m, attributes.attribute(m, over, "__iter__"))


def _over_data(
    m: Machine, over: Data, target: Targets, body: Body, site: Any, orelse: Orelse, unroll: bool
) -> ways.Way:
    if lifting.is_object(m, over):
        return loop(m, _iterator(m, over), target, body, site, orelse)
    is_iterator = isinstance(over.type, Other) and hasattr(over.type.cls, "__next__")
    if is_iterator and over.expr.op == "name":
        raise refusal(m, "an iterator that the function is handed")
    if unroll or is_uneven(m, over) or _is_short(m, over):
        if unroll and items.fixed_length(m, over) is None:
            origins = [o for o in over.origins if _makes_length_known(m, o)]
            raise Demand(min(origins, key=str) if origins else ("no unroll", site))
        return unrolled(m, items.parts_of(m, over), target, body, orelse)
    return _printed(m, over, target, body, site, orelse)


def _makes_length_known(m: Machine, origin: Choice) -> bool:
    """Tell whether a choice that is open would tell how many items there are."""
    if origin in m.choices or ("runtime", *origin[1:]) in m.choices:
        return False
    return origin[0] in ("known", "structure")


def _is_short(m: Machine, over: Data) -> bool:
    """Tell whether data is a display of one item, or surely holds none."""
    if items.fixed_length(m, over) == 0:
        return True
    plain = over.expr.op in ("tuple", "list") and len(over.expr.args) < 2
    return plain and not any(e.op == "starred" for e in over.expr.args)


def is_uneven(m: Machine, over: Data) -> bool:
    """Tell whether the items of data differ in kind, and are told apart by their place."""
    if isinstance(over.type, Tuple):
        if any(isinstance(t, CodeType) for t in over.type.items):
            return True
        return bool(over.type.items) and item_type(m, over.type) == UNKNOWN
    found = reference(over.type)
    if found is None or m.memory.of(found).kind != "fields":
        return False
    return m.memory.of(found).cls in (list, tuple)


def is_of_one_type(m: Machine, over: Data) -> bool:
    """Tell whether all that a dict under constant keys holds is data of one type."""
    found = reference(over.type)
    if found is None:
        return False
    held = [m.memory.item(found, key) for key in list(m.memory.of(found).slots)]
    if any(isinstance(t, CodeType) for t in held):
        return False
    return len(held) < 2 or m.memory.sequence(Tuple(tuple(held))).item != UNKNOWN


def _printed(
    m: Machine, over: Data, target: Targets, body: Body, site: Any, orelse: Orelse
) -> ways.Way:
    """Make a loop of the program over data."""
    patterns: list[Pattern] = []
    number = passes.number_of_pass(m, over)

    def run(_: Scope) -> ways.Way:
        type_ = passes.with_number(item_type(m, over.type), number)
        item = Data(Expr("name", (), None, type_), _origins(over, site))
        patterns[:] = [target.pattern(m, item)]
        return body()

    def made(broken: Slot | None) -> ways.Way:
        return loops.printed(
            m,
            site,
            run,
            lambda block: For(patterns[0], over.expr, tuple(block), m.span),
            broken=broken,
            number=number,
        )

    return loops.with_else(m, made, orelse)


def _origins(over: Data, site: Any) -> frozenset[Any]:
    return over.origins | ({("unroll", site)} if site is not None else frozenset())


# ---------------------------------------------------------------------------- pass by pass


def unrolled(
    m: Machine, parts: list[Any] | Ref, target: Targets, body: Body, orelse: Orelse = None
) -> ways.Way:
    """Run the body once for each of some known items."""
    context = Scope("loop", False, m.frame)
    m.contexts.append(context)
    rest = [] if isinstance(parts, Ref) else list(parts)

    def onward(place: int) -> ways.Way:
        nonlocal rest
        while place < len(now := m.heap[parts.id].slots if isinstance(parts, Ref) else rest):
            if place > LONGEST:
                raise refusal(m, "a long loop that is unrolled")
            part, block, mark = now[place], m.block, len(m.block)
            target.assign(m, part() if callable(part) else part)
            place += 1
            way = ways.without(body(), ways.Exit("continue", context))
            if m.block is block and rest:
                rest = evaluating.unchanged(m, rest, mark)
            if isinstance(way, ways.Mixed) and (place < len(now) or orelse is not None):
                return exits.guarded(m, way, lambda place=place: onward(place))
            if way is not None:
                return way
        return None if orelse is None else orelse()

    try:
        with held(m, rest):
            return ways.without(onward(0), ways.Exit("break", context))
    finally:
        m.contexts.pop()


# ---------------------------------------------------------------------------- generators


def _over_generator(
    m: Machine, lazy: Lazy, target: Targets, body: Body, site: Any, orelse: Orelse
) -> ways.Way:
    return over_generator(m, lazy, target, body, "loop", orelse)


def over_generator(
    m: Machine, lazy: Lazy, target: Targets, body: Body, kind: str, orelse: Orelse = None
) -> ways.Way:
    """Run a generator; where it yields, the body of the loop, or of the `with`, that it is for."""
    frame = lazy.parts[1]
    here, function = Scope(kind, False, m.frame), Scope("function", False, frame.id)
    way = _run_generator(m, lazy, target, body, here, function)
    m.contexts += [here, function]
    try:
        way = ways.without(way, ways.Exit("return", function))
        if orelse is not None and way is None:
            way = orelse()
        return ways.without(way, ways.Exit("break", here))
    finally:
        del m.contexts[-2:]


def _run_generator(
    m: Machine, lazy: Lazy, target: Targets, body: Body, here: Scope, function: Scope
) -> ways.Way:
    closure, frame = lazy.parts
    user, before = m.frame, m.yielding

    def on_yield(value: Value) -> None:
        outer, m.frame = m.frame, user
        kept, m.yielding = m.yielding, before
        m.yields += 1
        try:
            if m.yields > MOST_YIELDS:
                raise refusal(m, "a recursion that is too deep")
            target.assign(m, value)
            m.leaving = ways.without(body(), ways.Exit("continue", here))
        finally:
            m.frame, m.yielding = outer, kept
            m.yields -= 1

    m.yielding = on_yield
    m.contexts += [here, function]
    m.frame = frame.id
    try:
        return execute.block(m, closure.node.body)
    finally:
        m.frame, m.yielding = user, before
        del m.contexts[-2:]


def evaluate(m: Machine, node: Any) -> Value:
    """Hand what is yielded to the loop that goes through this generator."""
    if m.yielding is None:
        raise refusal(m, "yield outside of a loop over its generator")
    if isinstance(node, gast.Yield):
        value = literal(None) if node.value is None else evaluating.evaluate(m, node.value)
        m.yielding(value)
        return literal(None)
    hand = m.yielding
    m.leaving = None

    def body() -> ways.Way:
        way, m.leaving = m.leaving, None
        return way  # type: ignore[no-any-return]

    over = evaluating.evaluate(m, node.value)
    m.leaving = loop(m, over, Callback(lambda value: hand(value)), body, site_of(m, node))
    return literal(None)


# ---------------------------------------------------------------------------- zip, enumerate, map


def _counter(m: Machine, start: Data) -> Slot:
    """Return a slot that counts the passes of a loop over a generator."""
    cell = new_cell(m, Cell("frame", {}, None, None, None, m.heap[m.frame].closure))
    put(m, (cell.id, "count"), start)
    return cell.id, "count"


def _count(m: Machine, slot: Slot) -> Data:
    value = m.heap[slot[0]].slots[slot[1]]
    assert isinstance(value, Data)
    return value


def _add_one(m: Machine, slot: Slot) -> None:
    more = operations.binary(m, "+", _count(m, slot), literal(1), None)
    put(m, slot, more)


def _over_enumerate(
    m: Machine, lazy: Lazy, target: Targets, body: Body, site: Any, orelse: Orelse
) -> ways.Way:
    """Number the items."""
    inner, start = lazy.parts
    if is_listed(m, inner):
        first = items.need(m, start)
        parts = enumerate(parts_or_items(m, inner))
        return unrolled(
            m, [Tup((literal(first + k), part)) for k, part in parts], target, body, orelse
        )
    slot = _counter(m, lifting.to_data(m, start))

    def assign(value: Value) -> None:
        count = named(m, _count(m, slot), "number")
        _add_one(m, slot)
        target.assign(m, Tup((count, value)))

    return loop(m, inner, Callback(assign), body, site, orelse)


def is_listed(m: Machine, value: Value) -> bool:
    """Tell whether the items of something are known one by one."""
    match value:
        case Lazy(kind="zip"):
            return _some_listed(m, value.parts)
        case Lazy(kind="map"):
            return _some_listed(m, value.parts[1:])
        case Lazy(kind="entries"):
            return True
        case Lazy(kind="view", parts=(owner,)):
            return is_uneven(m, owner) and not is_of_one_type(m, owner)
        case Lazy(kind="enumerate" | "reversed" | "iter"):
            return is_listed(m, value.parts[0])
        case Ref():
            return m.heap[value.id].kind != "object"
        case Data():
            return is_uneven(m, value)
    return isinstance(value, Tup)


def _some_listed(m: Machine, parts: tuple[Any, ...]) -> bool:
    listed = [is_listed(m, part) for part in parts]
    rest = all(a or isinstance(p, Data) for a, p in zip(listed, parts, strict=True))
    return any(listed) and rest


def _over_zip(
    m: Machine, lazy: Lazy, target: Targets, body: Body, site: Any, orelse: Orelse
) -> ways.Way:
    """Go through several at once."""
    pushed = [
        k for k, p in enumerate(lazy.parts) if not is_listed(m, p) and not isinstance(p, Data)
    ]
    if not pushed:
        return unrolled(m, _zipped_parts(m, lazy), target, body, orelse)
    lead = next((k for k in pushed if not asked.is_endless(m, lazy.parts[k])), pushed[0])
    others = [_beside(m, part) for k, part in enumerate(lazy.parts) if k != lead]
    slot = _counter(m, literal(0))
    led: list[Value] = []

    def rest() -> ways.Way:
        count = _count(m, slot)
        read = [stable(m, asked.item_at(m, other, count), "other") for other in others]
        _add_one(m, slot)
        target.assign(m, Tup((*read[:lead], led[-1], *read[lead:])))
        return body()

    def one_pass() -> ways.Way:
        way: ways.Way = None
        for other in (each for each in others if isinstance(each, Data)):
            ends = _is_at_end(m, _count(m, slot), other)
            sides: list[branches.Side] = [
                lambda: (exits.leave(m, "break"), None),
                lambda: (None, None),
            ]
            way, _ = branches.branch(m, ends, sides)
        return rest() if way is None else _guarded(m, way, rest)

    return loop(m, lazy.parts[lead], Callback(led.append), one_pass, site, orelse)


def _beside(m: Machine, part: Value) -> Value:
    """Return what is gone through beside a generator: what has items at places."""
    if isinstance(part, Lazy) and asked.is_endless(m, part):
        lazies.mark_spent(m, part)
        return part
    if isinstance(part, Lazy) and part.kind == "generator":
        raise refusal(m, "two generators side by side")
    return evaluating.name_if_long(m, lifting.to_data(m, part), "other")


def _guarded(m: Machine, way: ways.Way, rest: Body) -> ways.Way:
    return exits.guarded(m, way, rest) if isinstance(way, ways.Mixed) else way


def _is_at_end(m: Machine, count: Data, other: Data) -> Expr:
    length = evaluating.operation(m, _call("len", len, other.expr), other)
    test = Expr("compare", (count.expr, length.expr), (">=",))
    return evaluating.operation(m, test, count, length).expr


def _call(word: str, function: Any, *args: Expr) -> Expr:
    return Expr("call", (global_(word, function), *args), ())


def _zipped_parts(m: Machine, lazy: Lazy) -> list[Value]:
    """Return the items of a zip of which some part has known items: as many as that has."""
    columns = [_column(m, part) for part in lazy.parts]
    counts = [len(c) for c in columns if c is not None]
    if not counts:
        columns = [items.parts_of(m, part) for part in lazy.parts]
        counts = [len(c) for c in columns if c is not None]
    made = []
    for column, part in zip(columns, lazy.parts, strict=True):
        made.append(_first_items(m, part, min(counts)) if column is None else column)
    return [Tup(tuple(parts)) for parts in zip(*made, strict=False)]


def _column(m: Machine, part: Value) -> list[Value] | None:
    if isinstance(part, Lazy):
        return collected(m, part)
    return items.parts_of(m, part) if is_listed(m, part) else None


def _first_items(m: Machine, part: Value, count: int) -> list[Value]:
    whole = evaluating.name_if_long(m, items.indexable(lifting.to_data(m, part)), "column")
    return [items.item(m, whole, literal(k), None) for k in range(count)]


def _over_entries(
    m: Machine, lazy: Lazy, target: Targets, body: Body, site: Any, orelse: Orelse
) -> ways.Way:
    """Go through the items or values of a known dict, each read when its turn comes."""
    place = lazy.parts[0].id

    def entry(key: Any) -> Value:
        value = m.heap[place].slots[key]
        return value if lazy.extra == "values" else Tup((literal(key), value))

    parts = [lambda key=key: entry(key) for key in m.heap[place].slots]
    return unrolled(m, parts, target, body, orelse)


def _over_map(
    m: Machine, lazy: Lazy, target: Targets, body: Body, site: Any, orelse: Orelse
) -> ways.Way:
    """Call a function with each item."""
    function, *parts = lazy.parts
    over = parts[0] if len(parts) == 1 else iterator(m, "zip", tuple(parts))

    def assign(value: Value) -> None:
        args = [value] if len(parts) == 1 else items.parts_of(m, value)
        target.assign(m, calls.called(m, function, args, {}, None))

    return loop(m, over, Callback(assign), body, site, orelse)


def _over_reversed(
    m: Machine, lazy: Lazy, target: Targets, body: Body, site: Any, orelse: Orelse
) -> ways.Way:
    """Go backwards."""
    return unrolled(m, parts_or_items(m, lazy.parts[0])[::-1], target, body, orelse)


def _over_itself(
    m: Machine, lazy: Lazy, target: Targets, body: Body, site: Any, orelse: Orelse
) -> ways.Way:
    """Go through what an iterator was made of."""
    return loop(m, lazy.parts[0], target, body, site, orelse)


def _over_several(
    m: Machine, lazy: Lazy, target: Targets, body: Body, site: Any, orelse: Orelse
) -> ways.Way:
    raise refusal(m, "an iterator that differs from pass to pass")


def zipped(m: Machine, parts: list[Value], options: Mapping[str, Value]) -> Data:
    """Return zip of some data."""
    exprs = [lifting.to_data(m, part).expr for part in parts]
    keywords = {key: lifting.to_data(m, value).expr for key, value in options.items()}
    assume_equal(m, *(e.type.lengths[:1] for e in exprs if isinstance(e.type, Array)))
    made = evaluating.operation(m, call_of(global_("zip", zip), *exprs, **keywords))
    return replace(made, origins=origins_of(parts))


def is_plain_iterable(m: Machine, value: Value) -> bool:
    """Tell whether a value is data that builtins may go through."""
    if not isinstance(value, Data):
        return False
    return value.expr.op == "starred" or not (is_uneven(m, value) or lifting.is_object(m, value))


LAZY = {
    "generator": _over_generator,
    "enumerate": _over_enumerate,
    "zip": _over_zip,
    "entries": _over_entries,
    "map": _over_map,
    "reversed": _over_reversed,
    "iter": _over_itself,
    "comprehension": lambda *args: comprehend.loop(*args),
    SEVERAL: _over_several,
}


# ---------------------------------------------------------------------------- lists of what is lazy


def parts_or_items(m: Machine, value: Value) -> list[Value]:
    """Return the items of something with a known number of them."""
    return collected(m, value) if isinstance(value, Lazy) else items.parts_of(m, value)


def collected(m: Machine, value: Value) -> list[Value]:
    """Return the items of an iterator whose number is known."""
    cell, block = new_cell(m, Cell("frame", {}, "held")), m.block

    def take(item: Value) -> None:
        if m.block is not block:
            raise refusal(m, "as many items as a loop has passes, or some ways alone")
        slots = m.heap[cell.id].slots
        slots[len(slots)] = stable(m, item, "item")

    way = loop(m, value, Callback(take), lambda: None, None)
    if way is not None:
        raise refusal(m, "a generator that ends on some way")
    return list(m.heap.pop(cell.id).slots.values())


def listed(m: Machine, value: Value) -> Data:
    """Return all items of an iterator as a list of the run."""
    target = fresh(m, "items")
    site = ("listed", *site_of(m, None), str(m.span))
    made = m.memory.make(site, "list", list)
    emit(m, Let(target, Expr("list", (), None, made), m.span))
    data = Data(name(target, made))

    def take(item: Value) -> None:
        part = lifting.to_data(m, item)
        m.memory.store(made, ITEM, part.type, None)
        emit(m, RegionOp(None, data.expr, "append", (part.expr,), m.span))

    loop(m, value, Callback(take), lambda: None, site)
    return data


def set_entries(m: Machine, lazy: Lazy, site: Any, node: Any) -> Data:
    """Return all entries of a comprehension as a dict of the run."""
    target = fresh(m, "entries")
    made = m.memory.make(site, "mapping", dict)
    emit(m, Let(target, Expr("dict", (), None, made), m.span))
    data = Data(name(target, made))

    def take(item: Value) -> None:
        key, value = items.parts_of(m, item)
        targets.set_item(m, data, key, value, node)

    loop(m, lazy, Callback(take), lambda: None, ("entries", site))
    return data
