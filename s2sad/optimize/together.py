"""Values that one pass of a loop saves go on one list, where they may.

    well_saved.append(well)                 saved.append((well, ill))
    well = well - h * new                   well = well - h * new
    ill_saved.append(ill)          ->       ill = ill + h * (new - gamma * ill)
    ill = ill + h * (new - gamma * ill)

and the reverse sweep takes both back at once: well, ill = saved.pop(). A value may be saved earlier
or later than it was if no statement between changes it; it may be taken back earlier or later if no
statement between reads or changes what it is put into.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from s2sad.analysis.fresh import Fresh
from s2sad.ir.expression import Expr, Role, Variable
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    For,
    Function,
    Let,
    Restore,
    Return,
    Save,
    Statement,
    While,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.walk import read_in, rewritten, statements
from s2sad.optimize.memory import Memory, changes, statement_reads, touched_by

# more values on one list read no better than two lists
MOST = 5


def saved_together(function: Function, memory: Memory) -> Function:
    """Return a function whose loops save the values of a pass on one list."""
    every = tuple(statements(function.body))
    used = Counter(s.stack for s in every if isinstance(s, Save | Restore))
    read = {v for s in every for v in read_in(s)}
    alone = {stack for stack, often in used.items() if often == 2 and stack not in read}
    pairs = list(_pairs(function.body, alone))
    fresh = Fresh.of(function)
    chosen: list[_Together] = []
    for forward, reverse, stacks in pairs:
        while len(stacks) > 1:
            found = _largest(forward, reverse, stacks, memory)
            if found is None:
                break
            chosen.append(replace(found, stack=fresh.variable("saved", Role.SAVED)))
            stacks = [stack for stack in stacks if stack not in found.stacks]
    return _with_lists(function, chosen) if chosen else function


@dataclass(frozen=True, slots=True)
class _Together:
    """Stacks that become one, and the statements in whose places it is saved and taken back."""

    stacks: tuple[Variable, ...]
    save: Save
    restore: Restore
    values: tuple[Expr, ...]
    targets: tuple[Variable, ...]
    stack: Variable


def _pairs(body: Block, alone: set[Variable]) -> Iterator[tuple[Block, Block, list[Variable]]]:
    """Yield the bodies of loops that save, each with the body that takes the same values back."""
    bodies = [s.body for s in statements(body) if isinstance(s, For | While)]
    bodies = [each for each in bodies if not any(map(_leaves, statements(each)))]
    takes = {s.stack: each for each in bodies for s in each if isinstance(s, Restore)}
    for each in bodies:
        found: dict[int, tuple[Block, list[Variable]]] = {}
        for s in each:
            if isinstance(s, Save) and s.stack in alone and s.stack in takes:
                reverse = takes[s.stack]
                found.setdefault(id(reverse), (reverse, []))[1].append(s.stack)
        yield from ((each, reverse, stacks) for reverse, stacks in found.values())


def _leaves(statement: Statement) -> bool:
    return isinstance(statement, Break | Continue | Return)


def _largest(
    forward: Block, reverse: Block, stacks: Sequence[Variable], memory: Memory
) -> _Together | None:
    """Return the most stacks that can be one; None if no two can."""
    saves = {s.stack: k for k, s in enumerate(forward) if isinstance(s, Save)}
    takes = {s.stack: k for k, s in enumerate(reverse) if isinstance(s, Restore)}
    named = [s for s in stacks if isinstance(_taken(reverse, takes[s]).target, Variable)]
    best: tuple[list[Variable], int, int] = ([], 0, 0)
    for first, second in product(named, named):
        at, back = saves[first], takes[second]
        held = [
            stack
            for stack in named
            if _may_be_saved(forward, saves[stack], at, memory)
            and _may_be_taken(reverse, takes[stack], back, memory)
        ]
        held = _distinct(held, reverse, takes)[:MOST]
        if len(held) > len(best[0]) and first in held and second in held:
            best = held, at, back
    held, at, back = best
    if len(held) < 2:
        return None
    values = tuple(_saved(forward, saves[stack]).value for stack in held)
    targets = tuple(_target(reverse, takes[stack]) for stack in held)
    save, restore = _saved(forward, at), _taken(reverse, back)
    return _Together(tuple(held), save, restore, values, targets, held[0])


def _distinct(
    stacks: Sequence[Variable], reverse: Block, takes: Mapping[Variable, int]
) -> list[Variable]:
    """Return the stacks whose values go to different variables."""
    targets = {_target(reverse, takes[stack]): stack for stack in reversed(stacks)}
    return [stack for stack in stacks if stack in targets.values()]


def _saved(block: Block, place: int) -> Save:
    found = block[place]
    assert isinstance(found, Save)
    return found


def _taken(block: Block, place: int) -> Restore:
    found = block[place]
    assert isinstance(found, Restore)
    return found


def _target(block: Block, place: int) -> Variable:
    target = _taken(block, place).target
    assert isinstance(target, Variable)
    return target


def _may_be_saved(block: Block, place: int, at: int, memory: Memory) -> bool:
    """Tell whether a value is the same at another place of its block."""
    between = block[min(place, at) : max(place, at)]
    return statement_reads(block[place], memory).isdisjoint(
        changes(tuple(s for s in between if not isinstance(s, Save)), memory)
    )


def _may_be_taken(block: Block, place: int, at: int, memory: Memory) -> bool:
    """Tell whether a value may be taken back at another place of its block."""
    target = _target(block, place)
    between = (*block[min(place, at) : place], *block[place + 1 : max(place, at) + 1])
    return all(target not in touched_by(s, memory) for s in between if not _takes_other(s, target))


def _takes_other(statement: Statement, target: Variable) -> bool:
    """Tell whether a statement takes back the value of another variable."""
    match statement:
        case Restore(Variable() as other):
            return other != target
    return False


def _with_lists(function: Function, chosen: Sequence[_Together]) -> Function:
    """Return a function with one list for each of the groups."""
    by_stack = {stack: each for each in chosen for stack in each.stacks}
    made: set[Variable] = set()

    def change(statement: Statement) -> Statement | None:
        match statement:
            case Save(stack, _, span) if stack in by_stack:
                each = by_stack[stack]
                value = Expr("tuple", each.values)
                return Save(each.stack, value, span) if stack == each.save.stack else None
            case Restore(_, stack, span) if stack in by_stack:
                each = by_stack[stack]
                is_place = stack == each.restore.stack
                return Restore(each.targets, each.stack, span) if is_place else None
            case Let(Variable() as stack) if stack in by_stack:
                each = by_stack[stack]
                if each.stack in made:
                    return None
                made.add(each.stack)
                return replace(statement, target=each.stack)
        return statement

    return replace(function, body=rewritten(function.body, change))
