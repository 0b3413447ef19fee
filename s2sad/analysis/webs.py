"""Variables split into webs: definitions that some use may see together are one variable.

    x = u * 2.0             x = u * 2.0
    y = np.sum(x)           y = np.sum(x)
    x = np.sin(u)           x_2 = np.sin(u)
    return y + x[0]         return y + x_2[0]

What is bound once and is nothing but another variable that is bound once is that variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from s2sad.analysis.dataflow import Flow, Place, Reaching, S
from s2sad.analysis.places import is_within, placed, uses
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Role, Variable
from s2sad.ir.program import (
    Block,
    Continue,
    Copied,
    For,
    Function,
    Let,
    RegionOp,
    Restore,
    Statement,
    Store,
    Try,
)
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh, pattern_renamed, renamed_in, with_variables
from s2sad.ir.types import Array, Reference, without_none
from s2sad.ir.walk import (
    assigned,
    bind_counts,
    blocks,
    bound,
    read_counts,
    read_in,
    read_variables,
    rewritten,
    statements,
    with_blocks,
    with_expressions,
)

Definition = tuple[Place, Variable]


def webs(function: Function, roles: Set[Role] = frozenset(Role)) -> Function:
    """Return a function with one variable for each web of definitions, of those with some roles."""
    left = next((s for s in statements(function.body) if isinstance(s, Continue)), None)
    if left is not None and Role.PRIMAL in roles:
        raise NotYet("a continue that is not structured", left.span)
    walk = _Walk()
    start = {p.variable: frozenset({(("parameter",), p.variable)}) for p in function.parameters}
    for definitions in start.values():
        walk.meet(definitions)  # parameters come first: they keep their names
    walk.block(function.body, start, ())
    walk.names = _chosen(walk, function, roles)
    body, _ = walk.block(function.body, start, ())
    function = replace(function, body=body)
    return _with_terms_bound_once(function) if Role.PRIMAL in roles else function


def _with_terms_bound_once(function: Function) -> Function:
    """Return a function whose terms have one value: what is bound at several places is none."""
    often = Counter(v for each in statements(function.body) for v in assigned(each))
    several = [v for v, count in often.items() if count > 1 and v.role is Role.TERM]
    if not several:
        return function
    fresh = Fresh.of(function)
    renamed = {v: fresh.variable(v.name, Role.PRIMAL) for v in several}
    return replace(function, body=tuple(with_variables(s, renamed) for s in function.body))


def _chosen(walk: _Walk, function: Function, roles: Set[Role]) -> dict[Definition, Variable]:
    """Return the variable of each web: the first web of a name keeps the name."""
    fresh = Fresh.of(function)
    order = list(walk.parents)
    names: dict[Definition, Variable] = {}
    taken: set[Variable] = set()
    for definition in order:
        root = walk.root(definition)
        if root in names:
            continue
        variable = root[1]
        if variable in taken and variable.role in roles:
            variable = fresh.variable(variable.name, variable.role, variable.of)
        taken.add(variable)
        names[root] = variable
    return {d: names[walk.root(d)] for d in order}


@dataclass(slots=True)
class _Walk(Flow):
    """Reaching definitions: first which meet, then (with `names`) the statements renamed."""

    parents: dict[Definition, Definition] = field(default_factory=dict)
    ranks: dict[Definition, int] = field(default_factory=dict)
    names: Mapping[Definition, Variable] | None = None
    exits: list[tuple[list[Reaching], list[Reaching]]] = field(default_factory=list)
    heads: dict[Place, Reaching] = field(default_factory=dict)

    def root(self, definition: Definition) -> Definition:
        self.parents.setdefault(definition, definition)
        self.ranks.setdefault(definition, len(self.ranks))
        while self.parents[definition] != definition:
            definition = self.parents[definition]
        return definition

    def meet(self, definitions: frozenset[Definition]) -> None:
        roots = sorted({self.root(d) for d in definitions}, key=self.ranks.__getitem__)
        for other in roots[1:]:
            self.parents[other] = roots[0]

    def read(self, statement: S, env: Reaching, place: Place) -> S:
        found = set(read_in(statement))
        for variable in sorted(found, key=str):
            self.meet(env.get(variable, frozenset()))
        if self.names is None:
            return statement
        renamed = {v: self.variable(v, env.get(v, frozenset())) for v in found}
        return with_expressions(statement, lambda e: renamed_in(e, renamed))  # type: ignore[return-value]

    def variable(self, variable: Variable, definitions: frozenset[Definition]) -> Variable:
        assert self.names is not None
        return next((self.names[d] for d in definitions), variable)

    def bind(self, statement: S, env: Reaching, place: Place) -> tuple[S, Reaching]:
        targets = bound(statement)
        made = {v: (place, v) for v in targets}
        for definition in made.values():
            self.root(definition)
        after = {**env, **{v: frozenset({d}) for v, d in made.items()}}
        if self.names is None or not targets:
            return statement, after
        renamed = {v: self.names[d] for v, d in made.items()}
        return _bound_to(statement, renamed), after  # type: ignore[return-value]

    def statement(
        self, statement: Statement, env: Reaching, place: Place
    ) -> tuple[Statement, Reaching | None]:
        match statement:
            case Copied():  # its text calls what it reads and writes by one name
                for variable in {v for e in statement.reads for v in read_variables(e)}:
                    if variable in statement.writes:
                        self.meet(env.get(variable, frozenset()) | {(place, variable)})
        return Flow.statement(self, statement, env, place)

    def anywhere(self, statement: Try, place: Place) -> Reaching:
        body = (*place, 0)
        found: dict[Variable, set[Definition]] = {}
        for definition in self.parents:
            if definition[0][: len(body)] == body:
                found.setdefault(definition[1], set()).add(definition)
        return {variable: frozenset(made) for variable, made in found.items()}


def _bound_to(statement: Statement, renamed: dict[Variable, Variable]) -> Statement:
    """Return a statement that binds other variables."""
    match statement:
        case Let() | For() | RegionOp():
            new = replace(statement, target=pattern_renamed(statement.target, renamed))
            return _spelled(new)
        case Restore(target=Variable() as target):
            return replace(statement, target=renamed[target])
        case Copied():
            return replace(statement, writes=tuple(renamed[v] for v in statement.writes))
    return statement


def _spelled(statement: Statement) -> Statement:
    """Return `x_2 = x + e` for `x += e` where the new x is another variable."""
    if not isinstance(statement, Let) or statement.spelled == "=":
        return statement
    first = statement.value.args[0]
    is_same = first.op == "name" and first.data == statement.target
    return statement if is_same else replace(statement, spelled="=")


# ---------------------------------------------------------------------------- copies


def without_copies(function: Function) -> Function:
    """Return a function without names that are only other names.

    The second is bound once, and the first keeps its value while the second is read. Of a name of
    ours and one of the user's it is his that stays.
    """
    function = _without_moves_to_itself(function)
    found, every = uses(function), placed(function.body)
    stores = (s.target for _, s in every if isinstance(s, Store))
    rebound = {target.data for target in stores if may_be_number(target)}
    # Python unbinds the name of an exception
    rebound.update(v for _, s in every if isinstance(s, Try) for v in bound(s))
    renamed: dict[Variable, Variable] = {}
    for at, (place, statement) in enumerate(every):
        copy = copy_of(statement)
        if copy is None or not found.is_bound_at_one_place(copy[0]) or rebound & set(copy):
            continue
        source = renamed.get(copy[1], copy[1])
        if source == copy[0]:
            continue
        if not found.is_bound_at_one_place(source):
            if source == copy[1] and _is_read_before_rebinding(copy, place, function):
                renamed[copy[0]] = source
            continue
        loop = found.loop_of(found.block_of(source)) if source in found.bound else None
        reads = [(where, k) for k, (where, s) in enumerate(every) if copy[0] in read_in(s)]
        if loop is None or all(is_within(where, loop) and k > at for where, k in reads):
            is_ours = source.role is Role.TERM and source in found.bound
            if is_ours and copy[0].role is Role.PRIMAL:
                renamed = {v: copy[0] if to == source else to for v, to in renamed.items()}
                renamed[source] = copy[0]
            else:
                renamed[copy[0]] = source
    if not renamed:
        return function

    def without(each: Statement) -> Statement | None:
        copy = copy_of(each)
        are_one = copy is not None and renamed.get(copy[0], copy[0]) == renamed.get(
            copy[1], copy[1]
        )
        return None if are_one else each

    body = rewritten(function.body, without)
    return replace(function, body=tuple(with_variables(s, renamed) for s in body))


def _without_moves_to_itself(function: Function) -> Function:
    """Return a function without `u = u`: what is left of `u = smooth(u)`, which gives its u back."""
    if not any(_is_move_to_itself(statement) for statement in statements(function.body)):
        return function
    body = rewritten(function.body, lambda each: None if _is_move_to_itself(each) else each)
    return replace(function, body=body)


def _is_move_to_itself(statement: Statement) -> bool:
    copy = copy_of(statement)
    return copy is not None and copy[0] == copy[1]


def _is_read_before_rebinding(
    copy: tuple[Variable, Variable], place: tuple[int, ...], function: Function
) -> bool:
    """Tell whether a second name is read in its block alone, before the first is bound anew."""
    second, first = copy
    block, start = place[:-1], place[-1]
    reads: list[tuple[int, ...]] = []
    end: int | None = None
    for where, statement in placed(function.body):
        if is_within(where, block) and where[len(block)] > start and first in bound(statement):
            end = where[len(block)] if end is None else end
        if second in read_in(statement):
            reads.append((*where, *((0,) if blocks(statement) else ())))
    for where in reads:
        at = where[len(block)] if is_within(where, block) else -1
        if at <= start or (end is not None and at > end):
            return False
        if at == end and len(where) > len(block) + 1:  # what is bound inside may be read later
            return False
    return True


def may_be_number(target: Expr) -> bool:
    """Tell whether a store to a name rebinds it if it is a number: `total += u`."""
    return target.op == "name" and not isinstance(without_none(target.type), Array | Reference)


def under_last_names(function: Function, chosen: Set[Variable]) -> Function:
    """Return a function in which what only hands a value on is no name: it has its last one at once.

    made = State(s.x + v); s = made     s = State(s.x + v)
    """
    reads = read_counts(function.body)
    binds = bind_counts(function.body)

    def at_once(block: Block) -> Block:
        made: list[Statement] = []
        for statement in block:
            before, copy = made[-1] if made else None, copy_of(statement)
            if copy is not None and set(copy) <= chosen and isinstance(before, Let):
                if before.target == copy[1] and reads[copy[1]] == binds[copy[1]] == 1:
                    made[-1] = replace(before, target=copy[0])
                    continue
            made.append(with_blocks(statement, tuple(map(at_once, blocks(statement)))))
        return tuple(made)

    return replace(function, body=at_once(function.body))


def copy_of(statement: Statement) -> tuple[Variable, Variable] | None:
    """Return the second name that a statement gives to a variable, and the first."""
    if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
        return None
    return (statement.target, statement.value.data) if statement.value.op == "name" else None
