"""A primal Program becomes its reverse sweep: each statement's adjoint, last statement first.

    y@1 = np.sin(x@0)        x~bar@1 = y~bar@1 * np.cos(x@0)

The sweep reads any primal value as if none were lost; `checkpoint` makes that true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2sad.ir.errors import gather
from s2sad.legacy.facts import Facts, has_complex
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Break,
    Call,
    Effect,
    Expr,
    If,
    Loop,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.reverse.assignments import assign_back, unpack_back
from s2sad.legacy.reverse.branches import branch_back
from s2sad.legacy.reverse.exchanges import STATEMENTS, exchange_at, exchange_back
from s2sad.legacy.reverse.loops import loop_back
from s2sad.legacy.reverse.sweep import Bars, Sweep, contribute, none_lost
from s2sad.legacy.reverse.writes import effect_back, pop_back, update_back
from s2sad.legacy.scope import Numbers
from s2sad.legacy.solvers.ends import between
from s2sad.legacy.traverse import statements


def reverse_sweep(
    program: Program,
    facts: Facts,
    active: frozenset[Var],
    seeds: Sequence[tuple[Var, Expr]],
    numbers: Numbers,
    callee: object = None,
    assumed: list[str] | None = None,
) -> tuple[Block, Bars, Sweep]:
    """Return the reverse sweep of `program` and the adjoints of its parameters.

    `seeds` gives the adjoint of each returned value; a value returned twice has both added.
    """
    sweep = Sweep(facts, active, numbers, _adjoint, callee, assumed=assumed)
    sweep.complex = has_complex(facts)
    sweep.distinct = frozenset(_distinct(program))
    for var, seed in seeds:
        contribute(sweep, var, seed, program.span)
    sweep.problems += between(program, active, facts.expr)
    sweep.walk(program.body)
    if sweep.problems:
        raise gather(sweep.problems)
    none_lost(sweep)
    return tuple(sweep.out), sweep.bars, sweep


def _distinct(program: Program) -> Iterator[Var]:
    """Yield the arrays of positions, counted from the front, of which no two are equal."""
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Call(Ref("np.argsort" | "np.flatnonzero"), _, ())):
                yield target
            case Assign((target,), Call(Ref("np.arange"), (_,), ())):
                yield target
            case Assign((target,), Call(Attr(_, "argsort"), (), ())):
                yield target


def _adjoint(sweep: Sweep, block: Block, end: int) -> int:
    """Write the adjoint of the last statement before `end`; return of how many it is."""
    exchange = exchange_at(sweep, block, end)
    if exchange is not None:
        exchange_back(sweep, exchange)
        return STATEMENTS
    _of_statement(sweep, block[end - 1])
    return 1


def _of_statement(sweep: Sweep, stmt: Stmt) -> None:
    match stmt:
        case Assign(unpack=True):
            unpack_back(sweep, stmt)
        case Assign():
            assign_back(sweep, stmt)
        case Update():
            update_back(sweep, stmt)
        case Pop():
            pop_back(sweep, stmt)
        case Effect():
            effect_back(sweep, stmt)
        case If():
            branch_back(sweep, stmt)
        case Loop():
            loop_back(sweep, stmt)
        case Break():
            return


__all__ = ["Bars", "Sweep", "reverse_sweep"]
