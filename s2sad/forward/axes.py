"""Tangents along many directions: their axis is in front of all others, also where arrays are laid out anew.

x_dot[1:]              x_dot[:, 1:]
c_dot, beside x[n, m]  c_dot[:, None, None]
axis=0                 axis=1

x_dot.T                 np.swapaxes(x_dot, 1, 2)
np.stack([x_dot, 0])    np.stack([x_dot, zeros], axis=1)
np.full_like(a, c_dot)  np.full((directions, *a.shape), c_dot[:, None])
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import EVERYTHING, Expr, attribute, call, constant, global_, is_positions
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Length, Number, Numeric, Optional, Sequence, Tuple, Type, Unknown
from s2sad.operators.algebra import numpy_function
from s2sad.operators.guards import dtype_of
from s2sad.operators.trees import literal

if TYPE_CHECKING:
    from s2sad.forward.lifting import Lift


DIRECTIONS = Length.of("directions")
NOTHING = constant(None)


def rank_of(type_: Type) -> int:
    """Return the number of axes of a value along one direction; NotYet where it is not known."""
    match type_:
        case Number():
            return 0
        case Array(_, lengths):
            return len(lengths)
    raise NotYet("many directions at once of what has no known number of axes")


def lifted_type(type_: Type) -> Type:
    """Return the type of a tangent along many directions."""
    match type_:
        case Number(dtype):
            return Array(dtype if dtype[0] in "fc" else "float64", (DIRECTIONS,))
        case Array(dtype, lengths):
            return Array(dtype, (DIRECTIONS, *lengths))
        case Tuple(items):
            return replace(type_, items=tuple(map(lifted_type, items)))
    return type_


def along(index: Expr) -> Expr:
    """Return a subscript behind the axis of directions."""
    match index:
        case Expr("tuple", parts):
            pass
        case Expr(type=Tuple(cls=cls) | Sequence(cls=cls)) if cls is not list:
            parts = (Expr("starred", (index,), "*", index.type),)
        case Expr(type=Unknown() | Optional() | Numeric()) if index.op not in ("slice", "constant"):
            raise NotYet("many directions at once of a part that is not known", index.span)
        case _:
            parts = (index,)
    chosen = [k for k, part in enumerate(parts) if is_positions(part)]
    if chosen and not _are_together(parts, chosen):  # NumPy would put their axes first
        raise NotYet("many directions at once of positions that are apart", index.span)
    whole = (EVERYTHING, *parts)
    return Expr("tuple", whole, None, Tuple(tuple(part.type for part in whole)))


def _are_together(parts: tuple[Expr, ...], chosen: list[int]) -> bool:
    """Tell whether no slice stands between positions; a number is one beside an array of them."""
    numbers = [k for k, part in enumerate(parts) if isinstance(part.type, Number)]
    every = sorted({*chosen, *numbers})
    return every[-1] - every[0] == len(every) - 1


def shifted(axis: Expr, rank: int) -> Expr | None:
    """Return an axis, or several, behind that of directions; None where that is not known.

    None, for all axes, are all but the first.
    """
    if axis.op == "constant" and axis.data is None:
        every = tuple(literal(k) for k in range(1, rank + 1))
        return every[0] if rank == 1 else Expr("tuple", every, None, Tuple((every[0].type,) * rank))
    if axis.op == "tuple":
        parts = tuple(shifted(part, rank) for part in axis.args)
        if any(part is None or part.op == "tuple" for part in parts):
            return None
        known = tuple(part for part in parts if part is not None)
        return Expr("tuple", known, None, axis.type)
    if axis.op == "unary" and axis.data == "-" and axis.args[0].op == "constant":
        return axis
    if axis.op == "constant" and isinstance(axis.data, int):
        return literal(axis.data + 1) if axis.data >= 0 else axis
    return None


def axis_behind(axis: Expr, absent: str, rank: int) -> Expr | None:
    """Return an axis behind that of directions; where it is left out, what that stands for."""
    if axis.op == "constant" and axis.data is None:
        if absent == "flat":
            return literal(1) if rank == 1 else None
        if absent in ("last", "first"):
            return literal(-1 if absent == "last" else 1)
        if rank == 0:
            return None
    return shifted(axis, rank)


def index_of(*parts: Expr) -> Expr:
    """Return a subscript, or a shape, of several parts."""
    return Expr("tuple", parts, None, Tuple(tuple(part.type for part in parts)))


Bound = Mapping[str, Expr]


def transposed(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    a = bound.get("a")
    if a is None or set(bound) != {"a"}:
        return None
    made, rank = lift.operand(a), rank_of(a.type)
    if rank < 2:
        return made
    if rank == 2:
        return call(numpy_function("swapaxes"), made, literal(1), literal(2))
    axes = index_of(literal(0), *(literal(k) for k in range(rank, 0, -1)))
    return call(numpy_function("transpose"), made, axes)


def two_axes(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    first, *axes = expr.args[1:]
    if expr.data or len(axes) != 2 or any(a.op not in ("constant", "unary") for a in axes):
        return None
    moved = [shifted(axis, rank_of(first.type)) for axis in axes]
    if any(axis is None for axis in moved):
        return None
    return call(expr.args[0], lift.operand(first), *(a for a in moved if a is not None))


def reshaped(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    a, *shape = expr.args[1:]
    if expr.data or len(shape) != 1 or lift.writes:
        return None
    return call(numpy_function("reshape"), lift.operand(a), _with_directions(shape[0], lift))


def flat(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    if len(expr.args) != 2 or expr.data or lift.writes:
        return None
    shape = index_of(lift.directions, literal(-1))
    return call(numpy_function("reshape"), lift.operand(expr.args[1]), shape)


def _with_directions(shape: Expr, lift: Lift) -> Expr:
    """Return a shape with that of the directions in front."""
    if shape.op == "tuple":
        return index_of(lift.directions, *shape.args)
    if isinstance(shape.type, Number):
        return index_of(lift.directions, shape)
    return index_of(lift.directions, Expr("starred", (shape,), "*"))


def broadcast(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    a, *shape = expr.args[1:]
    if len(shape) != 1 or expr.data or lift.carries(shape[0]):
        return None
    made = lift.aligned(a, rank_of(expr.type))
    return call(numpy_function("broadcast_to"), made, _with_directions(shape[0], lift))


def filled(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    """Return np.full(shape, c_dot) and np.full_like(a, c_dot)."""
    first, *value = expr.args[1:]
    if expr.data or len(value) != 1:
        return None
    shape = first
    if expr.args[0].data.text == "np.full_like":
        shape = attribute(first, "shape") if isinstance(first.type, Array) else index_of()
        if getattr(expr.type, "dtype", "") not in ("float64", "complex128"):
            return None
    elif lift.carries(first):
        return None
    if lift.carries(shape):
        shape = lift.operand(shape)
    made = lift.aligned(value[0], rank_of(expr.type))
    is_widened = dtype_of(expr) == "complex128" and dtype_of(value[0]) != "complex128"
    kind = [global_("complex", complex)] if is_widened else []
    return call(numpy_function("full"), _with_directions(shape, lift), made, *kind)


# ---------------------------------------------------------------------------- joining


def joined(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    """Return np.concatenate and np.stack of a list that is written out."""
    arrays = bound.get("arrays", bound.get("tup", next(iter(bound.values()), NOTHING)))
    if arrays.op not in ("tuple", "list") or set(bound) - {"arrays", "axis"}:
        return None
    given = bound.get("axis", literal(0))
    if (
        given.op == "constant"
        and given.data is None
        and {rank_of(part.type) for part in arrays.args} != {1}
    ):
        return None  # all are made flat: the directions would be, too
    axis = axis_behind(given, "flat", 1)
    if axis is None:
        return None
    arrays = arrays.with_args(_as_array(part, lift) for part in arrays.args)
    return call(expr.args[0], lift.kept(arrays), axis=axis)


def _as_array(part: Expr, lift: Lift) -> Expr:
    """Return a list that stands for an array as that array."""
    if part.op not in ("tuple", "list"):
        return part
    return lift.tools.infer(call(numpy_function("array"), part))


def side_by_side(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    arrays = expr.args[1]
    if len(expr.args) != 2 or arrays.op not in ("tuple", "list"):
        return None
    ranks = {rank_of(a.type) for a in arrays.args}
    if len(ranks) != 1 or ranks == {0}:
        return None
    axis = literal(1 if ranks == {1} else 2)
    return call(numpy_function("concatenate"), lift.kept(arrays), axis=axis)


def array(expr: Expr, lift: Lift, bound: Bound) -> Expr | None:
    """Return np.array of one array, or of a list of numbers and arrays."""
    if len(expr.args) != 2 or expr.data:
        return None
    (value,) = expr.args[1:]
    if isinstance(value.type, Array | Number):
        return expr.with_args((expr.args[0], lift.operand(value)))
    if value.op not in ("tuple", "list", "comprehension") or _is_nested(value):
        return None
    return call(numpy_function("stack"), lift.operand(value), axis=literal(1))


def _is_nested(value: Expr) -> bool:
    parts = value.args[:1] if value.op == "comprehension" else value.args
    return not all(isinstance(part.type, Array | Number) for part in parts)
