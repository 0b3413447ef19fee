"""The command line: a function named in a file or module, its derivative on standard output.

    s2sad grad model.py:misfit --wrt W,m --check -o misfit_grad.py
    s2sad hessian model.py:misfit --wrt m

Example arguments, which the text is then made for and `--check` needs, are given as
`--like "(np.ones((4, 3)), np.ones(3), 0.5)"` or stand in the file as `misfit_example`: a tuple,
or a function without parameters that returns it.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import io
import keyword
import os
import sys
import tokenize
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

import numpy as np

import s2sad
from s2sad.emit.files import write_file
from s2sad.ir.errors import ArgumentError, S2sadError
from s2sad.legacy.added import using
from s2sad.legacy.api import directional, grad, hessian, hvp, jacobian, jvp, value_and_grad
from s2sad.legacy.check import check_grad
from s2sad.legacy.given import as_function
from s2sad.legacy.given_rules import as_added
from s2sad.legacy.modules import ARRAYS
from s2sad.legacy.output import Unwritten, as_typed, say, write_out
from s2sad.legacy.schedules.kinds import (
    All,
    Binomial,
    Checkpoint,
    Disk,
    Every,
    Recompute,
    Schedule,
    Sqrt,
)
from s2sad.source.text import source_of

DONE, REFUSED, USAGE = 0, 1, 2
NUMBERED: dict[str, Callable[[int], Schedule]] = {"every": Every, "binomial": Binomial}
PLAIN: dict[str, Callable[[], Schedule]] = {"all": All, "sqrt": Sqrt, "recompute": Recompute}
COMMANDS = {
    "grad": "print the derivative of a function",
    "jacobian": "print the Jacobian of a function",
    "hessian": "print the Hessian of a scalar function",
    "hvp": "print the product of the Hessian with a direction",
    "directional": "print the derivatives along many directions at once",
}


class _Usage(Exception):
    """The command line names something that is not there."""


class _Refused(Exception):
    """The command cannot be carried out, for a reason that is not s2sad's own error."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1 (refused) or 2 (usage)."""
    parser = _parser()
    try:
        options = parser.parse_args(as_typed(sys.argv[1:] if arguments is None else arguments))
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        return _grad(options)
    except _Usage as problem:
        say(f"{parser.prog}: {problem}")
        return USAGE
    except S2sadError as problem:
        _report(f"s2sad.{type(problem).__name__}", str(problem))
    except (_Refused, Unwritten) as problem:
        _report("s2sad", str(problem))
    except KeyboardInterrupt:
        _report("s2sad", "interrupted")
    return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="s2sad", description="Write the derivative of a Python function as Python source."
    )
    parser.add_argument("--version", action="version", version=f"s2sad {s2sad.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for command, purpose in COMMANDS.items():
        add = commands.add_parser(command, help=purpose).add_argument
        add("target", help="FILE.py:function or package.module:function")
        add(
            "--wrt",
            metavar="NAMES",
            action="append",
            help="parameters, separated by commas or given one by one (default: the first)",
        )
        if command in ("grad", "jacobian"):
            default = "reverse" if command == "grad" else None
            add("--mode", choices=("reverse", "forward"), default=default)
        if command == "grad":
            add(
                "--checkpoint",
                metavar="SCHEDULE",
                action="append",
                help="which states of loops to keep: sqrt, every:50, binomial:20, disk:FOLDER, "
                "disk:FOLDER:50, recompute or all; "
                "'line 12=every:50' for one loop, 'march=sqrt' for those of a function",
            )
            add("--memory", metavar="AMOUNT", help="choose a schedule: '2 GB' for examples")
            add(
                "--arrays",
                choices=ARRAYS,
                default="numpy",
                help="the module of the arrays: NumPy's, CuPy's, or that of the arguments",
            )
            add(
                "--reassociate",
                action="store_true",
                help="let sums and products be rounded in another way where the text gets shorter",
            )
            add("--value", action="store_true", help="return the value too (forward always does)")
            add(
                "--check", action="store_true", help="compare with differences at example arguments"
            )
        add(
            "--like", metavar="EXPR", help="example arguments: a tuple, in terms of np and the file"
        )
        add(
            "--rules", metavar="FILE.py", type=Path, help="templates of rules that are used as well"
        )
        add("-o", "--output", metavar="OUT.py", type=Path, help="write to a file; - is the output")
        add("--force", action="store_true", help="overwrite a file that differs")
    return parser


def _grad(options: argparse.Namespace) -> int:
    with contextlib.redirect_stdout(sys.stderr), using(as_added(options.rules)):
        module, function = _load(options.target)
        like = _example(options, module, function)
        source = _derive(options, function, like)
        checking = options.command == "grad" and options.check
        agrees = not checking or _checked(options, function, like)
    if not agrees:
        raise _Refused("the derivative does not agree with differences: nothing is written")
    if options.output in (None, Path("-")):
        write_out(_coloured(source) if _colours(sys.stdout) else source)
    else:
        _write(options.output, source, options.force, function)
    return DONE


def _derive(options: argparse.Namespace, function: Callable[..., Any], like: Any) -> str:
    wrt = _wanted(options)
    if options.command == "jacobian":
        derivative = jacobian(function, wrt, mode=options.mode, like=like)
    elif options.command == "grad" and options.mode == "reverse":
        wanted = _checkpoint(options.checkpoint)
        derivative = _maker(options)(
            function,
            wrt,
            like=like,
            checkpoint=wanted,
            memory=options.memory,
            arrays=options.arrays,
            reassociate=options.reassociate,
        )
    else:
        if getattr(options, "checkpoint", None) or getattr(options, "memory", None):
            name = "--checkpoint" if options.checkpoint else "--memory"
            raise _Usage(f"{name} is for reverse mode: forward mode keeps no states")
        asked: dict[str, Any] = {}
        if options.command == "grad":
            asked = {"arrays": options.arrays, "reassociate": options.reassociate}
        derivative = _maker(options)(function, wrt, like=like, **asked)
    derivative.refuse_unreachable()
    return derivative.source


def _maker(options: argparse.Namespace) -> Callable[..., Any]:
    if options.command != "grad":
        return {"hvp": hvp, "hessian": hessian, "directional": directional}[options.command]
    if options.mode == "forward":
        return jvp
    return value_and_grad if options.value else grad


def _checked(options: argparse.Namespace, function: Callable[..., Any], like: Any) -> bool:
    if like is None:
        raise _Usage(
            f"--check needs example arguments: give --like, or define {function.__name__}_example"
        )
    report = check_grad(function, like, _wanted(options))
    say(str(report))
    return report.ok


def _checkpoint(texts: Sequence[str] | None) -> Checkpoint:
    """Return what the options --checkpoint ask for: one schedule, or one for each place."""
    if not texts:
        return None
    pairs = [text.rpartition("=") for text in texts]
    if len(pairs) == 1 and not pairs[0][1]:
        return _schedule(texts[0])
    if not all(equals for _, equals, _ in pairs):
        raise _Usage("--checkpoint is given once, or once for each place: 'line 12=every:50'")
    return {place.strip(): _schedule(text) for place, _, text in pairs}


def _schedule(text: str) -> Schedule:
    name, colon, number = text.strip().partition(":")
    if name in NUMBERED and number.strip().isdigit():
        return NUMBERED[name](int(number))
    if name in PLAIN and not colon:
        return PLAIN[name]()
    if name == "disk" and number:
        folder, _, every = number.rpartition(":")
        return Disk(folder, int(every)) if folder and every.isdigit() else Disk(number)
    raise _Usage(
        f"{text!r} is no schedule: use sqrt, every:50, binomial:20, disk:FOLDER, recompute or all"
    )


def _wanted(options: argparse.Namespace) -> str | int | tuple[str | int, ...] | None:
    """Return the parameters that all the options --wrt name."""
    return _wrt(None if options.wrt is None else ",".join(options.wrt))


def _wrt(text: str | None) -> str | int | tuple[str | int, ...] | None:
    if text is None:
        return None
    names = tuple(
        int(part) if part.lstrip("-").isdigit() else part
        for part in (each.strip() for each in text.split(","))
        if part
    )
    return names if "," in text or not names else names[0]


# ---------------------------------------------------------------------------- finding


def _load(target: str) -> tuple[ModuleType, Callable[..., Any]]:
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name:
        raise _Usage(f"{target!r} is not FILE.py:function or package.module:function")
    with _import_errors(place):
        module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise _Usage(f"{place} has no {name}{_defined(module)}")
        found = getattr(found, part)
    return module, found


def _defined(module: ModuleType) -> str:
    own = [
        name
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    ]
    return f"; it defines {', '.join(own)}" if own else ""


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise _Usage(f"there is no file {path}")
    # as for a script: what lies beside the file can be imported
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module


def _load_module(name: str) -> ModuleType:
    sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name + ".").startswith(error.name + "."):
            raise _Usage(f"there is no module {name}") from None
        raise


@contextlib.contextmanager
def _import_errors(place: str) -> Iterator[None]:
    try:
        yield
    except _Usage:
        raise
    except (Exception, SystemExit) as error:
        text = "".join(traceback.format_exception(error, limit=-1)).rstrip()
        raise _Refused(f"{place} cannot be imported\n{text}") from None


def _example(
    options: argparse.Namespace, module: ModuleType, function: Callable[..., Any]
) -> tuple[Any, ...] | None:
    """Return the example arguments that the user gave or wrote into the file, if any."""
    where, found = "--like", None
    try:
        if options.like is not None:
            found = eval(options.like, {"np": np, **vars(module)})
        else:
            where = f"{getattr(function, '__name__', '')}_example"
            found = getattr(module, where, None)
            found = found() if callable(found) else found
    except Exception as error:
        raise _Usage(f"{where}: {type(error).__name__}: {error}") from None
    if found is None:
        return None
    if not isinstance(found, tuple):
        raise _Usage(f"{where} is a {type(found).__name__}, not a tuple of arguments")
    return found


# ---------------------------------------------------------------------------- writing


def _write(path: Path, source: str, force: bool, function: Any) -> None:
    read = Path(source_of(as_function(function)).path)
    try:
        write_file(path, source, force=force, sources=[read])
    except ArgumentError as error:
        raise _Refused(f"{error.problem}\n  {error.hint}") from None
    except OSError as error:
        raise _Refused(f"{path} cannot be written: {error}") from None
    say(f"wrote {path}")


def _report(title: str, text: str) -> None:
    if _colours(sys.stderr):
        title = f"\x1b[1;31m{title}\x1b[0m"
    say(f"{title}: {text}")


def _colours(stream: TextIO | None) -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream is not None and stream.isatty() and not plain


def _coloured(source: str) -> str:
    """Return the source with comments and strings dimmed, keywords bold, for a terminal."""
    lines = source.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for token in reversed(tokens):
        code = _code(token)
        if code:
            (first, start), (last, end) = token.start, token.end
            # the end first, so that the columns of the start stay as they are
            lines[last - 1] = f"{lines[last - 1][:end]}\x1b[0m{lines[last - 1][end:]}"
            lines[first - 1] = f"{lines[first - 1][:start]}\x1b[{code}m{lines[first - 1][start:]}"
    return "".join(lines)


def _code(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.COMMENT:
        return "2"
    if token.type == tokenize.STRING:
        return "32"
    return "1" if token.type == tokenize.NAME and keyword.iskeyword(token.string) else ""
