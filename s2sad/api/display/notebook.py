"""What notebooks show for derivatives, explanations, graphs and checks: HTML of one cell.

derivative_html(df)      the function and its derivative, side by side; what is kept; the graph
explanation_html(e)      a table, as that of a check
"""

from __future__ import annotations

from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any

from s2sad.api.display.drawing import graph_svg
from s2sad.api.display.explanation import Explanation, Measured, explained, measured
from s2sad.api.display.markup import Row, number, table, verdict
from s2sad.api.display.panes import fragment, panes_html, panes_of

if TYPE_CHECKING:
    from s2sad.api.display.graph import Graph


def derivative_html(df: Any) -> str:
    """Return a derivative with its primal, linked line by line."""
    panes = panes_of(df.request.function, df.source, df.__name__)
    parts = [panes_html(panes)]
    found = measured_for(df)
    if found is not None:
        told = explained(found)
        saved = told.formula or "nothing is saved"
        parts.append(_folded(f"kept: {saved}", explanation_table(told, found.passes.legend)))
    with suppress(Exception):  # a graph that cannot be had is not shown
        parts.append(_folded("dataflow", graph_svg(df.graph)))
    return fragment(panes.mark, panes.links, *parts)


def measured_for(df: Any) -> Measured | None:
    """Return a gradient to be measured, its lengths as letters; None where it cannot be."""
    if df.request.mode == "reverse":
        with suppress(Exception):  # what cannot be told is not shown
            return measured(df.request, df.request.examples, lettered=True)
    return None


def explanation_html(explanation: Explanation) -> str:
    """Return an explanation as the output of a cell."""
    return fragment("s2sad-table", (), explanation_table(explanation))


def explanation_table(explanation: Explanation, legend: str = "") -> str:
    """Return an explanation as a table, with what stands below it."""
    head, *rows = explanation.cells
    made: list[Row] = [(*row[:3], number(row[3]), row[4]) for row in rows]
    below = "".join(f"<div>{escape(line)}</div>" for line in explanation.below)
    return (table(head, made, legend) if made else "<div>nothing is kept</div>") + below


def check_html(report: Any) -> str:
    """Return the report of `check_grad` as a table."""
    return fragment("s2sad-table", (), check_table(report))


def check_table(report: Any) -> str:
    """Return the table of a check, with the elements that disagree."""
    below = [*(row.unlisted for row in report.rows if row.unlisted), report.parting]
    told = "".join(f"<pre>{escape(each)}</pre>" for each in below if each)
    first = "given" if any(row.is_given for row in report.rows) else "reverse"
    rows = (_check_row(each) for row in report.rows for each in row.listed)
    caption = f"{report.name}, along one random direction in each argument"
    return table(("", first, "forward", "differences", "agree"), rows, caption) + told


def _check_row(row: Any) -> Row:
    three = (f"{each:.7e}" for each in (row.reverse, row.forward, row.differences))
    return (row.path, *map(number, three), verdict(row.ok, row.verdict))


def graph_html(graph: Graph) -> str:
    """Return a graph as the output of a cell."""
    return fragment("s2sad-graph", (), graph_svg(graph))


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{body}</details>"
