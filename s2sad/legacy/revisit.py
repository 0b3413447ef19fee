"""Loops that write to what they go over read each item where it is: by its index.

    for row in A:                    for k in range(len(A)):
        row *= 2.0          ->           row = A[k]
                                         row *= 2.0
    for v in (a, b):                 v = a; a[0] = v[1]
        a[0] = v[1]         ->       v = b; a[0] = v[1]

Only arrays and lists: what else is gone over has no index, and what a loop does not write to keeps
the user's own loop.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.legacy.desugar.syntax import (
    assign,
    branch,
    call,
    compare,
    constant,
    display,
    index,
    jumps,
    name,
    negated,
    stored,
    with_,
)
from s2sad.legacy.links import Asked, Question, connected
from s2sad.legacy.moving import while_there_are_items
from s2sad.legacy.scope import Scope
from s2sad.source.fresh import free
from s2sad.source.names import changed_names, rebound_names
from s2sad.source.trees import nodes_of

Body = list[Any]
JUMPS = (gast.Break, gast.Continue, gast.Return)
UNROLLED = 4  # a loop over a longer display is refused rather than written out


def revisited(loop: Any, scope: Scope) -> Body | None:
    """Return the statements for a loop that writes to what it goes over, None for another."""
    if _strict(loop.iter) is False:
        loop = with_(loop, iter=with_(loop.iter, keywords=[]))
    written = changed_names(loop.body)
    if scope.doubts:
        written = _named_otherwise(loop.body, written | _given(loop.body))
    if not written:
        return None
    sources = _sources(loop.iter, scope)
    moving = None if _strict(loop.iter) else while_there_are_items(loop, sources, scope)
    if moving is not None:
        return moving
    shown = _shown(loop.iter, scope)
    if shown is not None:
        return _written_out(with_(loop, iter=shown), written, scope)
    if not sources or not any(_is_touched(each, loop.target, written, scope) for each in sources):
        return None
    before: Body = []
    named = [_named(each, before, loop, scope) for each in sources]
    if not all(_has_items(each, loop, scope, before) for each in named):
        return None
    if _strict(loop.iter) and not written & changed_names(loop.body):
        return None  # what is only handed on keeps the user's own loop
    checks = [_of_one_length(named[0], e, loop) for e in named[1:] if _strict(loop.iter)]
    return [*before, *checks, _by_index(loop, named, scope)]


def _shown(node: Any, scope: Scope) -> Any:
    """Return a display of what a loop goes over: zip((a, b), (c, d)) gives (a, c) and (b, d)."""
    if isinstance(node, gast.Tuple | gast.List):
        return node
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return None
    if node.keywords and not _strict(node):
        return None
    parts = [_shown(each, scope) for each in node.args]
    if None in parts or not parts or node.func.id in scope.locals:
        return None
    match node.func.id:
        case "zip":
            if node.keywords and len({len(each.elts) for each in parts}) > 1:
                return None  # it fails where it is called
            rows = list(zip(*(each.elts for each in parts), strict=False))
        case "enumerate" if len(parts) == 1:
            rows = [(constant(n, node), each) for n, each in enumerate(parts[0].elts)]
        case "reversed" if len(parts) == 1:
            return with_(parts[0], elts=parts[0].elts[::-1])
        case _:
            return None
    return display(gast.Tuple, [display(gast.Tuple, list(row), node) for row in rows], node)


def _strict(node: Any) -> bool | None:
    """Return what `strict` is in zip(..., strict=True); None for anything else."""
    match node:
        case gast.Call(
            func=gast.Name(id="zip"),
            keywords=[gast.keyword(arg="strict", value=gast.Constant(value=bool() as strict))],
        ):
            return bool(strict)
    return None


def _calls(body: Body) -> Iterator[Any]:
    parts = (part for stmt in body for part in nodes_of(stmt))
    return (part for part in parts if isinstance(part, gast.Call))


def _written_out(loop: Any, written: frozenset[str], scope: Scope) -> Body | None:
    """Return the body once for each part of a display."""
    parts = loop.iter.elts
    starred = any(isinstance(each, gast.Starred) for each in parts)
    if starred or loop.orelse or len(parts) > UNROLLED:
        return None
    if not any(_is_touched(each, loop.target, written, scope) for each in parts):
        return None
    leaves = jumps(loop.body, JUMPS)
    left = _fresh("left", scope) if leaves else ""
    body = _stopped(loop.body, left) if leaves else loop.body
    if leaves and jumps(body, JUMPS):
        return None
    before: Body = []
    again = rebound_names(loop.body)
    names = [_kept(each, again, before, loop, scope) for each in parts]
    passes = [
        [assign(copy.deepcopy(loop.target), each, loop), *copy.deepcopy(body)] for each in names
    ]
    if not leaves:
        return [*before, *(stmt for each in passes for stmt in each)]
    return [
        *before,
        assign(left, constant(False, loop), loop),
        *_while_not(left, passes, loop),
    ]


def _while_not(left: str, passes: list[Body], loop: Any) -> Body:
    """Return passes one after the other, each made unless one before it has left the loop."""
    out = passes[-1]
    for each in reversed(passes[:-1]):
        out = [*each, branch(negated(name(left, loop), loop), out, [], loop)]
    return out


def _stopped(body: Body, left: str) -> Body:
    """Return a body in which a flag says that the loop is left, where it was."""

    def one(stmt: Any) -> Any:
        if isinstance(stmt, gast.Break):
            return assign(left, constant(True, stmt), stmt)
        if not isinstance(stmt, gast.If):
            return stmt
        return branch(stmt.test, _stopped(stmt.body, left), _stopped(stmt.orelse, left), stmt)

    return [one(stmt) for stmt in body]


def _given(body: Body) -> frozenset[str]:
    """Return the names that calls are given: a function may write to them."""
    given = (
        each for part in _calls(body) for each in (*part.args, *(k.value for k in part.keywords))
    )
    return frozenset(each.id for each in given if isinstance(each, gast.Name))


def _named_otherwise(body: Body, written: frozenset[str]) -> frozenset[str]:
    """Return names that are written to, and those from which a body takes them: `v = u[1:]`."""
    taken = [
        (part.targets[0].id, part.value)
        for stmt in body
        for part in nodes_of(stmt)
        if isinstance(part, gast.Assign) and isinstance(part.targets[0], gast.Name)
    ]
    found: set[str] = set()
    while found != written:
        found = set(written)
        for target, value in taken:
            if target in written:
                written |= {*_roots(value)}
    return frozenset(found)


def _roots(node: Any) -> Iterator[str]:
    """Yield the names of which an expression may be all or a part."""
    match node:
        case gast.Name(id=text):
            yield text
        case gast.Subscript(value=inner) | gast.Attribute(value=inner):
            yield from _roots(inner)
        case gast.Call(args=args):
            yield from (root for each in args for root in _roots(each))


def _kept(node: Any, rebound: frozenset[str], before: Body, loop: Any, scope: Scope) -> Any:
    """Return what a pass is given, computed `before` the loop where it could change in it."""
    if isinstance(node, gast.Tuple | gast.List):
        return with_(node, elts=[_kept(each, rebound, before, loop, scope) for each in node.elts])
    lasts = isinstance(node, gast.Name) and node.id not in rebound
    if lasts or isinstance(node, gast.Constant):
        return node
    return _named(node, before, loop, scope)


def _sources(node: Any, scope: Scope) -> Body:
    """Return what a loop takes its items from: one thing, or those that are zipped."""
    if isinstance(node, gast.Name | gast.Subscript):
        return [node]
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return []
    if node.func.id in scope.locals or (node.keywords and not _strict(node)):
        return []
    if node.func.id == "zip" or (node.func.id in ("enumerate", "reversed") and len(node.args) == 1):
        return list(node.args)
    return []


def _is_touched(node: Any, target: Any, written: frozenset[str], scope: Scope) -> bool:
    """Tell whether a write in the body may change an item, or through an item what it is of."""
    mine = {part.id for part in nodes_of(node) if isinstance(part, gast.Name)}
    items = {part.id for part in nodes_of(target) if isinstance(part, gast.Name)}
    slots = [scope.slot(each) for each in sorted(mine) if scope.has(each)]
    changed = {scope.slot(each) for each in written}
    return bool(changed & {*slots, *connected(scope.held.links, slots)} or items & written)


def _named(node: Any, before: Body, loop: Any, scope: Scope) -> Any:
    """Return the name of what a loop goes over, given in a statement `before` it if need be."""
    if isinstance(node, gast.Name) and node.id not in rebound_names([loop]):
        return node
    items = _fresh("items", scope)
    before.append(assign(stored(items, node), node, loop))
    return name(items, node)


def _has_items(node: Any, loop: Any, scope: Scope, before: Body) -> bool:
    """Tell whether something is known to be an array or a list."""
    made = {stmt.targets[0].id: stmt.value for stmt in before}
    node = made.get(node.id, node)
    root = node.value if isinstance(node, gast.Subscript) else node
    if not isinstance(root, gast.Name) or not scope.has(root.id):
        return False
    question = Question(scope.span(loop), scope.slot(root.id))
    return scope.ask(Asked(question, scope.value(root.id))) == "writes"


def _by_index(loop: Any, named: Body, scope: Scope) -> Any:
    kind = loop.iter.func.id if isinstance(loop.iter, gast.Call) else ""
    counted = kind == "enumerate" and isinstance(loop.target, gast.Tuple)
    if counted and isinstance(loop.target.elts[0], gast.Name):
        k, targets = loop.target.elts[0].id, loop.target.elts[1:]
    else:
        k = _fresh("k", scope)
        targets = loop.target.elts if kind == "zip" else [loop.target]
    reads = [index(each, name(k, loop), loop) for each in named]
    first = [assign(t, read, loop) for t, read in zip(targets, reads, strict=True)]
    passes = _range(named, kind == "reversed", loop)
    return with_(loop, target=stored(k, loop), iter=passes, body=[*first, *loop.body])


def _of_one_length(one: Any, other: Any, at: Any) -> Any:
    """Return what fails as zip(one, other, strict=True) does."""
    lengths = [call("len", [each], at) for each in (one, other)]
    test = compare(lengths[0], gast.NotEq(), lengths[1], at)
    problem = call("ValueError", [constant("zip() has arguments of several lengths", at)], at)
    return branch(test, [gast.copy_location(gast.Raise(problem, None), at)], [], at)


def _range(named: Body, backwards: bool, at: Any) -> Any:
    lengths = [call("len", [each], at) for each in named]
    count = lengths[0] if len(lengths) == 1 else call("min", lengths, at)
    passes = call("range", [count], at)
    return call("reversed", [passes], at) if backwards else passes


def _fresh(wanted: str, scope: Scope) -> str:
    """Return a name that the function does not use, and make it one of its locals."""
    taken = {part.id for part in nodes_of(scope.source.tree) if isinstance(part, gast.Name)}
    taken |= scope.locals
    found = free(wanted, taken)
    scope.locals = scope.locals | {found}
    return found
