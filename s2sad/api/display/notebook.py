"""What notebooks show for derivatives, explanations, graphs and checks: HTML of one cell.

derivative_html(df)                     the function and its derivative, side by side; what is kept; the graph
cell("table", explanation_table(e))     a table, as that of a check
"""

from __future__ import annotations

from contextlib import suppress
from html import escape
from typing import Any

from s2sad.api.display.drawing import graph_svg
from s2sad.api.display.explanation import Explanation, Measured, explained, measured
from s2sad.api.display.markup import Row, number, table, verdict
from s2sad.api.display.panes import fragment, panes_for, panes_html


def derivative_html(df: Any) -> str:
    """Return a derivative with its primal, linked line by line."""
    panes = panes_for(df)
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


def explanation_table(explanation: Explanation, legend: str = "") -> str:
    """Return an explanation as a table, with what stands below it."""
    head, *rows = explanation.cells
    made: list[Row] = [(*row[:3], number(row[3]), row[4]) for row in rows]
    below = "".join(f"<div>{escape(line)}</div>" for line in explanation.below)
    return (table(head, made, legend) if made else "<div>nothing is kept</div>") + below


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


def cell(kind: str, content: str) -> str:
    """Return a table, or a graph, as the output of a cell."""
    return fragment(f"s2sad-{kind}", (), content)


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{body}</details>"
