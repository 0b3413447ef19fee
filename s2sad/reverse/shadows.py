"""Hard shadows: bound beside the names in the forward sweep, and from then on ordinary variables.

w = np.zeros(n)         w_bar = np.zeros_like(w)
w = v if c else u       w_bar = v_bar if c else u_bar
v, w = w, v             v_bar, w_bar = w_bar, v_bar
L = [v, x]              L_bar = [v_bar, 0.0]
d[k] = v                d_bar[k] = v_bar
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

from s2sad.analysis.activity import may_vary
from s2sad.analysis.containers import (
    HELD,
    INERT,
    NUMBER,
    UNCLEAR,
    copied,
    field_step,
    is_container,
    is_deep_copy,
    is_display,
    is_field_step,
    is_made,
    is_sum,
    kind_of,
    parts_of,
    repeated,
    slots,
    step_of,
    stepped,
    whole,
)
from s2sad.analysis.points_to import bindings
from s2sad.analysis.retype import present
from s2sad.analysis.tuples import is_exchange
from s2sad.ir.errors import NotYet, Refused, Unfollowed
from s2sad.ir.expression import (
    Expr,
    Fields,
    Variable,
    call,
    called_object,
    constant,
    global_,
    object_of,
    root_of,
)
from s2sad.ir.program import Let, RegionOp, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric, Tuple, Type, Unknown
from s2sad.ir.walk import bound
from s2sad.operators import printed
from s2sad.operators.find import followed
from s2sad.operators.missing import is_set, of_set
from s2sad.operators.table import has
from s2sad.reverse.calculus import have_one_shape, number
from s2sad.reverse.contribute import is_read_only
from s2sad.reverse.structures import (
    NOTHING,
    is_list_of_numbers,
    is_of_values,
    may_be_number_or_array,
    region_of,
    shadow_step,
    slot_type,
    zeros_of,
)
from s2sad.reverse.world import World

COPIED_ZEROS = global_("_shadow_of_copy", printed.function("_shadow_of_copy"))


def companions(statement: Statement, world: World) -> Statement | None:
    """Return the statement that does to the hard shadows what a statement does to the memory."""
    if isinstance(statement, RegionOp):
        return _operation_beside(statement, world)
    if isinstance(statement, Store):
        return _slot_beside(statement, world)
    if not isinstance(statement, Let):
        return None
    hard = [(t, e) for t, e in bindings(statement) if has_shadow(t, world)]
    if not hard or world.is_one_with_argument(hard[0][0]):
        return None
    is_loop = world.callees.loop(statement.value) is not None
    is_disjoint = world.gives_disjoint(statement.value)
    if len(hard) == 1 and (is_loop or is_disjoint or not isinstance(statement.target, tuple)):
        target, value = hard[0]
        return Let(world.bar(target).data, _shadow_of(target, value, world), statement.span)
    if _is_split(statement.value) and len(hard) == len(bound(statement)):
        bars = tuple(world.bar(t).data for t, _ in hard)
        return Let(bars, lifted(statement.value, world), statement.span)
    if not is_disjoint and not is_exchange(statement) and not is_loop:
        raise NotYet("several names for written memory at one time", statement.span)
    targets = tuple(world.bar(t).data for t, _ in hard)
    values = tuple(_shadow_of(t, e, world) for t, e in hard)
    value = Expr("tuple", values, None, Tuple(tuple(v.type for v in values)))
    return Let(targets, value, statement.span)


def has_shadow(variable: Variable, world: World) -> bool:
    """Tell whether a variable refers to hard memory of which some part is active."""
    mine = world.memory.points_to.get(variable, frozenset())
    if not world.is_hard(variable) or not mine & world.shadowed:
        return False
    return may_vary(world.memory.types[variable], world.regions)


def fields_of(held: Type, world: World) -> Iterator[tuple[Expr, Type]]:
    """Yield the steps to the fields of an object, or of a dict under constant keys, with their types."""
    region = region_of(held, world)
    if region is None or region.kind != "fields":
        return
    for key, type_ in region.fields.items():
        yield constant(key) if region.cls in (dict, list) else field_step(str(key)), type_


def number_fields(held: Type, world: World) -> Iterator[Expr]:
    """Yield the steps to the numbers that stand in an object, or in a dict under constant keys."""
    return (step for step, type_ in fields_of(held, world) if kind_of(type_) == NUMBER)


# ---------------------------------------------------------------------------- names


def _shadow_of(target: Variable, value: Expr, world: World) -> Expr:
    """Return the shadow of what a name is bound to: part of another shadow, or new zeros."""
    if value.op == "constant":
        return _new_arm(value, world)
    if world.gives_disjoint(value):
        return _zeros(target, value, world)
    value = as_held(value, world.memory.types[target])
    if is_made(value):
        return made_shadow(value, target, world)
    if world.memory.is_reference(value):
        if value.op == "call" and is_container(value.type) and not _is_split(value):
            raise NotYet("a tuple of parts of arrays", value.span)
        if _is_one_of_numbers_and_arrays(value, world):
            raise NotYet("one of numbers and arrays, at a position that is not known", value.span)
        return lifted(value, world)
    if value.op == "conditional":
        raise NotYet("a choice between memory and a new value", value.span)
    return _zeros(target, value, world)


def _is_split(value: Expr) -> bool:
    """Tell whether a call cuts an array into parts: its shadow is cut into theirs."""
    return has(object_of(value.args[0] if value.op == "call" else value), "splits")


def _zeros(target: Variable, value: Expr, world: World) -> Expr:
    """Return the shadow of memory that is new."""
    held = present(world.memory.types[target])
    if isinstance(held, Array | Numeric):
        return world.calculus.zeros_like(world.read(target).typed(held))
    if is_container(world.memory.types[target]):
        return zeros_of(world.read(target), world)
    raise NotYet("a shadow of what is no array", value.span)


def _is_one_of_numbers_and_arrays(value: Expr, world: World) -> bool:
    """Tell whether a part of a tuple or dict may be a number or an array: its shadow may be a number.

    In a list all shadows are arrays then.
    """
    if value.op != "subscript" or value.args[1].op == "constant":
        return False
    held, region = value.args[0].type, region_of(value.args[0].type, world)
    kinds = set(map(kind_of, held.items)) if isinstance(held, Tuple) else set()
    if region is not None and region.kind == "fields":
        kinds = set(map(kind_of, region.fields.values()))
    return NUMBER in kinds and len(kinds) > 1


def made_shadow(made: Expr, target: Variable | None, world: World) -> Expr:
    """Return the shadow of a new container: made as it is, of the shadows of what is in it."""
    if is_deep_copy(made):
        if target is None:
            raise NotYet("a deep copy within an expression", made.span)
        if may_be_number_or_array(made.type, world):
            raise NotYet("a deep copy of what may be numbers or arrays", made.span)
        mine = world.memory.arrays_in(world.memory.reach(target))
        values = () if mine & world.memory.written else (constant(False),)
        return call(COPIED_ZEROS, world.read(target), *values, type_=made.type)
    if is_set(made):
        raise Refused(of_set(made, made.span))
    if not is_display(made) and has_array_values(made, world):
        return _new_values(made, world.read(target) if target else made, world)
    match made.op:
        case "list" | "tuple" | "call" if is_display(made):
            items = tuple(shadow_of_item(e, made.type, s, world) for s, e in slots(made))
            return Expr("list", items, None, made.type)
        case "dict":
            return _dict_shadow(made, world)
        case "record":
            return _record_shadow(made, world)
    source = copied(made)
    if source is not None:
        return _copy_shadow(made, source, world)
    if is_sum(made):
        return made.with_args(_operand_shadow(arg, world) for arg in made.args)
    held, _ = repeated(made)
    places = held.typed(made.type) if _are_empty_places(held) else held
    return made.with_args(_operand_shadow(places, world) if a is held else a for a in made.args)


def has_array_values(made: Expr, world: World) -> bool:
    """Tell whether a new container holds arrays that are values: it has adjoints of its own for them."""
    held = [type_ for _, type_ in parts_of(made.type, world.regions)]
    return any(isinstance(t, Array) and is_of_values(t, made, world) for t in held)


def _new_values(made: Expr, held: Expr, world: World) -> Expr:
    """Return the shadow of a new container, `held`, with an array of its own for each array in it."""
    source = None if made.op == "subscript" else copied(made)
    fields = [] if source is None else list(fields_of(source.type, world))
    if not fields or source is None:
        if any(is_container(t) for _, t in parts_of(made.type, world.regions)):
            raise NotYet("a copy of what holds arrays beside lists or objects", made.span)
        return zeros_of(held, world)
    steps = [step for step, _ in fields]
    parts = [shadow_of_item(stepped(source, s).typed(t), made.type, s, world) for s, t in fields]
    if is_field_step(steps[0]):
        return Expr("record", tuple(parts), Fields(None, tuple(s.data for s in steps)), made.type)
    region = region_of(source.type, world)
    if region is not None and region.cls is list:
        return Expr("list", tuple(parts), None, made.type)
    items = (Expr("item", pair) for pair in zip(steps, parts, strict=True))
    return Expr("dict", tuple(items), None, made.type)


def _are_empty_places(operand: Expr) -> bool:
    """Tell whether what is repeated is places for what is stored there later: [None] * n."""
    return is_display(operand) and all(kind_of(item.type) == INERT for _, item in slots(operand))


def _dict_shadow(made: Expr, world: World) -> Expr:
    held = ((step, shadow_of_item(value, made.type, step, world)) for step, value in slots(made))
    pairs = [Expr("item", pair) for pair in held]
    written = {step for step, _ in slots(made)}
    missing = [s for s in number_fields(made.type, world) if s not in written]
    pairs += [Expr("item", (step, number(0.0))) for step in missing]
    return Expr("dict", tuple(pairs), None, made.type)


def _record_shadow(made: Expr, world: World) -> Expr:
    names = list(made.data.names)
    values = [shadow_of_item(e, made.type, s, world) for s, e in slots(made)]
    for step in number_fields(made.type, world):
        if step.data not in names:
            names.append(step.data)
            values.append(number(0.0))
    return Expr("record", tuple(values), Fields(None, tuple(names)), made.type)


def _copy_shadow(made: Expr, source: Expr, world: World) -> Expr:
    held = _operand_shadow(source, world)
    if made.op == "subscript":
        return made.with_args((held, made.args[1]))
    region = region_of(source.type, world)
    if region is None or region.kind == "list":
        return call(global_("list", list), held, type_=made.type)
    if region.kind == "mapping" or region.cls is dict:
        return call(global_("dict", dict), held, type_=made.type)
    return call(global_("copy.copy", copy.copy), held, type_=made.type)


def _operand_shadow(operand: Expr, world: World) -> Expr:
    """Return the shadow of a container that goes into a new one."""
    if is_made(operand):
        return made_shadow(operand, None, world)
    root = root_of(operand)
    if root is not None and has_shadow(root, world):
        return lifted(operand, world)
    if is_list_of_numbers(operand.type, world):
        return zeros_of(operand, world)
    if not may_vary(operand.type, world.regions):
        return operand
    return zeros_of(operand, world)


def shadow_of_item(item: Expr, held: Type, step: Expr | None, world: World) -> Expr:
    """Return the shadow of what is put into a slot of a container: of a number it is zero.

    Of a number among arrays it is an array without axes, so that it can be handed round as theirs.
    """
    kind = kind_of(item.type)
    held_type = item.type if step is None else slot_type(held, step, world)
    slot = kind_of(held_type)
    if isinstance(held_type, Numeric):
        if kind == NUMBER:
            options = (global_("complex", complex),) if held_type.dtype[0] == "c" else ()
            return world.calculus.numpy("zeros", constant(()), *options)
        kind = slot = HELD if isinstance(item.type, Array | Numeric) else kind
    if (kind == NUMBER and slot in (NUMBER, INERT)) or (kind == INERT and slot == NUMBER):
        return number(0.0)
    if item.op == "constant" or not may_vary(item.type, world.regions):
        if slot == HELD and isinstance(item.type, Array | Tuple):
            item = item.typed(held_type) if isinstance(held_type, Tuple) else item
            return made_shadow(item, None, world) if is_made(item) else zeros_of(item, world)
        return number(0.0) if kind == NUMBER else NOTHING
    if kind == UNCLEAR or slot != kind:
        raise NotYet("a container of numbers and of arrays or lists", item.span)
    item = as_held(item, held_type)
    if is_made(item):
        return made_shadow(item, None, world)
    if world.memory.sites(item) & world.memory.hard:
        root = root_of(item)
        if root is not None and has_shadow(root, world):
            if item.op == "subscript" and isinstance(item.type, Numeric):
                raise NotYet("a part that may be a number, held by a list or tuple", item.span)
            if adjoint_type(item, held_type) != item.type:
                raise NotYet("a real array that is written to, among complex ones,", item.span)
            return lifted(item, world)
    return zeros_of(item.typed(adjoint_type(item, held_type)), world)


def adjoint_type(item: Expr, slot: Type) -> Type:
    """Return the type of the adjoint of an item in its slot: of a real one among complex ones, complex."""
    kinds = (Array, Numeric, Number)
    if isinstance(item.type, kinds) and isinstance(slot, kinds) and slot.dtype[0] == "c":
        return replace(item.type, dtype=slot.dtype, perhaps_whole=False)
    return item.type


def as_held(value: Expr, held: Type) -> Expr:
    """Return a tuple as the place that it is put into holds it: with numbers among arrays."""
    if not isinstance(held, Tuple) or not isinstance(value.type, Tuple) or held == value.type:
        return value
    if is_display(value) and len(held.items) == len(value.type.items):
        return value.typed(held)
    if _holds_numbers_where(value.type, held):
        raise NotYet("a tuple of numbers in the place of one of arrays", value.span)
    return value


def _holds_numbers_where(type_: Type, held: Type) -> bool:
    """Tell whether a tuple has a number where a place may hold an array."""
    if isinstance(type_, Tuple) and isinstance(held, Tuple):
        return any(map(_holds_numbers_where, type_.items, held.items))
    return isinstance(held, Numeric) and kind_of(type_) == NUMBER


# ---------------------------------------------------------------------------- changes


def _operation_beside(operation: RegionOp, world: World) -> RegionOp | None:
    """Return the same operation on the shadow of a container."""
    base, method, args = operation.base, operation.method, operation.args
    if base.op != "name" or not has_shadow(base.data, world):
        return None
    held = world.bar(base.data)
    match method:
        case "append":
            item = shadow_of_item(args[0], base.type, whole(0), world)
            return RegionOp(None, held, "append", (item,), operation.span)
        case "insert":
            item = shadow_of_item(args[1], base.type, whole(0), world)
            return RegionOp(None, held, "insert", (args[0], item), operation.span)
        case "pop":
            target = operation.target
            is_one = isinstance(target, Variable) and has_shadow(target, world)
            bar = world.bar(target).data if is_one and isinstance(target, Variable) else None
            return RegionOp(bar, held, "pop", args, operation.span)
        case "clear" | "del":
            return RegionOp(None, held, method, args, operation.span)
    raise NotYet(f"{method} of a container that varies", operation.span)


def _slot_beside(store: Store, world: World) -> Store | None:
    """Return the store of a shadow into the shadow of a container."""
    step = step_of(store.target)
    if step is None or store.target.args[0].op != "name":
        return None
    base = store.target.args[0]
    if not is_container(base.type) or not has_shadow(base.data, world) or store.op != "=":
        return None
    slot = slot_type(base.type, step, world)
    place = stepped(world.bar(base.data), shadow_step(base.type, step))
    if is_of_values(slot, base, world) and not world.memory.may_be_first(store):
        if have_one_shape(store.target.typed(slot), store.value):
            return None
    if isinstance(slot, Array) and is_of_values(slot, base, world):
        stored = store.target.typed(adjoint_type(store.value, slot))  # as it is after the store
        return Store(place, "=", zeros_of(stored, world), store.span)
    shadow = shadow_of_item(store.value, base.type, step, world)
    return Store(place, "=", shadow, store.span)


def lifted(value: Expr, world: World) -> Expr:
    """Return the shadow of a reference, made as the reference is made."""
    if value.op == "name":
        return world.bar(value.data)
    if value.op == "global":
        return zeros_of(value, world)
    if value.op == "constant":
        return _new_arm(value, world)
    if value.op == "conditional":
        test, left, right = value.args
        left, right = (as_held(arm, value.type) for arm in (left, right))
        arms = tuple(
            lifted(arm, world) if world.memory.is_reference(arm) else _new_arm(arm, world)
            for arm in (left, right)
        )
        return replace(value, args=(test, *arms))
    step = step_of(value)
    if step is not None and is_container(value.args[0].type) and value.args[0].op != "tuple":
        inner = lifted(value.args[0], world)
        return stepped(inner, shadow_step(value.args[0].type, step)).typed(value.type)
    if value.op == "subscript" and value.args[0].op == "tuple":
        display = value.args[0]
        if not all(world.memory.is_reference(arg) for arg in display.args):
            raise NotYet("a choice between memory and a new value", value.span)
        new = display.with_args(lifted(arg, world) for arg in display.args)
        return replace(value, args=(new, value.args[1]))
    shared = world.memory.shares(value)
    if value.op == "call" and isinstance(value.type, Unknown):
        raise NotYet("a call that may give a number, or a part of what is written", value.span)
    if is_read_only(value):
        raise NotYet("a read-only view of an array that is written", value.span)
    if not world.rules.is_shown(value) and not _is_split(value):
        fault = NotYet("a call that may give a part of what is written, or a new value", value.span)
        raise followed(fault, value)  # its lines say which
    if len(shared) != 1:
        raise followed(NotYet("a value that may be part of several arrays", value.span), value)
    function = called_object(value)
    if function is not None:
        fault = followed(NotYet("a view that the lines of a library choose", value.span), value)
        if isinstance(fault, Unfollowed) and not printed.name_of(function):
            raise fault  # by its own content a shadow would be cut elsewhere
    at = shared[0]
    if not at and value.op == "call" and value.args[0].op == "attribute":
        method = value.args[0]
        bound_to = replace(method, args=(lifted(method.args[0], world),))
        return replace(value, args=(bound_to, *value.args[1:]))
    args = tuple(lifted(a, world) if k == at else a for k, a in enumerate(value.args))
    return replace(value, args=args)


def _new_arm(arm: Expr, world: World) -> Expr:
    """Return the shadow of a new value: of a number where an array may be, an array without axes."""
    if arm.op == "constant":
        is_number = isinstance(arm.type, Number)
        return world.calculus.numpy("zeros", constant(())) if is_number else NOTHING
    if world.is_active(arm):
        raise NotYet("a choice between memory and a new value", arm.span)
    if is_made(arm):
        return made_shadow(arm, None, world)
    return world.calculus.zeros_like(arm)
