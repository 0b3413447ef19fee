"""The statements of a function as a tree that is changed in place, with where names are used.

tree = Tree(function, memory)
tree.uses[t]                       the statements that read t, each as often as it does
tree.changes_between(3, 9, needs)  whether a statement from the third to the ninth changes a need
tree.body()                        the statements again
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2sad.analysis.places import is_one_between
from s2sad.ir.expression import Variable
from s2sad.ir.program import Block, Function, Statement
from s2sad.ir.records import dataclass, field
from s2sad.ir.walk import blocks, bound, expressions, name_nodes, with_blocks, with_statements
from s2sad.optimize.memory import Memory, Token, Tokens, statement_changes


@dataclass(slots=True, eq=False)
class Home:
    """A block: the statement that it belongs to (None: the function), and its own statements."""

    owner: Node | None
    nodes: list[Node] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Node:
    """A statement in its block; `start` and `end` count statements in the order of the text."""

    statement: Statement
    home: Home
    start: int
    end: int = 0
    inner: tuple[Home, ...] = ()
    is_gone: bool = False

    def outwards(self, home: Home) -> Iterator[Node]:
        """Yield the node and those around it, up to one that stands in a block; none if none does."""
        found: list[Node] = []
        node: Node | None = self
        while node is not None:
            found.append(node)
            if node.home is home:
                yield from found
                return
            node = node.home.owner

    def start_of_block_with(self, around: list[Node]) -> int:
        """Return where the block starts in which one of some nodes stands."""
        inside = next(node for node in around if node.home.owner is self)
        return inside.home.nodes[0].start


class Tree:
    """The statements of a function, with indices of what they use, bind and change."""

    def __init__(self, function: Function, memory: Memory):
        self.function = function
        self.memory = memory
        self.nodes: list[Node] = []
        self.uses: dict[Variable, list[Node]] = {}
        self.definitions = Counter(p.variable for p in function.parameters)
        self.changed: dict[Token, list[int]] = {}
        self.root = self._home(None, function.body)

    def _home(self, owner: Node | None, block: Block) -> Home:
        home = Home(owner)
        for statement in block:
            home.nodes.append(self._node(statement, home))
        return home

    def _node(self, statement: Statement, home: Home) -> Node:
        node = Node(statement, home, len(self.nodes))
        self.nodes.append(node)
        for variable in _read(statement):
            self.uses.setdefault(variable, []).append(node)
        self.definitions.update(bound(statement))
        for token in statement_changes(statement, self.memory):
            self.changed.setdefault(token, []).append(node.start)
        node.inner = tuple(self._home(node, block) for block in blocks(statement))
        node.end = len(self.nodes)
        return node

    def changes_between(self, start: int, end: int, tokens: Tokens) -> bool:
        """Tell whether a statement from start to before end changes one of some tokens."""
        return any(is_one_between(self.changed.get(t, ()), start, end) for t in tokens)

    def restate(self, node: Node, statement: Statement | None) -> None:
        """Put another statement in the place of one, or none; a rewrite may drop or double names."""
        for variable in _read(node.statement):
            self.uses[variable].remove(node)
        if statement is None:
            node.is_gone = True
            return
        node.statement = statement
        for variable in _read(statement):
            self.uses.setdefault(variable, []).append(node)

    def body(self) -> Block:
        """Return the statements as they are now."""
        return _block(self.root, self.function.body)


def _read(statement: Statement) -> Iterator[Variable]:
    return (read.data for expr in expressions(statement) for read in name_nodes(expr))


def _block(home: Home, before: Block) -> Block:
    return with_statements(before, (_statement(n) for n in home.nodes if not n.is_gone))


def _statement(node: Node) -> Statement:
    if not node.inner:
        return node.statement
    before = blocks(node.statement)
    return with_blocks(node.statement, tuple(map(_block, node.inner, before)))
