"""What a solver finds stands as it is: the function that had its derivative goes.

x = cubic_root(brentq(cubic, 0.0, 3.0, args=(a,)), a)      x = brentq(cubic, 0.0, 3.0, args=(a,))
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.ir.expression import Expr, is_own_call
from s2sad.ir.program import Function, Program, Return
from s2sad.ir.walk import reached, with_nodes


def with_solutions(program: Program) -> Program:
    """Return a program in which calls that give what they are handed first are that."""
    gone = {name for name, each in program.functions.items() if is_solution(each)}
    if not gone:
        return program

    def change(node: Expr) -> Expr | None:
        return node.args[1] if is_own_call(node) and node.args[0].data in gone else None

    functions = {
        name: replace(each, body=with_nodes(each.body, change), custom=None)
        for name, each in program.functions.items()
        if name not in gone
    }
    return replace(program, functions=reached(functions, program.entry))


def is_solution(function: Function) -> bool:
    """Tell whether a function stands for the derivative of what a solver finds."""
    if function.custom is None or function.custom.asked is None:
        return False
    (end,) = function.body
    return isinstance(end, Return) and end.value.op == "name"
