"""Output of passes comes once: prints, warnings and logs are left out where a pass runs again.

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

CALLED = (print, warnings.warn, logging.debug, logging.info, logging.warning, logging.error)


def is_output(statement: Statement) -> bool:
    """Tell whether a statement prints, warns or logs, and does nothing else."""
    if not isinstance(statement, Let) or statement.target is not None:
        return False
    if statement.effect != PRINTS or statement.value.op != "call":
        return False
    function = statement.value.args[0]
    if function.op == "attribute":
        return function.data in LOGGING
    return function.op == "global" and any(function.data.value is each for each in CALLED)


def has_output(block: Block) -> bool:
    """Tell whether a pass prints, warns or logs."""
    return any(map(is_output, statements(block)))


def output_if(block: Block, first: Variable) -> Block:
    """Return a pass whose output comes if it is run for the first time."""
    test = name(first, Number("bool"))
    return _changed(block, lambda s: (If(test, (s,), (), s.span),))


def without_output(block: Block) -> Block:
    """Return a pass without output."""
    return _changed(block, lambda s: ())


def _changed(block: Block, change: Callable[[Statement], Block]) -> Block:
    made: list[Statement] = []
    for statement in block:
        if is_output(statement):
            made += change(statement)
            continue
        inner = tuple(_changed(b, change) for b in blocks(statement))
        if not isinstance(statement, If) or any(inner) or not any(blocks(statement)):
            made.append(with_blocks(statement, inner) if inner else statement)
    return tuple(made)
