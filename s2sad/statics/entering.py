"""An argument that is an object with fields is taken apart where a function begins; texts are known.

def f(p):                       p_k$1 = p.k; p_m$1 = p.m
    return p.k * p.m            result = p_k$1 * p_m$1
"""

from __future__ import annotations

from typing import Any

from s2sad.held import Keys
from s2sad.program import Assign, Attr, Const, Expr
from s2sad.scope import Scope
from s2sad.statics import records

# a class, and its fields with the structures of those that are objects themselves
Structure = tuple[Any, tuple[tuple[str, Any], ...]]


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
    scope.called_after = name
    record = records.started(kind, scope)
    scope.held.entered.add(record.number)
    for key, inner in fields:
        part, slot = Attr(whole, key), records.added(record, key, scope, node)
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
