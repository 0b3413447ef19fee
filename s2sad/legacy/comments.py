"""Statements of a derivative are grouped by the line of the user's that they belong to.

    # 21: u[1:-1] += c * lap            above three or more
    x_bar = 0.5 * x_bar                 # 30: x = 0.5 * (x + a / x)

Zeros and values taken back need no remark of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.emit.lines import numbered
from s2sad.ir.errors import Span
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Ref,
    Restore,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import blocks, defines

WIDTH = 88
COLUMN = 37
ZEROS = ("np.zeros_like", "np.zeros", "_zeros_of")


def is_reverse(stmt: Stmt) -> bool:
    """Tell whether a statement belongs to the reverse sweep."""
    if isinstance(stmt, Restore):
        return True
    if any("~bar" in var.slot or "~back" in var.slot for var in defines(stmt)):
        return True
    return any(is_reverse(inner) for block in blocks(stmt) for inner in block)


def groups(block: Block) -> Iterator[tuple[list[Stmt], bool]]:
    """Yield runs of statements of one line, and whether a remark belongs to them."""
    run: list[Stmt] = []
    for stmt in block:
        if run and not (isinstance(stmt, If | Loop) or line_of(stmt) != line_of(run[0])):
            run.append(stmt)
            continue
        yield from _split(run)
        run = [stmt]
    yield from _split(run)


def _split(run: list[Stmt]) -> Iterator[tuple[list[Stmt], bool]]:
    """Yield a run whose remark stands at its first statement that computes a derivative."""
    explained = [place for place, stmt in enumerate(run) if is_explained(stmt)]
    if not explained:
        yield from (([stmt], False) for stmt in run)
        return
    first = 0 if _has_tangent(run) else explained[0]
    yield from (([stmt], False) for stmt in run[:first])
    yield run[first:], True


def _has_tangent(run: list[Stmt]) -> bool:
    return any("~dot" in var.slot for stmt in run for var in defines(stmt))


def line_of(stmt: Stmt) -> tuple[str, int]:
    """Return the file and line of the user's that a statement comes from."""
    return stmt.span.path, stmt.span.line


def is_explained(stmt: Stmt) -> bool:
    """Tell whether a statement is one to explain: it computes an adjoint or a tangent."""
    if isinstance(stmt, Assign):
        return any(_is_bar(var) for var in stmt.targets) and not _is_zero(stmt.value)
    return isinstance(stmt, Update) and _is_bar(stmt.new) and not _is_zero(stmt.value)


def _is_bar(var: Var) -> bool:
    return "~bar" in var.slot or "~dot" in var.slot


def _is_zero(value: Expr) -> bool:
    match value:
        case Const(0.0) | Op("list", ()):
            return True
        case Call(Ref(text)):
            return text in ZEROS
    return False


# ---------------------------------------------------------------- remarks


def remark(span: Span) -> str:
    """Return the remark that names the user's line."""
    written = span.text().split("  #")[0].strip()
    if span.path.startswith("<s2sad"):  # a text that nobody has before them
        return f"# {written}" if written else ""
    return numbered(str(span.line), written) if span.line and written else ""


def beside(lines: list[str], note: str) -> bool:
    """Put a remark beside the first of a few lines; tell whether there is room for it."""
    first = lines[0]
    column = max(COLUMN, len(first) + 2)
    if len(lines) > 2 or column + len(note) > WIDTH:
        return False
    lines[0] = first.ljust(column) + note
    return True


def cut(line: str) -> str:
    """Return a comment line, cut where it would be too long."""
    return line if len(line) <= WIDTH else line[: WIDTH - 3].rstrip() + "..."
