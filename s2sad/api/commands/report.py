"""A page about a function and its gradient is written: `report`.

s2sad report model.py:misfit --wrt W,m -o report.html
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from s2sad.api.commands.output import say, write_out
from s2sad.api.commands.problems import DONE, Usage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = "s2sad report TARGET -o FILE.html [options]"
    add = parser.add_argument
    add("target", metavar="TARGET", help="FILE.py:function or module:function")
    add("--wrt", metavar="NAMES", action="append", help="parameters: W,m (default: the first)")
    add("--like", metavar="EXPR", help="example arguments: a tuple, or none")
    add("--rules", metavar="FILE.py", type=Path, help="templates of rules")
    add("-o", "--output", metavar="FILE.html", type=Path, required=True, help="- is the output")
    add("--open", action="store_true", help="show it in a browser")
    add("--force", action="store_true", help="overwrite a file that differs")


def run(options: argparse.Namespace) -> int:
    """Write the page."""
    from s2sad.api.commands.making import rules_in_force, wanted
    from s2sad.api.commands.refreshing import put
    from s2sad.api.commands.targets import example, found
    from s2sad.api.display.page import page_of

    browser = _browser() if options.open else None
    with found(options.target) as target, rules_in_force(options.rules):
        like = example(target, options.like)
        page = page_of(target.function, wanted(options.wrt), like=like)
        sources = target.sources
    if str(options.output) == "-":
        write_out(page)
        return DONE
    put(options.output, page, force=options.force, sources=sources)
    say(f"wrote {options.output}")
    if browser is not None:
        browser.open(options.output.resolve().as_uri())
    return DONE


def _browser() -> Any:
    """Return the user's browser; raise Usage, before anything is written, where there is none."""
    import webbrowser

    try:
        return webbrowser.get()
    except webbrowser.Error:
        raise Usage(
            "there is no browser for --open: leave it out, and open the file yourself"
        ) from None
