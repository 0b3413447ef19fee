"""NumPy's functions of values with an axis of directions in front: what is called then.

np.tril(x_dot)                np.tril(x_dot), which goes along the last axes anyway
np.diag(x_dot)                x_dot[:, :, None] * np.eye(x_dot.shape[1])
np.linalg.solve(A, b_dot)     np.linalg.solve(A, b_dot.T).T
np.convolve(x_dot, w)         refused
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from s2sad.legacy.directions import products
from s2sad.legacy.directions.axes import (
    Rule,
    along,
    argument,
    broadcast,
    filled,
    of_matrix,
    ravel,
    reshape,
    transpose,
    two_axes,
)
from s2sad.legacy.directions.joining import (
    added_up,
    array,
    at_least_one,
    joined,
    listed,
    of_number,
    side_by_side,
)
from s2sad.legacy.directions.keys import shown
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Ref
from s2sad.legacy.traverse import WHOLE, children, rebuild

if TYPE_CHECKING:
    from s2sad.legacy.directions.expressions import Lift

# their first argument is all that may vary, and leading axes are as many matrices or vectors
STACKED: Final = frozenset(
    {np.copy, np.tril, np.triu, np.real, np.imag, np.nan_to_num, np.zeros_like, np.linalg.inv}
)
TRIANGLES: Final = frozenset({np.tril, np.triu})
# printed functions of values and one tangent, a matrix: these go through stacks of matrices
OF_MATRICES: Final = frozenset(
    {"_cholesky_move", "_eigenvalues_dot", "_eigenvectors_dot", "_solve_dot", "_symmetric"}
)
BY_ELEMENT: Final = frozenset({np.where, np.clip})
SPLITS: Final = frozenset({np.split, np.array_split})
TRAPEZOIDS: Final = [getattr(np, name) for name in ("trapezoid", "trapz") if hasattr(np, name)]


def called(lift: Lift, call: Call) -> Expr:
    """Return a call as it is along many directions."""
    call = _by_place(_of_module(lift, call))
    match call.func:
        case _ if not lift.is_many(call):
            return rebuild(call, tuple(map(lift.lifted, children(call))))
        case Attr(owner, "copy" | "astype" as method):
            return Call(Attr(lift.lifted(owner), method), call.args, call.keywords)
        case Ref(value=function) if function in STACKED and _only_first(lift, call):
            if function in TRIANGLES and lift.rank(call.args[0]) < 2:
                raise lift.no_form(f"{shown(call)} of a vector, which makes a matrix of it,")
            return Call(call.func, (lift.lifted(call.args[0]), *call.args[1:]), call.keywords)
        case Ref(text) if text in OF_MATRICES and _moves_a_matrix(lift, call):
            return rebuild(call, tuple(map(lift.lifted, children(call))))
        case Ref(value=function) if function in RULES and call.args:
            if function in OF_SEVERAL or _only_first(lift, call):
                return RULES[function](lift, call)
    raise lift.no_form(shown(call))


def _only_first(lift: Lift, call: Call) -> bool:
    if not call.args or not lift.is_many(call.args[0]):
        return False
    others = (*call.args[1:], *(value for _, value in call.keywords))
    return not any(map(lift.is_many, others))


def _moves_a_matrix(lift: Lift, call: Call) -> bool:
    """Tell whether one argument is a tangent, and every array one of a single matrix."""
    moving = [arg for arg in call.args if lift.is_many(arg)]
    ranks = [lift.fact(arg).rank for arg in call.args if lift.fact(arg).is_array]
    return [lift.rank(arg) for arg in moving] == [2] and not any(r is None or r > 2 for r in ranks)


METHODS: Final = frozenset(
    "sum mean cumsum reshape ravel flatten transpose swapaxes dot repeat take trace diagonal".split()
)
SEVERAL: Final = frozenset({"reshape", "transpose"})  # x.reshape(2, 3)


def _of_module(lift: Lift, call: Call) -> Call:
    """Return a call of an array's method as one of NumPy's function."""
    match call:
        case Call(Attr(owner, name), args, keywords) if name in METHODS:
            if not lift.fact(owner).is_array:
                return call
            if name in SEVERAL and len(args) > 1:
                args = (Op("tuple", args),)
            name = "ravel" if name == "flatten" else name
            return Call(Ref(f"np.{name}", getattr(np, name)), (owner, *args), keywords)
    return call


FIRST: Final = frozenset({"a", "x", "m", "ary", "array", "arrays", "p", "object", "v"})


def _by_place(call: Call) -> Call:
    """Return a call whose first argument is not given by name."""
    if call.args or not call.keywords or call.keywords[0][0] not in FIRST:
        return call
    (_, first), *others = call.keywords
    return Call(call.func, (first,), tuple(others))


def _diag(lift: Lift, call: Call) -> Expr:
    """np.diag: the diagonal of a matrix, or the matrix of a diagonal."""
    if lift.rank(call.args[0]) == 2:
        return of_matrix(lift, replace(call, func=Ref("np.diagonal", np.diagonal)))
    if lift.rank(call.args[0]) != 1 or len(call.args) > 1 or call.keywords:
        raise lift.no_form(shown(call))
    x = lift.lifted(call.args[0])
    column = Op("index", (x, Op("tuple", (WHOLE, NONE))))
    size = Op("index", (Attr(x, "shape"), Const(1)))
    return Op("*", (column, Call(Ref("np.eye", np.eye), (size,))))


def _with_border(lift: Lift, call: Call) -> Expr:
    """np.pad with widths that are spelled out: none along the axis of directions."""
    rank = lift.rank(call.args[0])
    each = _widths(lift, argument(call, 1, "pad_width") or NONE, rank)
    if len(each) != rank or not all(isinstance(e, Op) and e.op == "tuple" for e in each):
        raise lift.no_form(shown(call))
    none = Op("tuple", (Const(0), Const(0)))
    others = tuple(pair for pair in call.keywords if pair[0] != "pad_width")
    args = (lift.lifted(call.args[0]), Op("tuple", (none, *each)), *call.args[2:])
    return Call(call.func, args, others)


def _widths(lift: Lift, widths: Expr, rank: int) -> list[Expr]:
    """Return the widths of a border, a pair for each axis: 1, (1, 2), ((1, 2),) and so on."""
    if lift.fact(widths).kind == "int":
        return [Op("tuple", (widths, widths))] * rank
    each = list(widths.args) if isinstance(widths, Op) else []
    if len(each) == 2 and not any(isinstance(e, Op) and e.op == "tuple" for e in each):
        return [widths] * rank
    return each * rank if len(each) == 1 else each


def _filled(lift: Lift, call: Call) -> Expr:
    """np.full(shape, value): the value may vary."""
    if len(call.args) != 2 or lift.is_many(call.args[0]):
        raise lift.no_form(shown(call))
    zeros = Call(Ref("np.zeros", np.zeros), call.args[:1], call.keywords)
    return lift.elementwise(Op("+", (zeros, call.args[1])))


def _slopes(lift: Lift, call: Call) -> Expr:
    """np.gradient, whose distances stand before its axis."""
    return along(len(call.args), default="all")(lift, call)


def _turned(at: int) -> Rule:
    """Return the rule of np.flipud and np.fliplr, which flip the axis `at`."""

    def rule(lift: Lift, call: Call) -> Expr:
        if len(call.args) != 1 or call.keywords:
            raise lift.no_form(shown(call))
        axis = (("axis", Const(at + 1)),)
        return Call(Ref("np.flip", np.flip), (lift.lifted(call.args[0]),), axis)

    return rule


def _solve(lift: Lift, call: Call) -> Expr:
    """np.linalg.solve(A, b) of one matrix: of vectors, all at once as columns."""
    if len(call.args) != 2 or lift.is_many(call.args[0]) or lift.rank(call.args[0]) != 2:
        raise lift.no_form(shown(call))
    A, b = map(lift.lifted, call.args)
    if lift.rank(call.args[1]) != 1:
        return Call(call.func, (A, b))
    return Attr(Call(call.func, (A, Attr(b, "T"))), "T")


# more than their first argument may vary
OF_SEVERAL: Final[Mapping[Any, Rule]] = {
    np.full_like: filled,
    np.full: _filled,
    np.concatenate: joined("concatenate"),
    np.stack: joined("stack"),
    np.hstack: side_by_side,
    np.array: array,
    np.linalg.solve: _solve,
    np.dot: products.dot,
    np.matmul: products.matmul,
    np.outer: products.outer,
    np.vdot: products.vdot,
    np.inner: products.inner,
    np.einsum: products.einsum,
}
RULES: Final[Mapping[Any, Rule]] = {
    **OF_SEVERAL,
    list: listed,
    sum: added_up,
    **dict.fromkeys((float, np.float64), of_number),
    np.atleast_1d: at_least_one,
    np.diag: _diag,
    np.pad: _with_border,
    np.gradient: _slopes,
    np.flipud: _turned(0),
    np.fliplr: _turned(1),
    **dict.fromkeys(SPLITS, along(2, default="first")),
    **dict.fromkeys((np.sum, np.mean, np.nansum), along(1, default="all")),
    **dict.fromkeys((np.cumsum, np.expand_dims), along(1)),
    np.flip: along(1, default="all"),
    **dict.fromkeys((np.roll, np.take, np.repeat), along(2)),
    np.diff: along(2, default="last"),
    **dict.fromkeys((np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft), along(2, default="last")),
    **dict.fromkeys((np.swapaxes, np.moveaxis), two_axes),
    **dict.fromkeys((np.trace, np.diagonal), of_matrix),
    **{each: along(3, default="last") for each in TRAPEZOIDS},
    np.transpose: transpose,
    np.reshape: reshape,
    np.ravel: ravel,
    np.broadcast_to: broadcast,
}
