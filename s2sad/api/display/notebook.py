"""What notebooks show for derivatives, explanations, graphs and checks: HTML of one cell.

derivative_html(df)      the function and its derivative, side by side; what is kept; the graph
explanation_html(e)      a table, as that of a check
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any

from s2sad.api.display.anatomy import Anatomy, anatomy_of
from s2sad.api.display.drawing import graph_svg
from s2sad.api.display.panes import fragment, panes_html, panes_of
from s2sad.api.display.tables import Row, number, table, verdict

if TYPE_CHECKING:
    from s2sad.api.display.graph import Graph

KEPT_HEAD = ("line", "value", "is", "bytes", "because")
CHECK_HEAD = ("", "reverse", "forward", "differences", "agree")


def derivative_html(df: Any) -> str:
    """Return a derivative with its primal, linked line by line."""
    panes = panes_of(df.request.function, df.source, df.__name__)
    parts = [panes_html(panes)]
    anatomy = anatomy_for(df)
    if anatomy is not None and anatomy.kept:
        parts.append(_folded(f"kept: {anatomy.saved or 'nothing is saved'}", kept_html(anatomy)))
    elif anatomy is None and df.request.mode == "reverse":
        with suppress(Exception):  # what cannot be told is not shown
            parts.append(_folded("kept", explanation_table(explained(df))))
    with suppress(Exception):  # a graph that cannot be had is not shown
        parts.append(_folded("dataflow", graph_svg(df.graph)))
    return fragment(panes.mark, panes.links, *parts)


def anatomy_for(df: Any) -> Anatomy | None:
    """Return what is known of a gradient that was written for examples."""
    if df.request.mode != "reverse":
        return None
    return anatomy_of(df.request.function, df.request.wrt, df.request.examples)


def kept_html(anatomy: Anatomy) -> str:
    """Return the table of what is kept."""
    rows: list[Row] = [
        (str(k.line), k.name, k.how, number(anatomy.shown(k.size, "B")), k.why)
        for k in anatomy.kept
    ]
    return table(KEPT_HEAD, rows, anatomy.legend)


def explained(df: Any) -> Any:
    """Return what is said of the loops of a gradient."""
    from s2sad import explain

    return explain(df.request.function, df.request.wrt, like=df.request.examples)


def explanation_html(explanation: Any) -> str:
    """Return an explanation as the output of a cell."""
    return fragment("s2sad-table", (), explanation_table(explanation))


def explanation_table(explanation: Any) -> str:
    """Return an explanation as a table, with what stands below it."""
    head, *rows = explanation.cells
    ends = str(explanation).splitlines()[len(rows) + 1 :]
    made = [(*row[:3], number(row[3]), row[4]) for row in rows]
    below = "".join(f"<div>{escape(line)}</div>" for line in ends)
    return table(head, made) + below


def check_html(report: Any) -> str:
    """Return the report of `check_grad` as a table."""
    return fragment("s2sad-table", (), check_table(report))


def check_table(report: Any) -> str:
    """Return the table of a check; elements that disagree stand below it."""
    wrong = "".join(f"<pre>{escape(e)}</pre>" for row in report.rows for e in row.elements)
    wrong += f"<pre>{escape(report.parting)}</pre>" if report.parting else ""
    caption = f"{report.name}, along one random direction in each argument"
    return table(CHECK_HEAD, _check_rows(report.rows), caption) + wrong


def _check_rows(rows: Iterable[Any]) -> Iterable[Row]:
    for row in rows:
        three = (f"{each:.7e}" for each in (row.reverse, row.forward, row.differences))
        yield (row.path, *map(number, three), verdict(row.ok, row.verdict))


def graph_html(graph: Graph) -> str:
    """Return a graph as the output of a cell."""
    return fragment("s2sad-graph", (), graph_svg(graph))


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{body}</details>"
