"""Names that some path leaves without a value get one before the branch or loop that binds them.

                                        p = None
if c: p = w[5]                          if c: p = w[5]
...                             ->      ...
p_bar = np.zeros_like(p)                p_bar = np.zeros_like(p)

Only what the derivative reads of its own accord asks for this: where it mirrors a statement of
the user's, the user's own name is bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from s2sad.legacy.blocks import all_defines
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import (
    NONE,
    Assign,
    Block,
    Call,
    Carried,
    Expr,
    If,
    Loop,
    Merge,
    Op,
    Program,
    Ref,
    Stmt,
    Var,
)
from s2sad.legacy.traverse import defines

ARRAY = Ref("np.array", np.array)
NAN = Ref("np.nan", np.nan)


def bound_first(program: Program, names: Iterable[Var], fact: Callable[[Var], Fact]) -> Program:
    """Return the program in which the slots of `names` have a value on every path."""
    for var in {var.slot: var for var in names}.values():
        program = _bound(program, var, fact(var))
    return program


def _bound(program: Program, var: Var, fact: Fact) -> Program:
    body = list(program.body)
    made = [[v for v in all_defines(stmt) if v.slot == var.slot] for stmt in body]
    place = next(number for number, found in enumerate(made) if found)
    first = Var(var.slot, max(v.version for found in made for v in found) + 1)
    after, _ = _told(tuple(body[place:]), first)
    start = Assign((first,), _nothing(fact), body[place].span)
    return replace(program, body=(*body[:place], start, *after))


def _nothing(fact: Fact) -> Expr:
    """Return what stands for a value that is not there: it can be copied and has a shape.

    Where the user's own text would raise, as it asks for the value after all, no number comes out.
    """
    match fact.kind:
        case "array":
            return Call(ARRAY, (NAN,))
        case "list":
            return Op("list", (NAN,))
        case "tuple":
            return Op("tuple", (NAN,))
    return NONE


def _told(block: Block, held: Var | None) -> tuple[Block, Var | None]:
    """Let merges and loops know what the slot of `held` holds where nothing was bound.

    None stands for a value without a name: it is handed on nowhere.
    """
    out: list[Stmt] = []
    for stmt in block:
        match stmt:
            case If():
                stmt, held = _told_branch(stmt, held)
            case Loop():
                stmt, held = _told_loop(stmt, held)
            case _:
                held = _last(defines(stmt), held)
        out.append(stmt)
    return tuple(out), held


def _told_branch(stmt: If, held: Var | None) -> tuple[Stmt, Var | None]:
    then, a = _told(stmt.then, held)
    orelse, b = _told(stmt.orelse, held)
    merges = []
    after = a if a == b else None
    for merge in stmt.merges:
        if held is not None and merge.out.slot == held.slot:
            merge = Merge(merge.out, merge.then or a, merge.orelse or b)
            after = merge.out
        merges.append(merge)
    return replace(stmt, then=then, orelse=orelse, merges=tuple(merges)), after


def _told_loop(loop: Loop, held: Var | None) -> tuple[Stmt, Var | None]:
    carried, inside, after = [], held, held
    slot = held.slot if held is not None else ""
    if any(var.slot == slot for stmt in loop.body for var in all_defines(stmt)):
        inside = after = None
    for each in loop.carried:
        if each.head.slot == slot:
            each = Carried(each.head, each.init or held, each.end, each.exit)
            inside, after = each.head, each.exit
        carried.append(each)
    if inside is None:
        return loop, None
    body, _ = _told(loop.body, inside)
    return replace(loop, carried=tuple(carried), body=body), after


def _last(made: tuple[Var, ...], held: Var | None) -> Var | None:
    for var in made:
        if held is not None and var.slot == held.slot:
            return var
    return held


__all__ = ["bound_first"]
