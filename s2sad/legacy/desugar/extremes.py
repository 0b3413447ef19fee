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

from s2sad.legacy.desugar import entries, iterating
from s2sad.legacy.desugar.comprehensions import Written
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.renaming import renamed
from s2sad.legacy.desugar.syntax import (
    Node,
    assign,
    attribute,
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
    with_,
)


def written(node: Node, names: Names, into: str) -> Written | None:
    """max and min where no rule can say it: with a key or a default, of tuples, of pairs."""
    around = [] if names.at is None else [names.at]
    if not any(map(names.is_open, [*around, node, *node.args])):
        return None
    keys = {each.arg: each.value for each in node.keywords}
    if not keys.keys() <= {"key", "default"}:
        return None
    over = entries.over_keys(node, names)
    if over is not node:
        return [], over
    if len(node.args) > 1:
        return _of_several(node, names, into, keys)
    if len(node.args) != 1:
        return None
    if "default" in keys:
        return _or_default(node, names, into, keys["default"])
    if "key" in keys:
        return _by_key(node, names, into, keys["key"])
    return _of_pairs(node, names)


def _of_several(node: Node, names: Names, into: str, keys: dict[str, Node]) -> Written | None:
    """Return the extreme of arguments, one of which is a tuple, as tests of one after the other."""
    if keys or not any(isinstance(each, gast.Tuple) for each in node.args):
        return None
    held = [names.temp("item") for _ in node.args]
    body = [assign(text, each, node) for text, each in zip(held, node.args, strict=True)]
    best = into or names.fresh("best")
    body.append(assign(best, name(held[0], node), node))
    for text in held[1:]:
        better = compare(name(text, node), _order(node, names), name(best, node), node)
        body.append(branch(better, [assign(best, name(text, node), node)], [], node))
    return body, name(best, node)


def _or_default(node: Node, names: Names, into: str, default: Node) -> Written:
    """Return `max(u, default=d)` as d, and the largest item where there is one."""
    (iterable,) = node.args
    items, best = names.temp("items"), into or names.fresh("best")
    plain = isinstance(iterable, gast.Name | gast.List | gast.Tuple | gast.ListComp)
    rest = [each for each in node.keywords if each.arg != "default"]
    found = with_(node, args=[name(items, node)], keywords=rest)
    some = compare(call("len", [name(items, node)], node), gast.Gt(), constant(0, node), node)
    return [
        assign(items, iterable if plain else call("list", [iterable], node), node),
        assign(best, default, node),
        branch(some, [assign(best, found, node)], [], node),
    ], name(best, node)


def _of_pairs(node: Node, names: Names) -> Written | None:
    """max and min of what is zipped or numbered, or what itertools give: of the list of it."""
    match node.args:
        case [gast.Call() as pairs] if gives_tuples(pairs, names):
            return [], with_(node, args=[call("list", [pairs], node)])
    return None


def gives_tuples(node: Node, names: Names) -> bool:
    """Tell whether a call gives one tuple after the other, as zip does, or items of itertools."""
    if not isinstance(node, gast.Call):
        return False
    return names.means(node.func, zip, enumerate) or iterating.is_one(node, names)


def _order(node: Node, names: Names) -> Node:
    return gast.Gt() if names.means(node.func, max) else gast.Lt()


def _by_key(node: Node, names: Names, into: str, key: Node) -> Written | None:
    """max and min with a key: the first item of which the key is largest, or smallest."""
    if isinstance(key, gast.Constant):
        return None
    best, item, items = into or names.fresh("best"), names.fresh("item"), names.temp("items")
    held, given = names.fresh("best_key"), names.fresh("key")
    better = compare(name(given, node), _order(node, names), name(held, node), node)
    change = [assign(best, name(item, node), node), assign(held, name(given, node), node)]
    body = [
        assign(given, key_of(key, name(item, node), names, node), node),
        branch(better, change, [], node),
    ]
    (iterable,) = node.args
    plain = isinstance(iterable, gast.Name | gast.List | gast.Tuple)
    rest = index(name(items, node), gast.Slice(constant(1, node), None, None), node)
    return [
        assign(items, iterable if plain else call("list", [iterable], node), node),
        assign(best, index(name(items, node), constant(0, node), node), node),
        assign(held, key_of(key, name(best, node), names, node), node),
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
            return attribute(item, given.value, at)
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
