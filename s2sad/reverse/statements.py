"""The reverse of assignments and of stores.

u[k] = f(v)         v_bar += ... u_bar[k] ...
                    u_bar[k] = 0.0
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from s2sad.analysis.activity import flows
from s2sad.analysis.containers import (
    NUMBER,
    is_container,
    is_field_step,
    is_made,
    is_slot,
    kind_of,
    step_of,
    stepped,
)
from s2sad.analysis.points_to import bindings
from s2sad.analysis.several import gives_several
from s2sad.analysis.tuples import is_exchange, literal_position
from s2sad.analysis.writes import added_at
from s2sad.ir.expression import (
    Expr,
    Pattern,
    Role,
    Variable,
    attribute,
    call,
    index_parts,
    is_own_call,
    name,
)
from s2sad.ir.program import Let, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric, Tuple, Type
from s2sad.ir.walk import bound, expressions, mentions, nodes, read_variables, statements
from s2sad.operators.find import has_rule
from s2sad.operators.missing import refused_effect
from s2sad.reverse.calculus import number, shape
from s2sad.reverse.containers import slot_of, turn_made, turn_put
from s2sad.reverse.contribute import is_zero, shadow, spread, summed
from s2sad.reverse.fitting import fit, is_as_large
from s2sad.reverse.guards import without_infinite, without_what_is_left_out
from s2sad.reverse.positions import last_ones
from s2sad.reverse.pull import gathered, named_index
from s2sad.reverse.scheduled import turn_scheduled
from s2sad.reverse.structures import is_of_values, shadow_step, slot_type
from s2sad.reverse.world import Code, Contribution


def turn_let(let: Let, code: Code) -> bool:
    """Write the reverse of an assignment; tell whether it reads values as after it."""
    if is_exchange(let):
        _turn_exchange(let, code)
        return True
    world = code.world
    if not let.effect.is_pure and _turn_write(let, code):
        return False  # what is added was computed before it is written
    live = [(t, e) for t, e in bindings(let) if _is_live(t, e, code)]
    if not live:
        for target, _ in bindings(let):
            code.state.discard(target)
        return True
    loop = world.callees.loop(let.value)
    if loop is not None:
        return turn_scheduled(let, loop, code)
    if isinstance(let.target, tuple) and (is_own_call(let.value) or gives_several(let.value)):
        return _turn_several(let, code)
    if not isinstance(let.target, Variable):
        raise code.refuse("several results of which derivatives are asked", let.value)
    if not replace(let.effect, draws=False).is_pure:  # what is drawn is read, never drawn again
        raise refused_effect(let.value, "an active call with an effect", code.span)
    target, value = live[0]
    code.target = target.name
    if is_own_call(value) and world.memory.is_memory(target) and world.memory.shares(value):
        raise code.refuse(
            "a result of an own function that may be its argument and is written", value
        )
    reads_itself = target in read_variables(value)
    if world.is_one_with_argument(target):
        code.state.discard(target)
        code.state.add(world.memory.copies[target])
        return True
    if is_made(value):
        if not is_container(world.memory.types[target]):  # it has no shadow on the other way
            raise code.refuse("what is a tuple, list or dict on some ways alone", value)
        held = world.bar(target)
        if reads_itself:
            held = _name_after(held, f"{target.name}_new_bar", code)
        turn_made(value, held, code)
        return not reads_itself
    g = _typed_like(value, world.bar(target), target, code)
    if world.is_hard(target):
        if reads_itself:
            g = _name_after(g, f"{target.name}_new_bar", code)
    elif world.memory.is_memory(target):
        code.wanted[target] = None
    new = world.read(target)
    if reads_itself:
        new = _name_after(new, f"{target.name}_new", code)
    code.result = value, new
    _spread_let(target, value, g, code)
    if reads_itself:
        _drop_unread(code, new.data)
        return False
    return True


def _typed_like(value: Expr, g: Expr, target: Variable, code: Code) -> Expr:
    """Return the adjoint of a variable with the lengths of what it is bound to, where these are known."""
    match g.type, value.type:
        case Array(), Array() if g.type.rank == value.type.rank:
            return g.typed(replace(g.type, lengths=value.type.lengths))
        case Numeric(), Array() if code.world.is_inactive_as_number(code.world.read(target)):
            return g.typed(value.type)
    return g


def _turn_several(let: Let, code: Code) -> bool:
    """Write the reverse of `w, v = np.linalg.eigh(A)`; tell whether it reads values as after it."""
    world = code.world
    results = bound(let)
    code.target = results[0].name
    is_argument = is_own_call(let.value) and bool(world.memory.shares(let.value))
    reads_itself = bool(set(results) & read_variables(let.value))
    is_hard = any(map(world.is_hard, results))
    is_shared = is_argument and any(map(world.memory.is_memory, results))
    if is_shared or (is_hard and (reads_itself or not world.gives_disjoint(let.value))):
        raise code.refuse("results of a call under two names", let.value)
    new = [world.read(v) for v in results]
    if reads_itself:
        new = [_name_after(each, f"{each.data.name}_new", code) for each in new]
    seed = _adjoint_of_pattern(let.target, let.value.type, reads_itself, code)
    code.result = let.value, Expr("tuple", tuple(new), None, let.value.type)
    found = gathered(let.value, seed, code)
    code.state -= set(results)
    spread(found, code)
    for each in new if reads_itself else ():
        _drop_unread(code, each.data)
    return not reads_itself


def _adjoint_of_pattern(target: Pattern, type_: Type, is_old: bool, code: Code) -> Expr:
    """Return the adjoint of what is bound to a pattern: zeros for what nobody reads.

    `is_old`: the values are those before the statement, the zeros are like those after it.
    """
    if isinstance(target, tuple) and isinstance(type_, Tuple):
        pairs = zip(target, type_.items, strict=True)
        parts = tuple(_adjoint_of_pattern(t, item, is_old, code) for t, item in pairs)
        return Expr("tuple", parts, None, Tuple(tuple(p.type for p in parts)))
    if not isinstance(target, Variable):
        raise code.refuse("a result of an own function that nobody names")
    if target in code.world.active and not is_zero(target, code):
        if code.world.is_easy(target):
            code.wanted[target] = None
        return code.world.bar(target)
    if isinstance(type_, Number):
        return number(0.0)
    value = name(target, type_)
    if is_old:
        value = _name_after(value, f"{target.name}_new", code)
    return code.world.calculus.zeros_like(value)


def _made_without_rule(call: Expr, code: Code) -> Expr | None:
    """Return the call that made what a method is called of, where it has no rule: that is the cause."""
    owner = call.args[0].args[0] if call.args[0].op == "attribute" else call
    made = code.world.definitions.get(owner.data) if owner.op == "name" else None
    if made is None or made.value.op != "call" or is_own_call(made.value):
        return None
    return None if has_rule(made.value) else made.value


def _turn_write(let: Let, code: Code) -> bool:
    """Write the reverse of a call that writes to what varies; tell whether it is one."""
    world = code.world
    written = world.memory.written_by_call(let)
    if not any(v in world.active for v in world.memory.holders(written)):
        return False
    added = added_at(let)
    if added is None or let.target is not None or added[1].op != "name":
        call = _made_without_rule(let.value, code) or let.value
        raise refused_effect(call, "a call that writes in place to what varies", code.span)
    sign, base, positions, value = added
    code.target = base.data.name
    if not is_zero(base.data, code) and world.is_active(value):
        place = world.calculus.part(shadow(base.data, code), named_index(positions, code))

        def adjoint(held: Expr) -> Expr:
            g = world.calculus.negate(held) if sign == "-" else held
            return fit(g, held, value, code)

        found = gathered(value, adjoint(place), code)
        clash = [c for c in found if _is_of_same_memory(c, base, base.data, code)]
        _turn_added(value, place, adjoint, [c for c in found if c not in clash], clash, code)
    return True


def _is_live(target: Variable, value: Expr, code: Code) -> bool:
    """Tell whether an assignment has anything to turn back."""
    world = code.world
    if target not in world.active or not world.is_active(value):
        return False
    if world.memory.is_memory(target) and world.memory.is_reference(value):
        if value.op == "binary" and isinstance(value.type, Array):
            raise code.refuse("arithmetic of a list", value)
        return False
    return not is_zero(target, code)


def _name_after(value: Expr, called: str, code: Code) -> Expr:
    """Return a name for a value as it is after the statement."""
    return code.world.fresh.named(value, called, code.kept, code.span, Role.TERM)


def _drop_unread(code: Code, variable: Variable) -> None:
    """Take out a kept value that no line reads."""
    lines = statements(tuple(code.lines))
    if any(mentions(expr, variable) for line in lines for expr in expressions(line)):
        return
    code.kept = [k for k in code.kept if not (isinstance(k, Let) and k.target == variable)]


def _spread_let(target: Variable, value: Expr, g: Expr, code: Code) -> None:
    plain = not code.world.is_hard(target)
    mark = len(code.lines)
    found = gathered(value, g, code)
    own = [c for c in found if c[0] == target and plain]
    if any(path for _, path, _ in own) or len(summed([c[2] for c in own], code)) > 1:
        del code.lines[mark:]
        g = _name_here(g, f"{target.name}_new_bar", code)
        found = gathered(value, g, code)
        own = [c for c in found if c[0] == target]
    spread([c for c in found if c not in own], code)
    if own == [(target, (), g)] and g == code.world.bar(target):
        return  # x = x + e: the adjoint stays what it is
    if plain:
        code.state.discard(target)
    spread(own, code)


def _name_here(g: Expr, called: str, code: Code) -> Expr:
    """Return a name for an adjoint as it is now."""
    return code.world.fresh.named(g, called, code.lines, code.span, Role.TERM)


def _turn_exchange(let: Let, code: Code) -> None:
    """Exchange adjoint values as the names were, the other way round."""
    world = code.world
    pairs = [
        (target, value.data)
        for target, value in bindings(let)
        if not world.memory.is_memory(target)
    ]
    moved = [(t, s) for t, s in pairs if t in code.state]
    for target, _ in pairs:
        code.state.discard(target)
    if not moved:
        return
    targets = tuple(world.bar(source).data for _, source in moved)
    values = tuple(world.bar(target) for target, _ in moved)
    code.state |= {source for _, source in moved}
    if len(moved) == 1:
        code.emit(Let(targets[0], values[0], code.span))
        return
    value = Expr("tuple", values, None, Tuple(tuple(v.type for v in values)))
    code.emit(Let(targets, value, code.span))


# ---------------------------------------------------------------------------- stores


def turn_store(store: Store, code: Code) -> None:
    """Write the reverse of a store to elements of an array."""
    target = store.target
    base = (target if target.op == "name" else target.args[0]).data
    if base not in code.world.active or is_zero(base, code):
        return
    code.target = base.name
    if target.op != "name" and is_container(target.args[0].type) and store.op == "=":
        if turn_slot(store, base, code):
            return  # the shadows change hands as the arrays did
    place = _place(store, base, code)
    if store.op in ("*", "/") and _turn_scaled(store, base, place, code):
        return
    value, keeps = _new_value(store, code)
    adjoint = partial(_adjoint_of_value, store=store, value=value, code=code)
    if _reads_items(value, base, code):  # to which its adjoint goes in a loop of its own
        held = _taken_aside(place, code)
        if not keeps:
            code.emit(_zeroed(store, place, code))
        spread(gathered(value, adjoint(held), code), code)
        return
    new = _read_after(store, base, code)
    found = gathered(value, adjoint(place), code)
    clash = [c for c in found if _is_of_same_memory(c, store.target, base, code)]
    safe = [c for c in found if c not in clash]
    if keeps:
        _turn_added(value, place, adjoint, safe, clash, code)
    else:
        _turn_assigned(store, base, value, place, safe, clash, code)
    if new is not None:
        _drop_unread(code, new.data)


def _reads_items(value: Expr, base: Variable, code: Code) -> bool:
    """Tell whether a value takes the items of a container together that a store to `base` writes to."""
    memory = code.world.memory
    mine = memory.points_to.get(base, frozenset())
    taken = (arg for node in nodes(value) if node.op == "call" for arg in node.args[1:])
    return any(
        arg.op == "name" and is_container(arg.type) and bool(memory.reach(arg.data) & mine)
        for arg in taken
    )


def _read_after(store: Store, base: Variable, code: Code) -> Expr | None:
    """Let what is computed be read where it was stored to: `b_bar -= g * x[k]` of x[k] = a / b."""
    kinds = [(shape(e), getattr(e.type, "dtype", None)) for e in (store.target, store.value)]
    lengths = kinds[0][0]
    if store.op != "=" or kinds[0] != kinds[1] or lengths is None or None in lengths:
        return None
    new = _name_after(store.target, f"{base.name}_new", code)
    code.result = store.value, new
    return new


def _place(store: Store, base: Variable, code: Code) -> Expr:
    """Return the elements of the shadow that a store's adjoint is."""
    held = shadow(base, code)
    if store.target.op == "name":
        return held
    step = step_of(store.target)
    if step is None:
        raise code.refuse("a store to a field", store.target)
    if is_field_step(step):
        return stepped(held, shadow_step(store.target.args[0].type, step)).typed(store.target.type)
    part = code.world.calculus.part(held, step)
    match store.target.type, part.type:
        case Array(_, known) as stored, Array(dtype, lengths) if None in lengths:
            return part if None in known else part.typed(replace(stored, dtype=dtype))
        case Array(_, known) as stored, Numeric(dtype) if None not in known:
            return part.typed(replace(stored, dtype=dtype))
    return part


def turn_slot(store: Store, base: Variable, code: Code) -> bool:
    """Write the reverse of what is put into a container, but for numbers; tell whether it is."""
    value, step = store.value, step_of(store.target)
    assert step is not None
    slot = slot_type(store.target.args[0].type, step, code.world)
    is_number = kind_of(value.type) == NUMBER and not isinstance(slot, Numeric)
    if is_number or is_of_values(slot, store.target.args[0], code.world):
        return False
    if not code.world.is_active(value):
        return True
    is_new = is_made(value) or not code.world.memory.is_reference(value)
    if is_new:
        turn_put(value, slot_of(shadow(base, code), step, value, code), code)
    return True


def _new_value(store: Store, code: Code) -> tuple[Expr, bool]:
    """Return what a store puts into its place, and whether it adds that to what is there."""
    if store.op in ("=", "+", "-"):
        return store.value, store.op != "="
    return code.world.calculus.binary(store.op, store.target, store.value), False


def _adjoint_of_value(place: Expr, store: Store, value: Expr, code: Code) -> Expr:
    """Return the adjoint of a store's value."""
    g = code.world.calculus.negate(place) if store.op == "-" else place
    if store.target.op == "subscript":
        g = last_ones(g, store.target.args[0].data, store.target.args[1], code)
    if is_slot(store.target) and isinstance(value.type, Array):
        return g.typed(value.type)  # nothing is stretched
    are_vectors = len(shape(g) or ()) == len(shape(value) or ()) == 1
    if are_vectors and is_as_large(store.target, value, code):  # the adjoint may have a name
        return g
    return fit(g, place, value, code)


def _turn_scaled(store: Store, base: Variable, place: Expr, code: Code) -> bool:
    """Write the reverse of `u[k] *= e` where e does not read u's memory; else tell that it is not."""
    world, calculus = code.world, code.world.calculus
    mine = world.memory.points_to[base]
    sources = set(flows(store.value, world.regions)) & world.active
    if any(world.memory.reach(v) & mine for v in sources):
        return False
    if sources:
        if store.op == "/":
            return False
        g = calculus.multiply(place, store.target)
        g = without_infinite(g, place, (store.target,), code)
        if store.target.op == "subscript":
            g = last_ones(g, base, store.target.args[1], code)
        g = fit(g, place, store.value, code)
        spread(gathered(store.value, g, code), code)
    plain = calculus.binary(store.op, place, code.value(store.value))
    scaled = without_what_is_left_out(plain, place, store.value, code)
    if scaled is plain:
        code.emit(Store(place, store.op, code.value(store.value), code.span))
    else:
        code.emit(Store(place, "=", scaled, code.span))
    return True


def _is_of_same_memory(found: Contribution, target: Expr, base: Variable, code: Code) -> bool:
    """Tell whether a contribution goes to the memory that is written to, or through its slot."""
    memory = code.world.memory
    variable, path, _ = found
    mine = memory.points_to.get(base, frozenset())
    ways = [path[:k] for k in range(1, len(path))] if is_slot(target) else []
    return memory.is_memory(variable) and any(
        memory.touched(variable, way) & mine for way in (*ways, path)
    )


def _reads_shadow(found: Contribution, place: Expr) -> bool:
    held = place
    while held.args:
        held = held.args[0]
    return mentions(found[2], held.data)


def _turn_added(
    value: Expr,
    place: Expr,
    adjoint: Callable[[Expr], Expr],
    safe: list[Contribution],
    clash: list[Contribution],
    code: Code,
) -> None:
    readers = [c for c in clash if _reads_shadow(c, place)]
    if len(readers) <= 1:
        spread(safe, code)
        spread(readers, code)
        spread([c for c in clash if c not in readers], code)
        return
    spread(gathered(value, adjoint(_taken_aside(place, code)), code), code)


def _turn_assigned(
    store: Store,
    base: Variable,
    value: Expr,
    place: Expr,
    safe: list[Contribution],
    clash: list[Contribution],
    code: Code,
) -> None:
    index = None if store.target.op == "name" else step_of(store.target)
    if all(_is_apart(c, store, base, index) for c in clash):
        spread(safe, code)
        spread(clash, code)
        code.emit(_zeroed(store, place, code))
        return
    same = [c for c in clash if c[0] == base and c[1] == (() if index is None else (index,))]
    others = [c for c in clash if c not in same and _is_apart(c, store, base, index)]
    rest = [c for c in clash if c not in same + others]
    new = summed([c[2] for c in same], code)
    if len(new) == 1 and all(shape(c[2]) == () for c in rest):
        spread([*safe, *others], code)
        terms = [(v, path, code.temporary(term)) for v, path, term in rest]
        if new[0] != place:
            code.emit(Store(place, "=", new[0], code.span))
        spread(terms, code)
        return
    held = _taken_aside(place, code)
    code.emit(_zeroed(store, place, code))
    spread(gathered(value, _adjoint_of_value(held, store, value, code), code), code)


def _taken_aside(place: Expr, code: Code) -> Expr:
    """Name the adjoint of the stored elements, as it is before the shadow changes."""
    stays = shape(place) == () or is_slot(place)  # a slot gets other zeros
    aside = place if stays else code.world.calculus.copy(place)
    held = _name_here(aside, f"{code.target}_new_bar", code).typed(place.type)
    if code.world.is_steep(place):
        code.world.steep.add(held.data)
    return held


def _zeroed(store: Store, place: Expr, code: Code) -> Store:
    """Return the statement that ends the adjoint of what a store wrote over."""
    step = step_of(store.target)
    if step is None or not is_slot(place) or shape(place) == ():
        return Store(place, "=", number(0.0), code.span)
    held, of = store.target.args[0], place
    item = slot_type(held.type, step, code.world)
    if isinstance(item, Array) and None in item.lengths:  # it may hold several shapes
        of = code.value(store.target)
        if not is_field_step(step) and code.world.memory.may_lack(store.target):
            of = call(attribute(held, "get"), step, place, type_=place.type)
    return Store(place, "=", code.world.calculus.zeros_like(of), code.span)


def _is_apart(found: Contribution, store: Store, base: Variable, index: Expr | None) -> bool:
    """Tell whether a contribution and a store surely go to different elements of one array, or fields."""
    variable, path, _ = found
    if index is None or not path:
        return False
    if is_field_step(path[-1]) and is_field_step(index) and path[-1].data != index.data:
        return True
    is_own = variable == base and (len(path) == 1 or is_slot(store.target))
    return is_own and are_apart(path[0], index)


def are_apart(left: Expr, right: Expr) -> bool:
    """Tell whether two subscripts of one array surely name different elements."""
    lefts, rights = index_parts(left), index_parts(right)
    if len(lefts) != len(rights):
        return False
    return any(_positions_differ(a, b) for a, b in zip(lefts, rights, strict=True))


def _positions_differ(a: Expr, b: Expr) -> bool:
    if any(is_word(a) and is_word(b) for is_word in (is_field_step, _is_text)):
        return bool(a.data != b.data)
    m, n = literal_position(a), literal_position(b)
    if m is not None and n is not None:
        return (m >= 0) == (n >= 0) and m != n
    return _misses(a, n) or _misses(b, m)


def _is_text(part: Expr) -> bool:
    return part.op == "constant" and isinstance(part.data, str)


def _misses(part: Expr, position: int | None) -> bool:
    """Tell whether a slice of literal bounds leaves a position out."""
    if part.op != "slice" or position is None:
        return False
    lower, upper, step = part.args
    forwards = step.data is None if step.op == "constant" else False
    if not forwards:
        return False
    start, stop = literal_position(lower), literal_position(upper)
    if position >= 0:
        return start is not None and start > position
    return stop is not None and stop < 0 and stop <= position
