"""Comprehensions become loops that append to a list, or write to a dict.

y = [x * c for x in u if x > 0]     ->     y = []
                                           for x in u:
                                               if x > 0:
                                                   y.append(x * c)

What a comprehension binds is its own: its names are numbered where the function has them too.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.renaming import renamed
from s2sad.legacy.desugar.syntax import (
    COMPREHENSIONS,
    Body,
    Node,
    all_of,
    assign,
    bound_names,
    branch,
    constant,
    display,
    index,
    loop,
    method,
    name,
    placed,
    statement,
    with_,
)
from s2sad.source.text import MISSING
from s2sad.source.trees import nodes_of

Written = tuple[Body, Node]


def opens(node: Node, names: Names) -> bool:
    """Tell whether a comprehension is to be written out."""
    if any(each.is_async for each in node.generators):
        return False
    # what it assigns with := is the function's own
    return names.is_open(node) or bool(walrus_names(node))


def walrus_names(node: Node) -> set[str]:
    """Return the names that := binds inside an expression."""
    return {part.target.id for part in nodes_of(node) if isinstance(part, gast.NamedExpr)}


# ---------------------------------------------------------------------------- what it makes


def listed(node: Node, names: Names, into: str = "") -> Written:
    """Return the loops that fill a list, and the list."""
    items = into or names.fresh("items")

    def each(element: Node) -> Body:
        return [statement(method(name(items, node), "append", [element], node), node)]

    start = assign(items, display(gast.List, [], node), node)
    return [start, *loops_of(node, each, names)], name(items, node)


def keyed(node: Node, names: Names, into: str = "") -> Written:
    """Return the loops that fill a dict, and the dict."""
    made = into or names.fresh("items")
    pair = placed(gast.GeneratorExp(None, node.generators), node)
    pair.elt = display(gast.Tuple, [node.key, node.value], node)

    def each(element: Node) -> Body:
        key, value = element.elts
        where = with_(index(name(made, node), key, node), ctx=gast.Store())
        return [assign(where, value, node)]

    start = assign(made, placed(gast.Dict(keys=[], values=[]), node), node)
    return [start, *loops_of(pair, each, names)], name(made, node)


# ---------------------------------------------------------------------------- loops


def loops_of(
    node: Node,
    each: Callable[[Node], Body],
    names: Names,
    left: Callable[[Node], Node] | None = None,
) -> Body:
    """Return the loops of a comprehension around what is done with each element."""
    node = _apart(node, names)
    body = each(node.elt)
    for depth, generator in reversed(list(enumerate(node.generators))):
        if generator.ifs:
            body = [branch(all_of(generator.ifs, node), body, [], node)]
        body = [loop(generator.target, generator.iter, body, node)]
        if left is not None and depth:
            body.append(left(node))
    return body


def _apart(node: Node, names: Names) -> Node:
    """Return a comprehension whose own names are nobody else's."""
    own = bound_names([each.target for each in node.generators])
    inner = {
        bound
        for part in nodes_of(node)
        if isinstance(part, COMPREHENSIONS) and part is not node
        for bound in bound_names([each.target for each in part.generators])
    }
    late = _marked_late(node, own)
    new = {
        each: names.fresh(each)
        for each in sorted(own)
        if "%" not in each and (each in inner or each in late or _is_taken(each, names))
    }
    if not new:
        return node
    first = node.generators[0].iter
    hidden = with_(node, generators=[with_(node.generators[0], iter=constant(0, first))])
    hidden.generators += node.generators[1:]
    made = _inside(hidden, new)
    made.generators[0] = with_(made.generators[0], iter=first)
    return made


def _marked_late(node: Node, own: set[str]) -> set[str]:
    """Return the names of a comprehension that functions in it read when they are called."""
    late = set()
    for part in nodes_of(node):
        if isinstance(part, gast.Lambda):
            inner = {each.id for each in nodes_of(part.body) if isinstance(each, gast.Name)}
            part.s2sad_late = sorted((own & inner) - bound_names(part.args))
            late |= set(part.s2sad_late)
    return late


def _is_taken(each: str, names: Names) -> bool:
    return names.is_local(each) or names.source.resolve(each) is not MISSING


def _inside(node: Node, new: dict[str, str]) -> Node:
    """Rename the names that a comprehension itself binds."""
    generators = [
        with_(
            each,
            target=renamed(each.target, new),
            iter=renamed(each.iter, new),
            ifs=renamed(each.ifs, new),
        )
        for each in node.generators
    ]
    return with_(node, generators=generators, elt=renamed(node.elt, new))


def fused(stmt: Node, names: Names) -> Body:
    """Return a loop over a generator of one `for` as that loop, with what it gives assigned."""

    def each(element: Node) -> Body:
        return [assign(stmt.target, element, stmt.target), *stmt.body]

    made = loops_of(stmt.iter, each, names)
    return [with_(loop_, target=loop_.target) for loop_ in made]
