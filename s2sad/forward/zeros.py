"""Tangents of what does not vary, and tangents in the shape of what they belong to.

zero(xs)               [0.0, np.zeros_like(u)]      xs = [c, u]
full(c_dot, u + c)     np.full_like(u + c, c_dot)
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from types import SimpleNamespace
from typing import TYPE_CHECKING

from s2sad.analysis.containers import is_made
from s2sad.forward.axes import lifted_type
from s2sad.forward.world import Code
from s2sad.ir.expression import (
    Expr,
    Fields,
    Role,
    attribute,
    called,
    called_object,
    calls,
    constant,
    global_,
    object_of,
    positional,
)
from s2sad.ir.records import replace
from s2sad.ir.types import (
    Array,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Sequence,
    Tuple,
    Type,
    Unknown,
    is_float,
)
from s2sad.operators import printed
from s2sad.operators.algebra import have_one_shape, numpy_function
from s2sad.operators.table import calls_one
from s2sad.operators.trees import literal

if TYPE_CHECKING:
    from s2sad.forward.lifting import Lift

NONE = constant(None)
ZERO = literal(0.0)
SHADOWS = ("_shadow_of", "_shadow_of_copy")  # they are zeros already


def zero(expr: Expr, code: Code) -> Expr:
    """Return the tangent of a value that does not vary: zeros of its structure."""
    match expr.op:
        case "tuple" | "list":
            return replace(expr, args=tuple(zero(arg, code) for arg in expr.args), known=None)
        case "dict":
            return replace(expr, args=tuple(_item(arg, code) for arg in expr.args), known=None)
        case "starred":
            return expr.with_args((zero(expr.args[0], code),))
        case "record":
            parts = tuple(zero(arg, code) for arg in expr.args)
            return Expr("record", parts, Fields(None, expr.data.names), expr.type)
        case "binary" if is_made(expr):  # xs + ys, n * xs: what they hold twice has one tangent
            return expr.with_args(
                code.value(a) if isinstance(a.type, Number) else zero(a, code) for a in expr.args
            )
        case "call" if _makes_fields(expr):
            return expr.with_args((expr.args[0], *(zero(arg, code) for arg in expr.args[1:])))
        case "call" if called(expr) in SHADOWS:
            return expr
        case "call" if _is_default(expr):
            return _default(expr)
        case "conditional":
            test, *arms = expr.args
            return _either(expr, test, [zero(arm, code) for arm in arms])
    return _zero_of_type(expr, expr.type, code)


def _makes_fields(expr: Expr) -> bool:
    """Tell whether an expression makes a named tuple, or an object of the fields that it is given."""
    made = object_of(expr.args[0])
    return made is SimpleNamespace or hasattr(made, "_fields")


def _is_default(expr: Expr) -> bool:
    """Tell whether an expression makes an empty dict of some class."""
    made = None if expr.data else called_object(expr)
    is_empty = len(expr.args) == 1 and made in (Counter, OrderedDict)
    return is_empty or (made is defaultdict and len(expr.args) <= 2)


def _default(expr: Expr) -> Expr:
    """Return the dict of tangents: what it makes by default is zero."""
    args = expr.args
    if len(args) == 2 and object_of(args[1]) is int:
        args = (args[0], global_("float", float))
    return replace(expr, args=args, known=None)


def _item(item: Expr, code: Code) -> Expr:
    if item.op != "item":
        return zero(item, code)
    return item.with_args((item.args[0], zero(item.args[1], code)))


def _either(expr: Expr, test: Expr, arms: list[Expr]) -> Expr:
    if arms[0] == arms[1]:
        return arms[0]
    return replace(expr, args=(test, *arms), known=None)


def _zero_of_type(expr: Expr, type_: Type, code: Code) -> Expr:
    match type_:
        case Number():
            return ZERO
        case Array() | Numeric():
            return _zeros(expr, code)
        case Tuple(items, cls):
            return _zero_tuple(expr, items, cls, code)
        case Other(cls):
            return NONE
        case Optional(inner):
            if isinstance(inner, Number | Array | Numeric | Other):
                return _unless_none(expr, _zero_of_type(expr, inner, code), code)
        case Sequence() | Reference():
            if not code.world.may_vary(type_):
                return NONE
            return _structure(expr, code)
    return _structure(expr, code)


def _unless_none(expr: Expr, zeros: Expr, code: Code) -> Expr:
    if isinstance(expr.type, Optional) and isinstance(expr.type.type, Number | Other):
        return zeros
    test = Expr("compare", (code.value(expr), NONE), ("is",), Number("bool"))
    return Expr("conditional", (test, NONE, zeros), None, expr.type)


def _zero_tuple(expr: Expr, items: tuple[Type, ...], cls: type | None, code: Code) -> Expr:
    value = code.value(expr)
    parts = [
        _zero_of_type(Expr("subscript", (value, literal(k)), None, item), item, code)
        for k, item in enumerate(items)
    ]
    if cls is not None and hasattr(cls, "_fields"):
        return Expr("call", (global_(cls.__name__, cls), *parts), (), expr.type)
    op = "list" if cls is list or _is_part_of_list(expr) else "tuple"
    return Expr(op, tuple(parts), None, Tuple(tuple(part.type for part in parts)))


def _is_part_of_list(expr: Expr) -> bool:
    """Tell whether a value of a tuple's type is a list, or a slice of one: shadows of tuples are lists."""
    if expr.op == "subscript":
        return _is_part_of_list(expr.args[0])
    if expr.op == "name":
        return expr.data.role is Role.ADJOINT
    return expr.op == "list" or calls(expr, list)


def zero_of_argument(expr: Expr, code: Code) -> Expr:
    """Return zeros beside an argument of the user's; an object that is written has one tangent of each part."""
    if isinstance(expr.type, Reference) and _is_written_object(expr, code):
        zeros = global_("_shadow_of_copy", printed.function("_shadow_of_copy"))
        return Expr("call", (zeros, code.value(expr)), (), expr.type)
    return zero(expr, code)


def _structure(expr: Expr, code: Code) -> Expr:
    """Return zeros of a list or dict, or of an object that nobody writes to."""
    if isinstance(expr.type, Reference) and _is_written_object(expr, code):
        raise code.refuse("zeros of an object", expr)
    zeros = zeros_of(code.value(expr))
    if isinstance(expr.type, Sequence) and expr.type.cls is tuple and not _is_part_of_list(expr):
        return Expr("call", (global_("tuple", tuple), zeros), (), expr.type)
    return zeros


def _is_written_object(expr: Expr, code: Code) -> bool:
    """Tell whether a value is an object, or a list of objects, with something that is written."""
    regions, memory = code.world.regions, code.world.memory
    region = regions.get(getattr(expr.type, "site", ()))
    if region is None:
        return True
    for each in (region, regions.get(getattr(region.item, "site", ()))):
        if each is not None and each.kind == "fields" and each.cls is not dict:
            return bool(memory.reached(expr) & memory.written)
    return False


def zeros_of(value: Expr) -> Expr:
    """Return the zeros of what a value holds, however it is structured, as the text runs."""
    zeros = global_("_zeros_of", printed.function("_zeros_of"))
    return Expr("call", (zeros, value), (), value.type)


def _zeros(expr: Expr, code: Code) -> Expr:
    """Return zeros in the shape of an array, as the array itself is made if it is zeros, too."""
    if calls_one(expr, "zeros", "unset"):
        if is_float(expr.type):
            word = "zeros_like" if calls_one(expr, "like") else "zeros"
            return expr.with_args((numpy_function(word), *expr.args[1:]))
    value = code.value(expr)
    made = Expr("call", (numpy_function("zeros_like"), value), (), expr.type)
    if is_float(expr.type):
        # of a number a number: an array without axes would be changed in place where the number is not
        is_number = isinstance(expr.type, Numeric) and code.world.memory.written
        number = Expr("subscript", (made, Expr("tuple", (), None, Tuple(()))), None, expr.type)
        return number if is_number else made
    return Expr("call", (numpy_function("zeros"), shape_of(value)), (), as_float(expr.type))


def as_real(type_: Type) -> Type:
    """Return the type of a tangent that is real, whatever its value is."""
    if isinstance(type_, Number | Array | Numeric):
        return replace(type_, dtype="float64")
    return type_


def as_float(type_: Type) -> Type:
    """Return the type of the tangent of a value."""
    if isinstance(type_, Number | Array | Numeric) and type_.dtype[0] not in "fc":
        return replace(type_, dtype="float64")
    return type_


def is_full(dot: Expr, expr: Expr) -> bool:
    """Tell whether a tangent surely has the shape of its value."""
    if isinstance(expr.type, Number):
        return isinstance(dot.type, Number)
    if isinstance(expr.type, Numeric):
        return expr.type.token is not None and dot.type == expr.type
    return have_one_shape(dot, expr)


def full(dot: Expr, expr: Expr, code: Code) -> Expr:
    """Return a tangent in the shape of its value, which is at most larger."""
    if isinstance(expr.type, Number):
        return dot
    if not isinstance(expr.type, Array | Numeric | Unknown):
        return dot
    value = code.value(expr)
    made = Expr("call", (numpy_function("full_like"), value, dot), (), expr.type)
    if is_float(expr.type) or isinstance(expr.type, Unknown):
        return made
    return code.world.algebra.numpy("broadcast_to", dot, shape_of(value))


def shape_of(value: Expr) -> Expr:
    """Return the shape of a value."""
    return Expr("call", (numpy_function("shape"), value), (), Tuple(()))


# ---------------------------------------------------------------------------- along many directions


def many_zeros(expr: Expr, lift: Lift) -> Expr:
    """Return zeros along many directions."""
    if expr.op in ("tuple", "list"):
        return expr.with_args(map(lift.kept, expr.args)).typed(lifted_type(expr.type))
    if expr.op == "constant" and expr.data is None:
        return expr
    if expr.op in ("dict", "record"):
        return expr.with_args(map(lift.part, expr.args))
    if called_object(expr) in (SimpleNamespace, dict) and not positional(expr):
        return expr.with_args((expr.args[0], *map(lift.kept, expr.args[1:])))
    shape = _shape_of(expr)
    if shape is None:
        raise lift.refuse(expr)
    if not shape:
        return lift.typed(Expr("call", (numpy_function("zeros"), lift.directions), ()), expr)
    whole = Expr("tuple", (lift.directions, *shape), None, Tuple(()))
    made = Expr("call", (numpy_function("zeros"), whole), ())
    if isinstance(expr.type, Array) and expr.type.dtype not in ("float64", "int64", "bool"):
        is_like = calls_one(expr, "like")
        dtype = attribute(expr.args[1], "dtype") if is_like else None
        if dtype is None:
            raise lift.refuse(expr)
        made = Expr("call", (numpy_function("zeros"), whole, dtype), ("dtype",))
    return lift.typed(made, expr)


def _shape_of(expr: Expr) -> tuple[Expr, ...] | None:
    """Return the lengths of zeros that are written out; None for what is not known to be zeros."""
    if expr.op == "constant" and type(expr.data) in (int, float) and expr.data == 0:
        return ()
    if not calls_one(expr, "zeros") or len(expr.args) != 2 or expr.data:
        return None
    (arg,) = expr.args[1:]
    if calls_one(expr, "like"):
        if isinstance(arg.type, Number):
            return ()
        return (Expr("starred", (attribute(arg, "shape"),), "*"),)
    if arg.op == "tuple":
        return arg.args
    return (arg,) if isinstance(arg.type, Number) else (Expr("starred", (arg,), "*"),)
