"""Positions that an argument holds: different in the examples, and asked to be where a text relies on that.

free                np.all(np.diff(np.sort(free), prepend=-1) > 0)          different positions in free
conn[e]             the same of conn                                        ... in each row of conn
edges[:, 0]         np.diff(np.sort(edges, axis=0), axis=0, prepend=-1)     ... in each column of edges

What is stored under positions that name an element twice stays of the last alone. Negative ones
count from the end: none may be below 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, constant, global_, name
from s2sad.ir.program import Parameter
from s2sad.ir.types import Array
from s2sad.types.assumptions import Along, Different
from s2sad.types.plain import BOOL, WHOLE

AXES = {(1, 0): "", (2, 1): "each row of ", (2, 0): "each column of "}


def different_axes(positions: Any) -> frozenset[int]:
    """Return the axes along which positions differ, if none is below 0: of an array of whole numbers."""
    if positions.dtype.kind != "i":
        return frozenset()
    steps = (np.diff(np.sort(positions, k), axis=k, prepend=-1) for k in range(positions.ndim))
    return frozenset(axis for axis, step in enumerate(steps) if np.all(step > 0))


def position_tests(
    parameters: Mapping[str, Parameter], different: Different
) -> Iterator[tuple[Expr, str]]:
    """Yield the tests of positions that are taken for different, each with its words."""
    for along in sorted(different.asked):
        parameter = parameters[along[0]]
        yield _test(name(parameter.variable, parameter.type), along[1]), _words(along, parameter)


def _test(positions: Expr, axis: int) -> Expr:
    assert isinstance(positions.type, Array)
    is_last = axis == positions.type.rank - 1
    named = {} if is_last else {"axis": constant(axis, WHOLE)}
    steps = _numpy(
        "diff", _numpy("sort", positions, named), {**named, "prepend": constant(-1, WHOLE)}
    )
    above = Expr("compare", (steps, constant(0, WHOLE)), (">",))
    return _numpy("all", above, {}).typed(BOOL)


def _numpy(called: str, operand: Expr, named: Mapping[str, Expr]) -> Expr:
    function = global_(f"np.{called}", getattr(np, called))
    return Expr("call", (function, operand, *named.values()), tuple(named))


def _words(along: Along, parameter: Parameter) -> str:
    path, axis = along
    rank = parameter.type.rank if isinstance(parameter.type, Array) else 0
    where = AXES.get((rank, axis), f"axis {axis} of ")
    return f"different positions, none below 0, in {where}{path}"
