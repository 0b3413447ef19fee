"""What passes tell is told once: prints, warnings and logs are left out where a pass runs again.

def march_step(u, k, first):
    u = np.sin(u)
    if first:
        print("pass", k)
    return u
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable

from s2sad.ir.expression import Variable, name
from s2sad.ir.program import Block, If, Let, Statement
from s2sad.ir.types import Number
from s2sad.ir.walk import blocks, statements, with_blocks
from s2sad.operators.table import LOGGING, PRINTS

TELL = (print, warnings.warn, logging.debug, logging.info, logging.warning, logging.error)


def tells(statement: Statement) -> bool:
    """Tell whether a statement prints, warns or logs, and does nothing else."""
    if not isinstance(statement, Let) or statement.target is not None:
        return False
    if statement.effect != PRINTS or statement.value.op != "call":
        return False
    function = statement.value.args[0]
    if function.op == "attribute":
        return function.data in LOGGING
    return function.op == "global" and any(function.data.value is each for each in TELL)


def tells_something(block: Block) -> bool:
    """Tell whether a pass tells something."""
    return any(map(tells, statements(block)))


def told_if(block: Block, first: Variable) -> Block:
    """Return a pass that tells what it tells if it is run for the first time."""
    test = name(first, Number("bool"))
    return _changed(block, lambda s: (If(test, (s,), (), s.span),))


def without_telling(block: Block) -> Block:
    """Return a pass that tells nothing."""
    return _changed(block, lambda s: ())


def _changed(block: Block, change: Callable[[Statement], Block]) -> Block:
    made: list[Statement] = []
    for statement in block:
        if tells(statement):
            made += change(statement)
            continue
        inner = tuple(_changed(b, change) for b in blocks(statement))
        if not isinstance(statement, If) or any(inner) or not any(blocks(statement)):
            made.append(with_blocks(statement, inner) if inner else statement)
    return tuple(made)
