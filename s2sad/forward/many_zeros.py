"""Zeros along many directions, of what does not vary.

0.0                  np.zeros(directions)
np.zeros_like(u)     np.zeros((directions, *u.shape))
[0.0, x_dot]         [np.zeros(directions), x_dot]
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from s2sad.forward.axes import lifted_type
from s2sad.ir.expression import Expr, attribute, positional
from s2sad.ir.types import Array, Number, Tuple
from s2sad.operators.algebra import numpy_function

if TYPE_CHECKING:
    from s2sad.forward.lifting import Lift


def many_zeros(expr: Expr, lift: Lift) -> Expr:
    """Return zeros along many directions."""
    if expr.op in ("tuple", "list"):
        return expr.with_args(map(lift.kept, expr.args)).typed(lifted_type(expr.type))
    if expr.op == "constant" and expr.data is None:
        return expr
    if expr.op in ("dict", "record"):
        return expr.with_args(map(lift.part, expr.args))
    if expr.op == "call" and expr.args[0].op == "global" and not positional(expr):
        if expr.args[0].data.value in (SimpleNamespace, dict):
            return expr.with_args((expr.args[0], *map(lift.kept, expr.args[1:])))
    shape = _shape_of(expr)
    if shape is None:
        raise lift.refuse(expr)
    if not shape:
        return lift.typed(Expr("call", (numpy_function("zeros"), lift.directions), ()), expr)
    whole = Expr("tuple", (lift.directions, *shape), None, Tuple(()))
    made = Expr("call", (numpy_function("zeros"), whole), ())
    if isinstance(expr.type, Array) and expr.type.dtype not in ("float64", "int64", "bool"):
        dtype = attribute(expr.args[1], "dtype") if _is_like(expr) else None
        if dtype is None:
            raise lift.refuse(expr)
        made = Expr("call", (numpy_function("zeros"), whole, dtype), ("dtype",))
    return lift.typed(made, expr)


def _shape_of(expr: Expr) -> tuple[Expr, ...] | None:
    """Return the lengths of zeros that are written out; None for what is not known to be zeros."""
    if expr.op == "constant" and type(expr.data) in (int, float) and expr.data == 0:
        return ()
    if expr.op != "call" or expr.args[0].op != "global" or len(expr.args) != 2 or expr.data:
        return None
    text, (arg,) = expr.args[0].data.text, expr.args[1:]
    if text not in ("np.zeros", "np.zeros_like"):
        return None
    if text == "np.zeros_like":
        if isinstance(arg.type, Number):
            return ()
        return (Expr("starred", (attribute(arg, "shape"),), "*"),)
    if arg.op == "tuple":
        return arg.args
    return (arg,) if isinstance(arg.type, Number) else (Expr("starred", (arg,), "*"),)


def _is_like(expr: Expr) -> bool:
    return expr.op == "call" and expr.args[0].data.text == "np.zeros_like"
