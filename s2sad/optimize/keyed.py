"""Adjoints of the arrays of a dict that begin with zeros stand in a dict from the start.

W_bar = np.zeros_like(W)              params_bar = {key: np.zeros_like(value) for key, value in params.items()}
b_bar = np.zeros_like(b)        ->
W_bar += np.outer(g, x)               params_bar["W"] += np.outer(g, x)
b_bar += g                            params_bar["b"] += g
return {"W": W_bar, "b": b_bar}       return params_bar
"""

from __future__ import annotations

import numpy as np

from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    call,
    calls,
    global_,
    name,
    subscript,
)
from s2sad.ir.program import Function, Let, Return, Statement
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Reference
from s2sad.ir.walk import bind_counts, nodes, rebuilt, rewritten, statements, with_expressions
from s2sad.optimize.memory import Memory, changes

WIDTH = 80  # of a dict that is returned on one line


def with_adjoints_by_key(function: Function, memory: Memory) -> Function:
    """Return a function whose dicts of adjoints, where they are long, are filled under their keys."""
    for each in statements(function.body):
        if isinstance(each, Return):
            for display in nodes(each.value):
                found = _found(display, function, memory)
                if found is not None:
                    return _by_key(function, display, found)
    return function


@dataclass(frozen=True, slots=True)
class _Filled:
    """A dict `of` the arguments, and the keys of the adjoints that begin with zeros."""

    of: Variable
    keys: dict[Variable, Expr]


def _found(display: Expr, function: Function, memory: Memory) -> _Filled | None:
    """Return the dict whose adjoint a display is, if all of it begins with zeros."""
    if display.op != "dict" or len(simple(Return(display))) <= WIDTH:
        return None
    keys = {item.args[1].data: item.args[0] for item in display.args if item.args[1].op == "name"}
    often = bind_counts(function.body)
    lets = {
        each.target: each.value
        for each in function.body
        if isinstance(each, Let) and isinstance(each.target, Variable) and often[each.target] == 1
    }
    parts = [part for bar in keys if (part := _part(lets.get(bar), lets)) is not None]
    if len(keys) != len(display.args) or [part.args[1] for part in parts] != [*keys.values()]:
        return None
    wholes = {part.args[0].data: part.args[0].type for part in parts}
    ((whole, type_),) = wholes.items() if len(wholes) == 1 else ((None, None),)
    if whole not in {p.variable for p in function.parameters} or whole in often:
        return None
    if not isinstance(type_, Reference) or memory.content(whole) in changes(function.body, memory):
        return None
    region = memory.regions[type_.site]
    is_all = region.cls is dict and [*region.fields] == [key.data for key in keys.values()]
    return _Filled(whole, keys) if is_all else None


def _part(zeros: Expr | None, lets: dict[Variable, Expr]) -> Expr | None:
    """Return params["W"] of np.zeros_like(W), where W has that value."""
    if zeros is None or not calls(zeros, np.zeros_like) or len(zeros.args) != 2:
        return None
    part = zeros.args[1]
    part = lets.get(part.data, part) if part.op == "name" else part
    is_entry = (
        part.op == "subscript" and part.args[0].op == "name" and part.args[1].op == "constant"
    )
    return part if is_entry and isinstance(part.type, Array) else None


def _by_key(function: Function, display: Expr, found: _Filled) -> Function:
    """Return a function in which a dict of adjoints is made with its first zeros."""
    wish = f"{found.of.name}_bar"
    bars = Fresh.of(function).variable(wish, Role.ADJOINT, found.of)
    held = name(bars, display.type)
    made = iter([Let(bars, _zeros(found.of, display))])

    def whole(node: Expr) -> Expr | None:
        return held if node == display else None

    def known(node: Expr) -> Expr | None:
        key = found.keys.get(node.data) if node.op == "name" else None
        return None if key is None else subscript(held, key, node.type)

    def change(statement: Statement) -> Statement | None:
        if isinstance(statement, Let) and statement.target in found.keys:
            return next(made, None)
        return with_expressions(statement, lambda e: rebuilt(rebuilt(e, whole), known))

    return replace(function, body=rewritten(function.body, change))


def _zeros(of: Variable, display: Expr) -> Expr:
    """Return {key: np.zeros_like(value) for key, value in params.items()}."""
    key, value = Variable("key", 0, Role.TERM), Variable("value", 0, Role.TERM)
    item = Expr("item", (name(key), call(global_("np.zeros_like", np.zeros_like), name(value))))
    entries = call(attribute(name(of), "items"))
    return Expr(
        "comprehension", (item, Expr("generator", (entries,), (key, value))), "dict", display.type
    )
