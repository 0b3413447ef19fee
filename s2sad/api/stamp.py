"""What a saved derivative says of itself above its imports: how it was made, and from what.

    # Made by s2sad 0.2.0 (source 3f2a9c81d2e4, text 77b0e6d2a1b3):
    #     s2sad grad model.py:misfit --wrt W,m -o misfit_grad.py

`source` are digits of what it was made from (source/digest.py), `text` of the text as it was made.
So an edited text and one whose source has changed since are told apart. Paths are those from the
folder of the project, so that all who have it see the same.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from s2sad.ir.records import dataclass

WIDTH = 88
DIGITS = 12
_FIRST = re.compile(
    r"# Made by s2sad (?P<version>\S+) \(source (?P<source>[0-9a-f]{12}), "
    r"text (?P<text>[0-9a-f]{12})\)(?P<colon>:?)\n"
)
_MORE = re.compile(r"#     (?P<words>.*)\n")
_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")


@dataclass(frozen=True, slots=True)
class Stamp:
    """How a text was made: `command` is "" where no command line makes it."""

    version: str
    source: str
    text: str
    command: str


def stamped(text: str, version: str, source: str, command: str = "") -> str:
    """Return a text below what says how it was made."""
    return "\n".join([*_lines(Stamp(version, source, digits(text), command)), "", text])


def restamped(text: str, stamp: Stamp) -> str:
    """Return a text, edited or not, below a stamp that is given."""
    return "\n".join([*_lines(stamp), "", text])


def _lines(stamp: Stamp) -> Iterator[str]:
    # a command that no comment can hold is left out: the text can be checked, and not made again
    command = stamp.command if stamp.command.isprintable() else ""
    yield (
        f"# Made by s2sad {stamp.version} (source {stamp.source}, text {stamp.text})"
        f"{':' if command else ''}"
    )
    if command:
        yield from (f"#     {part}" for part in _parts(command))


def _parts(command: str) -> Iterator[str]:
    """Yield a command in lines that are short, cut where one blank stands between words."""
    room = WIDTH - len("#     ")
    line = ""
    for word in re.split(r"(?<=\S) (?=\S)", command):
        if line and len(line) + 1 + len(word) > room:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def split(whole: str) -> tuple[Stamp | None, str]:
    """Return the stamp of a text, None where it has none, and the text below it."""
    whole = whole.replace("\r\n", "\n").removeprefix("\ufeff")
    first = _FIRST.match(whole)
    if first is None:
        return None, whole
    end, words = first.end(), []
    while first["colon"] and (more := _MORE.match(whole, end)):
        words.append(more["words"])
        end = more.end()
    stamp = Stamp(first["version"], first["source"], first["text"], " ".join(words))
    return stamp, whole[end:].removeprefix("\n")


def digits(text: str) -> str:
    """Return the digits of a text, alike for all ends of lines."""
    plain = text.replace("\r\n", "\n").rstrip() + "\n"
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def are_of_one_function(one: Stamp, other: Stamp) -> bool:
    """Tell whether two texts are derivatives of one function, in whatever form."""
    return bool(one.command) and _function(one.command) == _function(other.command)


def _function(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    return words[2] if len(words) > 2 else command


def is_edited(stamp: Stamp, text: str) -> bool:
    """Tell whether the text below a stamp is another one than was made."""
    return digits(text) != stamp.text


def root_of(path: Path) -> Path:
    """Return the folder of the project that a file belongs to; without one, the file's own."""
    folder = path.resolve().parent
    for each in (folder, *folder.parents):
        if any((each / mark).exists() for mark in _MARKS):
            return each
    return folder
