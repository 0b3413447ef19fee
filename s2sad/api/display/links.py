"""Which lines of a derivative belong to which lines of the primal, read off the text itself.

    u = np.tanh(x)                          is the user's own statement
    # 6: u = np.tanh(x)                     the lines below belong to line 6
    x_bar = u_bar * (1.0 - u**2)
    for u in reversed(u_saved):             belongs to the loop around what its lines belong to

So a file that was saved, or edited, is linked as well as what was just made.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence

from s2sad.ir.records import dataclass, field
from s2sad.source.files import first_line

# "6: u = ...", "6-7: ...", "other.py:6: ...", and the same without numbers
REMARK = re.compile(
    r"#\s*(?:(?P<file>[^\s:]+\.py):)?(?:(?P<first>\d+)(?:-\d+)?:\s)?\s*(?P<text>.*)"
)
SWEEP = re.compile(r"#\s*--\s")
# u_saved = [], u_saved.append(u), u_saved[k] = u, u = u_saved.pop(), u = u_saved[k]
SAVING = re.compile(
    r"(\w+, )*\w*_saved\w*\b(\s=|\.append\(|\[.*\]\s=)|.*= \w*_saved\w*(\.pop\(|\[)"
)
NEW = re.compile(r"_new(_\d+)?\b")
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the primal: its lines (of a block, those of its head) and its text."""

    first: int
    last: int
    text: str
    is_block: bool
    end: int
    target: str = ""

    @property
    def lines(self) -> range:
        """Return the lines of the statement, of a block those of its head."""
        return range(self.first, self.last + 1)


def linked(derivative: str, known: Sequence[Statement]) -> Mapping[int, frozenset[int]]:
    """Return, by the line of a derivative, the lines of the primal's file that it belongs to.

    `known` are the statements of the functions that are shown, the differentiated one first.
    """
    try:
        tree = ast.parse(derivative)
    except SyntaxError:
        return {}
    remarks = dict(_remarks(derivative))
    found: dict[int, frozenset[int]] = {}
    blank = frozenset(n for n, s in enumerate(derivative.splitlines(), 1) if not s.strip())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            _Linker(known, remarks, blank, found, _sweep_of(derivative, node)).function(node)
    for line, remark in remarks.items():  # a remark belongs to what it names
        if line not in found and (named := _named(remark, known)):
            found[line] = frozenset(named.lines)
    return found


def _sweep_of(text: str, node: ast.FunctionDef) -> int:
    """Return the line at which the reverse sweep of a function begins, else that after its end."""
    end = node.end_lineno or node.lineno
    lines = text.splitlines()
    titles = [n for n in range(node.lineno, end) if SWEEP.match(lines[n - 1].strip())]
    is_reverse = "reverse" in lines[titles[-1] - 1] if titles else False
    return titles[-1] if is_reverse else end + 1


def functions_of(text: str, lines: Iterable[int]) -> list[ast.stmt]:
    """Return the outermost functions, or statements, in which lines of a file stand."""
    every = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.stmt)]
    functions = [n for n in every if isinstance(n, ast.FunctionDef)]
    found: dict[int, ast.stmt] = {}
    for line in lines:
        for among in (functions, every):
            holds = [n for n in among if first_line(n) <= line <= (n.end_lineno or n.lineno)]
            if holds:  # a lambda stands in a statement of its own
                node = holds[0] if among is functions else holds[-1]
                found.setdefault(node.lineno, node)
                break
    return list(found.values())


def statements_of(node: ast.stmt) -> Iterator[Statement]:
    """Yield the statements of a function, in the order of its lines."""
    inner = [n for n in ast.walk(node) if isinstance(n, ast.stmt) and n is not node]
    if isinstance(node, ast.FunctionDef):
        end = node.end_lineno or node.lineno
        yield Statement(node.lineno, _head_end(node), f"def {node.name}", False, end)
    else:
        yield _statement(node)
    yield from map(_statement, sorted(inner, key=lambda n: n.lineno))


def _statement(node: ast.stmt) -> Statement:
    is_block = isinstance(node, BLOCKS)
    end = node.end_lineno or node.lineno
    return Statement(node.lineno, _head_end(node), _plain(node), is_block, end, _target(node))


def _target(node: ast.stmt) -> str:
    """Return what a statement binds or writes to, as a text."""
    match node:
        case ast.Assign(targets=[target, *_]) | ast.AugAssign(target=target):
            return f"{ast.unparse(target)} ="
    return ""


def _words(text: str) -> str:
    """Return a text without the brackets that only group: another grouping is the same line."""
    return "~" + text.replace("(", "").replace(")", "")


def _head_end(node: ast.stmt) -> int:
    """Return the last line of a statement, of a block that of its head."""
    body = getattr(node, "body", None)
    end = node.end_lineno or node.lineno
    return max(node.lineno, body[0].lineno - 1) if body else end


def _plain(node: ast.stmt) -> str:
    """Return a statement as it is compared: the head of a block without its body."""
    return ast.unparse(node).partition("\n")[0]


# ---------------------------------------------------------------------------- remarks


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment that names a statement of the primal; `alone` on its line, above others."""

    line: int
    column: int
    alone: bool
    first: int | None
    text: str
    file: str | None


def _remarks(text: str) -> Iterator[tuple[int, Remark]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and not SWEEP.match(token.string):
                line, column = token.start
                yield line, _remark(token.string, line, column, token.line[:column])
    except (tokenize.TokenError, SyntaxError):
        return


def _remark(comment: str, line: int, column: int, before: str) -> Remark:
    match = REMARK.match(comment)
    assert match is not None
    first = None if match["first"] is None else int(match["first"])
    return Remark(line, column, not before.strip(), first, match["text"].strip(), match["file"])


def _named(remark: Remark, known: Sequence[Statement]) -> Statement | None:
    """Return the statement that a remark names: by its line, else by its text."""
    if remark.first is not None:
        at_line = (s for s in known if s.first <= remark.first <= s.last)
        return None if remark.file else max(at_line, key=lambda s: s.first, default=None)
    wanted = _normal(remark.text.removesuffix("..."))
    if not wanted:
        return None
    cut = remark.text.endswith("...")
    fits = (s for s in known if s.text == wanted or (cut and s.text.startswith(wanted)))
    return next(fits, None)


def _normal(written: str) -> str:
    """Return a statement as `_plain` gives it."""
    head = f"{written} pass" if written.endswith(":") else written
    try:
        return _plain(ast.parse(head).body[0])
    except (SyntaxError, IndexError):
        return written


# ---------------------------------------------------------------------------- one function


@dataclass(slots=True)
class _Linker:
    """Links the statements of one function of a derivative; `place` is how far the primal is read."""

    known: Sequence[Statement]
    remarks: Mapping[int, Remark]
    blank: frozenset[int]
    found: dict[int, frozenset[int]]
    sweep: int
    place: int = 0
    by_text: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number, statement in enumerate(self.known):
            for key in {statement.text, _words(statement.text), statement.target} - {""}:
                self.by_text.setdefault(key, []).append(number)

    def function(self, node: ast.FunctionDef) -> None:
        """Link a function: its head and its result belong to the head of the primal."""
        self.block(node.body, node.body[0].lineno - 1)
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        if not self.known or not any(line in self.found for line in lines):
            return  # a small function that every text may have
        self.note(node, self.known[0])
        last = node.body[-1]
        if isinstance(last, ast.Return) and last.lineno not in self.found:
            self.note(last, self.known[0])

    def block(self, body: Sequence[ast.stmt], before: int) -> None:
        """Link the statements of a block, which stand below the line `before`.

        What saves or restores belongs to what comes after it.
        """
        above: Statement | None = None
        waiting: list[ast.stmt] = []
        for node in body:
            above = self.above(before, node, above)
            before = node.end_lineno or node.lineno
            following = self.known[min(self.place + 1, len(self.known) - 1)]
            own = self.of(node, above)
            if isinstance(node, BLOCKS):
                above = None
            if own is None and (_is_saving(node) or self.is_term(node)):
                waiting.append(node)
            elif own is not None:
                for each in waiting:  # the last ones of the forward sweep belong to the result
                    is_last = each.lineno < self.sweep < node.lineno and not _is_saving(each)
                    self.note(each, following if is_last else own)
                waiting = []

    def is_term(self, node: ast.stmt) -> bool:
        """Tell whether a statement of the forward sweep names a part of the user's next one.

        So may one of the reverse sweep that computes a value again.
        """
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        is_name = isinstance(target, ast.Name)
        return is_name and (node.lineno < self.sweep or "_bar" not in target.id)  # type: ignore[union-attr]

    def above(self, before: int, node: ast.stmt, still: Statement | None) -> Statement | None:
        """Return what the remark above a statement names, or the one that still stands."""
        between = range(before + 1, node.lineno)
        for line in reversed(between):
            remark = self.remarks.get(line)
            if remark is not None and remark.alone:
                return _named(remark, self.known)
        return None if any(line in self.blank for line in between) else still

    def of(self, node: ast.stmt, above: Statement | None) -> Statement | None:
        """Link one statement with its blocks, and return what it belongs to."""
        beside = self.remarks.get(node.lineno)
        named = None if beside is None else _named(beside, self.known)
        own = named or (above if above is not None and self.joins(node, above) else None)
        own = own or self.same(node)
        if isinstance(node, BLOCKS):
            self.blocks(node)
        if own is None and isinstance(node, BLOCKS):
            own = self.around(node)
        if own is not None:
            self.note(node, own)
        return own

    def blocks(self, node: ast.stmt) -> None:
        """Link the blocks of a statement, each below what stands before it."""
        before = node.lineno
        inner = [getattr(node, "body", []), *(h.body for h in getattr(node, "handlers", []))]
        for body in (*inner, getattr(node, "orelse", []), getattr(node, "finalbody", [])):
            if body:
                self.block(body, before)
                before = body[-1].end_lineno or body[-1].lineno

    def joins(self, node: ast.stmt, above: Statement) -> bool:
        """Tell whether a statement below a remark belongs to what that names."""
        is_result = isinstance(node, ast.Return) and not above.text.startswith("return")
        computes = any(isinstance(n, ast.BinOp | ast.UnaryOp | ast.Call) for n in ast.walk(node))
        return not _is_saving(node) and (computes or not is_result)

    def same(self, node: ast.stmt) -> Statement | None:
        """Return the statement of the primal that is written alike: the next one, if several are.

        Where parts of it have changed, as where it is computed again, what it binds is enough.
        """
        plain = _plain(node)
        user_s = NEW.sub("", plain)  # u_new is the user's u until the end of a pass
        for key in (plain, _words(plain), user_s, "" if _is_saving(node) else _target(node)):
            places = self.by_text.get(key, []) if key else []
            if places:
                self.place = next((p for p in places if p >= self.place), places[-1])
                return self.known[self.place]
        return None

    def around(self, node: ast.stmt) -> Statement | None:
        """Return the innermost block of the primal around what the lines of a block belong to.

        Of a loop it is the innermost loop.
        """
        lines = range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
        inner = [n for line in lines for n in self.found.get(line, ())]
        if not inner:
            return None
        loops = isinstance(node, ast.For | ast.While)
        around = (
            s
            for s in self.known
            if s.is_block
            and s.first <= min(inner) <= max(inner) <= s.end
            and (not loops or s.text.startswith(("for ", "while ")))
        )
        return max(around, key=lambda s: s.first, default=None)

    def note(self, node: ast.stmt, own: Statement) -> None:
        """Note that the lines of a statement, and of the remark above it, belong to one."""
        for line in range(node.lineno, _head_end(node) + 1):
            if line not in self.remarks or not self.remarks[line].alone:
                self.found[line] = frozenset(own.lines)


def _is_saving(node: ast.stmt) -> bool:
    """Tell whether a statement keeps a value for the reverse sweep, or takes it back."""
    return is_saving(_plain(node))


def is_saving(line: str) -> bool:
    """Tell whether a line keeps a value for the reverse sweep, or takes it back."""
    return bool(SAVING.match(line.strip()))
