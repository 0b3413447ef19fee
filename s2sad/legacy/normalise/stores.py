"""Assignments: to names, to several at once, and to elements."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.chained import joined
from s2sad.legacy.desugar.acting import changed_in, has_names
from s2sad.legacy.desugar.syntax import branch, with_
from s2sad.legacy.echo import bound_together, written
from s2sad.legacy.links import INTO_AXES
from s2sad.legacy.lower import (
    atom,
    operation,
    subscript,
)
from s2sad.legacy.normalise.lists import is_list_method, pop_from, refuse_itself
from s2sad.legacy.normalise.statements import copy_statement, every, statement
from s2sad.legacy.program import NONE, Assign, Const, Expr, Op, Update, Var
from s2sad.legacy.scope import Scope, changes_module, static_as_value
from s2sad.legacy.statics import functions, joining, records
from s2sad.legacy.statics.resolving import resolved
from s2sad.legacy.traverse import is_atom, is_path
from s2sad.source.names import assigned_names, reads_of
from s2sad.source.text import MISSING
from s2sad.source.trees import nodes_of


@statement.register
def _(node: gast.AnnAssign, scope: Scope) -> None:
    if node.value is not None:
        _store(node.target, node.value, scope, node)


@statement.register
def _(node: gast.Assign, scope: Scope) -> None:
    changed = _changed(node, scope)
    if changed:
        copy_statement(node, scope, [*assigned_names([node]), *changed])
    elif scope.doubts and isinstance(node.value, gast.IfExp):
        every([_as_branches(node)], scope)  # each side may give the name another array
    elif len(node.targets) == 1:
        _store(node.targets[0], node.value, scope, node)
    else:
        _store_chain(node, scope)


def _changed(node: gast.Assign, scope: Scope) -> list[str]:
    """Return whose objects an assignment changes that calls what nothing here looks into."""
    known = {*scope.held.objects, *scope.held.functions}
    changed = [n for n in changed_in(node.value) if scope.has(n) and scope.value(n) not in known]
    if not changed or scope.opens(node, only_named=True) or not has_names(node):
        return []
    followed = is_list_method(node.value, "pop", scope)
    return [] if followed or any(scope.static(name) for name in reads_of(node)) else changed


def _as_branches(node: Any) -> Any:
    """Return `w = a if c else b` as a branch with an assignment on each side."""

    choice = node.value
    then, orelse = with_(node, value=choice.body), with_(node, value=choice.orelse)
    return branch(choice.test, [then], [orelse], node)


def _store_chain(node: gast.Assign, scope: Scope) -> None:
    """Store one value from left to right: `u[k] = k = 2` writes at what k was before."""
    if _is_number(node.value):  # which is no object that two names could share
        for target in node.targets:
            _store(target, node.value, scope, node)
        return
    first = next((each for each in reversed(node.targets) if _goes_first(each, node.targets)), None)
    if first is not None:
        _store(first, node.value, scope, node)
        value: Expr = scope.read(first.id, node)
    else:
        scope.called_after = "item"
        value = atom(node.value, scope)
    for target in node.targets:
        if target is not first:
            _store_value(target, value, scope, node)


def _is_number(value: Any) -> bool:
    """Tell whether syntax is a number that is written out: 0.0, -1."""
    number = value.operand if isinstance(value, gast.UnaryOp) else value
    return isinstance(number, gast.Constant) and isinstance(number.value, int | float | complex)


def _goes_first(target: Any, targets: list[Any]) -> bool:
    """Tell whether a target is a name that no other target reads."""
    others = (part for each in targets if each is not target for part in nodes_of(each))
    names = (part.id for part in others if isinstance(part, gast.Name))
    return isinstance(target, gast.Name) and target.id not in names


def _store(target: Any, value: Any, scope: Scope, node: Any) -> None:
    match target:
        case gast.Name():
            _store_name(target.id, value, scope, node)
        case gast.Tuple() | gast.List():
            _store_tuple(target, value, scope, node)
        case gast.Subscript():
            scope.called_after = owner_of(target, scope)
            stored = atom(value, scope)
            write(target, "=", stored, scope, node)
        case _:
            _store_value(target, atom(value, scope), scope, node)


def _store_name(name: str, value: Any, scope: Scope, node: Any) -> None:
    scope.called_after = name
    if is_list_method(value, "pop", scope):
        target = scope.numbers.next(scope.slot(name))
        pop_from(value, target, scope, node)
        scope.drop(target.slot)
        scope.held.values[target.slot] = target
        return
    if isinstance(value, gast.Lambda) and not functions.stands_alone(value, scope):
        scope.hold(name, functions.made(value, name, scope))
        return
    static = scope.static(value.id) if isinstance(value, gast.Name) else None
    if static is not None:
        joining.ask_for_start(name, static, scope)
        scope.hold(name, static)
        return
    bind_value(name, operation(value, scope), scope, node)


def bind_value(name: str, value: Expr, scope: Scope, node: Any) -> None:
    """Give a name a value: it stands for a function or object that is known."""
    value = records.row(value, scope, node)
    made = functions.function_in(value, scope)
    if made is not None:
        scope.hold(name, made)
        return
    record = scope.record(value)
    if record is not None:
        scope.hold(name, joining.bound(name, record, scope, scope.span(node)))
        return
    records.give(scope, name, value, scope.span(node))


def owner_of(target: Any, scope: Scope) -> str:
    static = scope.static(target.value.id) if isinstance(target.value, gast.Name) else None
    if static is not None:
        raise static_as_value(static, scope.span(target))
    if isinstance(target.value, gast.Name) and not scope.has(target.value.id) and not scope.suffix:
        if scope.source.resolve(target.value.id) is not MISSING:
            raise changes_module(target.value.id, scope.span(target))
    if not isinstance(target.value, gast.Name) or not scope.has(target.value.id):
        raise Unsupported(
            "a write through an expression is not differentiated",
            scope.span(target),
            "Give the array a name, and write to that with one subscript: A[i, j] = ...",
        )
    return target.value.id


def write(target: Any, op: str, value: Expr, scope: Scope, node: Any) -> None:
    name = owner_of(target, scope)
    index, old = subscript(target.slice, scope), scope.read(name, node)
    old, index = joined(old, index, target, scope, INTO_AXES) or (old, index)
    slot = old.slot
    if op == "=" and _is_item(index, old, scope):
        refuse_itself(name, value, old, scope, node)
    scope.emit(Update(scope.renew(slot), old, index, op, value, scope.span(node)))
    written(scope, slot, node, inside=is_path(index))


def _is_item(index: Expr, old: Var, scope: Scope) -> bool:
    """Tell whether what is written is surely one item of a list, or a row of an array."""
    return old in scope.held.displays or (isinstance(index, Const) and type(index.value) is int)


def _store_tuple(target: Any, value: Any, scope: Scope, node: Any) -> None:
    if any(isinstance(each, gast.Starred) for each in target.elts):
        raise Unsupported(
            "a starred target is not differentiated",
            scope.span(target),
            "Give what is unpacked a name, and take its parts by index.",
        )
    plain = all(isinstance(each, gast.Name) for each in target.elts)
    scope.called_after = target.elts[0].id if plain else "item"
    if isinstance(value, gast.Tuple | gast.List) and len(value.elts) == len(target.elts):
        items = []
        for name, each in zip(target.elts, value.elts, strict=True):
            scope.called_after = name.id if isinstance(name, gast.Name) else "item"
            items.append(atom(each, scope))
        result: Expr = Op("tuple", tuple(items))
    else:
        result = operation(value, scope)
    if scope.record(result) is not None and isinstance(node, gast.Assign):
        result = scope.on_record(result, node, scope, False)
    result = records.as_tuple(result, scope, node)
    parts = list(result.args) if isinstance(result, Op) and result.op == "tuple" else []
    if any(_is_static(part, scope) for part in parts):
        _store_records(target.elts, parts, scope, node)
        return
    if parts:  # a pair has a value of its own, and so an adjoint
        parts = [each if is_atom(each) else scope.temp(each, node) for each in parts]
        result = Op("tuple", tuple(parts))
    if plain:
        names = [each.id for each in target.elts]
        shown = isinstance(result, Op) and result.op == "tuple" and len(result.args) == len(names)
        values = list(result.args) if shown else [NONE for _ in names]
        targets = tuple(bound_together(scope, names, values))
        scope.emit(Assign(targets, result, scope.span(node), unpack=True))
        return
    temps = tuple(scope.numbers.temp("item") for _ in target.elts)
    scope.emit(Assign(temps, result, scope.span(node), unpack=True))
    for each, temp in zip(target.elts, temps, strict=True):
        _store_value(each, temp, scope, node)


def _store_records(targets: list[Any], parts: list[Expr], scope: Scope, node: Any) -> None:
    """Store what some records and other values are, all as they were before."""
    if len(targets) != len(parts):
        raise Unsupported(
            "this does not unpack to as many targets",
            scope.span(node),
            "Write as many targets as there are values.",
        )
    named = [isinstance(part, Var) and not _is_static(part, scope) for part in parts]
    values = [
        scope.temp(part, node) if is_value else _standing(part, scope)
        for part, is_value in zip(parts, named, strict=True)
    ]
    for target, value in zip(targets, values, strict=True):
        _store_value(target, value, scope, node)


def _is_static(part: Expr, scope: Scope) -> bool:
    """Tell whether a part stands for a record or a function."""
    return scope.record(part) is not None or functions.function_in(part, scope) is not None


def _standing(part: Expr, scope: Scope) -> Expr:
    record = scope.record(part)
    return part if record is None else records.standing_for(record, scope)


def _store_value(target: Any, value: Expr, scope: Scope, node: Any) -> None:
    target = resolved(target, scope)
    if isinstance(target, gast.Name):
        bind_value(target.id, value, scope, node)
    elif isinstance(target, gast.Subscript):
        write(target, "=", value, scope, node)
    elif isinstance(target, gast.Tuple | gast.List):
        temps = tuple(scope.numbers.temp("item") for _ in target.elts)
        scope.emit(Assign(temps, value, scope.span(node), unpack=True))
        for each, temp in zip(target.elts, temps, strict=True):
            _store_value(each, temp, scope, node)
    else:
        raise Unsupported(
            "an assignment to an attribute is not differentiated",
            scope.span(target),
            "Keep the value in a local name.",
        )
