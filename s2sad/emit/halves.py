"""A line of a derivative that would take three lines or more becomes two: a part of it has a name.

    s_bar = (                                        s_term_bar = e_bar * (1.0 - p) / (e - 1.0)
        e_bar                                        s_bar = s_term_bar * r * e @ wave / s
        * (1.0 - p)                          ->
        / (e - 1.0)
        ...

What the user wrote stays as it is, but for lines that got long as functions were put in place of
their calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from s2sad.analysis.containers import is_display, slots
from s2sad.emit.comments import place_of, source_of
from s2sad.emit.layout import wrap
from s2sad.ir.expression import Expr, Role, Variable, name
from s2sad.ir.program import Block, Function, Let, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.text import simple
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import (
    blocks,
    bound_in,
    nodes,
    rebuilt,
    with_blocks,
    with_expressions,
    written_to,
)
from s2sad.optimize.numbering import LAZY, name_of_part

TWO = 2  # lines that a statement may take
OURS = frozenset({Role.ADJOINT, Role.TANGENT, Role.TERM})
Names = Mapping[Variable, str]


def with_long_lines_halved(function: Function, names: Names) -> Function:
    """Return a function in which statements of ours take two lines each, where a name makes it so."""
    halves = _Halves(names, Fresh.of(function))
    body = halves.block(function.body, 1)
    return function if body == function.body else replace(function, body=body)


@dataclass(frozen=True, slots=True)
class _Halves:
    """The names of a function, and those that are free."""

    names: Names
    fresh: Fresh

    def block(self, block: Block, depth: int) -> Block:
        made: list[Statement] = []
        for statement in block:
            if blocks(statement):
                inner = (self.block(each, depth + 1) for each in blocks(statement))
                made.append(with_blocks(statement, tuple(inner)))
            else:
                made += self.halved(statement, depth)
        return tuple(made)

    def halved(self, statement: Statement, depth: int) -> tuple[Statement, ...]:
        """Return a statement, or two that take fewer lines together."""
        if not isinstance(statement, Let | Store):
            return (statement,)
        before = self.cost((statement,), depth)[0]
        if before <= TWO or not self.is_ours(statement, depth, before):
            return (statement,)
        ways = (self.apart(statement, value) for value in _parts(statement.value))
        shortest = min(ways, key=lambda way: self.cost(way, depth), default=(statement,))
        if self.cost(shortest, depth)[0] >= before:
            return (statement,)
        self.fresh.know(bound_in(shortest))
        return tuple(made for each in shortest for made in self.halved(each, depth))

    def is_ours(self, statement: Let | Store, depth: int, before: int) -> bool:
        """Tell whether a statement is none of the user's, or has become longer than that."""
        target = written_to(statement)
        if target is None or (isinstance(statement, Let) and not statement.effect.is_pure):
            return False
        if target.role in OURS:
            return True
        place = None if statement.span is None else place_of(statement.span)
        source = "" if place is None else source_of(place)
        return bool(source) and len(wrap(source, 4 * depth)) < before

    def apart(self, statement: Let | Store, value: Expr) -> tuple[Statement, ...]:
        """Return a statement behind one that gives a part of its value a name."""
        numbers = dict(self.fresh.numbers)
        part = Fresh(numbers).variable(name_of_part(value, statement), Role.TERM)
        named = name(part, value.type)
        rest = with_expressions(
            statement, lambda e: rebuilt(e, lambda node: named if node == value else None)
        )
        return (Let(part, value, statement.span), rest)

    def cost(self, statements: tuple[Statement, ...], depth: int) -> tuple[int, int]:
        """Return how many lines statements take, and how long the longest is."""
        texts = [simple(each, self.names) for each in statements]
        return sum(len(wrap(each, 4 * depth)) for each in texts), max(map(len, texts))


def _parts(whole: Expr) -> Iterator[Expr]:
    """Yield the parts of a value that are surely computed, and may have a name.

    What is written out item by item has a line for each. Two items of containers are two arrays, though
    they are computed alike.
    """
    displays = (node for node in nodes(whole) if is_display(node))
    held = Counter(item for display in displays for _, item in slots(display))
    todo = [] if any(arg.op == "list" for arg in (whole, *whole.args)) else [whole]
    while todo:
        node = todo.pop()
        if node.op in LAZY:
            continue
        is_value = isinstance(node.type, Array | Number | Numeric)
        is_part = node is not whole and held[node] < 2
        if is_value and is_part and node.op in ("binary", "unary", "call"):
            yield node
        todo += reversed(node.args)
