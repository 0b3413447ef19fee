"""Positions that an argument holds: different in the examples, and asked to be where a text relies on that.

free                np.all(np.diff(np.sort(free), prepend=-1) > 0)          different positions in free
conn[e]             the same of conn                                        ... in each row of conn
edges[:, 0]         np.diff(np.sort(edges, axis=0), axis=0, prepend=-1)     ... in each column of edges
i, j = bars[k]      of a list of tuples as of conn                          ... in each of bars

What is stored under positions that name an element twice stays of the last alone. Negative ones
count from the end: none may be below 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, constant, global_, name
from s2sad.ir.program import Parameter
from s2sad.ir.types import Array
from s2sad.types.assumptions import Different
from s2sad.types.plain import BOOL, WHOLE

WORDS = "different positions, none below 0, "
AXES = {(0, 1): "each of ", (1, 0): "", (2, 1): "each row of ", (2, 0): "each column of "}


def different_axes(positions: Any) -> frozenset[int]:
    """Return the axes along which positions differ, if none is below 0: of an array of whole numbers."""
    if positions.dtype.kind != "i":
        return frozenset()
    steps = (np.diff(np.sort(positions, k), axis=k, prepend=-1) for k in range(positions.ndim))
    return frozenset(axis for axis, step in enumerate(steps) if np.all(step > 0))


def different_in_items(items: Sequence[Any]) -> bool:
    """Tell whether each item of a list holds as many positions, which differ, none below 0."""
    rows = [each for each in items if isinstance(each, tuple | list)]
    numbers = [number for row in rows for number in row]
    is_table = len(rows) == len(items) > 0 and len({len(row) for row in rows}) == 1
    if not is_table or not numbers or any(type(each) is not int for each in numbers):
        return False
    return 1 in different_axes(np.array(rows))


def position_tests(
    parameters: Mapping[str, Parameter], different: Different
) -> Iterator[tuple[Expr, str]]:
    """Yield the tests of positions that are taken for different, each with its words."""
    for k, (path, axis) in enumerate(sorted(different.asked)):
        parameter = parameters[path]
        test = _test(name(parameter.variable, parameter.type), axis)
        yield test, f"{'' if k else WORDS}in {_where(axis, parameter)}{path}"


def _test(positions: Expr, axis: int) -> Expr:
    is_last = not isinstance(positions.type, Array) or axis == positions.type.rank - 1
    named = {} if is_last else {"axis": constant(axis, WHOLE)}
    steps = _numpy(
        "diff", _numpy("sort", positions, named), {**named, "prepend": constant(-1, WHOLE)}
    )
    above = Expr("compare", (steps, constant(0, WHOLE)), (">",))
    return _numpy("all", above, {}).typed(BOOL)


def _numpy(called: str, operand: Expr, named: Mapping[str, Expr]) -> Expr:
    function = global_(f"np.{called}", getattr(np, called))
    return Expr("call", (function, operand, *named.values()), tuple(named))


def _where(axis: int, parameter: Parameter) -> str:
    rank = parameter.type.rank if isinstance(parameter.type, Array) else 0
    return AXES.get((rank, axis), f"axis {axis} of ")
