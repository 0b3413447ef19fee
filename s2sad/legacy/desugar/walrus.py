"""Assignment expressions become assignments.

while (y := f(x)) > 0.0:           while True:
    x = g(y)                           y = f(x)
                              ->       if not y > 0.0:
                                           break
                                       x = g(y)
"""

from __future__ import annotations

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    branch,
    constant,
    name,
    negated,
    placed,
    stored,
    with_,
)


def written(node: Node, names: Names) -> tuple[Body, Node] | None:
    """Return `y := e` as `y = e`, and the name."""
    if not isinstance(node, gast.NamedExpr):
        return None
    target = node.target.id
    return [assign(target, node.value, node)], name(target, node)


def target(text: str, at: Node) -> Node:
    """Return the target of an assignment expression."""
    return stored(text, at)


def endless(loop: Node, names: Names) -> Body:
    """Return a loop whose test needs statements: they run in each pass, and a break ends it."""
    ended = names.fresh("ended") if loop.orelse else ""
    leave: Body = [placed(gast.Break(), loop.test)]
    before: Body = []
    after: Body = []
    if ended:
        # only the test that fails leads to `else`
        leave = [assign(ended, constant(True, loop), loop), *leave]
        before = [assign(ended, constant(False, loop), loop)]
        after = [branch(name(ended, loop), loop.orelse, [], loop)]
    stop = branch(negated(loop.test, loop.test), leave, [], loop.test)
    whole = with_(loop, test=constant(True, loop), body=[stop, *loop.body], orelse=[])
    return [*before, whole, *after]
