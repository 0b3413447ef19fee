"""Imaginary parts that are written in place: what is stored there is stored to the whole numbers.

y = z.imag
y[1:] += c              z[1:] += 1j * c
y *= c                  z[...] = z.real + 1j * (z.imag * c)

The adjoint of z is dL/dRe z - i dL/dIm z, so that no view of it is the adjoint of z.imag.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from s2sad.analysis.comprehensions import held_in, named_values
from s2sad.analysis.containers import is_container
from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import stored_base
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, attribute, calls, constant, is_own_call, subscript
from s2sad.ir.program import Function, Let, Return, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import nodes, read_in, rebuilt, rewritten, statements, with_expressions

Infer = Callable[[Expr], Expr]
UNIT = constant(1j, Number("complex128"))
EVERYTHING = constant(Ellipsis)


def with_imaginary_stores(
    function: Function, views: Mapping[Variable, Expr], infer: Infer
) -> Function:
    """Return a function without stores to imaginary parts, nor the names of some views of these."""

    def change(statement: Statement) -> Statement | tuple[Statement, ...]:
        if isinstance(statement, Let) and statement.target in views:
            return ()
        if not isinstance(statement, Store):
            return with_expressions(statement, lambda expr: _opened(expr, views))
        target = _opened(statement.target, views)
        if _is_part(target, "real"):  # z.real = e
            target = infer(subscript(target, EVERYTHING))
        made = replace(statement, target=target, value=_opened(statement.value, views))
        return made if whole_numbers(target) is None else _stored(made, infer)

    targets = [s.target for s in statements(function.body) if isinstance(s, Store)]
    if not views and not any(_is_part(t, "real") or whole_numbers(t) for t in targets):
        return function
    return replace(function, body=rewritten(function.body, change))


def _opened(expr: Expr, views: Mapping[Variable, Expr]) -> Expr:
    """Return an expression with what names stand for in their place."""
    if expr.op == "name":
        return views.get(expr.data, expr)
    return expr.with_args(_opened(arg, views) for arg in expr.args)


def whole_numbers(place: Expr) -> Expr | None:
    """Return the numbers of which a place is the imaginary parts; None of another place."""
    if _is_part(place, "imag"):
        return place.args[0]
    if calls(place, np.imag):
        return place.args[1]
    if place.op not in ("subscript", "attribute"):
        return None
    inner = whole_numbers(place.args[0])
    return None if inner is None else place.with_args((inner, *place.args[1:]))


def _is_part(place: Expr, word: str) -> bool:
    """Tell whether a place is the real or the imaginary parts of an array, and no field of an object."""
    is_attribute = place.op == "attribute" and place.data == word
    return is_attribute and not is_container(place.args[0].type)


def imaginary_views(function: Function, memory: Memory) -> dict[Variable, Expr]:
    """Return what names stand for that are bound once, to imaginary parts of what is written."""
    found: dict[Variable, Expr] = {}
    every = tuple(statements(function.body))
    calls_write = [s for s in every if not isinstance(s, Store) and memory.written_by(s)]
    handed = {v for s in calls_write for v in read_in(s)}
    for let in every:
        if not isinstance(let, Let) or not isinstance(let.target, Variable):
            continue
        value, is_memory = _opened(let.value, found), memory.is_memory(let.target)
        is_view = isinstance(value.type, Array) and value.type.rank > 0
        if is_view and is_memory and whole_numbers(value) is not None:
            if not memory.is_hard(let.target) and let.target not in handed:
                found[let.target] = value
    return found


def _stored(store: Store, infer: Infer) -> Store:
    """Return a store to imaginary parts as one to the numbers themselves."""
    place = whole_numbers(store.target)
    assert place is not None
    value = store.value
    if store.op not in ("=", "+", "-"):
        value = Expr("binary", (attribute(place, "imag"), value), store.op)
    value, op = Expr("binary", (UNIT, value), "*"), store.op
    if op not in ("+", "-"):
        value, op = Expr("binary", (attribute(place, "real"), value), "+"), "="
        place = subscript(place, EVERYTHING) if place.op == "name" else place
    return replace(store, target=rebuilt(place, infer), op=op, value=rebuilt(value, infer))


def refuse_imaginary_views(function: Function, memory: Memory) -> None:
    """Refuse other names for imaginary parts of what is written, and functions that are handed them."""
    for statement in statements(function.body):
        into_array = isinstance(statement, Store) and not is_container(stored_base(statement).type)
        if into_array or isinstance(statement, Return):  # it is read
            continue
        for value in named_values(statement):
            handed = (n for n in nodes(value) if is_own_call(n))
            for part in (*held_in(value), *(arg for call in handed for arg in call.args[1:])):
                is_view = whole_numbers(part) is not None and not isinstance(part.type, Number)
                if is_view and memory.sites(part) & memory.written:
                    raise NotYet("a view of imaginary parts that are written", part.span)
