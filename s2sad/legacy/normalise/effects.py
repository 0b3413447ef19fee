"""Statements that are calls: of lists, of functions that write, and those made for their effect."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import gast

from s2sad.legacy.calls import is_python
from s2sad.legacy.into import PLACES, writes
from s2sad.legacy.lower import (
    inline,
    operation,
)
from s2sad.legacy.normalise.lists import append_to, is_list_method, pop_from
from s2sad.legacy.normalise.statements import copy_statement, statement
from s2sad.legacy.normalise.stores import write
from s2sad.legacy.program import Attr, Call, Effect, Ref
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics.kinds import Record
from s2sad.legacy.templating import is_of_draws
from s2sad.legacy.through import roots
from s2sad.legacy.traverse import is_atom
from s2sad.source.names import changed_names, reads_of


@statement.register
def _(node: gast.Expr, scope: Scope) -> None:
    if isinstance(node.value, gast.Constant):
        return
    if is_list_method(node.value, "append", scope):
        append = node.value
        append_to(append.func.value.id, append.args[0], scope, node)
    elif is_list_method(node.value, "insert", scope):
        insert = node.value
        append_to(insert.func.value.id, insert.args[1], scope, node, inline(insert.args[0], scope))
    elif is_list_method(node.value, "pop", scope):
        pop_from(node.value, scope.numbers.temp("unused"), scope, node)
    elif _calls_static(node.value, scope) or not writes(node, scope, write):
        _effect(node, scope)


def _calls_static(call: Any, scope: Scope) -> bool:
    func = getattr(call, "func", None)
    while isinstance(func, gast.Attribute | gast.Call):  # a.add(x).add(y)
        if isinstance(func, gast.Call) and getattr(func.func, "id", "") == "super":
            return True  # super().__init__(...)
        func = func.value if isinstance(func, gast.Attribute) else func.func
    return isinstance(func, gast.Name) and scope.static(func.id) is not None


def _given_record(call: Any, scope: Scope) -> bool:
    """Tell whether a call is given a record, which only what is lowered in place can be."""
    if not isinstance(call, gast.Call):
        return False
    given = [*call.args, *(each.value for each in call.keywords)]
    return any(
        isinstance(each, gast.Name) and isinstance(scope.static(each.id), Record) for each in given
    )


def _effect(node: Any, scope: Scope) -> None:
    value = node.value
    method = isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute)
    owner = value.func.value if method else None
    if _calls_static(value, scope) or _given_record(value, scope):
        result = operation(value, scope)
        if isinstance(result, Call):
            scope.emit(Effect(result, scope.span(node)))
        return
    if isinstance(owner, gast.Name) and scope.has(owner.id):
        # an unknown method may change its object
        others = {*changed_names([node]), *_by_position(value)}
        written = sorted(name for name in others if scope.has(name))
        _writing_call(node, scope, list(dict.fromkeys([owner.id, *written])))
        return
    if method and not isinstance(owner, gast.Name) and _locals_of(owner, scope):
        _writing_call(node, scope, _locals_of(owner, scope))
        return
    acting = list(_acting(value, scope))
    if acting:
        _writing_call(node, scope, acting)
        return
    result = operation(value, scope)
    if isinstance(result, Call) and not _only_reads(result):
        _writing_call(node, scope)
    elif isinstance(result, Call) or not is_atom(result):
        scope.emit(Effect(result, scope.span(node)))


def _only_reads(call: Call) -> bool:
    """Tell whether a call made for its effect leaves its arguments as they are."""
    match call.func:
        case Attr(Ref(_, owner)):
            return isinstance(owner, logging.Logger)
        case Ref(text, function):
            logs = isinstance(getattr(function, "__self__", None), logging.Logger)
            again = is_of_draws(function)  # it writes to what draws, and to no array
            return logs or again or text in READERS or is_python(call.func)
    return False


def _locals_of(owner: Any, scope: Scope) -> list[str]:
    """Return the names of whose parts a method is called: `ls` of `ls[i].append(v)`."""
    return [name for name in reads_of(owner) if scope.has(name)]


def _writing_call(node: Any, scope: Scope, owners: list[str] | None = None) -> None:
    """Copy a call that may write to its arguments, or owners: they hold something new."""
    copy_statement(node, scope, _given_memory(node.value, scope) if owners is None else owners)


def _given_memory(call: Any, scope: Scope) -> list[str]:
    """Return the names whose memory a call is given, be it a part: `np.place(v[1:], ...)`."""
    if not isinstance(call, gast.Call):
        return []
    args = [*call.args, *(keyword.value for keyword in call.keywords)]
    return [name for arg in args for name in roots(arg) if scope.has(name)]


def _by_position(call: Any) -> Iterator[str]:
    """Yield what a method is given where those of arrays take what they write to."""
    place = PLACES.get(call.func.attr)
    if place is not None:
        yield from (name for arg in call.args[place:] for name in roots(arg))


def _acting(value: Any, scope: Scope) -> Iterator[str]:
    """Yield what calls inside an expression without a use may write to: `[a.sort() for _ in b]`."""
    match value:
        case gast.ListComp(elt=part) | gast.SetComp(elt=part) | gast.GeneratorExp(elt=part):
            parts = [part]
        case gast.BoolOp(values=parts) | gast.Tuple(elts=parts) | gast.List(elts=parts):
            pass
        case gast.IfExp(body=a, orelse=b):
            parts = [a, b]
        case _:
            return
    for part in parts:
        yield from _acting(part, scope)
        if isinstance(part, gast.Call):
            owner = part.func.value if isinstance(part.func, gast.Attribute) else part.func
            yield from (name for name in roots(owner) if scope.has(name))
            yield from _given_memory(part, scope)


READERS = frozenset({"print", "isinstance", "hasattr", "len", "warnings.warn", "np.errstate"})
