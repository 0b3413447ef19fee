"""Which values are still read after each statement of a Program, walked backwards.

y = np.sin(x)        live after: y        live before: x
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from s2sad.legacy.program import (
    Block,
    Call,
    Expr,
    If,
    Loop,
    Program,
    Ref,
    Restore,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.storage import defined_in
from s2sad.legacy.traverse import defines, expressions, flat_targets, reads, statements, value_reads

Visit = Callable[[Stmt, frozenset[Var]], None]
Reading = Callable[[Expr], Iterable[Var]]


def walk_live(
    block: Block, live: frozenset[Var], visit: Visit, reading: Reading = reads
) -> frozenset[Var]:
    """Call `visit(stmt, values read after it)` backwards; return what is live before `block`.

    `reading` tells what an expression reads: everything it names, or contents alone.
    """
    for stmt in reversed(block):
        visit(stmt, live)
        if isinstance(stmt, If):
            live = _live_if(stmt, live, visit, reading)
        elif isinstance(stmt, Loop):
            live = _live_loop(stmt, live, visit, reading)
        else:
            live = live.difference(defines(stmt)).union(*map(reading, _read_by(stmt, reading)))
    return live


def needed_values(program: Program, reading: Reading = value_reads) -> frozenset[Var]:
    """Return the values whose contents something reads, in the end: what is only handed on is not.

    `live` takes each value that a branch merges or a loop carries as read.
    """
    needed = set(reading(program.result))
    handed: list[tuple[tuple[Var, ...], tuple[Var | None, ...]]] = []
    for stmt in statements(program.body):
        if isinstance(stmt, Restore):
            handed.append(((stmt.target,), (Var(stmt.store, 0),)))
            continue
        for expr in _read_by(stmt, reading):
            needed.update(reading(expr))
        if isinstance(stmt, If):
            handed += [((m.out,), (m.then, m.orelse)) for m in stmt.merges]
        if isinstance(stmt, Loop):
            handed += [((c.head, c.exit), (c.init, c.end)) for c in stmt.carried]
    size = -1
    while size < len(needed):
        size = len(needed)
        for outs, sides in reversed(handed):  # most are handed on to what comes after
            if not needed.isdisjoint(outs):
                needed.update(side for side in sides if side is not None)
    return frozenset(needed)


def _read_by(stmt: Stmt, reading: Reading) -> tuple[Expr, ...]:
    """Return what a statement reads; an echo does not read what it stands for.

    What is put aside is read where it is taken back.
    """
    if isinstance(stmt, Restore) and reading is not reads:
        return (Var(stmt.store, 0),)
    if isinstance(stmt, Update) and stmt.echo and reading is not reads:
        return (stmt.value,)
    return expressions(stmt)


def _live_if(stmt: If, live: frozenset[Var], visit: Visit, reading: Reading) -> frozenset[Var]:
    merges = [merge for merge in stmt.merges if merge.out in live]
    live = live - {merge.out for merge in stmt.merges}
    then = live | {merge.then for merge in merges if merge.then}
    orelse = live | {merge.orelse for merge in merges if merge.orelse}
    before = walk_live(stmt.then, then, visit, reading)
    before |= walk_live(stmt.orelse, orelse, visit, reading)
    return before.union(reading(stmt.test))


def _live_loop(loop: Loop, live: frozenset[Var], visit: Visit, reading: Reading) -> frozenset[Var]:
    used = frozenset(_used(loop.body, reading))
    test = frozenset(reading(loop.test)) if loop.test is not None else frozenset()
    made = frozenset(defined_in(loop.body)) | frozenset(flat_targets(loop.targets))
    made |= {each.head for each in loop.carried}
    after = live - {each.exit for each in loop.carried}
    kept = {each.end for each in loop.carried if each.exit in live or each.head in used | test}
    throughout = (used | test | kept) - made | after
    iterable = frozenset(reading(loop.iterable)) if loop.iterable is not None else frozenset()
    if reading is not reads and not _is_range(loop.iterable):
        throughout |= iterable  # every pass reads its item from what is iterated over
    walk_live(loop.body, throughout | kept, visit, reading)
    inits = {each.init for each in loop.carried if each.init and each.end in kept}
    return throughout | inits | iterable


def _is_range(iterable: Expr | None) -> bool:
    return (
        isinstance(iterable, Call)
        and isinstance(iterable.func, Ref)
        and iterable.func.value is range
    )


def _used(block: Block, reading: Reading) -> Iterator[Var]:
    """Yield what the statements of a block read, merge or hand on."""
    for stmt in statements(block):
        for expr in _read_by(stmt, reading):
            yield from reading(expr)
        if isinstance(stmt, If):
            yield from (side for m in stmt.merges for side in (m.then, m.orelse) if side)
        if isinstance(stmt, Loop):
            yield from (side for each in stmt.carried for side in (each.init, each.end) if side)
