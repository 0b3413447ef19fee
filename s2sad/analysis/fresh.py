"""Variables that no statement has yet.

Fresh.of(function).variable("left")   ->   left, or left_2 if the user has a left
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.ir.expression import Role, Variable
from s2sad.ir.program import Function
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import with_variables
from s2sad.ir.walk import bound_in, expressions, nodes, read_variables, statements, variables

COUNTERS = "kijlmn"


@dataclass(slots=True)
class Fresh:
    """The names that are in use, with the highest number of each."""

    numbers: dict[str, int] = field(default_factory=dict)

    @staticmethod
    def of(function: Function) -> Fresh:
        """Return the names that a function uses."""
        fresh = Fresh()
        fresh.know(p.variable for p in function.parameters)
        fresh.know(bound_in(function.body))
        fresh.know_inner(function)
        return fresh

    def know_inner(self, function: Function) -> None:
        """Note the names of the module that a function reads, and what comprehensions bind."""
        for statement in statements(function.body):
            for node in (n for e in expressions(statement) for n in nodes(e)):
                if node.op == "global":
                    self.know((Variable(node.data.text.partition(".")[0]),))
                elif node.op == "generator":
                    self.know(variables(node.data))

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

    def counter(self) -> Variable:
        """Return a variable that counts passes: i, j, k, whichever the function does not use."""
        free = (letter for letter in COUNTERS if letter not in self.numbers)
        return self.variable(next(free, COUNTERS[0]))


def with_read_names(function: Function) -> Function:
    """Return a function whose variables that are called _, and are read all the same, have names."""
    read = {v for s in statements(function.body) for e in expressions(s) for v in read_variables(e)}
    own = {p.variable for p in function.parameters}
    called = sorted((v for v in read - own if v.name == "_"), key=str)
    if not called:
        return function
    fresh = Fresh.of(function)
    renamed = {v: fresh.variable("state", v.role) for v in called}
    return replace(function, body=tuple(with_variables(s, renamed) for s in function.body))
