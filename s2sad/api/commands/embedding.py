"""The text of a derivative becomes a part of the script that its function stands in, between two comments.

What the script has itself is used by its name and not said again: imports, constants, functions.
What it has under the same name and is another thing is refused: one would hide the other.

# s2sad: grad misfit --wrt W,m
def misfit_grad(W, m, d):
    ...


# s2sad: end (source 3f2a9c81d2e4, text 77b0e6d2a1b3)
"""

from __future__ import annotations

import ast
import importlib
import io
import re
import shlex
import tokenize
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.api.commands.output import Refused, Usage
from s2sad.ir.errors import NoSource
from s2sad.ir.records import dataclass
from s2sad.source import read
from s2sad.source.digest import words_of

MISSING = object()


def own_part(text: str, known: Mapping[str, Any], taken: Collection[str], where: str) -> str:
    """Return what of a text its script lacks; `known` is what the script has above the place.

    `taken` are the names that it binds anywhere outside of its regions. Raises Refused for a name
    that stands for two things.
    """
    tree, lines = ast.parse(text), text.splitlines()
    made = runs(text)
    kept: list[ast.stmt] = []
    for node in tree.body:
        missing = [name for name in bound(node) if not _is_same(name, node, known, made)]
        if missing:
            for name in missing:
                _refuse_clash(name, known, taken, where)
            kept.append(node)
    return _laid_out(kept, lines)


def bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement at the top of a file binds."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((each.asname or each.name.split(".")[0]) for each in names)
        case _:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    yield inner.id
                elif isinstance(
                    inner, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
                ):
                    yield from bound(inner) if inner is not node else ()


def runs(text: str) -> dict[str, Any]:
    """Return what a text defines."""
    made: dict[str, Any] = {}
    exec(compile(text, "<derivative>", "exec"), made)
    return made


def _is_same(name: str, node: ast.stmt, known: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Tell whether the script has under a name what the text defines there."""
    own = known.get(name, MISSING)
    if own is MISSING:
        return False
    if isinstance(node, ast.FunctionDef):
        return isinstance(own, FunctionType) and _is_function(node, own)
    if isinstance(node, ast.Import):
        return own is made[name] and all(_has(known, each.name) for each in node.names)
    other = made[name]
    return own is other or (type(own) is type(other) and _is_equal(own, other))


def _is_equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=True)
    return bool(one == other)


def _has(known: Mapping[str, Any], module: str) -> bool:
    """Tell whether a dotted module can be reached from what the script imported."""
    first, *more = module.split(".")
    found = known.get(first, importlib.import_module(first))
    for part in more:
        found = getattr(found, part, None)
    return found is not None


def _is_function(node: ast.FunctionDef, own: FunctionType) -> bool:
    try:
        tree = read(own).tree
    except NoSource:
        return False
    return _plain(gast.ast_to_gast(node)) == _plain(tree)


def _plain(tree: Any) -> list[str]:
    """Return the words of a function without its docstring and what decorates it."""
    body = tree.body
    if body and isinstance(body[0], gast.Expr) and isinstance(body[0].value, gast.Constant):
        body = body[1:]
    return [tree.name, *words_of(tree.args), *words_of(body)]


def _refuse_clash(name: str, known: Mapping[str, Any], taken: Collection[str], where: str) -> None:
    if name in taken or name in known:
        raise Refused(
            f"{where}: the derivative needs {name} for another thing than the script does\n"
            "  Rename it in the script, or save the derivative to a file of its own: -o FILE."
        )


def _laid_out(nodes: list[ast.stmt], lines: list[str]) -> str:
    """Return statements as they stood, two blank lines around functions."""
    out: list[str] = []
    for node in nodes:
        is_function = isinstance(node, ast.FunctionDef)
        if out and (is_function or out[-1].startswith((" ", "def "))):
            out += ["", ""]
        out += lines[node.lineno - 1 : node.end_lineno]
    if out and out[-1].startswith((" ", "def ")):
        out += ["", ""]
    return "\n".join(out) + "\n" if out else ""


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
    """Yield the comments that are markers, not what is a part of a text; refuse indented ones."""
    plain = "".join(line.rstrip("\r\n") + "\n" for line in lines).removeprefix("\ufeff")
    try:
        for token in tokenize.generate_tokens(io.StringIO(plain).readline):
            marker = _MARKER.match(token.string) if token.type == tokenize.COMMENT else None
            if marker is not None and not token.line[: token.start[1]].strip():
                if token.start[1]:
                    raise Usage(
                        f"{path}:{token.start[0]}: the marker is indented: "
                        "move it to the left, outside of functions, branches and classes"
                    )
                yield token.start[0] - 1, marker["words"]
    except (tokenize.TokenError, SyntaxError) as error:
        line = error.args[1][0 if isinstance(error, tokenize.TokenError) else 1]
        raise Usage(f"{path}:{line} is not Python: {error.args[0]}") from None


def shown_end(source: str, text: str) -> str:
    """Return the last marker of a region that was made."""
    return f"# s2sad: end (source {source}, text {text})"
