"""What a pass of a loop computes for both sweeps is computed once, before it is planned what is saved.

for a in angles:            the reverse sweep reads c where it read np.cos(a), s where np.sin(a)
    c = np.cos(a)
    s = np.sin(a)           so a itself may be lost

What has no name of the user's is computed as early as the reverse of a statement reads it. Where a
pass copies an array that it writes to, the reverse sweep reads the copy: un = u.copy().
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from s2sad.analysis.memory import Memory
from s2sad.checkpoint.indexed import Index
from s2sad.checkpoint.needs import Forward, forward_variables, whole_copied
from s2sad.ir.expression import Expr, Role, Variable, name
from s2sad.ir.program import Block, Let
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import with_variables
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import (
    expressions,
    nodes_in,
    read_variables,
    reads_shape_only,
    rebuilt,
    statements,
    with_nodes,
)
from s2sad.reverse.sweep import Path, Step, Steps, walk

Cost = Callable[[Expr], str]


def with_values_shared(
    steps: Steps, memory: Memory, parameters: tuple[Variable, ...], cost: Cost
) -> Steps:
    """Return steps whose reverse reads what their pass of a loop has computed."""
    forward = Forward(memory, forward_variables(steps, parameters))
    index = Index(steps, forward, {})

    def shared(block: Steps, path: Path) -> Steps:
        made = [
            replace(
                step,
                blocks=tuple(shared(b, (*path, place, k)) for k, b in enumerate(step.blocks)),
            )
            for place, step in enumerate(block)
        ]
        is_pass = index.loop_of(path) is not None
        return _Pass(index, path, cost).shared(made) if is_pass else tuple(made)

    return shared(steps, ()) if index.loops else steps


@dataclass(frozen=True, slots=True)
class _Pass:
    """A block of the passes of a loop, and what values cost that it computes."""

    index: Index
    block: Path
    cost: Cost

    def shared(self, steps: list[Step]) -> Steps:
        """Return the steps of the block, each value of which is computed once."""
        again = self.without_repeated(steps)
        earlier: dict[int, list[Step]] = {}
        for position, variable, value in self.values(steps):
            readers = [at for at, step in enumerate(steps) if _is_read(value, step)]
            first = min((position, *readers))
            if self.may_change(value, first, max((position, *readers))):
                continue
            moves = first < position and self.may_move(steps[first : position + 1])
            joins = first == position - 1 and not moves
            if first < position and not moves and not joins:
                continue
            if joins and not self.may_join(steps[first], steps[position]):
                continue
            for reader in readers:
                steps[reader] = _reading(steps[reader], value, name(variable, value.type))
            if joins:
                steps[first : position + 1] = _turned_at_once(*steps[first : position + 1])
            elif moves:
                earlier.setdefault(first, []).append(steps[position])
                steps[position] = Step()
        self.read_copies(steps)
        each_in_order = ((*earlier.get(at, ()), step) for at, step in enumerate(steps))
        made = (step for some in each_in_order for step in some if step != Step())
        return tuple(map(_renaming(again), made) if again else made)

    def without_repeated(self, steps: list[Step]) -> dict[Variable, Variable]:
        """Leave out what is computed again for a name of ours; return the names that stand for these."""
        first: dict[Expr, tuple[int, Variable]] = {}
        again = {}
        for position, variable, value in self.values(steps):
            start, known = first.setdefault(value, (position, variable))
            if self.may_change(value, start, position):
                first[value] = position, variable
            elif variable.role is Role.TERM and variable != known:
                again[variable] = known
                steps[position] = replace(steps[position], statement=None)
        return again

    def read_copies(self, steps: list[Step]) -> None:
        """Have the reverse of statements read a copy that it has, as long as it holds the same."""
        for position, variable, value in self.bound_alone(steps):
            source = whole_copied(value)
            if source is None or not self.is_lost(source):
                continue
            copy = name(variable, value.type)
            if not any(variable in read_variables(e) for step in steps for e in _reverse(step)):
                continue
            needs = frozenset(self.index.forward.needs(source))
            for at in range(position + 1, len(steps)):
                if self.index.may_change(needs, self.block, position, at):
                    break
                is_kept = not self.index.may_change(needs, self.block, at, at + 1)
                steps[at] = _reading_copy(steps[at], source, copy, is_kept)

    def is_lost(self, source: Expr) -> bool:
        """Tell whether passes write to an array."""
        return not self.index.forward.memory.sites(source).isdisjoint(
            self.index.changes_in(self.block)
        )

    def may_change(self, value: Expr, first: int, last: int) -> bool:
        """Tell whether statements from first to last change what a value is computed of."""
        needs = self.index.forward.binding_needs(value)
        return self.index.may_change(needs, self.block, first, last + 1)

    def values(self, steps: list[Step]) -> Iterator[tuple[int, Variable, Expr]]:
        """Yield what is called to compute it and bound once, in no memory that is written to."""
        for position, variable, value in self.bound_alone(steps):
            if self.cost(value) in ("lengthy", "costly"):
                yield position, variable, value

    def bound_alone(self, steps: list[Step]) -> Iterator[tuple[int, Variable, Expr]]:
        """Yield what a call gives that is bound once, in no memory that is written to."""
        for position, step in enumerate(steps):
            match step.statement:
                case Let(Variable() as variable, Expr("call", type=Number() | Array()) as value):
                    is_alone = self.index.definition(variable, self.block) is not None
                    is_new = set(self.index.forward.needs(name(variable, value.type))) == {variable}
                    if is_alone and is_new:
                        yield position, variable, value

    def may_move(self, steps: list[Step]) -> bool:
        """Tell whether the last of some steps may be the first: all compute, and it has a name of ours."""
        *before, last = steps
        match last.statement:
            case Let(Variable(role=Role.TERM)) if not last.is_turned:
                return all(isinstance(each.statement, Let | None) for each in before)
        return False

    def may_join(self, first: Step, second: Step) -> bool:
        """Tell whether two statements bind a new name each, so that both may be turned back at once."""
        match first.statement, second.statement:
            case Let(Variable() as one), Let(Variable() as other):
                needs = self.index.forward.of_code
                is_new = all(self.index.definition(v, self.block) for v in (one, other))
                is_read = not {one, other}.isdisjoint(needs(first.old)) or other in needs(
                    second.old
                )
                return is_new and not is_read
        return False


def _turned_at_once(first: Step, second: Step) -> tuple[Step, Step]:
    """Return two steps of which the second is turned back with the first, whose reverse reads its name.

    s = np.sin(a)       a_bar += s_bar * c
    c = np.cos(a)       a_bar -= c_bar * s
    """
    code = (*second.new, *second.old, *first.new, *first.old)
    return replace(first, new=(), old=()), replace(second, new=code, old=())


def _is_read(value: Expr, step: Step) -> bool:
    return any(node == value for node in nodes_in((*step.new, *step.old)))


def _reverse(step: Step) -> Iterator[Expr]:
    """Yield the expressions of the reverse of a statement, and of what stands in it."""
    inner = (each for block in step.blocks for _, each in walk(block))
    for each in (step, *inner):
        for statement in statements((*each.new, *each.old)):
            yield from expressions(statement)


def _reading_copy(step: Step, source: Expr, copy: Expr, is_kept: bool) -> Step:
    """Return a step whose reverse reads a copy; what it reads after a change, as it is."""

    def reading(node: Expr) -> Expr | None:
        if node == source:
            return replace(copy, span=node.span)
        if reads_shape_only(node):
            return node.with_args(source if arg == copy else arg for arg in node.args)
        return None

    if not is_kept and step.blocks:
        return step
    if isinstance(step.statement, Let):
        again = rebuilt(step.again or step.statement.value, reading)
        step = step if again == step.statement.value else replace(step, again=again)
    inner = tuple(
        tuple(_reading_copy(each, source, copy, True) for each in block) for block in step.blocks
    )
    new = with_nodes(step.new, reading) if is_kept else step.new
    return replace(step, blocks=inner, new=new, old=with_nodes(step.old, reading))


def _reading(step: Step, value: Expr, read: Expr) -> Step:
    """Return a step whose reverse reads a name in place of a value."""

    def known(node: Expr) -> Expr | None:
        return replace(read, span=node.span) if node == value else None

    return replace(step, new=with_nodes(step.new, known), old=with_nodes(step.old, known))


def _renaming(names: Mapping[Variable, Variable]) -> Callable[[Step], Step]:
    """Return what gives a step in which other names are read."""

    def code(block: Block) -> Block:
        return tuple(with_variables(each, names) for each in block)

    def renamed(step: Step) -> Step:
        statement = None if step.statement is None else with_variables(step.statement, names)
        inner = tuple(tuple(map(renamed, block)) for block in step.blocks)
        return replace(
            step, statement=statement, blocks=inner, new=code(step.new), old=code(step.old)
        )

    return renamed
