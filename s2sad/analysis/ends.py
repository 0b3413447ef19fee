"""Which states of a flow are read, where the solver chose the times: those at its ends alone.

found = solve_ivp(f, (0.0, 1.0), y0)    found.y[:, -1]    has a derivative
                                        found.y[:, 3]     has none: the time of the step moves, too
"""

from __future__ import annotations

from s2sad.analysis.tuples import literal_position
from s2sad.ir.errors import NoRule, Refused, Span
from s2sad.ir.expression import Expr, Pattern, Variable, constant, index_parts, is_own_call
from s2sad.ir.program import Function, Let, Program, Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Number
from s2sad.ir.walk import expressions, nodes, read_in, rebuilt, rewritten, statements

# along which axis the times of a value lie: of how many axes, and which of them
STATES, TURNED, ROW = (2, 1), (2, 0), (1, 0)
ENDS = (0, -1)
GONE = constant(0.0, Number("float64"))


def refuse_between(program: Program) -> None:
    """Refuse to read states at times that a solver chose, where they are differentiated."""
    flows = {n for n, each in program.functions.items() if _is_of_own_times(each)}
    for function in program.functions.values() if flows else ():
        _Reads(flows).function(function)


def _is_of_own_times(function: Function) -> bool:
    custom = function.custom
    return custom is not None and custom.at_ends and bool(custom.reverse or custom.forward)


@dataclass(slots=True)
class _Reads:
    """The variables of a function that hold states, or a part of them."""

    flows: set[str]
    times: dict[Variable, tuple[int, int]] = field(default_factory=dict)

    def function(self, function: Function) -> None:
        for statement in statements(function.body):
            if not self.is_seen_otherwise(statement):
                self.read(statement)

    def seen(self, expr: Expr) -> tuple[int, int] | None:
        """Return how the times lie in states, their rows, and their transpose; None of others."""
        if is_own_call(expr) and expr.args[0].data in self.flows:
            return STATES
        if expr.op == "name":
            return self.times.get(expr.data)
        if expr.op == "attribute" and expr.data == "T":
            return TURNED if self.seen(expr.args[0]) == STATES else None
        if expr.op == "subscript" and self.seen(expr.args[0]) == STATES:
            key = expr.args[1]
            return ROW if key.op != "tuple" and isinstance(key.type, Number) else None
        return None

    def is_seen_otherwise(self, statement: Statement) -> bool:
        """Note another name, the transpose or a row of states; tell whether it is one."""
        if not isinstance(statement, Let):
            return False
        seen = self.seen(statement.value)
        if isinstance(statement.target, tuple):
            seen = ROW if seen == STATES else None
            targets = statement.target if seen else ()
        else:
            targets = (statement.target,)
        if seen is not None:
            self.times.update({t: seen for t in targets if isinstance(t, Variable)})
        return seen is not None

    def read(self, statement: Statement) -> None:
        for expr in expressions(statement):
            rest = rebuilt(expr, self.without_ends)
            if any(self.seen(node) is not None for node in nodes(rest)):
                raise Refused(_between(expr.span or statement.span))

    def without_ends(self, expr: Expr) -> Expr | None:
        """Return 0 for states at an end."""
        if expr.op != "subscript":
            return None
        seen = self.seen(expr.args[0])
        if seen is None:
            return None
        rank, axis = seen
        keys = index_parts(expr.args[1])
        at_end = len(keys) in (axis + 1, rank) and literal_position(keys[axis]) in ENDS
        return GONE if at_end else None


def _between(span: Span | None) -> NoRule:
    return NoRule(
        "the solver chose these times, which move too",
        span,
        "Read the first or the last state, as in sol.y[:, -1], or give t_eval.",
    )


def without_unread(program: Program) -> Program:
    """Return a program without what a solver finds and nobody reads: it may have no derivative."""
    found = {n for n, f in program.functions.items() if f.custom and f.custom.asked is not None}
    if not found:
        return program
    return program.mapped(lambda each: _without_unread(each, found))


def _without_unread(function: Function, found: set[str]) -> Function:
    read = {v for s in statements(function.body) for v in read_in(s)}

    def is_unread(statement: Statement) -> bool:
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return False
        value = statement.value
        is_call = is_own_call(value) and value.args[0].data in found
        return is_call and statement.target not in read

    def plain(statement: Statement) -> Statement:
        """Return a binding of several whose unread ones are what was found, without derivative."""
        if not isinstance(statement, Let) or not isinstance(statement.target, tuple):
            return statement
        value = statement.value
        if value.op != "tuple" or len(value.args) != len(statement.target):
            return statement
        pairs = zip(statement.target, value.args, strict=True)
        return replace(statement, value=value.with_args(part(t, e) for t, e in pairs))

    def part(target: Pattern, value: Expr) -> Expr:
        is_call = is_own_call(value) and value.args[0].data in found
        is_read = not isinstance(target, Variable) or target in read
        return value if is_read or not is_call else value.args[1]

    body = rewritten(function.body, lambda s: None if is_unread(s) else plain(s))
    return replace(function, body=body)
