"""Which variables may refer to one memory, asked at a statement: what a name has let go of counts no more.

um = u        before: u and un, of an earlier pass
u = un        before: um and u

What a name may be is asked of `Sources`: by what it may refer to anywhere in the function, or by the
names that its value is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce

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


class SharingNames:
    """The statements of a function, each with the names that may be one before it.

    What is `outside` others may look at from the start.
    """

    def __init__(self, body: Block, sources: Sources, outside: Iterable[Variable] = ()):
        self.sources = sources
        self.before: dict[int, Partners] = {}
        self.heads: dict[int, Partners] = {}  # at the start of the passes of a loop
        self.left: list[Partners] = []  # where each loop around is left, or begins its next pass
        self._block(body, _linked(NONE, [(ELSEWHERE, frozenset(outside))]))

    def sharers(self, variable: Variable, statement: Statement) -> Names:
        """Return the other variables that may refer to the same memory before a statement."""
        return self.before.get(id(statement), NONE).get(variable, NOBODY)

    def _block(self, block: Block, partners: Partners) -> Partners | None:
        """Return what holds at the end of a block; None if its end is not reached."""
        for statement in block:
            self.before[id(statement)] = _either(self.before.get(id(statement), NONE), partners)
            after = self._after(statement, partners)
            if after is None:
                return None
            partners = after
        return partners

    def _after(self, statement: Statement, partners: Partners) -> Partners | None:
        partners = self._held(statement, self._rebound(statement, partners))
        match statement:
            case Break() | Continue():
                self.left[-1] = _either(self.left[-1], partners)
                return None
            case Return() | Raise():
                return None
            case For() | While():
                return self._loop(statement, partners)
            case Try() | With():
                return self._tried(statement, partners)
        inner = blocks(statement)
        return _met([self._block(each, partners) for each in inner]) if inner else partners

    def _tried(self, statement: Try | With, partners: Partners) -> Partners | None:
        """Return what holds after a block that may be left at any place."""
        body, *handlers = blocks(statement)
        end = self._block(body, partners)
        within = (self.before.get(id(s), NONE) for s in statements(body))
        inside = reduce(_either, within, _either(end or NONE, partners))
        if isinstance(statement, With):
            return inside
        return _met([end, *(self._block(each, inside) for each in handlers)])

    def _loop(self, loop: For | While, partners: Partners) -> Partners:
        # what an earlier walk found comes first: loops in each other would multiply
        partners = _either(partners, self.heads.get(id(loop), NONE))
        while True:
            self.left.append(partners)
            end = self._block(loop.body, partners)
            end = _either(self.left.pop(), end or NONE)
            end = _either(end, self._rebound(loop, end))
            if end == partners:
                self.heads[id(loop)] = partners
                return partners
            partners = end

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


def _either(one: Partners, other: Partners) -> Partners:
    """Return what may be on one of two ways."""
    if one is other or not one:
        return other
    more = {v: one.get(v, NOBODY) | names for v, names in other.items()}
    return {**one, **more}


def _met(ends: Iterable[Partners | None]) -> Partners | None:
    reached = [each for each in ends if each is not None]
    return reduce(_either, reached) if reached else None


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
