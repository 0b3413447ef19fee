"""The words of a command line become a run of one command, with its options, and its end an exit status.

main(["grad", "model.py:misfit", "--wrt", "m"])    0

add_options(parser, "debug")        TARGET --wrt NAMES --like EXPR
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import s2sad
from s2sad.api.commands import COMMANDS
from s2sad.api.commands.output import (
    INTERRUPTED,
    QUIET,
    REFUSED,
    USAGE,
    USUAL,
    VERBOSE,
    Refused,
    Unwritten,
    Usage,
    as_typed,
    be,
    report,
    say,
    write_out,
)
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
    except UnicodeEncodeError as problem:  # names of files are in the letters of the locale
        name = problem.object[problem.start : problem.end]
        say(f"s2sad: this locale has no letter {name!r}: set LC_ALL=C.UTF-8", always=True)
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
    """Return what reads a command line: its first word says which command that is."""
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
    for name in words[:1] if words and words[0] in COMMANDS else COMMANDS:
        purpose = COMMANDS[name].purpose
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
    """A parser that tells a mistake in one line, and whether its help can be written."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            write_out(message)
        else:
            say(message, always=True)

    def error(self, message: str) -> NoReturn:
        plain = " ".join(message.split())
        say(f"{self.prog}: {plain}: {self.prog} --help says more", always=True)
        raise SystemExit(USAGE)


MADE = "--like --rules --lines -o --base --force"
ONE_SWEEP = f"targets --wrt --arrays --reassociate --check {MADE}"
BACK = f"targets --wrt --checkpoint --memory --arrays --reassociate --check {MADE}"
MATRIX = f"targets --wrt --arrays {MADE}"

# the options of each command, in the order of its help
TAKEN = {
    "grad": f"{BACK} --mode --value",
    "value-and-grad": BACK,
    "vjp": BACK,
    "jvp": ONE_SWEEP,
    "jacobian": f"{MATRIX} --mode",
    "hessian": MATRIX,
    "hvp": f"{MATRIX} --reassociate",
    "directional": f"{MATRIX} --reassociate",
    "explain": "targets --wrt --checkpoint --memory --arrays --like --rules",
    "show": "targets --after --wrt --mode --like --rules",
    "graph": "targets --wrt --like --rules",
    "check": "saved --diff --write --base --force --allow-edited",
    "verify": "target derivative --wrt --like --rules --seed",
    "embed": "scripts --dry --diff --force",
    "help": "refusal",
    "report": "target --page --wrt --like --rules --open --force",
    "debug": "target --wrt --like",
    "why": "target names --like",
}
# what an option is for a command that does not say it
DEFAULTS = {"grad": {"mode": "reverse"}, "show": {"mode": "reverse"}}


def _option(metavar: str, told: str, *words: str, **how: Any) -> tuple[tuple[str, ...], Any]:
    """Return the words of an option, where it is not called as below, and what `argparse` is told."""
    named = {"metavar": metavar} if metavar else {"action": "store_true"}
    return words, {**named, "help": told, **how}


FUNCTION = "FILE.py:function or module:function"
OPTIONS = {
    "target": _option("TARGET", FUNCTION),
    "targets": _option("TARGET", FUNCTION, nargs="+"),
    "derivative": _option("DERIVATIVE", FUNCTION),
    "names": _option("NAME", "parameters of the function", nargs="+"),
    "saved": _option("FILE", "saved derivatives (default: all)", "files", nargs="*", type=Path),
    "scripts": _option("FILE", "scripts with markers", "files", nargs="+", type=Path),
    "refusal": _option("REFUSAL", "the name of a page, or a message", nargs="*"),
    "--wrt": _option("NAMES", "parameters: W,m (default: the first)", action="append"),
    "--like": _option("EXPR", "example arguments: '(np.ones(3), 2.0)', or none"),
    "--rules": _option("FILE.py", "templates of rules that are used as well", type=Path),
    "--mode": _option("MODE", "reverse or forward", choices=("reverse", "forward")),
    "--value": _option("", argparse.SUPPRESS),  # value-and-grad
    "--checkpoint": _option(
        "SCHEDULE", "which states of loops to keep: sqrt, every:50, all, ...", action="append"
    ),
    "--memory": _option("AMOUNT", "choose a schedule: '2 GB'"),
    "--arrays": _option(
        "MODULE",
        "of the text: numpy, cupy, or dispatch",
        choices=("numpy", "cupy", "dispatch"),
        default="numpy",
    ),
    "--reassociate": _option("", "round sums in another way if shorter"),
    "--check": _option("", "compare with differences first"),
    "--lines": _option("", "name lines by their numbers in a file, too"),
    "-o": _option("OUT", "a file to write, a folder, or -", "-o", "--output", type=Path),
    "--page": _option("FILE.html", "- is the output", "-o", "--output", type=Path, required=True),
    "--open": _option("", "show it in a browser"),
    "--base": _option("FILE", "an edited file as it was made, to merge with", type=Path),
    "--force": _option("", "overwrite what differs: edits are dropped"),
    "--after": _option(
        "STAGE", "lowering, analysis, reverse or forward, checkpoint, optimize, emit", required=True
    ),
    "--diff": _option("", "show what would change"),
    "--write": _option("", "make anew what is out of date, edits are kept"),
    "--dry": _option("", "write nothing: tell what would change", "--check"),
    "--allow-edited": _option("", "edits that are up to date are no problem"),
    "--seed": _option("N", "of the random directions (default: 0)", type=int, default=0),
    "--verbose": _option("", "say what is done", "-v", "--verbose"),
    "--quiet": _option("", "say errors alone", "-q", "--quiet"),
}


def add_options(parser: argparse.ArgumentParser, command: str) -> None:
    """Add the options of a command to what reads it, and those of all."""
    usage = [f"s2sad {command}"]
    for name in TAKEN[command].split():
        words, how = OPTIONS[name]
        parser.add_argument(*(words or (name,)), **how)
        if not name.startswith("-") or how.get("required"):
            usage.append(_shown(words or (name,), how))
    parser.usage = " ".join([*usage, "[options]"])
    parser.set_defaults(**DEFAULTS.get(command, {}))
    loudness = parser.add_mutually_exclusive_group()
    for name in ("--verbose", "--quiet"):
        words, how = OPTIONS[name]
        loudness.add_argument(*words, **how)


def _shown(words: tuple[str, ...], how: dict[str, Any]) -> str:
    """Return how the usage shows what has to be said, or may be without a word of its own."""
    named = f"{how['metavar']}{'...' if 'nargs' in how else ''}"
    if words[0].startswith("-"):
        return f"{words[0]} {named}"
    return f"[{named}]" if how.get("nargs") == "*" else named
