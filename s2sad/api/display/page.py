"""A report: one page about a function and its gradient, which asks nothing of the network.

report(misfit, "report.html", wrt=("W", "m"), like=(W, m, d))
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from s2sad.api.display.costs import costs
from s2sad.api.display.drawing import graph_svg
from s2sad.api.display.explanation import Measured, explained
from s2sad.api.display.markup import Row, number, table
from s2sad.api.display.notebook import check_table, explanation_table, measured_for
from s2sad.api.display.panes import fragment, panes_for, panes_html
from s2sad.api.display.short import short
from s2sad.emit.files import write_file
from s2sad.source.digest import files_behind

COST_HEAD = ("line", "statement", "forward sweep", "reverse sweep", "bytes read and written")
HEAD = "<h1 class='s2sad-title'>"
NO_EXAMPLES = "Give example arguments (like=, --like) to see this."


@short
def report(
    function: Callable[..., Any],
    path: str | os.PathLike[str],
    wrt: Any = None,
    *,
    like: Any = None,
    rules: Any = None,
    force: bool = False,
) -> Path:
    """Write a page about a function and its gradient, and return its path.

    The page shows both texts with their lines linked, what the gradient keeps, what each line
    costs, the dataflow, and the check at `like`, with which there are numbers beside the formulas.
    `wrt`, `like` and `rules` are those of `grad`.

    Raises:
        ArgumentError: the file holds no page of this kind, and no `force` is given; or it is the source.
        OSError: the file cannot be written.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.
    """
    page = page_of(function, wrt, like=like, rules=rules)
    force = force or is_page(Path(path))
    return write_file(Path(path), page, force=force, sources=files_behind(function))


def is_page(path: Path) -> bool:
    """Tell whether a file is a page of this kind, which nobody edits."""
    return path.is_file() and HEAD.encode() in path.read_bytes()


def page_of(function: Callable[..., Any], wrt: Any = None, *, like: Any, rules: Any = None) -> str:
    """Return the page as HTML."""
    from s2sad import grad

    df = grad(function, wrt, like=like, rules=rules)
    panes = panes_for(df)
    named = getattr(function, "__name__", "function")
    title = f"{named} and its gradient with respect to {', '.join(df.request.wrt)}"
    sections = "".join(
        f"<section id='{mark}'><h2>{escape(head)}</h2>{body}</section>"
        for mark, head, body in _sections(df, panes_html(panes), like)
    )
    body = fragment(f"s2sad-page {panes.mark}", panes.links, sections, selector=panes.mark)
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>{escape(title)}</title></head><body>{HEAD}{escape(title)}</h1>"
        f"{body}<script>{script()}</script></body></html>\n"
    )


@cache
def script() -> str:
    """Return the script of a page: where lines light up, the other pane is scrolled to them."""
    return Path(__file__).with_name("page.js").read_text(encoding="utf-8")


def _sections(df: Any, panes: str, like: Any) -> Iterator[tuple[str, str, str]]:
    yield "lines", "Lines", panes
    found = measured_for(df)
    kept = None if found is None else explanation_table(explained(found), found.passes.legend)
    yield "kept", "What is kept", _note(like) if kept is None else kept
    yield "costs", "What each line costs", _note(like) if found is None else _costs(df, found)
    with suppress(Exception):  # a graph that cannot be had is not shown
        yield "dataflow", "Dataflow", graph_svg(df.graph)
    yield "check", "Check", _check(df, like)


def _note(like: Any) -> str:
    return f"<p>{escape(NO_EXAMPLES if like is None else 'Not known for this function.')}</p>"


def _costs(df: Any, found: Measured) -> str:
    """Return what each line costs, in operations of both sweeps and in bytes."""
    panes = panes_for(df)
    texts = {line.number: line.text.strip() for each in panes.primal for line in each}
    legend = found.passes.legend
    caption = f"operations on numbers; {legend}" if legend else ""
    return table(COST_HEAD, _cost_rows(found, texts), caption)


def _cost_rows(found: Measured, texts: Mapping[int, str]) -> Iterator[Row]:
    shown = found.passes.shown
    for line, cost in costs(found.program, found.passes).items():
        yield (
            str(line or ""),
            texts.get(line, ""),
            number(shown(cost.forward)),
            number(shown(cost.reverse)),
            number(shown(cost.moved, "B")),
        )


def _check(df: Any, like: Any) -> str:
    """Return the table of the check at the example arguments."""
    from s2sad import S2sadError, check_grad

    if like is None:
        return _note(like)
    args = tuple(like.values()) if isinstance(like, Mapping) else tuple(like)
    try:
        return check_table(check_grad(df.request.function, args, df.request.wrt))
    except S2sadError as error:
        return f"<pre>{escape(str(error))}</pre>"
