"""Loops over anything become loops over ranges and names.

for x in u[1:-1]:              ->      items = u[1:-1]; for x in items:
for k, v in p.items():         ->      for k in p: v = p[k]
for a, b in [(u, v), (v, u)]:  ->      the body twice, with a, b = u, v before the first
"""

from __future__ import annotations

import builtins
import itertools
from typing import Any

import gast

from s2sad.legacy.desugar import (
    columns,
    comprehensions,
    consumers,
    endless,
    flat,
    iterating,
    yielding,
)
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.renaming import renamed
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    bound_names,
    call,
    constant,
    display,
    index,
    jumps,
    name,
    number,
    own_nodes,
    stored,
    with_,
)
from s2sad.source.plain import makes_records
from s2sad.source.trees import nodes_of

# a loop over a display is written out up to so many statements
UNROLLED = 24


def simple(stmt: Node, names: Names) -> Body | None:
    """Return a loop over something simpler; None where it is simple already."""
    if not isinstance(stmt, gast.For):
        return None
    if not _is_plain(stmt.target):
        return _own_target(stmt, names)
    own_lines = endless.written(stmt, names) or yielding.written(stmt, names)
    if own_lines is not None:
        return own_lines
    if names.is_open(stmt):
        return _over_functions(stmt, names) or _iterated(stmt, names)
    return _over_functions(stmt, names)


def _is_plain(target: Node) -> bool:
    if isinstance(target, gast.Tuple | gast.List):
        return all(_is_plain(each) for each in target.elts)
    return isinstance(target, gast.Name)


def _own_target(stmt: Node, names: Names) -> Body:
    """`for a, *b in rows`: the item has a name first."""
    item = names.temp("item")
    first = assign(stmt.target, name(item, stmt.target), stmt.target)
    return [with_(stmt, target=stored(item, stmt.target), body=[first, *stmt.body])]


def _iterated(stmt: Node, names: Names) -> Body | None:
    iterable = stmt.iter
    match iterable:
        case gast.Name():
            return _over_functions(stmt, names)
        case gast.Tuple() | gast.List():
            return _over_display(stmt, names)
        case gast.GeneratorExp():
            return _over_generator(stmt, names)
        case gast.Call():
            return _over_call(stmt, names)
    if flat.is_flat(iterable):
        return _named(with_(stmt, iter=flat.as_row(iterable)), names)
    return _named(stmt, names)


def _named(stmt: Node, names: Names) -> Body:
    items = names.temp("items")
    return [assign(items, stmt.iter, stmt.iter), with_(stmt, iter=name(items, stmt.iter))]


# ---------------------------------------------------------------------------- calls

TOGETHER = (builtins.enumerate, builtins.zip)
VIEWS = ("keys", "values", "items")


def _over_call(stmt: Node, names: Names) -> Body | None:
    iterable = stmt.iter
    over_places = columns.over_places(stmt, names)
    if over_places is not None:
        return over_places
    function = names.value(iterable.func)
    if function is range or _is_of_fields(iterable.func):
        return None
    if function is map and len(iterable.args) > 1 and not iterable.keywords:
        return [with_(stmt, iter=consumers.mapped(iterable, names))]
    if function is filter and len(iterable.args) == 2:
        return [with_(stmt, iter=consumers.filtered(iterable, names))]
    if function in (*TOGETHER, builtins.reversed):
        return _over_parts(stmt, function, names)
    return iterating.opened(stmt, names) or _over_dict(stmt, names) or _named(stmt, names)


def _over_parts(stmt: Node, function: Any, names: Names) -> Body | None:
    """zip, enumerate, reversed: what they go through gets names, what they give, too."""
    out: Body = []
    ending = _without_ends(stmt.iter, names)
    if ending is not stmt.iter:
        return [with_(stmt, iter=ending)]
    iterable = _simple_parts(stmt.iter, out, names)
    if function in TOGETHER and isinstance(stmt.target, gast.Name):
        count = 2 if function is enumerate else len(iterable.args)
        items = [names.temp("item") for _ in range(count)]
        parts = [name(item, stmt.target) for item in items]
        whole = assign(stmt.target, display(gast.Tuple, parts, stmt.target), stmt.target)
        targets = [stored(item, stmt.target) for item in items]
        target = display(gast.Tuple, targets, stmt.target, store=True)
        return [*out, with_(stmt, target=target, iter=iterable, body=[whole, *stmt.body])]
    return [*out, with_(stmt, iter=iterable)] if out else None


def _without_ends(node: Node, names: Names) -> Node:
    """Return `zip(count(1), u)` as `enumerate(u, 1)`."""
    match node:
        case gast.Call(func=func, args=[gast.Call(func=counts, args=start, keywords=[]), items]):
            if names.means(func, zip) and names.means(counts, itertools.count) and len(start) < 2:
                return call("enumerate", [items, *start], node)
    return node


def _simple_parts(node: Node, out: Body, names: Names) -> Node:
    """Return an iterable of which each part is a name, a range, or made of such."""
    match node:
        case gast.Name():
            return node
        case gast.Call() if names.means(node.func, range):
            return node
        case gast.Call() if names.means(node.func, *TOGETHER, builtins.reversed):
            count = 1 if names.means(node.func, enumerate) else len(node.args)
            first = [_simple_parts(arg, out, names) for arg in node.args[:count]]
            return with_(node, args=[*first, *node.args[count:]])
    if flat.is_flat(node):
        node = flat.as_row(node)
    items = names.temp("items")
    listed = _is_view(node) or (iterating.is_one(node, names) and endless.has_end(node, names))
    out.append(assign(items, call("list", [node], node) if listed else node, node))
    return name(items, node)


def _is_view(node: Node) -> bool:
    """Tell whether this is a call of what gives a view of a dict, which has no subscripts."""
    plain = isinstance(node, gast.Call) and not node.args and not node.keywords
    return plain and getattr(node.func, "attr", "") in VIEWS


def _over_dict(stmt: Node, names: Names) -> Body | None:
    """`for k, v in p.items()`: the values are read where the keys are known."""
    called = stmt.iter.func
    if not isinstance(called, gast.Attribute) or stmt.iter.args or stmt.iter.keywords:
        return None
    if called.attr not in VIEWS:
        return None
    out: Body = []
    owner = called.value
    if not isinstance(owner, gast.Name) or owner.id in bound_names(stmt.body):
        held = names.temp("items")
        out.append(assign(held, owner, stmt.iter))
        owner = name(held, stmt.iter)
    target = stmt.target
    if called.attr == "keys":
        return [*out, with_(stmt, iter=owner)]
    if called.attr == "values" or not isinstance(target, gast.Tuple | gast.List):
        key = stored(names.fresh("key"), target)
        value = index(owner, name(key.id, target), target)
        if called.attr == "items":
            value = display(gast.Tuple, [name(key.id, target), value], target)
        first = assign(target, value, stmt.iter)
    else:
        key = target.elts[0]
        if not isinstance(key, gast.Name):
            return None
        first = assign(target.elts[1], index(owner, name(key.id, key), stmt.iter), stmt.iter)
    return [*out, with_(stmt, target=key, iter=owner, body=[first, *stmt.body])]


def _is_of_fields(called: Node) -> bool:
    """Tell whether a view of the fields of an object is asked for: `vars(o).items`."""
    match called:
        case gast.Attribute(value=gast.Attribute(attr="__dict__")):
            return True
        case gast.Attribute(value=gast.Call(func=gast.Name(id="vars"))):
            return True
    return False


# ---------------------------------------------------------------------------- displays


def _over_display(stmt: Node, names: Names) -> Body | None:
    items = stmt.iter.elts
    if any(isinstance(item, gast.Starred) for item in items):
        return _named(stmt, names)
    if not _is_unrolled(stmt, len(items)):
        return _named(stmt, names)
    out: Body = []
    held = [_held(item, stmt, out, names) for item in items]
    for item in held:
        out.append(assign(stmt.target, item, stmt.target))
        out += renamed(stmt.body, _option(stmt, item))
    return out


def _option(stmt: Node, item: Node) -> dict[str, Node]:
    """Return what to put for the target of a loop over options, texts among them: 1, "fro".

    Which rule a call has depends on its options, so they stand in it.
    """
    options = all(isinstance(each, gast.Constant) for each in stmt.iter.elts)
    texts = options and any(isinstance(each.value, str) for each in stmt.iter.elts)
    if not texts or not isinstance(stmt.target, gast.Name):
        return {}
    parts = (part for each in stmt.body for part in nodes_of(each) if isinstance(part, gast.Name))
    changed = {part.id for part in parts if not isinstance(part.ctx, gast.Load)}
    return {} if stmt.target.id in changed else {stmt.target.id: item}


def _is_unrolled(stmt: Node, passes: int) -> bool:
    size = passes * sum(1 for part in own_nodes(stmt.body) if isinstance(part, gast.stmt))
    leaves = jumps(stmt.body, (gast.Break, gast.Continue)) or stmt.orelse
    return size <= UNROLLED and not leaves


def _over_functions(stmt: Node, names: Names) -> Body | None:
    """`for f in (np.sin, np.exp): x = f(x)`: which function is called is known in each pass.

    So it is of the objects of a list of the module: `for layer in MODEL.layers: x = layer(x)`.
    """
    if not any(_is_called(each, stmt.body) for each in bound_names(stmt.target)):
        return _over_table(stmt, names)
    if isinstance(stmt.iter, gast.Tuple | gast.List):
        return _over_display(stmt, names) if _is_unrolled(stmt, len(stmt.iter.elts)) else None
    items = _items_of_table(stmt.iter, names)
    if not items or not _is_unrolled(stmt, len(items)):
        return None
    return _over_display(with_(stmt, iter=display(gast.Tuple, items, stmt.iter)), names)


def _over_table(stmt: Node, names: Names) -> Body | None:
    """`for k in OPS: x = OPS[k](x)`, of a dict of the module."""
    table, key = names.object(stmt.iter), stmt.target
    if not isinstance(table, dict) or not isinstance(key, gast.Name) or not table:
        return None
    if not all(type(each) in (str, int) and _is_followed(table[each]) for each in table):
        return None
    called = [part.func for part in own_nodes(stmt.body) if isinstance(part, gast.Call)]
    read = [part.slice for part in called if isinstance(part, gast.Subscript)]
    if not any(getattr(each, "id", "") == key.id for each in read):
        return None
    keys = [constant(each, stmt.iter) for each in table]
    if not _is_unrolled(stmt, len(keys)):
        return None
    return _over_display(with_(stmt, iter=display(gast.Tuple, keys, stmt.iter)), names)


def _items_of_table(at: Node, names: Names) -> Body:
    """Return what a list, tuple or dict of functions gives that stands in the module."""
    match at:
        case gast.Call(func=gast.Attribute(value=owner, attr="items" | "values" as what), args=[]):
            table = names.object(owner)
            if not isinstance(table, dict) or not all(map(_is_followed, table.values())):
                return []
            if not all(type(key) in (str, int) for key in table):
                return []
            keys = [constant(key, at) for key in table]
            values = [index(owner, key, at) for key in keys]
            pairs = zip(keys, values, strict=True)
            return values if what == "values" else [display(gast.Tuple, [*p], at) for p in pairs]
    table = names.object(at)
    if not isinstance(table, tuple | list) or not all(map(_is_followed, table)):
        return []
    return [index(at, number(i, at), at) for i in range(len(table))]


def _is_called(name_: str, body: Body) -> bool:
    """Tell whether what a name holds is called, or a method of it."""
    for part in own_nodes(body):
        if isinstance(part, gast.Call):
            owner = part.func.value if isinstance(part.func, gast.Attribute) else part.func
            if isinstance(owner, gast.Name) and owner.id == name_:
                return True
    return False


def _is_followed(item: Any) -> bool:
    """Tell whether an item of a list is a function, or an object of a class of the user's."""
    kind: Any = type(item)
    return callable(item) or makes_records(kind)


def _held(item: Node, stmt: Node, out: Body, names: Names) -> Node:
    """Compute an item before the first pass where a pass could change it."""
    if isinstance(item, gast.Tuple | gast.List):
        return with_(item, elts=[_held(each, stmt, out, names) for each in item.elts])
    touched = bound_names([stmt.target, *stmt.body])
    if isinstance(item, gast.Constant):
        return item
    if isinstance(item, gast.Name) and item.id not in touched:
        return item
    made = names.temp("item")
    out.append(assign(made, item, item))
    return name(made, item)


def _over_generator(stmt: Node, names: Names) -> Body | None:
    """`for x in (f(y) for y in u)`: one loop, as the generator runs while the loop does."""
    generator = stmt.iter
    if len(generator.generators) > 1 or stmt.orelse or generator.generators[0].is_async:
        return _named(stmt, names)
    return comprehensions.fused(stmt, names)
