"""Writes in place that change, unseen, what another value holds.

b@1 = a@0
b@2 = b@1[0] := 1        a conflict if a@0 is still read afterwards
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from s2sad.legacy.liveness import needed_values, walk_live
from s2sad.legacy.memory import (
    NOTHING,
    Part,
    Roots,
    own_memory,
    spread,
    writes_of,
    written_memory,
)
from s2sad.legacy.program import Assign, Block, If, Pop, Program, Stmt, Update, Var
from s2sad.legacy.storage import roots_of
from s2sad.legacy.traverse import defines, reads, statements, value_reads

Share = Callable[[Var, Var], bool]
Apart = Mapping[Var | None, frozenset[Var]]
NO_VALUES: frozenset[Var] = frozenset()


def always(a: Var, b: Var) -> bool:
    """Take any two values to share memory that their roots allow."""
    return True


@dataclass(frozen=True, slots=True)
class Conflict:
    """A write in place that changes `other`, which is read later and is not that write's own."""

    update: Update | Pop
    other: Var


def conflicts(program: Program, roots: Roots, share: Share = always) -> list[Conflict]:
    """Return every write that changes a value which is still read after it.

    `share` may know of two values that they never share memory.
    """
    found: list[Conflict] = []
    apart = apart_by_flag(program)

    def visit(stmt: Stmt, live: frozenset[Var]) -> None:
        silent = isinstance(stmt, Update) and stmt.silent
        writes = () if silent else writes_of(stmt)
        # what a copied statement gives names it gives once it has written
        given = () if isinstance(stmt, Update) else defines(stmt)
        for write in writes:
            mine = written_memory(write, roots)
            for other in sorted(
                seen_by(write, live, apart) - {*given}, key=lambda var: (var.slot, var.version)
            ):
                if mine & spread(roots.get(other, NOTHING)) and share(write.old, other):
                    found.append(Conflict(write, other))

    # a shape does not change with the contents
    walk_live(program.body, frozenset(reads(program.result)), visit, value_reads)
    needed = needed_values(program)
    return [each for each in found if each.other in needed]


def seen_by(stmt: Stmt, live: frozenset[Var], apart: Apart) -> frozenset[Var]:
    """Return the values of those live after a write that it is seen by, if they share its memory."""
    others = live - _unseen_by(stmt) - apart.get(_made_by(stmt), NO_VALUES)
    if isinstance(stmt, Update | Pop) and "~bar" in stmt.old.slot:
        return others
    # no write of the primal reaches what is put aside: `aside` has seen to that
    return frozenset(other for other in others if "~saved" not in other.slot)


def _made_by(stmt: Stmt) -> Var | None:
    return stmt.new if isinstance(stmt, Update | Pop) else None


def apart_by_flag(program: Program) -> Apart:
    """Return, for what each write makes, the values that a flag tells to have no memory of it.

    w@2 = w@1[0] := 1
    if v_is_w: v@2 = w@2      (an echo: where it is not said, v@1 is none of w)

    Where the echo is of what another flag told of, nothing is known: two parts of one array still
    share its memory when their owner's name has gone to another.
    """
    write: dict[Var, Var] = {}
    apart: dict[Var | None, frozenset[Var]] = {}
    flagged = {
        id(stmt): each
        for each in statements(program.body)
        if isinstance(each, If)
        for stmt in _echoes(each)
    }
    for stmt in statements(program.body):
        for made in writes_of(stmt):
            write[made.new] = made.new
        if not isinstance(stmt, Assign | Update) or not stmt.echo:
            continue
        (new,) = defines(stmt)
        source = next((write[var] for var in reads(stmt.value) if var in write), None)
        write.pop(new, None)
        if source is not None and id(stmt) not in flagged:
            write[new] = source
        elif source is not None:
            olds = {merge.orelse for merge in flagged[id(stmt)].merges if merge.orelse}
            apart[source] = apart.get(source, NO_VALUES) | olds
    return apart


def _echoes(stmt: If) -> Block:
    """Return what a branch says of memory where that is all it does."""
    said = all(isinstance(each, Assign | Update) and each.echo for each in stmt.then)
    return stmt.then if said and not stmt.orelse else ()


def _unseen_by(stmt: Stmt) -> frozenset[Var]:
    match stmt:
        case Pop(target, new):
            return frozenset({target, new})
        case Update(new, value=Var() as value, echo=True):
            return frozenset({new, value})  # it says what is there
        case Update(new):
            return frozenset({new})
    return frozenset()


def written_params(program: Program) -> frozenset[str]:
    """Return the parameters whose memory the function may write to."""
    roots = roots_of(program)
    owners = {param.var for param in program.params}
    written = (
        root.root if isinstance(root, Part) else root
        for stmt in statements(program.body)
        for write in writes_of(stmt)
        for root in own_memory(roots.get(write.old, NOTHING))
    )
    return frozenset(root.slot for root in written if isinstance(root, Var) and root in owners)
