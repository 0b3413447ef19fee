"""What is a number on the host is a value on a device too: `s += a` is not seen under other names.

s += a[i]      ->      s = s + a[i]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.facts import Fact, Facts
from s2sad.legacy.facts.device import is_on_device
from s2sad.legacy.program import Assign, Block, Call, Op, Program, Ref, Stmt, Update, Var
from s2sad.legacy.scope import numbers_after

COPY = Ref("np.copy", np.copy)


def as_values(program: Program, facts: Facts) -> Program:
    """Return the program in which numbers of a device are summed out of place."""
    if not is_on_device():
        return program
    given = {param.var for param in program.params}

    def one(stmt: Stmt) -> Stmt:
        match stmt:
            case Update(new, old, None, op, value) if (
                op not in ("append", "=") and old not in given
            ):
                if is_value(facts.of(old)):
                    return Assign((new,), Op(op, (old, value)), stmt.span)
        return map_blocks(stmt, block)

    def block(statements: Block) -> Block:
        return tuple(map(one, statements))

    return replace(program, body=block(program.body))


def as_copies(program: Program, facts: Facts, written: Callable[[Var], bool]) -> Program:
    """Return the program in which numbers that are read from what is written later are copies.

    a = u[0]      ->      a_term = u[0]; a = np.copy(a_term)        a would be a view on a device
    """
    numbers = numbers_after(program)

    def one(stmt: Stmt) -> Block:
        match stmt:
            case Assign((target,), Op("index", (Var() as owner, _)), unpack=False, echo=False):
                if is_value(facts.of(target)) and written(owner):
                    part = numbers.temp(target.slot)
                    copied = Call(COPY, (part,))
                    return replace(stmt, targets=(part,)), replace(stmt, value=copied)
        return (map_blocks(stmt, block),)

    def block(statements: Block) -> Block:
        return tuple(each for stmt in statements for each in one(stmt))

    return replace(program, body=block(program.body))


def is_value(fact: Fact) -> bool:
    """Tell whether a name holds a number, be it the host's or an array of a device without axes."""
    return fact.rank == 0 and is_on_device()
