"""The reverse of making and changing containers: adjoints of their numbers are handed on.

L = [x * c, v]          x_bar += c * L_bar[0]
ys = xs + [c]           for k in range(len(xs)):
                            xs_bar[k] += ys_bar[k]
                        c_bar += ys_bar[len(xs)]
x = xs.pop()            xs_bar[-1] += x_bar
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analysis.containers import (
    HELD,
    INERT,
    NUMBER,
    UNCLEAR,
    copied,
    is_container,
    is_deep_copy,
    is_display,
    is_held,
    is_made,
    is_repeated,
    is_sum,
    kind_of,
    parts_of,
    repeated,
    slots,
    stepped,
    whole,
)
from s2sad.analysis.loops import WHOLE, length_of, range_of
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    call,
    constant,
    global_,
    name,
    root_of,
    subscript,
)
from s2sad.ir.program import For, If, Let, RegionOp, Store
from s2sad.ir.types import UNKNOWN, Array, Number, Numeric, Optional, Region, Sequence, Tuple, Type
from s2sad.operators import printed
from s2sad.reverse.calculus import number
from s2sad.reverse.contribute import ADD_SEED, INTO, is_zero, shadow, spread
from s2sad.reverse.pull import gathered
from s2sad.reverse.shadows import (
    adjoint_type,
    fields_of,
    has_array_values,
    has_shadow,
    lifted,
    made_shadow,
)
from s2sad.reverse.structures import is_of_values, region_of, shadow_step, slot_type, zeros_of
from s2sad.reverse.world import Code

ADD = global_("_add_shadow", printed.function("_add_shadow"))


def turn_made(made: Expr, held: Expr, code: Code) -> None:
    """Hand the adjoints of the numbers in a new container, `held`, to what they were made from."""
    if is_deep_copy(made):
        source = made.args[1]
        if _has_shadow(source, code):
            added = call(ADD, _given(source, code), held)
            code.emit(Let(None, added, code.span, INTO))
        elif is_made(source):
            raise code.refuse("a copy of what is made on the spot", made)
        return
    if is_display(made):
        turn_display(made, held, code)
        return
    taken = copied(made)
    if taken is not None:
        _turn_copy(made, taken, held, code)
    elif is_sum(made):
        _turn_sum(made, held, code)
    else:
        _turn_repeated(made, held, code)


def turn_seed(held: Expr, seed: Expr, code: Code) -> None:
    """Add a seed to the shadow of the container that is the result."""
    if not _has_shadow(held, code):
        raise code.refuse("a result of which a part has no shadow", held)
    code.emit(Let(None, call(ADD_SEED, _given(held, code), seed), code.span, INTO))


def turn_made_result(made: Expr, seed: Expr, code: Code) -> None:
    """Hand the seed of a container that is made where it is returned to what it was made from.

    The arrays in it are those of others: what they receive goes to a shadow that holds theirs.
    """
    if _are_values(made, code):
        turn_made(made, seed, code)
        return
    if is_repeated(made):
        raise code.refuse("a list that is repeated where it is returned", made)
    held = code.temporary(made_shadow(made, None, code.world), "result_bar")
    code.emit(Let(None, call(ADD_SEED, held, seed), code.span, INTO))
    turn_made(made, held, code)


def _are_values(made: Expr, code: Code) -> bool:
    """Tell whether each slot of what is in a new container has an adjoint of its own."""
    if is_display(made):
        active = (item for _, item in slots(made) if code.world.is_active(item))
        return all(_is_value(item, code) for item in active)
    if not is_made(made):
        return all(
            kind_of(t) == INERT or is_of_values(t, made, code.world)
            for t in _item_types(made.type, code)
        )
    source = copied(made)
    operands = made.args if is_sum(made) else (source or repeated(made)[0],)
    return not is_deep_copy(made) and all(_are_values(each, code) for each in operands)


def turn_display(display: Expr, held: Expr, code: Code) -> None:
    """Hand the adjoints of the items of a display to what they were made from."""
    for step, item in slots(display):
        if code.world.is_active(item):
            turn_item(item, slot_of(held, step, item, code), code)


def slot_of(held: Expr, step: Expr, item: Expr, code: Code) -> Expr:
    """Return the shadow of an item in its slot: of a number among arrays it is an array."""
    part = stepped(held, shadow_step(held.type, step))
    slot = slot_type(held.type, step, code.world)
    if isinstance(slot, Numeric) and kind_of(item.type) == NUMBER:
        part = code.world.calculus.part(part.typed(slot), constant(()))
    if isinstance(slot, Tuple):
        return part.typed(slot)
    return part.typed(adjoint_type(item, slot))


def turn_item(item: Expr, part: Expr, code: Code) -> None:
    """Hand the adjoint of what was put into a container to what it was made from."""
    if is_made(item):
        turn_made(item, part, code)
        return
    if _is_value(item, code):
        spread(gathered(item, part, code), code)


def _is_value(item: Expr, code: Code) -> bool:
    """Tell whether an item is a number, a new array, or one that nobody writes to."""
    memory = code.world.memory
    is_array = isinstance(item.type, Array | Numeric) and not memory.sites(item) & memory.written
    return is_array or kind_of(item.type) == NUMBER


def _has_shadow(held: Expr, code: Code) -> bool:
    root = root_of(held)
    if root is None:
        return False
    if is_container(code.world.memory.types[root]) and code.world.is_easy(root):
        return root in code.world.active
    return has_shadow(root, code.world)


def _given(held: Expr, code: Code) -> Expr:
    """Return the shadow of a container that hands on what it holds."""
    root = root_of(held)
    assert root is not None
    shadow(root, code)
    return lifted(held, code.world)


def _holds_values(held: Expr, code: Code) -> bool:
    """Tell whether a container holds numbers, of which each copy has an adjoint of its own.

    What may be a number or an array has one, an array, for all that hold it.
    """
    types = _item_types(held.type, code)
    others = [t for t in types if not is_of_values(t, held, code.world)]
    kinds = set(map(kind_of, others))
    if UNKNOWN in types or (len(others) < len(types) and not kinds.isdisjoint((HELD, UNCLEAR))):
        raise code.refuse("a list or tuple of which it is not known that it holds numbers", held)
    return len(others) < len(types)


def _item_types(held: Type, code: Code) -> list[Type]:
    """Return the types of what a list, tuple or dict holds."""
    known = [type_ for _, type_ in parts_of(held, code.world.regions)]
    return known or [slot_type(held, whole(0), code.world)]


def _loop(count: Expr, code: Code, body: object) -> None:
    """Emit a loop over positions."""
    counter = code.world.fresh.variable("k", Role.TERM)
    at = name(counter, WHOLE)
    code.emit(For(counter, count, tuple(body(at)), code.span))  # type: ignore[operator]


def _turn_copy(made: Expr, source: Expr, held: Expr, code: Code) -> None:
    if is_made(source) and made.op == "call":  # tuple(xs[::-1]) holds what xs[::-1] does
        turn_made(source, held, code)
        return
    slices, source = _sliced(made if made.op == "subscript" else source)
    is_seen = _has_shadow(source, code)
    is_hidden = not is_seen and root_of(source) is None and code.world.is_active(source)
    if is_made(source) or is_hidden:
        raise code.refuse("a copy of what is made on the spot", made)
    if not is_seen:
        return
    world = code.world
    given = _given(source, code)
    region = region_of(source.type, world)
    if region is not None and region.kind == "fields":
        if len(slices) > 1:
            raise code.refuse("a slice of a slice of what is no list of one kind", made)
        fields = fields_of(source.type, world)
        pairs = [(step, step) for step, type_ in fields if is_of_values(type_, source, world)]
        if made.op == "subscript":
            pairs = list(_places_of_numbers(made, [old for _, old in pairs], region, code))
        added = [Store(stepped(given, s), "+", stepped(held, at), code.span) for at, s in pairs]
        _if_there(source, tuple(added), code)
        return
    if not _holds_values(source, code):
        return
    if region is not None and region.kind == "mapping":
        key = name(world.fresh.variable("key", Role.TERM), region.key)
        body = Store(subscript(given, key), "+", subscript(held, key), code.span)
        code.emit(For(key.data, source, (body,), code.span))
        return
    places: Expr | None = None
    if slices:
        chosen = range_of(length_of(source))
        for each in reversed(slices):
            chosen = subscript(chosen, each, Sequence(WHOLE, range))
        places = code.temporary(chosen, "places")

    def one(at: Expr) -> list[Store]:
        where = at if places is None else subscript(places, at, WHOLE)
        place = world.calculus.part(given, where)
        return [Store(place, "+", world.calculus.part(held, at), code.span)]

    _loop(range_of(length_of(held)), code, one)


def _sliced(made: Expr) -> tuple[list[Expr], Expr]:
    """Return the slices that are taken one of the other, the last first, and the container of them all."""
    slices: list[Expr] = []
    while made.op == "subscript" and (source := copied(made)) is not None:
        slices.append(made.args[1])
        made = source
    return slices, made


def _places_of_numbers(
    part: Expr, steps: list[Expr], region: Region, code: Code
) -> Iterator[tuple[Expr, Expr]]:
    """Yield where numbers stand in a slice of a list that holds other things, too, and in the list."""
    known = part.args[1].known
    if known is None:
        raise code.refuse("a slice of numbers beside other parts, from a place not known,", part)
    numbers = {step.data for step in steps}
    for at, old in enumerate(range(len(region.fields))[known.value]):
        if old in numbers:
            yield constant(at), constant(old)


def _if_there(held: Expr, lines: tuple[Store, ...], code: Code) -> None:
    """Emit lines that change what is held, which may be None."""
    if not isinstance(held.type, Optional):
        code.lines.extend(lines)
    elif lines:
        test = Expr("compare", (held, constant(None)), ("is not",), Number("bool"))
        code.emit(If(test, lines, (), code.span))


def _turn_sum(made: Expr, held: Expr, code: Code) -> None:
    """Hand on what each of two joined containers receives."""
    first, second = made.args
    _turn_operand(first, held, whole(0), code)
    _turn_operand(second, held, _length_of(first), code)


def _length_of(operand: Expr) -> Expr:
    """Return how many items a container has, without making it again where it is written out."""
    if is_display(operand):
        return whole(len(list(slots(operand))))
    if is_repeated(operand):
        display, count = repeated(operand)
        if is_display(display) and count.known is not None:
            return whole(max(0, len(display.args) * int(count.known.value)))
    return length_of(operand)


def _turn_operand(operand: Expr, held: Expr, offset: Expr, code: Code) -> None:
    """Hand on what a container receives that stands from a place on in a longer one."""
    calculus = code.world.calculus
    if is_display(operand):
        for k, (_, item) in enumerate(slots(operand)):
            if code.world.is_active(item):
                turn_item(item, slot_of(held, _sum(offset, whole(k)), item, code), code)
    elif is_made(operand):
        nothing = constant(None)
        end = _sum(offset, _length_of(operand))
        cut = subscript(held, Expr("slice", (offset, end, nothing)), operand.type)
        turn_made(operand, code.temporary(cut, "part_bar"), code)
    elif _has_shadow(operand, code):
        given = _given(operand, code)

        def body(at: Expr) -> list[Store]:
            g = calculus.part(held, _sum(offset, at))
            return [Store(calculus.part(given, at), "+", g, code.span)]

        if _is_mixed(operand, code):
            for k in _values_in(operand, code):
                code.lines.extend(body(whole(k)))
        elif _holds_values(operand, code):
            _loop(range_of(length_of(operand)), code, body)


def _values_in(held: Expr, code: Code) -> list[int]:
    """Return where a tuple holds numbers or values; what else it holds has one adjoint for all."""
    items = held.type.items if isinstance(held.type, Tuple) else ()
    return [k for k, type_ in enumerate(items) if is_of_values(type_, held, code.world)]


def _is_mixed(held: Expr, code: Code) -> bool:
    """Tell whether a tuple holds values beside other things, memory or what may be a number."""
    items = held.type.items if isinstance(held.type, Tuple) else ()
    return 0 < len(_values_in(held, code)) < len(items) and UNKNOWN not in items


def _sum(a: Expr, b: Expr) -> Expr:
    if a.op == "constant" and b.op == "constant":
        return whole(a.data + b.data)
    if a.op == "constant" and a.data == 0:
        return b
    if b.op == "constant" and b.data == 0:
        return a
    return Expr("binary", (a, b), "+", WHOLE)


def _turn_repeated(made: Expr, held: Expr, code: Code) -> None:
    """Hand on the sum of what the repetitions of each item receive."""
    operand, count = repeated(made)
    world = code.world
    if operand.op in ("list", "tuple"):
        for k, (_, item) in enumerate(slots(operand)):
            if _is_value(item, code) and world.is_active(item):
                spread(gathered(item, _repeated_bar(made, k, held, code), code), code)
            elif is_held(item.type) and not world.memory.is_reference(item):
                raise code.refuse("a new value that is repeated", item)
            elif world.is_active(item) and has_array_values(made, world):
                raise code.refuse("an array that is repeated beside new ones", item)
        return
    if not _has_shadow(operand, code) or not _holds_values(operand, code):
        return
    given = _given(operand, code)

    def body(at: Expr) -> list[Store]:
        where = Expr("binary", (at, length_of(operand)), "%", WHOLE)
        g = world.calculus.part(held, at)
        return [Store(world.calculus.part(given, where), "+", g, code.span)]

    _loop(range_of(length_of(held)), code, body)


def _repeated_bar(made: Expr, k: int, held: Expr, code: Code) -> Expr:
    """Return what all repetitions of an item receive: those of an array have one adjoint, an array.

    Where the container has adjoints of its own for its arrays, each of them has another one.
    """
    operand, count = repeated(made)
    item, nothing = operand.args[k], constant(None)
    many = is_of_values(_slot(held, item, code), operand, code.world)
    many = (many and not isinstance(item.type, Numeric)) or has_array_values(made, code.world)
    if not many and count.known is not None and count.known.value > 0:
        return slot_of(held, whole(k), item, code)
    if many and len(operand.args) == 1:
        each = held
    else:
        step = whole(len(operand.args)) if many else nothing
        stop = nothing if many else whole(k + 1)
        each = subscript(held, Expr("slice", (whole(k) if k else nothing, stop, step)), held.type)
    typed = adjoint_type(item, slot_type(held.type, whole(0), code.world))
    return code.temporary(call(global_("sum", sum), each, type_=typed), "item_bar")


def _slot(held: Expr, item: Expr, code: Code) -> Type:
    """Return the type of an item as it stands in a container; its own where that is not known."""
    type_ = slot_type(held.type, whole(0), code.world)
    return type_ if isinstance(type_, Numeric) else item.type


# ---------------------------------------------------------------------------- changes


def turn_operation(operation: RegionOp, code: Code) -> None:
    """Write the reverse of a change; the containers themselves are put back by the plan."""
    base, world = operation.base, code.world
    target = operation.target
    is_live = isinstance(target, Variable) and target in code.state
    if isinstance(target, Variable) and not world.memory.is_memory(target):
        code.state.discard(target)
    if base.op == "name" and world.is_easy(base.data):
        turn_list(operation, is_live, code)
        return
    if base.op != "name" or not has_shadow(base.data, world):
        if is_live and isinstance(target, Variable) and target in world.active:
            raise code.refuse("an item of what has no shadow", base)
        return
    code.target = base.data.name
    held = world.bar(base.data)
    match operation.method:
        case "append" | "insert":
            at = whole(-1) if operation.method == "append" else operation.args[0]
            item = operation.args[-1]
            if world.is_active(item):
                turn_put(item, slot_of(held, at, item, code), code)
        case "pop" if is_live and isinstance(target, Variable):
            if not is_of_values(world.memory.types[target], base, world):
                return
            at = operation.args[0] if operation.args else whole(-1)
            place = world.calculus.part(held, at)
            code.emit(Store(place, "+", world.bar(target), code.span))


def turn_list(operation: RegionOp, is_live: bool, code: Code) -> None:
    """Write the reverse of a change of a list whose shadow the reverse sweep makes.

    `is_live` tells that the adjoint of the target of a pop has a value.
    """
    variable, span = operation.base.data, operation.span
    if variable not in code.world.active or (is_zero(variable, code) and not is_live):
        return
    code.target = variable.name
    held, world = shadow(variable, code), code.world
    match operation.method:
        case "append" | "insert":
            item, where = operation.args[-1], operation.args[:-1]
            made = world.fresh.variable("item_bar", Role.TERM)
            is_active = world.is_active(item)
            code.emit(RegionOp(made if is_active else None, held, "pop", where, span))
            if is_active:
                world.note_left_out(made, held, world.is_masked(held))
                typed = adjoint_type(item, slot_type(operation.base.type, whole(-1), world))
                spread(gathered(item, name(made, typed), code), code)
        case "pop":
            item = _taken_back(operation, variable, is_live, code)
            word = "insert" if operation.args else "append"
            code.emit(RegionOp(None, held, word, (*operation.args, item), span))
        case "clear":
            assert isinstance(held.data, Variable)
            code.emit(Let(held.data, zeros_of(world.read(variable), world), span))
        case _:
            raise code.refuse(f"{operation.method} of a list that varies", operation.base)


def _taken_back(operation: RegionOp, held: Variable, is_live: bool, code: Code) -> Expr:
    """Return the adjoint of what was taken out of a list."""
    world, target = code.world, operation.target
    assert isinstance(target, Variable | None)
    item = slot_type(world.memory.types[held], whole(0), world)
    if kind_of(item) == NUMBER:
        return world.bar(target) if is_live and target is not None else number(0.0)
    if target is not None and is_live:
        return world.calculus.copy(world.bar(target))
    place = operation.args[0] if operation.args else whole(-1)  # where it is by then again
    return world.calculus.zeros_like(subscript(world.read(held), place, item))


def turn_put(item: Expr, part: Expr, code: Code) -> None:
    """Take aside the shadow of an item as it is after the change, and hand it on before it."""
    if not is_made(item) and not _is_value(item, code):
        return
    aside = code.world.fresh.named(part, "item_bar", code.kept, code.span, Role.TERM)
    turn_item(item, aside, code)
