"""Dicts, named tuples and objects that a function makes: each field is a slot of its own.

    d = {"u": x, "v": 0.0}          d_u$1 = x; d_v$1 = 0.0          d holds a Record
    d["v"] -= 0.1 * d["u"]          d_v$1 -= 0.1 * d_u$1
    e = d                           e holds the same Record

So aliases need no care, and what is left are names. Syntax that reads or writes a field that is
known becomes a name, `resolved`, before a statement is lowered.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import gast

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy.echo import bound
from s2sad.legacy.program import Assign, Const, Expr, Op, Ref, Var, base
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics.folding import folded
from s2sad.legacy.statics.kinds import Fields, Record, Row, is_sequence
from s2sad.source.outside import LONGEST


def made(kind: Any, values: Mapping[Any, Expr], scope: Scope, node: Any) -> Var:
    """Return a new record that holds `values`, as what stands for it in an expression."""
    record = started(kind, scope)
    for key, value in values.items():
        put(record, key, value, scope, node)
    return standing_for(record, scope)


def started(kind: Any, scope: Scope) -> Record:
    """Return a new record without fields."""
    scope.numbers.records += 1
    record = Record(base(scope.called_after), scope.numbers.records, kind)
    scope.held.statics = {**scope.held.statics, record.place: Fields(())}
    return record


def standing_for(record: Record, scope: Scope) -> Var:
    """Return a value that stands for a record while an expression is lowered."""
    var = Var(f"{record.name}%r{record.number}", 0)
    scope.held.statics = {**scope.held.statics, var.slot: record}
    return var


def slot_of(record: Record, key: Any) -> str:
    """Return the slot of a field."""
    word = re.sub(r"\W", "_", str(key))
    mark = "" if word == key else f".{zlib.crc32(repr(key).encode()):x}"
    return f"{record.name}_{word}${record.number}{mark}"


def keys_of(record: Record, scope: Scope, node: Any) -> tuple[Any, ...]:
    """Return the keys that a record has."""
    fields = scope.held.statics.get(record.place)
    if not isinstance(fields, Fields):
        raise Unsupported(
            f"{record.name} has other keys on another way",
            scope.span(node),
            "Give it all its keys where it is made.",
        )
    return fields.keys


def put(record: Record, key: Any, value: Expr, scope: Scope, node: Any) -> None:
    """Give a field a value, or another record."""
    if isinstance(record, Row):
        raise _whole_row(record, scope, node)
    give(scope, added(record, key, scope, node), value, scope.span(node))


def give(scope: Scope, name: str, value: Expr, where: Span, made: Expr | None = None) -> None:
    """Bind a local to a value, a record or a function, and note what memory it shares with others.

    `made` is what the value was just computed as, where that says more.
    """
    static = scope.apart(value)
    if static is not None:
        scope.hold(name, static)
        return
    if value == Op("list", ()) and scope.slot(name) in scope.numbers.lists:
        from s2sad.legacy.statics.tables import begun  # which reads records

        begun(name, scope.numbers.lists[scope.slot(name)], scope, where)
        return
    var = scope.define(name)
    bound(scope, name, value if made is None else made)
    scope.emit(Assign((var,), value, where))
    if isinstance(made, Op) and made.op == "tuple":
        scope.held.displays[var] = made.args


def added(record: Record, key: Any, scope: Scope, node: Any) -> str:
    """Return the slot of a field, which the record has from now on."""
    slot, keys = slot_of(record, key), keys_of(record, scope, node)
    if isinstance(record, Row):
        if key not in keys:
            raise _whole_row(record, scope, node)
        return slot
    if key not in keys:
        fields = Fields((*keys, key))
        scope.held.statics = {**scope.held.statics, record.place: fields}
    return known_as_name(slot, scope)


def _whole_row(record: Row, scope: Scope, node: Any) -> Unsupported:
    return Unsupported(
        f"{record.name} is an item of a list of objects, and given a field that the others have not",
        scope.span(node),
        "Give all objects of a list the same fields where they are made.",
    )


def removed(record: Record, key: Any, scope: Scope, node: Any) -> None:
    """Take a field away."""
    rest = tuple(each for each in keys_of(record, scope, node) if each != key)
    scope.held.statics = {**scope.held.statics, record.place: Fields(rest)}


def known_as_name(slot: str, scope: Scope) -> str:
    """Let a slot be read and written by its own name, like a local."""
    scope.locals |= {slot}
    scope.slots[slot] = slot
    return slot


def value_at(record: Record, key: Any, scope: Scope, node: Any) -> Var:
    """Return what a field holds, or what stands for the record in it."""
    if key not in keys_of(record, scope, node):
        problem = f"{record.name} has no field {key} here"
        if record.kind is dict:
            problem = f"{record.name} has no key {key!r} here"
        raise Unsupported(problem, scope.span(node), "Give it where it is made.")
    if isinstance(record, Row):
        return _item_field(record, key, scope, node)
    return scope.read(known_as_name(slot_of(record, key), scope), node)


def _item_field(row: Row, key: Any, scope: Scope, node: Any) -> Var:
    """Return what a field of an item of a list holds now."""
    from s2sad.legacy.lower import atom  # these stand after this in the pipeline
    from s2sad.legacy.statics.rows import field_of

    scope.called_after = slot_of(row, key)
    value = atom(field_of(row, key, scope, node, gast.Load()), scope)
    return value if isinstance(value, Var) else scope.temp(value, node)


def values_of(record: Record, scope: Scope, node: Any) -> tuple[Var, ...]:
    """Return what all fields hold, in their order."""
    return tuple(value_at(record, key, scope, node) for key in keys_of(record, scope, node))


def items(record: Record, scope: Scope, node: Any) -> dict[Any, Expr]:
    """Return what all fields hold, by their keys."""
    return {key: value_at(record, key, scope, node) for key in keys_of(record, scope, node)}


def items_of_dict(value: Expr, scope: Scope, node: Any) -> dict[Any, Expr] | None:
    """Return what a dict holds that is made here, or is a constant of the module; else None."""
    record = scope.record(value)
    if record is not None:
        return items(record, scope, node) if record.kind is dict else None
    held: Any = value.value if isinstance(value, Ref) else None
    if not is_constant(held):
        return None
    return {
        key: Const(part)
        if isinstance(part, bool | int | float | str | None)
        else scope.temp(Op("index", (value, Const(key))), node)
        for key, part in held.items()
    }


def is_constant(held: Any) -> bool:
    """Tell whether something is a dict of the module, of which it is seen whether it changes."""
    if type(held) is not dict or not len(held) <= LONGEST:
        return False
    return all(isinstance(key, str | int | float | bool) for key in held)


def as_tuple(value: Expr, scope: Scope, node: Any) -> Expr:
    """Return a named tuple as a display of its parts, anything else as it is."""
    record = scope.record(value)
    if record is None or not is_sequence(record.kind):
        return value
    return Op("tuple", values_of(record, scope, node))


def left(inner: Scope, scope: Scope) -> None:
    """Forget what the names of a function held that was lowered in place."""
    scope.held.statics = {
        slot: static
        for slot, static in scope.held.statics.items()
        if not slot.endswith(inner.suffix)
    }


# ---------------------------------------------------------------------------- displays


def row(value: Expr, scope: Scope, node: Any) -> Expr:
    """Return a display of records and functions as a record itself, anything else as it is."""
    if not isinstance(value, Op) or value.op not in ("tuple", "list"):
        return value
    if not any(scope.apart(part) is not None for part in value.args):
        return value
    if scope.numbers.in_columns:
        from s2sad.legacy.statics.tables import of_objects  # which reads records

        table = of_objects(value.args, scope, node)
        if table is not None:
            return standing_for(table, scope)
    scope.numbers.displayed = True
    kind = tuple if value.op == "tuple" else list
    return made(kind, dict(enumerate(value.args)), scope, node)


def row_of(parts: tuple[Expr, ...], kind: type, name: str, scope: Scope, node: Any) -> Record:
    """Return the record of a list or tuple of which some parts are records."""
    scope.called_after = name
    record = started(kind, scope)
    for number, part in enumerate(parts):
        put(record, number, part, scope, node)
    return record


def display(node: Any, scope: Scope, values: Iterable[Expr]) -> Expr:
    """Return the record of a dict display, whose values are computed."""
    found: dict[Any, Expr] = {}
    for key, value in zip(node.keys, values, strict=True):
        if key is not None:
            found[constant(key, scope)] = value
            continue
        held = items_of_dict(value, scope, node)
        if held is None:
            raise Unsupported(
                "the keys of what ** unpacks are not known", scope.span(node), "Write the keys out."
            )
        found |= held
    return made(dict, found, scope, node)


def constant(key: Any, scope: Scope) -> Any:
    """Return the key that syntax spells, where it is known."""
    value = spelled(key, scope)
    if value is None:
        refusal = Unsupported(
            "a key of this dict is not known here",
            scope.span(key),
            "Use keys that are written out, or a list.",
        )
        refusal.certain = False  # it may be one of a dict that a call gives
        raise refusal
    return value


def spelled(node: Any, scope: Scope) -> Any:
    """Return the key that syntax spells, be it by a name; None where it is not known."""
    if isinstance(node, gast.Attribute):
        from s2sad.legacy.statics.resolving import resolved  # which reads records

        node = resolved(node, scope)
    if isinstance(node, gast.Name) and node.id in scope.locals and scope.has(node.id):
        held = scope.held.constants.get(scope.value(node.id))
        return None if held is None else held.value
    return literal(node)


def literal(node: Any) -> Any:
    """Return the text or number, or tuple of such, that syntax spells; None for other syntax."""
    if isinstance(node, gast.Constant):
        return node.value
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        value = literal(node.operand)
        return -value if isinstance(value, int) else None
    if isinstance(node, gast.Tuple):
        parts = tuple(map(literal, node.elts))
        return None if None in parts else parts
    if isinstance(node, gast.JoinedStr):
        words = list(map(_written, node.values))
        return None if None in words else "".join(map(str, words))
    return folded(node, literal)


def _written(part: Any) -> str | None:
    """Return what a part of an f-string is, where it is known: f"{3:02d}"."""
    if isinstance(part, gast.Constant):
        return str(part.value)
    value = literal(part.value)
    form = "" if part.format_spec is None else literal(part.format_spec)
    if value is None or form is None or part.conversion != -1:
        return None
    return format(value, form)
