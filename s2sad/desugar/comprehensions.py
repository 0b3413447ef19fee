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

from s2sad.desugar.names import Names
from s2sad.desugar.renaming import renamed
from s2sad.desugar.syntax import (
    COMPREHENSIONS,
    Body,
    Node,
    all_of,
    assign,
    bound_names,
    branch,
    call,
    constant,
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
from s2sad.parse import MISSING, reads_of
from s2sad.trees import below, nodes_of

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
    node = _with_columns(_apart(node, names), names)
    body = each(node.elt)
    for depth, generator in reversed(list(enumerate(node.generators))):
        if generator.ifs:
            body = [branch(all_of(generator.ifs, node), body, [], node)]
        body = [loop(generator.target, generator.iter, body, node)]
        if left is not None and depth:
            body.append(left(node))
    return body


def _with_columns(node: Node, names: Names) -> Node:
    """Return `... for c in zip(*rows)` with the tuples that zip makes written out.

    Only where the element does not name the rows: it could change them while they are gone through.
    """
    generators = [
        with_(each, iter=_columns(each.iter, names, _is_only_read(each.target, node, names)))
        if is_of_columns(each.iter, names) and each.iter.args[0].value.id not in reads_of(node.elt)
        else each
        for each in node.generators
    ]
    return with_(node, generators=generators)


def is_of_columns(iterable: Node, names: Names) -> bool:
    """Tell whether an expression is `zip(*rows)`."""
    match iterable:
        case gast.Call(
            func=func, args=[gast.Starred(value=gast.Name(id=owner))], keywords=options
        ) if names.means(func, zip) and not any(map(_may_raise, options)):
            return names.is_local(owner)
    return False


def _may_raise(option: Node) -> bool:
    """Tell whether `strict=` asks for an error where rows are not equally long."""
    return not (isinstance(option.value, gast.Constant) and option.value.value is False)


def _is_only_read(target: Node, node: Node, names: Names) -> bool:
    """Tell whether each column is only handed to what takes a list as it takes a tuple."""
    if not isinstance(target, gast.Name):
        return False
    parts = [part for each in below(node) for part in nodes_of(each)]
    read = {
        id(part.args[0])
        for part in parts
        if isinstance(part, gast.Call) and part.args and _takes_both(part.func, names)
    }
    named = [part for part in parts if getattr(part, "id", "") == target.id]
    return all(id(part) in read for part in named if isinstance(part.ctx, gast.Load))


def _takes_both(func: Node, names: Names) -> bool:
    known = names.value(func)
    numpy = str(getattr(known, "__module__", "")).split(".")[0] == "numpy"
    return numpy or any(known is each for each in (sum, len, max, min, list, sorted))


def _columns(at: Node, names: Names, as_lists: bool) -> Node:
    """Return `[tuple([row[k] for row in rows]) for k in range(min(map(len, rows), default=0))]`."""
    rows, k, row = at.args[0].value.id, names.fresh("k"), names.fresh("row")
    length = call("min", [call("map", [name("len", at), name(rows, at)], at)], at)
    length.keywords = [gast.keyword(arg="default", value=constant(0, at))]
    part = index(name(row, at), name(k, at), at)
    column = _over(part, row, name(rows, at), at)
    column = column if as_lists else call("tuple", [column], at)
    return _over(column, k, call("range", [length], at), at)


def _over(element: Node, item: str, iterable: Node, at: Node) -> Node:
    each = gast.comprehension(target=stored(item, at), iter=iterable, ifs=[], is_async=0)
    return placed(gast.ListComp(elt=element, generators=[each]), at)


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
