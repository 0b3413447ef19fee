"""Text goes to standard output and messages to standard error, whatever these are.

write_out("def naïve_grad(x): ...")     UTF-8, as Python reads it; Unwritten where a pipe is closed
say("s2sad: interrupted")               to standard error, where there is one
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence


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


def say(text: str) -> None:
    """Print a message to standard error; where that is closed or full, there is nobody to tell."""
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        _discard(sys.stderr)
