"""Statements of a derivative say which statement of the user's they belong to.

    # 21-22: u[1:-1] += c * (u[2:] - 2.0 * u[1:-1] + u[:-2])       above two or more
    x_bar = 0.5 * x_bar  # 30: x = 0.5 * (x + a / x)               beside one

The user's own comments stay with his statements in the forward sweep.
"""

from __future__ import annotations

import ast
import io
import linecache
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from s2sad.emit.layout import WIDTH
from s2sad.ir.errors import Span
from s2sad.ir.expression import Expr, Role, root_of, text_of_call
from s2sad.ir.program import Let, Statement, Store
from s2sad.ir.records import dataclass
from s2sad.ir.walk import variables
from s2sad.optimize.added import is_zero
from s2sad.source.definition import statements_in
from s2sad.source.files import first_line, parsed
from s2sad.source.owners import is_of_prelude

# u_saved = [], u_saved.append(u), u_saved[k] = u, u = u_saved.pop(), u = u_saved[k]
SAVING = re.compile(
    r"\s*((\w+, )*\w*_saved\w*\b(\s=|\.append\(|\[.*\]\s=)|.*= \w*_saved\w*(\.pop\(|\[))"
)
# comments to tools: they are not about the statement any more
TO_TOOLS = ("--", "noqa", "type:", "pragma", "fmt:", "pylint", "mypy:", "isort:", "ruff:")
Lines = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Place:
    """A statement of the user's: its file and its first and last line."""

    path: str
    first: int
    last: int


@dataclass(slots=True)
class Line:
    """A line of a text, and the statement of the user's that it belongs to."""

    text: str
    place: Place | None = None

    @property
    def is_saving(self) -> bool:
        """Tell whether it keeps a value for the reverse sweep, or takes it back."""
        return bool(SAVING.match(self.text))


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text that belong to nothing of the user's."""
    return [Line(each) for each in text.split("\n")]


def joined(lines: Sequence[Line]) -> str:
    """Return the text of some lines."""
    return "\n".join(line.text for line in lines)


def place_of(span: Span | None) -> Place | None:
    """Return the statement of the user's that a place lies in."""
    if span is None:
        return None
    return statement_at(span.path, span.line)


def statement_at(path: str, line: int) -> Place:
    """Return the statement of a file that a line is one of; of a block, its head."""
    text = "".join(linecache.getlines(path))
    return Place(path, *_statements_in(text).get(line, (line, line)))


def remark(place: Place, home: str) -> str:
    """Return the comment that names a statement of the user's; of another file than `home`, that."""
    written = source_of(place)
    if not written or is_of_prelude(place.path):
        return ""
    if place.path.startswith("<s2sad"):  # a text that nobody has before them
        return f"# {written}"
    numbers = str(place.first) if place.first == place.last else f"{place.first}-{place.last}"
    if not are_numbered() and place.path != home:
        return f"# {file_name(place.path)}: {written}"
    return numbered(f"{where(place.path, home)}{numbers}", written)


def where(path: str, home: str) -> str:
    """Return the file of a line, where it is another one than that of the function."""
    return "" if path == home else f"{file_name(path)}:"


def file_name(path: str) -> str:
    """Return the last part of a path, in one line that can be printed and encoded."""
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in Path(path).name)
    return "".join(shown)


def cut(line: str) -> str:
    """Return a comment line, cut where it would be too long."""
    return line if len(line) <= WIDTH else line[: WIDTH - 3].rstrip() + "..."


# ---------------------------------------------------------------------------- statements


def is_explained(statement: Statement) -> bool:
    """Tell whether a statement is one to explain: it computes an adjoint or a tangent."""
    match statement:
        case Let(target, value):
            return any(map(_is_derived, variables(target))) and not begins(value)
        case Store(target, _, value):
            return _is_derived(root_of(target)) and not begins(value)
    return False


def _is_derived(variable: object) -> bool:
    role, called = getattr(variable, "role", None), getattr(variable, "name", "")
    return role in (Role.ADJOINT, Role.TANGENT) or bool(
        role is Role.TERM and called.endswith(("_bar", "_dot"))
    )


def begins(value: Expr) -> bool:
    """Tell whether a value is zero, or holds nothing: what is added to later begins with it."""
    is_empty = value.op == "list" and not value.args
    return is_empty or is_zero(value) or text_of_call(value) == "_zeros_of"


# ---------------------------------------------------------------------------- the user's text


def source_of(place: Place) -> str:
    """Return a statement of the user's on one line, without its comments."""
    parts = (_code(place.path, n) for n in range(place.first, place.last + 1))
    written = ""
    for part in filter(None, parts):
        tight = not written or written[-1] in "([{" or part[0] in ")]}"
        written += part if tight else f" {part}"
    return written if place.first == place.last else _tidied(written)


def _tidied(written: str) -> str:
    """Return a statement that stood on several lines without what only held these together."""
    for pattern, plain in ((r",([)\]}])", r"\1"), (r"(= |^return )\((.*)\)$", r"\1\2")):
        shorter = re.sub(pattern, plain, written)
        if shorter != written and _tree(shorter) == _tree(written):
            written = shorter
    return written


def _tree(written: str) -> str:
    try:
        return ast.dump(ast.parse(written))
    except SyntaxError:  # the head of a block, a return
        return written if not written.startswith("return ") else _tree(written[7:])


def comments_above(place: Place) -> list[str]:
    """Return the comments of the user's on the lines above a statement."""
    if is_of_prelude(place.path):
        return []
    known, line, found = _comments(place.path), place.first - 1, []
    while line in known and known[line][1]:
        found.append(known[line][0])
        line -= 1
    return [each for each in reversed(found) if not _is_to_tools(each)]


def comments_beside(place: Place) -> list[str]:
    """Return the comments of the user's behind a statement, or behind its lines."""
    if is_of_prelude(place.path):
        return []
    known = _comments(place.path)
    lines = range(place.first, place.last + 1)
    found = [known[n][0] for n in lines if n in known and not known[n][1]]
    return [each for each in found if not _is_to_tools(each)]


def _is_to_tools(comment: str) -> bool:
    return comment.lstrip("# ").lower().startswith(TO_TOOLS)


def _code(path: str, line: int) -> str:
    """Return a line of a file without its comment."""
    text = linecache.getline(path, line)
    known = _comments(path).get(line)
    return (text if known is None else text[: text.rindex(known[0])]).strip()


def _comments(path: str) -> Mapping[int, tuple[str, bool]]:
    return _comments_in("".join(linecache.getlines(path)))


@lru_cache(maxsize=64)
def _comments_in(text: str) -> Mapping[int, tuple[str, bool]]:
    """Return the comments of a text by line, each with whether it stands alone."""
    found: dict[int, tuple[str, bool]] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                alone = token.line[: token.start[1]].strip() == ""
                found[token.start[0]] = (token.string, alone)
    except (tokenize.TokenError, SyntaxError):
        pass  # what could be read of it
    return found


@lru_cache(maxsize=64)
def _statements_in(text: str) -> Mapping[int, Lines]:
    """Return, by line, the first and last line of the statement there; of a block, of its head."""
    found: dict[int, Lines] = {}
    try:
        body = parsed(text).body
    except (SyntaxError, ValueError):
        return found
    lines = text.splitlines()
    # outer before inner: what is inside has the last word
    for node in (each for each in statements_in(body) if isinstance(each, ast.stmt)):
        inner = getattr(node, "body", None)
        last = node.end_lineno or node.lineno
        if inner and not isinstance(node, ast.Expr):
            last = max(node.lineno, first_line(inner[0]) - 1)
        last = _last_code_line(lines, node.lineno, last)
        found |= dict.fromkeys(range(node.lineno, last + 1), (node.lineno, last))
    return found


def _last_code_line(lines: Sequence[str], first: int, last: int) -> int:
    """Return the last line of a head that is neither empty nor a comment."""
    while last > first and lines[last - 1].strip()[:1] in ("", "#"):
        last -= 1
    return last


LONGEST = 40
_ARE_SHOWN: ContextVar[bool] = ContextVar("lines have numbers", default=True)


@contextmanager
def without_numbers() -> Iterator[None]:
    """Have texts that are made meanwhile name statements, and no numbers of lines."""
    token = _ARE_SHOWN.set(False)
    try:
        yield
    finally:
        _ARE_SHOWN.reset(token)


def are_numbered() -> bool:
    """Tell whether lines are named by their numbers."""
    return _ARE_SHOWN.get()


def numbered(numbers: str, written: str) -> str:
    """Return a remark on a statement: with the numbers of its lines, where these are shown."""
    return f"# {numbers}: {written}" if are_numbered() else f"# {written}"


def with_lines(file: str, numbers: str) -> str:
    """Return a file with the numbers of lines in it, where these are shown."""
    return f"{file}:{numbers}" if are_numbered() else file


def loop_called(file: str, path: str, line: int) -> str:
    """Return what a loop is called in a sentence: "Loop at line 13", or with its own words."""
    if are_numbered():
        return f"Loop at {f'{file}:' if file else 'line '}{line}"
    head = linecache.getline(path, line).strip().removesuffix(":")
    cut = head if len(head) <= LONGEST else f"{head[:LONGEST].rstrip()}..."
    return f"Loop `{cut}`" + (f" of {file}" if file else "")
