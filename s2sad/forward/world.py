"""What the tangent of a function is written with.

World   what is known of the function: its memory, what is active, which tangents are zero here
Code    the lines of one statement so far
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from s2sad.analysis.activity import flows, may_vary
from s2sad.analysis.guards import holds_guard
from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import NOTHING, Shares, Sites
from s2sad.analysis.strictness import Strictness
from s2sad.analysis.terms import is_cheap, is_held_twice, term_name
from s2sad.ir.errors import NotYet, Span
from s2sad.ir.expression import Expr, Role, Variable, name
from s2sad.ir.program import Let, Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Number, Numeric, Regions, Tuple, Type
from s2sad.operators.algebra import Algebra
from s2sad.operators.find import Known, unsupported
from s2sad.operators.slopes import may_be_infinite

if TYPE_CHECKING:
    from s2sad.forward.tangent import Maker

NOWHERE = Expr("tuple", (), None, Tuple(()))  # the subscript that asks for no part: u[()]
LONG = 30  # columns of the tangent of an operand that gets a name
Infer = Callable[[Expr], Expr]


@dataclass(frozen=True, slots=True)
class Tools:
    """What the rooms before give: types, sharing of memory, and what rules are found by."""

    infer: Infer
    shares: Shares
    known: Known = field(default_factory=Known)


@dataclass(frozen=True, slots=True)
class Callee:
    """The tangent of an own function: `dots` are the parameters whose tangents it takes.

    `both` tells that it returns the value with its tangent, else it returns the value alone.
    """

    name: str
    dots: tuple[Variable, ...]
    both: bool


@dataclass(frozen=True, slots=True)
class Dot:
    """A tangent; `full` tells that it has the shape of its value."""

    expr: Expr
    full: bool = True


@dataclass(slots=True)
class World:
    """What is known of the function whose tangent is written.

    `points_to` is that of its memory, to which the names that are made here are added. `given` are its parameters, `iterators` what gives its items once, `zero` the variables whose
    tangents are zero here, for certain, `real` those of complex values whose tangents are real; `local` those that a comprehension binds, `still` those of
    them that do not vary. `guarded` are those whose tangents a guard may make zero, `in_try` tells that what raises
    is caught here, `gone_through` what loops around go through, `returns` that the function gives a tangent, `gives_value` that it gives its value, too,
    `keeps_apart` that a caller may write to what it returns, `changes_numbers` that the program changes in place what may be a
    number, `x += y`; the tangents of `in_rows` have to lie row by row; `shifts` are the identities of
    expressions whose tangents cancel; what is `strict` is said for the function that is called first.
    """

    tools: Tools
    callees: Maker
    memory: Memory
    points_to: dict[Variable, Sites]
    active: frozenset[Variable]
    regions: Regions
    fresh: Fresh
    pushes: Callable[[Expr, Code], Dot | None]
    given: frozenset[Variable] = frozenset()
    iterators: frozenset[Variable] = frozenset()
    dots: dict[Variable, Variable] = field(default_factory=dict)
    zero: set[Variable] = field(default_factory=set)
    real: set[Variable] = field(default_factory=set)
    local: set[Variable] = field(default_factory=set)
    still: set[Variable] = field(default_factory=set)
    guarded: frozenset[Variable] = frozenset()
    in_try: bool = False
    gone_through: frozenset[Variable] = frozenset()
    returns: bool = True
    gives_value: bool = True
    keeps_apart: bool = False
    changes_numbers: bool = False
    in_rows: frozenset[Variable] = frozenset()
    shifts: frozenset[int] = frozenset()
    strict: Callable[[], Strictness] = Strictness

    @property
    def algebra(self) -> Algebra:
        """Return the constructors of derivative expressions."""
        return Algebra(self.tools.infer)

    def chosen(self, test: Expr, value: Expr, otherwise: Expr) -> Expr:
        """Return one of two tangents by a test; that of a number is a number.

        np.where gives an array without axes, which x_dot += y_dot would change for all its names.
        """
        made = self.algebra.numpy("where", test, value, otherwise)
        is_open = self.changes_numbers and isinstance(made.type, Numeric)
        return self.algebra.part(made, NOWHERE) if is_open else made

    def dot(self, variable: Variable) -> Variable:
        """Return the tangent of a variable."""
        if variable not in self.dots:
            named, role = f"{variable.name}_dot", Role.TANGENT
            if variable.role is Role.SAVED:
                named, role = f"{variable.name.removesuffix('_saved')}_dot_saved", Role.SAVED
            dot = self.dots[variable] = self.fresh.variable(named, role, variable)
            self.points_to[dot] = self.points_to.get(variable, NOTHING)
        return self.dots[variable]

    def refer(self, variable: Variable, expr: Expr) -> None:
        """Let a variable that is made while the tangent is written refer to a value."""
        self.points_to[variable] = self.memory.sites(expr)

    def has_tangent(self, variable: Variable) -> bool:
        """Tell whether a variable has a tangent at all."""
        return variable in self.local or (variable in self.active and variable not in self.still)

    def is_moving(self, expr: Expr) -> bool:
        """Tell whether a value may have a tangent other than zero here."""
        return any(self.has_tangent(v) and v not in self.zero for v in flows(expr, self.regions))

    def is_guarded(self, expr: Expr) -> bool:
        """Tell whether the tangent of a value may be zero where a guard made it so."""
        return holds_guard(expr) or any(
            v in self.guarded or v in self.local for v in flows(expr, self.regions)
        )

    def may_vary(self, type_: Type) -> bool:
        """Tell whether a value of a type can have a tangent."""
        return may_vary(type_, self.regions)

    def is_written(self, variable: Variable) -> bool:
        """Tell whether a variable names memory that is written, or that holds more."""
        return bool(self.memory.reach(variable) & self.memory.written)

    def is_memory(self, expr: Expr) -> bool:
        """Tell whether a value may be memory that is written."""
        return bool(self.memory.sites(expr) & self.memory.written)


@dataclass(slots=True)
class Code:
    """The tangent of one statement, which is for `target`, while it is written.

    `before` comes before it. Where an expression is `lazy` nothing can be computed before it. `result`
    is the value that must not be computed twice, and the name that it is had under; `reads_result`
    that it is read. `ends`: nothing is written after it.
    """

    world: World
    span: Span | None = None
    target: str = "result"
    statement: Statement | None = None
    lazy: int = 0
    before: list[Statement] = field(default_factory=list)
    values: dict[Expr, Expr] = field(default_factory=dict)
    result: Expr | None = None
    result_name: Variable | None = None
    reads_result: bool = False
    ends: bool = False

    def push(self, expr: Expr) -> Dot | None:
        """Return the tangent of an expression, None where it is zero."""
        return self.world.pushes(expr, self)

    def kept(self) -> Variable:
        """Return a variable for the value of the statement."""
        return self.world.fresh.variable(f"{self.target}_term", Role.TERM)

    def named(self, dot: Dot | None) -> Dot | None:
        """Return the tangent of an operand under a name of its own where it is long."""
        if dot is None or self.lazy or self.world.in_try or len(expression(dot.expr)) < LONG:
            return dot
        made = self.world.fresh.variable(f"{self.target}_term_dot", Role.TANGENT)
        self.before.append(Let(made, dot.expr, self.span))
        self.world.refer(made, dot.expr)
        return replace(dot, expr=name(made, dot.expr.type))

    def value(self, expr: Expr) -> Expr:
        """Return a value of the primal as a tangent reads it."""
        if self.result is not None and expr == self.result and self.result_name is not None:
            self.reads_result = True
            return name(self.result_name, expr.type)
        if self.lazy or self.world.in_try or _is_cheap(expr):
            return self.with_values(expr)
        if self.statement is not None and is_held_twice(expr, self.statement):
            return self.with_values(expr)
        if expr not in self.values:
            kept = self.world.fresh.variable(term_name(expr, self.target), Role.TERM)
            self.before.append(Let(kept, self.with_values(expr), self.span))
            self.world.refer(kept, expr)
            self.values[expr] = name(kept, expr.type)
        return self.values[expr]

    def with_values(self, expr: Expr) -> Expr:
        """Return an expression with the calls that were made before it by their names."""
        if not self.values:
            return expr
        if expr in self.values:
            return self.values[expr]
        if expr.op == "comprehension":
            return self._with_values_in_domain(expr)
        return expr.with_args(self.with_values(arg) for arg in expr.args)

    def _with_values_in_domain(self, expr: Expr) -> Expr:
        """Return a comprehension with its first domain changed: all else has names of its own."""
        element, first, *rest = expr.args
        domain = self.with_values(first.args[0])
        return expr.with_args((element, first.with_args((domain, *first.args[1:])), *rest))

    def is_finite(self, term: Expr) -> bool:
        """Tell whether a term is finite wherever the result is."""
        terms = {held.data: value for value, held in self.values.items()}
        if self.result is not None and self.result_name is not None:
            terms[self.result_name] = self.result
        return not may_be_infinite(
            self.world.strict().simplified(term, self.statement, True, terms)
        )

    def refuse(self, reason: str, expr: Expr | None = None) -> NotYet:
        """Return the exception that says what is not done yet."""
        return unsupported(reason, expr, self.span)


def _is_cheap(expr: Expr) -> bool:
    """Tell whether a value is written again rather than named; what is computed with is numbers."""
    return is_cheap(expr) or not isinstance(expr.type, Array | Number | Numeric)
