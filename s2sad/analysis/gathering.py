"""Lists and dicts of what a domain gives, made by loops that append.

ys = sorted(xs)                 order = sorted(range(len(xs)), key=xs.__getitem__)
                                ys = []
                                for place in order:
                                    ys.append(xs[place])
{**p, "a": y}                   made = {}
                                made.update(p)
                                made["a"] = y
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from s2sad.analysis.activity import may_vary
from s2sad.analysis.comprehensions import own_names
from s2sad.analysis.containers import dict_types, is_container, is_dict, whole
from s2sad.analysis.fresh import Fresh
from s2sad.analysis.loops import WHOLE, domain_item, item_type, length_of, range_of
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    call,
    constant,
    global_,
    name,
    subscript,
)
from s2sad.ir.program import Block, For, If, Let, RegionOp, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Number, Reference, Region, Sequence, Site, Tuple


class Loops(Protocol):
    """What makes loops of comprehensions: they go through `block`.

    `called` is the name of the container that is made.
    """

    @property
    def fresh(self) -> Fresh:
        """Return what gives variables of their own."""

    @property
    def called(self) -> str:
        """Return what a container is called."""

    def block(self, block: Block) -> Block:
        """Return a block with its containers made of names and numbers."""


class Lists(Loops, Protocol):
    """What makes the containers of a function: statements go to `before` and through `block`."""

    regions: Mapping[Site, Region]

    @property
    def infer(self) -> Callable[[Expr], Expr]:
        """Return the function that gives a node its type."""

    def statement(self, statement: Statement) -> Block:
        """Return what a statement becomes."""

    def named(self, value: Expr, called: str, before: list[Statement]) -> Expr:
        """Return a name for a value."""

    def as_list(self, held: Expr, before: list[Statement]) -> Expr:
        """Return a name for what is gone through, as a list."""

    def varies(self, expr: Expr) -> bool:
        """Tell whether a value is a container, or an iterator, of what may vary."""


def taken_up(lists: Lists, expr: Expr, domain: Expr, before: list[Statement]) -> Expr:
    """Return the name of a list, or a tuple, of what a domain gives."""
    held = listed(lists, expr, domain, before)
    if expr.args[0].data.text == "list":
        return held
    return expr.with_args((expr.args[0], held))


def listed(lists: Lists, expr: Expr, domain: Expr, before: list[Statement]) -> Expr:
    """Return the name of a list of what a domain gives."""
    item = domain_item(domain, lists.regions) or item_type(expr.type, lists.regions)
    if item is None:
        raise NotYet("a list of what is not known", expr.span)
    each = lists.fresh.variable("each", Role.TERM)
    type_ = expr.type
    if isinstance(type_, Sequence | Tuple):
        type_ = Sequence(item, list)
    return filled(lists, type_, expr, each, domain, name(each, item), before)


def filled(
    lists: Lists,
    type_: object,
    expr: Expr,
    each: Variable,
    domain: Expr,
    item: Expr,
    before: list[Statement],
) -> Expr:
    made = lists.fresh.variable(lists.called)
    base = name(made, type_)  # type: ignore[arg-type]
    before.append(Let(made, Expr("list", (), None, base.type), expr.span))
    body = RegionOp(None, base, "append", (item,), expr.span)
    before += lists.block((For(each, domain, (body,), expr.span),))
    return base


def columns(lists: Lists, expr: Expr, rows: Expr, before: list[Statement]) -> Expr | None:
    """Return the name of the columns of a list of rows: zip(*rows)."""
    row = item_type(rows.type, lists.regions)
    item = None if row is None else item_type(row, lists.regions)
    if row is None or item is None or not is_container(rows.type) or not lists.varies(rows):
        return None
    held = lists.as_list(rows, before)
    each, column = lists.fresh.variable("row"), lists.fresh.variable("column")
    place, made = lists.fresh.variable("place"), lists.fresh.variable("columns")
    kind = Sequence(item, list)
    base, columns = name(column, kind), name(made, Sequence(kind, list))
    lengths = lists.fresh.variable("shortest")
    first = length_of(lists.infer(subscript(held, whole(0))))
    shorter = call(
        global_("min", min), name(lengths, WHOLE), length_of(name(each, row)), type_=WHOLE
    )
    part = subscript(name(each, row), name(place, WHOLE), item)
    inner = For(each, held, (RegionOp(None, base, "append", (part,), expr.span),), expr.span)
    body = (
        Let(column, Expr("list", (), None, kind), expr.span),
        inner,
        RegionOp(None, columns, "append", (base,), expr.span),
    )
    before += lists.block(
        (
            Let(lengths, first, expr.span),
            For(each, held, (Let(lengths, shorter, expr.span),), expr.span),
            Let(made, Expr("list", (), None, columns.type), expr.span),
            For(place, range_of(name(lengths, WHOLE)), body, expr.span),
        )
    )
    return columns


def in_order(lists: Lists, expr: Expr, args: list[Expr], before: list[Statement]) -> Expr:
    """Return the name of a sorted list: its items in an order that is recorded."""
    key, _ = dict_types(args[0].type, lists.regions)
    if is_dict(args[0].type, lists.regions) and not may_vary(key, lists.regions):
        return expr.typed(Sequence(key, list))
    held = lists.as_list(args[0], before)
    item = item_type(held.type, lists.regions)
    words = dict(zip(expr.data, expr.args[len(expr.args) - len(expr.data) :], strict=True))
    if item is None or "key" in words:
        raise NotYet("a list that is sorted by a key", expr.span)
    ask = attribute(held, "__getitem__")
    words["key"] = ask
    places = range_of(length_of(held))
    type_ = Sequence(WHOLE, list)
    order = call(global_("sorted", sorted), places, type_=type_, **words)
    kept = lists.named(order, "order", before)
    each = lists.fresh.variable("place")
    part = subscript(held, name(each, WHOLE), item)
    return filled(lists, expr.type, expr, each, kept, part, before)


def taken_in(lists: Lists, display: Expr, before: list[Statement]) -> Expr:
    """Return the name of a display that takes in other containers: [*xs, y], {**p, "a": y}."""
    made = lists.fresh.variable(lists.called)
    base = name(made, display.type)
    before.append(Let(made, Expr(display.op, (), None, display.type), display.span))
    for arg in display.args:
        if display.op == "dict" and arg.op == "item":
            place = lists.infer(subscript(base, arg.args[0]))
            before += lists.statement(Store(place, "=", arg.args[1], arg.span))
            continue
        word = "update" if display.op == "dict" else "extend"
        is_one = arg.op != "starred"
        operation = RegionOp(
            None, base, "append" if is_one else word, (arg if is_one else arg.args[0],)
        )
        before += lists.statement(replace(operation, span=display.span))
    return base


def dict_of_pairs(lists: Lists, expr: Expr, pairs: Expr, before: list[Statement]) -> Expr:
    """Return the name of a dict of pairs of keys and values."""
    item = item_type(pairs.type, lists.regions)
    if not isinstance(item, Tuple) or len(item.items) != 2:
        raise NotYet("a dict of what is not known", expr.span)
    if not isinstance(expr.type, Reference):
        raise NotYet("a dict of an unknown kind", expr.span)
    made = lists.fresh.variable(lists.called)
    base = name(made, expr.type)
    before.append(Let(made, Expr("dict", (), None, expr.type), expr.span))
    key, value = lists.fresh.variable("key"), lists.fresh.variable("value")
    place = subscript(base, name(key, item.items[0]), item.items[1])
    body = Store(place, "=", name(value, item.items[1]), expr.span)
    before += lists.block((For((key, value), pairs, (body,), expr.span),))
    return base


def appended(lists: Loops, expr: Expr, before: list[Statement]) -> Expr:
    """Return the name of the container that a comprehension makes."""
    type_ = expr.type
    if expr.data == "generator":
        element = expr.args[0].type
        type_ = Sequence(element, list)
    elif not isinstance(type_, Reference):
        raise NotYet("a comprehension of an unknown kind", expr.span)
    made = lists.fresh.variable(lists.called)
    base = name(made, type_)
    display = "dict" if expr.data == "dict" else "list"
    before.append(Let(made, Expr(display, (), None, type_), expr.span))
    element_, *generators = own_names(expr, lists.fresh).args
    body: Statement = RegionOp(None, base, "append", (element_,), expr.span)
    if display == "dict":
        key, value = element_.args
        body = Store(subscript(base, key, value.type), "=", value, expr.span)
    before += lists.block(_nested(generators, (body,)))
    return base


def summed(lists: Loops, expr: Expr, before: list[Statement]) -> Expr:
    made = lists.fresh.variable("total")
    start = expr.args[2] if len(expr.args) > 2 else constant(0, Number("int64"))
    before.append(Let(made, start, expr.span))
    element, *generators = own_names(expr.args[1], lists.fresh).args
    value = Expr("binary", (name(made, expr.type), element), "+", expr.type)
    before += lists.block(_nested(generators, (Let(made, value, expr.span),)))
    return name(made, expr.type)


def _nested(generators: list[Expr], body: Block) -> Block:
    """Return the loops and tests of a comprehension around what is done for each item."""
    for generator in reversed(generators):
        domain, *tests = generator.args
        for test in reversed(tests):
            body = (If(test, body, (), test.span),)
        body = (For(generator.data, domain, body, generator.span),)
    return body
