"""Even powers of absolute values, norms and deviations are written without these.

np.linalg.norm(x) ** 2          np.sum(x**2)
np.abs(x) ** 2                  x**2
np.exp(-(np.std(x) ** 2))       np.exp(-np.var(x))

The first derivatives are the same. The second differ at 0, where a norm has a kink and its square
has none. What is written afterwards is the derivative alone: no value of the user's is replaced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from s2sad.ir.expression import Expr, Variable, constant
from s2sad.ir.program import Block, Function, Let, Program, RegionOp, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Number
from s2sad.ir.walk import (
    bind_counts,
    in_blocks,
    read_variables,
    rebuilt,
    statements,
    with_expressions,
)
from s2sad.operators.find import find
from s2sad.operators.library import has_rule_of_users
from s2sad.operators.slopes import is_root, is_sum_of_squares, power_of

Infer = Callable[[Expr], Expr]


def without_kinks(program: Program, infer: Infer) -> Program:
    """Return a program with the same first derivatives, and second ones where it is smooth."""
    return program.mapped(lambda each: _smoothed(each, infer))


def _smoothed(function: Function, infer: Infer) -> Function:
    once = _bound_once(function)
    may_move = not any(map(_writes_in_place, statements(function.body)))
    block = _block(function.body, {}, once if may_move else frozenset(), infer)
    return replace(function, body=block)


def _bound_once(function: Function) -> frozenset[Variable]:
    """Return the variables that are bound at one place."""
    found = Counter(p.variable for p in function.parameters) + bind_counts(function.body)
    return frozenset(v for v, count in found.items() if count == 1)


def _writes_in_place(statement: Statement) -> bool:
    match statement:
        case Store(target):
            return target.op != "name" or not isinstance(target.type, Number)
        case RegionOp():
            return True
        case Let(value=value, effect=effect, spelled=spelled):
            return not effect.is_pure or (spelled != "=" and not isinstance(value.type, Number))
    return False


def _block(
    block: Block, known: Mapping[Variable, Expr], once: frozenset[Variable], infer: Infer
) -> Block:
    """Rewrite a block; `known` are the names of kinks that hold in it."""
    made: list[Statement] = []
    known = dict(known)
    for each in block:
        each = with_expressions(each, lambda e: rebuilt(e, lambda n: _even(n, known, infer)))
        made.append(in_blocks(each, lambda b: _block(b, known, once, infer)))
        match each:
            case Let(Variable() as target, value) if target in once:
                if read_variables(value) <= once and _square_of(value, infer) is not None:
                    known[target] = value
    return tuple(made)


def _even(expr: Expr, known: Mapping[Variable, Expr], infer: Infer) -> Expr | None:
    """Return an even power of a kink without it, None for what is none."""
    found = power_of(expr)
    if found is None:
        return None
    base, exponent = found
    square = _square_of(known.get(base.data, base) if base.op == "name" else base, infer)
    if square is None:
        return None
    half = exponent // 2
    whole = square if half == 1 else Expr("binary", (square, constant(half)), "**")
    return infer(whole).at(expr.span)


# ---------------------------------------------------------------------------- squares of kinks


def _square_of(expr: Expr, infer: Infer) -> Expr | None:
    """Return the square of a kink of real numbers, written without it: as its rule says."""
    match expr:
        case Expr("binary", (base, Expr("constant", data=0.5)), "**") if is_sum_of_squares(base):
            return base
    if expr.op != "call" or has_rule_of_users(expr):
        return None
    if is_root(expr):
        return expr.args[1]
    found = find(expr)
    if found is None or found.square is None:
        return None
    bound = found.bound
    return rebuilt(found.square, lambda n: bound[n.data.name] if n.op == "name" else infer(n))
