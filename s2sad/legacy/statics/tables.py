"""Lists of objects, of which nobody knows how many there are, are a list of each field.

bodies = []                                  bodies_x = []; bodies_m = []
bodies.append(Body(x, m))           ->       bodies_x.append(x); bodies_m.append(m)
for b in bodies:                             for k in range(len(bodies_x)):
    b.x += dt * b.m                              bodies_x[k] += dt * bodies_m[k]

A list is known for one of objects by what is appended to it (`mark`). An item has no fields of its
own: they are read, and written, where they stand in the lists.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from s2sad.ir.errors import Span
from s2sad.legacy.desugar.syntax import bound_names, with_
from s2sad.legacy.lower import atom, operation
from s2sad.legacy.program import Expr, Op, Ref, Var, is_temp
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import joining, records
from s2sad.legacy.statics.appending import ItemOf, Kind, kind_of
from s2sad.legacy.statics.kinds import Copy, Cut, Fields, Record, Row, leads_to, table_of
from s2sad.legacy.statics.resolving import resolved
from s2sad.legacy.statics.rows import (
    assigned,
    called,
    column,
    cut,
    field_of,
    forget,
    kept,
    named,
    note,
    place_in,
    placed,
    refuse_going,
    refused,
    row_at,
    table_called,
)
from s2sad.legacy.statics.through import Places, gone_through
from s2sad.source.names import assigned_names, reads_of
from s2sad.source.plain import makes_records

# ---------------------------------------------------------------------------- statements


def written_out(node: Any, scope: Scope) -> list[Any] | None:
    """Return a statement about lists of objects as one about lists of fields; None for others."""
    match node:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.List(elts=[]) as empty):
            return _begun(name, getattr(empty, "s2sad_items", ()), node, scope)
        case gast.Assign(targets=[gast.Tuple()], value=gast.Tuple()):
            return _one_by_one(node)
        case gast.Assign(targets=[gast.Name(), _, *_], value=gast.Subscript() | gast.Name()):
            return _each_given(node, scope)
        case gast.Expr(
            value=gast.Call(func=gast.Attribute(value=owner, attr="append"), args=[arg])
        ) if scope.held.statics:
            owner = resolved(owner, scope)
            table = table_called(owner.id, scope) if isinstance(owner, gast.Name) else None
            return None if table is None else _appended(table, arg, node, scope)
        case gast.Assign(
            targets=[gast.Name(id=name)], value=gast.Subscript() | gast.Name() as value
        ) if scope.held.statics:
            return _taken(name, value, node, scope)
        case gast.For() if scope.held.statics:
            return gone_through(node, scope)
        case gast.Pass():
            for number, step in getattr(node, "s2sad_going", ()):
                scope.numbers.going[number] += step
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(func=gast.Name(id="sorted"), args=[gast.Name(id=owner)]) as call,
        ):
            table = table_called(owner, scope)
            return _by_places(call, scope) if table is None else _in_order(name, table, node, scope)
        case gast.Assign(targets=[gast.Subscript(value=gast.Attribute() | gast.Subscript()) as to]):
            return _element(node, to, "targets", scope)
        case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=owner), slice=at)]):
            table = table_called(owner, scope)
            return None if table is None else _replaced(table, at, node, scope)
        case gast.Delete(targets=[gast.Subscript(value=gast.Name(id=owner), slice=at)]):
            table = table_called(owner, scope)
            return None if table is None else _deleted(table, at, node, scope)
        case gast.AugAssign(target=gast.Subscript(value=gast.Attribute() | gast.Subscript()) as to):
            return _element(node, to, "target", scope)
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=owner, attr="sort"), args=[])):
            table = table_called(getattr(owner, "id", ""), scope)
            return None if table is None else _sorted(table, node, scope)
    return None


def _one_by_one(node: Any) -> list[Any] | None:
    """Return `a, b = [], x` as two assignments, where what is appended to the list is known."""
    (target,), values = node.targets, node.value.elts
    if not any(getattr(value, "s2sad_items", ()) for value in values):
        return None
    names = bound_names(target)
    if len(target.elts) != len(values) or names & {*reads_of(node.value)}:
        return None
    if not all(isinstance(each, gast.Name) for each in target.elts) or len(names) < len(values):
        return None
    pairs = zip(target.elts, values, strict=True)
    return [assigned(each, value, node) for each, value in pairs]


def _each_given(node: Any, scope: Scope) -> list[Any] | None:
    """Return `best = last = objects[0]` as an assignment to each."""
    held = resolved(node.value, scope) if scope.held.statics else node.value
    row = scope.static(held.id) if isinstance(held, gast.Name) else None
    if not isinstance(row, Row) or not all(isinstance(each, gast.Name) for each in node.targets):
        return None
    return [with_(node, targets=[each], value=held) for each in node.targets]


def _element(node: Any, target: Any, part: str, scope: Scope) -> list[Any] | None:
    """Return a write to an element of a field of an item, the field having a name first."""
    if not scope.held.statics:
        return None
    holder = resolved(target.value, scope)
    match holder:
        case gast.Subscript(value=gast.Name(id=owner)) if "$" in owner:
            name = f"{owner.split('$')[0]}_item%k{scope.numbers.key()}"
            scope.locals |= {name}
            whole = with_(target, value=named(name, gast.Load(), node))
            written = with_(node, **{part: [whole] if part == "targets" else whole})
            return [assigned(named(name, gast.Store(), node), holder, node), written]
    return None


def _by_places(call: Any, scope: Scope) -> list[Any] | None:
    """Return the loops that put a list of anything else in order."""
    loops = getattr(call, "s2sad_loops", None)
    scope.locals |= frozenset(assigned_names(loops or []))
    return loops


def _in_order(name: str, table: Record, node: Any, scope: Scope) -> list[Any] | None:
    """Give a name the items of a list in another order."""
    order = Places(scope, node).in_order(table, node.value.keywords)
    if order is None:
        return None
    scope.hold(name, cut(table, order, name, scope, node))
    return []


def _sorted(table: Record, node: Any, scope: Scope) -> list[Any] | None:
    """Return what puts the lists of all fields into another order."""
    order = Places(scope, node).in_order(table, node.value.keywords)
    if order is None or isinstance(table, Cut):
        return None
    refuse_going(table, node, scope)
    slot = kept(order, f"{table.name}_order", scope, node)
    forget(table, lambda held: True, scope)
    out = []
    for key in records.keys_of(table, scope, node):
        number = scope.numbers.key()
        at, items = f"place%k{number}", f"{table.name}_{key}%k{number}"
        scope.locals |= {at, items}
        old, new = column(table, key, scope, node), named(items, gast.Load(), node)
        item = placed(gast.Subscript(old, named(at, gast.Load(), node), gast.Load()), node)
        append = placed(gast.Attribute(new, "append", gast.Load()), node)
        body = [placed(gast.Expr(placed(gast.Call(append, [item], []), node)), node)]
        through = named(records.known_as_name(slot, scope), gast.Load(), node)
        empty = placed(gast.List([], gast.Load()), node)
        out += [
            assigned(named(items, gast.Store(), node), empty, node),
            placed(gast.For(named(at, gast.Store(), node), through, body, [], None), node),
            assigned(column(table, key, scope, node, gast.Store()), new, node),
        ]
    return out


def _begun(name: str, made: Any, node: Any, scope: Scope) -> list[Any] | None:
    opened = [each for each in made if isinstance(each, ItemOf) or scope.opens_here(each)]
    kind = next((k for k in (kind_of(each, scope) for each in opened) if k is not None), None)
    if kind is None:
        return None
    begun(name, kind, scope, scope.span(node))
    return []


def begun(name: str, kind: Kind, scope: Scope, where: Span) -> None:
    """Let a name hold a list of objects that is empty: a list of each field."""
    scope.called_after = name
    table = records.started(table_of(kind[0]), scope)
    scope.held.statics = {**scope.held.statics, table.place: Fields(kind[1])}
    for key in kind[1]:
        scope.numbers.common[table.number, key] = None
        slot = records.known_as_name(records.slot_of(table, key), scope)
        records.give(scope, slot, Op("list", ()), where)
    scope.hold(name, joining.bound(name, table, scope, where))


def of_objects(parts: tuple[Expr, ...], scope: Scope, node: Any) -> Record | None:
    """Return the list of objects that a display shows; None where some could be changed elsewhere."""
    objects = [each for each in map(scope.record, parts) if each is not None]
    if len(objects) < len(parts):
        return None
    kind, keys = objects[0].kind, records.keys_of(objects[0], scope, node)
    if not keys or not (kind is dict or makes_records(kind)):
        return None
    for each in objects:
        if isinstance(each, Row | Cut) or each.kind is not kind or objects.count(each) > 1:
            return None
        shared = not each.is_fixed and not _is_alone(each, node, scope)
        if shared or {*records.keys_of(each, scope, node)} != {*keys}:
            return None
    columns = {key: [records.items(each, scope, node)[key] for each in objects] for key in keys}
    if any(scope.apart(value) is not None for column in columns.values() for value in column):
        return None
    table = records.started(table_of(kind), scope)
    scope.held.statics = {**scope.held.statics, table.place: Fields(keys)}
    for key, values in columns.items():
        scope.numbers.common[table.number, key] = None
        for value in values:
            _note_function(table, key, value, node, scope)
        slot = records.known_as_name(records.slot_of(table, key), scope)
        records.give(scope, slot, Op("list", tuple(values)), scope.span(node))
    return table


def _appended(table: Record, arg: Any, node: Any, scope: Scope) -> list[Any]:
    """Return what appends each field of an object, which has no other name."""
    refuse_going(table, node, scope)
    values = _new_item(table, arg, node, scope)
    forget(table, _moves, scope)
    return [_append(table, key, value, node, scope) for key, value in values.items()]


def _replaced(table: Record, at: Any, node: Any, scope: Scope) -> list[Any] | None:
    """Return what gives a list another object at a place: that before may have other names."""
    if isinstance(at, gast.Slice):
        return None
    values = _new_item(table, node.value, node, scope)
    forget(table, lambda held: True, scope)
    slot = kept(resolved(at, scope), f"{table.name}_place", scope, node)
    out = []
    for key, value in values.items():
        place = named(records.known_as_name(slot, scope), gast.Load(), node)
        to = gast.Subscript(column(table, key, scope, node), place, gast.Store())
        out.append(assigned(placed(to, node), _as_name(table, key, value, node, scope), node))
    return out


def _deleted(table: Record, at: Any, node: Any, scope: Scope) -> list[Any] | None:
    """Return what takes an object off a list."""
    if isinstance(at, gast.Slice) or isinstance(table, Cut):
        return None
    refuse_going(table, node, scope)
    forget(table, lambda held: True, scope)
    place = resolved(at, scope)
    if not isinstance(place, gast.Name | gast.Constant):
        slot = kept(place, f"{table.name}_place", scope, node)
        place = named(records.known_as_name(slot, scope), gast.Load(), node)
    out = []
    for key in records.keys_of(table, scope, node):
        pop = placed(gast.Attribute(column(table, key, scope, node), "pop", gast.Load()), node)
        out.append(placed(gast.Expr(placed(gast.Call(pop, [place], []), node)), node))
    return out


def _new_item(table: Record, arg: Any, node: Any, scope: Scope) -> dict[Any, Expr]:
    """Return the fields of an object that a list is given."""
    if isinstance(table, Cut):
        raise refused(table, "is a part of another", "Change the whole list", node, scope)
    scope.called_after = f"{table.name}_item"
    arg = resolved(arg, scope)
    held = scope.static(arg.id) if isinstance(arg, gast.Name) else None
    made = held or scope.record(operation(arg, scope))
    if not isinstance(made, Record) or made.kind is not table.kind.row:
        raise refused(table, "is given something else", "Append objects of one class", node, scope)
    if set(records.keys_of(made, scope, node)) != set(records.keys_of(table, scope, node)):
        raise refused(
            table, "has objects with other fields", "Give all the same fields", node, scope
        )
    _refuse_changed(table, made, arg, node, scope)
    values = records.items(made, scope, node)
    for key, value in values.items():
        _note_function(table, key, value, node, scope)
    return values


def _note_function(table: Record, key: Any, value: Expr, node: Any, scope: Scope) -> None:
    """Note which function all objects of a list have in a field: they have the same one."""
    place, common = (table.number, key), scope.numbers.common
    known = scope.held.functions.get(value) if isinstance(value, Var) else None
    if place not in common or (known is None and common[place] is None):
        common.pop(place, None)  # what is on the list already is not known
    elif isinstance(known, Ref) and common[place] in (None, known):
        common[place] = known
    else:
        problem = f"has objects with several functions in their field {key}"
        raise refused(table, problem, "Write a class for each, with a method", node, scope)


def _refuse_changed(table: Record, made: Record, arg: Any, node: Any, scope: Scope) -> None:
    """Refuse an object which may be changed under another name than that of the list."""
    if isinstance(made, Row):
        note(made.table, "kept", scope, node)
        note(table, "kept", scope, node)
    elif not made.is_fixed and not (_is_alone(made, arg, scope) and _is_given_up(arg)):
        if not getattr(arg, "s2sad_kept", False) or not _is_alone(made, arg, scope):
            problem = "is given an object that has a name, and could be changed under it"
            raise refused(table, problem, "Append a new one, or copy.copy(...) of it", node, scope)
        note(table, "kept", scope, node)


def _is_given_up(arg: Any) -> bool:
    """Tell whether an object is made where it is appended, or has a name that is read nowhere else."""
    if not isinstance(arg, gast.Name) or "%" in arg.id:
        return True
    return getattr(arg, "s2sad_new", False) or getattr(arg, "s2sad_handed", False)


def _is_alone(made: Record, arg: Any, scope: Scope) -> bool:
    """Tell whether no name, field or function but the one that is appended leads to an object."""
    own = {scope.slot(arg.id)} if isinstance(arg, gast.Name) else set()
    statics = scope.held.statics.items()
    held = {slot for slot, each in statics if leads_to(each) == made and "%r" not in slot}
    return held <= own | scope.numbers.given_up


def _append(table: Record, key: Any, value: Expr, node: Any, scope: Scope) -> Any:
    item = _as_name(table, key, value, node, scope)
    func = placed(gast.Attribute(column(table, key, scope, node), "append", gast.Load()), node)
    return placed(gast.Expr(placed(gast.Call(func, [item], []), node)), node)


def _as_name(table: Record, key: Any, value: Expr, node: Any, scope: Scope) -> Any:
    """Return the name of a value that a field of a new item is given."""
    if scope.record(value) is not None or not isinstance(value, Var):
        problem = f"has objects in its field {key}"
        raise refused(table, problem, "Give them numbers and arrays", node, scope)
    if is_temp(value.slot):
        scope.hold_again(value)
    return named(records.known_as_name(value.slot, scope), gast.Load(), node)


def _moves(held: Row | Cut) -> bool:
    """Tell whether a place may be another one when a list has grown."""
    return held.in_doubt if isinstance(held, Row) else isinstance(held.places, tuple)


def _taken(name: str, value: Any, node: Any, scope: Scope) -> list[Any] | None:
    """Give a name an item of a list: its place, or where it never changes, its fields."""
    held = resolved(value, scope)
    row = scope.static(held.id) if isinstance(held, gast.Name) else None
    if not isinstance(row, Row):
        return None
    again = getattr(node, "s2sad_again", False)
    if not row.is_fixed and not again:
        scope.hold(name, replace(row, name=name))
        return []
    values: dict[Any, Expr] = {}
    for key in records.keys_of(row, scope, node):
        scope.called_after = f"{name}_{key}"
        item = atom(field_of(row, key, scope, node, gast.Load()), scope)
        values[key] = item if isinstance(item, Var) else scope.temp(item, node)
    scope.called_after = name
    record = scope.record(records.made(row.kind, values, scope, node))
    assert record is not None
    if not record.is_fixed:
        note(row.table, "kept", scope, node)
        record = Copy(record.name, record.number, record.kind)
    scope.hold(name, joining.bound(name, record, scope, scope.span(node)))
    return []


def item_of(table: Record, at: Any, name: str, scope: Scope, node: Any) -> Row:
    """Return the item that stands behind brackets, whose place is computed here."""
    if getattr(at, "s2sad_place", False):
        return row_at(table, scope.slot(at.id), False, name, scope)
    known = records.literal(at)
    if isinstance(known, int) and known < 0 and not isinstance(table, Cut):
        first, *_ = records.keys_of(table, scope, node)
        count = called("len", column(table, first, scope, node), node)
        behind = placed(gast.Constant(-known, None), node)
        at = placed(gast.BinOp(count, gast.Sub(), behind), node)
    at = place_in(table, at, scope, node)
    if isinstance(at, gast.Constant) and known is not None:
        return row_at(table, known, False, name, scope)
    slot = kept(at, f"{name}_place", scope, node)
    return row_at(table, slot, known is None and not isinstance(table, Cut), name, scope)
