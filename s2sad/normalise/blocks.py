"""Branches merge what their sides leave in a name; loops carry it from pass to pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from s2sad.errors import Unsupported
from s2sad.links import connected, forgotten, meet
from s2sad.lower import (
    atom,
    changes_inside,
    inline,
    outside,
)
from s2sad.normalise.statements import every, statement
from s2sad.parse import assigned_names, rebound_names
from s2sad.program import (
    Break,
    Call,
    Carried,
    Expr,
    If,
    Loop,
    Merge,
    Ref,
    Var,
)
from s2sad.revisit import revisited
from s2sad.scope import Scope, block_of
from s2sad.statics.kinds import agreed


@statement.register
def _(node: gast.If, scope: Scope) -> None:
    test = outside(node.test, scope)
    before, links, statics = dict(scope.held.values), scope.held.links, scope.held.statics
    sides, after, held, ways = [], [], [], []
    for body in (node.body, node.orelse):
        scope.held.values, scope.held.links, scope.held.statics = dict(before), links, statics
        with scope.block() as side:
            every(body, scope)
        sides.append(block_of(side))
        after.append(_seen(scope, before))
        held.append(scope.held.links)
        ways.append(scope.held.statics)
    scope.held.values, scope.held.links = dict(before), meet(*held)
    known = {*ways[0], *ways[1]}
    after = [{s: var for s, var in way.items() if s not in known} for way in after]
    merges = _merges(after[0], after[1], scope)
    for slot in before.keys() - (after[0].keys() & after[1].keys()):
        scope.drop(slot)
    scope.settle(*ways)
    key = scope.numbers.key()
    scope.emit(If(test, sides[0], sides[1], merges, scope.span(node), key))


def _seen(scope: Scope, before: dict[str, Var]) -> dict[str, Var]:
    """Return the values after a block, those of functions that were lowered into it left out."""
    return {s: var for s, var in scope.held.values.items() if s in before or scope.is_own(s)}


def _merges(then: dict[str, Var], orelse: dict[str, Var], scope: Scope) -> tuple[Merge, ...]:
    merges = []
    for slot in sorted({*then, *orelse}):
        a, b = then.get(slot), orelse.get(slot)
        if a != b:
            merges.append(Merge(scope.renew(slot), a, b))
    return tuple(merges)


@statement.register
def _(node: gast.For, scope: Scope) -> None:
    by_index = revisited(node, scope)
    if by_index is not None:
        every(by_index, scope)
    else:
        _loop(node, _iterable(node.iter, scope), scope)


def _iterable(node: Any, scope: Scope) -> Expr:
    """Return what a loop goes over; what is made for it gets a name, so that it has an adjoint."""
    if isinstance(node, gast.Subscript | gast.Tuple | gast.List | gast.BinOp | gast.Attribute):
        scope.called_after = "items"
        return atom(node, scope)
    iterable = inline(node, scope)
    match iterable:
        case Call(Ref("enumerate" | "zip" | "reversed"), args) if len(args) == len(node.args):
            parts = tuple(_iterable(each, scope) for each in node.args)
            return replace(iterable, args=parts)
    return iterable


@statement.register
def _(node: gast.While, scope: Scope) -> None:
    if changes_inside(node.test, scope):
        # what a test writes is written in the pass that it begins
        begun = gast.If(test=node.test, body=node.body, orelse=[gast.Break()])
        always = gast.copy_location(gast.Constant(True, None), node.test)
        for each in (begun, begun.orelse[0]):
            gast.copy_location(each, node.test)
        node = gast.copy_location(gast.While(test=always, body=[begun], orelse=[]), node)
    _loop(node, None, scope)


def _loop(node: Any, iterable: Expr | None, scope: Scope) -> None:
    inside = [node.target, *node.body] if iterable is not None else node.body
    slots = [scope.slot(name) for name in assigned_names(inside, scope.locals)]
    before, links = dict(scope.held.values), scope.held.links
    for name in rebound_names(inside):
        links = forgotten(links, scope.slot(name))
    slots = [*slots, *sorted(connected(links, slots))]
    statics = scope.held.statics
    while True:
        scope.held.values, scope.held.links = dict(before), links
        scope.held.statics = statics
        slots = [slot for slot in slots if slot not in statics]
        heads = {slot: scope.renew(slot) for slot in slots}
        start, links = dict(scope.held.values), scope.held.links
        test = inline(node.test, scope) if iterable is None else None
        with scope.block() as out:
            targets = _targets(node.target, scope) if iterable is not None else None
            every(node.body, scope)
        # a function lowered in place may write to more than the text shows, and an echo
        more = [s for s in start if s not in slots and scope.held.values.get(s) != start[s]]
        held, known = meet(links, scope.held.links), agreed(statics, scope.held.statics)
        if not more and held == links and known == statics:
            break
        slots, links, statics = slots + more, held, known
    ends = {slot: scope.held.values.get(slot, heads[slot]) for slot in slots}
    scope.held.values, scope.held.links = _seen(scope, before), links
    exits = {slot: scope.renew(slot) for slot in slots}
    carried = tuple(Carried(heads[s], before.get(s), ends[s], exits[s]) for s in slots)
    scope.settle(statics)
    breaks = any(isinstance(stmt, Break) for stmt in _tail_statements(out))
    key = scope.numbers.key()
    block = block_of(out)
    scope.emit(Loop(targets, iterable, test, carried, block, breaks, scope.span(node), key))


def _tail_statements(block: Any) -> Any:
    for stmt in block[-1:]:
        yield stmt
        if isinstance(stmt, If):
            yield from _tail_statements(stmt.then)
            yield from _tail_statements(stmt.orelse)


def _targets(node: Any, scope: Scope) -> Any:
    if isinstance(node, gast.Name):
        return scope.define(node.id)
    if isinstance(node, gast.Tuple | gast.List):
        return tuple(_targets(each, scope) for each in node.elts)
    raise Unsupported("this loop target is not differentiated", scope.span(node))
