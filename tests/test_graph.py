"""The dataflow graph: operations, the values between them, and their DOT text."""

from __future__ import annotations

import re

import pytest

import s2sad
from s2sad.legacy.graph import Edge, Graph, graph_of
from s2sad.legacy.normalise import normalise
from tests.programs import primal
from tests.programs.entry import Entry
from tests.test_stages import SOME
from tests.texts import defined

STRING = r'"(?:[^"\\]|\\.)*"'
DOT = (
    r"  rankdir=TB;",
    r"  node \[.*\];",
    rf"  n\d+ \[label={STRING}\];",
    rf"  n\d+ -> n\d+ \[label={STRING}(, style=dashed, constraint=false)?\];",
)


def graph(source: str) -> Graph:
    return graph_of(normalise(defined(source)))


def drawn(found: Graph) -> list[str]:
    """Return the edges as 'maker -> reader: value'."""
    label = {node.number: node.label for node in found.nodes}
    return [
        f"{label[edge.source]} {'-->' if edge.back else '->'} {label[edge.target]}"
        for edge in found.edges
    ]


def test_straight_code() -> None:
    found = graph("def f(x, y):\n    z = x * y\n    w = np.sin(z)\n    return w + x")
    assert [node.label for node in found.nodes] == [
        "x",
        "y",
        "z = x * y",
        "w = np.sin(z)",
        "result_1 = w + x",
        "return",
    ]
    assert drawn(found) == [
        "x -> z = x * y",
        "y -> z = x * y",
        "z = x * y -> w = np.sin(z)",
        "w = np.sin(z) -> result_1 = w + x",
        "x -> result_1 = w + x",
        "result_1 = w + x -> return",
    ]


def test_kinds_and_lines() -> None:
    found = graph("def f(u):\n    v = u.copy()\n    v[0] = 1.0\n    print(v)\n    return v")
    assert [node.kind for node in found.nodes] == ["input", "assign", "update", "effect", "output"]
    lines = [node.line for node in found.nodes]
    assert [line - lines[0] for line in lines[1:4]] == [1, 2, 3]


def test_a_value_read_twice_is_one_edge() -> None:
    found = graph("def f(x):\n    y = x * x\n    return y")
    assert drawn(found) == ["x -> y = x * x", "y = x * x -> return"]


def test_a_branch() -> None:
    found = graph(
        """
        def f(x):
            if x > 0.0:
                y = x
            else:
                y = -x
            return y
        """
    )
    assert drawn(found) == [
        "x -> if x > 0.0",
        "x -> y = x",
        "x -> y = -x",
        "y = x -> merge y",
        "y = -x -> merge y",
        "merge y -> return",
    ]


def test_a_loop_has_one_back_edge_for_each_carried_value() -> None:
    found = graph(
        """
        def f(x, n):
            for i in range(n):
                x = 0.5 * x
            return x
        """
    )
    assert drawn(found) == [
        "for i in range(n) --> carry i",
        "x -> carry x",
        "x = 0.5 * x --> carry x",
        "n -> for i in range(n)",
        "carry x -> x = 0.5 * x",
        "carry x -> return",
    ]


def test_targets_of_a_loop() -> None:
    found = graph(
        """
        def f(u):
            s = 0.0
            v = u[1:]
            for i, (a, b) in enumerate(zip(u, v)):
                s = s + a
            return s
        """
    )
    assert "for i, (a, b) in enumerate(zip(u, v))" in [node.label for node in found.nodes]


def test_a_while_and_a_list() -> None:
    found = graph(
        """
        def f(x):
            s = []
            while x > 1.0:
                s.append(x)
                x = 0.5 * x
            return s.pop()
        """
    )
    labels = [node.label for node in found.nodes]
    assert "while x > 1.0" in labels
    assert "s append= x" in labels
    assert any(label.endswith("s.pop()") for label in labels)


@pytest.mark.parametrize("entry", SOME)
def test_every_program(entry: Entry) -> None:
    found = graph_of(normalise(entry.function))
    numbers = [node.number for node in found.nodes]
    assert numbers == list(range(len(numbers)))
    for edge in found.edges:
        reader, maker = found.nodes[edge.target], found.nodes[edge.source]
        assert edge.value in maker.makes and edge.value in reader.reads
        # a value of a pass comes back only where the loop hands it on
        assert reader.kind == "carry" if edge.back else edge.source < edge.target
    assert len({(e.source, e.target, e.value) for e in found.edges}) == len(found.edges)


@pytest.mark.parametrize("entry", SOME)
def test_every_read_has_an_edge(entry: Entry) -> None:
    found = graph_of(normalise(entry.function))
    drawn_ = {(edge.target, edge.value) for edge in found.edges}
    for node in found.nodes:
        foreign = set(node.reads) - set(node.makes)
        assert {(node.number, var) for var in foreign} <= drawn_


@pytest.mark.parametrize("entry", SOME)
def test_dot_text(entry: Entry) -> None:
    found = graph_of(normalise(entry.function))
    first, *lines, last, end = found.dot().split("\n")
    assert first.startswith("digraph") and first.endswith("{") and last == "}" and end == ""
    for line in lines:
        assert any(re.fullmatch(pattern, line) for pattern in DOT), line
    assert len(re.findall(r"^  n\d+ \[", found.dot(), re.M)) == len(found.nodes)
    assert found.dot().count(" -> n") == len(found.edges)


def test_quotes_in_labels() -> None:
    found = graph('def f(x):\n    print("x \\\\ y", x)\n    return x')
    (line,) = [line for line in found.dot().splitlines() if "print" in line]
    assert re.fullmatch(r'  n\d+ \[label="(?:[^"\\]|\\.)*"\];', line)


def test_the_graph_of_a_derivative() -> None:
    found = s2sad.grad(primal.misfit).graph
    assert isinstance(found, Graph)
    assert found.order == found.nodes
    assert [node.label for node in found.nodes if node.kind == "input"] == ["W", "m", "d"]


def test_edges_compare_by_what_they_join() -> None:
    found = graph("def f(x):\n    return x * x")
    edge = found.edges[0]
    assert edge == Edge(edge.source, edge.target, edge.value)
