"""The dataflow graph of a function: which operation makes each value, and who reads it.

graph = df.graph
graph.order            operations in topological order
print(graph.dot())     for Graphviz
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from s2sad.legacy.printing import text
from s2sad.legacy.printing.copied import copied_statement
from s2sad.legacy.program import (
    Assign,
    Block,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Pop,
    Program,
    Update,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.traverse import blocks, defines, expressions, flat_targets, is_nested, reads


@dataclass(frozen=True, slots=True)
class Node:
    """An operation: its place in the order, what it computes, the values it reads and makes."""

    number: int
    label: str
    reads: tuple[Var, ...]
    makes: tuple[Var, ...]
    line: int
    kind: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A value on its way from the operation that makes it to one that reads it.

    A `back` edge closes a loop: the value is read in the next pass.
    """

    source: int
    target: int
    value: Var
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
        from s2sad.api.display.notebook import graph_html

        return graph_html(self)

    def dot(self) -> str:
        """Return the graph in Graphviz's DOT language."""
        lines = [f'digraph "{self.name}" {{', "  rankdir=TB;", "  node [shape=box];"]
        for node in self.nodes:
            first, *others = node.label.split("\n")  # of a function made inside: its first line
            label = (first + " ..." * bool(others)).replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'  n{node.number} [label="{label}"];')
        for edge in self.edges:
            style = ", style=dashed, constraint=false" if edge.back else ""
            label = _label(edge.value)
            lines.append(f'  n{edge.source} -> n{edge.target} [label="{label}"{style}];')
        return "\n".join([*lines, "}"]) + "\n"


def graph_of(program: Program) -> Graph:
    """Return the dataflow graph of a program."""
    nodes: list[Node] = []

    def add(label: str, read: Iterable[Var], makes: tuple[Var, ...], line: int, kind: str) -> None:
        seen = tuple(dict.fromkeys(read))
        nodes.append(Node(len(nodes), label, seen, makes, line, kind))

    for param in program.params:
        add(param.var.slot, (), (param.var,), program.span.line, "input")
    _visit(program.body, add)
    add("return", reads(program.result), (), program.span.line, "output")
    return Graph(program.name, tuple(nodes), tuple(_edges(nodes)))


def _edges(nodes: list[Node]) -> Iterator[Edge]:
    maker = {var: node.number for node in nodes for var in node.makes}
    for node in nodes:
        for var in node.reads:
            if var in maker and maker[var] != node.number:
                yield Edge(maker[var], node.number, var, maker[var] > node.number)


def _visit(block: Block, add) -> None:  # type: ignore[no-untyped-def]
    for stmt in block:
        line = stmt.span.line
        used = (var for expr in expressions(stmt) for var in reads(expr))
        match stmt:
            case If(test, _, _, merges):
                add(f"if {_text(test)}", used, (), line, "branch")
                for block_ in blocks(stmt):
                    _visit(block_, add)
                for merge in merges:
                    sides = (side for side in (merge.then, merge.orelse) if side)
                    add(f"merge {_label(merge.out)}", sides, (merge.out,), line, "merge")
            case Loop():
                _visit_loop(stmt, add)
            case Assign() | Update() | Pop() | Effect():
                kind = type(stmt).__name__.lower()
                add(_statement(stmt), used, defines(stmt), line, kind)


def _visit_loop(loop: Loop, add) -> None:  # type: ignore[no-untyped-def]
    line = loop.span.line
    for each in loop.carried:
        sides = (side for side in (each.init, each.end) if side)
        add(f"carry {_label(each.head)}", sides, (each.head, each.exit), line, "carry")
    used = (var for expr in expressions(loop) for var in reads(expr))
    add(_loop_label(loop), used, tuple(flat_targets(loop.targets)), line, "loop")
    _visit(loop.body, add)


def _loop_label(loop: Loop) -> str:
    if loop.iterable is not None:
        return f"for {_targets(loop.targets)} in {_text(loop.iterable)}"
    return f"while {_text(loop.test) if loop.test is not None else ''}"


def _targets(targets: Any) -> str:
    if isinstance(targets, Var):
        return _label(targets)
    parts = [f"({_targets(part)})" if is_nested(part) else _targets(part) for part in targets]
    return ", ".join(parts)


def _statement(stmt: Assign | Update | Pop | Effect) -> str:
    match stmt:
        case Assign(targets, value):
            return f"{', '.join(map(_label, targets))} = {_text(value)}"
        case Update(_, old, None, op, value):
            return f"{_label(old)} {op}= {_text(value)}"
        case Update(_, old, index, "insert", value) if index is not None:
            return f"{_label(old)}.insert({_text(index)}, {_text(value)})"
        case Update(_, old, index, op, value) if index is not None:
            sign = "" if op == "=" else op
            return f"{_text(Op('index', (old, index)))} {sign}= {_text(value)}"
        case Pop(target, _, old, _, index):
            where = "" if index is None else _text(index)
            return f"{_label(target)} = {_label(old)}.pop({where})"
        case Effect(Opaque(node, read, writes)):
            texts = ({name: _label(var) for name, var in pairs} for pairs in (read, writes))
            return "\n".join(copied_statement(node, *texts))
        case Effect(value):
            return _text(value)
    raise TypeError(stmt)


def _text(expr: Expr) -> str:
    return text(expr, _slot_label)


def _label(var: Var) -> str:
    return _slot_label(var.slot)


def _slot_label(slot: str) -> str:
    if not is_temp(slot):
        return base(slot)
    number = slot.partition("%")[2].split("~")[0].split("&")[0]
    return f"{base(slot)}_{number}"
