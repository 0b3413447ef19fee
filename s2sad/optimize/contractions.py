"""Products that a derivative sums along some of their axes: no array of the products is made.

np.sum(H_bar * Xn, axis=0)                     np.einsum("ij,ij->j", H_bar, Xn)
np.sum(-2.0 * D * (v_bar * r), axis=0)         -2.0 * v_bar * np.einsum("ij,ij->j", D, r)
np.sum(r_bar * r, axis=1, keepdims=True)       np.einsum("ij,ij->i", r_bar, r)[:, None]

This is for NumPy: a device multiplies and sums in one kernel anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from s2sad.ir.expression import EVERYTHING, Expr, calls, constant, keywords, positional, subscript
from s2sad.ir.program import Program, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Type
from s2sad.ir.walk import rebuilt, rewritten, with_expressions
from s2sad.operators.algebra import factors_of, have_one_shape, numpy_function
from s2sad.operators.guards import dtype_of, rank_of, value_of
from s2sad.operators.trees import literal
from s2sad.optimize.contributions import subtracting

EINSUM = numpy_function("einsum")
LETTERS = "ijklmn"


def contracted(program: Program) -> Program:
    """Return a program whose derivatives sum products of two arrays of one shape by np.einsum."""

    def change(statement: Statement) -> Statement:
        new = with_expressions(statement, lambda e: rebuilt(e, _contraction))
        return statement if new is statement else subtracting(new)

    return program.mapped(lambda each: replace(each, body=rewritten(each.body, change)))


def _contraction(expr: Expr) -> Expr | None:
    """Return what stands for a sum of a product along some axes; None for all else."""
    if expr.span is not None or not calls(expr, np.sum):  # the user's own stays as it is
        return None
    named, args = keywords(expr), positional(expr)
    if named.keys() - {"axis", "keepdims"} or len(args) != 1:
        return None
    (product,), rank = args, rank_of(args[0].type)
    axes = value_of(named["axis"]) if "axis" in named else None
    if not isinstance(axes, int | tuple) or not rank or rank > len(LETTERS):
        return None
    summed = frozenset(k % rank for k in (axes if isinstance(axes, tuple) else (axes,)))
    is_kept = value_of(named["keepdims"]) if "keepdims" in named else False
    if not isinstance(is_kept, bool) or (is_kept and summed != {rank - 1}):
        return None
    outside, inside = _split(factors_of(product), product, summed)
    if not inside or not all(_is_whole(each, product) for each in inside):
        return None
    if len(inside) == 1:
        if not outside:
            return None
        return _product(
            [*outside, expr.with_args((expr.args[0], *inside, *expr.args[2:]))], expr.type
        )
    *first, last = inside
    whole = _einsum(_product(first, product.type), last, summed, expr.type)
    if is_kept:
        whole = _kept(whole, rank, expr.type)
    return _product([*outside, whole], expr.type)


def _split(
    factors: Sequence[Expr], product: Expr, summed: frozenset[int]
) -> tuple[list[Expr], list[Expr]]:
    """Return the factors that are the same for all that is summed, and the others."""
    outside = [each for each in factors if _is_same(each, product, summed)]
    return outside, [each for each in factors if each not in outside]


def _is_whole(factor: Expr, product: Expr) -> bool:
    return dtype_of(factor) == "float64" and have_one_shape(factor, product)


def _is_same(factor: Expr, product: Expr, summed: frozenset[int]) -> bool:
    """Tell whether a factor is a number, or stretched along the first axes, those that are summed."""
    if dtype_of(factor) != "float64":
        return False
    rank, whole = rank_of(factor.type), rank_of(product.type)
    if rank is None or whole is None:
        return False
    if rank == 0:
        return True
    assert isinstance(factor.type, Array) and isinstance(product.type, Array)
    tail = product.type.lengths[whole - rank :]
    return summed == frozenset(range(whole - rank)) and factor.type.lengths == tail


def _einsum(a: Expr, b: Expr, summed: frozenset[int], type_: Type) -> Expr:
    rank = rank_of(b.type) or 0
    letters = LETTERS[:rank]
    left = "".join(each for k, each in enumerate(letters) if k not in summed)
    spelled = literal(f"{letters},{letters}->{left}")
    return Expr("call", (EINSUM, spelled, a, b), (), type_)


def _kept(whole: Expr, rank: int, type_: Type) -> Expr:
    """Return sums along the last axis with that axis, of length 1."""
    parts = (*(EVERYTHING,) * (rank - 1), constant(None))
    return subscript(whole, Expr("tuple", parts), type_)


def _product(factors: Sequence[Expr], type_: Type) -> Expr:
    def times(a: Expr, b: Expr) -> Expr:
        found = b.type if isinstance(a.type, Number) else type_
        return Expr("binary", (a, b), "*", found)

    return reduce(times, factors)
