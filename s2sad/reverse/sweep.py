"""Both sweeps as one tree: each statement of the forward sweep with its reverse beside it.

    forward             new (values as after it)    old (values as before it)
    y = np.exp(x)       x_bar = y_bar * y
    u[0] = c * u[1]                                 c_bar += u[1] * u_bar[0]
                                                    u_bar[1] += c * u_bar[0]
                                                    u_bar[0] = 0.0

The code on the right reads values as if none were ever lost. The reverse sweep runs the steps of a
block from the last to the first: `new`, then the blocks inside, then `old`.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.ir.expression import Variable
from s2sad.ir.program import Block, Break, Continue, Return, Statement
from s2sad.ir.records import dataclass

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A statement of the forward sweep and its reverse; without a statement only reverse code.

    The blocks of a compound statement stand in `blocks`, not in the statement. `passes` counts
    the passes of a loop that does not run to the end of its domain.
    """

    statement: Statement | None = None
    blocks: tuple[Steps, ...] = ()
    new: Block = ()
    old: Block = ()
    passes: Variable | None = None

    @property
    def is_turned(self) -> bool:
        """Tell whether the reverse sweep has anything to do for it."""
        inner = any(step.is_turned for block in self.blocks for step in block)
        return bool(self.new or self.old) or inner


Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Adjoint:
    """Both sweeps of a function, before anything is saved."""

    steps: Steps
    results: tuple[Variable, ...]


def may_be_left(steps: Steps) -> bool:
    """Tell whether a pass of a loop may end before the last of its steps."""
    inside = (step.statement for _, step in walk(steps))
    return any(isinstance(statement, Break | Continue | Return) for statement in inside)


def walk(steps: Steps, inside: Path = ()) -> Iterator[tuple[Path, Step]]:
    """Yield each step, however deep, with its path, in the order of the forward sweep."""
    for position, step in enumerate(steps):
        path = (*inside, position)
        yield path, step
        for branch, block in enumerate(step.blocks):
            yield from walk(block, (*path, branch))
