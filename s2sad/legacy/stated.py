"""Rules as users state them, read for the first core: a text of templates, a pair of functions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from s2sad.legacy.program import Call, Const, Expr, Op, Ref
from s2sad.legacy.reading import Template, rules_in
from s2sad.legacy.templating import JOINT, Line, Rule, local_var
from s2sad.operators.misread import imported
from s2sad.operators.reading import Text
from s2sad.operators.rule import Rule as Stated


def rules_of_text(text: str, file: str, names: Mapping[str, Any]) -> tuple[Rule, ...]:
    where, body = Text(file, names, is_own=False), ast.parse(text).body
    return rules_in(body, Template(file, {**imported(body, where), **names}, strict=True))


@lru_cache(maxsize=256)
def as_read_here(rule: Stated) -> Rule:
    """Return a user's rule as this core has it."""
    if rule.pair is not None:
        return rule_of_pair(*rule.stated)
    *text, place = rule.stated
    found: Rule = rules_of_text(*text)[place]
    return found


def rule_of_pair(
    function: Callable[..., Any],
    params: tuple[str, ...],
    left_out: list[str],
    reverse: Callable[..., Any],
    forward: Callable[..., Any],
) -> Rule:
    """Return the rule of a function whose derivatives two functions compute.

    For the parameters `left_out` there is no adjoint.
    """
    name = getattr(function, "__name__", "f")
    known = tuple(map(local_var, params))
    return Rule(
        name=name,
        family=JOINT,
        params=params,
        patterns=(Call(Ref(name, function), known),),
        lines=tuple(_adjoints(reverse, params, left_out)),
        tangent=(_tangent(forward, params, left_out),),
        defaults=dict(_defaults(function, params)),
        doc=inspect.getdoc(reverse) or "",
        file=reverse.__code__.co_filename,
        line=reverse.__code__.co_firstlineno,
    )


def _defaults(function: Any, params: tuple[str, ...]) -> Iterator[tuple[str, Expr]]:
    try:
        own = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return
    for name, parameter in zip(params, own, strict=False):
        if isinstance(parameter.default, bool | int | float | str) or parameter.default is None:
            yield name, Const(parameter.default)


def _adjoints(reverse: Any, params: tuple[str, ...], left_out: list[str]) -> Iterator[Line]:
    args = tuple(local_var(name) for name in (*params, "y", "y_bar"))
    made = Call(Ref(reverse.__name__, reverse), args)
    if len(params) == 1:
        yield Line(params[0], made)
        return
    yield Line("every_bar", made, local=True)
    for at, name in enumerate(params):
        if name not in left_out:
            yield Line(name, Op("index", (local_var("every_bar"), Const(at))))


def _tangent(forward: Any, params: tuple[str, ...], left_out: list[str]) -> Line:
    dots = [Const(0.0) if name in left_out else local_var(f"{name}_dot") for name in params]
    args = (*map(local_var, params), local_var("y"), *dots)
    return Line("", Call(Ref(forward.__name__, forward), args))
