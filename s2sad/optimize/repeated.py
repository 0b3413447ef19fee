"""What two statements of ours compute at length is computed once, under a name.

a_bar = np.correlate(_whole(g, v), v)          shared = _whole(g, v)
b_bar += np.correlate(_whole(g, v), a)    ->   a_bar = np.correlate(shared, v)
                                               b_bar += np.correlate(shared, a)

The name is put before the first of them; numbering reads it in both. Between them nothing changes
what is computed from.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from s2sad.ir.expression import Expr, Role
from s2sad.ir.program import Block, Function, Let, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array
from s2sad.ir.walk import blocks, expressions, nodes, with_blocks
from s2sad.operators.effects import cost
from s2sad.optimize.memory import Memory, changes_of, read_tokens
from s2sad.optimize.numbering import is_derived, is_worth

LAZY = frozenset({"comprehension", "conditional", "and", "or"})


def with_repeated_named(function: Function, memory: Memory) -> Function:
    """Return a function in which what is computed twice at length has a name."""
    fresh = Fresh.of(function)

    def block(body: Block) -> Block:
        made = [with_blocks(s, tuple(map(block, blocks(s)))) if blocks(s) else s for s in body]
        for place in range(len(made) - 1, -1, -1):
            for each in _costly(made[place]):
                if _is_computed_again(each, made[place:], memory):
                    term = fresh.variable("shared", Role.TERM)
                    made.insert(place, Let(term, each, made[place].span))
                    break
        return tuple(made)

    body = block(function.body)
    return function if body == function.body else replace(function, body=body)


def _costly(statement: Statement) -> Iterator[Expr]:
    """Yield the calls of a derived statement that go over arrays more than once, the largest first."""
    if not isinstance(statement, Let | Store) or not is_derived(statement):
        return
    whole = statement.value
    todo = [whole]
    while todo:
        node = todo.pop()
        if node.op in LAZY:
            continue
        is_array = isinstance(node.type, Array) and node.op == "call"
        if node is not whole and is_array and cost(node) == "costly" and is_worth(node):
            yield node
        todo += reversed(node.args)


def _is_computed_again(expr: Expr, body: list[Statement], memory: Memory) -> bool:
    """Tell whether a statement of a block, from the second on, computes what the first does."""
    reads = read_tokens(expr, memory)
    for before, statement in pairwise(body):
        if not reads.isdisjoint(changes_of(before, memory)):
            return False
        is_ours = isinstance(statement, Let | Store) and is_derived(statement)
        if is_ours and any(n == expr for each in expressions(statement) for n in nodes(each)):
            return True
    return False
