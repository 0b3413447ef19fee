"""The docstring of a derivative: what it is, where it comes from, what it assumes and keeps.

Gradient of newton_sqrt(a, tol) with respect to a.

Differentiated in reverse mode by s2sad from primal.py:27-31.
Loop at line 29: keeps one x per pass.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from s2sad.callee import Written
from s2sad.comments import WIDTH, is_reverse
from s2sad.program import (
    Assign,
    Block,
    Call,
    Loop,
    Program,
    Ref,
    Save,
    Stmt,
    base,
    blocks,
    expressions,
    reads,
    statements,
)

INDENT = 4


def header(first: str, short: str, origin: str, about: str, program: Program) -> list[str]:
    """Return the lines of a docstring; `short` stands for `first` where that is too long."""
    lines = [first if len(first) <= WIDTH - INDENT - 3 else short, ""]
    lines.append(origin + ("," if about else "."))
    if about:
        lines += _wrapped(about + ".")
    for line in loop_lines(program):
        lines += _wrapped(line)
    return lines


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH - INDENT, break_long_words=False, break_on_hyphens=False)


# ---------------------------------------------------------------- what loops keep


def loop_lines(program: Program) -> Iterator[str]:
    """Yield what is kept of each loop that is run backwards."""
    forward = {loop.key: loop for loop in _loops(program.body) if not is_reverse(loop)}
    for loop in sorted(_loops(program.body), key=lambda each: each.span.line):
        if is_reverse(loop) and loop.key:
            yield f"Loop at line {loop.span.line}: {_kept(forward.get(loop.key), loop)}."
    for stmt in statements(program.body):
        match stmt:
            case Assign(_, Call(Ref(name, Written(mixed=True)))) if not name.endswith("_rev"):
                yield f"Loop at line {stmt.span.line}: keeps states as {name} tells."


def _loops(block: Block) -> Iterator[Loop]:
    return (stmt for stmt in statements(block) if isinstance(stmt, Loop))


def _kept(forward: Loop | None, backward: Loop) -> str:
    saved = [stmt for stmt in _own(forward.body) if isinstance(stmt, Save)] if forward else []
    if saved:
        names = dict.fromkeys(_kind(base(stmt.store)) for stmt in saved)
        return f"keeps {_listed([f'one {name}' for name in names])} per pass"
    again = [stmt for stmt in _own(backward.body) if isinstance(stmt, Assign)]
    if any("~back" in stmt.target.slot for stmt in again):
        return "keeps nothing, its values are cheap to compute again"
    counting = (var.slot for expr in expressions(backward) for var in reads(expr))
    counted = any(slot.startswith("passes%") for slot in counting)
    return "keeps nothing but how often it ran" if counted else "keeps nothing"


def _kind(name: str) -> str:
    return "count of passes" if name == "passes" else name


def _own(block: Block) -> Iterator[Stmt]:
    """Yield the statements of a loop's body but not those of the loops in it."""
    for stmt in block:
        yield stmt
        if not isinstance(stmt, Loop):
            for inner in blocks(stmt):
                yield from _own(inner)


def _listed(words: Sequence[str]) -> str:
    return " and ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} and {words[-1]}"
