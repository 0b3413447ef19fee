"""What is known while a function is lowered: which value each name holds, and what came out.

One Scope per function body; functions lowered into their caller share its Numbers, so that no
two of their names meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from s2sad.blocks import all_defines
from s2sad.errors import Span, Unsupported
from s2sad.parse import Source, span
from s2sad.program import Assign, Block, Call, Expr, Program, Stmt, Var, base, statements


@dataclass
class Numbers:
    """Counts versions of slots, temporaries of names, and functions lowered in place."""

    versions: Counter[str] = field(default_factory=Counter)
    temps: Counter[str] = field(default_factory=Counter)
    inlined: int = 0
    keys: int = 0

    def next(self, slot: str) -> Var:
        """Return a new value of `slot`."""
        self.versions[slot] += 1
        return Var(slot, self.versions[slot])

    def key(self) -> int:
        """Return a new key for a branch or loop."""
        self.keys += 1
        return self.keys

    def temp(self, name: str) -> Var:
        """Return a new temporary called after `name`."""
        self.temps[name] += 1
        return self.next(f"{name}%{self.temps[name]}")


def numbers_after(program: Program) -> Numbers:
    """Return numbers that give no value, temporary or key of `program` a second time."""
    numbers = Numbers()
    variables = [param.var for param in program.params]
    for stmt in program.body:
        variables += all_defines(stmt)
    for stmt in statements(program.body):
        numbers.keys = max(numbers.keys, getattr(stmt, "key", 0))
    for var in variables:
        numbers.versions[var.slot] = max(numbers.versions[var.slot], var.version)
        name, _, count = var.slot.partition("%")
        if count.isdigit():
            numbers.temps[name] = max(numbers.temps[name], int(count))
    return numbers


OnCall = Callable[[Call, Any, "Scope", bool], Expr]


@dataclass
class Scope:
    """The state of lowering one function."""

    source: Source
    locals: frozenset[str]
    numbers: Numbers
    suffix: str = ""
    env: dict[str, Var] = field(default_factory=dict)
    slots: dict[str, str] = field(default_factory=dict)
    imports: dict[str, Any] = field(default_factory=dict)
    out: list[Stmt] = field(default_factory=list)
    called_after: str = "result"
    active_calls: tuple[Any, ...] = ()
    on_call: OnCall = lambda call, node, scope, nested: call

    def slot(self, name: str) -> str:
        """Return the slot that holds what the function calls `name`."""
        return self.slots.get(name, name + self.suffix)

    def define(self, name: str) -> Var:
        """Return a new value of the local `name`, which holds it from here on."""
        self.env[name] = self.numbers.next(self.slot(name))
        return self.env[name]

    def read(self, name: str, node: Any) -> Var:
        """Return the value that the local `name` holds."""
        if name not in self.env:
            raise Unsupported(f"{name} is read before it has a value", self.span(node))
        return self.env[name]

    def emit(self, stmt: Stmt) -> None:
        """Add a statement."""
        self.out.append(stmt)

    def span(self, node: Any) -> Span:
        """Return the place of a syntax node."""
        return span(self.source, node)

    def temp(self, value: Expr, node: Any) -> Var:
        """Compute `value` into a new temporary and return that."""
        var = self.numbers.temp(self.called_after)
        self.emit(Assign((var,), value, self.span(node)))
        return var

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Collect the statements of an inner block apart."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer


def named(var: Var) -> str:
    """Return the user's name behind a value."""
    return base(var.slot)


def block_of(statements: list[Stmt]) -> Block:
    """Freeze collected statements."""
    return tuple(statements)
