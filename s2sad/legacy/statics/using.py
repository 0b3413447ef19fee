"""What is done with a record as a whole: made, called, handed to functions, gone through.

p = Params(a, b)            p holds a Record
p.energy(x)                 the lines of the method
sum(d.values())             sum((d_u$1, d_v$1))
isinstance(p, Params)       True
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.calls import gives_record
from s2sad.legacy.generators import as_list, is_generator
from s2sad.legacy.lower import atom, inline, opaque
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.rules import is_known
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import classes, computed, records, sequences
from s2sad.legacy.statics.identity import identity, is_told_apart, refuse_copies
from s2sad.legacy.statics.kinds import Function, Record, is_sequence
from s2sad.legacy.statics.lowering import lowered_in_place, refuse_nested
from s2sad.legacy.statics.rows import is_table, popped, same_item
from s2sad.legacy.statics.sequences import are_plain
from s2sad.legacy.statics.wholes import named_fields, of_dict, of_whole, replaced, takes_whole
from s2sad.legacy.written import Normalise
from s2sad.source.names import reads_of
from s2sad.source.text import resolve_dotted

Lower = Callable[[Any, Scope], Expr]
# what asks an object for all its items
ALL_ITEMS = (list, tuple, sum, max, min, sorted, zip, enumerate, any, all)
DUNDERS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "@": "__matmul__",
    "**": "__pow__", "//": "__floordiv__", "%": "__mod__", "u-": "__neg__", "u+": "__pos__",
    "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "==": "__eq__", "!=": "__ne__",
    "|": "__or__", "&": "__and__", "^": "__xor__", "<<": "__lshift__", ">>": "__rshift__",
    "~": "__invert__",
}  # fmt: skip
REFLECTED = {
    "+": "__radd__", "-": "__rsub__", "*": "__rmul__", "/": "__rtruediv__", "@": "__rmatmul__",
    "**": "__rpow__", "//": "__rfloordiv__", "%": "__rmod__",
    "|": "__ror__", "&": "__rand__", "^": "__rxor__", "<<": "__rlshift__", ">>": "__rrshift__",
}  # fmt: skip
# what these ask an object for
ASKED = {len: "__len__", abs: "__abs__", float: "__float__", bool: "__bool__", int: "__int__"}
ASKED |= {round: "__round__"}


def not_made_here(node: Any, scope: Scope) -> Expr | None:
    """Return a copy of a call that makes an object, where nothing asks for more."""
    if isinstance(node.func, gast.Name | gast.Attribute) and not scope.opens_here(node):
        found = resolve_dotted(scope.source, node.func) if _is_global(node.func, scope) else None
        if found is not None and classes.makes_records(found[1]):
            if not any(scope.static(name) for name in reads_of(node)):
                return opaque(node, scope)
    return None


def _is_global(func: Any, scope: Scope) -> bool:
    while isinstance(func, gast.Attribute):
        func = func.value
    return isinstance(func, gast.Name) and func.id not in scope.locals


def used(
    call: Call, node: Any, scope: Scope, nested: bool, lower: Lower, normalise: Normalise
) -> Expr | None:
    """Return what a call gives that makes a record or is given one; None for any other."""
    func, call = call.func, _with_rows(call, scope, node)
    if isinstance(func, Attr) and scope.record(func.value) is not None:
        return _method(func, call, node, scope, nested, lower)
    if isinstance(func, Var) and scope.record(func) is not None:
        return _run(func, "__call__", call, node, scope, nested, lower)
    if isinstance(func, Attr) and func.name == "copy" and scope.opens_here(node):
        held = records.items_of_dict(func.value, scope, node)  # of a dict of the module
        return None if held is None else records.made(dict, held, scope, node)
    if not isinstance(func, Ref):
        return None
    if func.value is dict and len(call.args) < 2 and scope.opens_here(node):
        parts = [records.items_of_dict(each, scope, node) for each in call.args]
        if None not in parts:
            given = {key: each for part in parts for key, each in (part or {}).items()}
            return records.made(dict, {**given, **dict(call.keywords)}, scope, node)
    if func.value is dataclasses.fields and len(call.args) == 1 and scope.opens_here(node):
        return named_fields(call.args[0], node, scope)
    if classes.makes_records(func.value):
        return _constructed(func, call, node, scope, nested, lower)
    if inspect.ismethod(func.value) and classes.makes_records(func.value.__self__):
        if scope.opens_here(node) or any(scope.record(each) for each in _given(call)):
            kind: Any = func.value.__self__
            first = Ref(kind.__name__, kind)
            method = func.value.__func__
            whole = Call(Ref(func.text, method), (first, *call.args), call.keywords)
            return lowered_in_place(method, whole, node, scope, nested, lower)
    if not any(scope.record(each) for each in _given(call)):
        opened = isinstance(func.value, FunctionType) and scope.opens_here(node)
        if opened and not is_known(call) and gives_record(func.value, normalise):
            return lowered_in_place(func.value, call, node, scope, nested, lower)
        return None
    if isinstance(func.value, FunctionType) and not takes_whole(func.value):
        return lowered_in_place(func.value, call, node, scope, nested, lower)
    asked = ASKED.get(func.value) if func.value in ASKED else ""
    owner = scope.record(call.args[0]) if call.args else None
    if asked and owner is not None and classes.method(owner.kind, asked) is not None:
        return _run(call.args[0], asked, Call(func), node, scope, nested, lower)
    if any(func.value is each for each in ALL_ITEMS):
        args = tuple(_items_of(each, node, scope, nested, lower) for each in call.args)
        call = Call(func, args, call.keywords)
        if not any(scope.record(each) for each in _given(call)):
            return call
    if func.value is dataclasses.replace and owner is not None:
        return _made_again(owner, call, node, scope, nested, lower)
    return of_whole(func, call, node, scope)


def _made_again(
    record: Record, call: Call, node: Any, scope: Scope, nested: bool, lower: Lower
) -> Expr:
    """Return what `dataclasses.replace` makes: of the fields that a class is given, nothing else."""
    kind, held = record.kind, records.items(record, scope, node)
    given = {name: held[name] for name in classes.given_names(kind) if name in held}
    given |= dict(call.keywords)
    if classes.is_only_its_fields(kind):
        return records.made(kind, given, scope, node)
    made = Call(Ref(kind.__name__, kind), (), tuple(given.items()))
    return _constructed(Ref(kind.__name__, kind), made, node, scope, nested, lower)


def _items_of(value: Expr, node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr:
    """Return what an object gives that is gone through; any other value as it is."""
    record = scope.record(value)
    if record is None or classes.method(record.kind, "__iter__") is None:
        return value
    from s2sad.legacy.statics.special import without_iter  # which asks this module

    made = _run(value, "__iter__", Call(NONE), node, scope, nested, lower)
    if is_generator(classes.method(record.kind, "__iter__")):
        return made
    return without_iter(made, scope) or value


def unpacked(value: Expr, node: Any, scope: Scope, lower: Lower) -> Expr:
    """Return an object that is unpacked as what it gives when it is gone through."""
    record = scope.record(value)
    if record is None or record.kind in (dict, list, tuple):
        return value
    return _items_of(value, node, scope, False, lower)


def _with_rows(call: Call, scope: Scope, node: Any) -> Call:
    """Return a call in which displays of records, as in `Net([Dense(W), Dense(V)])`, are records."""
    args = tuple(records.row(each, scope, node) for each in call.args)
    keywords = tuple((name, records.row(each, scope, node)) for name, each in call.keywords)
    return Call(call.func, args, keywords)


def _given(call: Call) -> list[Expr]:
    return [*call.args, *(value for _, value in call.keywords)]


# ---------------------------------------------------------------------------- making


def _constructed(
    func: Ref, call: Call, node: Any, scope: Scope, nested: bool, lower: Lower
) -> Expr:
    refuse_nested(nested, f"{func.text} is made", "Make it", node, scope)
    kind, where = func.value, scope.span(node)
    name = scope.called_after
    given = classes.fields_given(kind, call, where)
    if given is not None:
        passed = tuple(given.pop(each.name) for each in classes.handed_on(kind))
        whole = records.made(kind, {k: _new(v, scope, node) for k, v in given.items()}, scope, node)
        if classes.method(kind, "__post_init__") is not None:
            _run(whole, "__post_init__", Call(func, passed), node, scope, nested, lower)
        return whole
    record = records.started(kind, scope)
    for key, value in classes.begun_with(kind).items():
        records.put(record, key, value, scope, node)
    whole = records.standing_for(record, scope)
    if kind.__init__ is not object.__init__:
        _run(whole, "__init__", call, node, scope, nested, lower)
    scope.called_after = name
    return whole


def _new(value: Expr, scope: Scope, node: Any) -> Expr:
    """Return a default that is made anew for each object."""
    return records.made(dict, {}, scope, node) if value == Op("dict", ()) else value


# ---------------------------------------------------------------------------- methods


def _method(
    func: Attr, call: Call, node: Any, scope: Scope, nested: bool, lower: Lower
) -> Expr | None:
    record = scope.record(func.value)
    assert record is not None
    if record.kind is dict:
        call = Call(call.func, tuple(_known(each, scope) for each in call.args), call.keywords)
        found = computed.get(record, call, node, scope, nested) if func.name == "get" else None
        return found or of_dict(record, func.name, call, node, scope)
    if record.kind is list and func.name == "append":
        count = len(records.keys_of(record, scope, node))
        records.put(record, count, call.args[0], scope, node)
        return NONE
    if func.name == "pop" and record.kind is list and not nested and not _given(call):
        *_, last = records.keys_of(record, scope, node)
        value = records.value_at(record, last, scope, node)
        records.removed(record, last, scope, node)
        return value
    if func.name == "pop" and is_table(record):
        return popped(record, call, node, scope, nested)
    if func.name == "_replace":
        return replaced(record, dict(call.keywords), node, scope)
    if func.name == "_asdict":
        return records.made(dict, records.items(record, scope, node), scope, node)
    return _run(func.value, func.name, call, node, scope, nested, lower)


def _known(arg: Expr, scope: Scope) -> Expr:
    """Return the constant that a name is known to hold, anything else as it is."""
    return scope.held.constants.get(arg, arg) if isinstance(arg, Var) else arg


def _run(
    owner: Expr, name: str, call: Call, node: Any, scope: Scope, nested: bool, lower: Lower
) -> Expr:
    """Lower a method in place."""
    record = scope.record(owner)
    assert record is not None
    function: Any = classes.method(record.kind, name)
    first: tuple[Expr, ...] = (owner,)
    if function is None:
        found = getattr(record.kind, name, None)
        static = inspect.getattr_static(record.kind, name, None)
        if isinstance(static, staticmethod) and isinstance(found, FunctionType):
            function, first = found, ()
    if function is None:
        raise Unsupported(
            f"{record.kind.__name__} has no method {name} that can be followed",
            scope.span(node),
            "Write out what it does, or define the method in Python.",
        )
    if is_generator(function):
        if name != "__iter__":
            raise Unsupported(
                f"{name} is a generator: what it yields depends on who asks for it",
                scope.span(node),
                "Return a list of the values, or write its loop where they are used.",
            )
        function = as_list(function)
    return lowered_in_place(function, Call(Ref(name, function), (*first, *call.args), call.keywords),
                     node, scope, nested, lower)  # fmt: skip


def attribute(owner: Expr, name: str, node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr:
    """Return what an attribute of a record gives that is no field of it."""
    record = scope.record(owner)
    assert record is not None
    if record.kind in (dict, list, tuple):
        return Attr(owner, name)
    get = classes.getter(record.kind, name)
    if get is not None:
        return lowered_in_place(get, Call(Ref(name, get), (owner,)), node, scope, nested, lower)
    classes.refuse_descriptor(record.kind, name, scope.span(node), properties=True)
    if name in records.keys_of(record, scope, node):
        return records.value_at(record, name, scope, node)
    once = classes.computed_once(record.kind, name)
    if once is not None:
        value = lowered_in_place(once, Call(Ref(name, once), (owner,)), node, scope, nested, lower)
        records.put(record, name, value, scope, node)
        return records.value_at(record, name, scope, node)
    found = classes.class_value(record.kind, name, scope, node)
    return Attr(owner, name) if found is None else found


def operated(operation: Op, node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr:
    """Return what an operator gives for a record."""
    op, parts = operation.op, list(operation.args)
    owned = [each for each in parts if scope.record(each) is not None]
    if op in ("is", "is_not", "==", "!="):
        if op in ("is", "is_not") or is_told_apart(scope.record(owned[0])):
            test = same_item([scope.record(each) for each in owned], scope, node)
            if test is not None:
                return test if op in ("is", "==") else Op("not", (test,))
            refuse_copies([scope.record(each) for each in owned], node, scope)
    if op in ("is", "is_not"):
        return identity(op, parts, scope, node)
    if op in ("in", "not_in") and parts[1] is owned[-1]:
        if classes.method(_kind_of(parts[1], scope), "__contains__") is not None:
            asked = Call(NONE, (parts[0],))
            held = _run(parts[1], "__contains__", asked, node, scope, nested, lower)
            return Op("not", (held,)) if op == "not_in" else held
        return _has_key(op, parts[0], parts[1], node, scope)
    record = scope.record(owned[0])
    assert record is not None
    at_left = parts[0] is owned[0]
    name = (DUNDERS if at_left else REFLECTED).get(op, op)
    if record.kind is dict and op == "|":
        first, second = (records.items_of_dict(each, scope, node) for each in parts)
        if first is not None and second is not None:
            return records.made(dict, {**first, **second}, scope, node)
    rest = tuple(each for each in parts if each is not owned[0])
    return _run(owned[0], name, Call(NONE, rest), node, scope, nested, lower)


def _slice(node: Any) -> slice | None:
    """Return the slice that syntax spells out."""
    if not isinstance(node, gast.Slice):
        return None
    ends = [
        None if end is None else records.literal(end) for end in (node.lower, node.upper, node.step)
    ]
    given = [end for end in (node.lower, node.upper, node.step) if end is not None]
    known = [end for end in ends if isinstance(end, int)]
    return slice(*ends) if len(known) == len(given) else None


def item(owner: Expr, node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr:
    """Return what stands behind brackets that are no key which is known."""
    record = scope.record(owner)
    assert record is not None
    if is_sequence(record.kind):
        parts, key = records.values_of(record, scope, node), records.literal(node.slice)
        if isinstance(key, int) and -len(parts) <= key < len(parts):
            return parts[key]
        part = _slice(node.slice)
        if part is not None:
            # a part of a named tuple is a tuple
            kind = tuple if issubclass(record.kind, tuple) else list
            if kind is tuple and sequences.is_plain(record, scope):
                return Op("tuple", parts[part])
            return records.made(kind, dict(enumerate(parts[part])), scope, node)
        return Op("index", (Op("tuple", parts), inline(node.slice, scope)))
    if record.kind is dict:
        key = records.spelled(node.slice, scope)
        if key is None:
            return computed.read(record, node, scope, nested)
        return records.value_at(record, key, scope, node)
    args = (atom(node.slice, scope),)
    return _run(owner, "__getitem__", Call(NONE, args), node, scope, nested, lower)


def _kind_of(owner: Expr, scope: Scope) -> type:
    record = scope.record(owner)
    return object if record is None else record.kind


def _has_key(op: str, key: Expr, owner: Expr, node: Any, scope: Scope) -> Expr:
    record = scope.record(owner)
    if record is not None and record.kind is dict:
        keys = records.keys_of(record, scope, node)
        if isinstance(key, Const):
            return Const((key.value in keys) == (op == "in"))
        if scope.record(key) is None and are_plain(keys):
            return Op(op, (key, Op("tuple", tuple(map(Const, keys)))))
    if sequences.is_plain(record, scope) and scope.record(key) is None:
        return Op(op, (key, records.as_tuple(owner, scope, node)))
    raise Unsupported(
        "what is in this record is not known here",
        scope.span(node),
        "Put functools.cache above the function in the place of the dict, or fill a list in a loop."
        if _is_recursion(scope)
        else "Make it where its fields can be seen, or use its parts by name.",
    )


def _is_recursion(scope: Scope) -> bool:
    """Tell whether an inner function that calls itself is lowered: a dict may keep what it gave."""
    inner = [each.node for each in scope.active_calls if isinstance(each, Function)]
    return any(getattr(each, "name", "") in reads_of(each.body) for each in inner)
