"""What is known of a function and its derivative is shown: `explain`, `show`, `graph`, `why`, and so on.

s2sad explain model.py:misfit --checkpoint sqrt          what is kept, and the peak of memory
s2sad show model.py:misfit --after lowering              the function after a stage
s2sad graph model.py:misfit | dot -Tsvg > misfit.svg     the dataflow of its gradient
s2sad why model.py:misfit k                              where a zero derivative is cut off
s2sad debug model.py:misfit --like "(np.ones(3), 2)"     the first value that is no finite number
s2sad report model.py:misfit -o report.html              a page about all of it
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import webbrowser
from typing import Any

import s2sad
from s2sad.api.commands.making import checkpoint, rules_in_force, wanted
from s2sad.api.commands.output import DONE, REFUSED, Usage, say, write_out
from s2sad.api.commands.refreshing import put
from s2sad.api.commands.targets import example, found
from s2sad.api.display.page import is_page, page_of
from s2sad.source.digest import files_behind


def run(options: argparse.Namespace) -> int:
    """Print what is asked for of each target; exit status 1 where `debug` finds no finite number."""
    if options.command in ONE_TARGET:
        return ONE_TARGET[options.command](options)
    texts = []
    with contextlib.redirect_stdout(sys.stderr):
        for asked in options.targets:
            with found(asked) as target, rules_in_force(options.rules):
                texts.append(_shown(options, target.function, example(target, options.like)))
    write_out("\n".join(text.rstrip("\n") + "\n" for text in texts))
    return DONE


def _shown(options: argparse.Namespace, function: Any, like: Any) -> str:
    asked = {"wrt": wanted(options.wrt), "like": like}
    if options.command == "show":
        return s2sad.show(function, options.after, mode=options.mode, **asked)
    if options.command == "graph":
        return str(s2sad.grad(function, **asked).graph.dot())
    asked |= {"memory": options.memory, "arrays": options.arrays}
    return str(s2sad.explain(function, checkpoint=checkpoint(options.checkpoint), **asked))


def _why(options: argparse.Namespace) -> int:
    with found(options.target) as target:
        like = example(target, options.like)
        causes = [str(s2sad.why(target.function, name, like=like)) for name in options.names]
    write_out("\n".join(causes) + "\n")
    return DONE


def _debug(options: argparse.Namespace) -> int:
    with found(options.target) as target:
        like = example(target, options.like)
        if like is None:
            raise Usage(f"debug needs arguments: give --like, or define {target.name}_example")
        derivative = s2sad.value_and_grad(target.function, wanted(options.wrt), like=like)
        first = derivative.first_nonfinite(*like)
    write_out("every value is finite\n" if first is None else f"{first}\n")
    return DONE if first is None else REFUSED


def _report(options: argparse.Namespace) -> int:
    """Write the page about a function and its gradient."""
    browser = _browser() if options.open else None
    with found(options.target) as target, rules_in_force(options.rules):
        like = example(target, options.like)
        page = page_of(target.function, wanted(options.wrt), like=like)
        sources = (*target.sources, *files_behind(target.function))
    if str(options.output) == "-":
        write_out(page)
        return DONE
    put(options.output, page, force=options.force or is_page(options.output), sources=sources)
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


ONE_TARGET = {"why": _why, "debug": _debug, "report": _report}
