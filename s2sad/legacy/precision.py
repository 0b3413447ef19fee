"""A gradient has the precision of its argument, whatever else the function calculates with.

    np.sum(w * table)    with w of float32, table of float64    return w_bar.astype(np.float32)

Only where numbers of less precision than Python's are about is anything looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.callee import Written
from s2sad.legacy.facts import Fact
from s2sad.legacy.facts.sweeps import Sweeps
from s2sad.legacy.primal import Primal
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Expr,
    NewStore,
    Op,
    Program,
    Ref,
    Restore,
    Save,
    Stmt,
    Var,
)
from s2sad.legacy.traverse import reads, statements

USUAL = frozenset({"", "float64", "complex128"})
Known = Callable[[Var], Fact]


def precise_results(
    program: Program,
    known: Known,
    primal: Primal,
    seeds: Sequence[tuple[Var, Expr]],
    outs: Mapping[Var, Var],
    value: bool,
) -> Program:
    """Return a derivative whose adjoints have the dtypes of the arguments they belong to.

    `seeds` are the adjoints of results, `outs` results that are handed to the derivative; `value`
    tells that it returns the primal's result first.
    """
    given = _given(primal, seeds, outs)
    floats = [fact for fact in given.values() if fact.dtype and np.dtype(fact.dtype).kind in "fc"]
    if all(fact.dtype in USUAL for fact in floats):
        return program
    wanted = [fact for slot in primal.wrt for var, fact in given.items() if var.slot == slot]
    found = _found(program, known, given)
    whole = program.result
    adjoints = whole.args[1] if value and isinstance(whole, Op) else whole
    single = not (isinstance(adjoints, Op) and adjoints.op == "tuple")
    parts = (adjoints,) if single else adjoints.args  # type: ignore[union-attr]
    cast = tuple(_cast(part, fact, found) for part, fact in zip(parts, wanted, strict=True))
    result: Expr = cast[0] if single else Op("tuple", cast)
    if value and isinstance(whole, Op):
        result = Op("tuple", (whole.args[0], result))
    return replace(program, result=result)


def _given(
    primal: Primal, seeds: Sequence[tuple[Var, Expr]], outs: Mapping[Var, Var]
) -> dict[Var, Fact]:
    """Return what is known of the parameters of a derivative: a seed is like its result."""
    program, facts = primal.program, primal.facts
    given = {param.var: facts.of(param.var) for param in program.params}
    given |= {out: facts.of(result) for result, out in outs.items()}
    for result, seed in seeds:
        whole = program.result if isinstance(seed, Op) else result
        given |= {var: facts.expr(whole) for var in reads(seed)}
    return given


def _found(program: Program, known: Known, given: Mapping[Var, Fact]) -> Callable[[Expr], Fact]:
    """Infer what a derivative's own values are, not what its adjoints should be."""
    started = dict(given)
    for stmt in statements(program.body):
        if _is_told(stmt):
            targets = stmt.targets if isinstance(stmt, Assign) else (stmt.target,)  # type: ignore[union-attr]
            started |= {target: known(target) for target in targets}
    sweeps = Sweeps(replace(program, body=_plain(program.body)), started, {})
    sweeps.run()

    def fact(expr: Expr) -> Fact:
        return sweeps.known.get(expr, Fact("unknown")) if isinstance(expr, Var) else Fact("unknown")

    return fact


def _is_told(stmt: Stmt) -> bool:
    """Tell whether a statement gives back a primal value, or what another function made."""
    match stmt:
        case Assign(_, Call(Ref(value=Written() as written))):
            return not written.mixed  # a loop gives adjoints as they are
        case Restore():
            return True
    return False


def _plain(block: Block) -> Block:
    kept = (s for s in block if not (_is_told(s) or isinstance(s, Save | NewStore)))
    return tuple(map_blocks(stmt, _plain) for stmt in kept)


def _cast(adjoint: Expr, wanted: Fact, found: Callable[[Expr], Fact]) -> Expr:
    if not wanted.dtype or wanted.weak is not False or np.dtype(wanted.dtype).kind != "f":
        return adjoint
    dtype = Ref(f"np.{wanted.dtype}", getattr(np, wanted.dtype))
    fact = found(adjoint)
    if fact.dtype == wanted.dtype and fact.weak is False:
        return adjoint
    if wanted.is_scalar or wanted.rank == 0:
        return Call(dtype, (adjoint,))
    return Call(Attr(adjoint, "astype"), (dtype,)) if wanted.is_array else adjoint
