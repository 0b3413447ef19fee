"""What two statements of ours compute at length is computed once, under a name.

a_bar = np.correlate(_whole(g, v), v)          shared = _whole(g, v)
b_bar += np.correlate(_whole(g, v), a)    ->   a_bar = np.correlate(shared, v)
                                               b_bar += np.correlate(shared, a)

The name is put before the first of them; numbering reads it in both. Between them nothing changes
what is computed from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from s2sad.ir.expression import Expr, Role
from s2sad.ir.program import Block, Function, Let, Statement, Store
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array
from s2sad.ir.walk import blocks, expressions, with_blocks
from s2sad.operators.effects import cost
from s2sad.optimize.memory import Memory, Token, changes_of, read_tokens
from s2sad.optimize.numbering import is_derived, is_worth

LAZY = frozenset({"comprehension", "conditional", "and", "or"})


def with_repeated_named(function: Function, memory: Memory) -> Function:
    """Return a function in which what is computed twice at length has a name."""
    fresh = Fresh.of(function)

    def block(body: Block) -> Block:
        later = _Later(memory)
        made: list[Statement] = []
        for each in reversed(body):
            statement = with_blocks(each, tuple(map(block, blocks(each)))) if blocks(each) else each
            later.enter(statement)
            twice = next((e for e in _named(statement) if e in later.computed), None)
            later.add(statement)
            made.append(statement)
            if twice is not None:
                made.append(Let(fresh.variable("shared", Role.TERM), twice, statement.span))
        return tuple(reversed(made))

    body = block(function.body)
    return function if body == function.body else replace(function, body=body)


@dataclass(slots=True)
class _Later:
    """The long calls that later statements of a block compute of what is there now."""

    memory: Memory
    computed: set[Expr] = field(default_factory=set)
    readers: dict[Token, set[Expr]] = field(default_factory=dict)

    def enter(self, statement: Statement) -> None:
        """Leave out what a statement changes operands of: before it, these are others."""
        for token in changes_of(statement, self.memory):
            self.computed -= self.readers.pop(token, frozenset())

    def add(self, statement: Statement) -> None:
        """Add what a statement computes."""
        every = expressions(statement) if _is_ours(statement) else ()
        for call in (call for expr in every for call in _long_calls(expr)):
            self.computed.add(call)
            for token in read_tokens(call, self.memory):
                self.readers.setdefault(token, set()).add(call)


def _is_ours(statement: Statement) -> TypeGuard[Let | Store]:
    return isinstance(statement, Let | Store) and is_derived(statement)


def _long_calls(whole: Expr, stops: frozenset[str] = frozenset()) -> Iterator[Expr]:
    """Yield the calls in an expression that go over arrays more than once, the largest first."""
    todo = [whole]
    while todo:
        node = todo.pop()
        if node.op in stops:
            continue
        is_array = isinstance(node.type, Array) and node.op == "call"
        if is_array and cost(node) == "costly" and is_worth(node):
            yield node
        todo += reversed(node.args)


def _named(statement: Statement) -> Iterator[Expr]:
    """Yield the long calls in the value of a statement of ours that are surely made, but itself."""
    if _is_ours(statement):
        every = _long_calls(statement.value, LAZY)
        yield from (call for call in every if call is not statement.value)
