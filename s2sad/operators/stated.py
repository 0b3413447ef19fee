"""Rules as users state them: a text of templates, a pair of functions.

rules_of_text(text, "my_rules.py", {"softsign": softsign})
rule_of_pair(softsign, ("x", "width"), ["width"], softsign_rev, softsign_jvp)
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from s2sad.ir.expression import Expr, call, global_, subscript
from s2sad.operators.custom import Custom
from s2sad.operators.misread import checked, checked_body, imported
from s2sad.operators.reading import Text, rules_in
from s2sad.operators.rule import JOINT, Line, Rule, hole
from s2sad.operators.trees import literal


def rules_of_text(text: str, file: str, names: Mapping[str, Any]) -> tuple[Rule, ...]:
    """Return the rules of a text; ArgumentError, at the line of the template, for what is wrong."""
    where = Text(file, names, is_own=False)
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        place = ast.Pass(lineno=error.lineno or 1, col_offset=max(0, (error.offset or 1) - 1))
        raise where.error(f"this is not Python: {error.msg}", place) from None
    where = Text(file, {**imported(body, where), **names}, is_own=False)
    checked_body(body, where)
    rules = rules_in(body, where)
    nodes = [node for node in body if isinstance(node, ast.FunctionDef)]
    for rule, node in zip(rules, nodes, strict=True):
        checked(rule, node, where)
    return tuple(rules)


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
    return Rule(
        name=name,
        family=JOINT,
        params=params,
        patterns=(call(global_(name, function), *map(hole, params)),),
        lines=tuple(_adjoints(reverse, params, left_out)),
        tangent=(_tangent(forward, params, left_out),),
        defaults=dict(_defaults(function, params)),
        doc=inspect.getdoc(reverse) or "",
        file=reverse.__code__.co_filename,
        line=reverse.__code__.co_firstlineno,
        pair=Custom(reverse, forward),
    )


def _defaults(function: Any, params: tuple[str, ...]) -> Iterator[tuple[str, Expr]]:
    try:
        own = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return
    for name, parameter in zip(params, own, strict=False):
        if isinstance(parameter.default, bool | int | float | str) or parameter.default is None:
            yield name, literal(parameter.default)


def _adjoints(reverse: Any, params: tuple[str, ...], left_out: list[str]) -> Iterator[Line]:
    made = call(global_(reverse.__name__, reverse), *map(hole, (*params, "y", "y_bar")))
    if len(params) == 1:
        yield Line(params[0], made)
        return
    yield Line("every_bar", made, is_local=True)
    for at, name in enumerate(params):
        if name not in left_out:
            yield Line(name, subscript(hole("every_bar"), literal(at)))


def _tangent(forward: Any, params: tuple[str, ...], left_out: list[str]) -> Line:
    dots = [literal(0.0) if name in left_out else hole(f"{name}_dot") for name in params]
    args = (*map(hole, (*params, "y")), *dots)
    return Line("", call(global_(forward.__name__, forward), *args))
