"""Text goes to standard output, messages to standard error, and a command ends with a status.

write_out("def naïve_grad(x): ...")     UTF-8, as Python reads it; Unwritten where a pipe is closed
say("wrote misfit_grad.py")             to standard error, where there is one, unless with -q
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from typing import TextIO

from s2sad.api.display.markup import pieces_of


class Unwritten(Exception):
    """Standard output takes no text."""


def as_typed(arguments: Sequence[str]) -> list[str]:
    """Return arguments as UTF-8, where the locale could not read them."""
    return [_decoded(each) for each in arguments]


def _decoded(argument: str) -> str:
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument


def write_out(text: str) -> None:
    """Write a text to standard output as UTF-8, or raise Unwritten with the reason."""
    out = sys.stdout
    if out is None:
        raise Unwritten("standard output is closed")
    try:
        if not text.isascii() and isinstance(out, io.TextIOWrapper):
            out.reconfigure(encoding="utf-8")  # as Python reads sources, whatever the locale
        out.write(text)
        out.flush()
    except (OSError, ValueError) as error:
        _discard(out)
        reason = getattr(error, "strerror", None) or error
        raise Unwritten(f"standard output cannot be written: {reason}") from None


def _discard(stream: object) -> None:
    """Let what a stream still holds go nowhere: it would be written, and fail, at the exit."""
    try:
        number = stream.fileno()  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


QUIET, USUAL, VERBOSE = 0, 1, 2
_LOUDNESS: ContextVar[int] = ContextVar("which messages are said", default=USUAL)


def be(loudness: int) -> None:
    """Have more said, or errors alone."""
    _LOUDNESS.set(loudness)


def is_quiet() -> bool:
    """Tell whether errors alone are said."""
    return _LOUDNESS.get() == QUIET


def say(text: str, *, always: bool = False, if_verbose: bool = False) -> None:
    """Print a message to standard error; where that is closed or full, there is nobody to tell."""
    least = QUIET if always else VERBOSE if if_verbose else USUAL
    if sys.stderr is None or _LOUDNESS.get() < least:
        return
    text = text.encode("utf-8", "backslashreplace").decode()
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        _discard(sys.stderr)


def report(title: str, text: str) -> None:
    """Print an error, whose title stands out on a terminal."""
    if has_colours(sys.stderr):
        title = f"\x1b[1;31m{title}\x1b[0m"
    say(f"{title}: {text}", always=True)


# ---------------------------------------------------------------------------- colour


def has_colours(stream: TextIO | None) -> bool:
    """Tell whether a stream is a terminal of somebody who wants colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream is not None and stream.isatty() and not plain


ANSI = {"c": "2", "s": "32", "k": "1"}  # comments and strings dimmed, keywords bold


def coloured(source: str) -> str:
    """Return the source with its comments, strings and keywords marked, for a terminal."""
    pieces = ((ANSI.get(kind), text) for kind, text in pieces_of(source))
    return "".join(f"\x1b[{code}m{text}\x1b[0m" if code else text for code, text in pieces)


DONE, REFUSED, USAGE, INTERRUPTED = 0, 1, 2, 130


class Usage(Exception):
    """The command line names what is not there or does not fit: nothing was changed on disk."""


class Refused(Exception):
    """The command cannot be carried out, for a reason that is not an error of s2sad's own."""
