"""Where the axis of directions is: in front of all others.

x_dot[1:]              x_dot[:, 1:]
c_dot, beside x[n, m]  c_dot[:, None, None]
axis=0                 axis=1
"""

from __future__ import annotations

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, constant
from s2sad.ir.records import replace
from s2sad.ir.types import (
    Array,
    Length,
    Number,
    Numeric,
    Optional,
    Other,
    Sequence,
    Tuple,
    Type,
    Unknown,
)
from s2sad.operators.trees import literal

DIRECTIONS = Length.of("directions")
NOTHING = constant(None)
WHOLE = Expr("slice", (NOTHING, NOTHING, NOTHING), None, Other(slice))


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
        case Expr(type=Tuple() | Sequence()):
            parts = (Expr("starred", (index,), "*", index.type),)
        case Expr(type=Unknown() | Optional() | Numeric()) if index.op not in ("slice", "constant"):
            raise NotYet("many directions at once of a part that is not known", index.span)
        case _:
            parts = (index,)
    chosen = [
        k for k, part in enumerate(parts) if isinstance(part.type, Array) or part.op == "list"
    ]
    if chosen and not _are_together(parts, chosen):  # NumPy would put their axes first
        raise NotYet("many directions at once of positions that are apart", index.span)
    whole = (WHOLE, *parts)
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
