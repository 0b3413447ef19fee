"""Uses what has been computed already: one value, one name, over both sweeps.

    st = np.sin(theta)                     st = np.sin(theta)
    ...                          ->        ...
    k_bar += np.sin(theta) * x_bar         k_bar += st * x_bar

The user's own statements stay as they are: they give names, and take none.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from s2sad.ir.expression import Expr, Role, Variable, name
from s2sad.ir.program import (
    Block,
    For,
    Function,
    If,
    Let,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    While,
)
from s2sad.ir.types import Array, Number
from s2sad.ir.walk import blocks, nodes, with_blocks, with_expressions
from s2sad.optimize.memory import (
    Content,
    Memory,
    Token,
    changes,
    read_tokens,
)
from s2sad.optimize.substitute import Build, is_atom, is_place

# memory that is made to be written: two of them are never one
MAKES = frozenset({"np.zeros_like", "np.zeros", "np.empty", "np.empty_like", "np.ones_like"})


def number_values(function: Function, memory: Memory, build: Build) -> Function:
    """Return a function in which derived code reads what stands in a variable already."""
    written = frozenset(t for t in changes(function.body, memory) if isinstance(t, Content))
    numbering = _Numbering(memory, build, written)
    body = numbering.block(function.body, {})
    return function if body == function.body else replace(function, body=body)


@dataclass(frozen=True, slots=True)
class Held:
    """A variable that holds a value, and what must not change for it to go on holding it."""

    variable: Variable
    needs: frozenset[Token]


Table = dict[Expr, Held]


@dataclass
class _Numbering:
    memory: Memory
    build: Build
    written: frozenset[Content]
    shown: set[Variable] = field(default_factory=set)

    def block(self, block: Block, table: Table) -> Block:
        """Return a block that reads from the table; the table is that after it at the end."""
        made = []
        for statement in block:
            new = self.statement(statement, table)
            made.append(new)
            self.forget(table, changes((new,), self.memory))
            self.learn(table, new)
        return tuple(made)

    def statement(self, statement: Statement, table: Table) -> Statement:
        match statement:
            case For() | While():
                inner = dict(table)
                self.forget(inner, changes((statement,), self.memory))
                head = self.over(statement, table if isinstance(statement, For) else inner)
                return with_blocks(head, (self.block(statement.body, inner),))
            case If():
                head = self.over(statement, table)
                sides = tuple(self.block(side, dict(table)) for side in blocks(statement))
                return with_blocks(head, sides)
        if blocks(statement):
            return statement
        return self.over(statement, table)

    def over(self, statement: Statement, table: Table) -> Statement:
        """Return a statement of ours whose expressions read what the table holds."""
        if not table or not is_derived(statement):
            return statement
        if isinstance(statement, Store):
            value = self.read(statement.value, table, whole=False)
            return statement if value is statement.value else replace(statement, value=value)
        whole = isinstance(statement, Let)
        return with_expressions(statement, lambda e: self.read(e, table, whole))

    def read(self, expr: Expr, table: Table, whole: bool) -> Expr:
        """Return an expression with its parts read from the table; `whole`: it gets a name."""
        held = None if is_atom(expr) or is_place(expr) else table.get(expr)
        if held is not None and not (whole and self.is_written(held, expr)):
            return name(held.variable, expr.type, expr.span)
        if expr.op == "comprehension" or not expr.args:
            return expr
        args = tuple(self.read(arg, table, False) for arg in expr.args)
        if all(new is old for new, old in zip(args, expr.args, strict=True)):
            return expr
        return self.build(expr.with_args(args))

    def is_written(self, held: Held, expr: Expr) -> bool:
        """Tell whether a second name of the value would be one of memory that is written."""
        content = self.memory.content(held.variable)
        return not isinstance(expr.type, Number) and (
            not isinstance(expr.type, Array) or content is None or bool(self.written)
        )

    def forget(self, table: Table, changed: frozenset[Token]) -> None:
        for expr in [e for e, held in table.items() if not held.needs.isdisjoint(changed)]:
            del table[expr]

    def learn(self, table: Table, statement: Statement) -> None:
        if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
            return
        expr, variable = statement.value, statement.target
        if statement.spelled != "=" or not statement.effect.is_pure or not is_worth(expr):
            return
        held = self.memory.content(variable)
        own = frozenset({variable}) | (frozenset({held}) if held is not None else frozenset())
        reads = read_tokens(expr, self.memory)
        if variable not in reads:
            table.setdefault(expr, Held(variable, reads | own))


def is_worth(expr: Expr) -> bool:
    """Tell whether a value is something to have again: it is computed, and new memory is no use."""
    if is_atom(expr) or is_place(expr) or expr.op in ("tuple", "list", "dict", "set", "record"):
        return False
    if expr.op == "comprehension":
        return False
    return not any(node.op == "global" and node.data.text in MAKES for node in nodes(expr))


def is_derived(statement: Statement) -> bool:
    """Tell whether a statement is ours: it computes what the user's text does not."""
    match statement:
        case Let(target):
            return isinstance(target, Variable) and target.role in DERIVED
        case Store(target):
            return _root_role(target) in DERIVED
        case Return() | Save() | Restore():
            return False
    return False


DERIVED = frozenset({Role.ADJOINT, Role.TERM, Role.TANGENT})


def _root_role(target: Expr) -> Role | None:
    while target.op in ("subscript", "attribute"):
        target = target.args[0]
    return target.data.role if target.op == "name" else None
