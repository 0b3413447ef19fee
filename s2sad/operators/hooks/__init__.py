"""Operations on displays of any length get rules made to measure, which no template can spell.

    np.stack((a, b))    ->    part_0_bar = y_bar[0] ; part_1_bar = y_bar[1]

Each leaf of the display is a parameter of the rule: `part_0`, `part_1`, ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, called_object, object_of
from s2sad.ir.types import Regions, Sequence, Tuple
from s2sad.operators.guards import is_display, is_numeric, is_real, items_of, literal
from s2sad.operators.hooks import builtin, choices, einsum, joined, tensordot
from s2sad.operators.hooks.making import has_star
from s2sad.operators.match import Match
from s2sad.operators.modules import identity, resolved
from s2sad.operators.rule import CONSTANT, Rule
from s2sad.source.optional import loaded

Hook = Callable[[Expr], Match | None]
COMPARISON = Rule("comparison", CONSTANT, ())
# of these the first argument is anything, of DISPLAYED a list or tuple that is written out
HOOKS: tuple[tuple[Any, Hook], ...] = (
    (np.einsum, einsum.rule_of),
    (np.select, choices.select),
    (np.choose, choices.choose),
    (math.hypot, builtin.hypot),
)
# a template has these, too, for what is not known
BEFORE_TEMPLATES: tuple[tuple[Any, Hook], ...] = (
    (np.tensordot, tensordot.rule_of),
    (np.linalg.tensordot, tensordot.rule_of),
    (np.dot, tensordot.of_stacks),
    (np.inner, tensordot.of_stacks),
)
OF_SCIPY: tuple[tuple[str, Hook], ...] = (("linalg.block_diag", joined.block_diag),)
DISPLAYED: tuple[tuple[Any, Hook], ...] = (
    (np.array, joined.array),
    (np.asarray, joined.array),
    (np.concatenate, joined.concatenate),
    (np.stack, joined.stack),
    (np.vstack, joined.vstack),
    (np.hstack, joined.hstack),
    (np.column_stack, joined.column_stack),
    (np.dstack, joined.dstack),
    (np.block, joined.block),
    (np.linalg.multi_dot, choices.multi_dot),
    (sum, builtin.total),
    (math.fsum, builtin.total),
    (max, builtin.extreme_of_display),
    (min, builtin.extreme_of_display),
)


def has_hook(function: Any) -> bool:
    """Tell whether the rule of a function is made to measure, whatever its first argument is."""
    return any(function is each for each, _ in HOOKS)


def find(expr: Expr, regions: Regions) -> Match | None:
    """Return the rule of an operation that takes any number of operands."""
    match expr.op:
        case "compare":
            return Match(str(expr.data[0]), COMPARISON, {}, expr)
        case "tuple" | "list":
            return builtin.displayed(expr)
        case "subscript" if is_bracket(expr.args[0]):
            key = expr.args[1]
            parts = key.args if key.op == "tuple" else (key,)
            return _if_numbers(joined.in_brackets(expr, parts))
        case "binary" if expr.data == "*" and any(arg.op == "list" for arg in expr.args):
            return _if_numbers(builtin.repeated(expr))
        case "binary" if expr.data == "+" and all(_is_list(arg, regions) for arg in expr.args):
            return builtin.appended(expr)
        case "call" if expr.args[0].op == "global" and len(expr.args) > 1:
            return _of_call(expr)
    return None


def of_known_ranks(expr: Expr) -> Match | None:
    """Return the rule that is made for the ranks of the operands, where a template has a general one."""
    function = called_object(expr) if expr.op == "call" else None
    hook = next((hook for each, hook in BEFORE_TEMPLATES if each is function), None)
    return None if hook is None else _if_numbers(hook(expr))


def _of_call(expr: Expr) -> Match | None:
    function, first = expr.args[0].data.value, expr.args[1]
    hook = None if has_star(first) and is_display(first) else _hook(function, first)
    if hook is not None:
        return _if_numbers(hook(expr))
    is_extreme = function is max or function is min
    if is_extreme and len(expr.args) > 3 and not expr.data:
        return _if_numbers(builtin.extreme(expr, expr.args[1:]))
    return None


def _hook(function: Any, first: Expr) -> Hook | None:
    by_display, by_function = _tables(loaded())
    key = identity(function)
    listed = by_display.get(key) if is_display(first) else None
    return listed or by_function.get(key)


@cache
def _tables(modules: tuple[str, ...]) -> tuple[Mapping[Hashable, Hook], Mapping[Hashable, Hook]]:
    displayed = {identity(function): hook for function, hook in DISPLAYED}
    of_scipy = [(text, hook) for text, hook in OF_SCIPY if text.partition(".")[0] in modules]
    found = {identity(resolved(text)): hook for text, hook in of_scipy}
    return displayed, {identity(function): hook for function, hook in HOOKS} | found


def is_bracket(expr: Expr) -> bool:
    """Tell whether a value is np.r_ or np.c_."""
    return any(object_of(expr) is each for each in (np.r_, np.c_))


def _is_list(expr: Expr, regions: Regions) -> bool:
    """Tell whether a value is surely a list or tuple."""
    if is_display(expr):
        return not has_star(expr)
    is_tuple = isinstance(expr.type, Tuple | Sequence)
    return literal(expr) is None and (is_tuple or bool(items_of(expr.type, regions)))


def _if_numbers(made: Match | None) -> Match | None:
    """Return a rule if its operands are numbers; real ones where they are compared."""
    if made is None:
        return None
    fits = is_real if made.rule.name == "extreme" else is_numeric
    leaves = [made.bound[line.target] for line in made.rule.lines if not line.is_local]
    return made if all(literal(leaf) is not None or fits(leaf.type) for leaf in leaves) else None


def is_known(expr: Expr) -> bool:
    """Tell whether there is such a rule for some operands of a function."""
    key = identity(called_object(expr))
    return any(key in table for table in _tables(loaded()))
