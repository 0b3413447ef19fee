"""The dataflow graph of a function: which operation makes each value, and who reads it.

graph = df.graph
graph.order            operations in topological order
print(graph.dot())     for Graphviz

It is read off the lowered function. What is written in place is one value in all that refer to it:
who reads a view of `u` reads the last store to `u`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from s2sad.analysis.dataflow import Flow, Place, Reaching, S, joined
from s2sad.analysis.memory import Memory, memory, types_of
from s2sad.analysis.pointers import NOTHING
from s2sad.api.pipeline import lowered
from s2sad.api.tools import tools_for
from s2sad.ir.errors import NotYet, Unsupported
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import (
    Copied,
    For,
    Function,
    If,
    Let,
    Raise,
    RegionOp,
    Return,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.records import dataclass, field
from s2sad.ir.spelling import Names
from s2sad.ir.text import BLOCKS, distinct, headed, simple
from s2sad.ir.walk import bound, expressions, reads


@dataclass(frozen=True, slots=True)
class Node:
    """An operation: its place in the order, what it computes, the values it reads and makes."""

    number: int
    label: str
    reads: tuple[str, ...]
    makes: tuple[str, ...]
    line: int
    kind: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A value on its way from the operation that makes it to one that reads it.

    A `back` edge closes a loop: the value is read in the next pass.
    """

    source: int
    target: int
    value: str
    back: bool = False


@dataclass(frozen=True, slots=True)
class Graph:
    """Operations and the values between them."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def order(self) -> tuple[Node, ...]:
        """Return the operations in topological order (back edges of loops left out)."""
        return self.nodes

    def _repr_html_(self) -> str:
        from s2sad.api.display.drawing import graph_svg
        from s2sad.api.display.notebook import cell

        return cell("graph", graph_svg(self))

    def dot(self) -> str:
        """Return the graph in Graphviz's DOT language."""
        lines = [f'digraph "{self.name}" {{', "  rankdir=TB;", "  node [shape=box];"]
        for node in self.nodes:
            first, *others = node.label.split("\n")
            label = (first + " ..." * bool(others)).replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'  n{node.number} [label="{label}"];')
        for edge in self.edges:
            style = ", style=dashed, constraint=false" if edge.back else ""
            lines.append(f'  n{edge.source} -> n{edge.target} [label="{edge.value}"{style}];')
        return "\n".join([*lines, "}"]) + "\n"


def graph_of(
    function: Callable[..., Any], examples: Mapping[str, Any] | None, wrt: tuple[str, ...] = ()
) -> Graph:
    """Return the dataflow graph of a function; Unsupported where it cannot be lowered."""
    try:
        made = lowered(function, examples, wrt)
    except NotYet as fault:
        problem = f"{function.__name__} has no dataflow graph: {fault.reason}"
        hint = "Give examples of its arguments: like=(...)." if examples is None else ""
        raise Unsupported(problem, fault.span, hint) from None
    tools, entry = tools_for(made.primal, made.context), made.primal.function
    found = memory(entry, types_of(entry, tools.join), tools.shares, tools.regions)
    drawing = _Drawing(entry, found, distinct(entry))
    drawing.draw()
    return Graph(entry.name, tuple(drawing.nodes), tuple(drawing.edges))


# ---------------------------------------------------------------------------- who reads what

# a variable, or memory
Key = Hashable


@dataclass(slots=True)
class _Drawing(Flow):
    """A graph while the statements of a function are gone through: definitions are its operations."""

    function: Function
    memory: Memory
    names: Names
    nodes: list[Node] = field(default_factory=list)
    edges: dict[Edge, None] = field(default_factory=dict)
    known: dict[Key, int] = field(default_factory=dict)
    makers: dict[Place, Reaching] = field(default_factory=dict)
    exits: list[tuple[list[Reaching], list[Reaching]]] = field(default_factory=list)
    heads: dict[Any, Reaching] = field(default_factory=dict)

    def draw(self) -> None:
        """Draw the parameters, and all statements."""
        reaching: dict[Key, frozenset[int]] = {}
        line = self.function.span.line if self.function.span else 0
        for parameter in self.function.parameters:
            variable, name = parameter.variable, self.name(parameter.variable)
            node = self.node(variable, name, (), (name,), line, "input")
            keys = (variable, *self.memory.reach(variable))
            reaching |= dict.fromkeys(keys, frozenset({node}))
        self.block(self.function.body, reaching, ())

    def name(self, variable: Variable) -> str:
        return self.names.get(variable, str(variable))

    def node(
        self, key: Key, label: str, reads: Iterable[str], makes: Iterable[str], line: int, kind: str
    ) -> int:
        """Return the number of the operation at a place, which is drawn once."""
        if key not in self.known:
            self.known[key] = len(self.nodes)
            seen, made = tuple(dict.fromkeys(reads)), tuple(dict.fromkeys(makes))
            self.nodes.append(Node(len(self.nodes), label, seen, made, line, kind))
        return self.known[key]

    # ------------------------------------------------------------------------ one statement

    def read(self, statement: S, env: Reaching, place: Place) -> S:
        """Draw a statement with what it reads."""
        found = [read for each in expressions(statement) for read in reads(each)]
        line = statement.span.line if statement.span else 0
        names = [self.name(variable) for variable, _ in found]
        makes = map(self.name, (*bound(statement), *_stored(statement)))
        node = self.node(place, self.label(statement), names, makes, line, _kind(statement))
        for variable, of_content in found:
            for key in (variable, *(self.memory.reach(variable) if of_content else NOTHING)):
                for maker in env.get(key, ()):
                    edge = Edge(maker, node, self.name(variable), maker >= node)
                    self.edges[edge] = None
        return statement

    def label(self, statement: Statement) -> str:
        if isinstance(statement, BLOCKS):
            return next(headed(statement, self.names))[0].removesuffix(":")
        return simple(statement, self.names)

    def bind(self, statement: S, env: Reaching, place: Place) -> tuple[S, Reaching]:
        node = frozenset({self.known[place]})
        self.makers[place] = dict.fromkeys(self.keys(statement, place), node)
        return statement, {**env, **self.makers[place]}

    def anywhere(self, statement: Try, place: Place) -> Reaching:
        inside = (*place, 0)
        found: Reaching | None = {}
        for at, keys in self.makers.items():
            found = joined(found, keys) if at[: len(inside)] == inside else found
        return found or {}

    def keys(self, statement: Statement, place: Place) -> Iterator[Key]:
        """Yield the variables that a statement binds, and the memory that it makes or writes."""
        yield from (*bound(statement), *_stored(statement))
        for variable in bound(statement):
            sites = self.memory.points_to.get(variable, NOTHING)
            yield from (site for site in sites if site[1] == place)
        yield from self.memory.written_by(statement)


def _stored(statement: Statement) -> tuple[Variable, ...]:
    """Return the variable that a statement stores to; `x += 1.0` binds it where it is a number."""
    match statement:
        case Store(target=Expr(op="name", data=Variable() as own)):
            return (own,)
    return ()


def _kind(statement: Statement) -> str:
    match statement:
        case If():
            return "branch"
        case For() | While():
            return "loop"
        case Return():
            return "output"
        case Store() | RegionOp():
            return "update"
        case Let(target=None) | Raise() | With() | Copied():
            return "effect"
    return "assign"
