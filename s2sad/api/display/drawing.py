"""A dataflow graph as SVG: laid out by Graphviz where it is installed, in plain layers otherwise.

A box stands for an operation, an arrow for a value on its way; dashed arrows go back to the head
of a loop. Boxes carry the line of the primal as a class, so that they light up with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol

WIDTH, HEIGHT = 6.7, 22.0  # of a letter and of a box
ABOVE, BESIDE, PAD = 26.0, 14.0, 8.0  # between layers, between boxes, around the text of a box
LONGEST = 36  # letters of a label
ROUNDS = 8
LEFT = re.compile(r"<\?xml.*?(?=<svg)", re.DOTALL)


class Node(Protocol):
    """An operation, as graphs have it."""

    @property
    def number(self) -> int: ...
    @property
    def label(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def kind(self) -> str: ...


class Edge(Protocol):
    """A value on its way."""

    @property
    def source(self) -> int: ...
    @property
    def target(self) -> int: ...
    @property
    def back(self) -> bool: ...


class Graph(Protocol):
    """Operations and the values between them."""

    @property
    def nodes(self) -> Sequence[Node]: ...
    @property
    def edges(self) -> Sequence[Edge]: ...


def graph_svg(graph: Graph) -> str:
    """Return a graph as one SVG element."""
    return _by_graphviz(graph) or _by_layers(graph)


def _label(node: Node) -> str:
    first, *others = node.label.split("\n")
    return first[: LONGEST - 3] + "..." if len(first) > LONGEST or others else first


def _marks(node: Node) -> str:
    return f"{node.kind} l{node.line}"


# ---------------------------------------------------------------------------- Graphviz


def _by_graphviz(graph: Graph) -> str | None:
    """Return a graph as Graphviz draws it; None where its library or its program is missing."""
    try:
        import graphviz
    except ImportError:
        return None
    try:
        drawn = graphviz.Source("\n".join(_dot(graph))).pipe(format="svg", encoding="utf-8")
    except (graphviz.ExecutableNotFound, graphviz.CalledProcessError):
        return None
    return LEFT.sub("", str(drawn)).strip()


def _dot(graph: Graph) -> Iterator[str]:
    yield "digraph {\n  bgcolor=transparent;\n  node [shape=box, fontname=monospace, fontsize=11];"
    for node in graph.nodes:
        label = _label(node).replace("\\", "\\\\").replace('"', '\\"')
        yield f'  n{node.number} [label="{label}", class="{_marks(node)}"];'
    for edge in graph.edges:
        style = ' [style=dashed, constraint=false, class="back"]' if edge.back else ""
        yield f"  n{edge.source} -> n{edge.target}{style};"
    yield "}"


# ---------------------------------------------------------------------------- layers


@dataclass(frozen=True, slots=True)
class Box:
    """Where an operation stands: the middle of its box, and its width."""

    x: float
    y: float
    width: float


def _by_layers(graph: Graph) -> str:
    boxes = _boxes(graph)
    edges = "".join(_edge_svg(edge, boxes) for edge in graph.edges)
    nodes = "".join(_node_svg(node, boxes[node.number]) for node in graph.nodes)
    right = max((b.x + b.width / 2 for b in boxes.values()), default=0.0) + PAD
    bottom = max((b.y for b in boxes.values()), default=0.0) + HEIGHT
    arrow = (
        "<marker id='s2sad-head' viewBox='0 0 8 8' refX='8' refY='4' markerWidth='7' "
        "markerHeight='7' orient='auto'><path class='head' d='M0 0 8 4 0 8z'/></marker>"
    )
    return (
        f"<svg width='{right:.0f}' height='{bottom:.0f}' "
        f"viewBox='0 0 {right:.0f} {bottom:.0f}' role='img' aria-label='dataflow graph'>"
        f"<defs>{arrow}</defs>{edges}{nodes}</svg>"
    )


def _boxes(graph: Graph) -> Mapping[int, Box]:
    layers = _ordered(_layers(graph), graph)
    widths = {n.number: len(_label(n)) * WIDTH + 2 * PAD for n in graph.nodes}
    totals = [sum(widths[n] + BESIDE for n in layer) for layer in layers]
    found: dict[int, Box] = {}
    for depth, (layer, total) in enumerate(zip(layers, totals, strict=True)):
        x = PAD + (max(totals) - total) / 2
        for number in layer:
            width = widths[number]
            found[number] = Box(x + width / 2, PAD + HEIGHT / 2 + depth * (HEIGHT + ABOVE), width)
            x += width + BESIDE
    return found


def _layers(graph: Graph) -> list[list[int]]:
    """Return the operations in layers: each below all that it reads."""
    depth: dict[int, int] = {}
    for node in graph.nodes:
        before = (e.source for e in graph.edges if e.target == node.number and not e.back)
        depth[node.number] = 1 + max((depth.get(n, -1) for n in before), default=-1)
    layers: list[list[int]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for number, place in depth.items():
        layers[place].append(number)
    return layers


def _ordered(layers: list[list[int]], graph: Graph) -> list[list[int]]:
    """Return layers in which boxes stand near what they are joined to (barycentres)."""
    joined: dict[int, list[int]] = {n.number: [] for n in graph.nodes}
    for edge in graph.edges:
        if not edge.back:
            joined[edge.source].append(edge.target)
            joined[edge.target].append(edge.source)
    place = {n: k - len(layer) / 2 for layer in layers for k, n in enumerate(layer)}

    def middle(number: int) -> float:
        near = [place[n] for n in joined[number]]
        return sum(near) / len(near) if near else place[number]

    for turn in range(ROUNDS):
        for layer in layers if turn % 2 == 0 else reversed(layers):
            layer.sort(key=middle)
            place.update({n: k - len(layer) / 2 for k, n in enumerate(layer)})
    return layers


def _node_svg(node: Node, box: Box) -> str:
    left, top = box.x - box.width / 2, box.y - HEIGHT / 2
    return (
        f"<g class='{_marks(node)}'><title>{escape(f'line {node.line}: {node.label}')}</title>"
        f"<rect x='{left:.1f}' y='{top:.1f}' width='{box.width:.1f}' height='{HEIGHT}' rx='3'/>"
        f"<text x='{box.x:.1f}' y='{box.y + 4:.1f}' text-anchor='middle'>"
        f"{escape(_label(node))}</text></g>"
    )


def _edge_svg(edge: Edge, boxes: Mapping[int, Box]) -> str:
    one, other = boxes[edge.source], boxes[edge.target]
    if edge.back:
        side = max(one.x + one.width / 2, other.x + other.width / 2) + 30
        lower = HEIGHT / 4 * (edge.source == edge.target)
        x1, y1 = one.x + one.width / 2, one.y + lower
        x2, y2 = other.x + other.width / 2, other.y - lower
        bend = f"C{side:.1f} {y1:.1f} {side:.1f} {y2:.1f}"
    else:
        x1, y1 = one.x, one.y + HEIGHT / 2
        x2, y2 = other.x, other.y - HEIGHT / 2
        middle = (y1 + y2) / 2
        bend = f"C{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f}"
    mark = " class='back'" if edge.back else ""
    path = f"M{x1:.1f} {y1:.1f} {bend} {x2:.1f} {y2:.1f}"
    return f"<path{mark} d='{path}' marker-end='url(#s2sad-head)'/>"
