"""What a guard made 0 stays 0: a slope that is infinite there is not what the function has.

    h = np.maximum(x, 0.0)
    y = np.sqrt(s * h)            h_bar = np.where(x > 0.0, 0.5 * y_bar / y, 0.0) * s

Where x is negative y is 0 whatever x and s are, so nothing flows back, and nothing comes forward.
What is kept between -1 and 1 makes 1 - c**2 zero where it is held there:

    c = np.clip(x, -1.0, 1.0)
    y = np.arccos(c)              c_bar = np.where(np.abs(c) < 1.0, -(y_bar / np.sqrt(1.0 - c**2)), 0.0)

So does any other level at which a guard or a branch holds what the divisor is computed from (levels.py):

    y = np.sqrt(np.clip(x, -1.0, 3.0) + 1.0)      x_bar = np.where(x > -1.0, 0.5 * y_bar / y, 0.0) * ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.facts.fact import Fact
from s2sad.legacy.filling import literal
from s2sad.legacy.levels import LARGER, SMALLER, Levels, level_of, levels_in
from s2sad.legacy.masks import COMPARISONS, Mask, mask_of
from s2sad.legacy.program import Assign, Block, Call, Const, Expr, Op, Ref, Stmt, Update, Var
from s2sad.legacy.traverse import children, reads, rebuild, statements

# by value, or by an expression of one: 1.0 - c**2
Masks = Mapping[Expr, Mask]
Ask = Callable[[Var], Fact]
Held = frozenset[float]
NOWHERE: Held = frozenset()

# 0 where what they are given is 0
KEEP_ZERO = (np.sqrt, math.sqrt, np.abs, np.fabs, abs, np.cbrt, np.square, np.negative)


@dataclass(frozen=True, slots=True)
class Zeroed:
    """The values that are 0 where a guard made them so, and those that one holds at a level."""

    masks: Masks
    levels: Levels


def zeroed_in(block: Block) -> Zeroed:
    """Return what guards hold, and where they do not."""
    return Zeroed(_masks_in(block), levels_in(block))


def _masks_in(block: Block) -> dict[Expr, Mask]:
    """Return the values that are 0 where a guard made them so, and where they are not."""
    found: dict[Expr, Mask] = {}
    held: dict[Expr, Held] = {}
    for stmt in statements(block):
        if isinstance(stmt, Assign) and len(stmt.targets) == 1 and not stmt.unpack:
            mask = _guard(stmt.value) or _factor(stmt.value, found)
            if mask is not None:
                found[stmt.target] = mask
            ends = _held(stmt.value, held)
            if ends:
                held[stmt.target] = ends
                found[_one_minus_square(stmt.target)] = _within(stmt.target, ends)
    return found


def _held(value: Expr, held: Mapping[Expr, Held]) -> Held:
    """Return at which of -1 and 1 a guard holds what would be beyond."""
    match value:
        case Var():
            return held.get(value, NOWHERE)
        case Call(Ref(value=function), (a, low, high), ()) if function is np.clip:
            return _ends(low, -1.0) | _ends(high, 1.0) | held.get(a, NOWHERE)
        case Call(Ref(value=function), (a, b), ()):
            for names, end in ((LARGER, -1.0), (SMALLER, 1.0)):
                if any(function is f for f in names):
                    ends = _ends(a, end) | _ends(b, end)
                    return ends and ends | held.get(a, NOWHERE) | held.get(b, NOWHERE)
    return NOWHERE


def _ends(limit: Expr, end: float) -> Held:
    return frozenset({end}) if literal(limit) == end else NOWHERE


def _one_minus_square(var: Var) -> Expr:
    return Op("-", (Const(1.0), Op("**", (var, Const(2)))))


def _within(var: Var, ends: Held) -> Mask:
    """Return where a value is not held at any of its ends."""
    if len(ends) == 2:
        return Mask(Op("<", (Call(Ref("np.abs", np.abs), (var,)), Const(1.0))), True)
    (end,) = ends
    return Mask(Op("<" if end > 0 else ">", (var, Const(end))), True)


def _guard(value: Expr) -> Mask | None:
    """Return where a value is not 0, if it is one that is put to 0 elsewhere."""
    match value:
        case Call(Ref(value=function), (a, b), ()) if any(function is f for f in LARGER):
            return _beyond(">", a, b)
        case Call(Ref(value=function), (a, b), ()) if any(function is f for f in SMALLER):
            return _beyond("<", a, b)
        case Call(Ref(value=function), (a, low, *_), ()) if function is np.clip:
            return _beyond(">", a, low)
    return mask_of(value)


def _beyond(op: str, a: Expr, b: Expr) -> Mask | None:
    for this, other in ((a, b), (b, a)):
        if literal(other) == 0.0:
            return Mask(Op(op, (this, Const(0.0))), True)
    return None


def _factor(value: Expr, zeroed: Masks) -> Mask | None:
    """Return where a value is not 0, if it is proportional to one that is put to 0."""
    if value in zeroed:
        return zeroed[value]
    match value:
        case Op("*", (a, b)):
            return _factor(a, zeroed) or _factor(b, zeroed)
        case Op(op) if op in COMPARISONS:
            return Mask(value, True)
        case Op("/", (a, _)) | Op("u-", (a,)):
            return _factor(a, zeroed)
        case Op("**", (a, exponent)) if (literal(exponent) or 0) > 0:
            return _factor(a, zeroed)
        case Call(Ref(value=function), (a,), ()) if any(function is f for f in KEEP_ZERO):
            return _factor(a, zeroed)
    return None


def without_dead_slopes(block: Block, zeroed: Zeroed, fact: Ask, of: str = "") -> Block:
    """Return statements that give 0 where they would divide by what a guard made 0.

    `of` says what the values are called that the statements are looked for by.
    """

    if not zeroed.masks and not zeroed.levels.held:
        return block

    def one(stmt: Stmt) -> Stmt:
        made = map_blocks(stmt, lambda inner: without_dead_slopes(inner, zeroed, fact, of))
        if isinstance(made, Assign | Update) and of in _slot(made):
            return replace(made, value=_alive(made.value, zeroed, fact))
        return made

    return tuple(map(one, block))


def _slot(stmt: Assign | Update) -> str:
    return stmt.targets[0].slot if isinstance(stmt, Assign) else stmt.new.slot


def _alive(expr: Expr, zeroed: Zeroed, fact: Ask) -> Expr:
    masks = list(dict.fromkeys(_divisors(expr, zeroed)))
    if masks and mask_of(expr) is None:
        every = {*reads(expr), *(var for mask in masks for var in reads(mask.test))}
        scalar = all(fact(var).is_scalar or var in zeroed.levels.numbers for var in every)
        for mask in _together(masks, scalar):
            expr = mask.over(expr)
        return expr
    if isinstance(expr, Op | Call):
        return rebuild(expr, tuple(_alive(part, zeroed, fact) for part in children(expr)))
    return expr


def _together(masks: list[Mask], scalar: bool) -> list[Mask]:
    """Return as few masks as say the same."""
    masks = [replace(mask, scalar=scalar) for mask in masks]
    joint = [mask for mask in masks if mask.kept and not mask.count]
    if len(joint) < 2:
        return masks
    test = joint[0].test
    for mask in joint[1:]:
        test = Op("and" if scalar else "&", (test, mask.test))
    return [replace(joint[0], test=test), *(mask for mask in masks if mask not in joint)]


def _divisors(expr: Expr, zeroed: Zeroed) -> Iterator[Mask]:
    """Yield where the divisors of a product, which a guard may have made 0, are not 0."""
    match expr:
        case Op("/", (a, b)):
            yield from _not_zero(b, zeroed)
            yield from _divisors(a, zeroed)
        case Op("**", (a, exponent)) if not (literal(exponent) or 0) > 0:
            yield from _not_zero(a, zeroed)
        case Op("*", (a, b)):
            yield from _divisors(a, zeroed)
            yield from _divisors(b, zeroed)
        case Op("u-", (a,)):
            yield from _divisors(a, zeroed)


def _not_zero(divisor: Expr, zeroed: Zeroed) -> Iterator[Mask]:
    """Yield where a divisor is not 0, if a guard made it 0 elsewhere."""
    mask = _factor(divisor, zeroed.masks)
    if mask is not None:
        yield mask
        return
    levels = zeroed.levels
    for mask in levels.masks(divisor):
        if level_of(divisor, mask, levels) == 0.0:
            yield mask
