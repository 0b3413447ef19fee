"""What is read of the object that a solver gives has a name where the object is made.

found = root(f, x0)        found = root(f, x0) ; found%1 = root(f, x0).x
return found.x             return found%1
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.legacy.blocks import map_blocks, map_everywhere
from s2sad.legacy.program import Assign, Attr, Block, Expr, Program, Stmt, Var, base
from s2sad.legacy.scope import Numbers
from s2sad.legacy.solvers.task import ATTRIBUTES, solver_name
from s2sad.legacy.traverse import statements, transform


def shown(program: Program, numbers: Numbers) -> Program:
    """Return the program in which solutions are read where they are found."""
    made = {
        stmt.target: numbers.temp(base(stmt.target.slot))
        for stmt in statements(program.body)
        if isinstance(stmt, Assign) and not stmt.unpack and _attribute(stmt.value)
    }
    if not made:
        return program

    def put(expr: Expr) -> Expr:
        match expr:
            case Attr(Var() as owner, name) if owner in made and name == wanted[owner]:
                return made[owner]
        return expr

    wanted = {
        stmt.target: _attribute(stmt.value)
        for stmt in statements(program.body)
        if isinstance(stmt, Assign) and stmt.target in made
    }
    body = map_everywhere(program.body, lambda expr: transform(expr, put))
    result = transform(program.result, put)
    return replace(program, body=_with_reads(body, made), result=result)


def _attribute(value: Expr) -> str:
    return ATTRIBUTES.get(solver_name(value), "")


def _with_reads(block: Block, made: dict[Var, Var]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        out.append(map_blocks(stmt, lambda inner: _with_reads(inner, made)))
        if isinstance(stmt, Assign) and not stmt.unpack and stmt.target in made:
            read = Attr(stmt.value, _attribute(stmt.value))
            out.append(replace(stmt, targets=(made[stmt.target],), value=read))
    return tuple(out)
