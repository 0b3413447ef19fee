"""NumPy's functions that call a function of the user's, as Python that calls it.

np.vectorize(f)(u)               for each number of u, f of it
np.apply_along_axis(f, 1, a)     for each row of a, f of it
np.piecewise(u, [low], [f, g])   f of the numbers of u that are low, g of the others
"""

from __future__ import annotations

import math
import sys
from functools import cache
from types import BuiltinFunctionType, FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import S2sadError
from s2sad.legacy.program import Expr, Opaque, Ref
from s2sad.source.files import run_text
from s2sad.source.remade import remade
from s2sad.source.text import source_of
from s2sad.source.trees import nodes_of

OF_ONE_NUMBER = (
    *(math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.sinh, math.cosh),
    *(math.tanh, math.asinh, math.exp, math.expm1, math.log, math.log1p, math.log2, math.log10),
    *(math.sqrt, math.erf, math.erfc, math.gamma, math.lgamma, math.fabs, math.cbrt, math.exp2),
)


def along_axis(func1d: Any, axis: Any, arr: Any) -> Any:
    """Return what np.apply_along_axis does."""
    rows = np.moveaxis(arr, axis, -1)
    flat = np.reshape(rows, (-1, rows.shape[-1]))
    found = np.array([func1d(row) for row in flat])
    if found.ndim == 1:
        return np.reshape(found, rows.shape[:-1])
    return np.moveaxis(np.reshape(found, (*rows.shape[:-1], found.shape[-1])), -1, axis)


def each_number(pyfunc: Any, u: Any) -> Any:
    """Return what np.vectorize of a function of one argument does."""
    found = np.array([pyfunc(x) for x in np.ravel(u)])
    return np.reshape(found, np.shape(u))


def each_pair(pyfunc: Any, u: Any, v: Any) -> Any:
    """Return what np.vectorize of a function of two arguments does."""
    shape = np.broadcast_shapes(np.shape(u), np.shape(v))
    left = np.ravel(np.broadcast_to(u, shape))
    right = np.ravel(np.broadcast_to(v, shape))
    found = np.array([pyfunc(left[i], right[i]) for i in range(len(left))])
    return np.reshape(found, shape)


PIECE = "    y[{where}] = {piece}(u[{where}])"
NUMBER = "    y[{where}] = {piece}"


@cache
def piecewise(called: tuple[bool, ...], conditions: int) -> FunctionType:
    """Return np.piecewise as a function of x, of its conditions and of its pieces.

    `called` tells which of the pieces are functions; one more than there are conditions is for the
    rest. Later pieces are written over earlier ones, as NumPy has it.
    """
    tests = [f"in_{n}" for n in range(1, conditions + 1)]
    pieces = [f"piece_{n}" for n in range(1, len(called) + 1)]
    lines = [
        f"def piecewise({', '.join(['x', *tests, *pieces])}):",
        "    u = np.atleast_1d(x)",
        "    y = np.zeros_like(u)",
    ]
    for where, piece, is_called in zip([*tests, "rest"], pieces, called, strict=False):
        if where == "rest":
            lines.append(f"    rest = np.logical_not({' | '.join(tests)})")
        lines.append((PIECE if is_called else NUMBER).format(where=where, piece=piece))
    space: dict[str, Any] = {"np": np}
    run_text(
        "\n".join([*lines, "    return np.reshape(y, np.shape(x))", ""]),
        f"<piecewise {called} {conditions}>",
        space,
    )
    made: FunctionType = space["piecewise"]
    return made


FIXED = """def fixed_quad(func, a, b, n):
    x, w = np.polynomial.legendre.leggauss(n)
    inside = (b - a) * (x + 1.0) / 2.0 + a
    return (b - a) / 2.0 * np.sum(w * func(inside), axis=-1), None
"""
DOUBLE = """def dblquad(func, a, b, low, high):
    def rows(x):
        return scipy.integrate.quad(lambda y: func(y, x), {low}, {high})[0]

    whole, error = scipy.integrate.quad(rows, a, b)
    return whole, error
"""


def as_quadrature(name: str, func: Expr, given: tuple[Expr, ...]) -> FunctionType | None:
    """Return SciPy's fixed_quad or dblquad as a function that calls what it is given.

    `given` are its ends; those of dblquad's inner integral are numbers, or functions of x.
    """
    if name == "fixed_quad":
        return _quadrature(FIXED)
    if name == "dblquad" and len(given) == 4:
        low, high = (
            f"{end}(x)" if _is_a_function(each) else end
            for end, each in zip(("low", "high"), given[2:], strict=True)
        )
        return _quadrature(DOUBLE.format(low=low, high=high))
    return None


def _is_a_function(each: Expr) -> bool:
    made = isinstance(each, Opaque) and isinstance(each.node, gast.Lambda)
    return made or (isinstance(each, Ref) and callable(each.value))


@cache
def _quadrature(text: str) -> FunctionType:
    name = text[4 : text.index("(")]
    space: dict[str, Any] = {"np": np, "scipy": sys.modules["scipy"]}
    run_text(text, f"<s2sad {name} {text.count('(x)')}>", space)
    made: FunctionType = space[name]
    return made


@cache
def as_ref(function: FunctionType) -> Ref:
    """Return one of these functions as one that a file can hold."""
    source = source_of(function)
    tree = gast.gast_to_ast(source.tree)
    tree.returns = None
    for arg in tree.args.args:
        arg.annotation = None
    tree.body = tree.body[1:]
    return Ref(tree.name, remade(tree, {}, source, {"np": np}))


def gives_integers(function: Expr | None) -> bool:
    """Tell whether a function may return a whole number: np.vectorize takes its type for all."""
    match function:
        case Ref(value=FunctionType() as value):
            try:
                tree = source_of(value).tree
            except S2sadError:
                return True
            returned = [p.value for p in nodes_of(tree) if isinstance(p, gast.Return)]
        case Opaque(node=gast.Lambda() as node):
            returned = [node.body]
        case Ref(value=BuiltinFunctionType() as value):
            return type(value(1.0)) is not float if value in OF_ONE_NUMBER else True
        case _:
            return True
    return any(_is_integer(value) for value in returned)


def _is_integer(value: Any) -> bool:
    match value:
        case gast.Constant():
            return not isinstance(value.value, float)
        case gast.UnaryOp():
            return _is_integer(value.operand)
        case gast.IfExp():
            return _is_integer(value.body) or _is_integer(value.orelse)
    return value is None
