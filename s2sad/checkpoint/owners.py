"""To which block a value belongs: that of one pass of a loop is had again, or saved, in that pass.

for _ in range(n):
    v = b / (K.T @ u)       v belongs to the pass, though the last one is read after the loop
    u = a / (K @ v)         u is carried from pass to pass: it belongs to the function
return np.sum(u * v)
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analysis.places import common
from s2sad.checkpoint.needs import Forward, reads_beside
from s2sad.ir.expression import Variable
from s2sad.ir.program import For, Let, While
from s2sad.ir.walk import bound, read_in
from s2sad.reverse.sweep import Path, Step, Steps, may_be_left, walk

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
