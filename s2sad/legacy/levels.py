"""What a guard holds at a level stays there, and with it what is computed from it.

c = np.clip(x, -1.0, 3.0)         c is -1.0 unless x > -1.0, and 3.0 unless x < 3.0
t = c + 1.0                       t is  0.0 unless x > -1.0, and 4.0 unless x < 3.0

if x < b:
    x = b                         x is b unless x != b
d = x - b                         d is 0.0 unless x != b
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sad.legacy.filling import literal
from s2sad.legacy.masks import COMPARISONS, Mask
from s2sad.legacy.program import (
    NONE,
    Assign,
    Attr,
    Block,
    Call,
    Const,
    Expr,
    If,
    Op,
    Ref,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import blocks, children, reads

Level = float | Expr


@dataclass(frozen=True, slots=True)
class Levels:
    """Of each value where a guard does not hold it, and the level that it is held at elsewhere.

    `names` are what the program has for expressions, so that b**2 is known again under its name;
    `numbers` are what a function of `math` is given, which takes no arrays.
    """

    held: dict[Var, dict[Mask, Level]]
    names: dict[Expr, Var]
    numbers: set[Var]

    def masks(self, value: Expr) -> list[Mask]:
        """Return where what a value is computed from is not held."""
        found = (mask for var in reads(value) for mask in self.held.get(var, ()))
        return list(dict.fromkeys(found))


LARGER, SMALLER = (np.maximum, np.fmax, max), (np.minimum, np.fmin, min)
ABSOLUTE = (np.abs, abs, np.fabs)
# of one operand, and finite where that is: what they give at a level is another level
ELEMENTWISE = (
    *(np.sqrt, math.sqrt, np.abs, np.fabs, abs, np.cbrt, np.square, np.negative),
    *(np.exp, math.exp, np.sin, math.sin, np.cos, math.cos, np.tanh, math.tanh),
    *(np.log, math.log, np.log1p, math.log1p, np.expm1, math.expm1, float, np.float64),
)
ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
}
LARGEST_LEVEL = 8  # parts of an expression


def levels_in(block: Block) -> Levels:
    """Return the values that guards hold at a level, and where they do not."""
    levels = Levels({}, {}, set())
    _go_through(block, levels, {})
    return levels


def _go_through(block: Block, levels: Levels, made: dict[Var, Expr]) -> None:
    for stmt in block:
        for inner in blocks(stmt):
            _go_through(inner, levels, made)
        for target, found in _of_statement(stmt, levels, made):
            if found:
                levels.held[target] = found
        if isinstance(stmt, Assign) and len(stmt.targets) == 1 and not stmt.unpack:
            made[stmt.target] = stmt.value
            _note(stmt.target, stmt.value, levels)


def _note(target: Var, value: Expr, levels: Levels) -> None:
    match value:
        case Op(op, (a, b)) if op in ARITHMETIC:
            spelled = Op(op, (_spelled(_level(a)), _spelled(_level(b))))
            levels.names.setdefault(spelled, target)
        case Call(Ref(value=function), args, ()) if function in vars(math).values():
            levels.numbers.update(var for arg in args for var in reads(arg))


def _of_statement(
    stmt: Stmt, levels: Levels, made: Mapping[Var, Expr]
) -> Iterator[tuple[Var, dict[Mask, Level]]]:
    match stmt:
        case Assign((target,), value, unpack=False):
            yield target, {**_handed_on(value, levels), **dict(_of_guard(value, made))}
        case Update(new, old, None, op, value) if op in ARITHMETIC:
            yield new, _handed_on(Op(op, (old, value)), levels)
        case Update(new, _, index, "=", value) if index and literal(value) is not None:
            yield new, {_unless_at(new, value): _level(value)}
        case If(merges=merges):
            for merge in merges:
                yield merge.out, dict(_merged(merge.out, (merge.then, merge.orelse), levels, made))


def _merged(
    out: Var, sides: tuple[Var | None, ...], levels: Levels, made: Mapping[Var, Expr]
) -> Iterator[tuple[Mask, Level]]:
    """Yield the levels of what has one of two values after a branch."""
    for side in sides:
        if side is None:
            continue
        value = made.get(side)
        if value is not None and _is_plain(value):
            yield _unless_at(out, value), _level(value)
        for level in levels.held.get(side, {}).values():
            plain = _spelled(level)
            if _is_plain(plain):
                yield _unless_at(out, plain), level


def _is_plain(value: Expr) -> bool:
    return literal(value) is not None or isinstance(value, Var)


def _level(value: Expr) -> Level:
    number = literal(value)
    if number is None and isinstance(value, Ref) and type(value.value) in (int, float):
        number = value.value
    return value if number is None else float(number)


def _spelled(level: Level) -> Expr:
    if isinstance(level, float):
        return Op("u-", (Const(-level),)) if level < 0.0 else Const(level)
    return level


def _unless_at(var: Var, level: Expr) -> Mask:
    return Mask(Op("!=", (var, _spelled(_level(level)))), True)


# ---------------------------------------------------------------------------- guards


def _of_guard(value: Expr, made: Mapping[Var, Expr]) -> Iterator[tuple[Mask, Level]]:
    match value:
        case Call(Ref(value=function), (a, b), ()) if any(function is f for f in LARGER):
            yield from (_beyond(">", a, b), _beyond(">", b, a))
        case Call(Ref(value=function), (a, b), ()) if any(function is f for f in SMALLER):
            yield from (_beyond("<", a, b), _beyond("<", b, a))
        case Call(Ref(value=function), (a, low, high), ()) if function is np.clip:
            yield from _between(a, low, high)
        case Call(Attr(a, "clip"), (low, high), ()):
            yield from _between(a, low, high)
        case Call(Attr(a, "clip"), (low,), ()):
            yield _beyond(">", a, low)
        case Call(Attr(a, "clip"), (), keywords):
            limits = dict(keywords)
            yield from _between(a, limits.get("min", NONE), limits.get("max", NONE))
        case Call(Ref(value=function), (test, a, b), ()) if function is np.where:
            yield Mask(test, True), _level(b)
            yield Mask(test, False), _level(a)
        case Op("if", (test, a, b)):
            yield Mask(test, True, scalar=True), _level(b)
            yield Mask(Op("not", (test,)), True, scalar=True), _level(a)
        case Op("*", (_, Op(op) as test)) | Op("*", (Op(op) as test, _)) if op in COMPARISONS:
            yield Mask(test, True), 0.0
        case Op("+", (a, b)):
            for one, other in ((a, b), (b, a)):
                if _is_absolute(made.get(one) if isinstance(one, Var) else one, other):
                    yield Mask(Op(">", (other, Const(0.0))), True), 0.0


def _beyond(op: str, a: Expr, limit: Expr) -> tuple[Mask, Level]:
    return Mask(Op(op, (a, limit)), True), _level(limit)


def _between(a: Expr, low: Expr, high: Expr) -> Iterator[tuple[Mask, Level]]:
    if low != NONE:
        yield _beyond(">", a, low)
    if high != NONE:
        yield _beyond("<", a, high)


def _is_absolute(value: Expr | None, of: Expr) -> bool:
    match value:
        case Call(Ref(value=function), (a,), ()):
            return a == of and any(function is f for f in ABSOLUTE)
    return False


# ---------------------------------------------------------------------------- what follows


def _handed_on(value: Expr, levels: Levels) -> dict[Mask, Level]:
    """Return the levels of what is computed from values at levels."""
    made = {}
    for mask in levels.masks(value):
        level = level_of(value, mask, levels)
        if level is not None and (isinstance(level, float) or _size(level) <= LARGEST_LEVEL):
            made[mask] = level
    return made


def _size(expr: Expr) -> int:
    return 1 + sum(map(_size, children(expr)))


def level_of(value: Expr, mask: Mask, levels: Levels) -> Level | None:
    """Return what a value is where a guard holds what it is computed from; None if not known."""
    match value:
        case Var():
            return levels.held.get(value, {}).get(mask, value)
        case Const() | Ref():
            return _level(value)
        case Op("u-", (a,)):
            inner = level_of(a, mask, levels)
            return -inner if isinstance(inner, float) else inner and Op("u-", (inner,))
        case Op(op, (a, b)) if op in ARITHMETIC:
            made = _computed(op, level_of(a, mask, levels), level_of(b, mask, levels))
            return made if isinstance(made, float | None) else levels.names.get(made, made)
        case Call(Ref(value=function) as ref, args, ()):
            inside = [level_of(arg, mask, levels) for arg in args]
            if all(isinstance(each, float) for each in inside):
                known = any(function is f for f in (*ELEMENTWISE, *LARGER, *SMALLER, np.clip))
                return _evaluated(function, *inside) if known else None
            if len(args) == 1 and inside[0] and any(function is f for f in ELEMENTWISE):
                return Call(ref, (_spelled(inside[0]),))
    return None


def _computed(op: str, a: Level | None, b: Level | None) -> Level | None:
    if a is None or b is None:
        # whatever the other factor is
        return 0.0 if op in "*/" and 0.0 in (a, b if op == "*" else None) else None
    if isinstance(a, float) and isinstance(b, float):
        return _evaluated(ARITHMETIC[op], a, b)
    if (op == "-" and a == b) or (op == "*" and 0.0 in (a, b)) or (op == "/" and a == 0.0):
        return 0.0
    return Op(op, (_spelled(a), _spelled(b)))


def _evaluated(function: Callable[..., Any], *values: Any) -> float | None:
    try:
        with np.errstate(all="ignore"):
            return float(function(*values))
    except (ArithmeticError, ValueError):
        return None
