"""Parts of an array that a pass saves one after the other are saved as a whole.

h_part_saved.append(h[1:-1].copy())         h_saved.append(h.copy())
h[1:-1] -= flux[1:] - flux[:-1]             h[1:-1] -= flux[1:] - flux[:-1]
h_first_saved.append(h[0])                  h[0] = h[1]
h[0] = h[1]

and the reverse sweep puts it back at once: h[:] = h_saved.pop(). What is there when the first part is
saved is what the array is once all parts are put back; between these no statement may read or change it.
So is a part that is nearly all of an array which can be taken back by its name, where the pass saves more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2sad.analysis.exits import may_be_left
from s2sad.checkpoint.alternatives import is_but_edges
from s2sad.ir.expression import EVERYTHING, Expr, Variable, copy_of, index_parts, subscript
from s2sad.ir.program import Block, For, Function, Restore, Save, Statement, While
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array
from s2sad.ir.walk import bound, read_in, rewritten, statements
from s2sad.optimize.memory import Memory, is_alone, touched_by


@dataclass(frozen=True, slots=True)
class _Whole:
    """The stacks of parts of an array, and the statements in whose places it is saved and put back."""

    array: Expr
    stacks: tuple[Variable, ...]
    save: Save
    restore: Restore


def saved_whole(function: Function, memory: Memory) -> Function:
    """Return a function whose loops save an array as a whole where they save parts that make it up."""
    every = tuple(statements(function.body))
    used = Counter(s.stack for s in every if isinstance(s, Save | Restore))
    read = {v for s in every for v in read_in(s)}
    alone = {stack for stack, often in used.items() if often == 2 and stack not in read}
    bodies = [s.body for s in every if isinstance(s, For | While) and not may_be_left(s.body)]
    found = [w for forward in bodies for w in _wholes(forward, bodies, alone, memory)]
    if not found:
        return function
    gone = {stack for each in found for stack in each.stacks[1:]}
    saves = {id(each.save): each for each in found}
    restores = {id(each.restore): each for each in found}

    def change(statement: Statement) -> Statement | None:
        if id(statement) in saves:
            each = saves[id(statement)]
            return replace(each.save, stack=each.stacks[0], value=copy_of(each.array))
        if id(statement) in restores:
            each = restores[id(statement)]
            part = subscript(each.array, EVERYTHING, each.array.type)
            return replace(each.restore, stack=each.stacks[0], target=part)
        own = {stack for each in found for stack in each.stacks}
        if isinstance(statement, Save | Restore) and statement.stack in own:
            return None
        return None if gone.intersection(bound(statement)) else statement

    return replace(function, body=rewritten(function.body, change))


def _wholes(
    forward: Block, bodies: list[Block], alone: set[Variable], memory: Memory
) -> Iterator[_Whole]:
    """Yield the arrays of which a body saves parts that are put back one after the other."""
    own = [s for s in forward if isinstance(s, Save) and s.stack in alone]
    for reverse in bodies:
        takes = {s.stack: s for s in reverse if isinstance(s, Restore)}
        saves = [s for s in own if s.stack in takes]
        groups: dict[Variable, list[Save]] = {}
        for save in saves:
            part = takes[save.stack].target
            if isinstance(part, Expr) and _is_part(part) and part.args[0].data in read_in(save):
                groups.setdefault(part.args[0].data, []).append(save)
        for array, group in groups.items():
            parts = [takes[save.stack] for save in group]
            is_worth = len(group) > 1 or (len(saves) > 1 and _is_by_name(array, group[0], memory))
            if is_worth and any(map(_is_wide, parts)):
                if _is_kept(forward, group, array) and _is_left(reverse, parts, array, memory):
                    base = parts[0].target.args[0]  # type: ignore[union-attr]
                    stacks = tuple(save.stack for save in group)
                    yield _Whole(base, stacks, group[0], min(parts, key=reverse.index))


def _is_by_name(array: Variable, save: Save, memory: Memory) -> bool:
    """Tell whether an array can be taken back by its name, and so stand on one list with others."""
    return is_alone(array, memory, save.stack)


def _is_part(target: Expr) -> bool:
    """Tell whether what is put back is a part of an array that has a name."""
    return (
        target.op == "subscript"
        and target.args[0].op == "name"
        and isinstance(target.args[0].type, Array)
    )


def _is_wide(restore: Restore) -> bool:
    """Tell whether a part is nearly all of its array: h[1:-1], u[1:-1, 1:-1]."""
    assert isinstance(restore.target, Expr)
    base, index = restore.target.args
    parts = index_parts(index)
    return len(parts) == base.type.rank and all(map(is_but_edges, parts))  # type: ignore[union-attr]


def _is_kept(forward: Block, group: list[Save], array: Variable) -> bool:
    """Tell whether a name stands for one array from the first save of a part to the last."""
    first, last = forward.index(group[0]), forward.index(group[-1])
    return all(array not in bound(s) for s in statements(forward[first:last]))


def _is_left(reverse: Block, parts: list[Restore], array: Variable, memory: Memory) -> bool:
    """Tell whether no statement between those that put parts back reads or changes the array."""
    places = sorted(map(reverse.index, parts))
    between = (s for s in reverse[places[0] : places[-1]] if s not in parts)
    tokens = {array, memory.content(array)}
    return all(tokens.isdisjoint(touched_by(s, memory)) for s in between)
