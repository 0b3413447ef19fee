"""A dataflow graph as SVG: laid out by Graphviz where it is installed, in plain rows otherwise.

A box stands for an operation, an arrow for a value on its way; dashed arrows go back to the head
of a loop. Boxes carry the line of the primal as a class, so that they light up with it.

In rows operations stand one below the other, in their order: values go down on the right side, and
back on the left one. What one operation gives has a lane of its own, which leads past the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2sad.api.display.graph import Edge, Graph, Node

WIDTH, HEIGHT, PAD = 6.7, 22.0, 8.0  # of a letter and of a box, and around the text of one
ROW, LANE = 32.0, 10.0  # from row to row, from lane to lane
LONGEST = 36  # letters of a label
TO_LEFT, TO_RIGHT = "m7 -3.5v7l-7 -3.5z", "m-7 -3.5v7l7 -3.5z"  # heads of arrows
LEFT = re.compile(r"<\?xml.*?(?=<svg)", re.DOTALL)


def graph_svg(graph: Graph) -> str:
    """Return a graph as one SVG element."""
    return _by_graphviz(graph) or _in_rows(graph)


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


# ---------------------------------------------------------------------------- rows


def _in_rows(graph: Graph) -> str:
    down, back = _lanes(graph, back=False), _lanes(graph, back=True)
    left = PAD + LANE * (1 + max(back.values(), default=-2))
    widths = {node.number: len(_label(node)) * WIDTH + 2 * PAD for node in graph.nodes}
    side = left + max(widths.values(), default=0.0)
    right = side + LANE * (1 + max(down.values(), default=-1)) + PAD
    bottom = ROW * len(graph.nodes) + PAD
    arrows = (
        _arrow_svg(edge, (left, left), left - LANE * (back[edge.target] + 1), TO_RIGHT)
        if edge.back
        else _arrow_svg(
            edge,
            (left + widths[edge.source], left + widths[edge.target]),
            side + LANE * (down[edge.source] + 1),
            TO_LEFT,
        )
        for edge in graph.edges
    )
    nodes = (_node_svg(node, left, widths[node.number]) for node in graph.nodes)
    return (
        f"<svg width='{right:.0f}' height='{bottom:.0f}' "
        f"viewBox='0 0 {right:.0f} {bottom:.0f}' role='img' aria-label='dataflow graph'>"
        f"{''.join([*arrows, *nodes])}</svg>"
    )


def _lanes(graph: Graph, back: bool) -> Mapping[int, int]:
    """Return the lane of what each operation gives, or of what goes back to each."""
    last: dict[int, int] = {}
    for edge in graph.edges:
        if edge.back == back:
            first, end = sorted((edge.source, edge.target))
            last[first] = max(last.get(first, first), end)
    ends: list[int] = []  # the row in which each lane is free again
    found: dict[int, int] = {}
    for first in sorted(last):
        free = (lane for lane, end in enumerate(ends) if end < first)
        found[first] = next(free, len(ends))
        ends[found[first] : found[first] + 1] = [last[first]]
    return found


def _node_svg(node: Node, left: float, width: float) -> str:
    middle = _middle(node.number)
    return (
        f"<g class='{_marks(node)}'><title>{escape(f'line {node.line}: {node.label}')}</title>"
        f"<rect x='{left:.1f}' y='{middle - HEIGHT / 2:.1f}' width='{width:.1f}' "
        f"height='{HEIGHT}' rx='3'/>"
        f"<text x='{left + width / 2:.1f}' y='{middle + 4:.1f}' text-anchor='middle'>"
        f"{escape(_label(node))}</text></g>"
    )


def _middle(row: int) -> float:
    return PAD + HEIGHT / 2 + ROW * row


def _arrow_svg(edge: Edge, ends: tuple[float, float], lane: float, head: str) -> str:
    """Return an arrow that leaves a box, and comes to another one, at these places."""
    start, end = _middle(edge.source) + HEIGHT / 4, _middle(edge.target) - HEIGHT / 4
    mark = " class='back'" if edge.back else ""
    return (
        f"<path{mark} d='M{ends[0]:.1f} {start:.1f}H{lane:.1f}V{end:.1f}H{ends[1]:.1f}'/>"
        # no marker, which a hidden graph of the same page could define
        f"<path class='head' d='M{ends[1]:.1f} {end:.1f}{head}'/>"
    )
