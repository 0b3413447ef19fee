"""What the reverse of a step reads: to put back what was lost, and once that is there.

u[k] = c        saved before it, the old element goes back through u and k: both are read
a, b = b, a     is turned back by itself, which reads both
"""

from __future__ import annotations

from s2sad.analysis.pointers import stored_base
from s2sad.analysis.tuples import is_exchange
from s2sad.checkpoint.needs import NOTHING, Need, Needs, places_written, reads_beside
from s2sad.checkpoint.planner import AFTER, BEFORE, EVERY, Planner, Point
from s2sad.ir.expression import Variable
from s2sad.ir.program import Let, RegionOp, Store
from s2sad.ir.walk import bound
from s2sad.reverse.sweep import Path, Step, walk

PLACED = frozenset({"pop", "insert", "del"})  # they are told where


def extras(planner: Planner, path: Path, when: str) -> Needs:
    """Return what is read at a point to have values of a pass again."""
    return frozenset(planner.extra.get((path, when), NOTHING))


def read_after(planner: Planner, step: Step, path: Path) -> Needs:
    """Return what the reverse of a statement itself reads before it has put back what was lost."""
    found = planner.forward.of_code(step.new) | extras(planner, path, AFTER)
    found |= beside(planner, step, path) | exchanged(step)
    if path in planner.inverted and isinstance(step.statement, RegionOp):
        found |= places_of_operation(planner, step.statement)
    if path in planner.overwritten:  # what puts elements back goes through the name
        found |= places_of(planner, step)
    return found


def read_before(planner: Planner, step: Step, path: Path) -> Needs:
    """Return what the reverse of a statement itself reads once that is put back."""
    return planner.forward.of_code(step.old) | extras(planner, path, BEFORE)


def beside(planner: Planner, step: Step, path: Path) -> Needs:
    """Return what a compound statement reads if there is anything in it to turn back."""
    if not step.blocks:
        return NOTHING
    if not (step.is_turned or _has_exchange(step) or _has_saved(planner, path)):
        return NOTHING
    return reads_beside(step, planner.forward)


def _has_saved(planner: Planner, path: Path) -> bool:
    """Tell whether something in a compound statement is saved or had again."""
    found = (*planner.lost, *planner.overwritten, *planner.inverted)
    has_lost = any(p[: len(path)] == path for p in found)
    return has_lost or any(p[0][: len(path)] == path for _, p in planner.again.values())


def _has_exchange(step: Step) -> bool:
    inner = (s for block in step.blocks for _, s in walk(block))
    return any(s.statement is not None and is_exchange(s.statement) for s in inner)


def exchanged(step: Step) -> Needs:
    """Return what an exchange of names reads to turn itself back."""
    statement = step.statement
    is_one = isinstance(statement, Let) and is_exchange(statement)
    return frozenset(bound(statement)) if is_one and statement is not None else NOTHING


def places_of(planner: Planner, step: Step) -> Needs:
    """Return what is read to put back the elements that a statement overwrites."""
    store = step.statement
    if not isinstance(store, Store):
        places = places_written(step, planner.forward)
        return NOTHING.union(*(planner.forward.needs(place, False) for place in places))
    found = set(planner.forward.needs(stored_base(store), False))
    for index in store.target.args[1:] if store.target.op == "subscript" else ():
        found |= set(planner.forward.needs(index))
    return frozenset(found)


def places_of_operation(planner: Planner, operation: RegionOp) -> Needs:
    """Return what is read to take an item out of a list again, or to put it back."""
    found = set(planner.forward.needs(operation.base, False))
    if operation.method in PLACED and operation.args:
        found |= set(planner.forward.needs(operation.args[0]))
    return frozenset(found)


def last_read(planner: Planner, variable: Variable, block: Path) -> Point | None:
    """Return the point of a block from which on, backwards, a variable is read."""
    for at in _may_read(planner, variable, block):
        path = (*block, at)
        step = planner.index.by_path[path]
        inside = (
            (where, inner)
            for k, block in enumerate(step.blocks)
            for where, inner in walk(block, (*path, k))
        )
        if variable in read_after(planner, step, path) or any(
            variable in read_after(planner, inner, where) | read_before(planner, inner, where)
            for where, inner in inside
        ):
            return path, AFTER
        if variable in read_before(planner, step, path):
            return path, BEFORE if not step.blocks else AFTER
    return None


def _may_read(planner: Planner, variable: Variable, block: Path) -> list[int]:
    """Return the positions in a block at which a variable may be read, the last first."""
    readers = readers_in(planner, block)
    found = set(readers.get(variable, ())) | set(readers[EVERY])
    found |= {
        point[0][-1] for point in planner.extra_at.get(variable, ()) if point[0][:-1] == block
    }
    return sorted(found, reverse=True)


def readers_in(planner: Planner, block: Path) -> dict[Need, list[int]]:
    """Return at which positions of a block each variable is read; EVERY: blocks and stores."""
    if block not in planner.reads:
        planner.reads[block] = _readers_in(planner, block)
    return planner.reads[block]


def _readers_in(planner: Planner, block: Path) -> dict[Need, list[int]]:
    found: dict[Need, list[int]] = {EVERY: []}
    for position, step in enumerate(planner.index.block_at(block)):
        is_write = isinstance(step.statement, Store | RegionOp)
        if step.blocks or is_write or places_written(step, planner.forward):
            found[EVERY].append(position)
        for need in planner.forward.of_code((*step.new, *step.old)) | exchanged(step):
            found.setdefault(need, []).append(position)
    return found
