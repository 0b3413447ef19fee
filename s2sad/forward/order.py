"""What one line of the user's binds at one time comes first, its tangents behind it.

c_dot = -x_dot * np.sin(x)        c = np.cos(x)
c = np.cos(x)               ->    s = np.sin(x)
s_dot = x_dot * np.cos(x)         c_dot = -x_dot * np.sin(x)
s = np.sin(x)                     s_dot = x_dot * np.cos(x)

So the values stand together, and are there for the tangents: np.sin(x) is s.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from s2sad.ir.expression import Role, Variable
from s2sad.ir.program import Block, Let, Statement
from s2sad.ir.walk import bound, read_in


def values_first(block: Sequence[Statement]) -> Block:
    """Return a block in which values that are bound at one time stand before their tangents."""
    made: list[Statement] = []
    for of_line, group in groupby(block, _line):
        run = tuple(group)
        made += run if of_line is None else _ordered(run)
    return tuple(made)


def _line(statement: Statement) -> object:
    """Return of which line a statement binds a name to a value, None for any other statement."""
    match statement:
        case Let(Variable(), _, span, effect, "=") if effect.is_pure:
            return span
    return None


def _ordered(run: Block) -> Block:
    """Return the values of a line, with what they are computed of, and then all else."""
    first = {k for k, each in enumerate(run) if each.target.role is Role.PRIMAL}  # type: ignore[union-attr]
    targets = [variable for each in run for variable in bound(each)]
    if len(first) < 2 or len(first) == len(run) or len(set(targets)) < len(targets):
        return run
    for place in reversed(range(len(run))):
        if place in first:
            first |= {k for k in range(place) if targets[k] in read_in(run[place])}
    for place in first:
        # what reads the value that a name had before stays before it
        if any(targets[place] in read_in(run[k]) for k in range(place) if k not in first):
            return run
    rest = [each for k, each in enumerate(run) if k not in first]
    return (*(run[k] for k in sorted(first)), *rest)
