"""What reaches each statement of a function: by which of its definitions a variable may be bound.

x = u        x: {1}
if t:
    x = w    x: {2}
y = x        x: {1, 2}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    For,
    If,
    Raise,
    Return,
    Statement,
    Try,
    While,
    With,
)
from s2sad.ir.records import replace

Place = tuple[object, ...]
# variables, or memory, each with the definitions that it may have
Reaching = Mapping[Any, frozenset[Any]]
S = TypeVar("S", bound=Statement)


def joined(left: Reaching | None, right: Reaching | None) -> Reaching | None:
    """Return what reaches a place where two ways meet; None is a way that is never gone."""
    if left is None or right is None:
        return right if left is None else left
    nothing: frozenset[Any] = frozenset()
    return {v: left.get(v, nothing) | right.get(v, nothing) for v in {**left, **right}}


class Flow:
    """Goes through statements, loops until nothing more reaches their heads.

    `read` is asked what becomes of a statement that reads, `bind` of one that binds, with what
    reaches the place after it; `anywhere` is what is made somewhere in the body of a try. Of loops
    `exits` are the ways out by break, and those to the next pass by continue; `heads` what reaches
    their heads.
    """

    __slots__ = ()
    exits: list[tuple[list[Reaching], list[Reaching]]]
    heads: dict[Place, Reaching]

    def read(self, statement: S, env: Reaching, place: Place) -> S:
        """Return a statement with what it reads."""
        raise NotImplementedError

    def bind(self, statement: S, env: Reaching, place: Place) -> tuple[S, Reaching]:
        """Return a statement with what it binds, and what reaches the place after it."""
        raise NotImplementedError

    def anywhere(self, statement: Try, place: Place) -> Reaching:
        """Return what is made somewhere in the body of a try."""
        raise NotImplementedError

    def block(self, block: Block, env: Reaching, place: Place) -> tuple[Block, Reaching | None]:
        """Return the block, and what reaches its end; None if its end is not reached."""
        made: list[Statement] = []
        for position, statement in enumerate(block):
            new, after = self.statement(statement, env, (*place, position))
            made.append(new)
            if after is None:
                return tuple(made), None
            env = after
        return tuple(made), env

    def statement(
        self, statement: Statement, env: Reaching, place: Place
    ) -> tuple[Statement, Reaching | None]:
        match statement:
            case If():
                statement = self.read(statement, env, place)
                then, left = self.block(statement.body, env, (*place, 0))
                otherwise, right = self.block(statement.orelse, env, (*place, 1))
                return replace(statement, body=then, orelse=otherwise), joined(left, right)
            case For() | While():
                return self.loop(statement, env, place)
            case With():
                statement = self.read(statement, env, place)
                body, after = self.block(statement.body, env, (*place, 0))
                return replace(statement, body=body), after
            case Try():
                return self.tried(statement, env, place)
            case Break() | Continue():
                self.exits[-1][isinstance(statement, Continue)].append(env)
                return statement, None
            case Return() | Raise():
                return self.read(statement, env, place), None
        return self.bind(self.read(statement, env, place), env, place)

    def loop(
        self, loop: For | While, env: Reaching, place: Place
    ) -> tuple[Statement, Reaching | None]:
        if isinstance(loop, For):
            loop = self.read(loop, env, place)
        # what an earlier walk found comes first: loops in each other would multiply
        head = joined(env, self.heads.get(place)) or env
        while True:
            self.exits.append(([], []))
            new: For | While = loop
            inside = head
            if isinstance(loop, For):
                new, inside = self.bind(loop, head, place)
            else:
                new = self.read(loop, head, place)
            body, end = self.block(loop.body, inside, (*place, 0))
            broken, continued = self.exits.pop()
            widened = joined(head, end) or head
            for each in continued:
                widened = joined(widened, each) or widened
            if widened == head:
                break
            head = widened
        self.heads[place] = head
        after: Reaching | None = head
        for each in broken:
            after = joined(after, each)
        return replace(new, body=body), after

    def tried(
        self, statement: Try, env: Reaching, place: Place
    ) -> tuple[Statement, Reaching | None]:
        body, after = self.block(statement.body, env, (*place, 0))
        inside = joined(joined(env, after), self.anywhere(statement, place)) or env
        handlers = []
        for position, handler in enumerate(statement.handlers):
            made, end = self.block(handler.body, inside, (*place, position + 1))
            handlers.append(replace(handler, body=made))
            after = joined(after, end)
        return replace(statement, body=body, handlers=tuple(handlers)), after
