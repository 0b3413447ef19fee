"""Expressions of derivatives, each with its type, and what they are reduced or stretched to.

fit(g, u * c, c)     np.sum(g)      c is a number, g has the shape of u
"""

from __future__ import annotations

from typing import Any

from s2sad.ir.expression import Expr, constant, copied, copy_of, global_
from s2sad.ir.types import ONE, Array, Length, Number, Numeric, Other, Type
from s2sad.operators import trees
from s2sad.operators.algebra import Algebra
from s2sad.operators.guards import spelled

Shape = tuple[Length | None, ...] | None
FLOAT = Number("float64")
number, is_array, is_literal = trees.literal, trees.is_array, trees.is_literal


def shape(expr: Expr) -> Shape:
    """Return the lengths of a value; () of a number, None where not even the rank is known."""
    match expr.type:
        case Array(_, lengths):
            return lengths
        case Number():
            return ()
    return None


def is_known(found: Shape) -> bool:
    """Tell whether every length of a shape is known."""
    return found is not None and all(length is not None for length in found)


def is_open(expr: Expr) -> bool:
    """Tell whether a value may be a number or an array of any rank."""
    return isinstance(expr.type, Numeric)


def is_loose(expr: Expr) -> bool:
    """Tell whether the shape of a value is known as the text runs alone: its rank, or a length."""
    return is_open(expr) or (is_array(expr) and not is_known(shape(expr)))


def have_one_shape(a: Expr, b: Expr) -> bool:
    """Tell whether two values surely have one shape."""
    if isinstance(a.type, Numeric) and isinstance(b.type, Numeric):
        return a.type.token is not None and a.type.token == b.type.token
    left, right = shape(a), shape(b)
    return left == right and is_known(left)


def has_shape_of(g: Expr, value: Expr) -> bool:
    """Tell whether an adjoint has the shape of a value, of which lengths may not be known.

    What is no number has it by the rules, but for an axis of length 1 that is still to be stretched.
    """
    mine, wanted = shape(g), shape(value)
    if not mine or not wanted or len(mine) != len(wanted):
        return False
    pairs = zip(mine, wanted, strict=True)
    return all(m == n or (None in (m, n) and ONE not in (m, n)) for m, n in pairs)


def literal(value: Any, type_: Type | None = None) -> Expr:
    """Return a literal of any kind."""
    return constant(value, type_ or Other(type(value)))


def is_float(expr: Expr) -> bool:
    """Tell whether a value is of floats or complex numbers, as far as is known."""
    return getattr(expr.type, "dtype", "f")[0] in "fc"


class Calculus(Algebra):
    """How expressions of derivatives are made: by the table of rewrites, each with its type."""

    def zeros_like(self, expr: Expr) -> Expr:
        """Return zeros in the shape of a value."""
        if isinstance(expr.type, Number):
            return number(0.0)
        options: tuple[Expr, ...] = ()
        if getattr(expr.type, "perhaps_whole", False):
            options = (global_("float", float),)
        if getattr(expr.type, "dtype", "") == "complex128":  # perhaps real
            options = (global_("complex", complex),)
        made = self.numpy("zeros_like", expr, *options)
        return made if is_float(made) else self.numpy("zeros", self.attribute(expr, "shape"))

    def copy(self, expr: Expr) -> Expr:
        """Return a copy of an array."""
        return copy_of(expr) if copied(expr) is None else expr


def without_numbers(value: Expr) -> Expr:
    """Return a value with 1.0 in place of the numbers that it is computed from."""
    if shape(value) == () and spelled(value) is None:
        return number(1.0)
    return value.with_args(map(without_numbers, value.args))
