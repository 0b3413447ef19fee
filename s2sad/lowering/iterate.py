"""Loops over anything: data by a loop of the program, known parts pass by pass, generators by
running the loop's body where they yield.

for v in u:              For(v, u, ...)
for f in (np.sin, g):    the body twice
for a in pairs(u):       the loops of pairs, with the body in place of its yield
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from s2sad.ir.expression import Expr, Pattern, Role, calls, global_, name
from s2sad.ir.expression import call as call_of
from s2sad.ir.program import For, Let, RegionOp
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Length, Other
from s2sad.lowering import (
    attributes,
    beside,
    comprehend,
    demands,
    displays,
    evaluation_order,
    exits,
    items,
    iterables,
    lazies,
    loops,
    peeling,
    places,
    reflection,
    sets,
    ways,
)
from s2sad.lowering.beside import ForEach
from s2sad.lowering.iterables import Callback, Steps
from s2sad.lowering.machine import (
    INSIDE,
    Machine,
    Scope,
    Slot,
    emit,
    fresh,
    held,
    iterator,
    named,
    refusal,
    site_of,
)
from s2sad.lowering.memory import ITEM
from s2sad.lowering.targets import Targets
from s2sad.lowering.typing import assume_equal, item_type
from s2sad.lowering.values import (
    LISTED,
    SEVERAL,
    Choice,
    Code,
    Data,
    Demand,
    Lazy,
    Ref,
    Tup,
    Value,
    held_in,
    is_made_inside,
    kept,
    literal,
    origins_of,
    word_of,
)
from s2sad.lowering.ways import Body, Orelse
from s2sad.source.trees import own_nodes

LONGEST = 300  # passes of a loop that is unrolled
SHORT = 12  # passes of a loop that is unrolled for the items of a tuple that grows in it


MOST_YIELDS = 40
MOST_CONTEXTS = 120  # calls and loops that are run inside of each other


def loop(
    m: Machine, over: Value, target: Targets, body: Body, site: Any, orelse: Orelse = None
) -> ways.Way:
    """Run a loop; return its way out."""
    return _run(m, over, ForEach(target, body, site, orelse))


def _run(m: Machine, over: Value, each: ForEach) -> ways.Way:
    match over:
        case Data():
            return _over_data(m, m.to_data(sets.as_items(m, over)), each)
        case Tup() if over.cls is not tuple and "__iter__" in vars(over.cls):
            function = attributes.of_class(m, over.cls, "__iter__", over)
            assert function is not None
            return _run(m, m.called(function, [], {}, None), each)
        case Ref() if m.heap[over.id].kind == "object":
            return _run(m, iterables.of_object(m, over), each)
        case Ref() if m.heap[over.id].kind == "list":
            return unrolled(m, over, each)
        case Tup() | Ref():
            return unrolled(m, m.parts_of(over), each)
        case Lazy():
            return _over_iterator(m, over, each)
        case Code() if hasattr(over.obj, "__members__"):
            members = [m.attribute(over, k) for k in over.obj.__members__]
            return unrolled(m, members, each)
    raise refusal(m, f"a loop over {word_of(over)}")


def _over_iterator(m: Machine, over: Value, each: ForEach) -> ways.Way:
    """Go through an iterator: to its end, unless the loop is left on the way."""
    over = iterables.current(m, over)
    if not isinstance(over, Lazy):
        return _run(m, over, each)
    iterables.check_not_shared(m, over)
    is_pushed = over.kind == "comprehension" or beside.is_pushed(m, each.site)
    one = None if is_pushed else lazies.as_one(m, over)
    if one is None and lazies.is_begun(m, over):
        one = lazies.rest(m, over)
    inside = [(over, 1)] if one is None else list(iterables.nested(over))
    counted = lazies.with_counts(m, over, inside)
    for lazy, _ in inside:
        iterables.mark_spent(m, lazy, INSIDE)
    each = _ending(m, over, inside, counted, _counting(m, counted, each))
    cells = tuple(lazy.cell for lazy, _ in inside if lazy.cell is not None)
    m.contexts.append(Scope("iterator", False, m.frame, cells=cells))
    try:
        way = LAZY[over.kind](m, over, each) if one is None else _run(m, one, each)
    finally:
        m.contexts.pop()
    iterables.note_end(m, over, inside, counted)
    return way


def _ending(m: Machine, over: Lazy, inside: Steps, counted: Steps, each: ForEach) -> ForEach:
    """Return a loop in whose `else` it is known what is left of its iterators.

    Of several side by side the first was asked once more.
    """
    asked = [lazy.cell for part in iterables.several(over)[:1] for lazy in iterables.chain(part)]
    once_more = [(lazy, step) for lazy, step in counted if lazy.cell in asked]
    if each.orelse is None and not once_more:
        return each

    def orelse() -> ways.Way:
        for lazy, step in once_more:
            lazies.count(m, lazy, step)
        iterables.note_end(m, over, inside, counted, always=True)
        return None if each.orelse is None else each.orelse()

    return replace(each, orelse=orelse)


def _counting(m: Machine, counted: Steps, each: ForEach) -> ForEach:
    """Return a loop that counts the items that iterators give."""
    if not counted:
        return each

    def assign(value: Value) -> None:
        for lazy, step in counted:
            lazies.count(m, lazy, step)
        each.target.assign(m, value)

    return each.handed(assign)


def _over_data(m: Machine, over: Data, each: ForEach) -> ways.Way:
    """Go through data; a generator is run pass by pass where the body changes what it reads."""
    later, generators = kept(over), list(beside.parts(over.expr))
    if not generators:
        return _over_items(m, over, each)
    if isinstance(later, Lazy) and beside.is_pushed(m, each.site):
        return _over_iterator(m, later, each)
    is_changed = beside.watched(m, generators)
    way = _over_items(m, over, each)
    if is_changed():
        raise beside.pushed(m, each.site)
    return way


def _over_items(m: Machine, over: Data, each: ForEach) -> ways.Way:
    if calls(over.expr, iter) and len(over.expr.args) == 2:  # nobody else has it
        over = Data(over.expr.args[1], over.origins)
    if reflection.is_object(m, over):
        return _run(m, iterables.of_object(m, over), each)
    unroll = demands.is_unrolled(m, each.site)
    is_iterator = isinstance(over.type, Other) and hasattr(over.type.cls, "__next__")
    if is_iterator and over.expr.op == "name":
        raise refusal(m, "an iterator that the function is handed")
    if unroll or iterables.is_uneven(m, over) or _is_short(m, over):
        if unroll and items.fixed_length(m, over) is None:
            _assume_as_in_examples(m, over.expr)
            origins = [o for o in over.origins if _makes_length_known(m, o)]
            if origins:
                raise Demand(min(origins, key=str))
            demands.ask_for_slots_within(m, over)
            raise Demand(("no unroll", each.site))
        return unrolled(m, m.parts_of(over), each)
    if peeling.is_peeled(m, each.site) and each.orelse is None:
        return _peeled(m, over, each)
    return _printed(m, over, each)


def _peeled(m: Machine, over: Data, each: ForEach) -> ways.Way:
    """Run the first pass of a loop apart from the others, or all of a few that have no places."""
    mark, passes = len(m.block), peeling.passes_of(m, over)
    if passes is None:
        count = items.fixed_length(m, over)
        is_short = count is not None and count <= SHORT
        return unrolled(m, m.parts_of(over), each) if is_short else _printed(m, over, each)

    def first() -> ways.Way:
        each.target.assign(m, passes.first())
        return each.body()

    def rest() -> ways.Way:
        item, others = passes.item, each
        if item is not None:
            others = each.handed(lambda place: each.target.assign(m, item(place)))
        is_over = items.fixed_length(m, passes.rest) == 0
        return None if is_over else _printed(m, passes.rest, others)

    with held(m, list(passes.held)):
        way = peeling.run(m, passes.is_there, first, rest)
    peeling.refuse_growing(m, over, mark)
    return way


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


def _printed(m: Machine, over: Data, each: ForEach) -> ways.Way:
    """Make a loop of the program over data."""
    patterns: list[Pattern] = []
    number, passes = loops.number_of_pass(m, over), items.fixed_length(m, over)
    is_short = each.site is not None and passes is not None and passes <= SHORT

    def run(_: Scope) -> ways.Way:
        asked = frozenset() if each.site is None else {("unroll", each.site)}
        type_ = loops.with_number(item_type(m, over.type), number)
        item = Data(Expr("name", (), None, type_), over.origins | asked)
        patterns[:] = [each.target.pattern(m, item)]
        return each.body()

    def made(broken: Slot | None) -> ways.Way:
        return loops.printed(
            m,
            each.site,
            run,
            lambda block: For(patterns[0], over.expr, tuple(block), m.span),
            broken=broken,
            number=number,
            is_short=is_short,
        )

    return loops.with_else(m, made, each.orelse)


# ---------------------------------------------------------------------------- pass by pass


def unrolled(m: Machine, parts: list[Any] | Ref, each: ForEach) -> ways.Way:
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
            each.target.assign(m, part() if callable(part) else part)
            each.target.write_out(m)
            place += 1
            way = ways.without(each.body(), ways.Exit("continue", context))
            if m.block is block and rest:
                rest = evaluation_order.unchanged(m, rest, mark)
            if isinstance(way, ways.Mixed) and place < len(now):
                return exits.guarded(m, way, lambda place=place: onward(place))
            if way is not None:
                return way
        return None

    try:
        with held(m, rest):
            way = onward(0)
        return exits.after_passes(m, way, context, each.orelse)
    finally:
        m.contexts.pop()


# ---------------------------------------------------------------------------- generators


def over_generator(
    m: Machine, lazy: Lazy, target: Targets, body: Body, kind: str, orelse: Orelse = None
) -> ways.Way:
    """Run a generator; where it yields, the body of the loop, or of the `with`, that it is for."""
    frame = lazy.parts[1]
    here, function = Scope(kind, False, m.frame), Scope("function", False, frame.id)
    way = _run_generator(m, lazy, target, body, here, function)
    m.contexts += [here, function]
    try:
        return exits.after_passes(m, ways.without(way, ways.Exit("return", function)), here, orelse)
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

    if len(m.contexts) > MOST_CONTEXTS:
        raise refusal(m, "a recursion that is too deep")
    m.yielding = on_yield
    m.contexts += [here, function]
    m.frame = frame.id
    try:
        # one that returns a value on some way gives None where it comes to its end
        ends = [gast.Return(None)] if _returns_value(closure.node) else []
        return m.run([*closure.node.body, *ends], is_whole=True)
    finally:
        m.frame, m.yielding = user, before
        del m.contexts[-2:]


def _returns_value(node: Any) -> bool:
    return any(isinstance(n, gast.Return) and n.value is not None for n in own_nodes(node))


def evaluate(m: Machine, node: Any) -> Value:
    """Hand what is yielded to the loop that goes through this generator."""
    if m.yielding is None:
        raise refusal(m, "yield outside of a loop over its generator")
    if isinstance(node, gast.Yield):
        value = literal(None) if node.value is None else m.evaluate(node.value)
        m.yielding(value)
        return literal(None)
    hand = m.yielding
    m.leaving = None

    def body() -> ways.Way:
        way, m.leaving = m.leaving, None
        return way  # type: ignore[no-any-return]

    over = m.evaluate(node.value)
    m.leaving = loop(m, over, Callback(lambda value: hand(value)), body, site_of(m, node))
    if isinstance(over, Lazy) and over.kind == "generator":  # what it returned
        return m.heap[over.parts[1].id].slots.get("<result>", literal(None))
    return literal(None)


# ---------------------------------------------------------------------------- zip, enumerate, map


def _over_enumerate(m: Machine, lazy: Lazy, each: ForEach) -> ways.Way:
    """Number the items."""
    inner, start = lazy.parts
    if iterables.is_listed(m, inner):
        first = demands.need(m, start)
        parts = enumerate(m.parts_of(inner))
        return unrolled(m, [Tup((literal(first + k), part)) for k, part in parts], each)
    slot = beside.counter(m, m.to_data(start))

    def assign(value: Value) -> None:
        count = named(m, beside.count(m, slot), "number")
        beside.add_one(m, slot)
        each.target.assign(m, Tup((count, value)))

    return _run(m, inner, each.handed(assign))


def _over_zip(m: Machine, lazy: Lazy, each: ForEach) -> ways.Way:
    """Go through several at once, pass by pass, or beside one that is run."""
    if beside.is_pushed(m, each.site):
        lazy = replace(lazy, parts=tuple(map(beside.opened, lazy.parts)))
    pushed = [
        k
        for k, p in enumerate(lazy.parts)
        if not iterables.is_listed(m, p) and not isinstance(p, Data)
    ]
    lead = next((k for k in pushed if not lazies.is_endless(m, lazy.parts[k])), None)
    lead = pushed[0] if pushed and lead is None else lead
    counted = [] if lead is None else lazies.counted_in(m, lazy.parts[lead])

    def orelse() -> ways.Way:
        iterables.leave_parts(m, lazy, counted)
        assert each.orelse is not None
        return each.orelse()

    inner = each if each.orelse is None else replace(each, orelse=orelse)
    if lead is not None:
        way = beside.run_one(m, lazy, lead, inner, lambda each: _run(m, lazy.parts[lead], each))
    else:
        way = _over_parts(m, lazy, inner)
    iterables.leave_parts(m, lazy, counted)
    return way


def _over_parts(m: Machine, lazy: Lazy, each: ForEach) -> ways.Way:
    """Go through several at once, whose items are there before the first pass."""
    data = [part.expr for part in lazy.parts if isinstance(part, Data)]
    is_changed = beside.watched(m, [part for expr in data for part in beside.parts(expr)])
    way = unrolled(m, _zipped_parts(m, lazy), each)
    if is_changed():
        raise beside.pushed(m, each.site)
    return way


def _zipped_parts(m: Machine, lazy: Lazy) -> list[Value]:
    """Return the items of a zip of which some part has known items: as many as that has."""
    columns = [_column(m, part) for part in lazy.parts]
    counts = [len(c) for c in columns if c is not None]
    if not counts:
        columns = [m.parts_of(part) for part in lazy.parts]
        counts = [len(c) for c in columns if c is not None]
    made = []
    for column, part in zip(columns, lazy.parts, strict=True):
        made.append(items.first_items(m, part, min(counts)) if column is None else column)
    return [Tup(tuple(parts)) for parts in zip(*made, strict=False)]


def _column(m: Machine, part: Value) -> list[Value] | None:
    return m.parts_of(part) if isinstance(part, Lazy) or iterables.is_listed(m, part) else None


def _over_entries(m: Machine, lazy: Lazy, each: ForEach) -> ways.Way:
    """Go through the items or values of a known dict, each read when its turn comes."""
    place = lazy.parts[0].id

    def entry(key: Any) -> Value:
        value = m.heap[place].slots[key]
        return value if lazy.extra == "values" else Tup((literal(key), value))

    parts = [lambda key=key: entry(key) for key in m.heap[place].slots]
    return unrolled(m, parts, each)


def _over_map(m: Machine, lazy: Lazy, each: ForEach) -> ways.Way:
    """Call a function with each item."""
    function, *parts = lazy.parts
    over = parts[0] if len(parts) == 1 else iterator(m, "zip", tuple(parts))

    def assign(value: Value) -> None:
        args = [value] if len(parts) == 1 else m.parts_of(value)
        each.target.assign(m, m.called(function, args, {}, None))

    return _run(m, over, each.handed(assign))


def _over_several(m: Machine, lazy: Lazy, each: ForEach) -> ways.Way:
    raise refusal(m, "an iterator that differs from pass to pass")


def zipped(m: Machine, parts: list[Value], options: Mapping[str, Value]) -> Data:
    """Return zip of some data."""
    exprs = [m.to_data(part).expr for part in parts]
    keywords = {key: m.to_data(value).expr for key, value in options.items()}
    held = [e.args[1] if calls(e, reversed) and len(e.args) == 2 else e for e in exprs]
    assume_equal(m, *(e.type.lengths[:1] for e in held if isinstance(e.type, Array)))
    made = evaluation_order.operation(m, call_of(global_("zip", zip), *exprs, **keywords))
    return replace(made, origins=origins_of(parts))


LAZY = {
    "generator": lambda m, lazy, each: over_generator(
        m, lazy, each.target, each.body, "loop", each.orelse
    ),
    "enumerate": _over_enumerate,
    "zip": _over_zip,
    "view": _over_entries,
    "map": _over_map,
    "reversed": lambda m, lazy, each: unrolled(m, m.parts_of(lazy.parts[0])[::-1], each),
    "iter": lambda m, lazy, each: _run(m, lazy.parts[0], each),
    "comprehension": lambda m, lazy, each: comprehend.loop(
        m, lazy, each.target, each.body, each.orelse
    ),
    SEVERAL: _over_several,
}


# ---------------------------------------------------------------------------- lists of what is lazy


def listed(m: Machine, value: Value, words: tuple[str, ...] = ()) -> Data:
    """Return all items of an iterator as a list of the run, by these words if they are known."""
    site = (LISTED, *site_of(m, None), str(m.span))
    if demands.is_unrolled(m, site):
        return m.to_data(displays.list_of(m, iterables.collected(m, value, site, words), site))
    target = fresh(m, "items", Role.TERM)
    made = m.memory.make(site, "list", list)
    emit(m, Let(target, Expr("list", (), None, made), m.span))
    data = Data(name(target, made), frozenset({("unroll", _loop_of(m, value, site))}))

    def take(item: Value) -> None:
        _write_out_functions(m, item, value, site)
        part = m.to_data(item)
        m.memory.store(made, ITEM, part.type, None)
        emit(m, RegionOp(None, data.expr, "append", (part.expr,), m.span))

    loop(m, value, Callback(take), lambda: None, site)
    return data


def _write_out_functions(m: Machine, item: Value, over: Value, site: Any) -> None:
    """Begin again with as many items as there are where they are, or hold, functions that are made here."""
    held = m.heap[item.id].slots.values() if isinstance(item, Ref) else held_in(item)
    if any(map(is_made_inside, (item, *held))):
        demands.demand_open(m, frozenset({("unroll", _loop_of(m, over, site))}), "unroll")


def _loop_of(m: Machine, over: Value, site: Any) -> Any:
    """Return the site of the loop that lists items: of a comprehension, that of what it binds."""
    is_comprehension = isinstance(over, Lazy) and over.kind == "comprehension"
    return site_of(m, over.extra[0].generators[0].target) if is_comprehension else site


def _assume_as_in_examples(m: Machine, over: Expr) -> None:
    """Ask that what is written out item by item, or beside others, has as many as in the examples."""
    beside_others = over.args if over.op == "call" else ()
    for each in (over, *beside_others):
        length = (
            each.type.lengths[0] if isinstance(each.type, Array) and each.type.lengths else None
        )
        count = None if length is None else m.context.assumptions.value(length)
        if count is not None and count <= demands.MOST:
            assume_equal(m, (length,), (Length((), count),))


def set_entries(m: Machine, lazy: Lazy, site: Any) -> Data:
    """Return all entries of a comprehension as a dict of the run."""
    target = fresh(m, "entries")
    made = m.memory.make(site, "mapping", dict)
    emit(m, Let(target, Expr("dict", (), None, made), m.span))
    data = Data(name(target, made))

    def take(item: Value) -> None:
        _write_out_functions(m, item, lazy, site)
        key, value = m.parts_of(item)
        places.set_item(m, data, key, value)

    loop(m, lazy, Callback(take), lambda: None, ("entries", site))
    return data
