"""Other variables: those that no statement has yet, and statements with others in place of theirs.

with_variables(y = x * u[0], {x: x_2})      y = x_2 * u[0]

Fresh.of(function).variable("left")   ->   left, or left_2 if the user has a left
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import count

from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Pattern, Role, Variable, name
from s2sad.ir.program import Copied, For, Function, Let, RegionOp, Restore, Statement, Try
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.walk import (
    blocks,
    bound_in,
    expressions,
    nodes,
    read_in,
    rebuilt,
    statements,
    variables,
    with_blocks,
    with_expressions,
)


def with_variables(statement: Statement, renamed: Mapping[Variable, Variable]) -> Statement:
    """Return a statement, and what is in it, with other variables."""

    def expr(e: Expr) -> Expr:
        return renamed_in(e, renamed)

    inner = tuple(tuple(with_variables(s, renamed) for s in b) for b in blocks(statement))
    statement = with_expressions(with_blocks(statement, inner), expr)
    match statement:
        case Let() | For() | RegionOp():
            return replace(statement, target=pattern_renamed(statement.target, renamed))
        case Restore(target=Variable() as target):
            return replace(statement, target=renamed.get(target, target))
        case Copied():
            return replace(statement, writes=tuple(renamed.get(v, v) for v in statement.writes))
        case Try():
            handlers = tuple(
                replace(h, target=h.target and renamed.get(h.target, h.target))
                for h in statement.handlers
            )
            return replace(statement, handlers=handlers)
    return statement


def renamed_in(expr: Expr, renamed: Mapping[Variable, Variable]) -> Expr:
    """Return an expression with other variables."""

    def change(node: Expr) -> Expr | None:
        if node.op == "name" and node.data in renamed:
            return replace(node, data=renamed[node.data])
        if node.op == "generator":
            return replace(node, data=pattern_renamed(node.data, renamed))
        return None

    return rebuilt(expr, change)


def with_value(expr: Expr, variable: Variable, value: Expr) -> Expr:
    """Return an expression with a value, of the same type, where its name was."""

    def change(node: Expr) -> Expr | None:
        is_it = node.op == "name" and node.data == variable
        return value.typed(node.type) if is_it else None

    return rebuilt(expr, change)


def pattern_renamed(pattern: Pattern, renamed: Mapping[Variable, Variable]) -> Pattern:
    """Return a target with other variables."""
    match pattern:
        case Variable():
            return renamed.get(pattern, pattern)
        case tuple():
            return tuple(pattern_renamed(part, renamed) for part in pattern)
    return pattern


def _inner_names(expr: Expr) -> tuple[Variable, ...]:
    """Return the names of the module that an expression reads, and what comprehensions in it bind."""
    heads = (n.data.text.partition(".")[0] for n in nodes(expr) if n.op == "global")
    inner = (v for n in nodes(expr) if n.op == "generator" for v in variables(n.data))
    return (*map(Variable, dict.fromkeys(heads)), *inner)


def numbered(wish: str, first: int = 2) -> Iterator[str]:
    """Yield a name, and what it is called where it is taken: step, step_2, step_3."""
    yield wish
    yield from (f"{wish}_{number}" for number in count(first))


def free_name(wish: str, taken: Container[str]) -> str:
    """Return a name that is not taken, with a number where it has to have one."""
    return next(name for name in numbered(wish) if name not in taken)


COUNTERS = "kijlmnpqrs"


@dataclass(slots=True)
class Fresh:
    """The names that are in use, with the highest number of each."""

    numbers: dict[str, int] = field(default_factory=dict)

    @staticmethod
    def of(*functions: Function) -> Fresh:
        """Return the names that functions use."""
        fresh = Fresh()
        for function in functions:
            fresh.know(p.variable for p in function.parameters)
            fresh.know(bound_in(function.body))
            fresh.know_inner(function)
        return fresh

    def know_inner(self, function: Function) -> None:
        """Note the names of the module that a function reads, and what comprehensions bind."""
        for statement in statements(function.body):
            for expr in expressions(statement):
                self.know(expr.fact("inner names", _inner_names))

    def know(self, variables: Iterable[Variable]) -> None:
        """Note variables that are in use."""
        for variable in variables:
            highest = self.numbers.get(variable.name, -1)
            self.numbers[variable.name] = max(highest, variable.number)

    def variable(
        self, called: str, role: Role = Role.PRIMAL, of: Variable | None = None
    ) -> Variable:
        """Return a variable that nobody uses, called so if it can be."""
        number = self.numbers.get(called, -1) + 1
        number = 2 if number == 1 else number
        self.numbers[called] = number
        return Variable(called, number, role, of)

    def named(
        self,
        value: Expr,
        called: str,
        before: list[Statement],
        span: Span | None = None,
        role: Role = Role.PRIMAL,
    ) -> Expr:
        """Return a new name for a value, which a statement that is added binds it to."""
        made = self.variable(called, role)
        before.append(Let(made, value, span))
        return name(made, value.type, value.span)

    def counter(self) -> Variable:
        """Return a variable that counts passes: i, j, k, whichever the function does not use."""
        free = (letter for letter in COUNTERS if letter not in self.numbers)
        return self.variable(next(free, COUNTERS[0]))


def with_read_names(function: Function) -> Function:
    """Return a function whose variables that are called _, and are read all the same, have names."""
    read = {v for s in statements(function.body) for v in read_in(s)}
    own = {p.variable for p in function.parameters}
    called = sorted((v for v in read - own if v.name == "_"), key=str)
    if not called:
        return function
    fresh = Fresh.of(function)
    renamed = {v: fresh.variable("state", v.role) for v in called}
    return replace(function, body=tuple(with_variables(s, renamed) for s in function.body))
