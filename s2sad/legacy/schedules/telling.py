"""A pass that may end its loop tells so: where it left the loop, it sets a flag.

if abs(y - x) < tol:             done = False
    break                ->      if abs(y - x) < tol:
x = y                                done = True
                                 else:
                                     x = y
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.legacy.program import Assign, Block, Break, Const, If, Merge, Stmt, Var
from s2sad.legacy.scope import Numbers


def told(body: Block, numbers: Numbers) -> tuple[Block, Var]:
    """Return the body of a loop without its breaks, and the value that tells whether it broke."""
    start = numbers.temp("done")
    span = body[0].span
    rest, done = _told(body, start, numbers)
    return (Assign((start,), Const(False), span), *rest), done


def _told(block: Block, held: Var, numbers: Numbers) -> tuple[Block, Var]:
    out: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Break(span):
                held = numbers.next(held.slot)
                out.append(Assign((held,), Const(True), span))
            case If():
                then, a = _told(stmt.then, held, numbers)
                orelse, b = _told(stmt.orelse, held, numbers)
                merges = stmt.merges
                if a != b:
                    held = numbers.next(held.slot)
                    merges = (*merges, Merge(held, a, b))
                out.append(replace(stmt, then=then, orelse=orelse, merges=merges))
            case _:
                out.append(stmt)
    return tuple(out), held
