"""NumPy calls that write to what they are given become stores.

np.copyto(u, v)                        u[...] = v                    and its like: writers.py
np.multiply(a, b, out=c)               c[...] = np.multiply(a, b)
np.sin(u, out=v, where=m)              v[...] = np.where(m, np.sin(u), v)
np.sin(u, out=np.ones(4), where=m)     np.where(m, np.sin(u), np.ones(4))
v.cumsum(out=w)                        w[...] = v.cumsum()
np.add.at(u, i, v)                     u[i] with v added, repeated positions and all
u.fill(1.0)                            u[...] = 1.0
u.sort()                               u[...] = np.sort(u)            u.partition(k) too
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.legacy import writers
from s2sad.legacy.echo import written
from s2sad.legacy.links import IS_ARRAY, Asked, Question
from s2sad.legacy.lower import atom, inline, lower, operation
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Ref, Update
from s2sad.legacy.scope import Scope
from s2sad.source.names import root_of

Write = Callable[[Any, str, Expr, Scope, Any], None]
WHERE = Ref("np.where", np.where)
# methods that order an array in place, by their keywords
ORDERING = {
    "sort": (Ref("np.sort", np.sort), ("axis", "kind", "stable")),
    "partition": (Ref("np.partition", np.partition), ("kth", "axis", "kind")),
}
# where methods of arrays take `out`; the functions of the same name take the array before
PLACES = (
    dict.fromkeys(("sum", "prod", "cumsum", "cumprod", "mean", "std", "var", "clip", "take"), 2)
    | dict.fromkeys(("max", "min", "ptp", "round", "dot", "argmax", "argmin", "all", "any"), 1)
    | {"compress": 2, "choose": 1, "trace": 4, "outer": 1, "matmul": 1}
)
AT = {"np.add.at": "+", "np.subtract.at": "-"}
# what these write to, all of it
WHOLE = {"np.copyto": "dst", "np.putmask": "a"}


def stored(call: Call, node: Any, scope: Scope, nested: bool, write: Write) -> Expr | None:
    """Write the result of a call with `out=` there; return what it gives back, or None.

    Raises Unsupported in the middle of a test or a subscript, where nothing can be written.
    """
    target = _out_of(call, node, scope)
    if target is None:
        return None
    kept_there = dict(call.keywords).get("where") if _is_ufunc(call.func) else None
    named = isinstance(target, gast.Name | gast.Subscript)
    if not named and kept_there is None:
        return None
    if named and nested:
        raise Unsupported(
            "out= in the middle of a test or subscript is not differentiated",
            scope.span(node),
            "Write the call as a statement of its own.",
        )
    value = _computed(call, kept_there, node, scope)
    if kept_there is not None:
        mask = kept_there if not isinstance(kept_there, Op) else scope.temp(kept_there, node)
        whole = Call(WHERE, (mask, value, atom(target, scope)))
        value = scope.temp(whole, node)
    if not named:
        return value  # it is made in the call, and nobody else has it
    write(_whole(target), "=", value, scope, node)
    return lower(target, scope, atom)


def _computed(call: Call, where: Expr | None, node: Any, scope: Scope) -> Expr:
    """Return what a call gives without the arguments that say where it is to be written."""
    kept = tuple((k, v) for k, v in call.keywords if k != "out" and (where is None or k != "where"))
    by_name = any(k == "out" for k, _ in call.keywords)
    args = call.args if by_name else call.args[: _place_of_out(call.func)]
    while args and args[-1] == NONE and not _is_ufunc(call.func):
        args = args[:-1]  # dtype and axis, which stand before it
    return scope.temp(Call(call.func, args, kept), node)


def _out_of(call: Call, node: Any, scope: Scope) -> Any:
    """Return the syntax of what a NumPy function is told to write to, None if there is none."""
    place = _place_of_out(call.func)
    outs = [keyword.value for keyword in node.keywords if keyword.arg == "out"]
    if place is not None:
        by_position = node.args[place : place + 1]
        if isinstance(call.func, Ref) or (by_position and _is_of_array(node, scope)):
            outs += by_position
    elif not isinstance(call.func, Ref) or not call.func.text.startswith("np."):
        return None
    for value in outs:
        if isinstance(value, gast.Tuple) and len(value.elts) == 1:
            value = value.elts[0]
        if (
            isinstance(value, gast.Name)
            and scope.has(value.id)
            and scope.is_none(scope.value(value.id))
        ):
            return None
        return value if isinstance(value, gast.Name | gast.Subscript | gast.Call) else None
    return None


def _place_of_out(func: Expr) -> int | None:
    """Return the position at which a function or method of arrays takes what it writes to."""
    match func:
        case Ref(_, np.ufunc() as ufunc):
            return ufunc.nin if ufunc.nout == 1 else None
        case Ref(text) if text.startswith("np."):
            place = PLACES.get(text.removeprefix("np."))
            return None if place is None else place + 1
        case Attr(owner, name) if not isinstance(owner, Ref):
            return PLACES.get(name)
    return None


def _is_ufunc(func: Expr) -> bool:
    return isinstance(func, Ref) and isinstance(func.value, np.ufunc)


def _whole(target: Any) -> Any:
    """Return the syntax that stores to all of an array, or to the part that is named."""
    if isinstance(target, gast.Subscript):
        stored_to = copy.copy(target)
        stored_to.ctx = gast.Store()
        return stored_to
    all_of_it = gast.copy_location(gast.Constant(value=Ellipsis, kind=None), target)
    whole = gast.Subscript(value=target, slice=all_of_it, ctx=gast.Store())
    return gast.copy_location(whole, target)


def writes(node: Any, scope: Scope, write: Write) -> bool:
    """Lower a call that stands as a statement and stores; tell whether it was one."""
    call = node.value
    if not isinstance(call, gast.Call):
        return False
    if _is_fill(call, scope):
        write(_whole(call.func.value), "=", atom(call.args[0], scope), scope, node)
        return True
    if _is_sort(call, scope) and _is_array(call.func.value.id, node, scope):
        _sorted(call, node, scope, write)
        return True
    if _is_given_out(call, scope):
        operation(call, scope)  # which stores
        return True
    func = lower(call.func, scope, inline) if _is_dotted(call.func) else None
    text = func.text if isinstance(func, Ref) else ""
    found = writers.given(text, call)
    if found is not None and text in WHOLE and _is_target(found[WHOLE[text]], scope):
        write(
            _whole(found[WHOLE[text]]), "=", writers.copied(text, found, node, scope), scope, node
        )
        return True
    if found is not None and text not in WHOLE:
        return writers.store(text, found, node, scope)
    if text in AT and len(call.args) == 3 and isinstance(call.args[0], gast.Name):
        return _added_at(AT[text], call, node, scope)
    return False


def _is_dotted(node: Any) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)


def _is_fill(call: Any, scope: Scope) -> bool:
    func = call.func
    method = isinstance(func, gast.Attribute) and func.attr == "fill" and len(call.args) == 1
    return bool(method and _is_target(func.value, scope) and not call.keywords)


def _is_given_out(call: Any, scope: Scope) -> bool:
    """Tell whether a method of an array is told what to write to: `v.cumsum(out=w)`."""
    func = call.func
    if not isinstance(func, gast.Attribute) or func.attr not in PLACES:
        return False
    root = root_of(func.value)
    if isinstance(root, gast.Name) and not scope.has(root.id):
        return False  # of a module
    if any(keyword.arg == "out" for keyword in call.keywords):
        return True
    return len(call.args) > PLACES[func.attr] and _is_of_array(call, scope)


def _is_of_array(call: Any, scope: Scope) -> bool:
    """Ask whether a method is called on an array: an object's `max(a, b)` is anything."""
    func = call.func
    owner = func.value if isinstance(func, gast.Attribute) else None
    if not isinstance(owner, gast.Name) or not scope.has(owner.id):
        return False
    return scope.static(owner.id) is None and _is_array(owner.id, call, scope)


def _is_sort(call: Any, scope: Scope) -> bool:
    func = call.func
    if not (isinstance(func, gast.Attribute) and func.attr in ORDERING):
        return False
    known = all(keyword.arg in ORDERING[func.attr][1] for keyword in call.keywords)
    return bool(known and isinstance(func.value, gast.Name) and scope.has(func.value.id))


def _is_array(name: str, node: Any, scope: Scope) -> bool:
    """Ask whether a name holds an array: a list has a method sort as well."""
    slot = scope.slot(name)
    return (
        scope.ask(Asked(Question(scope.span(node), slot, IS_ARRAY), scope.value(name))) == "array"
    )


def _sorted(call: Any, node: Any, scope: Scope, write: Write) -> None:
    args = (atom(call.func.value, scope), *(atom(each, scope) for each in call.args))
    named = tuple((each.arg, atom(each.value, scope)) for each in call.keywords)
    value = scope.temp(Call(ORDERING[call.func.attr][0], args, named), node)
    write(_whole(call.func.value), "=", value, scope, node)


def _is_target(node: Any, scope: Scope) -> bool:
    owner = node.value if isinstance(node, gast.Subscript) else node
    return isinstance(owner, gast.Name) and scope.has(owner.id)


def _added_at(op: str, call: Any, node: Any, scope: Scope) -> bool:
    name = call.args[0].id
    if not scope.has(name):
        return False
    index, value = inline(call.args[1], scope), atom(call.args[2], scope)
    if op == "-":
        value = Const(-value.value) if isinstance(value, Const) else Op("u-", (value,))
        value = scope.temp(value, node)
    slot, old = scope.slot(name), scope.value(name)
    scope.emit(Update(scope.renew(slot), old, index, "add.at", value, scope.span(node)))
    written(scope, slot, node)
    return True
