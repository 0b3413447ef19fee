"""Two names of one value become one, where they are never alive with different values.

u_term_bar = dt * u_bar                u_bar = dt * u_bar
...                          ->        ...
u_bar = u_term_bar
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from s2sad.ir.expression import Expr, Pattern, Role, Star, Variable
from s2sad.ir.program import (
    Copied,
    For,
    Function,
    Let,
    RegionOp,
    Restore,
    Save,
    Statement,
    Store,
    Try,
)
from s2sad.ir.types import Array
from s2sad.ir.walk import bound, rebuilt, rewritten, statements, with_expressions
from s2sad.optimize.liveness import Liveness
from s2sad.optimize.memory import MODULE, Memory, Token
from s2sad.optimize.substitute import copied_place

# a name of ours gives way to one that belongs to a name of the user's
RANK = {
    Role.PRIMAL: 0,
    Role.ADJOINT: 1,
    Role.TANGENT: 1,
    Role.SAVED: 3,
    Role.TERM: 2,
    Role.PLACE: 2,
}

FIXED = frozenset({Role.PRIMAL, Role.PLACE, Role.SAVED})


def without_copies(function: Function, memory: Memory) -> Function:
    """Return a function without the copies from one name of ours to another."""
    copies = list(_copies(function))
    if not copies:
        return function
    meeting = _Interference(function, memory, copies)
    for copy in copies:
        meeting.join(*copy)
    names = {v: n for v in meeting.edges if (n := meeting.name_of(v)) != v}
    return replace(function, body=_renamed(function, names)) if names else function


def _copies(function: Function) -> Iterator[tuple[Variable, Variable]]:
    """Yield the two names of each copy that may become one."""
    given = frozenset(p.variable for p in function.parameters)
    for statement in statements(function.body):
        if not isinstance(statement, Let) or statement.value.op != "name":
            continue
        kept, gone = statement.target, statement.value.data
        if not isinstance(kept, Variable) or kept == gone or statement.spelled != "=":
            continue
        if not FIXED.isdisjoint((kept.role, gone.role)):
            continue
        if kept not in given and gone not in given:
            yield kept, gone


class _Interference:
    """Which names are bound while others are still to be read; joined names are one."""

    def __init__(self, function: Function, memory: Memory, copies: list[tuple[Variable, Variable]]):
        self.edges: dict[Variable, set[Variable]] = {v: set() for pair in copies for v in pair}
        self.names: dict[Variable, Variable] = {}
        sweep = Liveness(function, memory, _stacks(function))
        sweep.visit = self.visit
        sweep.block(function.body, sweep.at_exit)

    def visit(self, statement: Statement, live: Set[Token]) -> None:
        """Note what is alive where a statement binds a name."""
        copied = None
        if isinstance(statement, Let) and statement.value.op == "name":
            copied = statement.value.data
        for variable in _bound_anew(statement):
            if variable in self.edges:
                self.meet(variable, live, copied)

    def meet(self, variable: Variable, live: Set[Token], copied: Variable | None) -> None:
        for other in self.edges:
            if other in live and other not in (variable, copied):
                self.edges[variable].add(other)
                self.edges[other].add(variable)

    def name_of(self, variable: Variable) -> Variable:
        """Return the name that stands for a variable."""
        while variable in self.names:
            variable = self.names[variable]
        return variable

    def join(self, kept: Variable, gone: Variable) -> None:
        """Let two names be one, if they are never alive with different values."""
        kept, gone = self.name_of(kept), self.name_of(gone)
        if kept == gone or gone in self.edges[kept]:
            return
        first, other = sorted((kept, gone), key=lambda v: (RANK[v.role], v is not kept))
        self.names[other] = first
        for neighbour in self.edges[other]:
            self.edges[neighbour].add(first)
        self.edges[first] |= self.edges[other]


def _bound_anew(statement: Statement) -> tuple[Variable, ...]:
    """Return what a statement binds; `x += e` binds x where that may be a number."""
    if isinstance(statement, Store) and statement.target.op == "name":
        is_array = isinstance(statement.target.type, Array)
        return () if is_array else (statement.target.data,)
    return bound(statement)


def without_idle_copies(function: Function, memory: Memory) -> Function:
    """Return a function without copies of arrays that nobody else will read or write.

    x_bar = t_1.copy()     x_bar = t_1      where t_1 and all that shares its memory is dead
    """
    if not any(map(_copies_array, statements(function.body))):
        return function
    groups: dict[Variable, set[Variable]] = {}
    for variable, root in memory.roots.items():
        groups.setdefault(root, {root}).add(variable)
    outside = {memory.content(v) for v in (MODULE, *(p.variable for p in function.parameters))}
    idle: dict[int, Statement] = {}

    def visit(statement: Statement, live: Set[Token]) -> None:
        if not _copies_array(statement):
            return
        assert isinstance(statement, Let)
        of = copied_place(statement.value)
        assert of is not None
        held = memory.content(of.data)
        if held is None or held in outside:
            return
        others = groups.get(held.root, {of.data}) - {statement.target}
        if live.isdisjoint(others):
            idle[id(statement)] = replace(statement, value=of)

    sweep = Liveness(function, memory, _stacks(function))
    sweep.visit = visit
    sweep.block(function.body, sweep.at_exit)
    if not idle:
        return function
    return replace(function, body=rewritten(function.body, lambda s: idle.get(id(s), s)))


def _copies_array(statement: Statement) -> bool:
    """Tell whether a statement gives a name of ours a copy of what has one."""
    if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
        return False
    of = copied_place(statement.value)
    if of is None or of.op != "name":
        return False
    if statement.value.span is None:
        return True
    return {Role.PRIMAL, Role.PLACE}.isdisjoint((of.data.role, statement.target.role))


def _stacks(function: Function) -> frozenset[Variable]:
    return frozenset(s.stack for s in statements(function.body) if isinstance(s, Restore | Save))


def _renamed(function: Function, names: Mapping[Variable, Variable]) -> tuple[Statement, ...]:
    """Return the body of a function with other variables, copies onto themselves left out."""

    def of(expr: Expr) -> Expr | None:
        if expr.op == "name" and expr.data in names:
            return replace(expr, data=names[expr.data])
        if expr.op == "generator":
            return replace(expr, data=with_names(expr.data, names))
        return None

    def change(statement: Statement) -> Statement | None:
        new = with_expressions(statement, lambda e: rebuilt(e, of))
        new = _rebound(new, names)
        if isinstance(new, Let) and isinstance(new.target, Variable):
            if new.value.op == "name" and new.value.data == new.target:
                return None
        return new

    return rewritten(function.body, change)


def _rebound(statement: Statement, names: Mapping[Variable, Variable]) -> Statement:
    """Return a statement that binds other variables."""
    match statement:
        case Let() | RegionOp() | For():
            return replace(statement, target=with_names(statement.target, names))
        case Restore(Variable() as target):
            return replace(statement, target=names.get(target, target))
        case Copied():
            return replace(statement, writes=tuple(names.get(w, w) for w in statement.writes))
        case Try():
            handlers = tuple(
                replace(h, target=None if h.target is None else names.get(h.target, h.target))
                for h in statement.handlers
            )
            return replace(statement, handlers=handlers)
    return statement


def with_names(pattern: Pattern, names: Mapping[Variable, Variable]) -> Pattern:
    """Return a pattern with other variables."""
    match pattern:
        case Variable():
            return names.get(pattern, pattern)
        case Star(variable):
            return Star(names.get(variable, variable))
        case tuple():
            return tuple(with_names(part, names) for part in pattern)
    return pattern
