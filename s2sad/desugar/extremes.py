"""The first item, or the one whose key is largest, of what is gone through.

best = max(u, key=lambda x: f(x))      ->      best = u[0]; best_key = f(best)
                                               for item in u[1:]:
                                                   key = f(item)
                                                   if key > best_key:
                                                       best = item; best_key = key
x = next(iter(u))                      ->      the first of (item for item in u)
"""

from __future__ import annotations

import operator

import gast

from s2sad.desugar.comprehensions import Written
from s2sad.desugar.names import Names
from s2sad.desugar.renaming import renamed
from s2sad.desugar.syntax import (
    Node,
    assign,
    branch,
    call,
    compare,
    constant,
    display,
    index,
    loop,
    name,
    placed,
    stored,
)


def written(node: Node, names: Names, into: str) -> Written | None:
    """max and min with a key: the first item of which the key is largest, or smallest."""
    keys = [each.value for each in node.keywords if each.arg == "key"]
    if len(node.args) != 1 or len(node.keywords) != len(keys) or not keys:
        return None
    if isinstance(keys[0], gast.Constant):
        return None
    if not names.is_open(node) and not (names.at is not None and names.is_open(names.at)):
        return None
    best, item, items = into or names.fresh("best"), names.fresh("item"), names.temp("items")
    held, given = names.fresh("best_key"), names.fresh("key")
    order = gast.Gt() if names.means(node.func, max) else gast.Lt()
    better = compare(name(given, node), order, name(held, node), node)
    change = [assign(best, name(item, node), node), assign(held, name(given, node), node)]
    body = [
        assign(given, key_of(keys[0], name(item, node), names, node), node),
        branch(better, change, [], node),
    ]
    (iterable,) = node.args
    plain = isinstance(iterable, gast.Name | gast.List | gast.Tuple)
    rest = index(name(items, node), gast.Slice(constant(1, node), None, None), node)
    return [
        assign(items, iterable if plain else call("list", [iterable], node), node),
        assign(best, index(name(items, node), constant(0, node), node), node),
        assign(held, key_of(keys[0], name(best, node), names, node), node),
        loop(stored(item, node), rest, body, node),
    ], name(best, node)


def key_of(key: Node, item: Node, names: Names, at: Node) -> Node:
    """Return what orders an item: `key(item)`, or `item[1]` for `itemgetter(1)`."""
    if isinstance(key, gast.Call) and len(key.args) == 1:
        (given,) = key.args
        if names.means(key.func, operator.itemgetter):
            return index(item, given, at)
        named = str(getattr(given, "value", ".")).isidentifier()
        if names.means(key.func, operator.attrgetter) and named:
            return placed(gast.Attribute(item, given.value, gast.Load()), at)
    if isinstance(key, gast.Lambda) and len(key.args.args) == 1:
        return renamed(key.body, {key.args.args[0].id: item})
    return call(key, [item], at)


def gone_over(items: Node, first: bool, names: Names) -> Node | None:
    """Return what is listed, as `zip(u, v)`, as a generator; or of which the first is asked for."""
    match items:
        case gast.Call(func=func, args=[each], keywords=[]) if first and names.means(func, iter):
            parts, through = 1, each
        case gast.Call(func=func, args=[each], keywords=[]) if names.means(func, reversed):
            parts, through = 1, items
        case gast.Call(func=func) if names.means(func, zip, enumerate):
            parts = 2 if names.means(func, enumerate) else len(items.args)
            through = items
        case _:
            return None
    if any(isinstance(each, gast.Starred) for each in items.args) or not items.args:
        return None
    made = [names.fresh("item") for _ in range(parts)]
    shown = [name(each, items) for each in made]
    element = shown[0] if parts == 1 else display(gast.Tuple, shown, items)
    targets = [stored(each, items) for each in made]
    target = targets[0] if parts == 1 else display(gast.Tuple, targets, items, store=True)
    generator = gast.comprehension(target=target, iter=through, ifs=[], is_async=0)
    return placed(gast.GeneratorExp(elt=element, generators=[generator]), items)
