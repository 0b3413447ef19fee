"""A derivative becomes the text of a file, which says of itself how it was made, and from what.

saved_text(df, Path("misfit_grad.py"))    "# Made by s2sad 0.2.0 (source ...
#     s2sad grad ..."

    # Made by s2sad 0.2.0 (source 3f2a9c81d2e4, text 77b0e6d2a1b3):
    #     s2sad grad model.py:misfit --wrt W,m -o misfit_grad.py

`source` are digits of what it was made from (source/digest.py), `text` of the text as it was made.
So an edited text and one whose source has changed since are told apart. Paths are those from the
folder of the project, so that all who have it see the same.
"""

from __future__ import annotations

import hashlib
import inspect
import linecache
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

import s2sad
from s2sad.api.request import bottom
from s2sad.emit.comments import without_numbers
from s2sad.emit.constants import display
from s2sad.emit.files import write_file
from s2sad.emit.layout import WIDTH
from s2sad.ir.records import dataclass, replace
from s2sad.source.digest import code_of, digest, shape
from s2sad.types.positions import different_axes

# forms that a command line can ask for
COMMANDS = frozenset("grad value_and_grad vjp jvp jacobian hessian hvp directional".split())


def plain_text(derivative: Any, *, lines: bool = False) -> str:
    """Return the text of a derivative as it is saved, with numbers of lines if asked for."""
    with nullcontext() if lines else without_numbers():
        return str(type(derivative)(derivative.request).source)


def saved_text(derivative: Any, path: Path, *, lines: bool = False) -> str:
    """Return the whole text of a file: what it says of itself, and the derivative."""
    text = plain_text(derivative, lines=lines)
    command = _command_line(derivative, path, lines)
    return stamped(text, s2sad.__version__, source_digits(derivative), command)


def source_digits(derivative: Any, rules: str = "") -> str:
    """Return digits of what a derivative is made from: function, options, examples and rules."""
    request = derivative.request
    examples = _examples(request)
    rules_of = (" ".join(rule.name for rule in added.rules) for added in request.rules)
    words = [*(_words(request) or [request.form, request.mode]), *rules_of]
    schedules = [_named_by_text(request.schedules, each) for each in _schedules(request.schedules)]
    held = "" if examples is None else shape(examples)
    functions = (bottom(derivative), *code_of(examples))
    return digest(functions, *words, *schedules, held, rules)


def _named_by_text(schedules: Any, schedule: str) -> str:
    """Return a schedule whose loop is named by its own words: its number changes with a comment."""
    line = re.match(r"line (\d+)=", schedule)
    if line is None:
        return schedule
    return f"{linecache.getline(schedules.path, int(line[1])).strip()}={schedule[line.end() :]}"


def relative(path: Path, root: Path) -> str:
    """Return a path as it is written from the folder of the project, alike on all systems."""
    return Path(os.path.relpath(path.resolve(), root)).as_posix()


# ---------------------------------------------------------------------------- of a request


def _command_line(derivative: Any, path: Path, lines: bool) -> str:
    """Return the command that makes a file again; "" where none does."""
    request, function, root = derivative.request, bottom(derivative), root_of(path)
    words, target = _words(request), _target(function, root)
    like = _like(request, function, _examples(request))
    if words is None or target is None or like is None:
        return ""
    for schedule in _schedules(request.schedules) if request.memory is None else ():
        words += ["--checkpoint", schedule]
    words += ["--like", like] if like else []
    words += ["--lines"] if lines else []
    return shlex.join(["s2sad", words[0], target, *words[1:], "-o", relative(path, root)])


def _words(request: Any) -> list[str] | None:
    """Return a command and its options, without loops and examples; None where there is none."""
    if request.form not in COMMANDS or request.aux or request.rules:
        return None
    several = not request.single and len(request.wrt) == 1
    words = [
        request.form.replace("_", "-"),
        "--wrt",
        ",".join(request.wrt) + ("," if several else ""),
    ]
    if request.form == "jacobian" and not request.by_shape:
        words += ["--mode", request.mode]
    if request.arrays != "numpy":
        words += ["--arrays", request.arrays]
    if request.memory is not None:
        words += ["--memory", str(request.memory)]
    return [*words, "--reassociate"] if request.reassociate else words


def _schedules(schedules: Any) -> Iterator[str]:
    if schedules is not None:
        if schedules.everywhere is not None:
            yield _schedule(schedules.everywhere)
        yield from (f"{place}={_schedule(each)}" for place, each in schedules.places)


def _schedule(schedule: Any) -> str:
    name = type(schedule).__name__.lower()
    fields = [str(each) for each in vars(schedule).values() if each is not None]
    return ":".join([name, *fields])


def _target(function: Any, root: Path) -> str | None:
    """Return how a command line names a function; None for one that an import does not find."""
    name, module = function.__qualname__, sys.modules.get(function.__module__)
    file = getattr(module, "__file__", None)
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if file is None or found is not function:
        return None
    path = Path(file)
    if "." in function.__module__ and (path.parent / "__init__.py").exists():
        return f"{function.__module__}:{name}"
    return f"{relative(path, root)}:{name}"


# ---------------------------------------------------------------------------- examples


def _examples(request: Any) -> tuple[Any, ...] | None:
    """Return the arguments that a text is made for, in their order."""
    examples: Mapping[str, Any] | None = request.examples
    while examples is None and hasattr(request.function, "request"):
        request = request.function.request
        examples = request.examples
    return None if examples is None else tuple(examples.values())


def _like(request: Any, function: Any, examples: tuple[Any, ...] | None) -> str | None:
    """Return what `--like` is to say: "" where nothing; None for what no expression gives."""
    known = getattr(sys.modules.get(function.__module__), f"{function.__name__}_example", None)
    if examples is None:
        return None if request.given is not None else "none" if known is not None else ""
    if isinstance(known, tuple) and len(known) == len(examples):
        if all(a is b for a, b in zip(known, examples, strict=True)):
            return ""
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    if any(p.kind in kinds for p in inspect.signature(function).parameters.values()):
        return None
    return expression(examples)


def expression(value: Any) -> str | None:
    """Return Python that gives a value of this kind."""
    match value:
        case bool() | int() | str() | bytes() | None:
            return repr(value)
        case float() | complex() if type(value) in (float, complex) and np.isfinite(value):
            return repr(value)
        case np.ndarray() if value.dtype.kind in "fciub" and type(value) is np.ndarray:
            return _positions(value) or _ones(value)
        case list() | tuple() if type(value) in (list, tuple):
            return display(type(value), [expression(each) for each in value])
        case np.generic() if value.dtype.kind in "fciub" and np.isfinite(value):
            return f"np.{value.dtype.name}({value!s})"
    return None


def _ones(value: Any) -> str:
    dtype = "" if value.dtype == np.float64 else f", {value.dtype.name!r}"
    return f"np.ones({value.shape[0] if value.ndim == 1 else value.shape}{dtype})"


def _positions(value: Any) -> str | None:
    """Return Python that gives positions which differ along the same axes; None where ones do."""
    axes = different_axes(value)
    kind = "" if value.dtype == np.int64 else f", dtype={value.dtype.name!r}"
    if axes == different_axes(np.ones_like(value)):
        return None
    if len(axes) == value.ndim:
        listed = f"np.arange({value.size}{kind})"
        return listed if value.ndim == 1 else f"{listed}.reshape{value.shape}"
    if axes == {1} and value.ndim == 2:
        return f"np.array([[*range({value.shape[1]})]] * {value.shape[0]}{kind})"
    if axes == {0} and value.ndim == 2:
        return f"np.array([[k] * {value.shape[1]} for k in range({value.shape[0]})]{kind})"
    return None


# ---------------------------------------------------------------------------- writing


def write_made(path: Path, text: str, *, force: bool = False, sources: Iterable[Path] = ()) -> Path:
    """Write a stamped text to a file, over one that s2sad made and nobody edited, too.

    A file that is made from the same, by the same command and version, stays as it is: a comment
    that was added to the function is no reason to write it again. Errors are those of `write_file`.
    """
    old, body = _held(path)
    new, _ = split(text)
    is_own = old is not None and new is not None and are_of_one_function(old, new)
    unedited = is_own and old is not None and not is_edited(old, body)
    if unedited and not force and old and new and replace(old, text=new.text) == new:
        return path
    return write_file(path, text, force=force or unedited, sources=sources)


def _held(path: Path) -> tuple[Stamp | None, str]:
    try:
        return split(path.read_text(encoding="utf-8")) if path.is_file() else (None, "")
    except (OSError, UnicodeDecodeError):
        return None, ""


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
    return restamped(text, Stamp(version, source, digits(text), command))


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
