"""Two names of one value become one, where they are never alive with different values.

u_term_bar = dt * u_bar                u_bar = dt * u_bar
...                          ->        ...
u_bar = u_term_bar
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2sad.ir.expression import Expr, Pattern, Role, Star, Variable
from s2sad.ir.program import Copied, For, Function, Let, RegionOp, Restore, Save, Statement, Try
from s2sad.ir.walk import bound, rebuilt, rewritten, statements, with_expressions
from s2sad.optimize.liveness import Liveness, Tokens
from s2sad.optimize.memory import MODULE, Memory
from s2sad.optimize.substitute import copied_place

# a name of ours gives way to one that belongs to a name of the user's
RANK = {Role.PRIMAL: 0, Role.ADJOINT: 1, Role.TANGENT: 1, Role.SAVED: 3, Role.TERM: 2}


def without_copies(function: Function, memory: Memory) -> Function:
    """Return a function without the copies from one name of ours to another."""
    given = frozenset(p.variable for p in function.parameters)
    for statement in statements(function.body):
        if not isinstance(statement, Let) or statement.value.op != "name":
            continue
        kept, gone = statement.target, statement.value.data
        if not isinstance(kept, Variable) or kept == gone or statement.spelled != "=":
            continue
        if Role.PRIMAL in (kept.role, gone.role) or Role.SAVED in (kept.role, gone.role):
            continue
        if kept in given or gone in given or _interfere(function, memory, kept, gone, statement):
            continue
        first, other = sorted((kept, gone), key=lambda v: (RANK[v.role], v is not kept))
        renamed = replace(function, body=_renamed(function, {other: first}))
        return without_copies(renamed, memory)
    return function


def without_idle_copies(function: Function, memory: Memory) -> Function:
    """Return a function without copies of arrays that nobody else will read or write.

    x_bar = t_1.copy()     x_bar = t_1      where t_1 and all that shares its memory is dead
    """
    groups: dict[Variable, set[Variable]] = {}
    for variable, root in memory.roots.items():
        groups.setdefault(root, {root}).add(variable)
    outside = {memory.content(v) for v in (MODULE, *(p.variable for p in function.parameters))}
    idle: dict[int, Statement] = {}

    def visit(statement: Statement, live: Tokens) -> None:
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return
        of = copied_place(statement.value)
        if of is None or of.op != "name" or Role.PRIMAL in (of.data.role, statement.target.role):
            return
        held = memory.content(of.data)
        if held is None or held in outside:
            return
        others = groups.get(held.root, {of.data}) - {statement.target}
        if live.isdisjoint(others):
            idle[id(statement)] = replace(statement, value=of)

    sweep = Liveness(function, memory, _stacks(function))
    sweep.visit = visit
    sweep.block(function.body, frozenset())
    if not idle:
        return function
    return replace(function, body=rewritten(function.body, lambda s: idle.get(id(s), s)))


def _interfere(
    function: Function, memory: Memory, one: Variable, other: Variable, copy: Statement
) -> bool:
    """Tell whether one of two variables is bound while the other is still to be read."""
    found = False

    def visit(statement: Statement, live: Tokens) -> None:
        nonlocal found
        if statement is copy:
            return
        made = bound(statement)
        found = found or (one in made and other in live) or (other in made and one in live)

    sweep = Liveness(function, memory, _stacks(function))
    sweep.visit = visit
    _, live = sweep.block(function.body, frozenset())
    return found


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
