"""The fields of arguments that are objects: kept from writes, and their adjoints put together.

p_u = p.u                       p_u = np.copy(p.u)          where the function writes to p.u
...                             p_bar = p._replace(u=p_u_bar)

Those of dicts that are taken apart, too: d_u = d["u"]; ...; d_bar = {"u": d_u_bar}.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from s2sad.legacy.contribute import ZEROS_LIKE, ZEROS_OF
from s2sad.legacy.desugar.listable import may_make_dicts
from s2sad.legacy.facts import Fact
from s2sad.legacy.held import Keys
from s2sad.legacy.memory import NOTHING, own_memory
from s2sad.legacy.program import (
    NONE,
    Assign,
    Attr,
    Block,
    Call,
    Const,
    Effect,
    Expr,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Update,
    Var,
)
from s2sad.legacy.statics.entering import Structure
from s2sad.legacy.storage import roots_of
from s2sad.legacy.traverse import defines, statements
from s2sad.source.plain import is_named_tuple

WITH_FIELDS = Ref("_with_fields", "printed")
COPY = Ref("np.copy", np.copy)
COPIED = Ref("_copied", "printed")
COPIES = (COPY, COPIED)


def structures(given: Mapping[str, Fact]) -> tuple[tuple[str, Structure | Const | Keys], ...]:
    """Return the structures of parameters that are objects with fields, dicts or tuples, and texts."""
    found = ((name, _structure(fact)) for name, fact in given.items())
    return tuple((name, each) for name, each in found if each is not None)


def _structure(fact: Fact) -> Structure | Const | Keys | None:
    if fact.kind == "str":
        return fact.value
    if fact.kind == "none":
        return NONE
    if fact.kind in ("dict", "tuple") and fact.made_of is None:
        return _keys(fact)
    if fact.kind not in ("record", "dict"):
        return None
    parts = zip(fact.keys, fact.items, strict=True)
    return fact.made_of, tuple((str(key), _structure(item)) for key, item in parts)


def ways_to_read(function: Any, given: Mapping[str, Fact]) -> Iterator[Mapping[str, Fact]]:
    """Yield what is known of arguments: where it has to be, dicts are taken apart by their keys."""
    apart = {name: _apart(fact) for name, fact in given.items()}
    if apart == given:
        yield given
    else:
        yield from (apart, given) if may_make_dicts(function) else (given, apart)


def _apart(fact: Fact) -> Fact:
    if fact.kind not in ("record", "dict") or not fact.items:
        return fact
    by_text = all(type(key) is str for key in fact.keys) and len(fact.keys) == len(fact.items)
    made_of = dict if fact.kind == "dict" and by_text else fact.made_of
    return replace(fact, made_of=made_of, items=tuple(map(_apart, fact.items)))


def _keys(fact: Fact) -> Keys | None:
    """Return the keys of a dict or the places of a tuple, if they are known."""
    if fact.kind not in ("dict", "tuple") or (fact.kind == "tuple" and fact.shape is None):
        return None
    keys = fact.keys if fact.kind == "dict" else range(len(fact.items))
    if (fact.kind == "dict" and not keys) or len(keys) != len(fact.items):
        return None
    parts = tuple((key, _keys(item)) for key, item in zip(keys, fact.items, strict=True))
    return Keys(parts, fact.kind == "dict")


def with_own_fields(program: Program, fact: Callable[[Expr], Fact]) -> Program:
    """Return a program that copies those fields of arguments which it writes to in place."""
    entries = [s for s in program.body if isinstance(s, Assign) and is_entry(s, fact)]
    if not entries:
        return program
    made = ((s, _copy_of(s.value, fact(s.value))) for s in entries)
    copied = {s: replace(s, value=value) for s, value in made if value is not None}
    apart = replace(program, body=_put(program.body, copied))
    roots = roots_of(apart, fact)
    touched = {root for old in _written_to(apart) for root in own_memory(roots.get(old, NOTHING))}
    needed = {s: made for s, made in copied.items() if s.target in touched}
    return replace(program, body=_put(program.body, needed))


def _copy_of(field: Expr, fact: Fact) -> Expr | None:
    """Return a copy of a field, None for what cannot be written to."""
    if fact.is_array:
        return Call(COPY, (field,))
    return Call(COPIED, (field,)) if fact.kind in ("list", "dict") else None


def _put(body: Block, new: Mapping[Assign, Assign]) -> Block:
    return tuple(new.get(s, s) if isinstance(s, Assign) else s for s in body)


def _written_to(program: Program) -> Iterator[Var]:
    """Yield the values whose memory is written to."""
    for stmt in statements(program.body):
        if isinstance(stmt, Update | Pop):
            yield stmt.old
        elif isinstance(stmt, Effect) and isinstance(stmt.value, Opaque) and stmt.value.writes:
            yield from (var for _, var in stmt.value.reads)


def written_fields(program: Program, fact: Callable[[Expr], Fact]) -> frozenset[str]:
    """Return the fields of arguments that a function writes to in place, `p.u` for each.

    Of one that it gives another value the object, as `p.`.
    """
    entries = [s for s in program.body if isinstance(s, Assign) and is_entry(s, fact)]
    field = {s.target.slot: field_of(s.value) for s in entries}
    found = {_path(field_of(s.value)) for s in entries if field_of(s.value) != s.value}
    for stmt in statements(program.body):
        for var in defines(stmt):
            if var.slot in field and stmt not in entries:
                part = field[var.slot]
                held = not isinstance(stmt, Assign) and not fact(var).is_scalar
                found.add(_path(part) if held else _path(_holder(part)) + ".")
    return frozenset(found)


def _path(field: Expr) -> str:
    match field:
        case Attr(owner, name):
            return f"{_path(owner)}.{name}"
        case Op("index", (owner, Const(key))):
            return f"{_path(owner)}[{key!r}]"
    return field.slot if isinstance(field, Var) else ""


# ---------------------------------------------------------------------------- adjoints


def is_entry(stmt: Assign, fact: Callable[[Expr], Fact]) -> bool:
    """Tell whether a statement takes a field out of a parameter, not of an item in one."""
    field = field_of(stmt.value)
    owner = _owner(field)
    if not isinstance(owner, Var) or owner.version != 0:
        return False
    return is_field(field, fact) or (isinstance(field, Op) and _is_field_slot(stmt.target.slot))


def _is_field_slot(slot: str) -> bool:
    return "$" in slot


def field_of(value: Expr) -> Expr:
    """Return the field that is copied, or what is no copy as it is."""
    match value:
        case Call(func, (Attr() | Op("index") as part,)) if func in COPIES:
            return part
    return value


def is_field(value: Expr, fact: Callable[[Expr], Fact]) -> bool:
    """Tell whether an expression is a field of an argument that is an object."""
    owner = _owner(value)
    return isinstance(owner, Var) and isinstance(value, Attr) and fact(owner).kind == "record"


def _owner(field: Expr) -> Expr:
    """Return the object of which a field, or a field of a field, is read."""
    while field != (holder := _holder(field)):
        field = holder
    return field


def _holder(field: Expr) -> Expr:
    """Return what a field is one of; anything else as it is."""
    match field:
        case Attr(owner) | Op("index", (owner, Const(str()))):
            return owner
    return field


def is_taken_apart(fact: Fact) -> bool:
    """Tell whether the adjoint of a parameter is put together of those of its fields."""
    return fact.kind == "record" or (fact.kind == "dict" and fact.made_of is dict)


def put_together(param: Var, fact: Fact, body: Block, bars: Mapping[str, Var]) -> Expr:
    """Return the adjoint of a parameter that is an object: an object like it of adjoints."""
    entries = [s for s in body if isinstance(s, Assign) and _owner(field_of(s.value)) == param]
    slots = {field_of(s.value): s.target.slot for s in reversed(entries)}
    return _object_of_adjoints(param, fact, slots, bars)


def _object_of_adjoints(
    whole: Expr, fact: Fact, slots: Mapping[Expr, str], bars: Mapping[str, Var]
) -> Expr:
    fields: list[tuple[str, Expr]] = []
    for key, item in zip(fact.keys, fact.items, strict=True):
        by_key = fact.kind == "dict"
        part = Op("index", (whole, Const(key))) if by_key else Attr(whole, str(key))
        if item.kind == "record" or item.made_of is dict:
            fields.append((str(key), _object_of_adjoints(part, item, slots, bars)))
        elif item.is_float:
            made = bars.get(slots.get(part, ""))
            fields.append((str(key), _zero(part, item) if made is None else _own(made, item)))
        elif by_key:
            fields.append((str(key), Call(ZEROS_OF, (part,))))
    if fact.kind == "dict":
        return Op("dict", tuple(each for key, part in fields for each in (Const(key), part)))
    if is_named_tuple(fact.made_of):
        return Call(Attr(whole, "_replace"), (), tuple(fields))
    return Call(WITH_FIELDS, (whole,), tuple(fields))


def _own(adjoint: Var, fact: Fact) -> Expr:
    """Return an adjoint as memory of its own."""
    return Call(COPY, (adjoint,)) if fact.is_array else adjoint


def _zero(part: Expr, fact: Fact) -> Expr:
    if fact.is_scalar:
        return Const(0.0)
    return Call(ZEROS_LIKE if fact.is_array else ZEROS_OF, (part,))
