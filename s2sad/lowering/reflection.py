"""What Python knows of a value: its class, whether it is an object, how its code is written.

is_object(body)      its class is the user's: its methods decide what operators mean
python_class(u)      np.ndarray
closure_of(f)        a function of the user's with its defaults and what it closes over
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import sys
import types
from typing import Any

import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.ir.expression import Expr, Known
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric, Optional, Other, Reference, Tuple, Type
from s2sad.ir.types import Code as CodeType
from s2sad.lowering import unions
from s2sad.lowering.machine import Machine, closure_at, global_expr, refusal
from s2sad.lowering.typing import memory_of
from s2sad.lowering.values import (
    Bound,
    Closure,
    Code,
    Data,
    Fields,
    Lazy,
    Method,
    Origins,
    Partial,
    Ref,
    Tup,
    Value,
    is_option,
    is_several,
    literal,
)
from s2sad.source.owners import is_of_prelude, is_own
from s2sad.source.read import read

NUMBERS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
CLASSES_OF_NUMBERS = (
    *NUMBERS.values(),
    *(np.bool_, np.int64, np.float32, np.float64, np.complex64, np.complex128),
)
CLASSES_OF_ITERATORS = {"zip": zip, "enumerate": enumerate, "reversed": reversed, "map": map}


def code_expr(m: Machine, value: Code) -> Expr:
    """Return how a module, class or library function is written."""
    if value.expr is not None:
        return replace(value.expr, type=CodeType(value.obj), known=Known(value.obj))
    called = getattr(value.obj, "__name__", type(value.obj).__name__.lower())
    named = global_expr(m, called, value.obj)
    return replace(named, known=Known(value.obj))


def closure_of(m: Machine, function: types.FunctionType) -> Closure:
    """Return a Python function as a closure whose defaults and cells are known."""
    if function not in m.closures:
        source = read(function)
        wanted = function.__name__
        given = function.__defaults__ or ()
        defaults = tuple(default(m, d, f"{wanted}_default") for d in given)
        kwdefaults = {k: default(m, d, k) for k, d in (function.__kwdefaults__ or {}).items()}
        m.closures[function] = Closure(
            source.tree,
            None,
            source.module,
            wanted,
            source.path,
            defaults,
            kwdefaults,
            source.cells,
            _owner(source.cells),
            function,
        )
    return m.closures[function]


def default(m: Machine, obj: Any, wanted: str) -> Value:
    """Return the default of a parameter; a record is made where it is taken."""
    if isinstance(obj, int | float) and obj == obj and abs(obj) != float("inf"):
        return literal(obj, m.span)
    return Code(obj) if is_record(obj) else m.lift(obj, None, wanted)


def is_record(obj: Any) -> bool:
    """Tell whether an object is a frozen dataclass of numbers that is made of its fields alone."""
    cls = type(obj)
    if not dataclasses.is_dataclass(cls) or not is_own(cls) or hasattr(cls, "__post_init__"):
        return False
    settings, fields = cls.__dataclass_params__, dataclasses.fields(cls)
    values = (getattr(obj, f.name) for f in fields)
    are_given = settings.frozen and settings.init and all(f.init for f in fields)
    return are_given and all(
        is_option(v) or isinstance(v, int | float | np.generic) for v in values
    )


def _owner(cells: Any) -> type | None:
    found: type | None = cells["__class__"].cell_contents if "__class__" in cells else None
    return found


def of_type(m: Machine, type_: Type, expr: Expr, origins: Origins, known: Known | None) -> Value:
    """Return a part of memory as a value: code that all stores agree in, or data."""
    if isinstance(type_, CodeType):
        held = type_.value
        if isinstance(held, Value):
            return held
        return m.lift(held, expr if expr.op == "global" else None, "function")
    if known is not None and is_option(known.value):
        return Data(expr.typed(type_, known), origins)
    return Data(expr.typed(type_), origins)


def is_object(m: Machine, value: Value) -> bool:
    """Tell whether operators on a value are methods of a class of the user's."""
    return object_class(m, value) is not None


def object_class(m: Machine, value: Value) -> type | None:
    """Return the class of the user's that a value is an object of."""
    match value:
        case Ref():
            cell = m.heap[value.id]
            return cell.cls if cell.kind == "object" else None
        case Data():
            return class_of_type(m, value.type)
    return None


def means(m: Machine, value: Value, method: str) -> bool:
    """Tell whether a method of the user's says what an operator does: of an object, or a class of tuples."""
    found = value.type if isinstance(value, Data) else value
    cls = found.cls if isinstance(found, Tup | Tuple) else None
    if cls in (None, tuple, list):  # np.split gives a list of so many
        return is_object(m, value)
    return getattr(cls, method, None) is not getattr(tuple, method, None)


def class_of_type(m: Machine, type_: Type) -> type | None:
    """Return the class of the user's that values of a type are objects of."""
    kept = memory_of(m, type_)
    is_object = kept is not None and kept.kind == "fields" and kept.cls and is_own(kept.cls)
    return kept.cls if kept is not None and is_object else None


def generates(cls: Any, method: str) -> bool:
    """Tell whether a method of a class is the one that `dataclass` makes of its fields."""
    owner = next(base for base in cls.__mro__ if method in vars(base))
    function = vars(owner)[method]
    made = isinstance(function, types.FunctionType) and function.__code__.co_filename == "<string>"
    return made and "__dataclass_fields__" in vars(owner)


def holds_objects(m: Machine, type_: Type) -> bool:
    """Tell whether an object of a class of the user's is reached from a value."""
    return any(class_of_type(m, each) is not None for each in m.memory.reached(type_))


def may_hold_floats(m: Machine, type_: Type) -> bool:
    """Tell whether an array or a container may have floats in it, as far as is known so far."""
    for each in m.memory.reached(type_):
        if isinstance(each, Array | Numeric | Number) and each.dtype[0] in "fc":
            return True
        if isinstance(each, Reference) and not m.memory.of(each).slots:
            return True
    return False


def class_or_union(m: Machine, value: Value) -> Any:
    """Return the class that the attributes of a value are looked up in: of one of several, their union."""
    return object_class(m, value) or python_class(m, value)


def python_class(m: Machine, value: Value) -> Any:
    """Return the Python class of a value; None where it is not known."""
    if is_several(value):
        raise refusal(m, "the class of what differs from pass to pass")
    cls = object_class(m, value)
    if len(unions.members_of(cls)) > 1:
        raise refusal(m, f"the class of what may be of class {unions.names_of(cls)}")
    match value:
        case Ref():
            return m.heap[value.id].cls
        case Tup():
            return value.cls
        case Code():
            return type(value.obj)
        case Data(known=Known(value=enum.Enum() as member)):
            return type(member)
        case Data():
            return class_of_data(m, value.type)
        case Lazy():
            return class_of_iterator(m, value)
        case Fields():
            return dict
        case Partial():
            return functools.partial
        case Bound(func=Closure() | Code(obj=types.FunctionType())):
            return types.MethodType
        case Bound() | Method():
            return types.BuiltinMethodType
    return types.FunctionType


def class_of_iterator(m: Machine, value: Lazy) -> type:
    """Return the class that Python has for what is gone through later."""
    if value.kind == "view":
        return type(getattr({}, value.extra)())
    if value.kind in CLASSES_OF_ITERATORS:
        return CLASSES_OF_ITERATORS[value.kind]
    made_by = closure_at(m, value.extra[1]) if value.kind == "comprehension" else value.parts[0]
    if not isinstance(made_by, Closure) or is_of_prelude(made_by.path):
        raise refusal(m, "the class of an iterator that a library gives")
    return types.GeneratorType


def possible_classes(m: Machine, value: Value) -> tuple[type, ...]:
    """Return the Python classes that a value may be of; none where they are not known."""
    members = unions.members_of(object_class(m, value))
    if len(members) > 1:
        return members
    cls = python_class(m, value)
    if cls is not None:
        return (cls,)
    type_ = value.type if isinstance(value, Data) else None
    inner = type_.type if isinstance(type_, Optional) else type_
    if not isinstance(inner, Number | Numeric):
        return ()
    none = (types.NoneType,) if isinstance(type_, Optional) else ()
    if not m.context.has_examples:
        return (*none, *CLASSES_OF_NUMBERS, np.ndarray)
    dtype = np.dtype(inner.dtype)
    none += (int,) if inner.perhaps_whole else ()
    if isinstance(inner, Number) and inner.boxed is False:
        return (*none, NUMBERS[dtype.kind])
    return (*none, NUMBERS[dtype.kind], dtype.type, np.ndarray)


def is_of_any_class(type_: Type) -> bool:
    """Tell whether a value may be a number of Python's own or of NumPy's, or an array."""
    return isinstance(type_, Numeric) or (isinstance(type_, Number) and type_.boxed is None)


def class_of_data(m: Machine, type_: Type) -> Any:
    """Return the Python class of values of a type; None where it is not known."""
    match type_:
        case Number(boxed=True) if not m.context.has_examples:
            return None
        case Number(dtype, boxed=True):
            return np.dtype(dtype).type
        case Number(perhaps_whole=True):  # 1 on one way, x on the other
            return None
        case _ if is_of_any_class(type_):
            return None
        case Number(dtype):
            return NUMBERS[np.dtype(dtype).kind]
        case Tuple(cls=cls):
            return cls or tuple
        case Other(cls):
            return cls
        case Reference():
            kept = m.memory.of(type_)
            return {"list": list, "mapping": dict}.get(kept.kind) or kept.cls
    return np.ndarray if type(type_).__name__ == "Array" else getattr(type_, "cls", None)


READ_NAMES = (eval, exec, locals, globals, vars)
RAISED = (sys.exc_info, sys.exception)


def refuse_unseen_reads(m: Machine, obj: Any, is_given: bool = False) -> None:
    """Refuse a builtin that reads names by their texts; vars(obj) of what it `is_given` is none."""
    if any(obj is each for each in READ_NAMES) and not (obj is vars and is_given):
        raise Unsupported(
            f"{obj.__name__} reads names that the text does not show",
            m.span,
            "Write out what it computes.",
        )
    if any(obj is each for each in RAISED):
        raise Unsupported(
            f"{obj.__name__} reads an exception that the text does not show",
            m.span,
            "Name it where it is caught: `except ValueError as error`.",
        )
