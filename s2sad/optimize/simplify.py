"""The order in which a program is made simpler: each function until nothing changes.

simplify(program)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from s2sad.ir.expression import Expr
from s2sad.ir.program import Function, Program
from s2sad.ir.walk import expressions, nodes, statements
from s2sad.optimize.coalesce import without_copies, without_idle_copies
from s2sad.optimize.contributions import put_together
from s2sad.optimize.liveness import without_dead
from s2sad.optimize.memory import Memory, memory_of
from s2sad.optimize.numbering import number_values
from s2sad.optimize.stacks import loop_over_saved
from s2sad.optimize.substitute import Build, inline_temporaries

ROUNDS = 8


def simplify(program: Program, context: Any = None) -> Program:
    """Return a program with the same values and effects whose text is shorter."""
    build = _builder(context)
    functions = {
        name: _simplified(each, program, build) for name, each in program.functions.items()
    }
    return _without_unused(replace(program, functions=functions))


def _builder(context: Any) -> Build:
    return lambda expr: expr


def _simplified(function: Function, program: Program, build: Build) -> Function:
    steps: tuple[Callable[[Function, Memory], Function], ...] = (
        without_dead,
        lambda f, memory: number_values(f, memory, build),
        without_idle_copies,
        without_copies,
        lambda f, memory: inline_temporaries(f, memory, build),
        lambda f, memory: put_together(f, memory, build),
        without_dead,
        loop_over_saved,
    )
    for _ in range(ROUNDS):
        before = function
        for step in steps:
            function = step(function, memory_of(function, program))
        if function == before:
            break
    return function


def _without_unused(program: Program) -> Program:
    """Leave out the functions that nobody calls."""
    kept, waiting = {program.entry}, [program.entry]
    while waiting:
        for called in _called(program.functions[waiting.pop()]):
            if called not in kept:
                kept.add(called)
                waiting.append(called)
    functions = {name: each for name, each in program.functions.items() if name in kept}
    return replace(program, functions=functions)


def _called(function: Function) -> frozenset[str]:
    found: list[Expr] = [
        node
        for statement in statements(function.body)
        for expr in expressions(statement)
        for node in nodes(expr)
        if node.op == "function"
    ]
    return frozenset(node.data for node in found)
