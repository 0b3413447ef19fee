"""Which variables are read later, asked at a place of a block.

Live(block).after(u_bar, place)   whether the value of u_bar may be read after the statement there
"""

from __future__ import annotations

from bisect import bisect_left

from s2sad.analysis.places import Place
from s2sad.ir.expression import Variable
from s2sad.ir.program import Block, For, If, Statement, While
from s2sad.ir.records import dataclass
from s2sad.ir.walk import blocks, bound, read_in


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
