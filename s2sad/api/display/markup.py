"""Tables as text and HTML, and Python text as highlighted lines of HTML.

aligned([("line", "value"), ("8", "u")])                        ["line  value", "8     u"]
table(("line", "value"), [("8", "u")], caption="kept")          "<table>..."

highlighted("x = 1.0  # one")    ->    ('x = <i class="n">1.0</i>  <i class="c"># one</i>',)
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterable, Iterator, Sequence
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


# k: keywords, s: texts, c: comments, n: numbers, f: names that are defined
Piece = tuple[str, str]
BY_TOKEN = {"COMMENT": "c", "STRING": "s", "NUMBER": "n"}
BY_TOKEN |= dict.fromkeys(("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"), "s")


def highlighted(text: str) -> tuple[str, ...]:
    """Return each line of a Python text as HTML."""
    return tuple(_lines(pieces_of(text)))


def _lines(pieces: Iterable[Piece]) -> Iterator[str]:
    """Yield pieces line by line; what spans several lines is marked in each."""
    line = ""
    for kind, text in pieces:
        *ended, rest = text.split("\n")
        for part in ended:
            yield line + _marked(kind, part)
            line = ""
        line += _marked(kind, rest)
    if line:
        yield line


def _marked(kind: str, text: str) -> str:
    shown = escape(text)
    return f'<i class="{kind}">{shown}</i>' if kind and shown else shown


def pieces_of(text: str) -> Iterator[Piece]:
    """Yield the pieces of a text as Python's own tokenizer tells them apart."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    done, before = 0, ""
    for token in _tokens(text):
        kind = _kind(token, before)
        start = starts[token.start[0] - 1] + token.start[1]
        end = starts[token.end[0] - 1] + token.end[1]
        if kind and start >= done:
            yield "", text[done:start]
            yield kind, text[start:end]
            done = end
        before = token.string
    yield "", text[done:]


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return  # what could be read of it


def _kind(token: tokenize.TokenInfo, before: str) -> str:
    if token.type == tokenize.NAME:
        return "k" if keyword.iskeyword(token.string) else "f" if before == "def" else ""
    return BY_TOKEN.get(tokenize.tok_name[token.type], "")
