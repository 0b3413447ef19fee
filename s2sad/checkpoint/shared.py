"""What a pass of a loop computes for both sweeps is computed once, before it is planned what is saved.

for a in angles:            the reverse sweep reads c where it read np.cos(a), s where np.sin(a)
    c = np.cos(a)
    s = np.sin(a)           so a itself may be lost

What has no name of the user's is computed as early as the reverse of a statement reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from s2sad.analysis.memory import Memory
from s2sad.checkpoint.indexed import Index
from s2sad.checkpoint.needs import Forward, forward_variables
from s2sad.ir.expression import Expr, Role, Variable, name
from s2sad.ir.program import Block, Let
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import nodes_in, with_nodes
from s2sad.reverse.sweep import Path, Step, Steps

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
        earlier: dict[int, list[Step]] = {}
        for position, variable, value in self.values(steps):
            readers = [at for at, step in enumerate(steps) if _is_read(value, step)]
            first, last = min((position, *readers)), max((position, *readers))
            # what is read as before the last statement may be lost by that
            is_lost = last == position or _reads(value, steps[last].new)
            if self.may_change(value, first, last if is_lost else last - 1):
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
        each_in_order = ((*earlier.get(at, ()), step) for at, step in enumerate(steps))
        return tuple(step for some in each_in_order for step in some if step != Step())

    def may_change(self, value: Expr, first: int, last: int) -> bool:
        """Tell whether statements from first to last change what a value is computed of."""
        needs = self.index.forward.binding_needs(value)
        return self.index.may_change(needs, self.block, first, last + 1)

    def values(self, steps: list[Step]) -> Iterator[tuple[int, Variable, Expr]]:
        """Yield what is called to compute it and bound once, in no memory that is written to."""
        for position, step in enumerate(steps):
            match step.statement:
                case Let(Variable() as variable, Expr("call", type=Number() | Array()) as value):
                    is_alone = self.index.definition(variable, self.block) is not None
                    is_new = set(self.index.forward.needs(name(variable, value.type))) == {variable}
                    if is_alone and is_new and self.cost(value) in ("lengthy", "costly"):
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
    return _reads(value, (*step.new, *step.old))


def _reads(value: Expr, code: Block) -> bool:
    return any(node == value for node in nodes_in(code))


def _reading(step: Step, value: Expr, read: Expr) -> Step:
    """Return a step whose reverse reads a name in place of a value."""

    def known(node: Expr) -> Expr | None:
        return replace(read, span=node.span) if node == value else None

    return replace(step, new=with_nodes(step.new, known), old=with_nodes(step.old, known))
