"""Which variables may refer to one memory, asked at a statement: what a name has let go of counts no more.

um = u        before: u and un, of an earlier pass
u = un        before: um and u

What a name may be is asked of `Sources`: by what it may refer to anywhere in the function, or by the
names that its value is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce

from s2sad.analysis.dataflow import Flow, Place, Reaching, S, joined
from s2sad.ir.expression import Expr, Variable, root_of
from s2sad.ir.program import (
    Block,
    Copied,
    Let,
    RegionOp,
    Restore,
    Save,
    Statement,
    Store,
    Try,
    With,
)
from s2sad.ir.types import Array, Numeric
from s2sad.ir.walk import bound, read_in, statements

Tokens = frozenset[object]
Names = frozenset[Variable]
Partners = Mapping[Variable, Names]  # of a name, those that may be one with it; each way
Links = Iterable[tuple[Variable, Names]]
NOBODY: Names = frozenset()
NONE: Partners = {}
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


class SharingNames(Flow):
    """The statements of a function, each with the names that may be one before it.

    What is `outside` others may look at from the start.
    """

    __slots__ = ("before", "exits", "heads", "sources")

    def __init__(self, body: Block, sources: Sources, outside: Iterable[Variable] = ()):
        self.sources = sources
        self.before: dict[int, Partners] = {}
        self.heads, self.exits = {}, []
        self.block(body, _linked(NONE, [(ELSEWHERE, frozenset(outside))]), ())

    def sharers(self, variable: Variable, statement: Statement) -> Names:
        """Return the other variables that may refer to the same memory before a statement."""
        return self.before.get(id(statement), NONE).get(variable, NOBODY)

    def read(self, statement: S, env: Reaching, place: Place) -> S:
        """Note what holds before a statement."""
        self.before[id(statement)] = joined(self.before.get(id(statement)), env) or NONE
        return statement

    def bind(self, statement: S, env: Reaching, place: Place) -> tuple[S, Reaching]:
        """Return what holds after a statement has bound its names, and put away what it reads."""
        return statement, self._held(statement, self._rebound(statement, env))

    def anywhere(self, statement: Try | With, place: Place) -> Reaching:
        """Return what holds at any place of a body that may be left there."""
        within = (self.before.get(id(s)) for s in statements(statement.body))
        return reduce(joined, within, None) or NONE

    def statement(
        self, statement: Statement, env: Reaching, place: Place
    ) -> tuple[Statement, Reaching | None]:
        made, after = super().statement(statement, env, place)
        if isinstance(statement, With):
            after = joined(after, self.anywhere(statement, place))
        return made, after

    def _rebound(self, statement: Statement, partners: Partners) -> Partners:
        """Return what holds after a statement has bound its names."""
        targets = frozenset(bound(statement))
        if not targets:
            return partners
        found = {t: _all(self.sources(t, statement, False), partners) for t in targets}
        sharing = frozenset(t for t in targets if found[t])
        links = [(t, (found[t] - targets) | sharing) for t in sharing]
        return _linked(_without(partners, targets), links)

    def _held(self, statement: Statement, partners: Partners) -> Partners:
        """Return what holds after a statement has put what it reads into a list, or an object."""
        named = _holders(statement)
        if not isinstance(statement, Store | Save):  # of what is read, that which may be memory
            named = (v for v in named if v in self.sources(v, statement, True))
        holders = _all(named, partners)
        holders |= {ELSEWHERE} if holders else NOBODY
        return _linked(
            partners, [(h, _all(self.sources(h, statement, True), partners)) for h in holders]
        )


def _all(names: Iterable[Variable], partners: Partners) -> Names:
    """Return names with all that may share memory with one of them."""
    named = frozenset(names)
    return named.union(*(partners.get(each, NOBODY) for each in named))


def _linked(partners: Partners, links: Links) -> Partners:
    made = dict(partners)
    for name, others in links:
        new = others - made.get(name, NOBODY) - {name}
        made[name] = made.get(name, NOBODY) | new
        for other in new:
            made[other] = made.get(other, NOBODY) | {name}
    return made


def _without(partners: Partners, gone: Names) -> Partners:
    lost = gone & partners.keys()
    others = {each: partners[each] - gone for each in _all(lost, partners) - gone}
    return {**partners, **others, **dict.fromkeys(lost, NOBODY)}


def _read(statement: Statement) -> Iterator[Variable]:
    yield from read_in(statement)
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
