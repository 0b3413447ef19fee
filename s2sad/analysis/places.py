"""Where statements stand, as paths of numbers: which variables are bound and read in which block.

for k in range(n):      (0,)
    y = u[k]            (0, 0, 0)      in the block (0, 0)
    if y > c:           (0, 0, 1)
        s += y          (0, 0, 1, 0, 0)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile

from s2sad.analysis.exits import leaves_pass
from s2sad.ir.expression import Variable, constant
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    For,
    Function,
    If,
    Raise,
    Return,
    Statement,
    Try,
    While,
    With,
)
from s2sad.ir.records import dataclass
from s2sad.ir.walk import blocks, bound, is_gone_through, read_in

Place = tuple[int, ...]


def placed(block: Block, inside: Place = ()) -> list[tuple[Place, Statement]]:
    """Return each statement of a block, however deep, with its place."""
    found = []
    for position, statement in enumerate(block):
        place = (*inside, position)
        found.append((place, statement))
        for branch, inner in enumerate(blocks(statement)):
            found += placed(inner, (*place, branch))
    return found


def common(left: Place, right: Place) -> Place:
    """Return the innermost block that two blocks stand in."""
    shared = 0
    while shared < min(len(left), len(right)) and left[shared] == right[shared]:
        shared += 1
    return left[: shared - shared % 2]


def is_within(place: Place, block: Place) -> bool:
    """Tell whether a block or statement stands in a block."""
    return place[: len(block)] == block


def is_one_between(positions: Sequence[int], start: int, end: int) -> bool:
    """Tell whether one of some positions, in their order, lies from start to before end."""
    at = bisect_left(positions, start)
    return at < len(positions) and positions[at] < end


@dataclass(frozen=True, slots=True)
class Uses:
    """Where the variables of a function are bound and read.

    `bound` has the places of the statements that bind a variable, none for a parameter; `read`
    the blocks in which it is read; `owners` the innermost block that all of them stand in;
    `loops` the blocks that are bodies of loops.
    """

    bound: Mapping[Variable, tuple[Place, ...]]
    read: Mapping[Variable, tuple[Place, ...]]
    owners: Mapping[Variable, Place]
    loops: frozenset[Place]
    parameters: frozenset[Variable]

    def loop_of(self, block: Place) -> Place | None:
        """Return the innermost body of a loop that a block stands in; None outside of loops."""
        return innermost(block, self.loops)

    def block_of(self, variable: Variable) -> Place:
        """Return the block in which a variable that is bound once is bound."""
        places = self.bound.get(variable, ())
        return places[0] if len(places) == 1 else ()

    def is_bound_at_one_place(self, variable: Variable) -> bool:
        """Tell whether one statement binds a variable, however often, or it is a parameter."""
        return len(self.bound.get(variable, ())) + (variable in self.parameters) == 1

    def is_bound_again(self, variable: Variable) -> bool:
        """Tell whether a variable is bound more than once while its value may be wanted."""
        places = self.bound.get(variable, ())
        if variable in self.parameters:
            return bool(places)
        if len(places) != 1:
            return len(places) > 1
        loop = self.loop_of(places[0])
        return loop is not None and not is_within(self.owners[variable], loop)


def innermost(block: Place, among: Collection[Place]) -> Place | None:
    """Return the innermost of some blocks that a block stands in, or is."""
    while block not in among:
        if not block:
            return None
        block = block[:-2]
    return block


def carried(body: Block) -> dict[Variable, list[Place]]:
    """Return the variables that a pass may read as an earlier one bound them.

    Each has the blocks in which the loops stand: it belongs to these.
    """
    found: dict[Variable, list[Place]] = {}
    _exposed(body, (), found)
    return found


Names = frozenset[Variable]
# what a block may read that it has not bound, and what it surely binds; None: it is left
Flow = tuple[Names, "Names | None"]
NOTHING: Names = frozenset()


def exposed(block: Block) -> Flow:
    """Return what a block may read that it has not bound, and what it has surely bound at its end."""
    return _exposed(block, (), {})


def _exposed(block: Block, inside: Place, found: dict[Variable, list[Place]]) -> Flow:
    """Return the flow of a block; note what its loops carry."""
    early, sure = NOTHING, NOTHING
    for position, statement in enumerate(block):
        reads, binds = _flow(statement, (*inside, position), found)
        early |= reads - sure
        if binds is None:
            return early, None
        sure |= binds
    return early, sure


def _flow(statement: Statement, place: Place, found: dict[Variable, list[Place]]) -> Flow:
    """Return what a statement may read, and what it surely binds."""
    reads = frozenset(read_in(statement))
    own = frozenset(bound(statement))
    arms = [_exposed(b, (*place, k), found) for k, b in enumerate(blocks(statement))]
    match statement:
        case Break() | Continue() | Raise() | Return():
            return reads, None
        case For() | While():
            ((inner, _),) = arms
            inner = inner - own if isinstance(statement, For) else inner
            bound_inside = (v for _, s in placed(statement.body) for v in bound(s))
            for variable in (inner | reads).intersection(bound_inside):
                found.setdefault(variable, []).append(place[:-1])
            endless = isinstance(statement, While) and statement.test == constant(True)
            return reads | inner, bound_at_breaks(statement.body) if endless else NOTHING
        case If():
            ends = [sure for _, sure in arms if sure is not None]
            early = reads.union(*(early for early, _ in arms))
            return early, ends[0].intersection(*ends) if ends else None
        case With() | Try():
            sure = arms[0][1] if is_gone_through(statement) else NOTHING
            caught = [h.target for h in statement.handlers] if isinstance(statement, Try) else []
            handled = (arm[0] - {target} for arm, target in zip(arms[1:], caught, strict=True))
            return reads.union(arms[0][0], *handled), sure
    return reads, own


def bound_at_breaks(block: Block) -> Names:
    """Return what is surely bound where a loop is left: what stands before all its breaks."""
    return exposed(tuple(takewhile(lambda s: not leaves_pass(s), block)))[1] or NOTHING


def uses(function: Function) -> Uses:
    """Return where the variables of a function are bound and read."""
    bound_in: dict[Variable, list[Place]] = {}
    read_at: dict[Variable, list[Place]] = {}
    loops = set()
    parameters = frozenset(p.variable for p in function.parameters)
    around = carried(function.body)
    for place, statement in placed(function.body):
        block = place[:-1]
        for variable in read_in(statement):
            read_at.setdefault(variable, []).append(block)
            if isinstance(statement, While):
                read_at[variable].append((*place, 0))
        if isinstance(statement, For | While):
            loops.add((*place, 0))
        inside = (*place, 0) if isinstance(statement, For) else block
        for variable in bound(statement):
            bound_in.setdefault(variable, []).append(inside)
    owners = {}
    for variable in {*bound_in, *read_at, *parameters}:
        found = [*bound_in.get(variable, ()), *read_at.get(variable, ())]
        owner = () if variable in parameters or not found else found[0]
        for each in (*found, *around.get(variable, ())):
            owner = common(owner, each)
        owners[variable] = owner
    return Uses(
        {v: tuple(p) for v, p in bound_in.items()},
        {v: tuple(p) for v, p in read_at.items()},
        owners,
        frozenset(loops),
        parameters,
    )
