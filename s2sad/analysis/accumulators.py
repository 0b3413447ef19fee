"""Numbers that become arrays: `x += e` is `x = x + e` where nobody else sees the array of x.

for u in us:                for u in us:
    total += u                  total = total + u

In place it changes an array for all who hold it. Who may hold it is followed along the statements:
another name that is read later, a container, or the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from s2sad.analysis.containers import is_container
from s2sad.analysis.live import Live
from s2sad.analysis.places import placed
from s2sad.analysis.sharing_names import ELSEWHERE, SharingNames
from s2sad.analysis.webs import may_be_number
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, calls
from s2sad.ir.program import Copied, Function, Let, RegionOp, Statement, Store, Try
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Array, Code, Number, Numeric, Other, Type
from s2sad.ir.walk import expressions, rewritten, statements

Infer = Callable[[Expr], Expr]
PLAIN = frozenset({"+", "-", "*", "/", "**"})


def rebound_numbers(function: Function, infer: Infer) -> Function:
    """Return a function that rebinds what is a number at first and an array later."""
    stores = (s for s in statements(function.body) if isinstance(s, Store))
    lets = {id(s): (s, rebound(s)) for s in stores if may_be_number(s.target)}
    if not lets:
        return function

    def bound_anew(statement: Statement) -> Statement:
        return lets[id(statement)][1] if id(statement) in lets else statement

    made = replace(function, body=rewritten(function.body, bound_anew))
    _refuse_seen(made, {id(let): store for store, let in lets.values()})
    inferred = {id(let): replace(let, value=infer(let.value)) for _, let in lets.values()}
    return replace(made, body=rewritten(made.body, lambda s: inferred.get(id(s), s)))


def _refuse_seen(function: Function, stores: Mapping[int, Store]) -> None:
    """Refuse a store, which is a binding now, whose memory another name would have seen change."""
    handed = (p.variable for p in function.parameters if not isinstance(p.type, Number))
    shared = SharingNames(function.body, _sources, handed)
    live = Live(function.body)
    tries = (s for s in statements(function.body) if isinstance(s, Try))
    tried = {id(s) for each in tries for s in statements(each.body)}
    for place, statement in placed(function.body):
        store = stores.get(id(statement))
        if store is None:
            continue
        for other in shared.sharers(store.target.data, statement):
            if other == ELSEWHERE or id(statement) in tried or live.after(other, place):
                word = (
                    "number that becomes an array"
                    if store.op in PLAIN
                    else "set that is changed in place"
                )
                raise NotYet(f"a {word} under two names", store.span)


def rebound(store: Store) -> Let:
    """Return a store to a name as a statement that binds it anew."""
    value = store.value
    if store.op != "=":
        value = Expr("binary", (store.target, value), store.op, store.target.type, None, store.span)
    return Let(store.target.data, value, store.span)


# ---------------------------------------------------------------------------- what a value may be


def _sources(_: Variable, statement: Statement, holds: bool) -> Iterator[Variable]:
    """Yield the variables that what is bound may be, or what is put somewhere."""
    if isinstance(statement, Copied) and not holds:
        yield ELSEWHERE
    elif isinstance(statement, RegionOp) and not holds:
        yield from _referred(statement.base)
    else:
        yield from (v for expr in expressions(statement) for v in _referred(expr))


def _referred(expr: Expr) -> Iterator[Variable]:
    """Yield the variables whose memory a value may be, or hold."""
    if isinstance(expr.type, Number | Code) or _is_fixed(expr.type):
        return
    match expr.op:
        case "name":
            yield expr.data
        case "global":
            yield ELSEWHERE
        case "constant" | "compare" | "function":
            return
        case "binary" | "unary" if not _may_be_list(expr):
            return
        case "subscript" | "attribute":
            yield from _referred(expr.args[0])
        case "conditional":
            yield from (v for arm in expr.args[1:] for v in _referred(arm))
        case "call" if _makes_new(expr):
            return
        case "call" if expr.args[0].op == "global":
            yield from (v for arg in expr.args[1:] for v in _referred(arg))
        case _:
            yield from (v for arg in expr.args for v in _referred(arg))


def _is_fixed(type_: Type) -> bool:
    """Tell whether a value is of a class whose objects no operator changes in place: a set is not."""
    cls = type_.cls if isinstance(type_, Other) else None
    return cls is not None and not any(hasattr(cls, word) for word in ("__iadd__", "__ior__"))


def _may_be_list(expr: Expr) -> bool:
    """Tell whether an operation may be one of lists: xs + ys holds what they hold."""
    types = [arg.type for arg in expr.args]
    is_of_numbers = any(isinstance(each, Number | Array | Numeric) for each in types)
    return not is_of_numbers and any(each == UNKNOWN or is_container(each) for each in types)


def _makes_new(made: Expr) -> bool:
    """Tell whether what a call gives is surely no memory that it is handed."""
    function = made.args[0]
    if function.op == "attribute":
        return bool(function.data == "copy") and not is_container(made.type)
    is_total = calls(made, sum) and len(made.args) == 2  # of 0 and the items
    return is_total or (function.op == "global" and isinstance(function.data.value, np.ufunc))
