"""What is an array, or a number that does not vary: sums from 0.0 on, of which the number has no adjoint.

total = 0.0                      total is 0.0 where there is no pass
for k in range(n):
    total = total + w[k] * u

An adjoint of the shape of u is right for it then: nobody asks for that of the number.
"""

from __future__ import annotations

from collections.abc import Callable

from s2sad.analysis.loops import item_type
from s2sad.analysis.memory import Memory, returned
from s2sad.ir.expression import Expr, Variable, calls, is_own_call
from s2sad.ir.program import Function, Let, Statement, Store
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Array, Number, Numeric, Regions, Sequence, Type
from s2sad.ir.walk import assigned, bound, read_variables, statements
from s2sad.reverse.world import Callees

Variables = frozenset[Variable]
NONE: Variables = frozenset()


@dataclass(slots=True)
class FromZero:
    """Tells of a value that it is an array, or a number that does not vary; `variables` are such."""

    active: Variables
    regions: Regions
    callees: Callees
    variables: Variables = NONE
    of_functions: dict[tuple[str, tuple[bool, ...]], bool] = field(default_factory=dict)

    def __call__(self, value: Expr) -> bool:
        if isinstance(value.type, Array):
            return True
        if isinstance(value.type, Number):
            return self.active.isdisjoint(read_variables(value))
        if not isinstance(value.type, Numeric):
            return False
        if value.op == "name":
            return value.data in self.variables
        if calls(value, sum):  # a number where the list is empty
            return isinstance(self._summed(value.args[1].type), Array)
        if is_own_call(value):
            varies = (not self.active.isdisjoint(read_variables(arg)) for arg in value.args[1:])
            return self.is_given_by(value.args[0].data, tuple(varies))
        is_plain = value.op == "unary" or (value.op == "binary" and value.data in "+-*/")
        return is_plain and all(map(self, value.args))

    def _summed(self, type_: Type) -> Type | None:
        return type_.item if isinstance(type_, Sequence) else item_type(type_, self.regions)

    def is_given_by(self, name: str, varies: tuple[bool, ...]) -> bool:
        """Tell whether a function gives such a value if these of its arguments vary."""
        key = name, varies
        if key not in self.of_functions and name in self.callees.functions:
            self.of_functions[key] = False  # of one that calls itself
            function = self.callees.functions[name]
            pairs = zip(function.parameters, varies, strict=True)
            given = frozenset(p.variable for p, is_active in pairs if is_active)
            assert self.callees.memory_of is not None
            memory = self.callees.memory_of(function)
            every = given.union(*map(bound, statements(function.body)))
            around = replace(self, active=every)
            inner, end = from_zero(function, memory, around), returned(function)
            self.of_functions[key] = end is not None and inner(end.value)
        return self.of_functions.get(key, False)


def from_zero(function: Function, memory: Memory, around: FromZero) -> FromZero:
    """Return what tells it of the values of a function; `around` knows what varies, and the program.

    None of them is computed of what has a shadow, whose shape is its own.
    """
    every = tuple(statements(function.body))
    parameters = frozenset(p.variable for p in function.parameters)
    hard = frozenset(v for v, sites in memory.points_to.items() if sites & memory.hard)
    variables = NONE.union(*map(bound, every)) - parameters - hard
    found = replace(around, variables=variables)
    while varying := found.variables & {
        v for s in every if not _keeps(s, found) for v in assigned(s)
    }:
        found.variables -= varying
    return found


def _keeps(statement: Statement, holds: Callable[[Expr], bool]) -> bool:
    """Tell whether what a statement assigns is such a value."""
    match statement:
        case Let(Variable(), value):
            return holds(value)
        case Store(Expr(op="name") as target, "+" | "-" | "*" | "/", value):
            return holds(target) and holds(value)
    return False
