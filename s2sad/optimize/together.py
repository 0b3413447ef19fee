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
from collections.abc import Iterator, Sequence
from itertools import product

from s2sad.analysis.fresh import Fresh
from s2sad.ir.expression import Expr, Role, Variable
from s2sad.ir.program import Block, For, Function, Let, Restore, Save, Statement, While
from s2sad.ir.records import dataclass, replace
from s2sad.ir.walk import read_in, rewritten, statements
from s2sad.optimize.memory import Memory, changes, statement_reads, touched_by
from s2sad.optimize.order import may_be_left

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
    bodies = [each for each in bodies if not may_be_left(each)]
    takes = {s.stack: each for each in bodies for s in each if isinstance(s, Restore)}
    for each in bodies:
        found: dict[int, tuple[Block, list[Variable]]] = {}
        for s in each:
            if isinstance(s, Save) and s.stack in alone and s.stack in takes:
                reverse = takes[s.stack]
                found.setdefault(id(reverse), (reverse, []))[1].append(s.stack)
        yield from ((each, reverse, stacks) for reverse, stacks in found.values())


def _largest(
    forward: Block, reverse: Block, stacks: Sequence[Variable], memory: Memory
) -> _Together | None:
    """Return the most stacks that can be one; None if no two can."""
    saves = {s.stack: (k, s) for k, s in enumerate(forward) if isinstance(s, Save)}
    takes = {s.stack: (k, s) for k, s in enumerate(reverse) if isinstance(s, Restore)}
    targets = {v: t for v in stacks if isinstance(t := takes[v][1].target, Variable)}
    best: list[Variable] = []
    for first, second in product(targets, targets):
        at, back = saves[first][0], takes[second][0]
        held = [
            stack
            for stack, target in targets.items()
            if _may_be_saved(forward, saves[stack][0], at, memory)
            and _may_be_taken(reverse, takes[stack][0], back, target, memory)
        ]
        first_of = {targets[stack]: stack for stack in reversed(held)}
        held = [stack for stack in held if first_of[targets[stack]] == stack][:MOST]
        if len(held) > max(1, len(best)) and first in held and second in held:
            best, save, restore = held, saves[first][1], takes[second][1]
    if not best:
        return None
    values = tuple(saves[stack][1].value for stack in best)
    into = tuple(targets[stack] for stack in best)
    return _Together(tuple(best), save, restore, values, into, best[0])


def _may_be_saved(block: Block, place: int, at: int, memory: Memory) -> bool:
    """Tell whether a value is the same at another place of its block."""
    between = block[min(place, at) : max(place, at)]
    return statement_reads(block[place], memory).isdisjoint(
        changes(tuple(s for s in between if not isinstance(s, Save)), memory)
    )


def _may_be_taken(block: Block, place: int, at: int, target: Variable, memory: Memory) -> bool:
    """Tell whether a value may be taken back at another place of its block."""
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
