"""A text for any arguments asks as it runs what it relies on: that a value is a number, or of a shape.

if np.ndim(result) != 0:
    raise ValueError("made for arguments of which f is a number")
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from s2sad.analysis.containers import is_container
from s2sad.ir.expression import Expr, call, constant, global_, subscript
from s2sad.ir.program import If, Raise
from s2sad.ir.types import Number, Optional, Tuple
from s2sad.types.plain import any_of, own_shape

WHOLE, BOOL = Number("int64"), Number("bool")


def asking_number(value: Expr, message: str) -> If:
    """Return the statement that raises where a value is no number."""
    if isinstance(value.type, Optional):
        return _raising(Expr("compare", (value, constant(None)), ("is",), BOOL), message, value)
    rank = call(global_("np.ndim", np.ndim), value, type_=WHOLE)
    return _raising(_unequal(rank, constant(0, WHOLE)), message, value)


def asking_shape(value: Expr, other: Expr, message: str) -> If:
    """Return the statement that raises where a value has another shape than the other."""
    return _raising(_unequal(_shape_of(value), _shape_of(other)), message, value)


def asking_seed(seed: Expr, value: Expr, message: str) -> If:
    """Return the statement that raises where a seed, or a part, has another shape than the result."""
    if value.op != "tuple" and (value.op == "list" or is_container(value.type)):
        return asking_shape(seed, value, message)
    return _raising(any_of(tuple(_seed_tests(seed, value))), message, value)


def _seed_tests(seed: Expr, value: Expr) -> Iterator[Expr]:
    """Yield the tests of a seed that is built otherwise than the result is written out."""
    if value.op in ("tuple", "list"):
        count = constant(len(value.args), WHOLE)
        yield _unequal(call(global_("len", len), seed, type_=WHOLE), count)
        for place, part in enumerate(value.args):
            yield from _seed_tests(subscript(seed, constant(place, WHOLE)), part)
    elif not is_container(value.type):
        yield _unequal(own_shape(seed), _shape_of(value))


def _raising(test: Expr, message: str, value: Expr) -> If:
    fault = call(global_("ValueError", ValueError), constant(message))
    return If(test, (Raise(fault, value.span),), (), value.span)


def _unequal(left: Expr, right: Expr) -> Expr:
    return Expr("compare", (left, right), ("!=",), BOOL)


def _shape_of(value: Expr) -> Expr:
    return call(global_("np.shape", np.shape), value, type_=Tuple(()))
