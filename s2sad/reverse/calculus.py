"""Expressions of derivatives, each with its type, and what they are reduced or stretched to.

fit(g, u * c, c)     np.sum(g)      c is a number, g has the shape of u
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, attribute, call, constant, global_, subscript
from s2sad.ir.types import Array, Length, Number, Other, Type

Shape = tuple[Length | None, ...] | None
FLOAT = Number("float64")
WHOLE = Number("int64")
ONE = Length((), 1)


def shape(expr: Expr) -> Shape:
    """Return the lengths of a value; () of a number, None where not even the rank is known."""
    match expr.type:
        case Array(_, lengths):
            return lengths
        case Number():
            return ()
    return None


def is_array(expr: Expr) -> bool:
    """Tell whether a value is an array of a known rank of at least one."""
    return isinstance(expr.type, Array) and bool(expr.type.lengths)


def is_known(found: Shape) -> bool:
    """Tell whether every length of a shape is known."""
    return found is not None and all(length is not None for length in found)


def have_one_shape(a: Expr, b: Expr) -> bool:
    """Tell whether two values surely have one shape."""
    left, right = shape(a), shape(b)
    return left == right and is_known(left)


def is_literal(expr: Expr, *values: float) -> bool:
    """Tell whether an expression is a literal number, or one of these."""
    if expr.op != "constant" or type(expr.data) not in (int, float, complex):
        return False
    return not values or expr.data in values


def number(value: float) -> Expr:
    """Return a literal number."""
    return constant(value, FLOAT if isinstance(value, float) else WHOLE)


def literal(value: Any, type_: Type | None = None) -> Expr:
    """Return a literal of any kind."""
    return constant(value, type_ or Other(type(value)))


def module(text: str) -> Expr:
    """Return a function of NumPy: module("sum") is np.sum."""
    value: Any = np
    for word in text.split("."):
        value = getattr(value, word)
    return global_(f"np.{text}", value)


@dataclass(frozen=True, slots=True)
class Calculus:
    """How expressions are made: `infer` gives a node its type from the types of its operands."""

    infer: Callable[[Expr], Expr]

    def numpy(self, text: str, *args: Expr, **keywords: Expr) -> Expr:
        """Return a call of a function of NumPy."""
        operands = (module(text), *args, *keywords.values())
        return self.infer(Expr("call", operands, tuple(keywords)))

    def binary(self, symbol: str, a: Expr, b: Expr) -> Expr:
        """Return a binary operation as it stands."""
        return self.infer(Expr("binary", (a, b), symbol))

    def part(self, base: Expr, index: Expr) -> Expr:
        """Return a part of a value."""
        return self.infer(subscript(base, index))

    def attribute(self, base: Expr, named: str) -> Expr:
        """Return an attribute of a value."""
        return self.infer(attribute(base, named))

    def add(self, a: Expr, b: Expr) -> Expr:
        """Return a + b; equal terms are doubled."""
        if is_literal(a, 0):
            return b
        if is_literal(b, 0):
            return a
        if a == b:
            return self.multiply(number(2.0), a)
        if b.op == "unary" and b.data == "-":
            return self.subtract(a, b.args[0])
        if b.op == "binary" and b.data in ("*", "/") and is_literal(b.args[0]):
            if isinstance(b.args[0].data, float) and b.args[0].data < 0:
                return self.binary("-", a, self.negate(b))
        return self.binary("+", a, b)

    def subtract(self, a: Expr, b: Expr) -> Expr:
        """Return a - b."""
        if is_literal(b, 0):
            return a
        if is_literal(a, 0):
            return self.negate(b)
        if b.op == "unary" and b.data == "-":
            return self.add(a, b.args[0])
        return self.binary("-", a, b)

    def negate(self, a: Expr) -> Expr:
        """Return -a."""
        if is_literal(a):
            return number(-a.data)
        if a.op == "unary" and a.data == "-":
            return a.args[0]
        if a.op == "binary" and a.data in ("*", "/") and is_literal(a.args[0]):
            return self.binary(a.data, number(-a.args[0].data), a.args[1])
        return self.infer(Expr("unary", (a,), "-"))

    def multiply(self, a: Expr, b: Expr) -> Expr:
        """Return a * b; literals come first, 1 * b is b."""
        if is_literal(b) and not is_literal(a):
            a, b = b, a
        if is_literal(a, 1) and not is_literal(b):
            return b
        if is_literal(a) and is_literal(b):
            return number(a.data * b.data)
        for x, y in ((a, b), (b, a)):
            if x.op == "unary" and x.data == "-":
                inner = (x.args[0], y) if x is a else (y, x.args[0])
                return self.negate(self.multiply(*inner))
        if is_literal(a, -1):
            return self.negate(b)
        if is_literal(a) and b.op == "binary" and b.data == "*" and is_literal(b.args[0]):
            return self.multiply(number(a.data * b.args[0].data), b.args[1])
        if not is_literal(a) and b.op == "binary" and b.data == "*" and is_literal(b.args[0]):
            return self.multiply(b.args[0], self.multiply(a, b.args[1]))
        if a.op == "binary" and a.data == "*" and is_literal(a.args[0]):
            return self.multiply(a.args[0], self.multiply(a.args[1], b))
        return self.binary("*", a, b)

    def divide(self, a: Expr, b: Expr) -> Expr:
        """Return a / b."""
        if is_literal(b, 1):
            return a
        if a.op == "unary" and a.data == "-":
            return self.negate(self.divide(a.args[0], b))
        return self.binary("/", a, b)

    def zeros_like(self, expr: Expr) -> Expr:
        """Return zeros in the shape of a value."""
        if isinstance(expr.type, Number):
            return number(0.0)
        made = self.numpy("zeros_like", expr)
        return made if _is_float(made.type) else self.numpy("zeros", self.attribute(expr, "shape"))

    def copy(self, expr: Expr) -> Expr:
        """Return a copy of an array."""
        if expr.op == "call" and expr.args[0].op == "attribute" and expr.args[0].data == "copy":
            return expr
        return call(attribute(expr, "copy"), type_=expr.type)

    def total(self, g: Expr) -> Expr:
        """Return the sum of all elements; of a product of two arrays it is a dot product."""
        if g.op == "unary" and g.data == "-":
            return self.negate(self.total(g.args[0]))
        if g.op == "binary" and g.data == "*":
            a, b = g.args
            if shape(a) == ():
                return self.multiply(a, self.total(b))
            if shape(b) == ():
                return self.multiply(b, self.total(a))
            if have_one_shape(a, b) and have_one_shape(a, g) and _are_floats(a.type, b.type):
                rank = len(shape(a) or ())
                return self.binary("@", a, b) if rank == 1 else self.numpy("vdot", a, b)
        if g.op == "binary" and g.data == "/" and shape(g.args[1]) == ():
            return self.divide(self.total(g.args[0]), g.args[1])
        return self.numpy("sum", g)


def _is_float(type_: Type) -> bool:
    return getattr(type_, "dtype", "f")[0] in "fc"


def _are_floats(*types: Type) -> bool:
    return all(getattr(t, "dtype", "?")[0] == "f" for t in types)


def as_number(expr: Expr) -> Expr:
    """Return an expression known to be a number."""
    return replace(expr, type=FLOAT)
