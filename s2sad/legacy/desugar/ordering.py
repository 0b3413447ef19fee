"""What is put in order by a key, or made of pairs, is read in the order of its places.

pairs = sorted(zip(u, v), key=lambda p: p[1])    ->    items = list(zip(u, v))
                                                       order = sorted(range(len(items)), key=lambda p: items[p][1])
                                                       pairs = []
                                                       for k in order:
                                                           pairs.append(items[k])
"""

from __future__ import annotations

import gast

from s2sad.legacy.desugar.comprehensions import Written
from s2sad.legacy.desugar.extremes import gives_tuples, key_of
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Node,
    assign,
    call,
    display,
    index,
    loop,
    method,
    name,
    placed,
    statement,
    stored,
    with_,
)
from s2sad.source.fresh import free
from s2sad.source.names import reads_of


def written(node: Node, names: Names, into: str) -> Written | None:
    """Return `sorted` with a key, or of pairs, as a loop over places that are in order."""
    keys = {each.arg: each.value for each in node.keywords}
    if (
        getattr(node, "s2sad_loops", None)
        or len(node.args) != 1
        or not keys.keys() <= {"key", "reverse"}
        or not _is_asked_for(node, names)
    ):
        return None
    (items,) = node.args
    pairs = gives_tuples(items, names)
    of_places = isinstance(items, gast.Call) and names.means(items.func, range)
    if of_places or (not pairs and "key" not in keys):
        return None
    held, order = names.fresh("items"), names.fresh("order")
    place, made = names.fresh("k"), into or names.fresh("result")
    places = call("range", [call("len", [name(held, node)], node)], node)
    sort = with_(node, args=[places], keywords=[])
    sort.keywords = [gast.keyword(arg="key", value=_key(keys.get("key"), held, names, node))]
    sort.keywords += [each for each in node.keywords if each.arg == "reverse"]
    append = method(
        name(made, node), "append", [index(name(held, node), name(place, node), node)], node
    )
    loops = [
        assign(
            held, items if isinstance(items, gast.ListComp) else call("list", [items], node), node
        ),
        assign(order, sort, node),
        assign(made, display(gast.List, [], node), node),
        loop(stored(place, node), name(order, node), [statement(append, node)], node),
    ]
    if not isinstance(items, gast.Name):
        return loops, name(made, node)
    # of a list of objects, which is known when it is lowered, the places are put in order
    whole = with_(node)
    whole.s2sad_loops = loops
    return [assign(made, whole, node)], name(made, node)


def _is_asked_for(node: Node, names: Names) -> bool:
    at = names.at is not None and names.is_open(names.at)
    return at or names.is_open(node) or any(names.is_open(each) for each in node.args)


def _key(key: Node | None, held: str, names: Names, at: Node) -> Node:
    """Return the function that tells by a place what the item there is ordered by."""
    place = free("k", {*reads_of(key), held} if key is not None else {held})
    if isinstance(key, gast.Lambda) and len(key.args.args) == 1:
        place = key.args.args[0].id
    item = index(name(held, at), name(place, at), at)
    body = item if key is None else key_of(key, item, names, at)
    made = gast.parse(f"lambda {place}: 0", mode="eval").body
    told = placed(with_(made, body=body), at)
    told.s2sad_orders = True
    return told
