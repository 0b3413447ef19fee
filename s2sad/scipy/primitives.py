"""What the texts of derivatives are written with; lowering puts functions of the program in their place.

A function f(x, *args) is the one that a solver is given. What is not written out of `args` is
constant; the others vary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _primitive() -> Callable[..., Any]:
    """Return a function of the texts that nobody runs; what it gives is told where it is named."""

    def primitive(*args: Any) -> Any:
        raise NotImplementedError

    return primitive


# of a function f alone: its gradient by what is solved for, as a tuple by all arguments that vary but
# this, by both; its derivatives by each argument that varies but what is solved for; its tangent along
# tangents of the arguments that vary, which it takes last
by_unknown, by_rest, by_all, by_each, along = (_primitive() for _ in range(5))
# the sum of what f gives times a weight, which it takes last; half the sum of its squares
weighted, squares = _primitive(), _primitive()
# varies(x): whether an end of an interval may vary, which is no number that is written out
varies = _primitive()
# each(function, *parts): what a function gives for each part of tuples, as a tuple
each = _primitive()
# total(slopes, dots): the sum of the products of derivatives and tangents; added(terms): that of terms
total, added = _primitive(), _primitive()
# results(parts): adjoints as they are handed back, one by itself, several as a tuple
results = _primitive()
# back(f, y0, times, args, y_bar): the adjoints of the start of a flow, and of the arguments that vary
back = _primitive()
# ahead(f, y0, times, args, dots): the tangent of the states of a flow along those of its start and arguments
ahead = _primitive()
# with_tangent(f): the slopes of state and tangent as one function, which takes tangents last
with_tangent = _primitive()
# paired(f, states, tangents): both as one array; tangent_half(f, both): the tangents in these
paired, tangent_half = _primitive(), _primitive()
# numbers(p): the numbers in a vector of known length, as a tuple
numbers = _primitive()
