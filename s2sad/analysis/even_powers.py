"""Even powers of absolute values, norms and deviations are written without these.

np.linalg.norm(x) ** 2          np.sum(x**2)
np.abs(x) ** 2                  x**2
np.exp(-(np.std(x) ** 2))       np.exp(-np.var(x))

The first derivatives are the same. The second differ at 0, where a norm has a kink and its square
has none. What is written afterwards is the derivative alone: no value of the user's is replaced.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from s2sad.ir.expression import (
    Expr,
    Variable,
    attribute,
    call,
    calls,
    constant,
    global_,
    keywords,
    positional,
)
from s2sad.ir.program import Block, Function, Let, Program, RegionOp, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Number
from s2sad.ir.walk import (
    bind_counts,
    in_blocks,
    read_variables,
    rebuilt,
    statements,
    with_expressions,
)
from s2sad.operators.guards import is_complex
from s2sad.operators.library import has_rule_of_users
from s2sad.operators.slopes import is_real, is_root, is_sum_of_squares, is_vector, power_of
from s2sad.operators.table import calls_one

Infer = Callable[[Expr], Expr]
TWO = constant(2)


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
    """Return the square of a kink of real numbers, written without it."""
    match expr:
        case Expr("binary", (base, Expr("constant", data=0.5)), "**") if is_sum_of_squares(base):
            return base
    if expr.op != "call" or has_rule_of_users(expr):
        return None
    found = next(_squares(expr), None)
    return found if found is None else infer(found)


def _squares(expr: Expr) -> Iterator[Expr]:
    args, named = positional(expr), keywords(expr)
    if not args or not _may_vary(args[0]):
        yield from _square_of_method(expr)
        return
    if calls_one(expr, "absolute"):
        if len(args) == 1 and not named:
            yield _squared(args[0])
    elif calls(expr, np.hypot) or calls(expr, math.hypot):
        if not named and all(map(is_real, args)):
            yield _sum_of_squares(args)
    elif calls(expr, np.std):
        variance = global_("np.var", np.var)
        yield Expr("call", (variance, *expr.args[1:]), expr.data)
    elif is_root(expr):
        yield args[0]
    elif calls_one(expr, "norm"):
        yield from _square_of_norm(args, named)


def _square_of_method(expr: Expr) -> Iterator[Expr]:
    """Yield the square of a method of an array: x.std()."""
    function = expr.args[0]
    if function.op == "attribute" and function.data == "std" and _may_vary(function.args[0]):
        variance = attribute(function.args[0], "var")
        yield Expr("call", (variance, *expr.args[1:]), expr.data)


def _square_of_norm(args: tuple[Expr, ...], named: dict[str, Expr]) -> Iterator[Expr]:
    """Yield the square of a norm, where it is the root of a sum of squares."""
    given = {**dict(zip(("x", "ord", "axis", "keepdims"), args, strict=False)), **named}
    order = given.pop("ord", constant(None))
    x = given.pop("x", args[0])
    if order.op != "constant" or len(args) > 4 or given.keys() - {"axis", "keepdims"}:
        return
    if order.data is None or (order.data == 2 and is_vector(x)) or order.data == "fro":
        yield call(global_("np.sum", np.sum), _squared(x), type_=UNKNOWN, **given)


def _sum_of_squares(args: tuple[Expr, ...]) -> Expr:
    whole, *others = map(_squared, args)
    for each in others:
        whole = Expr("binary", (whole, each), "+")
    return whole


def _may_vary(expr: Expr) -> bool:
    return is_real(expr) or is_complex(expr)


def _squared(expr: Expr) -> Expr:
    """Return the square of a number; of a complex one, of its size."""
    if is_complex(expr):
        expr = call(global_("np.abs", np.abs), expr, type_=UNKNOWN)
    return Expr("binary", (expr, TWO), "**")
