"""What a statement adds to an adjoint: of a name, or of a place in an array.

x_bar += e          Added(x_bar, "+", e)
u_bar[1:] = 0.0     Added(u_bar[1:], "=", 0.0)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from s2sad.ir.expression import Expr, Role, Variable, constant, name
from s2sad.ir.program import Block, Let, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array, Number, Numeric, Type, is_float
from s2sad.ir.walk import bound, nodes, read_in, statements
from s2sad.operators.guards import spelled
from s2sad.operators.table import calls_one
from s2sad.optimize.numbering import is_of_derivative
from s2sad.optimize.order import Context
from s2sad.reverse.world import DERIVED

ADDED = ("+", "-")
PLAIN = frozenset({"name", "subscript", "attribute", "call", "constant"})


@dataclass(frozen=True, slots=True)
class Added:
    """`target op= value` of an adjoint: of a name, or of a place in an array."""

    target: Expr
    op: str
    value: Expr


def contribution(statement: Statement | None) -> Added | None:
    """Return what a statement adds to an adjoint, or assigns to it."""
    match statement:
        case Let(Variable() as target, value, _, effect, spelled) if effect.is_pure:
            if target.role in (Role.PRIMAL, Role.PLACE, Role.SAVED):
                return None
            if spelled in ADDED:
                return Added(name(target, value.type), spelled, value.args[1])
            if spelled == "=" and _is_sum_with(value, target):
                return Added(name(target, value.type), value.data, value.args[1])
            return Added(name(target, value.type), "=", value) if spelled == "=" else None
        case Store(target, op, value) if op in ("=", *ADDED) and is_of_derivative(target):
            return None if is_slot(target) else Added(target, op, value)
    return None


def normal(added: Added) -> Added:
    """Return a contribution that adds no negative: `+= -e` is `-= e`."""
    value = _without_sign(added.value) if added.op in ADDED else None
    return added if value is None else Added(added.target, "-" if added.op == "+" else "+", value)


def _without_sign(value: Expr) -> Expr | None:
    """Return what a value is the negative of, where its first factor has a sign."""
    match value:
        case Expr("unary", (inner,), "-"):
            return inner
        case Expr("constant", _, float() as number) if number < 0.0:
            return replace(value, data=-number)
        case Expr("binary", (first, other), "*" | "/"):
            positive = _without_sign(first)
            return None if positive is None else value.with_args((positive, other))
    return None


def negative(value: Expr) -> Expr | None:
    """Return minus a value, with the sign at its first factor; None of a sum, which would stand in brackets."""
    match value:
        case Expr("unary", (inner,), "-"):
            return inner
        case Expr("binary", (first, other), "-"):
            return value.with_args((other, first))
    return signed(value) if is_float(value.type) else None


def signed(expr: Expr, whole: Type | None = None) -> Expr | None:
    """Return a product or quotient with a minus at its first factor: a number, or one as large as `whole`."""
    number = spelled(expr)
    if isinstance(number, float):
        return constant(-number, expr.type)
    if expr.op != "binary" or expr.data not in ("*", "/"):
        return Expr("unary", (expr,), "-", expr.type) if expr.op in PLAIN else None
    first, second = expr.args
    is_large = whole is None or first.type == whole or isinstance(first.type, Number)
    made = signed(first, whole) if is_float(first.type) and is_large else None
    return None if made is None else expr.with_args((made, second))


def is_derived(expr: Expr) -> bool:
    """Tell whether an expression is of a derivative; what the user wrote stays as it is."""
    if expr.span is None:
        return True
    return any(
        (node.op == "name" and node.data.role in DERIVED)
        or (node.op == "constant" and node.span is None and node.data is not None)
        for node in nodes(expr)
    )


def _is_sum_with(value: Expr, target: Variable) -> bool:
    is_sum = value.op == "binary" and value.data in ADDED
    return is_sum and value.args[0].op == "name" and value.args[0].data == target


def is_slot(target: Expr) -> bool:
    """Tell whether a place holds memory that others may hold: `p.v = p.v + e` makes new memory."""
    if target.op == "name" or isinstance(target.type, Number):
        return False
    return not isinstance(target.args[0].type, Array | Numeric)


def is_zero(expr: Expr) -> bool:
    """Tell whether an expression is zero, in all its elements."""
    if expr.op == "constant":
        return type(expr.data) in (int, float) and expr.data == 0
    return calls_one(expr, "zeros")


def is_zeroing(statement: Statement) -> TypeGuard[Store]:
    return isinstance(statement, Store) and statement.op == "=" and is_zero(statement.value)


def added_first(added: Added, context: Context) -> Expr:
    value = added.value
    negative = Expr("unary", (value,), "-", value.type, None, value.span)
    return value if added.op == "+" else context.build(negative)


def kind_of(expr: Expr) -> Type:
    """Return the type of an expression; that of a literal is its own."""
    if expr.op == "constant" and isinstance(expr.data, float):
        return Number("float64")
    return expr.type


def mentions(block: Block) -> Iterator[Variable]:
    """Yield each variable once for each statement that reads or binds it."""
    for each in statements(block):
        yield from {*bound(each), *read_in(each)}
