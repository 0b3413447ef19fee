"""What goes through a comprehension at once becomes a loop that does as much.

total = sum(x * y for x in u if x > 0)     ->     total = 0
                                                  for x in u:
                                                      if x > 0:
                                                          total = total + x * y

map and filter are comprehensions of calls, functools.reduce is a loop of them.
"""

from __future__ import annotations

import builtins
import functools
import math
import statistics
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from s2sad.legacy.desugar import extremes, iterating, ordering
from s2sad.legacy.desugar.chosen import put_in
from s2sad.legacy.desugar.columns import is_of_columns
from s2sad.legacy.desugar.comprehensions import (
    Written,
    keyed,
    listed,
    loops_of,
    opens,
    walrus_names,
)
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    binary,
    branch,
    call,
    constant,
    display,
    index,
    loop,
    name,
    negated,
    placed,
    stored,
    with_,
)
from s2sad.source.names import reads_of
from s2sad.source.text import MISSING

# what takes numbers from anything, and has a rule for lists and arrays
OF_LISTS = (
    *(statistics.mean, statistics.fmean, statistics.variance, statistics.pvariance),
    *(statistics.stdev, statistics.pstdev),
)
ITERATED = (gast.ListComp, gast.GeneratorExp)


def written(node: Node, names: Names, into: str = "") -> Written | None:
    """Return a comprehension, or what consumes one at once, as loops; None if it is neither.

    `into` names what is to hold the result.
    """
    if isinstance(node, gast.ListComp | gast.GeneratorExp):
        return listed(node, names, into) if opens(node, names) else None
    if isinstance(node, gast.DictComp):
        return keyed(node, names, into) if opens(node, names) else None
    if isinstance(node, gast.Call) and not _has_star(node):
        return _consumed(node, names, into)
    return None


def assigned(stmt: Node, names: Names) -> Body | None:
    """Return `y = [... for ...]` as loops that fill y itself, where they do not read it."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.target
    touched = {*reads_of(stmt.value), *walrus_names(stmt.value)}
    found = written(stmt.value, names, "" if target.id in touched else target.id)
    if found is None:
        return None
    body, value = found
    if isinstance(value, gast.Name) and value.id == target.id:
        return body
    return [*body, assign(target.id, value, stmt)]


def _has_star(node: Node) -> bool:
    return any(isinstance(arg, gast.Starred) for arg in node.args) or any(
        keyword.arg is None for keyword in node.keywords
    )


def _consumed(node: Node, names: Names, into: str) -> Written | None:
    """Return a call that goes through a comprehension once."""
    function = names.value(node.func)
    if function is MISSING:
        return None
    # some objects that modules hold have no hash
    in_place = next((write for each, write in _IN_PLACE_OF_CALLS if each is function), None)
    if getattr(function, "__name__", "") == "fromkeys" and function == dict.fromkeys:
        in_place = _with_keys
    if in_place is not None:
        return in_place(node, names, into)
    if function is functools.reduce and _is_asked_for(node, names):
        return _reduced(node, names, into)
    if node.args and function in (sum, list) and iterating.is_one(node.args[0], names):
        if _is_asked_for(node, names) or names.is_open(node.args[0]):
            item = names.fresh("item")
            made = _comprehended(name(item, node), [item], node.args[:1], [], node.args[0])
            if function is list:
                return listed(made, names, into)
            return _summed(with_(node, args=[made, *node.args[1:]]), names, into)
    if function in (list, tuple) and len(node.args) == 1 and is_of_columns(node.args[0], names):
        if _is_asked_for(node, names) or names.is_open(node.args[0]):
            return _of_columns(node, names, into if function is list else "")
    if function in (next, list) and len(node.args) == 1 and _is_asked_for(node, names):
        gone_over = extremes.gone_over(node.args[0], function is next, names)
        if gone_over is not None:
            whole = with_(node, args=[gone_over])
            return (
                _first(whole, names, into) if function is next else listed(gone_over, names, into)
            )
    if any(function is each for each in OF_LISTS) and len(node.args) == 1:
        return _of_a_list(node, names)
    if function is sum and node.args and not isinstance(node.args[0], ITERATED):
        return _added(node, names)
    if not node.args or not isinstance(node.args[0], ITERATED) or not opens(node.args[0], names):
        return None
    if function is sum:
        return _summed(node, names, into)
    if function in (any, all) and isinstance(node.args[0], gast.GeneratorExp):
        return _searched(node, function is any, names, into)
    if function is next and isinstance(node.args[0], gast.GeneratorExp):
        return _first(node, names, into)
    if function is list and len(node.args) == 1:
        return listed(node.args[0], names, into)
    return None


def _of_columns(node: Node, names: Names, into: str) -> Written:
    """list or tuple of `zip(*rows)`: the list that a comprehension of its columns makes."""
    item = names.fresh("item")
    each = gast.comprehension(stored(item, node), node.args[0], [], 0)
    made = placed(gast.ListComp(name(item, node), [each]), node)
    body, whole = listed(made, names, into)
    return body, whole if names.means(node.func, list) else with_(node, args=[whole])


def _of_a_list(node: Node, names: Names) -> Written | None:
    """A function of statistics, of what gives numbers one by one: of the list of them."""
    (items,) = node.args
    called = isinstance(items, gast.Call) and names.means(items.func, map, filter, tuple)
    if not called and not isinstance(items, gast.GeneratorExp):
        return None
    if not names.is_open(items) and not _is_asked_for(node, names):
        return None
    return [], with_(node, args=[call("list", [items], items)])


def _added(node: Node, names: Names) -> Written | None:
    """sum of a display, or with a start: start + a + b."""
    given: list[Node] = [*node.args, *(each.value for each in node.keywords)]
    if len(given) != 2:
        return None
    items, start = given
    # what is added is evaluated before what it is added to
    plain = isinstance(start, gast.Constant | gast.Name)
    shown = isinstance(items, gast.List | gast.Tuple) and plain
    if shown and not any(isinstance(each, gast.Starred) for each in items.elts):
        made = start
        for each in items.elts:
            made = binary(gast.Add(), made, each, node)
        return [], made
    if plain and not names.is_open(node):
        return None  # there is a rule
    total, item = names.fresh("total"), names.fresh("item")
    more = binary(gast.Add(), name(total, node), name(item, node), node)
    body = [assign(total, more, node)]
    first = names.temp("items")
    return [
        assign(first, items, node),
        assign(total, start, node),
        loop(stored(item, node), name(first, node), body, node),
    ], name(total, node)


def _summed(node: Node, names: Names, into: str) -> Written | None:
    comprehension, *rest = node.args
    start = rest[0] if rest else constant(0, node)
    if node.keywords:
        (start,) = (keyword.value for keyword in node.keywords)
    if not isinstance(start, gast.Constant | gast.Name):
        return None
    return _accumulated(comprehension, start, gast.Add(), names, into or names.fresh("total"))


def _accumulated(comprehension: Node, start: Node, op: Node, names: Names, total: str) -> Written:
    def each(element: Node) -> Body:
        at = comprehension
        return [assign(total, binary(op, name(total, at), element, at), at)]

    first = assign(total, start, comprehension)
    return [first, *loops_of(comprehension, each, names)], name(total, comprehension)


def _searched(node: Node, wanted: bool, names: Names, into: str) -> Written:
    """any, all: the loop ends at the first element that decides."""
    found, comprehension = into or names.fresh("found"), node.args[0]

    def each(element: Node) -> Body:
        test = element if wanted else negated(element, element)
        return [branch(test, [assign(found, constant(wanted, node), node), _leave(node)], [], node)]

    def left(at: Node) -> Node:
        held = name(found, at)
        return branch(held if wanted else negated(held, at), [_leave(at)], [], at)

    first = assign(found, constant(not wanted, node), node)
    return [first, *loops_of(comprehension, each, names, left)], name(found, node)


def _first(node: Node, names: Names, into: str) -> Written | None:
    """next: the loop ends at the first element."""
    comprehension, *default = node.args
    if len(comprehension.generators) > 1:
        return None
    item = into or names.fresh("item")

    def each(element: Node) -> Body:
        return [assign(item, element, node), _leave(node)]

    (made,) = loops_of(comprehension, each, names)
    if default:
        return [assign(item, default[0], node), made], name(item, node)
    stop = gast.Raise(exc=call("StopIteration", [], node), cause=None)
    return [with_(made, orelse=[placed(stop, node)])], name(item, node)


def _leave(at: Node) -> Node:
    return placed(gast.Break(), at)


# ---------------------------------------------------------------------------- map, filter, reduce


def _mapping(node: Node, names: Names, into: str) -> Written | None:
    """map: a comprehension of calls."""
    if not _is_asked_for(node, names) or node.keywords or len(node.args) < 2:
        return None
    return listed(mapped(node, names), names, into)


def mapped(node: Node, names: Names) -> Node:
    """Return `map(f, u)` as `(f(x) for x in u)`."""
    function, *iterables = node.args
    items = [names.fresh("item") for _ in iterables]
    element = call(function, [name(item, node) for item in items], node)
    return _comprehended(element, items, iterables, [], node)


def _comprehended(
    element: Node, items: list[str], iterables: list[Node], tests: list[Node], at: Node
) -> Node:
    targets = [stored(item, at) for item in items]
    if len(items) == 1:
        target, iterable = targets[0], iterables[0]
    else:
        target = display(gast.Tuple, targets, at, store=True)
        iterable = call("zip", iterables, at)
    generator = gast.comprehension(target=target, iter=iterable, ifs=tests, is_async=0)
    return placed(gast.GeneratorExp(elt=element, generators=[generator]), at)


def _filtering(node: Node, names: Names, into: str) -> Written | None:
    if not _is_asked_for(node, names) or node.keywords or len(node.args) != 2:
        return None
    return listed(filtered(node, names), names, into)


def filtered(node: Node, names: Names) -> Node:
    """Return `filter(f, u)` as `(x for x in u if f(x))`."""
    function, iterable = node.args
    item = names.fresh("item")
    nothing = isinstance(function, gast.Constant) and function.value is None
    test = name(item, node) if nothing else call(function, [name(item, node)], node)
    return _comprehended(name(item, node), [item], [iterable], [test], node)


def _reduced(node: Node, names: Names, into: str) -> Written | None:
    """functools.reduce: what was made so far and the next item make what follows."""
    if node.keywords or len(node.args) not in (2, 3):
        return None
    function, iterable, *initial = node.args
    made, item = into or names.fresh("total"), names.fresh("item")
    step = call(function, [name(made, node), name(item, node)], node)
    step = put_in(function, step) or step
    body = [assign(made, step, node)]
    if initial:
        first = assign(made, initial[0], node)
        return [first, loop(stored(item, node), iterable, body, node)], name(made, node)
    items = names.fresh("items")
    rest = index(name(items, node), gast.Slice(constant(1, node), None, None), node)
    return [
        assign(items, iterable, node),
        assign(made, index(name(items, node), constant(0, node), node), node),
        loop(stored(item, node), rest, body, node),
    ], name(made, node)


def _product(node: Node, names: Names, into: str) -> Written | None:
    """math.prod of a comprehension."""
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ITERATED):
        return None
    if not opens(node.args[0], names):
        return None
    product = into or names.fresh("product")
    return _accumulated(node.args[0], constant(1, node), gast.Mult(), names, product)


def _dict(node: Node, names: Names, into: str) -> Written | None:
    """dict of pairs, as of zip: the dict that a comprehension of them makes."""
    if not _is_asked_for(node, names) or len(node.args) != 1:
        return None
    (pairs,) = node.args
    if isinstance(pairs, gast.List | gast.Tuple):
        made = _of_pairs(pairs, node)
        return None if made is None or node.keywords else ([], made)
    if not isinstance(pairs, gast.Call) or not names.means(pairs.func, zip, enumerate):
        return None
    key, value = names.fresh("key"), names.fresh("value")
    target = display(gast.Tuple, [stored(key, node), stored(value, node)], node, store=True)
    body, whole = _keyed(target, pairs, name(value, node), node, names, into)
    for each in node.keywords:
        entry = with_(index(whole, constant(each.arg, node), node), ctx=gast.Store())
        body.append(assign(entry, each.value, node))
    return body, whole


def _of_pairs(pairs: Node, at: Node) -> Node | None:
    """Return `[("a", x), ("b", y)]` as the display of a dict."""
    shown = [each.elts for each in pairs.elts if isinstance(each, gast.Tuple | gast.List)]
    if len(shown) < len(pairs.elts) or any(len(each) != 2 for each in shown):
        return None
    return placed(gast.Dict(keys=[k for k, _ in shown], values=[v for _, v in shown]), at)


def _keyed(
    target: Node, iterable: Node, value: Node, node: Node, names: Names, into: str
) -> Written:
    key = target.elts[0] if isinstance(target, gast.Tuple) else target
    each = gast.comprehension(target=target, iter=iterable, ifs=[], is_async=0)
    made = gast.DictComp(key=name(key.id, node), value=value, generators=[each])
    return keyed(placed(made, node), names, into)


def _is_asked_for(node: Node, names: Names) -> bool:
    """Tell whether a call that makes a dict is to be written out, or the statement around it."""
    return names.is_open(node) or (names.at is not None and names.is_open(names.at))


def _with_keys(node: Node, names: Names, into: str) -> Written | None:
    """dict.fromkeys: the same value under each key."""
    if not _is_asked_for(node, names) or len(node.args) != 2 or node.keywords:
        return None
    keys, value = node.args
    held = names.temp("item")
    target = stored(names.fresh("key"), node)
    body, whole = _keyed(target, keys, name(held, node), node, names, into)
    return [assign(held, value, node), *body], whole


def _from_iterator(node: Node, names: Names, into: str) -> Written | None:
    """np.fromiter: the array of the list."""
    if not node.args or not isinstance(node.args[0], ITERATED) or not opens(node.args[0], names):
        return None
    body, items = listed(node.args[0], names, "")
    func = with_(node.func, attr="array") if isinstance(node.func, gast.Attribute) else None
    if func is None:
        return None
    return body, with_(node, func=func, args=[items, *node.args[1:2]])


_IN_PLACE_OF_CALLS: tuple[tuple[Any, Callable[[Node, Names, str], Written | None]], ...] = (
    (builtins.map, _mapping),
    (builtins.filter, _filtering),
    (math.prod, _product),
    (np.fromiter, _from_iterator),
    (dict, _dict),
    (builtins.max, extremes.written),
    (builtins.min, extremes.written),
    (builtins.sorted, ordering.written),
)
