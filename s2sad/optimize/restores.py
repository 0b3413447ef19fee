"""A value is taken back once the value that stands under its name has been read.

h_new = h                                   h_term_bar = h_bar * (1.0 - h**2)
h = h_saved.pop()                    ->     h = h_saved.pop()
h_term_bar = h_bar * (1.0 - h_new**2)       W_bar += np.outer(h_term_bar, h)
W_bar += np.outer(h_term_bar, h)
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from s2sad.ir.expression import Expr, Variable, name
from s2sad.ir.program import Block, Function, Let, Restore, Statement
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import with_value
from s2sad.ir.walk import (
    blocks,
    bound,
    expressions,
    name_nodes,
    read_in,
    rewritten,
    statements,
    variables,
    with_blocks,
    with_expressions,
)
from s2sad.optimize.memory import Memory, touched_by


def restored_late(function: Function, memory: Memory) -> Function:
    """Return a function that takes values back behind what reads those that they take the place of."""
    every = tuple(statements(function.body))
    reads = Counter(n.data for s in every for e in expressions(s) for n in name_nodes(e))
    often = Counter(v for s in every for v in bound(s))
    late = _Late(memory, reads, often)
    body = late.block(function.body)
    return function if body == function.body else replace(function, body=body)


@dataclass(frozen=True, slots=True)
class _Late:
    """How often the variables of a function are read and bound."""

    memory: Memory
    reads: Counter[Variable]
    often: Counter[Variable]

    def block(self, block: Block) -> Block:
        """Return a block in which values are taken back late."""
        body = [with_blocks(s, tuple(map(self.block, blocks(s)))) for s in block]
        for kept in [s for s in body if isinstance(s, Let) and self.is_second_name(s)]:
            self.take_late(body, kept)
        return tuple(body)

    def is_second_name(self, let: Let) -> bool:
        """Tell whether a statement gives the value of a name a second one: h_new = h."""
        return isinstance(let.target, Variable) and let.value.op == "name" and let.effect.is_pure

    def take_late(self, body: list[Statement], kept: Let) -> None:
        """Move what takes a value back behind the last statement that reads the second name."""
        new, old = kept.target, kept.value.data
        assert isinstance(new, Variable)
        start = body.index(kept)
        places = (k for k in range(start + 1, len(body)) if old in self.touched(body[k]))
        at = next(places, None)
        if at is None or self.often[new] != 1:
            return
        restore = body[at]
        if not isinstance(restore, Restore) or isinstance(restore.target, Expr):
            return
        taken = set(variables(restore.target))
        if old not in taken or any(
            new in read_in(s) for s in statements(tuple(body[start + 1 : at]))
        ):
            return
        last = max((k for k in range(at, len(body)) if new in _reads(body[k])), default=at)
        between = body[at + 1 : last + 1]
        if last == at or sum(_reads(s)[new] for s in between) != self.reads[new]:
            return
        # names and the stack alone: what the arrays hold is the same at both places
        if any(not {*taken, restore.stack}.isdisjoint(self.touched(s)) for s in between):
            return
        renamed = rewritten(tuple(between), partial(_renamed, new=new, old=old))
        body[start : last + 1] = [*body[start + 1 : at], *renamed, restore]

    def touched(self, statement: Statement) -> frozenset[object]:
        return touched_by(statement, self.memory) | frozenset(bound(statement))


def _renamed(statement: Statement, new: Variable, old: Variable) -> Statement:
    """Return a statement that reads one name instead of another."""
    return with_expressions(statement, lambda e: with_value(e, new, name(old)))


def _reads(statement: Statement) -> Counter[Variable]:
    every = (e for s in statements((statement,)) for e in expressions(s))
    return Counter(node.data for e in every for node in name_nodes(e))
