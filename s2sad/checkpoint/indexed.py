"""The forward sweep by the paths of its statements: what each binds and changes, and where.

for k in range(n):      bound_at[k] == [(0,)]           targets_of((0, 0)) == {k}
    a = u[k] * c        definition(a, (0, 0)) is this statement
    u[k] = a            changes_in((0, 0))[site of u] == [1]
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.analysis.places import innermost, is_one_between
from s2sad.checkpoint.needs import Content, Forward, Needs
from s2sad.checkpoint.passes import Counter, counters
from s2sad.ir.expression import Variable
from s2sad.ir.program import For, Let, While
from s2sad.ir.records import dataclass, field
from s2sad.ir.walk import bound
from s2sad.reverse.sweep import Path, Step, Steps, walk


@dataclass(slots=True)
class Index:
    """The steps of a function by their paths; `owners` are the blocks that variables belong to.

    `loops` are the bodies of loops, `bound_at` the statements that bind a variable, `counters`
    those that only a loop binds.
    """

    steps: Steps
    forward: Forward
    owners: Mapping[Variable, Path]
    by_path: dict[Path, Step] = field(default_factory=dict)
    loops: set[Path] = field(default_factory=set)
    bound_at: dict[Variable, list[Path]] = field(default_factory=dict)
    counters: dict[Variable, Counter] = field(default_factory=dict)
    changes: dict[Path, dict[object, list[int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path, step in walk(self.steps):
            self.by_path[path] = step
            if isinstance(step.statement, For | While):
                self.loops.add((*path, 0))
            if step.statement is not None:
                for variable in bound(step.statement):
                    self.bound_at.setdefault(variable, []).append(path)
                self.counters.update(counters(step.statement))
        often = [v for v, places in self.bound_at.items() if len(places) > 1]
        for variable in often:
            self.counters.pop(variable, None)

    def block_at(self, block: Path) -> Steps:
        if not block:
            return self.steps
        return self.by_path[block[:-1]].blocks[block[-1]]

    def owner(self, variable: Variable) -> Path:
        """Return the block that a variable belongs to."""
        return self.owners.get(variable, ())

    def loop_of(self, block: Path) -> Path | None:
        """Return the innermost body of a loop that a block stands in, or is."""
        return innermost(block, self.loops)

    def targets_of(self, loop: Path) -> frozenset[object]:
        statement = self.by_path[loop[:-1]].statement if loop else None
        return frozenset(bound(statement)) if isinstance(statement, For) else frozenset()

    def definition(self, variable: Variable, block: Path) -> Let | None:
        """Return the one statement that binds a variable, if it stands in the block itself."""
        places = self.bound_at.get(variable, [])
        if len(places) != 1 or places[0][:-1] != block:
            return None
        statement = self.by_path[places[0]].statement
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return None
        return statement if statement.effect.is_pure else None

    def last_bound(self, variable: Variable) -> Path:
        return max(self.bound_at.get(variable, [()]))

    def is_bound_once(self, variable: Variable) -> bool:
        """Tell whether a variable is bound once in the whole run of its block."""
        places = self.bound_at.get(variable, [])
        if variable not in self.forward.variables or len(places) > 1:
            return False
        return not places or self.loop_of(places[0][:-1]) is None

    def is_counter(self, variable: Variable, block: Path) -> bool:
        """Tell whether the reverse loop itself binds a variable."""
        places = self.bound_at.get(variable, [])
        is_target = len(places) == 1 and isinstance(self.by_path[places[0]].statement, For)
        return is_target and block == (*places[0], 0)

    def changes_in(self, block: Path) -> dict[object, list[int]]:
        """Return at which positions of a block each variable or site may change."""
        if block not in self.changes:
            found: dict[object, list[int]] = {}
            for position, step in enumerate(self.block_at(block)):
                for changed in self.forward.changed((step,)):
                    found.setdefault(changed, []).append(position)
            self.changes[block] = found
        return self.changes[block]

    def may_change(self, needs: Needs, block: Path, first: int, last: int) -> bool:
        """Tell whether the statements of a block from first to before last change a need."""
        changed = self.changes_in(block)
        for need in needs:
            places = changed.get(need.site if isinstance(need, Content) else need, [])
            if is_one_between(places, first, last):
                return True
        return False
