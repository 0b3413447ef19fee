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
from types import GeneratorType
from typing import TypeGuard

from s2sad.analysis.comprehensions import own_names
from s2sad.analysis.fresh import Fresh
from s2sad.analysis.loops import WHOLE, domain_item, item_type, length_of, range_of
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    call,
    calls,
    constant,
    global_,
    keywords,
    name,
    subscript,
)
from s2sad.ir.program import Block, For, If, Let, RegionOp, Statement, Store
from s2sad.ir.types import Number, Reference, Region, Sequence, Site, Tuple, Type
from s2sad.ir.walk import nodes, statements

Regions = Mapping[Site, Region]
Made = tuple[Expr, Block]  # the name of a container, and the statements that make it


def taken_up(expr: Expr, domain: Expr, called: str, fresh: Fresh, regions: Regions) -> Made:
    """Return a list, or a tuple, of what a domain gives."""
    held, block = listed(expr, domain, called, fresh, regions)
    return (held if calls(expr, list) else expr.with_args((expr.args[0], held))), block


def listed(expr: Expr, domain: Expr, called: str, fresh: Fresh, regions: Regions) -> Made:
    """Return a list of what a domain gives."""
    item = domain_item(domain, regions) or item_type(expr.type, regions)
    if item is None:
        raise NotYet("a list of what is not known", expr.span)
    each = fresh.variable("each", Role.TERM)
    is_plain = isinstance(expr.type, Sequence | Tuple)
    base = name(fresh.variable(called), Sequence(item, list) if is_plain else expr.type)
    return base, _filled(base, each, domain, name(each, item), expr)


def _filled(base: Expr, each: Variable, domain: Expr, item: Expr, expr: Expr) -> Block:
    """Return the statements that make a list of an item for each of a domain."""
    body = RegionOp(None, base, "append", (item,), expr.span)
    return _empty(base, expr), For(each, domain, (body,), expr.span)


def _empty(base: Expr, expr: Expr, display: str = "list") -> Let:
    return Let(base.data, Expr(display, (), None, base.type), expr.span)


def columns(held: Expr, row: Type, item: Type, first: Expr, expr: Expr, fresh: Fresh) -> Made:
    """Return the columns of a list of rows: zip(*rows)."""
    each, column = fresh.variable("row"), fresh.variable("column")
    place, made = fresh.variable("place"), fresh.variable("columns")
    kind = Sequence(item, list)
    base, columns = name(column, kind), name(made, Sequence(kind, list))
    lengths = fresh.variable("shortest")
    shorter = call(
        global_("min", min), name(lengths, WHOLE), length_of(name(each, row)), type_=WHOLE
    )
    part = subscript(name(each, row), name(place, WHOLE), item)
    body = (
        *_filled(base, each, held, part, expr),
        RegionOp(None, columns, "append", (base,), expr.span),
    )
    return columns, (
        Let(lengths, length_of(first), expr.span),
        For(each, held, (Let(lengths, shorter, expr.span),), expr.span),
        _empty(columns, expr),
        For(place, range_of(name(lengths, WHOLE)), body, expr.span),
    )


def in_order(held: Expr, item: Type, expr: Expr, called: str, fresh: Fresh) -> Made:
    """Return a sorted list: its items in an order that is recorded."""
    words = {**keywords(expr), "key": attribute(held, "__getitem__")}
    places = range_of(length_of(held))
    order = call(global_("sorted", sorted), places, type_=Sequence(WHOLE, list), **words)
    kept = fresh.variable("order", Role.TERM)
    each = fresh.variable("place")
    base = name(fresh.variable(called), expr.type)
    part = subscript(held, name(each, WHOLE), item)
    block = _filled(base, each, name(kept, order.type), part, expr)
    return base, (Let(kept, order, expr.span), *block)


def taken_in(display: Expr, called: str, fresh: Fresh, infer: Callable[[Expr], Expr]) -> Made:
    """Return a display that takes in other containers: [*xs, y], {**p, "a": y}."""
    base = name(fresh.variable(called), display.type)
    made: list[Statement] = [_empty(base, display, display.op)]
    for arg in display.args:
        if display.op == "dict" and arg.op == "item":
            made.append(Store(infer(subscript(base, arg.args[0])), "=", arg.args[1], arg.span))
            continue
        word = "update" if display.op == "dict" else "extend"
        word, held = (word, arg.args[0]) if arg.op == "starred" else ("append", arg)
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
    return base, (_empty(base, expr, display), *_nested(generators, (body,)))


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


def refuse_changes_of_columns(loop: For, regions: Mapping[Site, Region]) -> None:
    """Refuse a loop over zip(*rows) that changes the rows: their items are read pass by pass."""
    rows = [arg.args[0] for node in nodes(loop.domain) for arg in _starred(node)]
    for each in statements(loop.body):
        if rows and isinstance(each, Store | RegionOp):
            if any(_may_change(each, held.type, regions) for held in rows):
                raise NotYet("rows that change while their columns are gone through", loop.span)


def _starred(node: Expr) -> tuple[Expr, ...]:
    is_zip = node.op == "call" and node.args[0].op == "global" and node.args[0].data.value is zip
    return tuple(a for a in node.args if a.op == "starred") if is_zip else ()


def _may_change(change: Store | RegionOp, rows: Type, regions: Mapping[Site, Region]) -> bool:
    """Tell whether a change may be one of some rows, or of what they hold."""
    base = change.base if isinstance(change, RegionOp) else change.target
    if isinstance(change, Store) and base.op != "name":
        base = base.args[0]
    if isinstance(base.type, Sequence):  # a list that was made for a comprehension
        return isinstance(rows, Sequence)
    if not isinstance(base.type, Reference) or not isinstance(rows, Reference):
        return True
    row = regions[rows.site].item if rows.site in regions else rows
    return base.type in (rows, row)
