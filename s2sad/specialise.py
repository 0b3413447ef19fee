"""Branches whose test is settled by what is known of the arguments are taken at once.

if isinstance(x, np.ndarray): x = x.ravel()      ->      x = x.ravel()      for an array x
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.blocks import renamed
from s2sad.facts import Facts, static
from s2sad.program import Block, If, Loop, Program, Stmt, Var
from s2sad.traverse import substitute


def specialised(program: Program, facts: Facts) -> tuple[Program, bool]:
    """Return the program with settled branches taken; tell whether there were any."""
    same: dict[Var, Var] = {}
    body = _taken(program.body, facts, same)
    if body == program.body:
        return program, False

    def last(var: Var) -> Var:
        while var in same:
            var = same[var]
        return var

    result = substitute(program.result, last)
    return replace(program, body=renamed(body, last), result=result), True


def _taken(block: Block, facts: Facts, same: dict[Var, Var]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, If):
            known = static(stmt.test, facts)
            then, orelse = _taken(stmt.then, facts, same), _taken(stmt.orelse, facts, same)
            if known is None:
                out.append(replace(stmt, then=then, orelse=orelse))
                continue
            out += then if known else orelse
            for merge in stmt.merges:
                side = merge.then if known else merge.orelse
                if side is not None:
                    same[merge.out] = side
        elif isinstance(stmt, Loop):
            out.append(replace(stmt, body=_taken(stmt.body, facts, same)))
        else:
            out.append(stmt)
    return tuple(out)
