"""Operations on displays of any length get rules made to measure, which no template can spell.

    np.stack((a, b))    ->    part_0_bar = y_bar[0] ; part_1_bar = y_bar[1]

Each leaf of the display is a parameter of the rule: `part_0`, `part_1`, ...
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from s2sad.legacy.filling import Match
from s2sad.legacy.guards import is_number, is_real
from s2sad.legacy.hooks import chains, choices, einsum, files, joined
from s2sad.legacy.hooks.builtin import (
    behind,
    displayed,
    extreme,
    extreme_of_display,
    hypot,
    is_sequence,
    repeated,
    total,
)
from s2sad.legacy.hooks.making import Y_BAR, Ask, Making, has_star, is_display
from s2sad.legacy.marks import MARKS
from s2sad.legacy.program import Call, Expr, Op, Ref
from s2sad.legacy.templating import FROM_DISK, TO_DISK, Rule, printed_name
from s2sad.operators.marks import on_adjoint

COMPARISONS = frozenset(["<", "<=", ">", ">=", "==", "!=", "is", "is_not", "in", "not_in"])
STATES = (TO_DISK, FROM_DISK)
Hook = Callable[[Call, Ask], Match | None]


def find(value: Expr, fact: Ask) -> Match | None:
    """Return the rule of an operation that takes any number of operands."""
    match value:
        case Call(Ref(_, function), (marked, *_)) if function in MARKS:
            return _marked(value, marked, function, fact)
        case Call(Ref(_, function), _) if printed_name(function) in STATES:
            return files.rule_of(value, fact, printed_name(function))
        case Op(op, _) if all(word in COMPARISONS for word in op.split()):
            return Match(Rule("comparison", "constant", (), ()), {}, value)
        case Call(Ref(_, function), (first, *_)) if not has_star(first) and (
            hook := _hook(function, first)
        ):
            return _if_fit(hook(value, fact), fact)
        case Call(Ref(_, function), (_, _, _, *_), ()) if function in (max, min):
            return _if_fit(extreme(value, value.args, fact), fact)
        case Op("index", (owner, key)) if joined.is_bracket(owner):
            parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
            return _if_fit(joined.in_brackets(value, parts, fact), fact)
        case Op("*", (Op("list", parts), times)) | Op("*", (times, Op("list", parts))):
            return _if_fit(repeated(value, parts, times, fact), fact)
        case Op("+", (left, right)) if is_sequence(left, fact) and is_sequence(right, fact):
            return behind(value, fact)
        case Op("tuple" | "list"):
            return displayed(value, fact)
    return None


def _marked(value: Call, marked: Expr, function: Any, fact: Ask) -> Match | None:
    """Return the rule of what is constant, or of what hands its adjoint to a function."""
    if function is not on_adjoint:
        return Match(Rule("stop_gradient", "constant", (), ()), {}, value)
    making = Making(fact)
    return making.match("on_adjoint", making.operand(marked, lambda _: Y_BAR))


def _hook(function: Any, first: Expr) -> Hook | None:
    listed = _display_hooks().get(id(function)) if is_display(first) else None
    return listed or _hooks().get(id(function))


def _if_fit(made: Match | None, fact: Ask) -> Match | None:
    """Return a rule if its operands are numbers; real ones where they are compared."""
    if made is None:
        return None
    fits = is_real if made.rule.name == "extreme" else is_number
    return made if all(fits(part, fact) for part in made.bound.values()) else None


def is_known(value: Expr) -> bool:
    """Tell whether there is a rule for some operands of a function."""
    if not (isinstance(value, Call) and isinstance(value.func, Ref)):
        return False
    function = value.func.value
    if function in MARKS or printed_name(function) in STATES:
        return True
    return id(function) in {**_hooks(), **_display_hooks()}


@cache
def _hooks() -> dict[int, Hook]:
    """Return the rules of functions of which the first argument is anything."""
    return {
        id(np.einsum): einsum.rule_of,
        id(np.select): choices.select,
        id(np.choose): choices.choose,
        id(math.hypot): hypot,
    }


@cache
def _display_hooks() -> dict[int, Hook]:
    """Return the rules of functions of which the first argument is a display."""
    found: tuple[tuple[Any, Hook], ...] = (
        (np.array, joined.array),
        (np.asarray, joined.array),
        (np.concatenate, joined.concatenate),
        (np.stack, joined.stack),
        (np.vstack, joined.vstack),
        (np.hstack, joined.hstack),
        (np.column_stack, joined.column_stack),
        (np.dstack, joined.dstack),
        (np.block, joined.block),
        (np.linalg.multi_dot, chains.multi_dot),
        (sum, total),
        (math.fsum, total),
        (max, extreme_of_display),
        (min, extreme_of_display),
    )
    return {id(function): hook for function, hook in found}
