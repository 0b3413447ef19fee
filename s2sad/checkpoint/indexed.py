"""The forward sweep by the paths of its statements: what each binds and changes, and where.

for k in range(n):      bound_at[k] == [(0,)]           targets_of((0, 0)) == {k}
    a = u[k] * c        definition(a, (0, 0)) is this statement
    u[k] = a            changes_in((0, 0))[site of u] == [1]

A value belongs to a block: that of one pass of a loop is had again, or saved, in that pass. Here a
belongs to the pass, even where the last one is read after the loop; what is carried from pass to pass
belongs to the function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.analysis.linear import START
from s2sad.analysis.places import common, innermost, is_one_between, is_within
from s2sad.analysis.pointers import Site
from s2sad.checkpoint.needs import Content, Forward, Needs, reads_beside
from s2sad.checkpoint.passes import Counter, counters, is_length, steady_bounds
from s2sad.ir.expression import Variable
from s2sad.ir.program import For, Let, While
from s2sad.ir.records import dataclass, field
from s2sad.ir.walk import bound, read_in
from s2sad.reverse.sweep import Path, Step, Steps, may_be_left, walk


@dataclass(slots=True)
class Index:
    """The steps of a function by their paths; `owners` are the blocks that variables belong to.

    `loops` are the bodies of loops, `bound_at` the statements that bind a variable, `counters` those that
    only a loop binds, by its body.
    """

    steps: Steps
    forward: Forward
    owners: Mapping[Variable, Path]
    by_path: dict[Path, Step] = field(default_factory=dict)
    loops: set[Path] = field(default_factory=set)
    bound_at: dict[Variable, list[Path]] = field(default_factory=dict)
    counters: dict[Path, dict[Variable, Counter]] = field(default_factory=dict)
    changes: dict[Path, dict[object, list[int]]] = field(default_factory=dict)
    made: dict[Variable, Site | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path, step in walk(self.steps):
            self.by_path[path] = step
            if isinstance(step.statement, For | While):
                self.loops.add((*path, 0))
            if step.statement is not None:
                for variable in bound(step.statement):
                    self.bound_at.setdefault(variable, []).append(path)
        self.counters[()] = dict(self._lengths())
        for loop in self.loops:
            self.counters[loop] = dict(self._counters(loop))

    def _lengths(self) -> Iterator[tuple[Variable, Counter]]:
        """Yield the names of lengths: they are not negative."""
        for variable, places in self.bound_at.items():
            let = self.by_path[places[0]].statement
            if self.is_bound_once(variable) and isinstance(let, Let) and is_length(let.value.type):
                yield variable, Counter(True, START)

    def _counters(self, loop: Path) -> Iterator[tuple[Variable, Counter]]:
        """Yield the counters that a loop alone binds in its passes, with bounds that these leave as they are."""
        for variable, counter in counters(self.by_path[loop[:-1]].statement):
            if not any(is_within(path, loop) for path in self.bound_at[variable]):
                fixed = steady_bounds(counter, self.changes_in(loop).keys())
                if fixed is not None:
                    yield variable, fixed

    def counts(self, variable: Variable) -> bool:
        """Tell whether a variable counts the passes of a loop."""
        return any(variable in found for loop, found in self.counters.items() if loop)

    def counters_at(self, path: Path) -> dict[Variable, Counter]:
        """Return the counters of the loops around a statement, and the names of lengths."""
        blocks = (path[:k] for k in range(len(path) + 1))
        found: dict[Variable, Counter] = {}
        for block in blocks:
            found |= self.counters.get(block, {})
        return found

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
        """Return what binds a variable as the reverse sweep has it, if it stands in the block itself."""
        places = self.bound_at.get(variable, [])
        if len(places) != 1 or places[0][:-1] != block:
            return None
        step = self.by_path[places[0]]
        statement = step.statement
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return None
        if not statement.effect.is_pure:
            return None
        return statement

    def let_of(self, variable: Variable) -> Let | None:
        """Return what binds a variable as the reverse sweep has it."""
        return self.definition(variable, self.owner(variable))

    def last_bound(self, variable: Variable) -> Path:
        return max(self.bound_at.get(variable, [()]))

    def is_bound_once(self, variable: Variable) -> bool:
        """Tell whether a variable is bound once in the whole run of its block."""
        places = self.bound_at.get(variable, [])
        if variable not in self.forward.variables or len(places) > 1:
            return False
        return not places or self.loop_of(places[0][:-1]) is None

    def is_counter(self, variable: Variable, block: Path) -> bool:
        """Tell whether the reverse loop itself binds a variable, and nothing in its passes does."""
        places = self.bound_at.get(variable, [])
        is_target = any(block == (*path, 0) for path in places)
        is_loop = is_target and isinstance(self.by_path[block[:-1]].statement, For)
        return is_loop and not any(is_within(path, block) for path in places)

    def changes_in(self, block: Path) -> dict[object, list[int]]:
        """Return at which positions of a block each variable or site may change."""
        if block not in self.changes:
            found: dict[object, list[int]] = {}
            for position, step in enumerate(self.block_at(block)):
                for changed in self.forward.changed((step,)):
                    found.setdefault(changed, []).append(position)
            self.changes[block] = found
        return self.changes[block]

    def made_by(self, variable: Variable) -> Site | None:
        """Return the memory that a name is bound to, if the one binding of it makes that anew."""
        if variable not in self.made:
            self.made[variable] = self._made_by(variable)
        return self.made[variable]

    def _made_by(self, variable: Variable) -> Site | None:
        memory, places = self.forward.memory, self.bound_at.get(variable, ())
        let = self.by_path[places[0]].statement if len(places) == 1 else None
        if not isinstance(let, Let) or let.target != variable or memory.is_reference(let.value):
            return None
        sites = memory.points_to.get(variable, frozenset())
        return next(iter(sites)) if len(sites) == 1 else None

    def is_bound_before(self, variable: Variable | None, made: Variable, path: Path) -> bool:
        """Tell whether a name refers to what was there before a pass made new memory, at a later statement of it."""
        at = self.bound_at[made][0]
        block, place = at[:-1], at[-1]
        if variable in (None, made) or path[: len(block)] != block or path <= at:
            return False
        rebound = self.changes_in(block).get(variable, [])
        return not is_one_between(rebound, place, path[len(block)] + 1)

    def may_change(self, needs: Needs, block: Path, first: int, last: int) -> bool:
        """Tell whether the statements of a block from first to before last change a need."""
        changed = self.changes_in(block)
        for need in needs:
            places = changed.get(need.site if isinstance(need, Content) else need, [])
            if is_one_between(places, first, last):
                return True
        return False


Owners = dict[Variable, Path]


def owners_of(steps: Steps, forward: Forward, parameters: tuple[Variable, ...]) -> Owners:
    """Return for each variable the block that it belongs to.

    It is the innermost one in which all its uses stand, in both sweeps; that of a loop where each
    pass binds it before it reads it, and nothing but the last value is read behind the loop.
    """
    owners: Owners = dict.fromkeys(parameters, ())
    uses: dict[Variable, list[Path]] = {}
    for path, step in walk(steps):
        for variable, block in _mentioned(step, path, forward):
            if variable in forward.variables:
                owners[variable] = common(owners.get(variable, block), block)
                uses.setdefault(variable, []).append(path)
    return owners | _left_by_loops(steps, forward, uses)


def _mentioned(step: Step, path: Path, forward: Forward) -> Iterator[tuple[Variable, Path]]:
    """Yield the variables that a step binds or reads in either sweep, with the blocks of these."""
    block, statement = path[:-1], step.statement
    for need in forward.of_code((*step.new, *step.old)) | reads_beside(step, forward):
        yield need if isinstance(need, Variable) else need.variable or Variable("_"), block
    if statement is None:
        return
    inside = (*path, 0) if isinstance(statement, For) else block
    yield from ((variable, inside) for variable in bound(statement))
    for variable in read_in(statement):
        yield variable, block
        if isinstance(statement, While):
            yield variable, (*path, 0)


def _left_by_loops(steps: Steps, forward: Forward, uses: dict[Variable, list[Path]]) -> Owners:
    """Return the variables that each pass of a loop binds first, with its block.

    What is read behind the loop is still there: no loop is around it, and nobody binds it again.
    """
    found: Owners = {}
    for position, step in enumerate(steps):
        if isinstance(step.statement, For | While) and not may_be_left(step.blocks[0]):
            for place, each in enumerate(step.blocks[0]):
                variable = _bound_anew(each, forward)
                path = (position, 0, place)
                if variable is not None and all(path <= use for use in uses.get(variable, ())):
                    found[variable] = path[:-1]
    return found


def _bound_anew(step: Step, forward: Forward) -> Variable | None:
    """Return the variable that a statement alone binds, to what is not written in place."""
    match step.statement:
        case Let(Variable() as variable) as let if variable not in read_in(let):
            is_alone = forward.memory.uses.is_bound_at_one_place(variable)
            return variable if is_alone and not forward.memory.is_memory(variable) else None
    return None
