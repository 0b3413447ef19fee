"""Dicts, named tuples and objects that a function makes: each field is a slot of its own.

    d = {"u": x, "v": 0.0}          d_u$1 = x; d_v$1 = 0.0          d holds a Record
    d["v"] -= 0.1 * d["u"]          d_v$1 -= 0.1 * d_u$1
    e = d                           e holds the same Record

So aliases need no care, and what is left are names. Syntax that reads or writes a field that is
known becomes a name, `resolved`, before a statement is lowered.
"""

from __future__ import annotations

import copy
import re
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import gast

from s2sad.echo import bound
from s2sad.errors import Span, Unsupported
from s2sad.program import Assign, Expr, Op, Var, base
from s2sad.scope import Scope
from s2sad.statics.kinds import Fields, Record, is_frozen

BINDING = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


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
    give(scope, added(record, key, scope, node), value, scope.span(node))


def give(scope: Scope, name: str, value: Expr, where: Span, made: Expr | None = None) -> None:
    """Bind a local to a value or a record, and note what memory it shares with others.

    `made` is what the value was just computed as, where that says more.
    """
    record = scope.record(value)
    if record is not None:
        scope.hold(name, record)
        return
    var = scope.define(name)
    bound(scope, name, value if made is None else made)
    scope.emit(Assign((var,), value, where))


def added(record: Record, key: Any, scope: Scope, node: Any) -> str:
    """Return the slot of a field, which the record has from now on."""
    slot, keys = slot_of(record, key), keys_of(record, scope, node)
    if key not in keys:
        fields = Fields((*keys, key))
        scope.held.statics = {**scope.held.statics, record.place: fields}
    return known_as_name(slot, scope)


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
    return scope.read(known_as_name(slot_of(record, key), scope), node)


def values_of(record: Record, scope: Scope, node: Any) -> tuple[Var, ...]:
    """Return what all fields hold, in their order."""
    return tuple(value_at(record, key, scope, node) for key in keys_of(record, scope, node))


def items(record: Record, scope: Scope, node: Any) -> dict[Any, Expr]:
    """Return what all fields hold, by their keys."""
    return {key: value_at(record, key, scope, node) for key in keys_of(record, scope, node)}


def as_tuple(value: Expr, scope: Scope, node: Any) -> Expr:
    """Return a named tuple as a display of its parts, anything else as it is."""
    record = scope.record(value)
    if record is None or not issubclass(record.kind, tuple | list):
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
    """Return a display that holds records as a record itself, anything else as it is."""
    if not isinstance(value, Op) or value.op not in ("tuple", "list"):
        return value
    if not any(scope.record(part) is not None for part in value.args):
        return value
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
        record = scope.record(value)
        if record is None or record.kind is not dict:
            raise Unsupported(
                "the keys of what ** unpacks are not known", scope.span(node), "Write the keys out."
            )
        found |= items(record, scope, node)
    return made(dict, found, scope, node)


def constant(key: Any, scope: Scope) -> Any:
    """Return the key that syntax spells, where it is known."""
    value = spelled(key, scope)
    if value is None:
        raise Unsupported(
            "a key of this dict is not known here",
            scope.span(key),
            "Use keys that are written out, or a list.",
        )
    return value


def spelled(node: Any, scope: Scope) -> Any:
    """Return the key that syntax spells, be it by a name; None where it is not known."""
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
    return None


# ---------------------------------------------------------------------------- syntax


def resolved(node: Any, scope: Scope, later: list[tuple[Record, Any]] | None = None) -> Any:
    """Return a statement or expression in which fields of records are names.

    A field that is written to is there at once, or where there is a list for `later`, noted there:
    what an assignment computes first does not see it.
    """
    if not scope.held.statics or not _touches(node, scope):
        return node
    return _Resolver(scope, later).visit(copy.deepcopy(node))


def _touches(node: Any, scope: Scope) -> bool:
    return any(
        isinstance(part, gast.Name) and isinstance(scope.static(part.id), Record)
        for part in gast.walk(node)
    )


class _Resolver(gast.NodeTransformer):  # type: ignore[misc]
    """Turns `d["u"]` and `o.u` into the names of their slots; blocks are left for later."""

    def __init__(self, scope: Scope, later: list[tuple[Record, Any]] | None = None):
        self.scope = scope
        self.later = later
        self.hidden: frozenset[str] = frozenset()

    def visit(self, node: Any) -> Any:
        if isinstance(node, BINDING):
            return self._with_own_names(node)
        if isinstance(node, gast.FunctionDef | gast.ClassDef):
            return node
        return super().visit(node)

    def _with_own_names(self, node: Any) -> Any:
        outer = self.hidden
        bound = {
            part.id
            for part in gast.walk(node)
            if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load)
        }
        self.hidden |= bound
        try:
            return self.generic_visit(node)
        finally:
            self.hidden = outer

    def generic_visit(self, node: Any) -> Any:
        if isinstance(node, gast.If | gast.While):
            if isinstance(node, gast.If):
                node.test = self.visit(node.test)
            return node
        if isinstance(node, gast.For):
            node.iter, node.target = self.visit(node.iter), self.visit(node.target)
            return node
        return super().generic_visit(node)

    def visit_Attribute(self, node: Any) -> Any:
        node.value = self.visit(node.value)
        return self._field(node, node.attr, lambda kind: kind is not dict)

    def visit_Subscript(self, node: Any) -> Any:
        node.value, node.slice = self.visit(node.value), self.visit(node.slice)
        key = spelled(node.slice, self.scope)
        if key is None:
            return node
        record = self._row(node)
        if isinstance(key, int) and record is not None:
            keys = keys_of(record, self.scope, node)
            return (
                node if not -len(keys) <= key < len(keys) else self._name(record, keys[key], node)
            )
        return self._field(node, key, lambda kind: kind is dict)

    def _row(self, node: Any) -> Record | None:
        record = self._record(node.value)
        return record if record is not None and issubclass(record.kind, tuple | list) else None

    def _record(self, owner: Any) -> Record | None:
        if not isinstance(owner, gast.Name) or owner.id in self.hidden:
            return None
        static = self.scope.static(owner.id)
        return static if isinstance(static, Record) else None

    def _field(self, node: Any, key: Any, fits: Any) -> Any:
        record = self._record(node.value)
        if record is None or not fits(record.kind):
            return node
        if key in keys_of(record, self.scope, node):
            if isinstance(node.ctx, gast.Del):
                removed(record, key, self.scope, node)
            elif isinstance(node.ctx, gast.Store):
                self._written(record, key, node)
            return self._name(record, key, node)
        if isinstance(node.ctx, gast.Store) and not _is_property(record.kind, key):
            self._written(record, key, node)
            return self._name(record, key, node)
        return node

    def _written(self, record: Record, key: Any, node: Any) -> None:
        _refuse_fixed(record, key, self.scope, node)
        if self.later is None:
            added(record, key, self.scope, node)
        else:
            self.later.append((record, key))

    def _name(self, record: Record, key: Any, node: Any) -> Any:
        slot = known_as_name(slot_of(record, key), self.scope)
        return gast.copy_location(gast.Name(slot, node.ctx, None, None), node)


def _is_property(kind: Any, name: Any) -> bool:
    return isinstance(name, str) and isinstance(getattr(kind, name, None), property)


def _refuse_fixed(record: Record, key: Any, scope: Scope, node: Any) -> None:
    if issubclass(record.kind, tuple) or is_frozen(record.kind):
        raise Unsupported(
            f"{record.name}.{key} is written to, and a {record.kind.__name__} cannot be changed",
            scope.span(node),
            "Make a new one: dataclasses.replace(...), or _replace(...) of a named tuple.",
        )
