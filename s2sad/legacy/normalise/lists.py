"""Lists that grow and shrink: `xs.append(v)`, `xs.insert(0, v)`, `v = xs.pop()`."""

from __future__ import annotations

from typing import Any

import gast

from s2sad.ir.errors import AliasError, Unsupported
from s2sad.legacy.desugar.lists import is_position
from s2sad.legacy.echo import written
from s2sad.legacy.links import connected
from s2sad.legacy.lower import (
    atom,
    inline,
)
from s2sad.legacy.program import Expr, Pop, Update, Var, base
from s2sad.legacy.scope import ListOfObjects, Scope
from s2sad.legacy.statics import records
from s2sad.legacy.statics.kinds import Function
from s2sad.legacy.statics.rows import is_table
from s2sad.legacy.traverse import walk


def is_list_method(node: Any, name: str, scope: Scope) -> bool:
    """Tell whether `node` is `local.append(v)`, `local.insert(0, v)` or `local.pop()`."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
        return False
    owner, args = node.func.value, node.args
    fits = {
        "append": len(args) == 1,
        "insert": len(args) == 2 and getattr(args[0], "value", None) == 0,
        "pop": not args or (len(args) == 1 and is_position(args[0])),
    }
    return (
        node.func.attr == name
        and isinstance(owner, gast.Name)
        and scope.has(owner.id)
        and fits[name]
        and not node.keywords
    )


def append_to(name: str, value: Any, scope: Scope, node: Any, where: Expr | None = None) -> None:
    scope.called_after = name
    item = atom(value, scope)
    slot, old = scope.slot(name), scope.read(name, node)
    refuse_itself(name, item, old, scope, node)
    shown = scope.held.displays.get(old)
    if isinstance(scope.apart(item), Function):
        _refuse_where_not_known(name, shown if where is None else None, scope, node)
    if scope.apart(item) is not None and shown is not None and where is None:
        scope.hold(name, records.row_of((*shown, item), list, name, scope, node))
        return
    _tell_of_objects(slot, item, scope, node)
    op, new = "append" if where is None else "insert", scope.renew(slot)
    scope.emit(Update(new, old, where, op, item, scope.span(node)))
    if shown is not None and where is None and scope.on_value(item, scope) is not None:
        scope.held.displays[new] = (*shown, item)  # which functions it holds stays known
    written(scope, slot, node, parts=where is None)


def _refuse_where_not_known(name: str, shown: Any, scope: Scope, node: Any) -> None:
    """Refuse a list that is given a function, and may hold any number, or has another name."""
    if shown is None or connected(scope.held.links, [scope.slot(name)]):
        raise Unsupported(
            f"how many functions {base(name)} holds is not known when the derivative is made",
            scope.span(node),
            "Append to a list with one name, in a loop over a range or tuple that is written out.",
        )


def refuse_itself(name: str, item: Expr, owner: Var, scope: Scope, node: Any) -> None:
    """Refuse a list that is put into itself."""
    if any(_is_same(part, owner, scope) for part in walk(item)):
        raise AliasError(
            f"{name} may be one array, and an item of itself: it is put there here",
            scope.span(node),
            f"Put a copy there: list({name}).",
        )


def _tell_of_objects(slot: str, item: Expr, scope: Scope, node: Any) -> None:
    """Begin again where a list turns out to be one of objects: it is begun as such then."""
    record = scope.record(item)
    if record is None or slot in scope.numbers.lists or is_table(record):
        return
    if not issubclass(record.kind, list | tuple) or hasattr(record.kind, "_fields"):
        raise ListOfObjects(slot, (record.kind, records.keys_of(record, scope, node)))


def _is_same(part: Expr, whole: Var, scope: Scope) -> bool:
    """Tell whether a value is the object that another one is."""
    if not isinstance(part, Var):
        return False
    shown = scope.held.displays.get(part, ())
    links, slot = scope.held.links, part.slot
    while slot in links and links[slot].key is None and slot != whole.slot:
        slot = links[slot].base
    return slot == whole.slot or any(_is_same(each, whole, scope) for each in shown)


def pop_from(call: Any, target: Var, scope: Scope, node: Any) -> None:
    name = call.func.value.id
    slot, old = scope.slot(name), scope.read(name, node)
    where = inline(call.args[0], scope) if call.args else None
    scope.emit(Pop(target, scope.renew(slot), old, scope.span(node), where))
    written(scope, slot, node, parts=False)
