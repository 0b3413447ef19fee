"""Uses what has been computed already: one value, one name, over both sweeps.

    st = np.sin(theta)                     st = np.sin(theta)
    ...                          ->        ...
    k_bar += np.sin(theta) * x_bar         k_bar += st * x_bar

The user's own statements stay as they are: they give names, and take none.
"""

from __future__ import annotations

from operator import is_

from s2sad.analysis.containers import is_made
from s2sad.ir.expression import Expr, Role, Variable, name, root_of
from s2sad.ir.program import Block, For, Function, If, Let, Statement, Store, While
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import blocks, nodes, with_blocks, with_expressions, written_to
from s2sad.optimize.memory import Content, Memory, Token, changes, changes_of, read_tokens
from s2sad.optimize.substitute import Build, is_atom, is_place, respelled

# memory that is made to be written: two of them are never one
MAKES = frozenset({"np.zeros_like", "np.zeros", "np.empty", "np.empty_like", "np.ones_like"})


def number_values(function: Function, memory: Memory, build: Build) -> Function:
    """Return a function in which derived code reads what stands in a variable already."""
    written = frozenset(t for t in changes(function.body, memory) if isinstance(t, Content))
    body = _Numbering(memory, build, written).block(function.body)
    return function if body is function.body else replace(function, body=body)


@dataclass(frozen=True, slots=True)
class Held:
    """A variable that holds a value, and what must not change for it to go on holding it."""

    variable: Variable
    needs: frozenset[Token]
    literal: Expr | None = None


class Table:
    """What is held where the walk is: it forgets by what changes, and goes back to a mark."""

    def __init__(self) -> None:
        self.held: dict[Expr, Held] = {}
        self.needed_by: dict[Token, set[Expr]] = {}
        self.log: list[tuple[Expr, Held | None]] = []

    def get(self, expr: Expr) -> Held | None:
        """Return what holds a value."""
        return self.held.get(expr)

    def learn(self, expr: Expr, held: Held) -> None:
        """Let a variable hold a value, if none holds it yet."""
        if expr in self.held:
            return
        self.log.append((expr, None))
        self._put(expr, held)

    def _put(self, expr: Expr, held: Held) -> None:
        self.held[expr] = held
        for token in held.needs:
            self.needed_by.setdefault(token, set()).add(expr)

    def _drop(self, expr: Expr) -> None:
        held = self.held.pop(expr)
        for token in held.needs:
            self.needed_by[token].discard(expr)

    def forget(self, changed: frozenset[Token]) -> None:
        """Forget the values that do not outlast a change."""
        for token in changed:
            for expr in tuple(self.needed_by.get(token, ())):
                self.log.append((expr, self.held[expr]))
                self._drop(expr)

    def back_to(self, mark: int) -> None:
        """Hold again what was held when the log was as long as this."""
        while len(self.log) > mark:
            expr, held = self.log.pop()
            if held is None:
                self._drop(expr)
            else:
                self._put(expr, held)


@dataclass
class _Numbering:
    memory: Memory
    build: Build
    written: frozenset[Content]
    table: Table = field(default_factory=Table)

    def block(self, block: Block) -> Block:
        """Return a block that reads from the table; the table is that after it at the end."""
        made = []
        for statement in block:
            new = self.statement(statement)
            made.append(new)
            self.table.forget(changes_of(new, self.memory))
            self.learn(new)
        return block if all(map(is_, made, block)) else tuple(made)

    def inside(self, block: Block) -> Block:
        """Return a block after which the table is as it was before."""
        mark = len(self.table.log)
        made = self.block(block)
        self.table.back_to(mark)
        return made

    def statement(self, statement: Statement) -> Statement:
        match statement:
            case For() | While():
                mark = len(self.table.log)
                self.table.forget(changes_of(statement, self.memory))
                body = self.inside(statement.body)
                self.table.back_to(mark)
                return with_blocks(statement, (body,))
            case If():
                return with_blocks(statement, tuple(map(self.inside, blocks(statement))))
        if blocks(statement):
            return statement
        return self.over(statement)

    def over(self, statement: Statement) -> Statement:
        """Return a statement of ours whose expressions read what the table holds."""
        if not self.table.held or not is_derived(statement):
            return statement
        if isinstance(statement, Store):
            value = self.read(statement.value)
            return statement if value is statement.value else replace(statement, value=value)
        target = statement.target if isinstance(statement, Let) else None
        called = target if isinstance(target, Variable) else None
        new = with_expressions(statement, lambda e: self.read(e, called))
        if not isinstance(statement, Let) or not isinstance(new, Let):
            return new
        return respelled(new, statement)

    def read(self, expr: Expr, called: Variable | None = None) -> Expr:
        """Return an expression with its parts read from the table; it may be `called` by a name."""
        if not expr.args:
            known = self.table.get(expr) if expr.op == "name" else None
            return expr if known is None or known.literal is None else known.literal
        held = None if is_place(expr) or is_atom(expr) else self.table.get(expr)
        if held is not None:
            new = name(held.variable, expr.type, expr.span)
            if called is None or self.may_be_one(new, called):
                return new
        if expr.op == "comprehension":
            return expr
        args = tuple(self.read(arg) for arg in expr.args)
        if all(map(is_, args, expr.args)):
            return expr
        new = self.build(expr.with_args(args), expr)
        if called is None or self.memory.sites(new) <= self.memory.sites(expr):
            return new
        return new if self.may_be_one(new, called) else expr

    def may_be_one(self, value: Expr, called: Variable) -> bool:
        """Tell whether a name may be one more of what holds a value: nobody writes to either."""
        if isinstance(value.type, Number):
            return True
        contents = {self.memory.content(called), *self.memory.contents(value)}
        return isinstance(value.type, Array) and self.written.isdisjoint(contents)

    def learn(self, statement: Statement) -> None:
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return
        expr, variable = statement.value, statement.target
        if expr.op == "constant" and expr.span is None and type(expr.data) is float:
            if expr.data and variable.role in DERIVED:  # the text says 1.0 where it would say x_bar
                self.table.learn(name(variable), Held(variable, frozenset({variable}), expr))
            return
        if statement.spelled != "=" or not statement.effect.is_pure or not is_worth(expr):
            return
        held = self.memory.content(variable)
        own = frozenset({variable}) | (frozenset({held}) if held is not None else frozenset())
        reads = read_tokens(expr, self.memory)
        if variable not in reads:
            self.table.learn(expr, Held(variable, reads | own))


def is_worth(expr: Expr) -> bool:
    """Tell whether a value is something to have again: it is computed, and new memory is no use."""
    if is_atom(expr) or is_place(expr) or is_made(expr) or expr.op in ("set", "comprehension"):
        return False
    return not any(node.op == "global" and node.data.text in MAKES for node in nodes(expr))


def is_derived(statement: Statement) -> bool:
    """Tell whether a statement is ours: it computes what the user's text does not."""
    target = written_to(statement) if isinstance(statement, Let | Store) else None
    return target is not None and target.role in DERIVED


def is_of_derivative(target: Expr) -> bool:
    """Tell whether a place belongs to an adjoint or a tangent, not to what the user computes."""
    return getattr(root_of(target), "role", None) in DERIVED


DERIVED = frozenset({Role.ADJOINT, Role.TERM, Role.TANGENT})
