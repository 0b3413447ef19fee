"""Adjoints of complex values are complex, those of real values are real.

The adjoint of a complex z is dL/dRe z - i dL/dIm z, so that dL = Re(z_bar dz): what is holomorphic
has the same rule for real and complex values, and a real operand receives the real part.

y = x * z        x_bar = np.real(z * y_bar)        x is real, z is complex
"""

from __future__ import annotations

from s2sad.ir.expression import Expr, constant
from s2sad.ir.types import Number
from s2sad.reverse.world import Code

NOTHING = constant(0j, Number("complex128"))


def in_kind(g: Expr, expr: Expr, code: Code) -> Expr:
    """Return an adjoint as one of a value that is complex, or real."""
    mine, wanted = _kind(g), _kind(expr)
    if wanted == "c" and mine in "fiub" and mine:
        return code.world.calculus.infer(Expr("binary", (g, NOTHING), "+"))
    if mine == "c" and wanted in "fiub" and wanted:
        return code.world.calculus.numpy("real", g)
    return g


def _kind(expr: Expr) -> str:
    """Return whether a value is of floats, integers, truth values or complex; "" if it is not known."""
    return getattr(expr.type, "dtype", "")[:1]
