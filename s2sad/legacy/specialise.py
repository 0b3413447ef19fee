"""Branches whose test is settled by what is known of the arguments are taken at once.

if isinstance(x, np.ndarray): x = x.ravel()      ->      x = x.ravel()      for an array x
"""

from __future__ import annotations

from dataclasses import replace

import gast

from s2sad.legacy.blocks import all_defines, renamed
from s2sad.legacy.facts import Facts, static
from s2sad.legacy.program import Block, Effect, If, Loop, Merge, Opaque, Program, Stmt, Var
from s2sad.legacy.traverse import substitute


def specialised(program: Program, facts: Facts) -> tuple[Program, bool]:
    """Return the program with settled branches taken; tell whether there were any."""
    same: dict[Var, Var | None] = {}
    body = _taken(program.body, facts, same, ends=False)
    if body == program.body:
        return program, False

    def last(var: Var) -> Var:
        while (other := same.get(var)) is not None:
            var = other
        return var

    result = substitute(program.result, last)
    return replace(program, body=renamed(body, last), result=result), True


def _taken(block: Block, facts: Facts, same: dict[Var, Var | None], ends: bool) -> Block:
    """Return a block with settled branches taken; `same` tells what stands for their values.

    None stands for what the taken branch leaves unbound: it ends in a `raise`. Where `ends` holds,
    the block is a branch that may end in one, and nothing after it is reached.
    """
    out: list[Stmt] = []
    for at, stmt in enumerate(block):
        if isinstance(stmt, If):
            known = static(stmt.test, facts)
            if known is None:
                out.append(_open(stmt, facts, same))
                continue
            out += _taken(stmt.then if known else stmt.orelse, facts, same, ends)
            same.update((m.out, m.then if known else m.orelse) for m in stmt.merges)
            if ends and out and _raises(out[-1]):
                same.update((var, None) for late in block[at + 1 :] for var in all_defines(late))
                break
        elif isinstance(stmt, Loop):
            out.append(replace(stmt, body=_taken(stmt.body, facts, same, ends=False)))
        else:
            out.append(stmt)
    return tuple(out)


def _open(stmt: If, facts: Facts, same: dict[Var, Var | None]) -> If:
    """Return a branch whose test is not settled, with the branches inside it that are taken."""
    then, orelse = (_taken(side, facts, same, ends=True) for side in (stmt.then, stmt.orelse))
    merges = tuple(_bound(merge, same) for merge in stmt.merges)
    same.update((m.out, None) for m in merges if m.then is m.orelse is None)
    return replace(stmt, then=then, orelse=orelse, merges=merges)


def _raises(stmt: Stmt) -> bool:
    match stmt:
        case Effect(Opaque(gast.Raise())):
            return True
    return False


def _bound(merge: Merge, same: dict[Var, Var | None]) -> Merge:
    """Return a merge that takes nothing from a branch whose inner branch bound nothing."""
    sides = (None if _is_unbound(side, same) else side for side in (merge.then, merge.orelse))
    return Merge(merge.out, *sides)


def _is_unbound(var: Var | None, same: dict[Var, Var | None]) -> bool:
    while var is not None and var in same:
        var = same[var]
    return var is None
