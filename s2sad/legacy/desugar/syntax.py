"""Builders of gast syntax: every node that is made stands where a node of the user's stands.

assign(name("y", at), at)            y = ...
call("list", [name("u", at)], at)    list(u)
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from s2sad.source.trees import below

Node = Any
Body = list[Any]

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_APART = (*FUNCTIONS, gast.ClassDef, *COMPREHENSIONS)


def placed(node: Node, at: Node) -> Node:
    """Return `node` with the place of `at`."""
    return gast.copy_location(node, at)


def name(text: str, at: Node) -> Node:
    """Return a name that is read."""
    return placed(gast.Name(id=text, ctx=gast.Load(), annotation=None, type_comment=None), at)


def stored(text: str, at: Node) -> Node:
    """Return a name that is given a value."""
    return placed(gast.Name(id=text, ctx=gast.Store(), annotation=None, type_comment=None), at)


def constant(value: Any, at: Node) -> Node:
    """Return a literal."""
    return placed(gast.Constant(value=value, kind=None), at)


def assign(target: str | Node, value: Node, at: Node) -> Node:
    """Return `target = value`."""
    where = stored(target, at) if isinstance(target, str) else target
    return placed(gast.Assign(targets=[where], value=value, type_comment=None), at)


def call(func: str | Node, args: Iterable[Node], at: Node) -> Node:
    """Return `func(*args)`."""
    called = name(func, at) if isinstance(func, str) else func
    return placed(gast.Call(func=called, args=list(args), keywords=[]), at)


def attribute(owner: Node, field: str, at: Node) -> Node:
    """Return `owner.field`."""
    return placed(gast.Attribute(value=owner, attr=field, ctx=gast.Load()), at)


def method(owner: Node, called: str, args: Iterable[Node], at: Node) -> Node:
    """Return `owner.called(*args)`."""
    return call(attribute(owner, called, at), args, at)


def statement(value: Node, at: Node) -> Node:
    """Return the statement that only evaluates `value`."""
    return placed(gast.Expr(value=value), at)


def index(owner: Node, key: Node, at: Node) -> Node:
    """Return `owner[key]`."""
    return placed(gast.Subscript(value=owner, slice=key, ctx=gast.Load()), at)


def span_of(lower: Node | None, upper: Node | None, at: Node) -> Node:
    """Return the slice `lower:upper`."""
    return placed(gast.Slice(lower=lower, upper=upper, step=None), at)


def number(value: int, at: Node) -> Node:
    """Return an integer, a negative one as Python's own parser spells it."""
    if value >= 0:
        return constant(value, at)
    return placed(gast.UnaryOp(op=gast.USub(), operand=constant(-value, at)), at)


def display(kind: type, parts: Iterable[Node], at: Node, store: bool = False) -> Node:
    """Return a tuple or list display."""
    context = gast.Store() if store else gast.Load()
    return placed(kind(elts=list(parts), ctx=context), at)


def binary(op: Node, left: Node, right: Node, at: Node) -> Node:
    """Return `left op right`."""
    return placed(gast.BinOp(left=left, op=op, right=right), at)


def negated(test: Node, at: Node) -> Node:
    """Return `not test`."""
    return placed(gast.UnaryOp(op=gast.Not(), operand=test), at)


def compare(left: Node, op: Node, right: Node, at: Node) -> Node:
    """Return `left op right` of a comparison."""
    return placed(gast.Compare(left=left, ops=[op], comparators=[right]), at)


def all_of(tests: list[Node], at: Node) -> Node:
    """Return the tests joined by `and`."""
    if not tests:
        return constant(True, at)
    return tests[0] if len(tests) == 1 else placed(gast.BoolOp(op=gast.And(), values=tests), at)


def branch(test: Node, body: Body, orelse: Body, at: Node) -> Node:
    """Return `if test: body else: orelse`."""
    return placed(gast.If(test=test, body=body, orelse=orelse), at)


def loop(target: Node, iterable: Node, body: Body, at: Node) -> Node:
    """Return `for target in iterable: body`."""
    made = gast.For(target=target, iter=iterable, body=body, orelse=[], type_comment=None)
    return placed(made, at)


def with_(node: Node, **fields: Any) -> Node:
    """Return a node like `node` with other fields."""
    made = copy.copy(node)
    for key, value in fields.items():
        setattr(made, key, value)
    return made


# ---------------------------------------------------------------------------- looking


def parents_of(nodes: Iterable[Node]) -> dict[int, Node]:
    """Return the node in which each node stands, by the identity of that."""
    return {id(child): node for node in nodes for child in below(node)}


def is_none(node: Any) -> bool:
    """Tell whether syntax is the constant None."""
    return isinstance(node, gast.Constant) and node.value is None


def own_nodes(node: Node | Body) -> Iterator[Node]:
    """Yield the nodes of a tree, those of inner functions and of comprehensions left out."""
    if isinstance(node, list):
        for each in node:
            yield from own_nodes(each)
        return
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        if not isinstance(each, _APART):
            waiting += below(each)[::-1]


def bound_names(nodes: Node | Body) -> set[str]:
    """Return the names that are given a value, not those whose objects are written to."""
    found = set()
    for node in own_nodes(nodes):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            found.add(node.id)
        elif isinstance(node, gast.FunctionDef | gast.ClassDef) or (
            isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name
        ):
            found.add(node.name)
    return found


def jumps(body: Body, kinds: type | tuple[type, ...]) -> bool:
    """Tell whether statements hold a break or continue of their own, or a return."""
    for stmt in body:
        if isinstance(stmt, kinds):
            return True
        if isinstance(stmt, (*FUNCTIONS, gast.ClassDef)):
            continue
        inner = [getattr(stmt, field, None) or [] for field in ("orelse", "finalbody")]
        if not isinstance(stmt, gast.For | gast.While):
            inner.append(getattr(stmt, "body", None) or [])
        elif jumps(stmt.body, gast.Return) and _asks(kinds, gast.Return):
            return True
        inner += [each.body for each in getattr(stmt, "handlers", None) or []]
        inner += [each.body for each in getattr(stmt, "cases", None) or []]
        if any(jumps(each, kinds) for each in inner):
            return True
    return False


def _asks(kinds: type | tuple[type, ...], kind: type) -> bool:
    return kind in (kinds if isinstance(kinds, tuple) else (kinds,))
