"""What itertools go through becomes loops.

for a, b in product(u, v):           for a in u:
    s += a * b                 ->        for b in v:
                                             s += a * b

for a, b in combinations(u, 2):      for i in range(len(u)):
    s += a * b                 ->        for j in range(i + 1, len(u)):
                                             a, b = u[i], u[j]
                                             s += a * b
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from s2sad.legacy.desugar.chosen import put_in
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    binary,
    branch,
    call,
    compare,
    constant,
    display,
    index,
    jumps,
    loop,
    name,
    negated,
    number,
    placed,
    span_of,
    stored,
    with_,
)

DEEPEST = 4  # loops inside loops that one call becomes


def opened(stmt: Node, names: Names) -> Body | None:
    """Return a loop over what itertools give as loops over what those are given."""
    iterable = stmt.iter
    function = names.value(iterable.func)
    write = rule_of(function)
    if write is None or any(isinstance(each, gast.Starred) for each in iterable.args):
        return None
    return write(stmt, names)


def is_one(node: Node, names: Names) -> bool:
    """Tell whether a call is one of those that become loops."""
    if not isinstance(node, gast.Call):
        return False
    return rule_of(names.value(node.func)) is not None


def rule_of(function: Any) -> Rule | None:
    """Return what writes out loops over what a function gives."""
    if getattr(function, "__name__", "") == "from_iterable":
        return _flattened if function == itertools.chain.from_iterable else None
    return next((each for made, each in _WRITTEN if made is function), None)


def _held(node: Node, out: Body, names: Names) -> Node:
    """Return a name for what is gone through, which is to be indexed."""
    if isinstance(node, gast.Name):
        return node
    items = names.temp("items")
    plain = isinstance(
        node, gast.Subscript | gast.Attribute | gast.List | gast.Tuple | gast.ListComp
    )
    is_range = isinstance(node, gast.Call) and names.means(node.func, range)
    out.append(assign(items, node if plain or is_range else call("list", [node], node), node))
    return name(items, node)


def _is_left(stmt: Node) -> bool:
    """Tell whether a loop is left from within, which would have to leave several."""
    return bool(stmt.orelse) or jumps(stmt.body, (gast.Break, gast.Return))


def _repeated(node: Node) -> int | None:
    """Return the number that repeat= or the second argument is; None where it is not written out."""
    given = [each.value for each in node.keywords] or node.args[1:]
    value = given[0].value if len(given) == 1 and isinstance(given[0], gast.Constant) else None
    return value if isinstance(value, int) and 0 < value <= DEEPEST else None


def _product(stmt: Node, names: Names) -> Body | None:
    parts = list(stmt.iter.args)
    if stmt.iter.keywords:
        times = _repeated(with_(stmt.iter, args=[]))
        if times is None:
            return None
        parts *= times
    if _is_left(stmt) or not 0 < len(parts) <= DEEPEST:
        return None
    out: Body = []
    held = {id(part): _held(part, out, names) for part in parts}
    targets, body = _targets(stmt, len(parts), names)
    for target, part in zip(reversed(targets), reversed(parts), strict=True):
        body = [loop(target, held[id(part)], body, stmt)]
    return [*out, *body]


def _targets(stmt: Node, count: int, names: Names) -> tuple[list[Node], Body]:
    """Return a target for each loop, and the body with the target that the user wrote."""
    target = stmt.target
    if isinstance(target, gast.Tuple | gast.List) and len(target.elts) == count:
        if len({each.id for each in target.elts if isinstance(each, gast.Name)}) == count:
            return list(target.elts), stmt.body
    items = [names.temp("item") for _ in range(count)]
    whole = display(gast.Tuple, [name(each, stmt) for each in items], stmt)
    return [stored(each, stmt) for each in items], [assign(target, whole, stmt), *stmt.body]


def _chosen(start: int, differ: bool = False) -> Callable[[Node, Names], Body | None]:
    """Return the rule of combinations: each position begins `start` behind the one before it."""

    def rule(stmt: Node, names: Names) -> Body | None:
        depth = _repeated(stmt.iter)
        if depth is None or _is_left(stmt):
            return None
        out: Body = []
        items = _held(stmt.iter.args[0], out, names)
        places = [names.fresh("i") for _ in range(depth)]
        values = [index(items, name(each, stmt), stmt) for each in places]
        body = [assign(stmt.target, display(gast.Tuple, values, stmt), stmt), *stmt.body]
        for n in reversed(range(depth)):
            if differ:
                body = _unlike_before(places[: n + 1], body, stmt)
            before = None if differ or n == 0 else name(places[n - 1], stmt)
            body = [loop(stored(places[n], stmt), _from(before, start, items, stmt), body, stmt)]
        return [*out, *body]

    return rule


def _from(before: Node | None, start: int, items: Node, at: Node) -> Node:
    stop = call("len", [items], at)
    if before is None:
        return call("range", [stop], at)
    first = binary(gast.Add(), before, number(start, at), at) if start else before
    return call("range", [first, stop], at)


def _unlike_before(places: list[str], body: Body, at: Node) -> Body:
    *before, last = places
    for other in before:
        test = compare(name(last, at), gast.NotEq(), name(other, at), at)
        body = [branch(test, body, [], at)]
    return body


def _pairwise(stmt: Node, names: Names) -> Body | None:
    out: Body = []
    items = _held(stmt.iter.args[0], out, names)
    rest = index(items, span_of(constant(1, stmt), None, stmt), stmt)
    return [*out, with_(stmt, iter=call("zip", [items, rest], stmt))]


def _chain(stmt: Node, names: Names) -> Body | None:
    if not stmt.iter.args:
        return None
    parts = [call("list", [each], each) for each in stmt.iter.args]
    made = parts[0]
    for each in parts[1:]:
        made = binary(gast.Add(), made, each, stmt)
    return [with_(stmt, iter=made)]


def _flattened(stmt: Node, names: Names) -> Body | None:
    """chain.from_iterable: a loop over the items of each item."""
    if _is_left(stmt) or len(stmt.iter.args) != 1:
        return None
    row = names.fresh("row")
    inner = loop(stmt.target, name(row, stmt), stmt.body, stmt)
    return [loop(stored(row, stmt), stmt.iter.args[0], [inner], stmt)]


def _ndenumerate(stmt: Node, names: Names) -> Body | None:
    """np.ndenumerate: a loop over np.ndindex, which reads the element of each position."""
    called, target = stmt.iter, stmt.target
    pair = isinstance(target, gast.Tuple | gast.List) and len(target.elts) == 2
    if not pair or not isinstance(called.func, gast.Attribute) or len(called.args) != 1:
        return None
    out: Body = []
    held = called.args[0]
    if not isinstance(held, gast.Name):
        out.append(assign(kept := names.temp("items"), held, stmt))
        held = name(kept, stmt)
    at = names.fresh("at")
    shape = placed(gast.Attribute(value=held, attr="shape", ctx=gast.Load()), stmt)
    over = with_(called, func=with_(called.func, attr="ndindex"), args=[shape])
    values = (name(at, stmt), index(held, name(at, stmt), stmt))
    given = [
        placed(gast.Assign([each], value, None), stmt)
        for each, value in zip(target.elts, values, strict=True)
    ]
    return [*out, with_(stmt, target=stored(at, stmt), iter=over, body=[*given, *stmt.body])]


def _islice(stmt: Node, names: Names) -> Body | None:
    """Islice of what has an end: a slice of the list of it."""
    items, *ends = stmt.iter.args
    if stmt.iter.keywords or not 0 < len(ends) < 4 or _may_be_endless(items, names):
        return None
    out: Body = []
    held = _held(items, out, names)
    none = [
        None if isinstance(each, gast.Constant) and each.value is None else each for each in ends
    ]
    lower, upper, step = (None, *none, None)[:3] if len(none) == 1 else (*none, None)[:3]
    cut = placed(gast.Slice(lower=lower, upper=upper, step=step), stmt)
    return [*out, with_(stmt, iter=index(held, cut, stmt))]


def _may_be_endless(items: Node, names: Names) -> bool:
    if not isinstance(items, gast.Call):
        return isinstance(items, gast.GeneratorExp)
    known = names.means(items.func, range, zip, enumerate, reversed, list, tuple, sorted)
    return not known or any(_may_be_endless(each, names) for each in items.args)


def _starmap(stmt: Node, names: Names) -> Body | None:
    """Starmap of what is zipped: calls with an item of each."""
    match stmt.iter.args:
        case [function, gast.Call(func=func, args=[_, *_] as parts, keywords=[]) as together]:
            if not names.means(func, zip):
                return None
        case _:
            return None
    items = [names.temp("item") for _ in parts]
    step = call(function, [name(each, stmt) for each in items], stmt)
    target = display(gast.Tuple, [stored(each, stmt) for each in items], stmt, store=True)
    body = [assign(stmt.target, put_in(function, step) or step, stmt), *stmt.body]
    return [with_(stmt, target=target, iter=together, body=body)]


def _takewhile(stmt: Node, names: Names) -> Body | None:
    """Takewhile: the loop ends at the first item that fails the test."""
    found = None if stmt.orelse else _tested(stmt, names)
    if found is None:
        return None
    item, held, body = found
    leave = branch(negated(held, stmt), [placed(gast.Break(), stmt)], [], stmt)
    return [with_(stmt, target=stored(item, stmt), iter=stmt.iter.args[1], body=[leave, *body])]


def _tested(stmt: Node, names: Names, or_none: bool = False) -> tuple[str, Node, Body] | None:
    """Return an item's name, the test of it, and the body in which the user's target has it.

    Where None may stand for a test, the item itself is asked.
    """
    if len(stmt.iter.args) != 2 or stmt.iter.keywords:
        return None
    test = stmt.iter.args[0]
    item = names.fresh("item")
    held = name(item, stmt)
    if not (or_none and isinstance(test, gast.Constant) and test.value is None):
        step = call(test, [held], stmt)
        held = put_in(test, step) or step
    return item, held, [assign(stmt.target, name(item, stmt), stmt), *stmt.body]


def _filterfalse(stmt: Node, names: Names) -> Body | None:
    found = _tested(stmt, names, or_none=True)
    if found is None:
        return None
    item, held, body = found
    kept = branch(negated(held, stmt), body, [], stmt)
    return [with_(stmt, target=stored(item, stmt), iter=stmt.iter.args[1], body=[kept])]


def _dropwhile(stmt: Node, names: Names) -> Body | None:
    """Dropwhile: nothing is done until an item fails the test."""
    found = _tested(stmt, names)
    if found is None:
        return None
    item, held, body = found
    drops = names.fresh("drops")
    asked = branch(name(drops, stmt), [assign(drops, held, stmt)], [], stmt)
    kept = branch(negated(name(drops, stmt), stmt), body, [], stmt)
    whole = with_(stmt, target=stored(item, stmt), iter=stmt.iter.args[1], body=[asked, kept])
    return [assign(drops, constant(True, stmt), stmt), whole]


def _compress(stmt: Node, names: Names) -> Body | None:
    if len(stmt.iter.args) != 2 or stmt.iter.keywords:
        return None
    item, mark = names.fresh("item"), names.fresh("mark")
    target = display(gast.Tuple, [stored(each, stmt) for each in (item, mark)], stmt, store=True)
    body = [assign(stmt.target, name(item, stmt), stmt), *stmt.body]
    kept = branch(name(mark, stmt), body, [], stmt)
    return [with_(stmt, target=target, iter=call("zip", stmt.iter.args, stmt), body=[kept])]


def _zip_longest(stmt: Node, names: Names) -> Body | None:
    """Return a loop over places, in which what has no item there gives the filling."""
    fillings = [each.value for each in stmt.iter.keywords if each.arg == "fillvalue"]
    parts = stmt.iter.args
    if len(fillings) < len(stmt.iter.keywords) or len(parts) < 2:
        return None
    if any(_may_be_endless(each, names) for each in parts):
        return None
    out: Body = []
    held = [_held(each, out, names) for each in parts]
    filling = fillings[0] if fillings else constant(None, stmt)
    if not isinstance(filling, gast.Constant):
        kept = names.fresh("filling")
        out.append(assign(kept, filling, stmt))
        filling = name(kept, stmt)
    place = names.fresh("k")
    shown = [
        gast.IfExp(
            compare(name(place, stmt), gast.Lt(), call("len", [each], stmt), stmt),
            index(each, name(place, stmt), stmt),
            filling,
        )
        for each in held
    ]
    whole = display(gast.Tuple, [placed(each, stmt) for each in shown], stmt)
    longest = call("max", [call("len", [each], stmt) for each in held], stmt)
    return [
        *out,
        with_(
            stmt,
            target=stored(place, stmt),
            iter=call("range", [longest], stmt),
            body=[assign(stmt.target, whole, stmt), *stmt.body],
        ),
    ]


def _accumulate(stmt: Node, names: Names) -> Body | None:
    """Return a loop in which each item is added to what the passes before have made."""
    items, *function = stmt.iter.args
    keywords = {each.arg: each.value for each in stmt.iter.keywords}
    function = function or [keywords[key] for key in ("func",) if key in keywords]
    if len(function) > 1 or not keywords.keys() <= {"func", "initial"}:
        return None
    if isinstance(items, gast.Starred):
        return None
    out: Body = []
    held = _held(items, out, names)
    total, place = names.fresh("total"), names.fresh("k")
    initial = keywords.get("initial")
    at: Node = name(place, stmt)
    item = index(
        held, at if initial is None else binary(gast.Sub(), at, number(1, stmt), stmt), stmt
    )
    before = name(total, stmt)
    more = binary(gast.Add(), before, item, stmt)
    if function:
        more = call(function[0], [before, item], stmt)
    first = compare(name(place, stmt), gast.Eq(), constant(0, stmt), stmt)
    begun = item if initial is None else before
    add = branch(first, [assign(total, begun, stmt)], [assign(total, more, stmt)], stmt)
    count = call("len", [held], stmt)
    if initial is not None:
        count = binary(gast.Add(), count, number(1, stmt), stmt)
    whole = call("range", [count], stmt)
    body = [add, assign(stmt.target, name(total, stmt), stmt), *stmt.body]
    start = assign(total, constant(0.0, stmt) if initial is None else initial, stmt)
    return [*out, start, with_(stmt, target=stored(place, stmt), iter=whole, body=body)]


Rule = Callable[[Node, Names], Body | None]
_WRITTEN: tuple[tuple[Any, Rule], ...] = (
    (itertools.product, _product),
    (itertools.combinations, _chosen(1)),
    (itertools.combinations_with_replacement, _chosen(0)),
    (itertools.permutations, _chosen(0, differ=True)),
    (itertools.pairwise, _pairwise),
    (itertools.chain, _chain),
    (itertools.accumulate, _accumulate),
    (itertools.islice, _islice),
    (np.ndenumerate, _ndenumerate),
    (itertools.starmap, _starmap),
    (itertools.takewhile, _takewhile),
    (itertools.dropwhile, _dropwhile),
    (itertools.filterfalse, _filterfalse),
    (itertools.compress, _compress),
    (itertools.zip_longest, _zip_longest),
)
