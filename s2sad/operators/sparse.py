"""A sparse matrix as rules spell it: made of its entries, however it was turned since.

csr_matrix((v, (i, j)), shape=(m, n)).T     csr_matrix((v, (j, i)), shape=(n, m))
csr_matrix((v, indices, indptr)).T          csc_matrix((v, indices, indptr))
csr_matrix(a).T.tocsc()                     csr_matrix(np.transpose(a))
"""

from __future__ import annotations

import numpy as np

from s2sad.ir.expression import Expr, call, global_, keywords, positional
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Other
from s2sad.operators.guards import is_sparse
from s2sad.source.optional import imported

TRANSPOSE = global_("np.transpose", np.transpose)
# they change how a matrix is held, and none of its entries
FORMATS = frozenset("tocsr tocsc tocoo copy".split())
TURNED = {"csr": "csc", "csc": "csr"}


def with_matrices_made(expr: Expr) -> Expr:
    """Return an operation whose sparse operands are made of their entries."""
    return expr.with_args(map(_with_made, expr.args))


def _with_made(operand: Expr) -> Expr:
    """Return an operand that is a sparse matrix as it is made; of a method its owner."""
    if isinstance(operand.type, Other) and is_sparse(operand.type.cls):
        return _made(operand) or operand
    return (
        operand.with_args(map(_with_made, operand.args)) if operand.op == "attribute" else operand
    )


def _made(expr: Expr) -> Expr | None:
    """Return the call of a class that makes a matrix; None where its entries are not seen."""
    if expr.op == "attribute" and expr.data == "T":
        inner = _made(expr.args[0])
        return None if inner is None else _transposed(inner)
    if expr.op != "call":
        return None
    function = expr.args[0]
    if function.op == "attribute":
        inner = _made(function.args[0]) if len(expr.args) == 1 else None
        if inner is None or function.data == "transpose":
            return None if inner is None else _transposed(inner)
        return inner if function.data in FORMATS else None
    is_class = function.op == "global" and isinstance(function.data.value, type)
    return expr if is_class and is_sparse(function.data.value) else None


def _transposed(made: Expr) -> Expr | None:
    """Return the transpose of a matrix as it is made; None where its shape is not seen."""
    shape = keywords(made).get("shape")
    if len(positional(made)) != 1 or keywords(made).keys() - {"shape"}:
        return None
    if shape is not None and (shape.op != "tuple" or len(shape.args) != 2):
        return None
    function, entries = made.args[:2]
    match entries.op, entries.args:
        case "tuple", (data, places) if places.op == "tuple":
            entries = entries.with_args((data, _reversed(places)))
        case "tuple", (_, _, _):
            cls = function.data.value
            name = cls.__name__.replace(cls.__name__[:3], TURNED[cls.__name__[:3]])
            function = global_(f"scipy.sparse.{name}", getattr(imported()["sparse"], name))
        case _ if isinstance(entries.type, Array):
            entries = call(TRANSPOSE, entries).typed(
                replace(entries.type, lengths=entries.type.lengths[::-1])
            )
        case _:
            return None
    shapes = () if shape is None else (_reversed(shape),)
    return replace(made, args=(function, entries, *shapes), type=_of_transpose(made, function))


def _reversed(pair: Expr) -> Expr:
    return pair.with_args(pair.args[::-1])


def _of_transpose(made: Expr, function: Expr) -> Other:
    assert isinstance(made.type, Other)
    held = made.type.made
    turned = replace(held, lengths=held.lengths[::-1]) if isinstance(held, Array) else None
    return Other(function.data.value, turned)
