"""A dataflow graph as SVG: laid out by Graphviz where it is installed, in plain layers otherwise.

A box stands for an operation, an arrow for a value on its way; dashed arrows go back to the head
of a loop. Boxes carry the line of the primal as a class, so that they light up with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from s2sad.ir.records import dataclass

if TYPE_CHECKING:
    from s2sad.api.display.graph import Edge, Graph, Node

WIDTH, HEIGHT = 6.7, 22.0  # of a letter and of a box
ABOVE, BESIDE, PAD = 26.0, 14.0, 8.0  # between layers, between boxes, around the text of a box
AROUND = 26.0  # how far an arrow that goes back keeps from the boxes that it passes
LONGEST = 36  # letters of a label
ROUNDS = 8
LEFT = re.compile(r"<\?xml.*?(?=<svg)", re.DOTALL)


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

# a box, by its number, or where an arrow of the operation `number` passes the layer `depth`
Place = int | tuple[int, int]
Chain = tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """Where an operation stands, or an arrow passes: the middle, and the width."""

    x: float
    y: float
    width: float

    @property
    def right(self) -> float:
        return self.x + self.width / 2


def _by_layers(graph: Graph) -> str:
    depth = _depths(graph)
    chains = tuple(_chain(edge, depth) for edge in graph.edges if not edge.back)
    boxes = _boxes(graph, _layers(depth, chains), chains)
    back = [_back_svg(edge, boxes) for edge in graph.edges if edge.back]
    arrows = [_chain_svg([boxes[place] for place in chain]) for chain in chains]
    nodes = [_node_svg(node, boxes[node.number]) for node in graph.nodes]
    right = max((box.right for box in boxes.values()), default=0.0) + PAD + AROUND * bool(back)
    bottom = max((box.y for box in boxes.values()), default=0.0) + HEIGHT
    return (
        f"<svg width='{right:.0f}' height='{bottom:.0f}' "
        f"viewBox='0 0 {right:.0f} {bottom:.0f}' role='img' aria-label='dataflow graph'>"
        f"{''.join([*back, *arrows, *nodes])}</svg>"
    )


def _depths(graph: Graph) -> Mapping[int, int]:
    """Return the layer of each operation: below all that it reads."""
    depth: dict[int, int] = {}
    for node in graph.nodes:
        before = (e.source for e in graph.edges if e.target == node.number and not e.back)
        depth[node.number] = 1 + max((depth.get(n, -1) for n in before), default=-1)
    return depth


def _chain(edge: Edge, depth: Mapping[int, int]) -> Chain:
    """Return where an arrow passes, layer by layer: those of one operation go together."""
    between = range(depth[edge.source] + 1, depth[edge.target])
    return (edge.source, *((edge.source, each) for each in between), edge.target)


def _layers(depth: Mapping[int, int], chains: Sequence[Chain]) -> list[list[Place]]:
    """Return the places in layers, near what they are joined to (barycentres)."""
    layers: list[list[Place]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    passed = (place for chain in chains for place in chain[1:-1])
    for place in (*depth, *dict.fromkeys(passed)):
        layers[depth[place] if isinstance(place, int) else place[1]].append(place)
    near = _neighbours(chains)
    at = {n: k - len(layer) / 2 for layer in layers for k, n in enumerate(layer)}
    for turn in range(ROUNDS):
        for layer in layers if turn % 2 == 0 else reversed(layers):
            layer.sort(key=lambda place: _mean([at[n] for n in near.get(place, ())], at[place]))
            at.update({n: k - len(layer) / 2 for k, n in enumerate(layer)})
    return layers


def _neighbours(chains: Sequence[Chain]) -> Mapping[Place, list[Place]]:
    near: dict[Place, list[Place]] = {}
    for one, other in dict.fromkeys(pair for chain in chains for pair in pairwise(chain)):
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    return near


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _boxes(
    graph: Graph, layers: Sequence[Sequence[Place]], chains: Sequence[Chain]
) -> Mapping[Place, Box]:
    """Return where everything stands: in its order, as straight below its neighbours as there is room."""
    widths: dict[Place, float] = {n.number: len(_label(n)) * WIDTH + 2 * PAD for n in graph.nodes}
    near, at = _neighbours(chains), dict[Place, float]()
    for turn in range(ROUNDS):
        for layer in layers if turn % 2 == 0 else reversed(layers):
            wanted = [_mean([at[n] for n in near.get(p, ()) if n in at], 0.0) for p in layer]
            at.update(zip(layer, _apart(wanted, [widths.get(p, 0.0) for p in layer]), strict=True))
    left = min((at[p] - widths.get(p, 0.0) / 2 for p in at), default=0.0) - PAD
    return {
        place: Box(
            at[place] - left, PAD + HEIGHT / 2 + depth * (HEIGHT + ABOVE), widths.get(place, 0.0)
        )
        for depth, layer in enumerate(layers)
        for place in layer
    }


def _apart(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Return places near the wanted ones, in their order, that leave room for these widths."""
    steps = [0.0, *((a + b) / 2 + BESIDE for a, b in pairwise(widths))]
    offsets = list(accumulate(steps))
    free = [place - offset for place, offset in zip(wanted, offsets, strict=True)]
    # the monotone sequence between the lowest and the highest one
    low, high = list(accumulate(free, max)), list(accumulate(reversed(free), min))[::-1]
    return [(a + b) / 2 + offset for a, b, offset in zip(low, high, offsets, strict=True)]


def _node_svg(node: Node, box: Box) -> str:
    left, top = box.x - box.width / 2, box.y - HEIGHT / 2
    return (
        f"<g class='{_marks(node)}'><title>{escape(f'line {node.line}: {node.label}')}</title>"
        f"<rect x='{left:.1f}' y='{top:.1f}' width='{box.width:.1f}' height='{HEIGHT}' rx='3'/>"
        f"<text x='{box.x:.1f}' y='{box.y + 4:.1f}' text-anchor='middle'>"
        f"{escape(_label(node))}</text></g>"
    )


def _chain_svg(boxes: Sequence[Box]) -> str:
    """Return an arrow from box to box, through where it passes."""
    path = f"M{boxes[0].x:.1f} {boxes[0].y + HEIGHT / 2:.1f}"
    for one, other in pairwise(boxes):
        top, bottom = one.y + HEIGHT / 2, other.y - HEIGHT / 2
        middle = (top + bottom) / 2
        path += f" C{one.x:.1f} {middle:.1f} {other.x:.1f} {middle:.1f} {other.x:.1f} {bottom:.1f}"
        path += f" V{other.y + HEIGHT / 2:.1f}" if other is not boxes[-1] else ""
    end = boxes[-1].x, boxes[-1].y - HEIGHT / 2
    return f"<path d='{path}'/>{_head(*end, 'm-3.5 -7h7l-3.5 7z')}"


def _back_svg(edge: Edge, boxes: Mapping[Place, Box]) -> str:
    """Return an arrow back to the head of a loop, around the boxes between."""
    one, other = boxes[edge.source], boxes[edge.target]
    passed = [box.right for box in boxes.values() if other.y <= box.y <= one.y]
    side = max([one.right, other.right, *passed]) + AROUND
    lower = HEIGHT / 4 * (edge.source == edge.target)
    ends = f"M{one.right:.1f} {one.y + lower:.1f} C{side:.1f} {one.y + lower:.1f}"
    bend = f"{side:.1f} {other.y - lower:.1f} {other.right:.1f} {other.y - lower:.1f}"
    head = _head(other.right, other.y - lower, "m7 -3.5v7l-7 -3.5z")
    return f"<path class='back' d='{ends} {bend}'/>{head}"


def _head(x: float, y: float, drawn: str) -> str:
    """Return the head of an arrow: no marker, which a hidden graph of the same page could define."""
    return f"<path class='head' d='M{x:.1f} {y:.1f}{drawn}'/>"
