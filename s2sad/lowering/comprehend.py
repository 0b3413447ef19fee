"""Comprehensions: one node where their element is one expression of data, a loop otherwise.

[x * x for x in u]            comprehension (x * x, generator u)
[f(x) for f in (g, h)]        a list of two
(a for a in pairs(u))         gone through where it is used
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.ir.expression import Expr, calls, global_, positional
from s2sad.ir.records import replace
from s2sad.ir.types import Other, Sequence, Type
from s2sad.lowering import (
    branches,
    demands,
    displays,
    evaluation_order,
    exits,
    items,
    iterables,
    iterate,
    library,
    reflection,
    ways,
)
from s2sad.lowering.machine import (
    AT_END,
    Machine,
    Scope,
    bound_words,
    forked,
    fresh,
    iterator,
    new_cell,
    place_of,
    site_of,
    stable,
)
from s2sad.lowering.memory import ITEM, KEY
from s2sad.lowering.targets import Target, Targets
from s2sad.lowering.typing import item_type
from s2sad.lowering.values import (
    Bound,
    Cell,
    Closure,
    Data,
    Demand,
    Fails,
    Lazy,
    Partial,
    Tup,
    Value,
    origins_of,
)
from s2sad.lowering.ways import Body, Orelse

KINDS = {gast.ListComp: "list", gast.SetComp: "set", gast.DictComp: "dict"}
KINDS |= {gast.GeneratorExp: "generator"}


def evaluate(m: Machine, node: Any) -> Value:
    """Return what a comprehension gives."""
    words = bound_words(m, node)
    first = m.evaluate(node.generators[0].iter)
    place_of(m, node)
    if isinstance(node, gast.GeneratorExp):
        return _generator(m, node, first)
    first = m.at_once(first, AT_END)
    if isinstance(node, gast.DictComp) and _gives_keys(m, first):
        first = Tup(tuple(m.parts_of(first)))  # a dict under the same keys, mostly
    found = plain(m, node, first)
    if found is not None:
        return found
    lazy = Lazy("comprehension", (first,), (node, m.frame))
    if _is_known(m, node, first):
        each_item = iterables.collected(m, lazy, words=words if len(words) > 1 else ())
        if isinstance(node, gast.DictComp):
            pairs = [tuple(m.parts_of(each)) for each in each_item]
            return displays.dict_of(m, [(k, v) for k, v in pairs], ("pairs", *site_of(m, node)))
        return displays.list_of(m, each_item, site_of(m, node))
    if isinstance(node, gast.DictComp):
        return iterate.set_entries(m, lazy, site_of(m, node))
    data = m.listed(lazy)
    if isinstance(node, gast.ListComp):
        return data
    return Data(Expr("call", (global_("set", set), data.expr), (), Other(set)))


def _gives_keys(m: Machine, first: Value) -> bool:
    """Tell whether a dict is made over the keys of another one, or over a few words: zip("xyz", u)."""
    if displays.viewed(m, first) is not None:
        return True
    if not isinstance(first, Data):
        return False
    columns = positional(first.expr) if calls(first.expr, zip) else (first.expr,)
    count = items.fixed_length(m, first)
    return count is not None and count <= iterate.SHORT and any(map(_are_words, columns))


def _are_words(column: Expr) -> bool:
    """Tell whether all items of a text or display are texts that are written out."""
    parts = column.args if column.op in ("tuple", "list") else ()
    known = column.known.value if column.known is not None else [part.data for part in parts]
    return (
        isinstance(known, str | tuple | list)
        and bool(known)
        and all(isinstance(each, str) for each in known)
    )


def _generator(m: Machine, node: Any, first: Value) -> Value:
    """Return a generator: as one node it is gone through at once."""
    found, frame = plain(m, node, first), m.frame

    def later() -> Lazy:
        made = iterator(m, "comprehension", (first,), (node, frame))
        return made if len(node.generators) > 1 else iterables.over_the_rest(m, made)

    return later() if found is None else replace(found, later=later)


def _is_known(m: Machine, node: Any, first: Value) -> bool:
    """Tell whether the items of a comprehension are known one by one."""
    unrolled = demands.is_unrolled(m, site_of(m, node.generators[0].target))
    listed = iterables.is_listed(m, first) or unrolled
    return listed and not any(g.ifs for g in node.generators)


def _frame(m: Machine, node: Any, around: int) -> int:
    """Return a frame for the names that a comprehension binds."""
    outer = m.heap[around]
    made = Cell("frame", {}, "comprehension", outer.site, around, outer.closure)
    place = new_cell(m, made).id
    for generator in node.generators:
        for part in gast.walk(generator.target):
            if isinstance(part, gast.Name):
                m.heap[place].names[part.id] = fresh(m, part.id)
    return place


# ---------------------------------------------------------------------------- as one node


def plain(m: Machine, node: Any, first: Value) -> Data | None:
    """Return a comprehension as one node; None where it takes statements."""
    heap, block, frame, used = m.heap, m.block, m.frame, set(m.used)
    m.heap, m.block = forked(heap), []
    done = None
    try:
        m.frame = _frame(m, node, frame)
        count = len(m.heap)
        made = _generators(m, node, first)
        if made is None or _is_empty(made):
            return None
        parts = _element(m, node)
        if any(map(_holds_functions, parts)):
            _ask_for_items(m, node, first)
        if not all(displays.is_plain(m, part) for part in parts):
            return None
        data = [m.to_data(part) for part in parts]
        if m.block or len(m.heap) != count:
            return None
        done = _as_data(m, node, data, made)
        return done
    finally:
        m.heap, m.block, m.frame = heap, block, frame
        if done is None:
            m.used = used


def _is_empty(generators: list[Expr]) -> bool:
    """Tell whether no item passes the tests of a comprehension: what it gives of one is never asked."""
    tests = [test for each in generators for test in each.args[1:]]
    return any(test.known is not None and not test.known.value for test in tests)


def _holds_functions(value: Value) -> bool:
    """Tell whether a value is, or holds, a function that is made while the program runs."""
    if isinstance(value, Tup):
        return any(map(_holds_functions, value.parts))
    return isinstance(value, Closure | Partial | Bound)


def _ask_for_items(m: Machine, node: Any, first: Value) -> None:
    """Ask that the passes of a comprehension that makes functions be known one by one."""
    wanted = ("unroll", site_of(m, node.generators[0].target))
    if isinstance(first, Data) and items.fixed_length(m, first) is not None:
        if wanted not in m.choices:
            raise Demand(wanted)


def _generators(m: Machine, node: Any, first: Value) -> list[Expr] | None:
    found: list[Expr] = []
    for depth, generator in enumerate(node.generators):
        over = first if depth == 0 else m.evaluate(generator.iter)
        site = site_of(m, generator.target)
        if not isinstance(over, Data) or demands.is_unrolled(m, site):
            return None
        if iterables.is_uneven(m, over) or reflection.is_object(m, over):
            return None
        origins = over.origins | {("unroll", site)}
        item = Data(Expr("name", (), None, item_type(m, over.type)), origins)
        pattern = Target(generator.target).pattern(m, item)
        tests = [m.tested(test).expr for test in generator.ifs]
        found.append(Expr("generator", (over.expr, *tests), pattern))
    return found


def _element(m: Machine, node: Any) -> list[Value]:
    if isinstance(node, gast.DictComp):
        return evaluation_order.in_order(
            m, lambda: m.evaluate(node.key), lambda: m.evaluate(node.value)
        )
    return [m.evaluate(node.elt)]


def _as_data(m: Machine, node: Any, parts: list[Data], generators: list[Expr]) -> Data:
    kind = KINDS[type(node)]
    exprs = [part.expr for part in parts]
    element = exprs[0] if len(exprs) == 1 else Expr("item", tuple(exprs))
    is_short = len(generators) == 1 and demands.may_be_split(m, generators[0].args[0])
    type_ = _type(m, node, kind, parts, is_short and len(generators[0].args) == 1)
    expr = Expr("comprehension", (element, *generators), kind, type_, None, m.span)
    loop = ("unroll", site_of(m, node.generators[0].target))
    return Data(expr, origins_of(parts) | {loop})


def _type(m: Machine, node: Any, kind: str, parts: list[Data], may_be_split: bool) -> Type:
    site = site_of(m, node)
    match kind:
        case "list":
            return m.memory.list_of(site, [parts[0].type], may_be_split)
        case "dict":
            made = m.memory.make(site, "mapping", dict)
            m.memory.store(made, KEY, parts[0].type, None)
            m.memory.store(made, ITEM, parts[1].type, None)
            return made
        case "generator":
            return Sequence(parts[0].type, GENERATOR)
    return Other(set)


GENERATOR = type(_ for _ in ())


# ---------------------------------------------------------------------------- as a loop


def loop(m: Machine, lazy: Lazy, target: Targets, body: Body, orelse: Orelse) -> ways.Way:
    """Go through a comprehension: its loops, with the body for each element."""
    node, around = lazy.extra
    user = m.frame
    place = _frame(m, node, around)
    here = Scope("loop", False, user)

    def within(frame: int, run: Body) -> ways.Way:
        kept, m.frame = m.frame, frame
        try:
            return run()
        finally:
            m.frame = kept

    def level(depth: int, over: Value) -> ways.Way:
        generator = node.generators[depth]

        def innermost() -> ways.Way:
            if depth + 1 < len(node.generators):
                inner = m.evaluate(node.generators[depth + 1].iter)
                return level(depth + 1, inner)
            value = _value(m, node)
            return within(user, lambda: _hand_over(m, target, value, body, here))

        def run() -> ways.Way:
            return within(place, lambda: _tested(m, list(generator.ifs), innermost))

        goal = Target(generator.target)
        where = site_of(m, generator.target)
        return within(place, lambda: m.loop(over, goal, run, where))

    m.contexts.append(here)
    try:
        return exits.after_passes(m, level(0, lazy.parts[0]), here, orelse)
    finally:
        m.contexts.remove(here)


def element_of(m: Machine, lazy: Lazy, item: Value) -> Value:
    """Return what a generator over one thing, without tests, gives of an item."""
    node, around = lazy.extra
    user, m.frame = m.frame, _frame(m, node, around)
    try:
        m.assign(node.generators[0].target, item)
        return stable(m, _value(m, node), "item")
    finally:
        m.frame = user


def known_tests(m: Machine, node: Any) -> list[bool] | None:
    """Return the truth of each item of [test(x) for x in (a, b)]; None where one is not known."""
    match node:
        case gast.ListComp() | gast.GeneratorExp() if len(node.generators) == 1:
            made = node.generators[0]
        case _:
            return None
    if made.ifs or not isinstance(made.target, gast.Name):
        return None
    heap, block, frame, used, span = m.heap, m.block, m.frame, set(m.used), m.span
    m.heap, m.block = forked(heap), []
    try:
        over = m.evaluate(made.iter)
        over = library.in_parts(m, over)
        parts = m.parts_of(over) if iterables.is_listed(m, over) else []
        found = [_known_test(m, node, part, frame) for part in parts]
        is_known = bool(found) and None not in found and not m.block
        return [bool(each) for each in found] if is_known else None
    except Fails:
        return None
    finally:
        m.heap, m.block, m.frame, m.used, m.span = heap, block, frame, used, span


def _known_test(m: Machine, node: Any, item: Value, around: int) -> bool | None:
    """Return the truth of what a comprehension gives of an item, None where that is not known."""
    m.frame = _frame(m, node, around)
    m.heap[m.frame].slots[node.generators[0].target.id] = item
    known = m.tested(node.elt).known
    return None if known is None else bool(known.value)


def _hand_over(m: Machine, target: Targets, value: Value, body: Body, here: Scope) -> ways.Way:
    target.assign(m, value)
    return ways.without(body(), ways.Exit("continue", here))


def _value(m: Machine, node: Any) -> Value:
    parts = _element(m, node)
    return parts[0] if len(parts) == 1 else Tup(tuple(parts))


def _tested(m: Machine, tests: list[Any], run: Body) -> ways.Way:
    """Run what stands under the tests of a generator."""
    if not tests:
        return run()
    test = m.tested(tests[0])
    return branches.decided(m, test, lambda: _tested(m, tests[1:], run), lambda: None)
