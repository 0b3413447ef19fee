"""An expression along one direction becomes that along many, an axis of directions in front.

np.cos(x) * x_dot       stays as it is where both have the rank of the product
c_dot * x               c_dot[:, None] * x
x_dot[1:]               x_dot[:, 1:]
np.sum(x_dot)           np.sum(x_dot, axis=1)

Only tangents have that axis; a tangent is linear in them, so no operation meets two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from s2sad.ir.errors import S2sadError, Span, Unsupported
from s2sad.legacy.directions import products
from s2sad.legacy.directions.axes import transposed
from s2sad.legacy.directions.functions import BY_ELEMENT, called
from s2sad.legacy.directions.keys import indexed
from s2sad.legacy.facts import Fact
from s2sad.legacy.products import Known, fact_of_expr
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.traverse import WHOLE, children, reads, rebuild

SHAPES = frozenset({"shape", "size", "ndim", "dtype"})
OF_SHAPES = frozenset({"np.shape", "np.size", "np.ndim", "len"})
ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**", "u-", "u+"})
SHAPE = Ref("np.shape", np.shape)
ZEROS = Ref("np.zeros", np.zeros)
FULL = Ref("np.full", np.full)
LEN = Ref("len", len)
LIST = Ref("list", list)
REPEAT = Ref("np.repeat", np.repeat)
LATER = Op("slice", (Const(1), NONE, NONE))


def is_elementwise(expr: Expr) -> bool:
    """Tell whether an operation works element by element."""
    match expr:
        case Op(op):
            return op in ARITHMETIC
        case Call(Ref(value=np.ufunc(signature=None))):
            return True
        case Call(Ref(value=function)):
            return function in BY_ELEMENT
    return False


def with_axes(whole: Expr, count: int) -> Expr:
    """Return a value with axes of length 1 behind that of the directions."""
    if count <= 0:
        return whole
    return Op("index", (whole, Op("tuple", (WHOLE, *[NONE] * count))))


@dataclass(frozen=True)
class Lift:
    """How expressions are lifted: `many` are the values that have the axis, `count` its length.

    `known` tells what values are along one direction.
    """

    known: Known
    many: frozenset[Var]
    count: Var
    span: Span
    empty: frozenset[Var] = frozenset()  # lists with nothing in them yet

    # ------------------------------------------------------------ what is known

    def fact(self, expr: Expr) -> Fact:
        """Return what is known of an expression along one direction."""
        return fact_of_expr(expr, self.known)

    def rank(self, expr: Expr) -> int:
        """Return the number of axes along one direction; refuse where it is not known."""
        rank = self.fact(expr).rank
        if rank is None:
            raise self.refused(
                "how many axes a tangent has here decides about many directions at once"
            )
        return rank

    def is_many(self, expr: Expr) -> bool:
        """Tell whether the value of an expression has the axis of directions."""
        match expr:
            case Var():
                return expr in self.many
            case Attr(_, name) if name in SHAPES:
                return False
            case Call(Ref(text)) if text in OF_SHAPES:
                return False
        return any(map(self.is_many, children(expr)))

    def refused(self, problem: str) -> S2sadError:
        """Return the refusal of something in the statement that is lifted.

        More may be known of other arguments, so it is never certain.
        """
        error = Unsupported(
            problem, self.span, "Take one direction at a time: s2sad.jvp gives a tangent for each."
        )
        error.certain = False
        return error

    def no_form(self, what: str) -> S2sadError:
        """Return the refusal of what cannot be told where the axis of directions is."""
        return self.refused(f"{what} has no form for many directions at once")

    # ------------------------------------------------------------ lifting

    def lifted(self, expr: Expr) -> Expr:
        """Return an expression as it is along many directions."""
        if not any(var in self.many for var in reads(expr)):
            return expr
        match expr:
            case Var():
                return expr
            case Attr(value, name):
                return self._attribute(expr, value, name)
            case Op("index", (owner, key)):
                return indexed(self, owner, key)
            case Op("tuple" | "list" as display, parts):
                return Op(display, tuple(map(self._part, parts)))
            case Op("if", (test, then, orelse)) if not self.is_many(test):
                rank = self.rank(expr)
                sides = (self.spread(side, rank) for side in (then, orelse))
                return Op("if", (self.lifted(test), *sides))
            case Op("@") if self.is_many(expr):
                return products.at(self, expr)
            case _ if is_elementwise(expr):
                return self.elementwise(expr)
            case Call():
                return called(self, expr)
        if not self.is_many(expr):
            return rebuild(expr, tuple(map(self.lifted, children(expr))))
        raise self.no_form("this expression")

    def _attribute(self, expr: Attr, value: Expr, name: str) -> Expr:
        match name:
            case "shape" if self.is_many(value):
                return Op("index", (Attr(self.lifted(value), "shape"), LATER))
            case "dtype" | "real" | "imag":
                return Attr(self.lifted(value), name)
            case "T":
                return transposed(self, value)
        if self.fact(value).kind == "record" or not self.is_many(value):
            return Attr(self.lifted(value), name)
        raise self.no_form(f"the attribute .{name}")

    def _part(self, part: Expr) -> Expr:
        if isinstance(part, Const) and isinstance(part.value, float):
            return self.spread(part, 0)
        return self.lifted(part)

    def elementwise(self, expr: Expr, rank: int | None = None) -> Expr:
        """Return an operation element by element, its operands of the rank of its result."""
        if rank is None:
            rank = self.rank(expr) if self.is_many(expr) else 0
        return rebuild(expr, tuple(self.aligned(part, rank) for part in children(expr)))

    def aligned(self, part: Expr, rank: int) -> Expr:
        """Return an operand that meets others of `rank` axes, the new one in front of them."""
        if not self.is_many(part):
            return self.lifted(part)
        if is_elementwise(part):
            return self.elementwise(part, rank)
        return with_axes(self.lifted(part), rank - self.rank(part))

    # ------------------------------------------------------------ values without the axis

    def spread(self, expr: Expr, rank: int) -> Expr:
        """Return a value of `rank` axes that has the axis of directions, the same along each."""
        if self.is_many(expr):
            return self.aligned(expr, rank)
        if rank != self.rank(expr):
            raise self.no_form("what a tangent is here")
        zeros = self.zeros(expr)
        if zeros is not None:
            return zeros
        if rank == 0:
            return Call(FULL, (self.count, self.lifted(expr)))
        value = Op("index", (self.lifted(expr), NONE))
        return Call(REPEAT, (value, self.count), (("axis", Const(0)),))

    def zeros(self, expr: Expr) -> Expr | None:
        """Return the zeros along many directions of what is zero along one; None of others."""
        match expr:
            case Const(0.0):
                return Call(ZEROS, (self.count,))
            case Op("list", ()):
                return expr
            case Call(Ref("_zeros_of"), (like,)) if like in self.empty:
                return Op("list", ())
            case Call(Ref("_zeros_of"), (like,)) if self._holds_numbers(like):
                rows = Op("tuple", (Call(LEN, (self.lifted(like),)), self.count))
                return Call(LIST, (Call(ZEROS, (rows,)),))
            case Call(Ref("np.zeros_like"), (like,), ()):
                fact = self.fact(like)
                shape = Attr(like, "shape") if fact.is_array else Call(SHAPE, (like,))
                whole = Op("tuple", (self.count, Op("star", (self.lifted(shape),))))
                double = fact.dtype in ("", "float64")
                keywords = () if double else (("dtype", Attr(self.lifted(like), "dtype")),)
                return Call(ZEROS, (whole,), keywords)
        return None

    def _holds_numbers(self, like: Expr) -> bool:
        """Tell whether an expression is a list of numbers, and of nothing else."""
        fact = self.fact(like)
        return fact.kind == "list" and bool(fact.items) and all(i.is_scalar for i in fact.items)
