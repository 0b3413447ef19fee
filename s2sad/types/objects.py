"""Objects of SciPy are made anew for a probe, as the program makes them.

interpolate.CubicSpline(x, z)(t)      the spline of made-up places and values, called
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from s2sad.ir.expression import Expr, keywords, positional
from s2sad.operators.effects import is_made_by_scipy
from s2sad.types.attributes import getter
from s2sad.types.calling import Operand

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


def made_object(expr: Expr, operand: AsOperand) -> Operand | None:
    """Return an object that SciPy makes as an operand; None of anything else."""
    if expr.op == "attribute":
        owner = made_object(expr.args[0], operand)
        reads: Any = Maker(getter(expr.data))
        return None if owner is None else Operand(expr.type, None, (owner,), reads)
    if expr.op != "call" or expr.args[0].op != "global" or not is_made_by_scipy(expr):
        return None
    args, named = positional(expr), keywords(expr)
    parts = [operand(arg) for arg in (*args, *named.values())]
    if any(part is None for part in parts) or any(arg.op == "starred" for arg in args):
        return None
    maker: Any = Maker(expr.args[0].data.value, tuple(named))
    return Operand(expr.type, None, tuple(p for p in parts if p is not None), maker)
