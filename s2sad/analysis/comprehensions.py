"""Comprehensions, and loops that append: whose variables nobody else has, and what is gathered.

s = sum(body.x for body in bodies)      s = sum(body_2.x for body_2 in bodies)

xs = [(k * x for x in u)]
k = 2.0
sum(xs[0])                              refused: k is another one by now

ys = sorted(xs)                 order = sorted(range(len(xs)), key=xs.__getitem__)
                                ys = []
                                for place in order:
                                    ys.append(xs[place])
[*xs, y]                        made = []
                                made.extend(xs)
                                made.append(y)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import GeneratorType
from typing import TypeGuard

from s2sad.analysis.loops import WHOLE, length_of, range_of
from s2sad.analysis.pointers import changed_places, changes_something
from s2sad.ir.errors import NotYet, Span
from s2sad.ir.expression import Expr, attribute, call, calls, constant, global_, name, subscript
from s2sad.ir.program import (
    Block,
    For,
    Function,
    If,
    Let,
    Program,
    RegionOp,
    Return,
    Statement,
    Store,
)
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh, pattern_renamed, renamed_in
from s2sad.ir.types import Array, Code, Number, Other, Reference, Regions, Sequence, Type
from s2sad.ir.walk import bind_counts, nodes, read_variables, statements, variables, with_nodes


def with_own_names(program: Program) -> Program:
    """Return a program in which no comprehension binds a name that something else has."""
    fresh = Fresh.of(*program.functions.values())

    def change(node: Expr) -> Expr | None:
        return own_names(node, fresh) if node.op == "comprehension" else None

    return program.mapped(lambda each: replace(each, body=with_nodes(each.body, change)))


def own_names(comprehension: Expr, fresh: Fresh) -> Expr:
    """Return a comprehension with variables that nobody else has.

    What the first generator goes over is read outside of it.
    """
    element, *generators = comprehension.args
    own = [v for g in generators for v in variables(g.data)]
    renamed = {v: fresh.variable(v.name) for v in own}
    made = []
    for position, generator in enumerate(generators):
        domain, *tests = generator.args
        if position:
            domain = renamed_in(domain, renamed)
        inner = (domain, *(renamed_in(test, renamed) for test in tests))
        made.append(replace(generator, args=inner, data=pattern_renamed(generator.data, renamed)))
    return replace(comprehension, args=(renamed_in(element, renamed), *made))


# ---------------------------------------------------------------------------- generators that are kept

HOLDING = frozenset({"tuple", "list", "set", "dict", "item", "conditional", "record"})


def refuse_kept_generators(function: Function) -> Function:
    """Return a function; refuse where a generator that is kept may see what is changed since."""
    every = statements(function.body)
    kept = [(s, generator) for s in every for generator in _kept(s)]
    if not kept:
        return function
    sets = bind_counts(function.body) + Counter(p.variable for p in function.parameters)
    writes = any(map(changes_something, every))
    for statement, generator in kept:
        rebound = any(sets[v] > 1 for v in read_variables(generator))
        if rebound or (writes and any(map(_is_memory, nodes(generator)))):
            raise NotYet("what is gone through later than it is named", statement.span)
    return function


def named_values(statement: Statement) -> tuple[Expr, ...]:
    """Return the values that a statement names, stores or returns.

    What is unpacked, or put into a list item by item, is gone through at once.
    """
    match statement:
        case Store(op="+") | RegionOp(method="extend"):
            return ()
        case Let(tuple(), value) if value.op not in ("tuple", "list"):
            return ()
        case Let() | Store() | Return():
            return (statement.value,)
        case RegionOp():
            return statement.args
    return ()


def held_in(value: Expr) -> Iterator[Expr]:
    """Yield what a value is, or what its displays hold."""
    if value.op not in HOLDING:
        yield value
        return
    for arg in value.args:
        yield from held_in(arg)


def _kept(statement: Statement) -> Iterator[Expr]:
    """Yield the generators that a statement keeps."""
    for value in named_values(statement):
        for part in held_in(value):
            if part.op == "comprehension" and part.data == "generator":
                yield part


def _is_memory(node: Expr) -> bool:
    return node.op in ("name", "global") and not isinstance(node.type, Number | Other | Code)


Made = tuple[Expr, Block]  # the name of a container, and the statements that make it


def empty(base: Expr, span: Span | None, display: str = "list") -> Let:
    """Return the statement that makes an empty container."""
    return Let(base.data, Expr(display, (), None, base.type), span)


def sorted_places(held: Expr, words: Mapping[str, Expr]) -> Expr:
    """Return the positions of a list in the order of its items."""
    words = {**words, "key": attribute(held, "__getitem__")}
    places = range_of(length_of(held))
    return call(global_("sorted", sorted), places, type_=Sequence(WHOLE, list), **words)


def taken_in(display: Expr, called: str, fresh: Fresh) -> Made:
    """Return a list that takes in the items of others: [*xs, y]."""
    base = name(fresh.variable(called), display.type)
    made: list[Statement] = [empty(base, display.span)]
    for arg in display.args:
        word, held = ("extend", arg.args[0]) if arg.op == "starred" else ("append", arg)
        made.append(RegionOp(None, base, word, (held,), display.span))
    return base, tuple(made)


def appended(expr: Expr, called: str, fresh: Fresh) -> Made:
    """Return the container that a comprehension makes."""
    type_ = expr.type
    if expr.data == "generator":
        type_ = Sequence(expr.args[0].type, list)
    elif not isinstance(type_, Reference):
        raise NotYet("a comprehension of an unknown kind", expr.span)
    base = name(fresh.variable(called), type_)
    display = "dict" if expr.data == "dict" else "list"
    element, *generators = own_names(expr, fresh).args
    body: Statement = RegionOp(None, base, "append", (element,), expr.span)
    if display == "dict":
        key, value = element.args
        body = Store(subscript(base, key, value.type), "=", value, expr.span)
    return base, (empty(base, expr.span, display), *_nested(generators, (body,)))


def summed(expr: Expr, fresh: Fresh) -> Made:
    """Return the sum of what a comprehension gives."""
    total = name(fresh.variable("total"), expr.type)
    start = expr.args[2] if len(expr.args) > 2 else constant(0, Number("int64"))
    element, *generators = own_names(expr.args[1], fresh).args
    value = Expr("binary", (total, element), "+", expr.type)
    loops = _nested(generators, (Let(total.data, value, expr.span),))
    return total, (Let(total.data, start, expr.span), *loops)


def _nested(generators: list[Expr], body: Block) -> Block:
    """Return the loops and tests of a comprehension around what is done for each item."""
    for generator in reversed(generators):
        domain, *tests = generator.args
        for test in reversed(tests):
            body = (If(test, body, (), test.span),)
        body = (For(generator.data, domain, body, generator.span),)
    return body


# ---------------------------------------------------------------------------- iterators

ITERATORS = frozenset({zip, map, filter, enumerate, reversed, GeneratorType})


def is_iterator(type_: Type) -> TypeGuard[Sequence]:
    """Tell whether a value gives its items once."""
    return isinstance(type_, Sequence) and type_.cls in ITERATORS


def changes_of_columns(loop: For, regions: Regions) -> list[Statement]:
    """Return what changes the rows of a loop over zip(*rows): their items are read pass by pass."""
    rows = [arg.args[0] for node in nodes(loop.domain) for arg in _starred(node)]
    body = tuple(statements(loop.body)) if rows else ()
    changed = ((s, each.type) for s in body for each in changed_places(s))
    return [s for s, type_ in changed if any(_may_be(type_, r.type, regions) for r in rows)]


def _starred(node: Expr) -> tuple[Expr, ...]:
    return tuple(a for a in node.args if a.op == "starred") if calls(node, zip) else ()


def _may_be(changed: Type, rows: Type, regions: Regions) -> bool:
    """Tell whether what is changed may be some rows, or what they hold."""
    if isinstance(changed, Sequence):  # a list that was made for a comprehension
        return isinstance(rows, Sequence)
    if not isinstance(rows, Reference):
        return not (isinstance(changed, Reference) and isinstance(rows, Array))
    row = regions[rows.site].item if rows.site in regions else rows
    if not isinstance(changed, Reference):
        return not isinstance(row, Reference)
    return changed in (rows, row)
