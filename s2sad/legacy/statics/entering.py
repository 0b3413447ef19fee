"""An argument that is an object with fields is taken apart where a function begins; texts are known.

def f(p):                       p_k$1 = p.k; p_m$1 = p.m
    return p.k * p.m            result = p_k$1 * p_m$1

A dict is taken apart too where it has to be, for the keys that it was given with.
"""

from __future__ import annotations

from typing import Any

from s2sad.legacy.assume import raised
from s2sad.legacy.held import Keys
from s2sad.legacy.program import Assign, Attr, Call, Const, Expr, If, Op, Ref
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import records

# a class, and its fields with the structures of those that are objects themselves
Structure = tuple[Any, tuple[tuple[str, Any], ...]]
Given = tuple[tuple[str, Structure | Const | Keys], ...]

LIST = Ref("list", list)


def entered(name: str, structure: Structure | Const | Keys, scope: Scope, node: Any) -> None:
    """Take the fields of a parameter apart; note texts, which choose functions, and keys."""
    if not scope.has(name):
        return
    whole = scope.value(name)
    if isinstance(structure, Const):
        scope.held.constants[whole] = structure
        return
    if isinstance(structure, Keys):
        scope.held.keyed[whole] = structure
        return
    scope.called_after = name
    scope.hold(name, _taken_apart(whole, structure, name, scope, node))


def _taken_apart(whole: Expr, structure: Structure, name: str, scope: Scope, node: Any) -> Any:
    kind, fields = structure
    if kind is dict:
        _ask_for_keys(whole, [key for key, _ in fields], name, scope, node)
    scope.called_after = name
    record = records.started(kind, scope)
    scope.held.entered.add(record.number)
    for key, inner in fields:
        part = Op("index", (whole, Const(key))) if kind is dict else Attr(whole, key)
        slot = records.added(record, key, scope, node)
        if inner is None or isinstance(inner, Const | Keys):
            held = scope.define(slot)
            scope.emit(Assign((held,), part, scope.span(node)))
            if isinstance(inner, Const):
                scope.held.constants[held] = inner
            elif inner is not None:
                scope.held.keyed[held] = inner
        else:
            scope.hold(slot, _taken_apart(part, inner, f"{name}_{key}", scope, node))
    return record


def _ask_for_keys(whole: Expr, keys: list[str], name: str, scope: Scope, node: Any) -> None:
    """Raise ValueError where a dict has other keys, or in another order."""
    there = scope.temp(Call(LIST, (whole,)), node)
    test = Op("!=", (there, Op("list", tuple(Const(key) for key in keys))))
    message = f"made for {name} with the keys {', '.join(keys)}"
    span = scope.span(node)
    scope.emit(If(test, (raised(message, span),), (), (), span, scope.numbers.key()))
