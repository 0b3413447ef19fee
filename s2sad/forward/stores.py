"""Stores, done to the shadow as well.

r[k] = e            r_dot[k] = e_dot         0.0 where e does not vary
u *= c              u_dot[...] = u_dot * c + u * c_dot
xs[k] = v           xs_dot[k] = v_dot
"""

from __future__ import annotations

from s2sad.analysis.containers import is_container
from s2sad.analysis.pointers import stored_base
from s2sad.analysis.positions import with_steady_place
from s2sad.analysis.writes import EVERYTHING
from s2sad.forward.statements import plain
from s2sad.forward.whole import made_whole, own, whole
from s2sad.forward.world import Code
from s2sad.forward.zeros import ZERO
from s2sad.ir.expression import Expr, Role, Variable, name
from s2sad.ir.program import Block, Function, Let, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Number, Numeric, Other
from s2sad.ir.walk import rewritten

PARTS = frozenset({"real", "imag"})


def with_named_places(function: Function) -> Function:
    """Return a function in which what is stored to has a name: np.flip(u)[0] = e, (u if k else w)[0] = e."""
    fresh = Fresh.of(function)

    def change(statement: Statement) -> Statement | tuple[Statement, ...]:
        if not isinstance(statement, Store) or statement.target.op == "name":
            return statement
        base, *index = statement.target.args
        if root_of(base) is not None:
            return statement
        kept = fresh.variable("view", Role.PLACE)
        target = statement.target.with_args((name(kept, base.type, base.span), *index))
        return Let(kept, base, statement.span), replace(statement, target=target)

    return replace(function, body=rewritten(function.body, change))


def turn_store(store: Store, code: Code) -> Block:
    """Return a store with that into the shadow."""
    if not code.world.in_try:
        return _turned(store, code)
    # the shadow is stored to after what may raise
    named, steady = with_steady_place(store, code.world.memory, code.world.fresh)
    return (*named, *_turned(steady, code))


def _turned(store: Store, code: Code) -> Block:
    """Return a store with that into the shadow, which may follow it."""
    target = store.target
    base = stored_base(store)
    if isinstance(base.type, Other) and code.world.is_moving(store.value):
        raise code.refuse("a store into what is no array and no list", target)
    root = root_of(base)
    if root is None or not code.world.has_tangent(root):
        if code.world.is_moving(store.value) and root is None:
            raise code.refuse("a store into what has no name", target)
        return plain(store, code)
    if not code.world.is_moving(base):
        return plain(store, code)
    shadow = _shadow(store, code)
    made = _tangent(store, shadow, code)
    first = tuple(code.before)
    value, target = code.with_values(store.value), _place(target, code)
    primal = replace(store, value=value, target=target)
    if made is None:
        return (*first, primal)
    if not code.world.in_try:
        return (*first, made, primal)
    if isinstance(made, Let):
        raise code.refuse("a store of what may be a number or an array", target)
    return (*first, *_after_primal(made, primal, code))


def root_of(expr: Expr) -> Variable | None:
    """Return the variable whose memory a place is a part of."""
    while expr.op in ("subscript", "attribute"):
        expr = expr.args[0]
    if expr.op == "call" and expr.args[0].op == "attribute":
        return root_of(expr.args[0].args[0])
    return expr.data if expr.op == "name" else None


def _place(target: Expr, code: Code) -> Expr:
    """Return the place that is stored to, its positions under their names.

    The place itself is never read under a name: what stands at positions would be a copy.
    """
    if target.op == "subscript":
        base, index = target.args
        return target.with_args((_place(base, code), code.with_values(index)))
    return target.with_args((_place(target.args[0], code),)) if target.op == "attribute" else target


def _shadow(store: Store, code: Code) -> Expr:
    """Return the place in the shadow that is stored to."""
    target = store.target
    if target.op == "name":
        return whole(target, code)
    base = whole(target.args[0], code)
    if target.op == "attribute":
        if isinstance(target.args[0].type, Array | Numeric) and target.data not in PARTS:
            raise code.refuse("a store to an attribute of an array", target)
        return Expr("attribute", (base,), target.data, target.type)
    return Expr("subscript", (base, code.value(target.args[1])), None, target.type)


def _is_slot(store: Store) -> bool:
    """Tell whether a store puts a value into a list, dict or object."""
    return store.target.op != "name" and not isinstance(store.target.args[0].type, Array)


def _may_grow(store: Store) -> bool:
    """Tell whether what may be a number becomes the array that is added to it."""
    target, value = store.target, store.value
    is_number = target.op == "name" and isinstance(target.type, Numeric)
    return is_number and not isinstance(value.type, Number)


def _tangent(store: Store, shadow: Expr, code: Code) -> Store | Let | None:
    """Return the store into the shadow, None where nothing changes."""
    if is_container(store.target.type) and (store.op != "=" or store.target.op == "name"):
        value = code.value(store.value) if store.op == "*" else own(store.value, code)
        return Store(shadow, store.op, value, store.span)
    if store.op == "=" and _is_slot(store):
        return Store(shadow, "=", own(store.value, code), store.span)
    if store.op == "=":
        found = code.push(store.value)
        return Store(shadow, "=", ZERO if found is None else found.expr, store.span)
    if store.op in ("+", "-"):
        found, grows = code.push(store.value), _may_grow(store)
        if found is None and not grows:
            return None
        added = made_whole(found, store.value, code) if grows or found is None else found.expr
        return Store(shadow, store.op, added, store.span)
    return _scaled(store, shadow, code)


def _scaled(store: Store, shadow: Expr, code: Code) -> Store | Let:
    """Return what `r op= e` does to the shadow, for operations that are not linear."""
    new = code.world.tools.infer(Expr("binary", (store.target, store.value), store.op))
    kept = code.kept()
    code.result, code.result_name = new, kept
    found = code.push(new)
    if code.reads_result:
        code.before.append(Let(kept, code.with_values(new), store.span))
    has_axes = not isinstance(store.target.type, Array) or store.target.type.rank > 0
    if store.target.op == "name" and has_axes and _is_alone(store.target.data, code):
        return Let(shadow.data, made_whole(found, new, code), store.span)
    if isinstance(store.target.type, Array) and (store.target.op == "name" or _is_slot(store)):
        shadow = Expr("subscript", (shadow, EVERYTHING), None, store.target.type)
    elif not isinstance(store.target.type, Number | Array):
        raise code.refuse("a store of what may be a number or an array", store.target)
    return Store(shadow, "=", ZERO if found is None else found.expr, store.span)


def _is_alone(variable: Variable, code: Code) -> bool:
    """Tell whether no other name may be of a variable's memory: it may as well be bound anew."""
    world = code.world
    if variable in world.given or variable in world.gone_through:
        return False
    return not world.memory.is_shared(variable, world.dot(variable))


def _after_primal(made: Store, primal: Store, code: Code) -> Block:
    """Return the shadow's store after that of the value, which may raise."""
    kept = code.world.fresh.variable("new_dot", Role.TERM)
    value = made.value
    if isinstance(value.type, Array) and not _is_slot(primal):
        value = code.world.algebra.call(Expr("attribute", (value,), "copy"))
    new = code.world.fresh.variable("new_value", Role.TERM)
    first = (Let(new, primal.value, made.span), Let(kept, value, made.span))
    primal = replace(primal, value=name(new, primal.value.type))
    return *first, primal, replace(made, value=name(kept, made.value.type))
