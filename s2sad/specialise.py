"""Branches whose test is settled by what is known of the arguments are taken at once.

if isinstance(x, np.ndarray): x = x.ravel()      ->      x = x.ravel()      for an array x
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.blocks import renamed
from s2sad.facts import Facts, static
from s2sad.program import Block, If, Loop, Merge, Program, Stmt, Var
from s2sad.traverse import substitute


def specialised(program: Program, facts: Facts) -> tuple[Program, bool]:
    """Return the program with settled branches taken; tell whether there were any."""
    same: dict[Var, Var | None] = {}
    body = _taken(program.body, facts, same)
    if body == program.body:
        return program, False

    def last(var: Var) -> Var:
        while (other := same.get(var)) is not None:
            var = other
        return var

    result = substitute(program.result, last)
    return replace(program, body=renamed(body, last), result=result), True


def _taken(block: Block, facts: Facts, same: dict[Var, Var | None]) -> Block:
    """Return a block with settled branches taken; `same` tells what stands for their values.

    None stands for what the taken branch leaves unbound: it ends in a `raise`.
    """
    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, If):
            known = static(stmt.test, facts)
            then, orelse = _taken(stmt.then, facts, same), _taken(stmt.orelse, facts, same)
            if known is None:
                merges = tuple(_bound(merge, same) for merge in stmt.merges)
                same.update((m.out, None) for m in merges if m.then is m.orelse is None)
                out.append(replace(stmt, then=then, orelse=orelse, merges=merges))
                continue
            out += then if known else orelse
            same.update((m.out, m.then if known else m.orelse) for m in stmt.merges)
        elif isinstance(stmt, Loop):
            out.append(replace(stmt, body=_taken(stmt.body, facts, same)))
        else:
            out.append(stmt)
    return tuple(out)


def _bound(merge: Merge, same: dict[Var, Var | None]) -> Merge:
    """Return a merge that takes nothing from a branch whose inner branch bound nothing."""
    sides = (None if _is_unbound(side, same) else side for side in (merge.then, merge.orelse))
    return Merge(merge.out, *sides)


def _is_unbound(var: Var | None, same: dict[Var, Var | None]) -> bool:
    while var is not None and var in same:
        var = same[var]
    return var is None
