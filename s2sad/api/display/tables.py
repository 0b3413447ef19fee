"""Tables of explanations and checks, as text and as HTML.

aligned([("line", "value"), ("8", "u")])                        ["line  value", "8     u"]
table(("line", "value"), [("8", "u")], caption="kept")          "<table>..."
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from s2sad.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with a class of its own: "number", "yes" or "no"."""

    text: str
    mark: str = ""


Row = Sequence[str | Cell]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table as text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def table(head: Sequence[str], rows: Iterable[Row], caption: str = "") -> str:
    """Return a table as HTML; rows whose first cell is a line of the primal light up with it."""
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    named = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(map(_row, rows))
    return f"<table>{named}<thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _row(row: Row) -> str:
    first = row[0] if row else ""
    line = first.text if isinstance(first, Cell) else first
    mark = f" class='l{line}'" if line.isdigit() else ""
    return f"<tr{mark}>{''.join(map(_cell, row))}</tr>"


def _cell(cell: str | Cell) -> str:
    text, mark = (cell.text, cell.mark) if isinstance(cell, Cell) else (cell, "")
    named = f" class='{mark}'" if mark else ""
    return f"<td{named}>{escape(text)}</td>"


def number(text: str) -> Cell:
    """Return a cell that stands on the right."""
    return Cell(text, "number")


def verdict(ok: bool, text: str) -> Cell:
    """Return a cell that says whether something holds."""
    return Cell(text, "yes" if ok else "no")
