"""Hard shadows: bound beside the names in the forward sweep, and from then on ordinary variables.

w = np.zeros(n)         w_bar = np.zeros_like(w)
w = v if c else u       w_bar = v_bar if c else u_bar
v, w = w, v             v_bar, w_bar = w_bar, v_bar
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.analysis.memory import bindings, is_held
from s2sad.analysis.tuples import is_exchange
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Let, RegionOp, Statement, Store
from s2sad.ir.types import Array, Reference, Tuple
from s2sad.reverse.calculus import number
from s2sad.reverse.world import World


def companions(statement: Statement, world: World) -> Statement | None:
    """Return the statement that does to the hard shadows what a statement does to the memory."""
    if isinstance(statement, RegionOp):
        return _operation_beside(statement, world)
    if isinstance(statement, Store):
        return _slot_beside(statement, world)
    if not isinstance(statement, Let):
        return None
    hard = [(t, e) for t, e in bindings(statement) if world.is_hard(t) and _has_shadow(t, world)]
    if not hard:
        return None
    if len(hard) == 1 and not isinstance(statement.target, tuple):
        target, value = hard[0]
        return Let(world.bar(target).data, _shadow_of(target, value, world), statement.span)
    if not is_exchange(statement):
        raise NotYet("several names for written memory at one time", statement.span)
    targets = tuple(world.bar(t).data for t, _ in hard)
    values = tuple(_shadow_of(t, e, world) for t, e in hard)
    value = Expr("tuple", values, None, Tuple(tuple(v.type for v in values)))
    return Let(targets, value, statement.span)


def _has_shadow(variable: Variable, world: World) -> bool:
    """Tell whether a variable refers to memory of which some part is active."""
    mine = world.memory.points_to.get(variable, frozenset())
    return any(world.memory.points_to.get(v, frozenset()) & mine for v in world.active)


def _shadow_of(target: Variable, value: Expr, world: World) -> Expr:
    """Return the shadow of what a name is bound to: part of another shadow, or new zeros."""
    if world.memory.is_reference(value):
        return _lifted(value, world)
    if value.op == "conditional":
        raise NotYet("a choice between memory and a new value", value.span)
    if value.op == "list" and isinstance(value.type, Reference):
        return value.with_args(shadow_of_item(arg, world) for arg in value.args)
    if not isinstance(world.memory.types[target], Array):
        raise NotYet("a shadow of what is no array", value.span)
    return world.calculus.zeros_like(world.read(target))


def shadow_of_item(item: Expr, world: World) -> Expr:
    """Return the shadow of an item of a list: of a number it is zero."""
    if not is_held(item.type):
        return number(0.0)
    if item.op == "name" and _has_shadow(item.data, world):
        return world.bar(item.data)
    if isinstance(item.type, Array):
        return world.calculus.zeros_like(item)
    raise NotYet("a list in a list of which nothing varies", item.span)


def _operation_beside(operation: RegionOp, world: World) -> RegionOp | None:
    """Return the same operation on the shadow of a list."""
    base = operation.base
    if base.op != "name" or not _has_shadow(base.data, world):
        return None
    held = world.bar(base.data)
    if operation.method == "append":
        item = shadow_of_item(operation.args[0], world)
        return RegionOp(None, held, "append", (item,), operation.span)
    if operation.method == "pop":
        target = operation.target
        is_memory = isinstance(target, Variable) and world.is_hard(target)
        bar = world.bar(target).data if is_memory and isinstance(target, Variable) else None
        return RegionOp(bar, held, "pop", operation.args, operation.span)
    raise NotYet(f"{operation.method} of a list that varies", operation.span)


def _slot_beside(store: Store, world: World) -> Store | None:
    """Return the store of a shadow into the shadow of a list."""
    target = store.target
    if target.op not in ("subscript", "attribute") or target.args[0].op != "name":
        return None
    base = target.args[0]
    if not isinstance(base.type, Reference) or not is_held(store.value.type):
        return None
    if not _has_shadow(base.data, world):
        return None
    place = replace(target, args=(world.bar(base.data), *target.args[1:]))
    return Store(place, "=", shadow_of_item(store.value, world), store.span)


def _lifted(value: Expr, world: World) -> Expr:
    """Return the shadow of a reference, made as the reference is made."""
    if value.op == "name":
        return world.bar(value.data)
    if value.op == "conditional":
        test, left, right = value.args
        arms = tuple(
            _lifted(arm, world)
            if world.memory.is_reference(arm)
            else world.calculus.zeros_like(arm)
            for arm in (left, right)
        )
        return replace(value, args=(test, *arms))
    if value.op in ("subscript", "attribute") and isinstance(value.args[0].type, Reference):
        return replace(value, args=(_lifted(value.args[0], world), *value.args[1:]))
    if value.op == "subscript" and value.args[0].op == "tuple":
        display = value.args[0]
        if not all(world.memory.is_reference(arg) for arg in display.args):
            raise NotYet("a choice between memory and a new value", value.span)
        lifted = display.with_args(_lifted(arg, world) for arg in display.args)
        return replace(value, args=(lifted, value.args[1]))
    shared = world.memory.shares(value)
    if len(shared) != 1:
        raise NotYet("a value that may be part of several arrays", value.span)
    at = shared[0]
    if not at and value.op == "call" and value.args[0].op == "attribute":
        method = value.args[0]
        bound_to = replace(method, args=(_lifted(method.args[0], world),))
        return replace(value, args=(bound_to, *value.args[1:]))
    args = tuple(_lifted(a, world) if k == at else a for k, a in enumerate(value.args))
    return replace(value, args=args)
