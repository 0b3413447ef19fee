"""The places in a script that hold derivatives: between two comments, found as Python finds them.

# s2sad: grad misfit --wrt W,m
def misfit_grad(W, m, d):
    ...


# s2sad: end (source 3f2a9c81d2e4, text 77b0e6d2a1b3)
"""

from __future__ import annotations

import io
import re
import shlex
import tokenize
from collections.abc import Iterator
from pathlib import Path

from s2sad.api.commands.problems import Usage
from s2sad.ir.records import dataclass

_MARKER = re.compile(r"# s2sad: +(?P<words>\S.*?)\s*$")
_END = re.compile(r"end(?: \(source (?P<source>[0-9a-f]{12}), text (?P<text>[0-9a-f]{12})\))?$")


@dataclass(frozen=True, slots=True)
class Region:
    """A derivative in a script: lines from 0, `start` below the first marker, `end` at the last.

    `words` is the command; `source` and `text` are the digits of what stands there, if any.
    """

    words: tuple[str, ...]
    start: int
    end: int
    source: str
    text: str


def lines_of(path: Path) -> list[str]:
    """Return the lines of a script with their ends, or raise Usage for what is none in UTF-8."""
    try:
        raw = path.read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        if not encoding.startswith("utf-8"):
            raise Usage(f"{path} is written in {encoding}: save it as UTF-8")
        text = raw.decode("utf-8")
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error.strerror or error}") from None
    except (SyntaxError, UnicodeDecodeError, ValueError) as error:
        raise Usage(f"{path} cannot be read: {error}") from None
    return re.findall(r".*?(?:\r\n|\n|\r|$)", text, re.DOTALL)[:-1] if text else []


def regions(path: Path, lines: list[str]) -> list[Region]:
    """Return the regions of a script in their order; raise Usage where markers do not match."""
    found: list[Region] = []
    opened: tuple[int, str] | None = None
    for line, words in _markers(path, lines):
        end = _END.match(words)
        if end is None and words.split()[0] == "end":
            raise Usage(
                f"{path}:{line + 1}: this end is not as s2sad wrote it: make it # s2sad: end"
            )
        if end is None:
            if opened is not None:
                raise _unended(path, *opened)
            opened = line, words
        elif opened is None:
            raise Usage(
                f"{path}:{line + 1}: this end has no marker above it: write # s2sad: grad f"
            )
        else:
            command = _command(path, *opened)
            found.append(
                Region(command, opened[0] + 1, line, end["source"] or "", end["text"] or "")
            )
            opened = None
    if opened is not None:
        raise _unended(path, *opened)
    if not found:
        raise Usage(f"{path} has no markers: write # s2sad: grad f, and # s2sad: end below it")
    return found


def _unended(path: Path, line: int, words: str) -> Usage:
    return Usage(
        f"{path}:{line + 1}: the marker of {words!r} has no end: write # s2sad: end below it"
    )


def _command(path: Path, line: int, words: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(words))
    except ValueError as error:
        raise Usage(f"{path}:{line + 1}: the marker cannot be read: {error}") from None


def _markers(path: Path, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the comments that are markers: not what is a part of a text, nor what is indented."""
    plain = "".join(line.rstrip("\r\n") + "\n" for line in lines).removeprefix("\ufeff")
    try:
        for token in tokenize.generate_tokens(io.StringIO(plain).readline):
            marker = _MARKER.match(token.string) if token.type == tokenize.COMMENT else None
            if marker is not None and token.start[1] == 0:
                yield token.start[0] - 1, marker["words"]
    except (tokenize.TokenError, SyntaxError) as error:
        raise Usage(f"{path} is not Python: {error.args[0]}") from None


def shown_end(source: str, text: str) -> str:
    """Return the last marker of a region that was made."""
    return f"# s2sad: end (source {source}, text {text})"
