"""States of a loop that are kept in files, in a directory that is removed in the end.

with _scratch(MARCH_FOLDER) as scratch:
    u, checkpoints = march_loop(u, dt, range(n), scratch)
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.blocks import all_defines
from s2sad.errors import Unsupported
from s2sad.facts import Fact
from s2sad.fresh import free
from s2sad.program import Block, Program, base
from s2sad.schedules.kinds import Disk, Schedule
from s2sad.schedules.outline import Outline, swept_of
from s2sad.traverse import expressions, statements, walk

SCRATCH, WRITE, READ = "_scratch", "_to_disk", "_from_disk"
HELD = frozenset({"none", "str", "generator"})


def goes_to_disk(fact: Fact) -> bool:
    """Tell whether a part of a state is written to a file: numbers stay in memory."""
    return not (fact.is_scalar or fact.kind in HELD)


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
        if goes_to_disk(fact) and not (fact.is_array or fact.kind == "unknown"):
            raise Unsupported(
                f"{name} is a {fact.kind}, and only arrays and numbers are written to files",
                span,
                "Hand on arrays from pass to pass, or keep the states in memory.",
            )


def scratch_name(program: Program, taken: Iterable[str]) -> str:
    """Return a name for the directory that nothing in a function has."""
    used = {base(var.slot) for stmt in program.body for var in all_defines(stmt)} | {*taken}
    used |= {param.var.slot for param in program.params}
    return free("scratch", used)


def folders_of(block: Block) -> list[tuple[str, str]]:
    """Return, for each loop in a block whose states are in files, constant and directory."""
    found = (part for stmt in statements(block) for e in expressions(stmt) for part in walk(e))
    loops = (swept_of(part) for part in found)
    return [loop.folder for loop in loops if loop is not None and loop.folder is not None]
