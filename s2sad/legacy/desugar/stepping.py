"""A generator of the user's that surely never ends, as what each pass of a loop over it does.

def powers(x):            begin:  x_ = x; y = x_
    y = x                 value:  y
    while True:           late:   y = y * x_      before the next value, after the body of a pass
        yield y
        y = y * x
"""

from __future__ import annotations

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, assign, branch, constant, jumps, name
from s2sad.legacy.desugar.taken import (
    can_be_moved,
    generator_called,
    given_to,
    is_yield,
    moved_from,
)

LEAVING = (gast.Break, gast.Continue)


def steps(node: Node, names: Names) -> tuple[Body, Body, Node, Body] | None:
    """Return what begins a generator, what each pass does first, its value, and what it does late."""
    tree = endless_generator(node, names)
    if tree is None or given_to(tree, node, names) is None:
        return None
    begin, body = moved_from(tree, node, names)
    *prelude, loop = body
    at = next(place for place, each in enumerate(loop.body) if is_yield(each))
    value = loop.body[at].value.value
    return [*begin, *prelude], loop.body[:at], value, loop.body[at + 1 :]


def asked_again(late: Body, names: Names, at: Node) -> tuple[Body, Body]:
    """Return what begins a flag, and what each pass does first by it: what is late comes then."""
    flag = names.fresh("begun")
    before = [branch(name(flag, at), late, [], at), assign(flag, constant(True, at), at)]
    return [assign(flag, constant(False, at), at)], before


def endless_generator(node: Node, names: Names) -> Node | None:
    """Return the syntax of a generator that yields at one place of its `while True`; or None."""
    tree = generator_called(node, names)
    return tree if tree is not None and _never_ends(tree) else None


def _never_ends(tree: Node) -> bool:
    body = tree.body
    parts = [part for stmt in body for part in gast.walk(stmt)]
    yields = [part for part in parts if isinstance(part, gast.Yield)]
    if len(yields) != 1 or not can_be_moved(tree) or any(isinstance(p, LEAVING) for p in parts):
        return False
    match body[-1]:
        case gast.While(test=gast.Constant(value=True | 1), body=inner, orelse=[]):
            return any(is_yield(each) for each in inner)
    return False


def goes_on(body: Body) -> bool:
    """Tell whether a `continue` leads to the next pass."""
    return jumps(body, gast.Continue)
