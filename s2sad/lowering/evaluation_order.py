"""Python's order of evaluation, kept where a part of an expression takes statements.

f(u[0], g(u))    where g writes to u, u[0] is named before g is called
h(u)             as a statement: what the call does is done here, what it gives is dropped
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, index_parts
from s2sad.ir.program import Effect, Let, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Length, Number, Numeric, Other
from s2sad.ir.walk import bound_in, nodes, read_variables, statements
from s2sad.lowering.machine import Machine, emit, forked, named
from s2sad.lowering.typing import typed
from s2sad.lowering.values import Data, Fails, Origins, Tup, Value, is_atomic, is_late, origins_of

Thunk = Callable[[], Value]


def run(m: Machine, function: Value, args: list[Value]) -> None:
    """Call a value for what it does."""
    as_statement(m, m.call(function, args, {}, None))


def data(m: Machine, node: Any) -> Data:
    """Return an expression as data of the run."""
    return m.to_data(m.evaluate(node))


def in_order(m: Machine, *thunks: Thunk) -> list[Value]:
    """Evaluate one after the other; what statements would change is named before them."""
    values: list[Value] = []
    for thunk in thunks:
        mark, block = len(m.block), m.block
        value = thunk()
        if m.block is block and len(block) > mark and values:
            values = unchanged(m, values, mark)
        values.append(value)
    return values


def _changes(new: list[Statement], variable: Variable) -> bool:
    """Tell whether `x op= e` is among statements, for this x."""
    stores = (s.target for s in statements(tuple(new)) if isinstance(s, Store))
    return any(target.op == "name" and target.data == variable for target in stores)


def unchanged(m: Machine, values: list[Any], mark: int) -> list[Any]:
    """Return values that the statements made since a mark do not change, named before them."""
    new = m.block[mark:]
    del m.block[mark:]
    values = [_before(m, each, new) for each in values]
    m.block.extend(new)
    return values


def one_by_one(m: Machine, values: list[Any], store: Callable[[int, Any], None]) -> None:
    """Store values one after the other; what a store changes of the later ones is named before it."""
    for place in range(len(values)):
        mark, block = len(m.block), m.block
        store(place, values[place])
        if m.block is block:
            values[place + 1 :] = unchanged(m, values[place + 1 :], mark)


def _before(m: Machine, value: Value, new: list[Statement]) -> Value:
    """Return a value that statements do not change, named before them if it has to be."""
    if isinstance(value, Tup):
        return replace(value, parts=tuple(_before(m, part, new) for part in value.parts))
    if not isinstance(value, Data) or value.expr.op in ("constant", "global"):
        return value
    written = bound_in(tuple(new))
    if value.expr.op == "name":
        variable = value.expr.data
        if isinstance(value.type, Numeric) and _changes(new, variable):
            raise NotYet("a change in place of what may be a number that is read elsewhere", m.span)
        return named(m, value, variable.name) if variable in written else value
    reads = any(
        n.op in ("subscript", "attribute", "call", "comprehension") for n in nodes(value.expr)
    )
    # an operator reads the elements of arrays, which a store may change
    reads |= any(n.op == "name" and not isinstance(n.type, Other) for n in nodes(value.expr))
    changing = [
        s
        for s in statements(tuple(new))
        if not (isinstance(s, Let) and s.effect.is_pure) and not _is_elsewhere(m, s, value.expr)
    ]
    if written & read_variables(value.expr) or (reads and changing):
        return named(m, value, "value")
    return value


def _is_elsewhere(m: Machine, statement: Statement, expr: Expr) -> bool:
    """Tell whether a store is to another element of an array than all that an expression reads of memory.

    u[0], u[-1] = u[1], u[-2]   of u with three elements or more, as examples have
    """
    if not isinstance(statement, Store) or not m.context.has_examples:
        return False
    target = statement.target
    if expr.op == "subscript" and target.op == "subscript" and expr.args[0] == target.args[0]:
        lengths = _lengths_of_named(expr.args[0])
        pairs = zip(lengths, _places(target), _places(expr), strict=False)
        return any(
            _are_apart(m, length, place, other)
            for length, place, other in pairs
            if place is not None and other is not None
        )
    if expr.op == "name":
        return isinstance(expr.type, Number)
    is_plain = expr.op in ("constant", "global", "unary", "binary")
    return is_plain and all(_is_elsewhere(m, statement, arg) for arg in expr.args)


def _lengths_of_named(base: Expr) -> tuple[Length | None, ...]:
    """Return the lengths of an array that has a name."""
    return (base.type.lengths or ()) if base.op == "name" and isinstance(base.type, Array) else ()


def _places(part: Expr) -> list[int | None]:
    found = (each.known.value if each.known else None for each in index_parts(part.args[1]))
    return [value if type(value) is int else None for value in found]


def _are_apart(m: Machine, length: Length | None, one: int, other: int) -> bool:
    """Tell whether two positions of an axis are different, or can be asked to be."""
    if (one < 0) == (other < 0):
        return one != other
    least = abs(one - other) + 1
    return length is not None and m.context.assumptions.assume_natural(length - least)


def without_statements(
    m: Machine, node: Any, evaluate: Callable[[Any], Value] | None = None
) -> Value | None:
    """Return an expression's value if evaluating it takes no statement and changes nothing.

    It may be `evaluate`d otherwise: as a test. None, too, where Python would raise: the statement
    that raises stands where it is reached.
    """
    heap, block, used, outer = m.heap, m.block, set(m.used), m.span
    m.heap, m.block = forked(heap), []
    try:
        value: Value | None = (evaluate or m.evaluate)(node)
    except Fails:
        value = None
    finally:
        made, m.block = m.block, block
        cells, m.heap, m.span = len(m.heap), heap, outer
    if not made and cells == len(heap):
        return value
    m.used = used
    return None


def operation(m: Machine, expr: Expr, *inputs: Data) -> Data:
    """Return the result of an operation on data."""
    return Data(typed(m, expr.at(m.span)), origins_of(inputs))


def name_if_long(m: Machine, value: Data, wanted: str) -> Data:
    """Return data that may be read twice."""
    return value if is_atomic(value.expr) else named(m, value, wanted)


def made_call(m: Machine, made: Expr, effect: Effect, origins: Origins = frozenset()) -> Data:
    """Return a call, to be made by a statement if it has an effect."""
    if effect.is_pure:
        return Data(made, origins)
    span = m.span
    return Data(made, origins, lambda target: Let(target, made, span, effect))


def as_statement(m: Machine, value: Value) -> None:
    """Make the call that a value is, for what it does."""
    if not isinstance(value, Data) or is_late(value):
        return
    if value.pending is not None:
        emit(m, value.pending(None))
    elif any(n.op == "call" or (m.is_tried and n.args) for n in nodes(value.expr)):
        emit(m, Let(None, value.expr, m.span))
