"""Syntax that reads or writes fields of records becomes names, before a statement is lowered.

d["v"] -= 0.1 * d["u"]          d_v$1 -= 0.1 * d_u$1
b.x, of an item of a list       bodies_x$2[k]
"""

from __future__ import annotations

import copy
from types import BuiltinFunctionType, FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import sequences
from s2sad.legacy.statics.classes import begun_with, refuse_descriptor
from s2sad.legacy.statics.kinds import Copy, Record, Row, Table, is_frozen, is_sequence
from s2sad.legacy.statics.records import (
    added,
    keys_of,
    known_as_name,
    removed,
    slot_of,
    spelled,
    standing_for,
)
from s2sad.source.installed import is_installed
from s2sad.source.names import reads_of, root_of
from s2sad.source.plain import comes_first
from s2sad.source.text import resolve_dotted
from s2sad.source.trees import nodes_of

# what goes through all of what it is given before anything else happens
AT_ONCE = frozenset({"sum", "max", "min", "list", "tuple", "sorted", "any", "all", "len"})
LOOPS = (gast.For, gast.While, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
BINDING = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def resolved(node: Any, scope: Scope, later: list[tuple[Record, Any]] | None = None) -> Any:
    """Return a statement or expression in which fields of records are names.

    A field that is written to is there at once, or where there is a list for `later`, noted there:
    what an assignment computes first does not see it.
    """
    if not scope.held.statics or not _touches(node, scope):
        return node
    return _Resolver(scope, later, isinstance(node, gast.stmt)).visit(copy.deepcopy(node))


def _touches(node: Any, scope: Scope) -> bool:
    return any(
        isinstance(part, gast.Name) and isinstance(scope.static(part.id), Record)
        for part in nodes_of(node)
    )


class _Resolver(gast.NodeTransformer):  # type: ignore[misc]
    """Turns `d["u"]` and `o.u` into the names of their slots; blocks are left for later."""

    def __init__(
        self, scope: Scope, later: list[tuple[Record, Any]] | None = None, before: bool = False
    ):
        self.scope = scope
        self.later = later
        # whether there is a place for statements before this one: before a test there is none
        self.before = before
        self.hidden: frozenset[str] = frozenset()

    def visit(self, node: Any) -> Any:
        if isinstance(node, gast.Lambda) and not self._sees_the_same(node):
            node.args = self.visit(node.args)  # defaults; its names mean what they hold when called
            return node
        if isinstance(node, BINDING):
            return self._with_own_names(node)
        if isinstance(node, gast.FunctionDef | gast.ClassDef):
            return node
        return super().visit(node)

    def _sees_the_same(self, node: Any) -> bool:
        """Tell whether what a lambda reads of records is the same now and when it is called."""
        if getattr(node, "s2sad_at_once", False):
            return True
        names = [name for name in reads_of(node) if self._is_told(name)]
        tree = self.scope.source.tree
        return all(given_once(name, tree) and self._holds_values(name) for name in names)

    def _is_told(self, name: str) -> bool:
        """Tell whether a name stands for a record, or for a key that is known."""
        if self.scope.static(name) is not None:
            return True
        known = name in self.scope.locals and self.scope.has(name)
        return known and self.scope.value(name) in self.scope.held.constants

    def _holds_values(self, name: str) -> bool:
        record, statics = self.scope.static(name), self.scope.held.statics
        if not isinstance(record, Record):
            return record is None
        keys = keys_of(record, self.scope, None)
        return not any(slot_of(record, key) in statics for key in keys)

    def _with_own_names(self, node: Any) -> Any:
        outer = self.hidden
        bound = {
            part.id
            for part in nodes_of(node)
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
            node.iter = self._of_dict(node.iter) or self.visit(node.iter)
            node.target = self.visit(node.target)
            return node
        return super().generic_visit(node)

    def visit_Attribute(self, node: Any) -> Any:
        item = self._of_item(node, node.attr)
        if item is not None:
            return item
        node.value = self.visit(node.value)
        own = "type" not in self.scope.locals and self._record(node.value) is not None
        if node.attr == "__class__" and own:
            asked = gast.Name("type", gast.Load(), None, None)
            return gast.copy_location(
                gast.Call(gast.copy_location(asked, node), [node.value], []), node
            )
        return self._field(node, node.attr, lambda kind: kind is not dict)

    def _of_item(self, node: Any, key: Any) -> Any:
        """Return `bodies[i].x` as the item that it is of the list of that field."""
        if not isinstance(node.value, gast.Subscript) or isinstance(node.value.slice, gast.Slice):
            return None
        table = self._record(self.visit(node.value.value))
        if table is None or not issubclass(table.kind, Table):
            return None
        if key not in keys_of(table, self.scope, node) or isinstance(node.ctx, gast.Del):
            return None
        if self._is_answered(table.kind.row, key, node):
            return None
        from s2sad.legacy.statics import rows  # which reads records

        if isinstance(node.ctx, gast.Store):
            _refuse_fixed(Record(table.name, 0, table.kind.row), key, self.scope, node)
            rows.note(table, "written", self.scope, node)
        function = rows.common_function(table, key, self.scope, node, node.ctx)
        if function is not None:
            return function
        at = rows.place_in(table, self.visit(node.value.slice), self.scope, node)
        named = rows.column(table, key, self.scope, node)
        return gast.copy_location(gast.Subscript(named, at, node.ctx), node)

    def visit_Call(self, node: Any) -> Any:
        if getattr(node.func, "id", "") in AT_ONCE - self.scope.locals:
            node.args = [self._of_dict(arg) or arg for arg in node.args]
        if _is_of_a_library(node.func, self.scope):
            for arg in (*node.args, *(each.value for each in node.keywords)):
                arg.s2sad_at_once = True  # it keeps no function
        node = self.generic_visit(node)
        if self.before and sequences.only_reads(node, self.scope):
            node.args = [self._sequence(arg) or arg for arg in node.args]
        match node:
            case gast.Call(func=gast.Name(id="getattr"), args=[gast.Name() as owner, key]):
                name = spelled(key, self.scope)
                known = "getattr" not in self.scope.locals and self._record(owner)
                if known and isinstance(name, str) and name.isidentifier():
                    read = gast.Attribute(owner, name, gast.Load())
                    return self.visit(gast.copy_location(read, node))
        return node

    def visit_Starred(self, node: Any) -> Any:
        node = self.generic_visit(node)
        node.value = self._sequence(node.value) or node.value
        return node

    def _sequence(self, node: Any) -> Any:
        """Return a named tuple that is gone through as a tuple, and a dict as its keys."""
        record = self._record(node)
        if record is None:
            return None
        if record.kind is dict:
            return sequences.keys(record, node, self.scope)
        if self.before and sequences.is_plain(record, self.scope):
            return sequences.as_name(record, node, self.scope)
        return None

    def _of_dict(self, node: Any) -> Any:
        """Return a display of what `vars(o).items()` and `o.__dict__.values()` go through."""
        match node:
            case gast.Call(func=gast.Attribute(value=owner, attr="items" | "values" | "keys" as what),
                           args=[], keywords=[]):  # fmt: skip
                record = self._record(dict_owner(owner, self.scope))
            case _:
                return None
        if record is None or not has_dict(record):
            return None
        parts = []
        for key in keys_of(record, self.scope, node):
            word = gast.copy_location(gast.Constant(key, None), node)
            value = self._name(
                record, key, gast.copy_location(gast.Name("", gast.Load(), None, None), node)
            )
            pair = gast.copy_location(gast.Tuple([word, value], gast.Load()), node)
            parts.append({"items": pair, "values": value, "keys": word}[what])
        shown = gast.copy_location(gast.Tuple(parts, gast.Load()), node)
        shown.s2sad_fields = (record, what)
        return shown

    def visit_Subscript(self, node: Any) -> Any:
        key = spelled(node.slice, self.scope)
        item = self._of_item(node, key) if isinstance(key, str) else None
        if item is None and isinstance(key, str):
            item = self._by_its_dict(node, key)
        if item is not None:
            return item
        node.value, node.slice = self.visit(node.value), self.visit(node.slice)
        table = self._record(node.value)
        if table is not None and issubclass(table.kind, Table):
            return self._item(table, node)
        key = spelled(node.slice, self.scope)
        if key is None:
            return self._at_place(node)
        record = self._row(node)
        if isinstance(key, int) and record is not None:
            keys = keys_of(record, self.scope, node)
            return (
                node if not -len(keys) <= key < len(keys) else self._name(record, keys[key], node)
            )
        return self._field(node, key, lambda kind: kind is dict)

    def _item(self, table: Record, node: Any) -> Any:
        """Return an item of a list of objects, or a slice, as a name that holds it."""
        from s2sad.legacy.statics import rows, tables  # which read records

        if not isinstance(node.ctx, gast.Load):
            return node
        if isinstance(node.slice, gast.Slice):
            made: Record = rows.cut(table, node.slice, table.name, self.scope, node)
        else:
            made = tables.item_of(table, node.slice, f"{table.name}_item", self.scope, node)
        name = known_as_name(standing_for(made, self.scope).slot, self.scope)
        return gast.copy_location(gast.Name(name, gast.Load(), None, None), node)

    def _at_place(self, node: Any) -> Any:
        """Return a field of a named tuple that is read by its place."""
        if isinstance(node.ctx, gast.Load) and not isinstance(node.slice, gast.Slice):
            if not isinstance(node.slice, gast.Tuple) and self._row(node) is not None:
                node.value = self._sequence(node.value) or node.value
        return node

    def _row(self, node: Any) -> Record | None:
        record = self._record(node.value)
        return record if record is not None and is_sequence(record.kind) else None

    def _record(self, owner: Any) -> Record | None:
        if not isinstance(owner, gast.Name) or owner.id in self.hidden:
            return None
        static = self.scope.static(owner.id)
        return static if isinstance(static, Record) else None

    def _field(self, node: Any, key: Any, fits: Any) -> Any:
        record = self._record(node.value)
        if record is None or not fits(record.kind):
            return node
        if self._is_answered(record.kind, key, node):
            return node
        if key in keys_of(record, self.scope, node):
            if isinstance(node.ctx, gast.Del):
                removed(record, key, self.scope, node)
            elif isinstance(node.ctx, gast.Store):
                self._written(record, key, node)
            return self._name(record, key, node)
        if isinstance(node.ctx, gast.Store):
            self._written(record, key, node)
            return self._name(record, key, node)
        return node

    def _is_answered(self, kind: Any, key: Any, node: Any) -> bool:
        """Tell whether a property stands before a field of its name; refuse other descriptors."""
        if not isinstance(node, gast.Attribute) or kind is dict:
            return False
        refuse_descriptor(kind, key, self.scope.span(node))
        return comes_first(kind, key)

    def _by_its_dict(self, node: Any, key: str) -> Any:
        """Return the field of an object that is read or written as `o.__dict__["x"]`."""
        owner = dict_owner(node.value, self.scope)
        record = None if owner is None else self._record(self.visit(owner))
        if record is None or not has_dict(record) or isinstance(node.ctx, gast.Del):
            return None
        if isinstance(node.ctx, gast.Store):
            self._written(record, key, node)
        elif key not in keys_of(record, self.scope, node):
            return None
        return self._name(record, key, node)

    def _written(self, record: Record, key: Any, node: Any) -> None:
        _refuse_fixed(record, key, self.scope, node)
        if self.later is None:
            added(record, key, self.scope, node)
        else:
            self.later.append((record, key))

    def _name(self, record: Record, key: Any, node: Any) -> Any:
        if isinstance(record, Row):
            from s2sad.legacy.statics.rows import field_of  # which reads records

            return field_of(record, key, self.scope, node, node.ctx)
        slot = known_as_name(slot_of(record, key), self.scope)
        return gast.copy_location(gast.Name(slot, node.ctx, None, None), node)


def _is_of_a_library(func: Any, scope: Scope) -> bool:
    """Tell whether a function is one of an installed module, or of Python's own."""
    if getattr(root_of(func), "id", None) in scope.locals:
        return False
    found = resolve_dotted(scope.source, func)
    value = None if found is None else found[1]
    if isinstance(value, BuiltinFunctionType | np.ufunc):
        return value is not iter
    return isinstance(value, FunctionType) and is_installed(value)


def given_once(name: str, tree: Any) -> bool:
    """Tell whether a function gives a name one value only: in no loop, and nowhere else."""
    nodes = [part for stmt in tree.body for part in nodes_of(stmt)]
    given = [part for part in nodes if _gives(part, name)]
    repeated = {id(part) for each in nodes if isinstance(each, LOOPS) for part in nodes_of(each)}
    count = len(given) + sum(arg.id == name for arg in _parameters(tree.args))
    return count == 1 and not any(id(part) in repeated for part in given)


def _gives(node: Any, name: str) -> bool:
    if isinstance(node, gast.Name):
        return node.id == name and not isinstance(node.ctx, gast.Load)
    return isinstance(node, gast.FunctionDef | gast.ClassDef) and bool(node.name == name)


def _parameters(args: Any) -> list[Any]:
    every = (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg)
    return [each for each in every if each is not None]


def dict_owner(node: Any, scope: Scope) -> Any:
    """Return the object of which syntax is the dict of fields: `vars(o)`, `o.__dict__`."""
    match node:
        case gast.Call(func=gast.Name(id="vars"), args=[owner], keywords=[]):
            return None if "vars" in scope.locals else owner
        case gast.Attribute(value=owner, attr="__dict__"):
            return owner
    return None


def has_dict(record: Record) -> bool:
    """Tell whether the fields of a record are what the dict of the object holds, in that order."""
    if isinstance(record, Row | Copy) or issubclass(record.kind, dict | list | tuple | Table):
        return False
    return not any("__slots__" in vars(each) for each in record.kind.__mro__) and not begun_with(
        record.kind
    )


def _refuse_fixed(record: Record, key: Any, scope: Scope, node: Any) -> None:
    if isinstance(record, Copy):
        raise Unsupported(
            f"{record.name}.{key} is written to, and {record.name} may be an item of several",
            scope.span(node),
            "Write to the item of the list: objects[i].x = ...",
        )
    if issubclass(record.kind, tuple) or is_frozen(record.kind):
        raise Unsupported(
            f"{record.name}.{key} is written to, and a {record.kind.__name__} cannot be changed",
            scope.span(node),
            "Make a new one: dataclasses.replace(...), or _replace(...) of a named tuple.",
        )
    if _has_no_place(record.kind, str(key)):
        raise Unsupported(
            f"{record.name}.{key} is written to, and a {record.kind.__name__} has no place for it: "
            "its fields, named in __slots__, cannot be changed",
            scope.span(node),
            f"Name {key!r} in __slots__, or keep the value in a name of its own.",
        )


def _has_no_place(kind: type, field: str) -> bool:
    """Tell whether objects of a class take no field but those that it names."""
    if issubclass(kind, dict | list | Table):
        return False
    return kind.__dictoffset__ == 0 and not hasattr(kind, field)
