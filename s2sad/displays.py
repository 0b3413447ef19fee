"""A list of values that is given where an array is expected becomes one.

    y = np.polyval([1.0, s, 2.0], x)    ->    p%1 = np.array([1.0, s, 2.0]) ; y = np.polyval(p%1, x)

So what the list holds gets its adjoint from that of the array. Lists of literals stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from s2sad.blocks import map_blocks
from s2sad.program import Assign, Block, Call, Expr, Op, Program, Ref, Stmt, Var, base
from s2sad.rules import find
from s2sad.scope import Numbers
from s2sad.traverse import reads

ARRAY = Ref("np.array", np.array)
Ask = Callable[[Expr], Any]


def as_arrays(program: Program, numbers: Numbers, fact: Ask) -> Program:
    """Return the program in which active lists are arrays where only those have a rule."""

    def over(block: Block) -> Block:
        return tuple(each for stmt in block for each in _statements(stmt, numbers, fact, over))

    return replace(program, body=over(program.body))


def _statements(stmt: Stmt, numbers: Numbers, fact: Ask, over: Callable[[Block], Block]) -> Block:
    if not (isinstance(stmt, Assign) and isinstance(stmt.value, Call)):
        return (map_blocks(stmt, over),)
    call = stmt.value
    places = [i for i, arg in enumerate(call.args) if _holds_values(arg)]
    if not places or not isinstance(call.func, Ref) or find(call, fact) is not None:
        return (stmt,)
    made: list[Assign] = []
    args = list(call.args)
    for i in places:
        name = numbers.temp(base(stmt.targets[0].slot))
        made.append(Assign((name,), Call(ARRAY, (args[i],)), stmt.span))
        args[i] = name
    known = {each.target: fact(each.value) for each in made}
    whole = Call(call.func, tuple(args), call.keywords)

    def ask(expr: Expr) -> Any:
        return known[expr] if isinstance(expr, Var) and expr in known else fact(expr)

    if find(whole, ask) is None:
        return (stmt,)
    return (*made, replace(stmt, value=whole))


def _holds_values(arg: Expr) -> bool:
    return isinstance(arg, Op) and arg.op in ("list", "tuple") and bool(reads(arg))
