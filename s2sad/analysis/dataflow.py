"""Dataflow: which definitions reach a statement, and which variables are read after it.

x = u        x: {1}
if t:
    x = w    x: {2}
y = x        x: {1, 2}

Live(block).after(u_bar, place)   whether the value of u_bar may be read after the statement there
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, TypeVar

from s2sad.ir.expression import Variable
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
from s2sad.ir.records import dataclass, replace
from s2sad.ir.walk import blocks, bound, read_in

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


@dataclass(slots=True, eq=False)
class _Node:
    """A statement; numbers count statements in the order of the text, `last` ends its block."""

    statement: Statement
    parent: _Node | None
    start: int
    end: int = 0
    last: int = 0
    inner: tuple[tuple[int, int], ...] = ()


class Live:
    """The statements of a block with where each variable is read or bound."""

    def __init__(self, block: Block):
        self.nodes: list[_Node] = []
        self.places: dict[Place, _Node] = {}
        self.touched: dict[Variable, list[int]] = {}
        self._block(block, (), None)

    def _block(self, block: Block, inside: Place, parent: _Node | None) -> tuple[int, int]:
        first = len(self.nodes)
        made = [self._node(each, (*inside, k), parent) for k, each in enumerate(block)]
        for node in made:
            node.last = len(self.nodes)
        return first, len(self.nodes)

    def _node(self, statement: Statement, place: Place, parent: _Node | None) -> _Node:
        node = self.places[place] = _Node(statement, parent, len(self.nodes))
        self.nodes.append(node)
        for variable in dict.fromkeys((*read_in(statement), *bound(statement))):
            self.touched.setdefault(variable, []).append(node.start)
        inner = enumerate(blocks(statement))
        node.inner = tuple(self._block(each, (*place, k), node) for k, each in inner)
        node.end = len(self.nodes)
        return node

    def after(self, variable: Variable, place: Place) -> bool:
        """Tell whether a variable may be read after a statement, before it is bound anew."""
        node: _Node | None = self.places[place]
        while node is not None:
            found = self._read_first(variable, node.end, node.last)
            if found is not None:
                return found
            node = node.parent
            if node is not None and self._is_read_in_next_pass(variable, node):
                return True
        return False

    def _read_first(self, variable: Variable, start: int, end: int) -> bool | None:
        """Tell whether statements read a variable before they bind it; None if neither is sure."""
        places = self.touched.get(variable, [])
        while True:
            at = bisect_left(places, start)
            if at == len(places) or places[at] >= end:
                return None
            node = self.nodes[places[at]]
            while node.parent is not None and node.parent.start >= start:
                node = node.parent
            found = self._enters(variable, node)
            if found is not None:
                return found
            start = node.end

    def _enters(self, variable: Variable, node: _Node) -> bool | None:
        statement = node.statement
        if variable in read_in(statement):
            return True
        if not node.inner:
            return False
        if isinstance(statement, For) and variable in bound(statement):
            return None
        found = [self._read_first(variable, *each) for each in node.inner]
        if True in found:
            return True
        is_bound = isinstance(statement, If) and found == [False, False]
        return False if is_bound else None

    def _is_read_in_next_pass(self, variable: Variable, loop: _Node) -> bool:
        match loop.statement:
            case While():
                if variable in read_in(loop.statement):
                    return True
            case For():
                if variable in bound(loop.statement):
                    return False
            case _:
                return False
        return self._read_first(variable, *loop.inner[0]) is True
