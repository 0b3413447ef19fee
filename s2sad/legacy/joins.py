"""A join that has no rule as it stands becomes one that has, or several.

    np.concatenate((A, b), axis=None)       ->    np.concatenate((np.ravel(A), np.ravel(b)))
    linalg.block_diag(A, b, C, D)           ->    linalg.block_diag(linalg.block_diag(A, B, C), D)
    np.einsum(A, [0, 1], b, [1], [0])       ->    np.einsum("ab,b->a", A, b)

Each part gets a statement of its own, as operands of a call are names.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from s2sad.legacy.hooks.making import has_star
from s2sad.legacy.program import NONE, Assign, Block, Call, Const, Expr, Op, Ref, Stmt, base
from s2sad.legacy.scope import Numbers

Ask = Callable[[Expr], Any]
AT_ONCE = 3  # the rules of block_diag are for two and three blocks
RAVEL = Ref("np.ravel", np.ravel)
UPRIGHT = Ref("np.atleast_2d", np.atleast_2d)


def with_rules(stmt: Stmt, numbers: Numbers, fact: Ask) -> Block:
    """Return the statements that do what a join does, by joins that have rules."""
    match stmt:
        case Assign(value=Call(Ref(_, np.concatenate), (parts, *axis)) as call, unpack=False) if (
            _is_flat(call, axis)
        ):
            return _flattened(stmt, parts, numbers, fact)
        case Assign(value=Call(Ref(text), blocks, ()), unpack=False) if (
            text == "scipy.linalg.block_diag" and not has_star(Op("tuple", blocks))
        ):
            return _diagonal(stmt, blocks, numbers, fact)
        case Assign(value=Call(Ref(_, np.einsum)) as call):
            return (replace(stmt, value=_with_letters(call)),)
    return (stmt,)


def _part(stmt: Assign, value: Expr, numbers: Numbers) -> Assign:
    return Assign((numbers.temp(base(stmt.target.slot)),), value, stmt.span)


# ---------------------------------------------------------------------------- joined flat


def _is_flat(call: Call, axis: Sequence[Expr]) -> bool:
    """Tell whether arrays of any shapes are joined, each as a row of its elements."""
    keywords = dict(call.keywords)
    return (list(axis), keywords) in (([NONE], {}), ([], {"axis": NONE}))


def _flattened(stmt: Assign, parts: Expr, numbers: Numbers, fact: Ask) -> Block:
    if not (isinstance(parts, Op) and parts.op in ("list", "tuple")) or has_star(parts):
        return (stmt,)
    made = [
        each if fact(each).rank == 1 else _part(stmt, Call(RAVEL, (each,)), numbers)
        for each in parts.args
    ]
    names = tuple(each.target if isinstance(each, Assign) else each for each in made)
    whole = Call(Ref("np.concatenate", np.concatenate), (Op("tuple", names),))
    return (*(each for each in made if isinstance(each, Assign)), replace(stmt, value=whole))


# ---------------------------------------------------------------------------- blocks


def _diagonal(stmt: Assign, blocks: tuple[Expr, ...], numbers: Numbers, fact: Ask) -> Block:
    assert isinstance(stmt.value, Call)
    if not blocks or (1 < len(blocks) <= AT_ONCE and all(fact(b).rank == 2 for b in blocks)):
        return (stmt,)
    out: list[Assign] = []
    upright: list[Expr] = []
    for block in blocks:
        if fact(block).rank != 2:
            out.append(_part(stmt, Call(UPRIGHT, (block,)), numbers))
            block = out[-1].target
        upright.append(block)
    while len(upright) > AT_ONCE:
        out.append(_part(stmt, Call(stmt.value.func, tuple(upright[:AT_ONCE])), numbers))
        upright[:AT_ONCE] = [out[-1].target]
    alone = Call(Ref("np.copy", np.copy), tuple(upright))
    whole = alone if len(upright) == 1 else Call(stmt.value.func, tuple(upright))
    return (*out, replace(stmt, value=whole))


# ---------------------------------------------------------------------------- Einstein's sums


def _with_letters(call: Call) -> Call:
    """Return np.einsum with its axes named in a text, where they are given as lists of numbers."""
    operands, lists = call.args[::2], call.args[1::2]
    result = operands[len(lists) :]
    operands = operands[: len(lists)]
    texts = [_letters(each) for each in (*lists, *result)]
    if not lists or None in texts or len(result) > 1:
        return call
    named = ",".join(str(text) for text in texts[: len(lists)])
    named += f"->{texts[-1]}" if result else ""
    return replace(call, args=(Const(named), *operands))


def _letters(axes: Expr) -> str | None:
    if not (isinstance(axes, Op) and axes.op in ("list", "tuple")):
        return None
    found = list(_letters_of(axes.args))
    return None if None in found else "".join(str(each) for each in found)


def _letters_of(axes: Sequence[Expr]) -> Iterator[str | None]:
    for axis in axes:
        match axis:
            case Const(int() as number) if 0 <= number < len(string.ascii_letters):
                # as NumPy numbers them: upper case first
                yield (string.ascii_uppercase + string.ascii_lowercase)[number]
            case Const(value) if value is Ellipsis:
                yield "..."
            case _:
                yield None
