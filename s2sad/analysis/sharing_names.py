"""Which variables may refer to one memory, asked at a statement: what a name has let go of counts no more.

um = u        before: u and un, of an earlier pass
u = un        before: um and u

Names are told apart by what they may refer to anywhere in the function: `tokens` of a variable, and
those that the value of an expression may share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from s2sad.ir.expression import Expr, Variable, root_of
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    Copied,
    For,
    If,
    Let,
    RegionOp,
    Restore,
    Save,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.types import Array, Numeric
from s2sad.ir.walk import blocks, bound, expressions, read_variables, statements

Tokens = frozenset[object]
Pairs = frozenset[tuple[Variable, Variable]]


class SharingNames:
    """The statements of a function, each with the pairs of names that may be one before it."""

    def __init__(
        self, body: Block, of_name: Callable[[Variable], Tokens], of_value: Callable[[Expr], Tokens]
    ):
        self.of_name = of_name
        self.of_value = of_value
        self.before: dict[int, Pairs] = {}
        self.left: list[Pairs] = []  # where each loop around is left, or goes on with its next pass
        self._block(body, frozenset())

    def sharers(self, variable: Variable, statement: Statement) -> frozenset[Variable]:
        """Return the other variables that may refer to the same memory before a statement."""
        return partners(variable, self.before[id(statement)])

    def _block(self, block: Block, pairs: Pairs) -> Pairs:
        for statement in block:
            self.before[id(statement)] = self.before.get(id(statement), frozenset()) | pairs
            pairs = self._after(statement, pairs)
        return pairs

    def _after(self, statement: Statement, pairs: Pairs) -> Pairs:
        pairs = self._held(statement, self._rebound(statement, pairs))
        inner = blocks(statement)
        match statement:
            case For() | While():
                return self._loop(statement, pairs)
            case Break() | Continue():
                self.left[-1] |= pairs
            case Try() | With():  # it may be left at any place
                pairs = pairs.union(*(self._block(each, pairs) for each in inner))
                return pairs.union(
                    *(self.before[id(s)] for each in inner for s in statements(each))
                )
            case If():
                return frozenset().union(*(self._block(each, pairs) for each in inner))
        return pairs

    def _loop(self, loop: For | While, pairs: Pairs) -> Pairs:
        while True:
            self.left.append(pairs)
            end = self._block(loop.body, pairs) | self.left.pop()
            end |= pairs | self._rebound(loop, end)
            if end == pairs:
                return pairs
            pairs = end

    def _rebound(self, statement: Statement, pairs: Pairs) -> Pairs:
        """Return the pairs after a statement has bound its names."""
        for target in bound(statement):
            mine = self.of_name(target)
            if isinstance(statement, Let):
                mine &= self.of_value(statement.value)
            found = set(self._with_partners(_read(statement), mine, pairs)) - {target}
            kept = {pair for pair in pairs if target not in pair}
            pairs = frozenset(kept | {(target, other) for other in found})
        return pairs

    def _held(self, statement: Statement, pairs: Pairs) -> Pairs:
        """Return the pairs after a statement has put what it reads into a list, or an object."""
        holders = list(_holders(statement))
        for holder in holders:
            mine = self.of_name(holder)
            found = set(self._with_partners(_read(statement), mine, pairs)) - {holder}
            pairs |= {(holder, other) for other in found}
        return pairs

    def _with_partners(
        self, names: Iterable[Variable], tokens: Tokens, pairs: Pairs
    ) -> Iterator[Variable]:
        for each in names:
            if self.of_name(each) & tokens:
                yield each
                yield from partners(each, pairs)


def _read(statement: Statement) -> Iterator[Variable]:
    for expr in expressions(statement):
        yield from read_variables(expr)
    if isinstance(statement, Restore):
        yield statement.stack


def _holders(statement: Statement) -> Iterator[Variable]:
    """Yield the names of what may hold more after a statement: numbers go into an array."""
    match statement:
        case Save(stack):
            yield stack
        case Store(target):
            base = target if target.op == "name" else target.args[0]
            root = root_of(target)
            if root is not None and not isinstance(base.type, Array | Numeric):
                yield root
        case RegionOp() | Copied():
            yield from _read(statement)
        case Let(effect=effect) if not effect.is_pure:
            yield from _read(statement)


def partners(variable: Variable, pairs: Pairs) -> frozenset[Variable]:
    """Return the other variables in the pairs of one."""
    return frozenset(a if b == variable else b for a, b in pairs if variable in (a, b))
