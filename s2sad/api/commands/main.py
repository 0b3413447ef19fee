"""The words of a command line become a run of one command, and its end an exit status.

main(["grad", "model.py:misfit", "--wrt", "m"])    0
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

import s2sad
from s2sad.api.commands import COMMANDS
from s2sad.api.commands.options import add_options
from s2sad.api.commands.output import QUIET, USUAL, VERBOSE, Unwritten, as_typed, be, report, say
from s2sad.api.commands.problems import INTERRUPTED, REFUSED, USAGE, Refused, Usage
from s2sad.api.commands.targets import raised_by_user
from s2sad.api.display.short import whole_errors
from s2sad.ir.errors import ArgumentError, S2sadError

COMPLETES = "_ARGCOMPLETE"  # set by a shell that asks what completes a line
FORMATTER = partial(argparse.RawDescriptionHelpFormatter, max_help_position=26)
HEIGHT = 24  # lines of a screen, which the help of a command fits


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1 (refused), 2 (usage), 130 (Ctrl-C)."""
    words = as_typed(sys.argv[1:] if arguments is None else arguments)
    try:
        return _ended(words)
    except KeyboardInterrupt:
        report("s2sad", "interrupted")
        return INTERRUPTED
    finally:
        be(USUAL)


def _ended(words: Sequence[str]) -> int:
    try:
        if any("\0" in word for word in words):
            raise Usage("a word of the command line holds a null byte: no file and no name has one")
        asked = parser(words)
        if COMPLETES in os.environ:
            _complete(asked)
        options = asked.parse_args(words)
        be(QUIET if options.quiet else VERBOSE if options.verbose else USUAL)
        with whole_errors():
            module = importlib.import_module(f"{__package__}.{COMMANDS[options.command].module}")
            return int(module.run(options))
    except SystemExit as stop:
        return int(stop.code or 0)
    except Usage as problem:
        say(f"s2sad: {problem}", always=True)
        return USAGE
    except OSError as problem:  # a name that is too long, a folder that may not be read
        say(f"s2sad: {problem.filename or 'a file'}: {problem.strerror or problem}", always=True)
        return USAGE
    except S2sadError as problem:
        report(f"s2sad.{type(problem).__name__}", str(problem))
        return USAGE if isinstance(problem, ArgumentError) else REFUSED
    except (Refused, Unwritten) as problem:
        report("s2sad", str(problem))
    except Exception as problem:
        told = raised_by_user(problem)
        if told is None:
            raise
        report("s2sad", told)
    return REFUSED


def parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return what reads a command line; the options of a command are known if it is in `words`."""
    every = _Parser(
        prog="s2sad",
        usage="s2sad COMMAND ...      (s2sad COMMAND --help says more of one)",
        description="\n".join(f"  {name:15} {purpose}" for name, (_, purpose) in COMMANDS.items()),
        formatter_class=FORMATTER,
        add_help=False,
    )
    every.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    version = f"s2sad {s2sad.__version__}"
    every.add_argument("--version", action="version", version=version, help=argparse.SUPPRESS)
    commands = every.add_subparsers(
        dest="command", required=True, metavar="COMMAND", help=argparse.SUPPRESS
    )
    for name, (_, purpose) in COMMANDS.items():
        command = commands.add_parser(
            name,
            prog=f"s2sad {name}",
            description=f"{purpose[0].upper()}{purpose[1:]}.",
            formatter_class=FORMATTER,
            allow_abbrev=False,
            add_help=False,
        )
        command.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
        command.set_defaults(command=name)
        if name in words or COMPLETES in os.environ:
            add_options(command, name)
    return every


def _complete(asked: argparse.ArgumentParser) -> None:
    """Answer the shell, which asks what completes a line, and end."""
    try:
        import argcomplete
    except ModuleNotFoundError:
        return
    argcomplete.autocomplete(asked)


class _Parser(argparse.ArgumentParser):
    """A parser that tells a mistake in one line."""

    def error(self, message: str) -> NoReturn:
        plain = " ".join(message.split())
        say(f"{self.prog}: {plain}: {self.prog} --help says more", always=True)
        raise SystemExit(USAGE)
