"""The command line that a saved derivative says it was made by, and what it asks for when read.

recorded(options, "model.py:f", Path("f_grad.py"))    "s2sad grad model.py:f --wrt W,m -o f_grad.py"
asked_again("s2sad grad model.py:f ...")              the options again
"""

from __future__ import annotations

import argparse
import contextlib
import io
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from s2sad.api.commands import COMMANDS
from s2sad.api.commands.main import parser
from s2sad.api.commands.output import Usage
from s2sad.api.saved import relative, root_of


def recorded(options: argparse.Namespace, asked: str, path: Path, folder: Path) -> str:
    """Return the command that makes a file, with paths from the folder of its project.

    The paths that are asked for are those from `folder`.
    """
    root = root_of(path)
    place, name = asked.rsplit(":", 1)
    target = f"{relative(folder / place, root)}:{name}" if place.endswith(".py") else asked
    words = [options.command, target, *_options(options)]
    if options.rules is not None:
        words += ["--rules", relative(folder / options.rules, root)]
    return shlex.join(["s2sad", *words, "-o", relative(path, root)])


def _options(options: argparse.Namespace) -> Iterator[str]:
    """Yield the options that say which derivative is meant, in their order."""
    if options.wrt is not None:
        yield from _option("--wrt", ",".join(options.wrt))
    usual = {"mode": (None, "reverse") if options.command == "grad" else (None,)}
    usual |= {"arrays": (None, "numpy"), "memory": (None,), "like": (None,)}
    for name, unsaid in usual.items():
        if getattr(options, name, None) not in unsaid:
            yield from _option(f"--{name}", getattr(options, name))
    for schedule in getattr(options, "checkpoint", None) or ():
        yield from _option("--checkpoint", schedule)
    for name in ("value", "reassociate", "lines"):
        if getattr(options, name, False):
            yield f"--{name}"


def _option(name: str, value: str) -> tuple[str, ...]:
    return (f"{name}={value}",) if value.startswith("-") else (name, value)


def asked_again(command: str) -> argparse.Namespace:
    """Return what a command asks for; raise Usage where it is none that makes a derivative."""
    try:
        return asked_by(shlex.split(command)[1:])
    except ValueError:
        raise Usage(f"{command!r} makes no derivative") from None


def asked_by(words: Sequence[str]) -> argparse.Namespace:
    """Return what the words of a command ask for, of one derivative."""
    command = shlex.join(words)
    said = io.StringIO()
    try:
        if COMMANDS[words[0]].module != "derivatives":
            raise ValueError
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            options = parser(words).parse_args(words)
    except (ValueError, KeyError, IndexError, SystemExit):
        why = said.getvalue().rpartition("error: ")[2].strip()
        raise Usage(f"{command!r} makes no derivative" + (f": {why}" if why else "")) from None
    if len(options.targets) != 1:
        raise Usage(f"{command!r} makes several derivatives")
    return options
