"""How elements are chosen: lists of positions are values, A.flat is a vector, A[i] of unknown axes is refused.

u[[0, 2]]       [0, 2] has the type of a display: two integers

first = u[0]      of a matrix a row, which changes with it; of a vector a number, which does not
u[0] = u[1]
u[1] = first

So is a part that the elements choose, np.trim_zeros(u): they change, and their adjoints are others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from s2sad.analysis.containers import is_container, step_of
from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import NOTHING, Sites
from s2sad.analysis.terms import elementwise_operands
from s2sad.ir.errors import NotYet, Refused
from s2sad.ir.expression import Expr, Pattern, Variable, attribute, call, called_object, index_parts
from s2sad.ir.program import For, Function, Let, RegionOp, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Number, Numeric, Other, Reference
from s2sad.ir.walk import bound, nodes, rewritten, statements, with_expressions, with_nodes
from s2sad.operators.missing import overwriting
from s2sad.types.allowed import is_content_shaped

Infer = Callable[[Expr], Expr]


def with_positions_as_values(function: Function, infer: Infer) -> Function:
    """Return a function in which no subscript of an array has a list that is memory."""

    def node(expr: Expr) -> Expr | None:
        if expr.op != "subscript" or not isinstance(expr.args[0].type, Array | Numeric):
            return None
        base, index = expr.args
        changed = _as_value(index, infer)
        return None if changed is index else infer(expr.with_args((base, changed)))

    return replace(function, body=with_nodes(function.body, node))


def with_steady_positions(function: Function, memory: Memory) -> Function:
    """Return a function in which no store changes what its own positions are read from.

    q[q < 0.0] = 0.0        chosen = q < 0.0; q[chosen] = 0.0
    """
    fresh = Fresh.of(function)

    def statement(each: Statement) -> Statement | tuple[Statement, ...]:
        if not isinstance(each, Store):
            return each
        named, store = with_steady_place(each, memory, fresh)
        return (*named, store)

    return replace(function, body=rewritten(function.body, statement))


def with_steady_place(store: Store, memory: Memory, fresh: Fresh) -> tuple[list[Statement], Store]:
    """Return a store, and names of those of its positions that it would change."""
    if store.target.op != "subscript":
        return [], store
    written = memory.sites(store.target.args[0])
    named: list[Statement] = []

    def part(expr: Expr) -> Expr:
        if expr.op in ("tuple", "slice"):
            return expr.with_args(map(part, expr.args))
        if not _sites_read(expr, memory) & written:
            return expr
        return fresh.named(expr, "chosen", named, store.span)

    def place(expr: Expr) -> Expr:
        if expr.op == "subscript":
            return expr.with_args((place(expr.args[0]), part(expr.args[1])))
        return expr.with_args(map(place, expr.args)) if expr.op == "attribute" else expr

    target = place(store.target)
    return named, replace(store, target=target) if named else store


def _sites_read(expr: Expr, memory: Memory) -> Sites:
    """Return the memory that an expression reads: of a list, what stands at its index."""
    if expr.op == "name":
        return memory.reach(expr.data)
    if expr.op in ("subscript", "attribute") and is_container(expr.args[0].type):
        index = (_sites_read(arg, memory) for arg in expr.args[1:])
        return memory.reached(expr).union(*index)
    return NOTHING.union(*(_sites_read(arg, memory) for arg in expr.args))


def _as_value(index: Expr, infer: Infer) -> Expr:
    if index.op == "tuple":
        return index.with_args(_as_value(part, infer) for part in index.args)
    is_list = index.op == "list" and isinstance(index.type, Reference)
    if not is_list or not all(isinstance(arg.type, Number) for arg in index.args):
        return index
    return infer(replace(index, type=Number("int64")))


def with_flat_as_vectors(function: Function) -> Function:
    """Return a function whose arrays are gone over by `flat` in loops and subscripts alone."""

    def change(statement: Statement) -> Statement:
        if isinstance(statement, Let) and _is_flat(statement.value):
            if not isinstance(statement.target, tuple):
                raise NotYet("the elements of an array (.flat) under a name", statement.span)
        if isinstance(statement, For):
            return statement
        return with_expressions(statement, _changed)

    return replace(function, body=rewritten(function.body, change))


def _is_flat(expr: Expr) -> bool:
    return expr.op == "attribute" and expr.data == "flat" and isinstance(expr.type, Array)


def _changed(expr: Expr) -> Expr:
    """Return an expression with vectors in place of what is gone over element by element."""
    if _is_flat(expr):
        return call(attribute(_changed(expr.args[0]), "flatten"), type_=expr.type)
    if expr.op == "subscript" and _is_flat(expr.args[0]):
        base = expr.args[0]
        kept = base.with_args((_changed(base.args[0]),))
        return expr.with_args((kept, _changed(expr.args[1])))
    return expr.with_args(map(_changed, expr.args))


HOLDERS = frozenset({"tuple", "list", "conditional", "and", "or", "dict", "item", "starred"})
CERTAIN = frozenset({"name", "binary", "unary", "compare", "constant"})


def refuse_uncertain_views(function: Function, memory: Memory) -> None:
    """Refuse names and items for parts of written memory that may be views or numbers."""
    values: dict[Pattern, Expr] = {
        s.target: s.value
        for s in statements(function.body)
        if isinstance(s, Let) and isinstance(s.target, Variable)
        if memory.uses.is_bound_at_one_place(s.target)
    }
    for statement in statements(function.body):
        match statement:
            case Let(value=value) | Store(value=value):
                held = list(_held(value))
                held = held if isinstance(statement, Let) else [h for h in held if h is not value]
            case RegionOp(args=args):
                held = [each for arg in args for each in _held(arg)]
            case _:
                continue
        names_written = any(map(memory.is_memory, bound(statement)))
        for part in held:
            is_uncertain = _is_uncertain(part) and memory.sites(part) & memory.written
            if is_uncertain or (names_written and _may_be_new(part, memory, values)):
                if (unseen := overwriting(part, part.span)) is not None:
                    raise Refused(unseen)
                raise NotYet("a part that may be a number, or a view of what is written", part.span)
            if any(map(_depends_on_elements, nodes(part))) and memory.sites(part) & memory.written:
                raise NotYet(
                    "a view that is as long as its elements say, and is written", part.span
                )


def _held(value: Expr) -> Iterator[Expr]:
    """Yield what a value is or holds."""
    if value.op in HOLDERS:
        for arg in value.args:
            yield from _held(arg)
    else:
        yield value


def _depends_on_elements(node: Expr) -> bool:
    """Tell whether a call is a part of an array that its elements choose: np.trim_zeros(u)."""
    return is_content_shaped(called_object(node))


def _may_be_new(value: Expr, memory: Memory, values: Mapping[Pattern, Expr]) -> bool:
    """Tell whether a call gives a part of an array, but something new of a number: np.ravel(s)."""
    if value.op != "call":
        return False
    operands = [arg.args[0] if arg.op == "attribute" else arg for arg in value.args]
    return any(_may_be_number(operands[place], values) for place in memory.shares(value))


def _may_be_number(value: Expr, values: Mapping[Pattern, Expr]) -> bool:
    """Tell whether a value may be a number: nothing that it is made of by arithmetic has axes."""
    if not isinstance(value.type, Numeric):
        return False
    if value.op == "name" and value.data in values:
        value = values[value.data]
    parts = elementwise_operands(value)
    return not any(isinstance(part.type, Array) and part.type.lengths for part in parts)


def _is_uncertain(value: Expr) -> bool:
    """Tell whether a value is memory of another one or not, by ranks that are not known."""
    if not isinstance(value.type, Numeric) or value.op in CERTAIN:
        return False
    if step_of(value) is not None and is_container(value.args[0].type):
        return False  # what a list holds is not copied, be it a number or an array
    if value.op != "subscript":
        return True
    base, index = value.args
    entries = index_parts(index)
    are_slices = all(e.op == "slice" or isinstance(e.type, Other) for e in entries)
    return not are_slices or (base.op == "subscript" and _is_uncertain(base))
