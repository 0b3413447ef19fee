"""Attributes: fields of objects, methods, properties, what modules and classes hold.

body.x          Data written body.x
body.step       Bound(Body.step, body)
np.sin          Code(np.sin), written np.sin
u.sum           Method of data
"""

from __future__ import annotations

import enum
import functools
import inspect
import types
from typing import Any

import numpy as np

from s2sad.ir.errors import NotYet, Unsupported
from s2sad.ir.expression import Expr, Global, Known
from s2sad.ir.records import MISSING, replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Tuple,
    Type,
    is_integer,
)
from s2sad.lowering import demands, evaluation_order, library, places, reflection, unions
from s2sad.lowering.machine import Machine, global_expr, new_cell, note_missing, refusal
from s2sad.lowering.module_names import value_of_class
from s2sad.lowering.typing import known_field, memory_of, reference
from s2sad.lowering.unions import Differs
from s2sad.lowering.values import (
    TEXT,
    Bound,
    Box,
    Cell,
    Closure,
    Code,
    Data,
    Fails,
    Fields,
    Lazy,
    Method,
    Origins,
    Partial,
    Ref,
    Tup,
    Value,
    literal,
    option_at,
    word_of,
)
from s2sad.prelude import classes, mappings
from s2sad.source.owners import is_own, is_own_object

REQUIRED = Fails("", None)
Default = Value | None | Fails
# the classes that an argument without an example may have
OF_NUMBERS = (float, np.float64, np.ndarray)
OPEN = "what may be a module or an object: say like="
VALUES = frozenset({"shape", "T", "size", "real", "imag", "dtype", "flat", "mT", "nbytes"})
# methods of sparse matrices that give others, which may be filled in with what varies
OF_ENTRIES = frozenset({"copy", "multiply", "power", "todok", "tolil"})
MADE_BY_CLASS = (property, functools.cached_property)
FUNCTIONS = (types.FunctionType, types.WrapperDescriptorType, types.MethodDescriptorType)
IN_SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)


def attribute(m: Machine, owner: Value, wanted: str) -> Value:
    """Return an attribute of a value: a field, property, method, or what a module holds."""
    found = find(m, owner, wanted, REQUIRED)
    if found is None:
        raise refusal(m, f"the attribute {wanted} of {word_of(owner)}")
    return found


def find(m: Machine, owner: Value, wanted: str, default: Default = None) -> Value | None:
    """Return an attribute of a value; None where it has none and that is asked."""
    if wanted in OF_ENTRIES:
        owner = library.entries_of(m, owner)
    cls = reflection.object_class(m, owner)
    if cls is not None and is_own(cls.__getattribute__):
        raise refusal(m, f"{cls.__name__}, a class that reads its fields in a way of its own,")
    match owner:
        case Ref():
            return _of_cell(m, owner, wanted, default)
        case Data():
            if reflection.is_object(m, owner):
                return _of_object(m, owner, wanted, default)
            return _of_data(m, owner, wanted, default)
        case Code():
            return _of_code(m, owner, wanted, default)
        case Tup():
            return _of_tuple(m, owner, wanted, default)
        case Closure():
            return _of_function(m, owner, wanted)
        case Partial():
            return owner.func if wanted == "func" else library.method(owner, wanted)
        case Lazy(kind="super"):
            found = _of_super(m, owner, wanted)
            return found or _of_builtin(m, object, "lazy", owner, wanted, default)
        case Lazy():
            return _of_builtin(
                m, reflection.class_of_iterator(m, owner), "lazy", owner, wanted, default
            )
        case Fields():
            return _of_builtin(m, dict, "dict", owner, wanted, default)
    return None


def _of_builtin(
    m: Machine, cls: type, kind: str, owner: Value, wanted: str, default: Default
) -> Value | None:
    """Return a method of a list, tuple, dict or iterator that is known; what it has not is missing."""
    if hasattr(cls, wanted):
        return Bound(Code(f"{kind}.{wanted}"), owner)
    if isinstance(default, Fails):
        raise Fails(f"{cls.__name__} has no attribute {wanted}", m.span, raised=AttributeError)
    return default


def _of_super(m: Machine, owner: Lazy, wanted: str) -> Value | None:
    """Return what the classes above hold, bound to the object; None where there is nothing."""
    first = owner.parts[0]
    if not isinstance(first, Code):
        cls = reflection.class_or_union(m, first)
    else:  # of a class method, or of an object of a module
        cls = first.obj if isinstance(first.obj, type) else type(first.obj)
    return of_class(m, cls, wanted, first, None, owner.extra)


def _of_cell(m: Machine, owner: Ref, wanted: str, default: Default) -> Value | None:
    cell = m.heap[owner.id]
    if cell.kind != "object":
        cls = list if cell.kind == "list" else dict
        return _of_builtin(m, cls, cell.kind, owner, wanted, default)
    if wanted == "__dict__":
        note_missing(m, owner.id, wanted)
        return Fields(owner.id)
    if wanted in cell.slots:
        found = inspect.getattr_static(cell.cls, wanted, None)
        is_slot = isinstance(found, types.MemberDescriptorType)
        if is_slot or not (isinstance(found, property) or hasattr(type(found), "__set__")):
            return cell.slots[wanted]
    if wanted == "__class__":
        return m.lift(cell.cls, None, cell.cls.__name__)
    found = inspect.getattr_static(cell.cls, wanted, MISSING)
    if found is MISSING or isinstance(found, functools.cached_property):
        note_missing(m, owner.id, wanted)
    return of_class(m, cell.cls, wanted, owner, default)


def _of_function(m: Machine, owner: Closure, wanted: str) -> Value | None:
    place = attributes_of(m, owner)
    slots = m.heap[place].slots
    if wanted in slots:
        return slots[wanted]
    note_missing(m, place, wanted)
    if wanted in ("__name__", "__qualname__"):
        return literal(owner.name)
    if owner.original is not None and hasattr(owner.original, wanted):
        return m.lift(getattr(owner.original, wanted), None, wanted)
    if wanted == "__call__":
        return owner
    if hasattr(types.FunctionType, wanted):
        raise refusal(m, f"the attribute {wanted} of a function")
    return None


def attributes_of(m: Machine, closure: Closure) -> int:
    """Return the cell of a function's attributes."""
    key = (id(closure.node), closure.frame)
    if m.function_cells.get(key) not in m.heap:
        m.function_cells[key] = new_cell(m, Cell("object", {})).id
    return m.function_cells[key]


def _of_tuple(m: Machine, owner: Tup, wanted: str, default: Default) -> Value | None:
    fields: Any = getattr(owner.cls, "_fields", ())
    if wanted in fields:
        return owner.parts[fields.index(wanted)]
    if owner.cls is tuple or wanted in ("_replace", "_asdict"):
        return _of_builtin(m, owner.cls, "tuple", owner, wanted, default)
    return of_class(m, owner.cls, wanted, owner, default)


# ---------------------------------------------------------------------------- classes


def of_class(
    m: Machine,
    cls: type,
    wanted: str,
    owner: Value,
    default: Default = REQUIRED,
    after: type | None = None,
) -> Value | None:
    """Return what a class holds, bound to an object; `after`: past a class, as super() asks."""
    of = cls if after is None or issubclass(cls, after) else after  # of one of several classes
    mro = list(of.__mro__)
    for base in mro[mro.index(after) + 1 :] if after else mro:
        if wanted in vars(base):
            if base is object and wanted.startswith("__") and wanted != "__init__":
                break
            if (now := value_of_class(m, base, wanted)) is not None:
                return now
            m.taken[cls, wanted] = vars(base)[wanted]
            return bound(m, vars(base)[wanted], owner, cls, base, wanted)
    m.taken[cls, wanted] = MISSING
    getter = inspect.getattr_static(cls, "__getattr__", None)
    if getter is not None and default is REQUIRED:
        function = bound(m, getter, owner, cls, cls, wanted)
        return m.called(function, [literal(wanted)], {}, None)
    if isinstance(default, Fails):
        raise Fails(f"{cls.__name__} has no attribute {wanted}", m.span, raised=AttributeError)
    return default


def bound(m: Machine, found: Any, owner: Value, cls: type, base: type, wanted: str) -> Value:
    """Return what a class holds as an object gives it."""
    if isinstance(found, Box):
        return _boxed(m, found.value, owner, cls, base)
    if isinstance(found, Differs):
        return _of_its_class(m, found, owner, cls, wanted)
    if isinstance(found, types.DynamicClassAttribute):
        return attribute(m, owner, f"_{wanted}_")  # the value of a member of an enum, or its name
    if isinstance(found, property):
        return m.called(m.lift(found.fget, None), [owner], {}, None)
    if isinstance(found, functools.cached_property):
        if isinstance(owner, Data):  # it may have it already
            demands.demand_structure(m, owner)
            raise refusal(m, f"whether an object has {wanted}")
        value = m.called(m.lift(found.func, None), [owner], {}, None)
        places.set_field(m, owner, wanted, value)
        return attribute(m, owner, wanted) if isinstance(owner, Ref) else value
    if isinstance(found, staticmethod):
        return m.lift(found.__func__, None)
    if isinstance(found, classmethod):
        return Bound(m.lift(found.__func__, None), _class(m, cls))
    if isinstance(found, types.FunctionType):
        found = library.replaced(m, found)
        if is_own(found):
            return Bound(reflection.closure_of(m, found), owner)
    if hasattr(type(found), "__get__") and is_own_object(found):
        getter = attribute(m, m.lift(found, None, wanted), "__get__")
        return m.called(getter, [owner, _class(m, cls)], {}, None)
    if isinstance(found, FUNCTIONS):
        return Bound(Code(found), owner)
    if isinstance(found, IN_SLOTS):
        raise refusal(m, f"the attribute {wanted}, which is not set,")
    expr = _dotted(m, global_expr(m, base.__name__, base), wanted, found)
    return m.lift(found, expr, wanted)


def _of_its_class(m: Machine, differs: Differs, owner: Value, cls: type, wanted: str) -> Value:
    """Return what an object's class holds, by the name of the class that the object has as the text runs."""
    there = [(of, found) for of, found in differs.found if found is not unions.MISSING]
    kinds = {type(found) for _, found in there}
    if kinds not in ({types.FunctionType}, {property}) or not isinstance(owner, Data):
        if isinstance(owner, Data):  # known while lowering it is of one class
            demands.demand_structure(m, owner)
        raise refusal(m, f"{wanted} of what may be of class {unions.names_of(cls)}")
    demands.demand_class_name(m, owner.type)
    functions = [(of.__name__, getattr(found, "fget", found)) for of, found in there]
    if len(there) < len(differs.found):
        functions.append(("", classes.raise_missing))
    chosen = m.lift(functions.pop()[1], None)
    for name, function in reversed(functions):
        parts = (literal(name), m.lift(function, None), chosen)
        chosen = Partial(m.lift(classes.call_of_class, None), parts, {})
    return m.called(chosen, [owner], {}, None) if kinds == {property} else Bound(chosen, owner)


def is_of(m: Machine, owner: Value, kinds: Any) -> Value:
    """Return the test that an object of one of several classes is of some classes."""
    demands.demand_class_name(m, m.to_data(owner).type)
    possible = reflection.possible_classes(m, owner)
    names = tuple(literal(cls.__name__) for cls in possible if issubclass(cls, kinds))
    return m.called(m.lift(classes.is_of, None), [owner, Tup(names)], {}, None)


def _class(m: Machine, cls: type) -> Value:
    return m.lift(cls, None, cls.__name__)


def _boxed(m: Machine, value: Value, owner: Value, cls: type, base: type) -> Value:
    """Return what a class that was made while lowering holds."""
    if isinstance(value, Bound) and isinstance(value.func, Code):
        kind = value.func.obj
        if kind in MADE_BY_CLASS:
            return m.called(value.owner, [owner], {}, None)
        if kind is staticmethod:
            return value.owner
        if kind is classmethod:
            return Bound(value.owner, _class(m, cls))
    return Bound(replace(value, owner=base), owner) if isinstance(value, Closure) else value


def _of_code(m: Machine, owner: Code, wanted: str, default: Default) -> Value | None:
    obj = owner.obj
    if isinstance(obj, type) and issubclass(obj, enum.Enum) and wanted in obj.__members__:
        if issubclass(obj, int | float | str):
            return literal(obj[wanted], m.span)
        expr = _dotted(m, reflection.code_expr(m, owner), wanted, obj[wanted])
        return Data(expr.typed(Other(type(obj[wanted])), Known(obj[wanted])))
    is_of_object = not isinstance(obj, type) and wanted in getattr(obj, "__dict__", ())
    if not is_of_object:
        now = value_of_class(m, obj if isinstance(obj, type) else type(obj), wanted)
        if now is not None:
            return now
    if isinstance(obj, type) and is_own(obj):
        found = inspect.getattr_static(obj, wanted, None)
        if isinstance(found, Box):
            if isinstance(found.value, Closure):
                return found.value
            return bound(m, found, owner, obj, obj, wanted)
    if isinstance(obj, str):
        raise refusal(m, f"the attribute {wanted} of {obj}")
    if wanted == "_make" and hasattr(obj, "_fields"):
        return m.lift(functools.partial(mappings.of_items, obj), None, wanted)
    try:
        value = getattr(obj, wanted)
    except AttributeError:
        if not isinstance(default, Fails):
            return default
        raise _without_attribute(m, obj, wanted) from None
    if isinstance(obj, type) and wanted == "__name__":
        return literal(value)
    return m.lift(value, _dotted(m, reflection.code_expr(m, owner), wanted, value), wanted)


def _dotted(m: Machine, base: Expr, wanted: str, value: Any) -> Expr:
    """Return how what a module or class holds is written: np.sin is one global."""
    text = f"{base.data.text}.{wanted}"
    m.texts.setdefault(text, value)
    return Expr("global", (), Global(text, value), UNKNOWN, None, m.span)


# ---------------------------------------------------------------------------- data


def _of_object(m: Machine, owner: Data, wanted: str, default: Default) -> Value | None:
    """Return an attribute of an object of the run."""
    cls = reflection.object_class(m, owner)
    assert cls is not None
    # what its own class has, __name__, is none of the object's
    found = next((vars(base)[wanted] for base in cls.__mro__ if wanted in vars(base)), None)
    made_by_class = isinstance(found, MADE_BY_CLASS) or hasattr(type(found), "__set__")
    is_field = not made_by_class or isinstance(found, types.MemberDescriptorType)
    place = reference(owner.type)
    if is_field and place is not None and m.memory.read(place, wanted) is not None:
        if default is not REQUIRED or m.is_tried or hasattr(cls, "__getattr__"):
            _require_certain(m, owner, place, wanted)
        return _field(m, owner, wanted)
    if wanted == "__dict__":
        demands.demand_structure(m, owner)
        raise refusal(m, "the __dict__ of an object of the run")
    if wanted == "__class__":
        return _class(m, reflection.python_class(m, owner))
    if found is None and default is REQUIRED and not hasattr(cls, "__getattr__"):
        if cls.__module__.startswith("s2sad.prelude") and cls.__name__ != "Namespace":
            raise refusal(m, f"the attribute {wanted} of a {cls.__name__.lower()}")
        # a field that nothing is known to be stored in yet: a later round knows more
        return Data(Expr("attribute", (owner.expr,), wanted, UNKNOWN, None, m.span))
    return of_class(m, cls, wanted, owner, default)


def is_certain(m: Machine, owner: Value, wanted: str) -> bool:
    """Tell whether an object has a field in every run, or in none."""
    if isinstance(owner, Data) and reflection.is_of_any_class(owner.type):
        return len({_has(wanted, each) for each in OF_NUMBERS}) == 1
    place = reference(owner.type) if isinstance(owner, Data) else None
    if place is None or not reflection.is_object(m, owner):
        return True
    return m.memory.read(place, wanted) is None or m.memory.is_certain(place, wanted)


def _require_certain(m: Machine, owner: Data, place: Reference, wanted: str) -> None:
    """Refuse to tell whether an object has a field that some ways alone may store."""
    cls = reflection.object_class(m, owner)
    if m.memory.is_certain(place, wanted) or hasattr(cls, wanted):
        return
    demands.demand_structure(m, owner)
    raise refusal(m, f"field {wanted}, which some ways alone may store")


def _field(m: Machine, owner: Data, wanted: str) -> Value:
    type_, known = known_field(m, owner.type, wanted)
    demands.demand_field_of_one_kind(m, owner.type, wanted)
    expr = Expr("attribute", (owner.expr,), wanted, type_, None, m.span)
    return part(m, type_, known, expr, owner.origins, ("field", wanted))


def part(
    m: Machine, type_: Type, known: Known | None, expr: Expr, origins: Origins, choice: Any
) -> Value:
    """Return a part of memory; whole numbers of arguments can be asked to be known."""
    if is_integer(type_) and origins:
        origins |= {("known", choice)}
    return reflection.of_type(m, type_, expr, origins, known)


def _without_attribute(m: Machine, obj: Any, wanted: str) -> NotYet:
    """Return the refusal of what a module, class or function does not have."""
    if not isinstance(obj, types.ModuleType):
        return refusal(m, f"the attribute {wanted} of {getattr(obj, '__name__', obj)}")
    reason = f"the module {obj.__name__} has no {wanted}"
    hint = "Is its name misspelt, or does another version of the module have it?"
    return Fails(reason, m.span, Unsupported(reason, m.span, hint), AttributeError)


def _of_any_member(m: Machine, expr: Expr, owner: Data, cls: type[enum.Enum]) -> Value:
    """Return the name of a member of which the run tells which one, or its value where all have numbers or texts."""
    kinds = {type(each.value) for each in cls}
    types: dict[type, Type] = {str: TEXT, float: Number("float64"), int: Number("int64")}
    if expr.data == "name":
        kinds = {str}
    if expr.data not in ("name", "value") or len(kinds) > 1 or not kinds <= types.keys():
        raise refusal(m, f"{expr.data} of one of several members of {cls.__name__}")
    return Data(expr.typed(types[kinds.pop()]), owner.origins)


def _of_data(m: Machine, owner: Data, wanted: str, default: Default) -> Value | None:
    """Return an attribute of data that is no object of the user's."""
    expr = Expr("attribute", (owner.expr,), wanted, UNKNOWN, None, m.span)
    type_ = owner.type.type if isinstance(owner.type, Optional) else owner.type
    if isinstance(type_, Tuple) and hasattr(type_.cls, "_fields"):
        return _of_named_tuple(m, owner, type_, wanted, default)
    if wanted == "ndim" and isinstance(type_, Array):
        return literal(type_.rank)
    if owner.known is not None and isinstance(owner.known.value, enum.Enum):
        found = getattr(owner.known.value, wanted)
        return literal(found) if isinstance(found, int | float | str) else m.lift(found, None)
    if isinstance(type_, Other) and issubclass(type_.cls, enum.Enum):
        demands.demand_open(m, owner.origins, "structure", "unroll", "known")
        return _of_any_member(m, expr, owner, type_.cls)
    if _is_field_of_plain_object(m, type_, wanted):
        return _field(m, owner, wanted)
    by_attribute = m.memory.of(type_).by_attribute if isinstance(type_, Reference) else None
    if by_attribute is not None and not hasattr(dict, wanted):
        return _entry_as_attribute(m, owner, by_attribute, wanted, default)
    found = _class_attribute(m, type_, wanted)
    if wanted in VALUES and found is not _MISSING:
        return evaluation_order.operation(m, expr, owner)
    if found is _MISSING:
        if not isinstance(default, Fails):
            return default
        if isinstance(type_, Numeric | Reference):
            is_open = isinstance(type_, Numeric)
            what = OPEN if is_open else "a dict or list, as its own class gives it,"
            raise refusal(m, f"the attribute {wanted} of {what}")
        raise Fails(f"it has no attribute {wanted}", m.span, raised=AttributeError)
    if found is _UNKNOWN and isinstance(type_, Numeric):  # it may be an array
        found = getattr(np.ndarray, wanted, _UNKNOWN)
    if found is not _UNKNOWN and callable(found):
        return Method(owner, wanted)
    return evaluation_order.operation(m, expr, owner)


def _entry_as_attribute(
    m: Machine, owner: Data, cls: type, wanted: str, default: Default
) -> Value | None:
    """Return an entry of a dict that its class gives as an attribute: p.k is p["k"]."""
    if hasattr(cls, wanted) or is_own(getattr(cls, "__getattr__", None)):
        return of_class(m, cls, wanted, owner, default)
    return m.item(owner, literal(wanted), None)


_MISSING = object()
_UNKNOWN = object()


def _is_field_of_plain_object(m: Machine, type_: Type, wanted: str) -> bool:
    """Tell whether a value is an object of a class of Python's own, and has a field."""
    kept = memory_of(m, type_)
    if kept is None or kept.kind != "fields" or kept.cls in (dict, list, tuple):
        return False
    return wanted in kept.slots


def _class_attribute(m: Machine, type_: Type, wanted: str) -> Any:
    """Return what the class of data has under a name."""
    if isinstance(type_, Numeric):
        return _UNKNOWN if any(_has(wanted, each) for each in OF_NUMBERS) else _MISSING
    if isinstance(type_, Reference):
        kept = m.memory.of(type_)
        cls: Any = list if kept.kind == "list" else kept.cls or dict
    else:
        cls = reflection.class_of_data(m, type_)
    if cls is None or cls is type(None):
        return _UNKNOWN
    # objects with a __dict__ may have more than their class shows
    absent = _UNKNOWN if isinstance(type_, Other) and cls.__dictoffset__ else _MISSING
    return inspect.getattr_static(cls, wanted) if _has(wanted, cls) else absent


def _has(wanted: str, cls: type) -> bool:
    """Tell whether objects of a class have an attribute: __name__ is one of the class alone."""
    return any(wanted in vars(each) for each in cls.__mro__)


def _of_named_tuple(
    m: Machine, owner: Data, type_: Tuple, wanted: str, default: Default
) -> Value | None:
    cls: Any = type_.cls
    if wanted in cls._fields:
        place = cls._fields.index(wanted)
        if (option := option_at(type_, place)) is not None:
            return option
        expr = Expr("attribute", (owner.expr,), wanted, type_.items[place], None, m.span)
        return reflection.of_type(m, type_.items[place], expr, owner.origins, None)
    if wanted in ("_replace", "_asdict"):
        return Method(owner, wanted)
    return of_class(m, cls, wanted, owner, default)
