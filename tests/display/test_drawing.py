"""Graphs are drawn: every operation once, no box over another, arrows between what they join."""

from __future__ import annotations

import re
import sys
from itertools import combinations

import pytest

import s2sad
from s2sad.api.display import drawing
from tests.display.models import heat, misfit


@pytest.fixture(params=[misfit, heat], ids=["misfit", "heat"])
def graph(request):
    return s2sad.grad(request.param).graph


def test_no_box_lies_over_another(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    svg = drawing.graph_svg(graph)
    pattern = r"<rect x='([\d.-]+)' y='([\d.-]+)' width='([\d.]+)' height='([\d.]+)'"
    boxes = [tuple(map(float, each)) for each in re.findall(pattern, svg)]
    assert len(boxes) == len(graph.nodes)
    for (x, y, w, h), (u, v, a, b) in combinations(boxes, 2):
        assert x + w <= u or u + a <= x or y + h <= v or v + b <= y
    width, height = map(float, re.search(r"viewBox='0 0 (\d+) (\d+)'", svg).groups())
    assert all(x >= 0 and y >= 0 and x + w <= width and y + h <= height for x, y, w, h in boxes)


def test_every_value_has_its_arrow_and_loops_theirs_back(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    svg = drawing.graph_svg(graph)
    assert svg.count("class='head'") == len(graph.edges)
    assert svg.count("class='back'") == sum(edge.back for edge in graph.edges) > 0


def test_what_reads_a_value_stands_below_it(graph):
    assert all(edge.source < edge.target for edge in graph.edges if not edge.back)


def test_no_lane_holds_the_values_of_two_operations(graph):
    lanes = drawing._lanes(graph, back=False)
    last = {n: max(e.target for e in graph.edges if e.source == n and not e.back) for n in lanes}
    for one, other in combinations(lanes, 2):
        assert lanes[one] != lanes[other] or last[one] < other or last[other] < one


def test_graphviz_draws_where_it_is_installed(graph, monkeypatch):
    class Source:
        def __init__(self, text):
            self.text = text

        def pipe(self, format, encoding):
            assert format == "svg" and 'class="input l' in self.text
            return f"<?xml version='1.0'?>\n<!DOCTYPE svg>\n<svg>{self.text.count('->')}</svg>"

    module = type(sys)("graphviz")
    module.Source = Source
    module.ExecutableNotFound = module.CalledProcessError = ValueError
    monkeypatch.setitem(sys.modules, "graphviz", module)
    assert drawing.graph_svg(graph) == f"<svg>{len(graph.edges)}</svg>"
    Source.pipe = lambda *_, **__: (_ for _ in ()).throw(ValueError)
    assert "<rect" in drawing.graph_svg(graph)
