"""What the rules on contributions ask: where a place is touched next, and what may change places.

u_bar[0] = 0.0; c_bar += t; u_bar[0] += e      next_touching: the third statement
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Mapping

from s2sad.analysis.exits import leaves_pass
from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Variable, root_of
from s2sad.ir.program import Block, Statement, Store
from s2sad.ir.records import dataclass
from s2sad.optimize.memory import (
    Content,
    Memory,
    Token,
    Tokens,
    changes_of,
    read_tokens,
    touched_by,
)
from s2sad.optimize.substitute import Build
from s2sad.reverse.statements import are_apart


@dataclass(frozen=True, slots=True)
class Context:
    """What the rules ask: memory, how to build a node, and which contents are written at all.

    `counts` are the statements that mention a variable.
    """

    memory: Memory
    build: Build
    written: frozenset[Content]
    counts: Mapping[Variable, int]


def line_of(statement: Statement) -> tuple[str, int] | None:
    """Return the line of the user's that a statement belongs to."""
    span = getattr(statement, "span", None)
    return None if span is None else (span.path, span.line)


def span_of(statement: Statement) -> Span | None:
    """Return the place in the user's text that a statement belongs to."""
    return getattr(statement, "span", None)


def content_of(target: Expr, memory: Memory) -> Tokens:
    """Return the contents of what is stored to."""
    return frozenset(memory.contents(target if target.op == "name" else target.args[0]))


def next_touching(slots: Slots, place: int, target: Expr) -> int | None:
    """Return where what is stored to is next read or changed, its subscripts unchanged."""
    root = root_of(target)
    own = frozenset({root} if root is not None else ()) | content_of(target, slots.memory)
    at = slots.next_touching(place, own)
    if at is None:
        return None
    watched = read_tokens(target, slots.memory) - own
    first = slots.after(place)
    changed = first is not None and slots.changes_between(first, at, watched)
    return None if changed else at


def are_independent(first: Statement, second: Statement, memory: Memory) -> bool:
    """Tell whether two statements may change places."""
    alone = changes_of(first, memory).isdisjoint(touched_by(second, memory))
    return alone and changes_of(second, memory).isdisjoint(touched_by(first, memory))


def goes_elsewhere(zeroed: Store, following: Statement, memory: Memory) -> bool:
    """Tell whether a store goes to another element of the array, and reads none of it."""
    if not isinstance(following, Store) or following.target.op != "subscript":
        return False
    if zeroed.target.op != "subscript":
        return False
    base, index = zeroed.target.args
    if base != following.target.args[0] or not are_apart(index, following.target.args[1]):
        return False
    reads = read_tokens(following.value, memory)
    return reads.isdisjoint(content_of(zeroed.target, memory))


# ---------------------------------------------------------------------------- slots


class Slots:
    """The statements of a block by their places; a place whose statement is taken out stays empty.

    `touched` may tell of too many places: a statement that is replaced may touch less. What may leave
    the block touches everything: what follows is not run then, and all names may be read.
    """

    def __init__(self, block: Block, memory: Memory):
        self.memory = memory
        self.statements: list[Statement | None] = list(block)
        self.leaving = [place for place, statement in enumerate(block) if leaves_pass(statement)]
        self.touched: dict[Token, list[int]] = {}
        for place, statement in enumerate(block):
            for token in touched_by(statement, memory):
                self.touched.setdefault(token, []).append(place)

    def __getitem__(self, place: int) -> Statement:
        statement = self.statements[place]
        assert statement is not None
        return statement

    def block(self) -> Block:
        """Return the statements as they are now."""
        return tuple(each for each in self.statements if each is not None)

    def after(self, place: int) -> int | None:
        """Return the place of the statement that follows; after(-1) is the first."""
        for at in range(place + 1, len(self.statements)):
            if self.statements[at] is not None:
                return at
        return None

    def before(self, place: int) -> int | None:
        """Return the place of the statement before."""
        for at in range(place - 1, -1, -1):
            if self.statements[at] is not None:
                return at
        return None

    def remove(self, place: int) -> None:
        """Take a statement out."""
        self.statements[place] = None

    def replace(self, place: int, statement: Statement) -> bool:
        """Let another statement stand in a place; tell that something has changed."""
        self.statements[place] = statement
        for token in touched_by(statement, self.memory):
            places = self.touched.setdefault(token, [])
            at = bisect_right(places, place)
            if not at or places[at - 1] != place:
                insort(places, place)
        return True

    def next_touching(self, place: int, tokens: Tokens) -> int | None:
        """Return the next place whose statement reads or changes one of some tokens, or may leave."""
        found = [self._next(place, token) for token in tokens]
        found += [at for at in self.leaving if at > place][:1]
        return min((at for at in found if at is not None), default=None)

    def _next(self, place: int, token: Token) -> int | None:
        places = self.touched.get(token, [])
        for at in range(bisect_right(places, place), len(places)):
            statement = self.statements[places[at]]
            if statement is not None and token in touched_by(statement, self.memory):
                return places[at]
        return None

    def changes_between(self, start: int, end: int, tokens: Tokens) -> bool:
        """Tell whether a statement from start to before end changes one of some tokens."""
        return any(self._changes(start, end, token) for token in tokens)

    def _changes(self, start: int, end: int, token: Token) -> bool:
        places = self.touched.get(token, [])
        for at in range(bisect_right(places, start - 1), len(places)):
            if places[at] >= end:
                return False
            statement = self.statements[places[at]]
            if statement is not None and token in changes_of(statement, self.memory):
                return True
        return False
