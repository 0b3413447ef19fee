"""Which variables may refer to one memory, asked at a statement: what a name has let go of counts no more.

um = u        before: u and un, of an earlier pass
u = un        before: um and u

What a name may be is asked of `Sources`: by what it may refer to anywhere in the function, or by the
names that its value is made of.
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
    Let,
    Raise,
    RegionOp,
    Restore,
    Return,
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
Partners = dict[Variable, set[Variable]]
NONE: Pairs = frozenset()
ELSEWHERE = Variable("elsewhere")  # a container, the caller or a module: it may look at any time


# the names that a statement reads whose memory a variable may be after it, or may hold (True)
Sources = Callable[[Variable, Statement, bool], Iterable[Variable]]


def by_tokens(of_name: Callable[[Variable], Tokens], of_value: Callable[[Expr], Tokens]) -> Sources:
    """Return the names that are told apart by what they may refer to anywhere in the function."""

    def sources(target: Variable, statement: Statement, holds: bool) -> Iterator[Variable]:
        tokens = of_name(target)
        if isinstance(statement, Let) and not holds:
            tokens &= of_value(statement.value)
        return (v for v in _read(statement) if of_name(v) & tokens)

    return sources


class SharingNames:
    """The statements of a function, each with the pairs of names that may be one before it.

    What is `outside` others may look at from the start.
    """

    def __init__(self, body: Block, sources: Sources, outside: Iterable[Variable] = ()):
        self.sources = sources
        self.before: dict[int, Pairs] = {}
        self.known: dict[int, tuple[Pairs, Partners]] = {}  # of pairs that were asked for
        self.left: list[Pairs] = []  # where each loop around is left, or goes on with its next pass
        self._block(body, frozenset((v, ELSEWHERE) for v in outside))

    def sharers(self, variable: Variable, statement: Statement) -> frozenset[Variable]:
        """Return the other variables that may refer to the same memory before a statement."""
        before = self.before.get(id(statement), NONE)
        return frozenset(self._with_partners((variable,), before) - {variable})

    def _block(self, block: Block, pairs: Pairs) -> Pairs | None:
        """Return what holds at the end of a block; None if its end is not reached."""
        for statement in block:
            self.before[id(statement)] = self.before.get(id(statement), NONE) | pairs
            after = self._after(statement, pairs)
            if after is None:
                return None
            pairs = after
        return pairs

    def _after(self, statement: Statement, pairs: Pairs) -> Pairs | None:
        pairs = self._held(statement, self._rebound(statement, pairs))
        match statement:
            case Break() | Continue():
                self.left[-1] |= pairs
                return None
            case Return() | Raise():
                return None
            case For() | While():
                return self._loop(statement, pairs)
            case Try() | With():
                return self._tried(statement, pairs)
        inner = blocks(statement)
        return _met(self._block(each, pairs) for each in inner) if inner else pairs

    def _tried(self, statement: Try | With, pairs: Pairs) -> Pairs | None:
        """Return what holds after a block that may be left at any place."""
        body, *handlers = blocks(statement)
        end = self._block(body, pairs)
        inside = (end or NONE).union(
            pairs, *(self.before.get(id(s), NONE) for s in statements(body))
        )
        if isinstance(statement, With):
            return inside
        return _met((end, *(self._block(each, inside) for each in handlers)))

    def _loop(self, loop: For | While, pairs: Pairs) -> Pairs:
        while True:
            self.left.append(pairs)
            end = (self._block(loop.body, pairs) or NONE) | self.left.pop()
            end |= pairs | self._rebound(loop, end)
            if end == pairs:
                return pairs
            pairs = end

    def _rebound(self, statement: Statement, pairs: Pairs) -> Pairs:
        """Return the pairs after a statement has bound its names."""
        targets = bound(statement)
        if not targets:
            return pairs
        found = {t: self._with_partners(self.sources(t, statement, False), pairs) for t in targets}
        sharing = [t for t in targets if found[t]]
        made = {(t, other) for t in targets for other in found[t] if other not in targets}
        made |= {(a, b) for a in sharing for b in sharing if a != b}
        kept = frozenset((a, b) for a, b in pairs if a not in targets and b not in targets)
        return pairs if len(kept) == len(pairs) and not made else kept | made

    def _held(self, statement: Statement, pairs: Pairs) -> Pairs:
        """Return the pairs after a statement has put what it reads into a list, or an object."""
        made: set[tuple[Variable, Variable]] = set()
        named = _holders(statement)
        if not isinstance(statement, Store | Save):  # of what is read, that which may be memory
            named = (v for v in named if v in self.sources(v, statement, True))
        holders = self._with_partners(named, pairs)
        for holder in holders | {ELSEWHERE} if holders else ():
            found = self._with_partners(self.sources(holder, statement, True), pairs)
            made |= {(holder, other) for other in found if other != holder}
        return pairs if made <= pairs else pairs | made

    def _with_partners(self, names: Iterable[Variable], pairs: Pairs) -> set[Variable]:
        """Return names with all that may share memory with one of them."""
        if id(pairs) not in self.known:
            partners: Partners = {}
            for a, b in pairs:
                partners.setdefault(a, set()).add(b)
                partners.setdefault(b, set()).add(a)
            self.known[id(pairs)] = pairs, partners
        named, (_, partners) = set(names), self.known[id(pairs)]
        return named.union(*(partners.get(each, ()) for each in named))


def _met(ends: Iterable[Pairs | None]) -> Pairs | None:
    reached = [each for each in ends if each is not None]
    return NONE.union(*reached) if reached else None


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
