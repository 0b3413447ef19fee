"""Products of arrays of which one has an axis of directions in front.

np.dot(A, x_dot)     np.dot(x_dot, A.T)       np.dot(A_dot, x)     stays
np.dot(a, x_dot)     np.dot(x_dot, a)         A @ X_dot            stays, for matrices
np.outer(a, b_dot)   a[:, None] * b_dot[:, None]
"""

from __future__ import annotations

from string import ascii_letters
from typing import TYPE_CHECKING

import numpy as np

from s2sad.legacy.directions.keys import shown
from s2sad.legacy.guards import may_be_complex
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Ref
from s2sad.legacy.traverse import WHOLE

if TYPE_CHECKING:
    from s2sad.legacy.directions.expressions import Lift

DOT = Ref("np.dot", np.dot)
CONJ = Ref("np.conj", np.conj)


def dot(lift: Lift, call: Call) -> Expr:
    """np.dot: of matrices and vectors as matmul, of a number as a product."""
    a, b = _two(lift, call)
    if 0 in (lift.rank(a), lift.rank(b)):
        return lift.elementwise(Op("*", (a, b)))
    if max(lift.rank(a), lift.rank(b)) > 2:
        raise lift.no_form("np.dot of arrays of three axes")
    return _product(lift, call, a, b)


def matmul(lift: Lift, call: Call) -> Expr:
    """np.matmul, which takes leading axes as stacks of matrices."""
    return _product(lift, call, *_two(lift, call))


def at(lift: Lift, expr: Op) -> Expr:
    """`a @ b`."""
    a, b = expr.args
    return _product(lift, expr, a, b)


def _product(lift: Lift, whole: Call | Op, a: Expr, b: Expr) -> Expr:
    left, right = lift.rank(a), lift.rank(b)
    if lift.is_many(a) and lift.is_many(b):
        raise lift.no_form("a product of two tangents")
    if lift.is_many(b) and right == 1:
        # A x for each of the rows x of one matrix
        if left > 2:
            raise lift.no_form("a product of a stack of matrices and a tangent")
        turned = Attr(lift.lifted(a), "T") if left == 2 else lift.lifted(a)
        return _like(whole, lift.lifted(b), turned)
    if lift.is_many(a) and left == 1 and right > 2:
        raise lift.no_form("a product of a tangent and a stack of matrices")
    first = lift.aligned(a, right) if lift.is_many(a) and right > 2 else lift.lifted(a)
    second = lift.aligned(b, left) if lift.is_many(b) and left > 2 else lift.lifted(b)
    if isinstance(whole, Call) and whole.func == DOT and lift.is_many(b):
        return Call(Ref("np.matmul", np.matmul), (first, second))
    return _like(whole, first, second)


def _like(whole: Call | Op, a: Expr, b: Expr) -> Expr:
    return Op("@", (a, b)) if isinstance(whole, Op) else Call(whole.func, (a, b))


def outer(lift: Lift, call: Call) -> Expr:
    """np.outer of vectors: a product of a column and a row for each direction."""
    a, b = _two(lift, call)
    if (lift.rank(a), lift.rank(b)) != (1, 1):
        raise lift.no_form("np.outer of what are no vectors")
    column = Op("index", (a, Op("tuple", (WHOLE, NONE))))
    return lift.elementwise(Op("*", (column, b)))


def inner(lift: Lift, call: Call) -> Expr:
    """np.inner of two vectors, or of numbers."""
    a, b = _two(lift, call)
    return _sum_of_product(lift, call, a, b)


def vdot(lift: Lift, call: Call) -> Expr:
    """np.vdot, which conjugates its first operand, of two vectors or numbers."""
    a, b = _two(lift, call)
    return _sum_of_product(lift, call, _conjugate(lift, a), b)


def _sum_of_product(lift: Lift, call: Call, a: Expr, b: Expr) -> Expr:
    ranks = lift.rank(a), lift.rank(b)
    if ranks == (0, 0):
        return lift.elementwise(Op("*", (a, b)))
    if ranks != (1, 1):
        raise lift.no_form(f"{shown(call)} of what are no vectors")
    many, other = (a, b) if lift.is_many(a) else (b, a)
    if lift.is_many(other):
        raise lift.no_form("a product of two tangents")
    return Call(DOT, (lift.lifted(many), lift.lifted(other)))


def _conjugate(lift: Lift, operand: Expr) -> Expr:
    return Call(CONJ, (operand,)) if may_be_complex(operand, lift.fact) else operand


def einsum(lift: Lift, call: Call) -> Expr:
    """np.einsum with its result spelled out: one letter more, that of the directions."""
    subscripts, *operands = call.args
    text = subscripts.value if isinstance(subscripts, Const) else ""
    if "->" not in text or "." in text or call.keywords:
        raise lift.no_form("np.einsum of subscripts that leave something out")
    letter = next(c for c in ascii_letters if c not in text)
    inputs, result = text.replace(" ", "").split("->")
    terms = [
        letter + term if lift.is_many(operand) else term
        for term, operand in zip(inputs.split(","), operands, strict=True)
    ]
    made = Const(f"{','.join(terms)}->{letter}{result}")
    return Call(call.func, (made, *map(lift.lifted, operands)))


def _two(lift: Lift, call: Call) -> tuple[Expr, Expr]:
    if len(call.args) != 2 or call.keywords:
        raise lift.no_form(f"{shown(call)} with these arguments")
    return call.args[0], call.args[1]
