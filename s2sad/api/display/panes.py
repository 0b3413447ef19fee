"""A function and its derivative side by side, each line linked with those that it belongs to.

Where the pointer is on a line of the primal, its lines of the derivative light up, and the other
way round. It needs no script: a rule of the style sheet stands for each line.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from s2sad.api.display.markup import highlighted
from s2sad.emit.comments import Line as Written
from s2sad.emit.comments import Place, statement_at
from s2sad.ir.records import dataclass
from s2sad.source.files import first_line

FEWEST, MOST = 40, 100  # per cent of the width that panes may take


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a pane: its number, its text, and the lines of the primal that it belongs to."""

    number: int
    text: str
    links: frozenset[int]
    is_saving: bool = False


@dataclass(frozen=True, slots=True)
class Panes:
    """The lines of a primal, function by function, and those of its derivative."""

    title: str
    primal: tuple[tuple[Line, ...], ...]
    name: str
    derivative: tuple[Line, ...]

    @property
    def mark(self) -> str:
        """Return a class of the page for these panes alone."""
        every = "\n".join(line.text for each in (*self.primal, self.derivative) for line in each)
        return f"s2sad-{hashlib.sha256(every.encode()).hexdigest()[:10]}"

    @property
    def links(self) -> frozenset[int]:
        """Return the lines of the primal that something belongs to."""
        return frozenset(n for line in self.derivative for n in line.links)


def panes_of(function: Callable[..., Any], derivative: Sequence[Written], name: str) -> Panes:
    """Return the panes of a function and of the lines of its derivative."""
    path, start = _place_of(function)
    text = linecache.getlines(path)
    places = [line.place for line in derivative if line.place and line.place.path == path]
    nodes = _functions_of("".join(text), [start, *(place.first for place in places)])
    own = tuple(
        Line(number, line.text, _links(line.place, path), line.is_saving)
        for number, line in enumerate(derivative[:-1], 1)
    )
    primal = tuple(_primal(node, path, text) for node in nodes)
    title = Path(path).name if text else getattr(function, "__name__", "")
    return Panes(title, primal, name, own)


def panes_for(df: Any) -> Panes:
    """Return the panes of a derivative."""
    return panes_of(df.request.function, df.shown.lines, df.__name__)


def _place_of(function: Any) -> tuple[str, int]:
    code = getattr(inspect.unwrap(function), "__code__", None)
    code = code or getattr(getattr(function, "__func__", None), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)


def _functions_of(text: str, lines: Iterable[int]) -> list[ast.stmt]:
    """Return the outermost functions, or statements, in which lines of a file stand."""
    every = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.stmt)]
    functions = [n for n in every if isinstance(n, ast.FunctionDef)]
    found: dict[int, ast.stmt] = {}
    for line in lines:
        for among in (functions, every):
            holds = [n for n in among if first_line(n) <= line <= (n.end_lineno or n.lineno)]
            if holds:  # a lambda stands in a statement of its own
                node = holds[0] if among is functions else holds[-1]
                found.setdefault(node.lineno, node)
                break
    return list(found.values())


def _primal(node: ast.stmt, path: str, text: Sequence[str]) -> tuple[Line, ...]:
    numbers = range(first_line(node), (node.end_lineno or node.lineno) + 1)
    return tuple(
        Line(n, text[n - 1].rstrip("\n"), _links(statement_at(path, n), path)) for n in numbers
    )


def _links(place: Place | None, path: str) -> frozenset[int]:
    """Return the lines of a file that a statement takes."""
    if place is None or place.path != path:
        return frozenset()
    return frozenset(range(place.first, place.last + 1))


# ---------------------------------------------------------------------------- HTML


def panes_html(panes: Panes) -> str:
    """Return panes as a piece of HTML; the style sheet of `style` belongs to it."""
    primal = "".join(_code_html(lines, panes.links) for lines in panes.primal)
    return (
        f"<div class='s2sad-panes'><section><h4>{escape(panes.title)}</h4>{primal}</section>"
        f"<section><h4>{escape(panes.name)}</h4>{_code_html(panes.derivative)}</section></div>"
    )


def _code_html(lines: Sequence[Line], known: frozenset[int] | None = None) -> str:
    texts = highlighted("\n".join(line.text for line in lines))
    shown = [*texts, *[""] * (len(lines) - len(texts))]
    made = (_line_html(each, html, known) for each, html in zip(lines, shown, strict=True))
    return f"<pre>{''.join(made)}</pre>"


def _line_html(line: Line, html: str, known: frozenset[int] | None) -> str:
    own = line.links if known is None else line.links & known
    marks = [f"l{n}" for n in sorted(own)] + ["saved"] * line.is_saving
    focus = " tabindex='0'" if own else ""
    return f"<span class='{' '.join(['line', *marks])}'{focus}><b>{line.number}</b>{html}\n</span>"


def link_rules(mark: str, links: Iterable[int]) -> str:
    """Return the rules that light up all lines of a number where the pointer is on one of them."""
    return "\n".join(
        f".{mark}:has(.l{n}:is(:hover,:focus)) .l{n}"
        f"{{background:var(--s2sad-lit);outline:1px solid var(--s2sad-lit)}}"
        for n in sorted(links)
    )


@cache
def style() -> str:
    """Return the style sheet of all that is shown."""
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def fragment(marks: str, links: Iterable[int], *parts: str, selector: str = "") -> str:
    """Return parts as the output of a cell, with the style that they need.

    `marks` are its classes; one of them, `selector`, is that of the linked lines.
    """
    rules = link_rules(selector or marks, links)
    return f"<div class='s2sad {marks}'><style>{style()}\n{rules}</style>{''.join(parts)}</div>"
