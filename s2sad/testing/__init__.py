"""Every rule is tested in one way: values, both modes, second order, shapes, dtypes, memory.

s2sad.testing.check_rule(text)                   samples come from the annotations of the templates
s2sad.testing.check_rule(blur_rule, (u, 0.5))    or are given
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from s2sad.api.rules import Rules, rule_for, rules_from
from s2sad.ir.errors import ArgumentError
from s2sad.operators.custom import custom_of
from s2sad.operators.in_force import Added, using
from s2sad.operators.rule import Rule
from s2sad.testing.gradients import check_gradient, check_second_order
from s2sad.testing.rows import check_template

__all__ = ["check_rule"]


def check_rule(
    rules: Rules | Callable[..., Any],
    *examples: tuple[Any, ...],
    names: Mapping[str, Any] | None = None,
) -> None:
    """Hold rules against values, differences, the other mode and their own second derivatives.

    `rules` and `names` are those of `s2sad.rules_from`, or a function that `custom_derivative`
    decorates. `examples` are arguments, one tuple for each call to try; without them arguments are
    drawn as the annotations of the parameters say, in single and double precision, of several
    ranks, empty and with gaps in memory. Raises AssertionError, with the place of the rule, where
    one is wrong, and ArgumentError where it cannot be read.
    """
    if not __debug__:
        raise ArgumentError(
            "check_rule is made of assertions: run Python without -O", hint="Leave out -O."
        )
    found = (_of_pair(rules),) if custom_of(rules) else rules_from(rules, names)  # type: ignore[arg-type]
    if not found:
        raise ArgumentError(
            "there is no rule in what was given to check_rule", hint="Give it one or more."
        )
    with using((Added(found),)):
        for rule in found:
            _check(rule, examples)


def _of_pair(function: Any) -> Rule:
    custom = custom_of(function)
    if custom is None or custom.reverse is None or custom.forward is None:
        raise ArgumentError(
            f"{function.__name__} was given one derivative, and modes are held against each other",
            hint="Give it custom_derivative(reverse=..., forward=...).",
        )
    return rule_for(function, reverse=custom.reverse, forward=custom.forward)


def _check(rule: Rule, examples: tuple[tuple[Any, ...], ...]) -> None:
    try:
        check_template(rule, examples)
        check_gradient(rule, examples)
        check_second_order(rule, "forward", examples)
        check_second_order(rule, "reverse", examples)
    except AssertionError as error:
        raise AssertionError(f"{rule.file}:{rule.line}: {rule.name}: {error}") from error
