"""Objects of SciPy are made anew for a probe, as the program makes them.

interpolate.CubicSpline(x, z)(t)      the spline of made-up places and values, called
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any

from s2sad.ir.expression import Expr, called_object, keywords, positional
from s2sad.ir.records import dataclass
from s2sad.ir.types import UNKNOWN, Array, Other
from s2sad.operators.effects import is_computing, is_made_by_library
from s2sad.types.attributes import getter
from s2sad.types.calling import Operand, key_of

AsOperand = Callable[[Expr], Operand | None]


@dataclass(frozen=True)
class Maker:
    """Makes an object of what it is handed: by position first, then under these names."""

    function: Any
    names: tuple[str, ...] = ()

    def __call__(self, parts: list[Any]) -> Any:
        count = len(parts) - len(self.names)
        return self.function(*parts[:count], **dict(zip(self.names, parts[count:], strict=True)))


def called(made: Any, *args: Any, **options: Any) -> Any:
    """Call what was made."""
    return made(*args, **options)


@dataclass(frozen=True)
class Made:
    """How an object was made: two that were made alike are equal."""

    operand: Operand

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Made) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @cached_property
    def key(self) -> Hashable:
        """Return what decides of the object."""
        return key_of(self.operand)


def made_object(expr: Expr, operand: AsOperand) -> Operand | None:
    """Return an object of SciPy's as an operand; None of anything else."""
    if isinstance(expr.type, Other) and isinstance(expr.type.made, Array):
        return None  # of a sparse matrix its shape is enough
    if expr.known is not None:
        return Operand(expr.type, expr.known) if is_computing(type(expr.known.value)) else None
    if isinstance(expr.type, Other) and isinstance(expr.type.made, Made):
        return expr.type.made.operand
    return making(expr, operand)


def making(expr: Expr, operand: AsOperand) -> Operand | None:
    """Return how an expression makes an object of SciPy's, or takes a part of one."""
    if expr.op == "attribute":
        owner = made_object(expr.args[0], operand)
        reads: Any = Maker(getter(expr.data))
        return None if owner is None else Operand(UNKNOWN, None, (owner,), reads)
    function = called_object(expr)
    if function is None or not is_made_by_library(expr):
        return None
    args, named = positional(expr), keywords(expr)
    if any(arg.op == "starred" for arg in args):
        return None
    parts = [operand(arg) for arg in (*args, *named.values())]
    return made_of(function, parts, tuple(named))


def made_of(
    function: Any, parts: Sequence[Operand | None], names: tuple[str, ...]
) -> Operand | None:
    """Return what a function makes of operands as an operand."""
    known = tuple(part for part in parts if part is not None)
    maker: Any = Maker(function, names)
    return Operand(UNKNOWN, None, known, maker) if len(known) == len(parts) else None
