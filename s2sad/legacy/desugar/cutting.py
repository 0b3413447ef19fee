"""A `try` is cut in two where it is seen, once it failed, how far it came.

try:                        try:
    y = f(x)                    y = f(x)
    y = g(y)                except ValueError:
except ValueError:    ->        y = y + 1.0
    y = y + 1.0             else:
                                try:
                                    y = g(y)
                                except ValueError:
                                    y = y + 1.0

Of a statement that is the last of a `try` it is known what it leaves where it fails: nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import gast

from s2sad.legacy.desugar.syntax import (
    COMPREHENSIONS,
    FUNCTIONS,
    Body,
    Node,
    bound_names,
    jumps,
    placed,
    with_,
)
from s2sad.source.trees import nodes_of

LEAVING = (gast.Return, gast.Break, gast.Continue)


def in_two(stmt: Node, is_seen: Callable[[str], bool]) -> Node:
    """Return a `try` whose statements but the last bind nothing that is seen, and do not leave."""
    for at, part in enumerate(stmt.body[:-1], 1):
        if jumps([part], LEAVING) or any(map(is_seen, sorted(bound_names(part)))):
            rest = gast.Try(
                body=stmt.body[at:],
                handlers=copy.deepcopy(stmt.handlers),
                orelse=stmt.orelse,
                finalbody=[],
            )
            return with_(stmt, body=stmt.body[:at], orelse=[placed(rest, stmt.body[at])])
    return stmt


def is_past(part: Node, stmt: Node, tree: Node) -> bool:
    """Tell whether what stands before a statement is over by then: no loop or function does it again."""
    if (part.lineno, part.col_offset) >= (stmt.lineno, stmt.col_offset):
        return False
    again = (gast.For, gast.While, *FUNCTIONS, *COMPREHENSIONS)
    return not any(
        isinstance(node, again) and node is not tree and _holds(node, each)
        for node in nodes_of(tree)
        for each in (part, stmt)
    )


def _holds(node: Node, part: Node) -> bool:
    place = (part.lineno, part.col_offset)
    return (node.lineno, node.col_offset) <= place < (node.end_lineno, node.end_col_offset)


def left_at_ends(body: Body) -> Body:
    """Return statements in which what stands behind a branch that leaves is its other side."""
    for at, part in enumerate(body):
        if isinstance(part, gast.If):
            sides, rest = [part.body, part.orelse], body[at + 1 :]
            if rest and sum(map(always_leaves, sides)) == 1:
                sides = [side if always_leaves(side) else [*side, *rest] for side in sides]
                rest = []
            then, orelse = map(left_at_ends, sides)
            made = with_(part, body=then, orelse=orelse)
            return [*body[:at], made, *left_at_ends(rest)]
    return body


def always_leaves(body: Body) -> bool:
    """Tell whether statements leave at their end, on each of their ways."""
    match body[-1:]:
        case [gast.If(body=then, orelse=orelse)]:
            return always_leaves(then) and always_leaves(orelse)
        case [last]:
            return isinstance(last, (*LEAVING, gast.Raise))
    return False


def around_what_may_fail(stmt: Node) -> tuple[Body, Node]:
    """Return the statements before a `try` that may stand there, and it without those behind."""
    first, last = 0, len(stmt.body)
    while first < last - 1 and _cannot_fail(stmt.body[first]):
        first += 1
    while last > first + 1 and _cannot_fail(stmt.body[last - 1]):
        last -= 1
    orelse = [*stmt.body[last:], *stmt.orelse]
    return stmt.body[:first], with_(stmt, body=stmt.body[first:last], orelse=orelse)


def _cannot_fail(stmt: Node) -> bool:
    """Tell whether a statement gives a name a literal."""
    if not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.Constant):
        return isinstance(stmt, gast.Pass)
    return all(isinstance(each, gast.Name) for each in stmt.targets)


def bound_at_once(stmt: Node) -> set[str]:
    """Return the names that a statement binds together, or not at all where it fails."""
    if not isinstance(stmt, gast.Assign) or len(stmt.targets) != 1:
        return set()
    (target,) = stmt.targets
    parts = target.elts if isinstance(target, gast.Tuple | gast.List) else []
    # of nested ones the outer are bound before the inner are taken apart
    return {part.id for part in parts} if all(isinstance(p, gast.Name) for p in parts) else set()
