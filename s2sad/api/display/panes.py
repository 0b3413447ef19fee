"""A function and its derivative side by side, each line linked with those that it belongs to.

Where the pointer is on a line of the primal, its lines of the derivative light up, and the other
way round. It needs no script: a rule of the style sheet stands for each line.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from s2sad.api.display.links import (
    REMARK,
    Statement,
    functions_of,
    is_saving,
    linked,
    statements_of,
)
from s2sad.api.display.markup import highlighted
from s2sad.ir.records import dataclass
from s2sad.source.files import first_line

FEWEST, MOST = 40, 100  # per cent of the width that panes may take


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a pane: its number, its text, and the lines of the primal that it belongs to."""

    number: int
    text: str
    links: frozenset[int]


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


def panes_of(function: Callable[..., Any], source: str, name: str) -> Panes:
    """Return the panes of a function and of the text of its derivative."""
    path, start = _place_of(function)
    text = "".join(linecache.getlines(path))
    derivative = source.rstrip("\n").splitlines()
    if not text:
        return Panes(getattr(function, "__name__", ""), (), name, _lines(derivative, {}))
    nodes = functions_of(text, [start, *_named_lines(derivative, text)])
    known = [each for node in nodes for each in statements_of(node)]
    links = linked(source, known)
    written = text.splitlines()
    primal = tuple(_primal(node, known, written) for node in nodes)
    return Panes(Path(path).name, primal, name, _lines(derivative, links))


def _place_of(function: Any) -> tuple[str, int]:
    code = getattr(inspect.unwrap(function), "__code__", None)
    code = code or getattr(getattr(function, "__func__", None), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)


def _named_lines(derivative: Sequence[str], text: str) -> Iterable[int]:
    """Yield the lines of the same file that remarks of a derivative name."""
    count = text.count("\n") + 1
    for line in derivative:
        before, sign, comment = line.partition("#")
        match = REMARK.match(sign + comment)
        if match and match["first"] and not match["file"] and int(match["first"]) <= count:
            yield int(match["first"])


def _primal(node: ast.stmt, known: Sequence[Statement], text: Sequence[str]) -> tuple[Line, ...]:
    whole = {n: frozenset(s.lines) for s in known for n in s.lines}
    numbers = range(first_line(node), (node.end_lineno or node.lineno) + 1)
    return tuple(Line(n, text[n - 1], whole.get(n, frozenset())) for n in numbers)


def _lines(text: Sequence[str], links: Mapping[int, frozenset[int]]) -> tuple[Line, ...]:
    return tuple(Line(n, t, links.get(n, frozenset())) for n, t in enumerate(text, 1))


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
    marks = [f"l{n}" for n in sorted(own)] + ["saved"] * (known is None and is_saving(line.text))
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
