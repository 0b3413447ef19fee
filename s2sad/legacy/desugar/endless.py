"""Loops over what never ends become loops that count for themselves: nothing could list it all.

for k in count(1):           n = 1
    s += x**k                while True:
    if k > 9: break    ->        k = n
                                 n = n + 1
                                 s += x**k
                                 if k > 9: break

for y in powers(x):          the lines of the user's generator, those behind its `yield` last
for a, w in zip(u, cycle(v)):      a loop over u that takes v[k], and goes on to the next k
"""

from __future__ import annotations

import builtins
import copy
import itertools
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar.chosen import put_in
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.stepping import asked_again, endless_generator, goes_on, steps
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
    loop,
    name,
    placed,
    stored,
    with_,
)
from s2sad.source.trees import nodes_of

ENDLESS = (itertools.count, itertools.cycle, itertools.repeat)


@dataclass(frozen=True)
class Endless:
    """What gives one value after the other: what begins it, the next value, and what goes on.

    `test` tells whether it gives anything at all. What is done `first` in a pass comes before the
    value, and what is `late` when the next value is asked for.
    """

    begin: Body
    value: Node
    step: Body
    test: Node | None = None
    first: Body = field(default_factory=list)
    late: Body = field(default_factory=list)


def written(stmt: Node, names: Names) -> Body | None:
    """Return a loop over what never ends as one that counts; None for other loops."""
    if not _mentions(stmt.iter, names):
        if isinstance(stmt.iter, gast.Name) and stmt.iter.id in kept_endless(names):
            raise _no_end(stmt, names)
        return None
    if _is_cycled_and_written(stmt, names):
        raise Unsupported(
            "what is cycled here is gone through after this line, and sees what it changes",
            names.span(stmt),
            "Cycle a copy: itertools.cycle(list(v)).",
        )
    found = _endless(stmt.iter, names)
    if found is not None:
        test = constant(True, stmt.iter) if found.test is None else found.test
        if goes_on(stmt.body):
            found = _at_once(found, names, stmt)
        body = [*_pass(stmt, found), *found.late]
        made = gast.While(test=test, body=body, orelse=stmt.orelse)
        return [*found.begin, placed(made, stmt)]
    if not has_end(stmt.iter, names):
        raise _no_end(stmt, names)
    if not names.is_open(stmt) or not isinstance(stmt.iter, gast.Call):
        return None
    inside = (each for each in nodes_of(stmt.iter) if isinstance(each, gast.GeneratorExp))
    if not all(has_end(each, names) for each in inside):
        raise _no_end(stmt, names)  # it would be listed first
    return _repeated(stmt) if names.means(stmt.iter.func, itertools.repeat) else _ended(stmt, names)


def has_end(node: Node, names: Names) -> bool:
    """Tell whether what is gone through may have an end."""
    if isinstance(node, gast.GeneratorExp | gast.ListComp):
        return all(has_end(each.iter, names) for each in node.generators)
    if not isinstance(node, gast.Call):
        return True
    function = names.value(node.func)
    if function in (itertools.islice, itertools.takewhile, next):
        return True
    if function in (itertools.count, itertools.cycle) or endless_generator(node, names) is not None:
        return False
    if function is itertools.repeat:
        return len(node.args) + len(node.keywords) > 1
    every = [has_end(each, names) for each in node.args]
    return any(every) if function is builtins.zip and every else all(every)


def kept_endless(names: Names) -> frozenset[str]:
    """Return the names that are given what never ends."""
    if names.endless is None:
        made = (each for each in nodes_of(names.source.tree) if isinstance(each, gast.Assign))
        names.endless = frozenset(
            each.targets[0].id
            for each in made
            if isinstance(each.targets[0], gast.Name) and not has_end(each.value, names)
        )
    return names.endless


def _no_end(stmt: Node, names: Names) -> Unsupported:
    return Unsupported(
        "a loop over this is not differentiated",
        names.span(stmt),
        "It may have no end, so that it cannot be listed: write a `while` that counts for itself.",
    )


def _is_cycled_and_written(stmt: Node, names: Names) -> bool:
    """Tell whether a loop stores to items of a name that it cycles: only the first round sees that."""
    calls = (each for each in nodes_of(stmt.iter) if isinstance(each, gast.Call))
    cycled = [each.args[0] for each in calls if names.means(each.func, itertools.cycle)]
    held = {each.id for each in cycled if isinstance(each, gast.Name)}
    parts = (part for inner in stmt.body for part in nodes_of(inner))
    stores = (p for p in parts if isinstance(p, gast.Subscript) and isinstance(p.ctx, gast.Store))
    return any(isinstance(p.value, gast.Name) and p.value.id in held for p in stores)


def _mentions(node: Node, names: Names) -> bool:
    return any(
        isinstance(part, gast.Call)
        and (names.means(part.func, *ENDLESS) or endless_generator(part, names) is not None)
        for part in nodes_of(node)
    )


def _pass(stmt: Node, found: Endless, value: Node | None = None) -> Body:
    given = assign(stmt.target, found.value if value is None else value, stmt)
    return [*copy.deepcopy(found.first), given, *copy.deepcopy(found.step), *stmt.body]


def _at_once(found: Endless, names: Names, at: Node) -> Endless:
    """Return what does first in a pass what is late of the one before."""
    if not found.late:
        return found
    begin, before = asked_again(found.late, names, at)
    return replace(found, begin=[*found.begin, *begin], first=[*before, *found.first], late=[])


# ---------------------------------------------------------------------------- without an end


def _endless(node: Node, names: Names) -> Endless | None:
    """Return how to write out what surely never ends; None where it may."""
    if not isinstance(node, gast.Call) or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    own = steps(node, names)
    if own is not None:
        return Endless(own[0], own[2], [], None, own[1], own[3])
    function, count = names.value(node.func), len(node.args)
    if function is itertools.count:
        return _count(node, names)
    if function is itertools.cycle and count == 1 and not node.keywords:
        return _cycle(node, names)
    if function is itertools.repeat and count == 1 and not node.keywords:
        item = names.fresh("item")
        return Endless([assign(item, node.args[0], node)], name(item, node), [])
    if function is builtins.enumerate and count:
        return _enumerate(node, names)
    if function is builtins.map and count == 2 and not node.keywords:
        given = _endless(node.args[1], names)
        if given is not None:
            made = call(node.args[0], [given.value], node)
            value = put_in(node.args[0], made) or made
            return replace(given, value=value)
    if function is builtins.zip and count and not node.keywords:
        parts = [_endless(each, names) for each in node.args]
        return None if None in parts else _together(parts, names, node)
    return None


def _together(parts: list[Any], names: Names, at: Node) -> Endless | None:
    parts = [_at_once(each, names, at) for each in parts]
    tests = [each.test for each in parts if each.test is not None]
    value = display(gast.Tuple, [each.value for each in parts], at)
    begin = [stmt for each in parts for stmt in each.begin]
    step = [stmt for each in parts for stmt in each.step]
    first = [stmt for each in parts for stmt in each.first]
    test = tests[0] if tests else None
    return Endless(begin, value, step, test, first) if len(tests) < 2 else None


def _count(node: Node, names: Names) -> Endless | None:
    given = dict(zip(("start", "step"), node.args, strict=False))
    given |= {each.arg: each.value for each in node.keywords}
    if not given.keys() <= {"start", "step"}:
        return None
    at, by = names.fresh("n"), given.get("step", constant(1, node))
    begin = [assign(at, given.get("start", constant(0, node)), node)]
    if "step" in given and not isinstance(by, gast.Constant | gast.UnaryOp):
        held = names.fresh("step")
        begin.append(assign(held, by, node))
        by = name(held, node)
    on = binary(gast.Add(), name(at, node), by, node)
    return Endless(begin, name(at, node), [assign(at, on, node)])


def _cycle(node: Node, names: Names) -> Endless:
    items, at = names.fresh("items"), names.fresh("k")
    plain = isinstance(node.args[0], gast.List | gast.Tuple | gast.ListComp)
    held = node.args[0] if plain else call("list", [node.args[0]], node)
    begin = [assign(items, held, node), assign(at, constant(0, node), node)]
    count = call("len", [name(items, node)], node)
    on = binary(gast.Add(), name(at, node), constant(1, node), node)
    step = assign(at, binary(gast.Mod(), on, count, node), node)
    shown = getattr(node.args[0], "elts", ())
    test = None if shown else compare(count, gast.Gt(), constant(0, node), node)
    return Endless(begin, index(name(items, node), name(at, node), node), [step], test)


def _enumerate(node: Node, names: Names) -> Endless | None:
    given = _endless(node.args[0], names)
    if given is None:
        return None
    numbered = with_(node, args=node.args[1:])
    for each in numbered.keywords:
        if each.arg != "start":
            return None
    counted = _count(numbered, names)
    return None if counted is None else _together([counted, given], names, node)


# ---------------------------------------------------------------------------- with an end


def _repeated(stmt: Node) -> Body | None:
    """`repeat(x, n)`: n passes."""
    given = [*stmt.iter.args, *(each.value for each in stmt.iter.keywords)]
    if len(given) != 2 or not isinstance(given[0], gast.Name | gast.Constant):
        return None
    passes = call("range", [given[1]], stmt.iter)
    return [loop(stored("_%n0", stmt), passes, _pass(stmt, Endless([], given[0], [])), stmt)]


def _ended(stmt: Node, names: Names) -> Body | None:
    """Return a loop over what ends, in which the rest counts for itself: zip, islice, enumerate."""
    node = stmt.iter
    if names.means(node.func, builtins.enumerate) and node.args:
        return numbered(stmt, names)
    if names.means(node.func, itertools.islice) and len(node.args) == 2 and not node.keywords:
        passes = call("range", [node.args[1]], node)
        return _beside(stmt, [passes], [node.args[0]], [1], names)
    if names.means(node.func, builtins.zip) and not node.keywords:
        places = [k for k, each in enumerate(node.args) if _mentions(each, names)]
        kept = [each for k, each in enumerate(node.args) if k not in places]
        return _beside(stmt, kept, [node.args[k] for k in places], places, names) if kept else None
    return None


def numbered(stmt: Node, names: Names) -> Body | None:
    """Return a loop over `enumerate` as one that counts for itself."""
    items, *start = stmt.iter.args
    counted = _count(with_(stmt.iter, args=start), names)
    if counted is None:
        return None
    item = names.fresh("item")
    pair = display(gast.Tuple, [counted.value, name(item, stmt)], stmt)
    inner = with_(stmt, target=stored(item, stmt), iter=items, body=_pass(stmt, counted, pair))
    return [*counted.begin, inner]


def _beside(
    stmt: Node, kept: list[Node], rest: list[Node], places: list[int], names: Names
) -> Body | None:
    """Return a loop over `kept`; what stands at `places` among them counts for itself."""
    found: list[Any] = [_endless(each, names) for each in rest]
    together = None if None in found else _together(found, names, stmt)
    if together is None or (together.test is not None and stmt.orelse):
        return None
    items = [names.fresh("item") for _ in kept]
    parts: list[Node] = [name(each, stmt) for each in items]
    for place, each in zip(places, found, strict=True):
        parts.insert(place, each.value)
    sliced = names.means(stmt.iter.func, itertools.islice)
    value = parts[-1] if sliced else display(gast.Tuple, parts, stmt)
    targets = [stored(each, stmt) for each in items]
    target = targets[0] if len(kept) == 1 else display(gast.Tuple, targets, stmt, store=True)
    through = kept[0] if len(kept) == 1 else with_(stmt.iter, args=kept)
    body = _pass(stmt, together, value)
    made = with_(stmt, target=target, iter=through, body=body)
    if together.test is not None:
        return [*together.begin, branch(together.test, [made], [], stmt)]
    return [*together.begin, made]
