"""The dataflow graph: operations, the values between them, and their DOT text."""

from __future__ import annotations

import re

import pytest

import s2sad
from s2sad.api.display.graph import Edge, Graph, graph_of
from s2sad.ir.errors import NotYet
from tests.programs import primal
from tests.programs.entry import Entry
from tests.programs.table import ALL
from tests.texts import defined

# one row in thirty of the tables
SOME = [pytest.param(entry, id=entry.label) for entry in ALL[7::30]]
STRING = r'"(?:[^"\\]|\\.)*"'
DOT = (
    r"  rankdir=TB;",
    r"  node \[.*\];",
    rf"  n\d+ \[label={STRING}\];",
    rf"  n\d+ -> n\d+ \[label={STRING}(, style=dashed, constraint=false)?\];",
)


def graph(source: str) -> Graph:
    return graph_of(defined(source), None)


def drawn(found: Graph) -> set[str]:
    """Return the edges as 'maker -> reader: value'."""
    label = {node.number: node.label for node in found.nodes}
    return {
        f"{label[e.source]} {'-->' if e.back else '->'} {label[e.target]}: {e.value}"
        for e in found.edges
    }


def test_straight_code() -> None:
    found = graph("def f(x, y):\n    z = x * y\n    w = np.sin(z)\n    return w + x")
    labels = ["x", "y", "z = x * y", "w = np.sin(z)", "return w + x"]
    assert [node.label for node in found.nodes] == labels
    assert drawn(found) == {
        "x -> z = x * y: x",
        "y -> z = x * y: y",
        "z = x * y -> w = np.sin(z): z",
        "w = np.sin(z) -> return w + x: w",
        "x -> return w + x: x",
    }


def test_kinds_and_lines() -> None:
    found = graph("def f(u):\n    v = u.copy()\n    v[0] = 1.0\n    print(v)\n    return v")
    assert [node.kind for node in found.nodes] == ["input", "assign", "update", "effect", "output"]
    lines = [node.line for node in found.nodes]
    assert [line - lines[0] for line in lines[1:4]] == [1, 2, 3]


def test_a_value_read_twice_is_one_edge() -> None:
    assert drawn(graph("def f(x):\n    return x * x")) == {"x -> return x * x: x"}


def test_a_branch() -> None:
    found = graph(
        """
        def f(x):
            y = 1.0
            if x > 0.0:
                y = x
            elif x > -1.0:
                y = -x
            return y
        """
    )
    assert drawn(found) == {
        "x -> if x > 0.0: x",
        "x -> y = x: x",
        "x -> if x > -1.0: x",
        "x -> y = -x: x",
        "y = x -> return y: y",
        "y = -x -> return y: y",
        "y = 1.0 -> return y: y",
        "x -> return y: y",
    }


def test_a_loop_hands_on_to_its_next_pass() -> None:
    found = graph(
        """
        def f(x, n):
            for i in range(n):
                x = 0.5 * x
            return x
        """
    )
    assert drawn(found) == {
        "n -> for i in range(n): n",
        "x -> x = 0.5 * x: x",
        "x = 0.5 * x --> x = 0.5 * x: x",
        "x = 0.5 * x -> return x: x",
        "x -> return x: x",
    }


def test_a_break_leaves_with_what_was_made_before() -> None:
    found = graph(
        """
        def f(x, n):
            y = 0.0
            for i in range(n):
                y = 2.0 * x
                if y > 1.0:
                    break
                y = 2.0
            return y
        """
    )
    makers = {edge for edge in drawn(found) if "return y" in edge}
    assert makers == {f"{made} -> return y: y" for made in ("y = 0.0", "y = 2.0 * x", "y = 2.0")}


def test_what_is_written_through_a_view_is_read_in_the_whole() -> None:
    found = graph(
        """
        def f(u, c):
            v = u.copy()
            inner = v[1:]
            inner *= c
            return np.sum(v) + len(u)
        """
    )
    assert "inner *= c -> return np.sum(v) + len(u): v" in drawn(found)
    assert "inner *= c -> return np.sum(v) + len(u): u" not in drawn(found)


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
    edges = drawn(found)
    assert "x = 0.5 * x --> while x > 1.0: x" in edges
    assert any(e.startswith("s.append(x) -> ") and "s.pop()" in e for e in edges)


def test_a_handler_begins_anywhere_in_its_try() -> None:
    found = graph(
        """
        def f(x):
            y = 1.0
            try:
                y = x
                y = 1.0 / x
            except ZeroDivisionError:
                z = y
            else:
                z = 3.0
            return z
        """
    )
    makers = {edge for edge in drawn(found) if "z = y" in edge.partition("->")[2]}
    assert {edge.partition(" -> ")[0] for edge in makers} >= {"y = 1.0", "y = x"}


@pytest.mark.parametrize("entry", SOME)
def test_every_program(entry: Entry) -> None:
    try:
        found = graph_of(entry.function, dict(zip(parameters(entry), entry.args, strict=True)))
    except (s2sad.S2sadError, ValueError):
        return  # what cannot be lowered has no graph
    assert [node.number for node in found.nodes] == list(range(len(found.nodes)))
    for edge in found.edges:
        reader, maker = found.nodes[edge.target], found.nodes[edge.source]
        assert edge.value in reader.reads and maker.kind not in ("branch", "output")
        assert edge.back == (edge.source >= edge.target)
    made = {name for node in found.nodes for name in node.makes}
    read = {(edge.target, edge.value) for edge in found.edges}
    missing = [(n.number, v) for n in found.nodes for v in n.reads if v in made]
    assert {each for each in missing if each not in read} == set(), found.dot()
    is_dot(found)


def parameters(entry: Entry) -> tuple[str, ...]:
    code = entry.function.__code__
    return code.co_varnames[: code.co_argcount]


def is_dot(found: Graph) -> None:
    first, *lines, last, end = found.dot().split("\n")
    assert first.startswith("digraph") and first.endswith("{") and last == "}" and end == ""
    for line in lines:
        assert any(re.fullmatch(pattern, line) for pattern in DOT), line
    assert found.dot().count(" -> n") == len(found.edges)


def test_quotes_in_labels() -> None:
    found = graph('def f(x):\n    print("x \\\\ y", x)\n    return x')
    (line,) = [line for line in found.dot().splitlines() if "print" in line]
    assert re.fullmatch(r'  n\d+ \[label="(?:[^"\\]|\\.)*"\];', line)


def test_the_graph_of_a_derivative_is_that_of_its_function() -> None:
    found = s2sad.grad(primal.misfit).graph
    assert isinstance(found, Graph)
    assert found.order == found.nodes
    assert [node.label for node in found.nodes if node.kind == "input"] == ["W", "m", "d"]


def test_edges_compare_by_what_they_join() -> None:
    edge = graph("def f(x):\n    return x * x").edges[0]
    assert edge == Edge(edge.source, edge.target, edge.value)


def test_what_cannot_be_lowered_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise NotYet("a riddle")

    monkeypatch.setattr("s2sad.api.display.graph.lowered", fails)
    with pytest.raises(s2sad.Unsupported, match=r"huber has no dataflow graph: a riddle"):
        graph_of(primal.huber, None)
