"""Whether it hangs on the layout of an argument if two names are one array.

v = A.ravel()      a view where A lies in one piece, and else a copy
v[0] = 1.0         is A written to, or not? The text asks for A in one piece
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from s2sad.analysis.containers import is_container
from s2sad.analysis.memory import Memory
from s2sad.analysis.places import Place, is_within, placed
from s2sad.analysis.pointers import stored_base
from s2sad.analysis.points_to import bindings
from s2sad.ir.errors import AliasError, NotYet, Refused
from s2sad.ir.expression import (
    Expr,
    Variable,
    called,
    calls,
    copy_of,
    is_own_call,
    keywords,
    object_of,
    positional,
    root_of,
)
from s2sad.ir.program import For, Function, Let, Return, Statement, Store, While
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Code, Number
from s2sad.ir.walk import (
    bound,
    expressions,
    nodes,
    own_nodes,
    read_in,
    rebuilt,
    rewritten,
    statements,
    with_expressions,
)
from s2sad.operators.guards import value_of
from s2sad.operators.table import values, words
from s2sad.source.owners import is_of_prelude

RESHAPING = words("reshapes")
# what gives an array in rows, whatever it is given, if no other order is asked for
IN_ROWS = words("in_rows")
# what gives an array in the order that it is asked for
IN_ORDER = words("in_order")


def assumed_in_rows(function: Function, memory: Memory) -> frozenset[Variable]:
    """Return the parameters that have to lie in one piece: what is made of them is a view then.

    Of lists and dicts only the shadows have to. NotYet where the layout of something else decides
    whether what is written to is a copy.
    """
    layout = _Layout(function, memory)
    for _, statement in placed(function.body) if memory.written else ():
        for place in _references(statement, memory):
            for node in nodes(place):
                base = _reshaped(node)
                if base is None or not memory.sites(base) or not memory.shares(node):
                    continue  # nothing is a view of a new value
                is_in_order = _is_flat(base) or _keeps_rows(node)
                if (
                    not is_in_order
                    or not layout.is_in_rows(base)
                    or layout.is_held_and_stored(base)
                ):
                    raise _may_be_one(function, memory, statement, node, base)
    return frozenset(layout.assumed)


def copied_where_last_read(function: Function, memory: Memory) -> Function:
    """Return a function that copies what is reshaped out of order, where nothing else reads it after that.

    patches.transpose(0, 2, 1).reshape(n, -1)      whether it is a view makes no difference then
    """
    every = placed(function.body)
    loops = [place for place, each in every if isinstance(each, For | While)]
    layout = _Layout(function, memory)
    # by the statement: another may read the same, and go on
    copies: dict[int, dict[Expr, Expr]] = {}
    for place, statement in every if memory.written else ():
        if not isinstance(statement, Let | Return) or any(is_within(place, at) for at in loops):
            continue
        for node in own_nodes(statement):
            base = _reshaped(node)
            if base is None or _is_flat(base) or not memory.sites(base) & memory.written:
                continue
            if called(node) == "resize" or not _keeps_rows(node) or layout.is_in_rows(base):
                continue
            if _is_last(node, statement, place, every, function, memory):
                copies.setdefault(id(statement), {})[node] = _of_copy(node, base)

    def change(statement: Statement) -> Statement:
        found = copies.get(id(statement))
        return with_expressions(statement, lambda e: rebuilt(e, found.get)) if found else statement

    return replace(function, body=rewritten(function.body, change)) if copies else function


def _of_copy(node: Expr, base: Expr) -> Expr:
    """Return a call that reshapes a copy."""
    head, *rest = node.args
    if head.op == "attribute":
        return node.with_args((head.with_args((copy_of(base),)), *rest))
    return node.with_args((head, copy_of(base), *rest[1:]))


def _is_last(
    node: Expr,
    statement: Statement,
    place: Place,
    every: list[tuple[Place, Statement]],
    function: Function,
    memory: Memory,
) -> bool:
    """Tell whether no name that was bound before, and no argument, gives the memory of an array later.

    A list that holds the array gives it, too.
    """
    sites = memory.sites(node)
    early = {v for at, each in every if at < place for v in bound(each)}
    held = {v for v in early if memory.reach(v) & sites}
    later = {v for at, each in every if at > place for v in read_in(each)}
    later |= {v for expr in expressions(statement) for v in _read_beside(expr, node)}
    return held.isdisjoint(later) and not any(
        memory.reach(p.variable) & sites for p in function.parameters
    )


def _read_beside(expr: Expr, node: Expr) -> Iterator[Variable]:
    """Yield the variables that an expression reads outside of a node."""
    if expr is not node:
        if expr.op == "name":
            yield expr.data
        for arg in expr.args:
            yield from _read_beside(arg, node)


def _may_be_one(
    function: Function, memory: Memory, made: Statement, value: Expr, base: Expr
) -> Refused:
    """Return the refusal of two names that may be one array, at the line that writes to it."""
    second = made.target if isinstance(made, Let) else None
    second = second if isinstance(second, Variable) else None
    sites = memory.sites(value)
    stores = (s for s in statements(function.body) if isinstance(s, Store))
    store = next((s for s in stores if sites & memory.sites(stored_base(s))), made)
    one = second.name if second is not None else "what is made here"
    is_found = store is not made
    written = f"{one} is written in place here" if is_found else "it may be written in place"
    root = root_of(base)
    other = "what it is made of" if root is None else root.name
    where = f"in line {value.span.line}: {value.span.text()}" if value.span else "as it is made"
    return AliasError.refused(
        f"{one} and {other} may be one array, and {written}",
        store.span and store.span.whole(),
        "Whether it is a view hangs on how the array lies in memory. Make them two arrays:\n"
        f"copy with .copy() where the second name is made, {where}",
    )


def reshaped_in_place(functions: Iterable[Function]) -> bool:
    """Tell whether functions write in place, and reshape arrays: some of that may be one memory."""
    made = [s for function in functions for s in statements(function.body)]
    writes = any(
        isinstance(s, Store) or (isinstance(s, Let) and s.effect.writes_anything) for s in made
    )
    every = (n for s in made for n in own_nodes(s)) if writes else ()
    return any(_reshaped(node) is not None for node in every)


def reshaped_and_written(
    function: Function,
    is_written: Callable[[Expr], bool],
    is_new: Callable[[Expr], bool],
    copied: frozenset[Variable],
) -> frozenset[Variable]:
    """Return what is reshaped and written to: tangents of these have to lie in rows, too.

    NotYet where one may be that of another array. `copied` parameters have tangents in rows.
    """
    made: dict[Variable, list[Expr]] = {}
    bound_else: set[Variable] = set()
    given = {p.variable: len(function.body) for p in function.parameters}  # until they are bound
    for place, statement in placed(function.body):
        found = dict(bindings(statement)) if isinstance(statement, Let) else {}
        bound_else |= set(bound(statement)) - found.keys()
        for variable, value in found.items():
            made.setdefault(variable, []).append(value)
            if len(place) == 1 and variable in given:
                given[variable] = min(place[0], given[variable])
    asked = set()
    for place, statement in placed(function.body):
        kept = (e for e in _kept(statement) if not (_is_value(e) and is_new(e)))
        for node in (n for e in kept for n in nodes(e)):
            base = _reshaped(node)
            if base is None or not is_written(node) or _is_flat(base) or is_new(base):
                continue
            while base.op == "subscript" and _is_leading(base.args[1]):
                base = base.args[0]  # some rows of what lies in rows do so, too
            values = made.get(base.data, []) if base.op == "name" else []
            if base.op == "name" and base.data in copied and not values:
                continue
            is_given = base.op == "name" and place[0] <= given.get(base.data, -1)
            if not values or is_given or base.data in bound_else or not all(map(is_new, values)):
                raise NotYet("the tangent of a reshaped array that is written to", node.span)
            asked.add(base.data)
    return frozenset(asked)


def _kept(statement: Statement) -> Iterable[Expr]:
    """Return what a statement may give another name; what it stores in an array is copied."""
    if isinstance(statement, Store):
        target = statement.target
        held = target.args[0] if target.op == "subscript" else target
        if isinstance(held.type, Array):
            return (target,)
    return expressions(statement)


def _is_value(expr: Expr) -> bool:
    """Tell whether an expression computes an array or a number, and hands nothing to functions that keep it."""
    is_plain = isinstance(expr.type, Array | Number)
    return is_plain and not any(map(is_own_call, nodes(expr)))


def _is_flat(base: Expr) -> bool:
    return isinstance(base.type, Array) and len(base.type.lengths) < 2


def _references(statement: Statement, memory: Memory) -> Iterator[Expr]:
    """Yield what a statement names, or writes to, that is written memory."""
    if isinstance(statement, Let) and memory.sites(statement.value) & memory.written:
        yield statement.value
    elif isinstance(statement, Store):
        yield statement.target


def _reshaped(node: Expr) -> Expr | None:
    """Return the array that an expression reshapes, or lays out in the order that it asks for."""
    if node.op != "call" or not (called(node) in RESHAPING or _is_ordered(node)):
        return None
    function = node.args[0]
    if function.op == "attribute" and not isinstance(function.args[0].type, Code):
        return function.args[0]
    return node.args[1] if function.op != "function" and len(node.args) > 1 else None


def _is_ordered(node: Expr) -> bool:
    """Tell whether a call of np.asarray and its like asks for an order: else it gives a view of any array."""
    order = _order(node) if called(node) in IN_ORDER else None
    return order is not None and value_of(order) not in ("K", None)


def _keeps_rows(call: Expr) -> bool:
    """Tell whether a call that makes or reshapes an array asks for none but the order of rows."""
    order = _order(call)
    is_turned = called(call) == "asfortranarray"
    return not is_turned and (order is None or value_of(order) in ("C", None))


def _is_of_prelude(call: Expr) -> bool:
    """Tell whether the prelude makes an array in rows where np.vectorize keeps the order of its argument."""
    return call.span is not None and is_of_prelude(call.span.path)


def _order(call: Expr) -> Expr | None:
    """Return the order that a call asks for."""
    is_method = call.args[0].op == "attribute"
    place, given = values("order", is_method).get(called(call)), positional(call)
    at_place = given[int(place)] if place is not None and int(place) < len(given) else None
    return keywords(call).get("order", at_place)


class _Layout:
    """Which arrays lie in one piece, row by row, if the parameters that it names do."""

    def __init__(self, function: Function, memory: Memory):
        self.memory = memory
        self.parameters = frozenset(p.variable for p in function.parameters)
        self.assumed: set[Variable] = set()
        self.made: dict[Variable, list[Expr]] = {}
        for _, statement in placed(function.body):
            for variable, value in bindings(statement):
                self.made.setdefault(variable, []).append(value)
            if isinstance(statement, For):
                for variable in bound(statement):
                    self.made.setdefault(variable, []).append(statement.domain)

    def is_in_rows(self, base: Expr) -> bool:
        """Tell whether an array lies in one piece."""
        match base.op:
            case "name" if base.data in self.parameters and base.data not in self.made:
                self.assumed.add(base.data)
                return True
            case "name":
                values = self.made.get(base.data, [])
                self.made[base.data] = []  # of what is made of itself nothing is known
                found = len(values) == 1 and self.is_in_rows(values[0])
                self.made[base.data] = values
                return found
            case "binary" | "unary":
                arrays = [arg for arg in base.args if not isinstance(arg.type, Number)]
                return all(self.is_in_rows(arg) for arg in arrays)
            case "subscript":
                return _is_leading(base.args[1]) and self.is_in_rows(base.args[0])
            case "call":
                return self._is_made_in_rows(base)
        return False

    def is_held_and_stored(self, base: Expr) -> bool:
        """Tell whether an array is a part of a list or dict, and the function itself writes to it."""
        asked = (v for v in self.assumed if is_container(self.memory.types[v]))
        held = self.memory.inside(s for v in asked for s in self.memory.points_to.get(v, ()))
        return bool(self.memory.sites(base) & held & self.memory.stored)

    def _is_made_in_rows(self, call: Expr) -> bool:
        function = call.args[0]
        if not _is_flat(call) and (not _keeps_rows(call) or _is_of_prelude(call)):
            return False
        keeps_order = calls(call, np.copy) or calls(call, copy.copy)
        if called(call) in IN_ROWS and not keeps_order:
            return True
        order = _order(call)
        if called(call) in IN_ORDER and order is not None and value_of(order) == "C":
            return True
        if called(call) == "ascontiguousarray" or (_is_flat(call) and not self.memory.shares(call)):
            return True
        inner = _reshaped(call)
        if inner is not None:
            return self.is_in_rows(inner)
        if isinstance(object_of(function), np.ufunc):
            return all(self.is_in_rows(a) for a in call.args[1:] if not isinstance(a.type, Number))
        return False


def _is_leading(index: Expr) -> bool:
    """Tell whether a subscript takes one row, or rows one after the other."""
    if index.op == "slice":
        return index.args[2].op == "constant" and index.args[2].data in (None, 1)
    return isinstance(index.type, Number) and index.type.dtype != "bool"
