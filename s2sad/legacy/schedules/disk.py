"""States of a loop that are kept in files, in a directory that is removed in the end.

with _scratch(MARCH_FOLDER) as scratch:
    u, checkpoints = march_loop(u, dt, range(n), scratch)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2sad.ir.errors import Unsupported
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Assign, Block, Call, Ref, Stmt, Var
from s2sad.legacy.schedules.outline import Outline, swept_of
from s2sad.legacy.templating import SCRATCH, printed_name
from s2sad.legacy.traverse import expressions, statements, walk
from s2sad.operators.schedules import Disk, Schedule

HELD = frozenset({"none", "str", "generator"})


def goes_to_disk(fact: Fact) -> bool:
    """Tell whether a part of a state is written to a file: numbers stay in memory."""
    return not (fact.is_scalar or fact.kind in HELD)


def _is_writable(fact: Fact) -> bool:
    if fact.kind == "tuple":
        return all(map(_is_writable, fact.items))
    return not goes_to_disk(fact) or fact.is_array or fact.kind == "unknown"


def refuse_files(outline: Outline, schedule: Schedule, facts: Iterable[tuple[str, Fact]]) -> None:
    """Raise where a state cannot be kept in files, or where it is not known how often."""
    if not isinstance(schedule, Disk):
        return
    span = outline.loop.span
    if outline.passes is not None and schedule.every is None:
        raise Unsupported(
            "how often this loop runs is not known before, so it is not known which states to write",
            span,
            "Tell after how many passes: s2sad.Disk(folder, every=100).",
        )
    for name, fact in facts:
        if not _is_writable(fact):
            raise Unsupported(
                f"{name} is a {fact.kind}, and only arrays, numbers and tuples of them go to files",
                span,
                "Hand on arrays from pass to pass, or keep the states in memory.",
            )


def folders_of(block: Block, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return, for each loop in a block whose states are in files, constant and directory.

    So does a text that was read make its directories: `scratch = _scratch(HEAT_FOLDER)`.
    """
    found = (part for stmt in statements(block) for e in expressions(stmt) for part in walk(e))
    loops = (swept_of(part) for part in found)
    made = [loop.folder for loop in loops if loop is not None and loop.folder is not None]
    return made + [(folder, names[var.slot]) for var, folder in map(_made, block) if var]


def without_folders(block: Block) -> Block:
    """Return a block without the statements that make directories: a `with` around it does."""
    return tuple(stmt for stmt in block if _made(stmt)[0] is None)


def _made(stmt: Stmt) -> tuple[Var | None, str]:
    match stmt:
        case Assign((var,), Call(Ref(_, function), (Ref(folder),))):
            return (var, folder) if printed_name(function) == SCRATCH else (None, "")
    return None, ""
