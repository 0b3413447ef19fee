"""Assignments with an operator: Python reads what is added to before it computes what is added.

w[i] += f(w)        t = w[i]; w[i] = t + f(w)
o.t += o.grown()    refused, where grown gives o.t another value
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.drawn import draws
from s2sad.legacy.echo import MAYBE, writes_whole, written
from s2sad.legacy.links import IS_HOLDER, Asked, Question
from s2sad.legacy.lower import atom, inline, lower, subscript
from s2sad.legacy.normalise.statements import statement
from s2sad.legacy.normalise.stores import owner_of, write
from s2sad.legacy.operators import BINARY
from s2sad.legacy.program import Assign, Expr, Op, Update, Var
from s2sad.legacy.scope import Scope, block_of, static_as_value
from s2sad.legacy.statics.kinds import Record
from s2sad.legacy.traverse import statements
from s2sad.source.names import reads_of
from s2sad.source.text import source_of
from s2sad.source.trees import nodes_of


@statement.register
def _(node: gast.AugAssign, scope: Scope) -> None:
    place = getattr(node, "s2sad_read_at", "") + scope.suffix
    if place in scope.read_at:
        _refuse_given_meanwhile(node, *scope.read_at[place], scope)
    if isinstance(node.target, gast.Name):
        _add_to_name(node, scope)
    elif isinstance(node.target, gast.Subscript):
        _add_to_element(node, scope)
    else:
        raise Unsupported(
            "this target is not differentiated",
            scope.span(node.target),
            "Add to a name or to an element: x += ..., u[i] += ...",
        )


def _refuse_given_meanwhile(node: Any, before: dict[str, Var], begun: int, scope: Scope) -> None:
    """Refuse `o.t += o.grown()` where what is called gives o.t another value: Python has read it."""
    for name in reads_of(node.target) or (getattr(node.target, "id", ""),):
        slot = scope.slot(name)
        if before.get(slot) == scope.held.values.get(slot):
            continue
        if isinstance(node.target, gast.Subscript) or _is_given_anew(
            name, scope.out[begun:], scope
        ):
            raise Unsupported(
                "this line changes what it adds to while it computes what it adds",
                scope.span(node),
                "Compute what is added in a statement of its own.",
            )


def _add_to_name(node: Any, scope: Scope) -> None:
    name = scope.called_after = node.target.id
    if scope.static(name) is not None:
        _add_to_static(name, node, scope)
        return
    old = scope.read(name, node)
    with scope.block() as out:
        value = atom(node.value, scope)
    scope.out.extend(out)
    if scope.value(name) != old and _is_given_anew(name, out, scope):
        raise Unsupported(
            "this line changes what it adds to while it computes what it adds",
            scope.span(node),
            "Compute what is added in a statement of its own.",
        )
    _write_whole(name, BINARY[type(node.op)], value, scope, node)


def _add_to_static(name: str, node: Any, scope: Scope) -> None:
    """`d |= e` of a dict that is made here is `d.update(e)`."""
    static = scope.static(name)
    assert static is not None
    if not isinstance(static, Record) or not isinstance(node.op, gast.BitOr):
        raise static_as_value(static, scope.span(node))
    method = gast.Attribute(_name(name, gast.Load()), "update", gast.Load())
    call = gast.Expr(gast.Call(method, [node.value], []))
    statement(gast.fix_missing_locations(gast.copy_location(call, node)), scope)


def _add_to_element(node: Any, scope: Scope) -> None:
    """Python reads the element before it evaluates the value, which may change it."""
    op, target = BINARY[type(node.op)], node.target
    owner = scope.called_after = owner_of(target, scope)
    asked = Question(scope.span(node), scope.slot(owner), IS_HOLDER)
    holds = scope.ask(Asked(asked, scope.value(owner))) == "holder"
    holds = holds and not isinstance(target.slice, gast.Slice)
    # what a derivative adds to in place is its own, and a new item is as good
    anew = holds and scope.source.is_emitted
    if holds and not anew:
        _add_to_item(node, scope)
        return
    element, held = lower(target, scope, inline), _held(target, scope)
    with scope.block() as out:
        value = atom(node.value, scope)
    _refuse_moved(node, held, out, scope)
    if op in "+-" and _held(target, scope) == held and not anew:
        scope.out.extend(out)
        write(target, op, value, scope, node)
        return
    if draws(inline(target.slice, scope)):
        raise Unsupported(
            "a position that is drawn at random is written to and read",
            scope.span(node),
            "Draw it first: i = rng.integers(n); then u[i] *= ...",
        )
    element = scope.temp(element, node)
    scope.out.extend(out)
    write(target, "=", scope.temp(Op(op, (element, value)), node), scope, node)


def _add_to_item(node: Any, scope: Scope) -> None:
    """Add to an item of a list as Python does: `t = ts[i]; t += e; ts[i] = t` writes to an array."""

    def added(item: str) -> Any:
        return gast.AugAssign(_name(item, gast.Store()), node.op, node.value)

    _through_item(node.target, added, scope, node)


def _through_item(place: Any, step: Callable[[str], Any], scope: Scope, node: Any) -> None:
    """Take an item out of a list or dict, do something with it under its name, and put it back."""
    owner, key = place.value.id, place.slice
    item = _unused(f"{owner}_item", scope)
    steps = []
    if not isinstance(key, gast.Constant | gast.Name):
        name = _unused(f"{owner}_key", scope)
        steps.append(gast.Assign([_name(name, gast.Store())], key, None))
        key = _name(name, gast.Load())
    taken = gast.Subscript(place.value, key, gast.Load())
    steps.append(gast.Assign([_name(item, gast.Store())], taken, None))
    before = scope.value(owner)
    for each in (*steps, step(item)):
        statement(gast.fix_missing_locations(gast.copy_location(each, node)), scope)
    if scope.value(owner) == before:
        # what was not said of the list already, as of numbers, is said now
        slot, index = scope.slot(owner), subscript(key, scope)
        value, span = scope.value(item), scope.span(node)
        scope.emit(Update(scope.renew(slot), before, index, "=", value, span))
        written(scope, slot, node)


def _unused(wanted: str, scope: Scope) -> str:
    """Return a name of its own for a statement, which holds nothing after it."""
    while wanted in scope.locals or scope.has(wanted):
        wanted += "_"
    scope.locals |= {wanted}
    return wanted


def _name(name: str, context: Any) -> Any:
    return gast.Name(name, context, None, None)


def _refuse_moved(node: Any, held: tuple[Var, ...], out: list[Any], scope: Scope) -> None:
    """Refuse `w[k] += f()` where f gives w or k another value."""
    owner = node.target.value.id
    for old in held:
        own = old.slot == scope.slot(owner)
        if scope.held.values.get(old.slot) == old:
            continue
        if not own or _is_given_anew(owner, out, scope):
            raise Unsupported(
                "this line changes where it writes while it computes what it adds",
                scope.span(node),
                "Compute what is added in a statement of its own.",
            )


def _is_given_anew(name: str, out: list[Any], scope: Scope) -> bool:
    """Tell whether statements that compute a value give a name another object meanwhile.

    Fields are given others by methods and inner functions; a name only by a function made inside.
    """
    slot = scope.slot(name)
    if "$" not in slot:
        return _is_bound_inside(name, scope)
    for stmt in statements(block_of(out)):
        match stmt:
            case Assign(targets, echo=False) if slot in {each.slot for each in targets}:
                return True
            case Update(new, index=None) if new.slot == slot:
                return True  # of a number, a new one
    return False


def _is_bound_inside(name: str, scope: Scope) -> bool:
    """Tell whether a function made inside binds a name of the function around it anew."""
    whole = source_of(scope.source.function).tree
    return any(isinstance(part, gast.Nonlocal) and name in part.names for part in nodes_of(whole))


def _held(target: Any, scope: Scope) -> tuple[Var, ...]:
    """Return the values of the names that a target reads."""
    return tuple(scope.value(name) for name in reads_of(target) if scope.has(name))


def _write_whole(name: str, op: str, value: Expr, scope: Scope, node: Any) -> None:
    slot, old = scope.slot(name), scope.read(name, node)
    does = writes_whole(scope, slot, old, node)
    # of what is not known to write, later writes are not said again: other names may hold a number
    new = scope.define(name) if does in ("apart", MAYBE) else scope.renew(slot)
    scope.emit(Update(new, old, None, op, value, scope.span(node)))
    if does == "writes":
        written(scope, slot, node)
