"""A block whose statements are replaced and taken out, with where each piece of memory is touched.

slots = Slots(block, memory)
slots.next_touching(3, tokens)   the next statement after slots[3] that reads or changes one of them
slots.remove(3); slots.block()   the block without it
"""

from __future__ import annotations

from bisect import bisect_right, insort

from s2sad.ir.program import Block, Statement
from s2sad.optimize.memory import Memory, Token, Tokens, changes_of, touched_by


class Slots:
    """The statements of a block by their places; a place whose statement is taken out stays empty.

    `touched` may tell of too many places: a statement that is replaced may touch less.
    """

    def __init__(self, block: Block, memory: Memory):
        self.memory = memory
        self.statements: list[Statement | None] = list(block)
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

    def first(self) -> int | None:
        """Return the place of the first statement."""
        return self.after(-1)

    def after(self, place: int) -> int | None:
        """Return the place of the statement that follows."""
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
        """Return the next place whose statement reads or changes one of some tokens."""
        found = (self._next(place, token) for token in tokens)
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
