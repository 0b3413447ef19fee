"""A page about a function and its gradient is written: `report`.

s2sad report model.py:misfit --wrt W,m -o report.html
"""

from __future__ import annotations

import argparse
import webbrowser
from typing import Any

from s2sad.api.commands.making import rules_in_force, wanted
from s2sad.api.commands.output import DONE, Usage, say, write_out
from s2sad.api.commands.refreshing import put
from s2sad.api.commands.targets import example, found
from s2sad.api.display.page import page_of


def run(options: argparse.Namespace) -> int:
    """Write the page."""
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
    try:
        return webbrowser.get()
    except webbrowser.Error:
        raise Usage(
            "there is no browser for --open: leave it out, and open the file yourself"
        ) from None
