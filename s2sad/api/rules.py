"""Rules as users give them: a text of templates, a file of them, or a pair of functions.

rules_from(text, names={"softsign": softsign})      names={...}: what the text calls so
rules_from(Path("my_rules.py"))                     which may import, as a text may
rule_for(lib.blur, reverse=blur_rev, forward=blur_jvp)
"""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from s2sad.ir.errors import ArgumentError
from s2sad.operators.custom import adjoints_left_out, check_count, plain_parameters
from s2sad.operators.in_force import Added, register, unregister
from s2sad.operators.rule import Rule
from s2sad.operators.stated import rule_of_pair, rules_of_text
from s2sad.source.read import signature_place

# texts of templates, paths of files with them, or what rule_for gives
Rules = str | Path | Rule | Iterable[Any] | None


def rules_from(given: Rules, names: Mapping[str, Any] | None = None) -> tuple[Rule, ...]:
    """Return the rules of a text of templates, of a file (a Path), or of several of these.

    `names` says what global names in a text stand for, beside np, math, the builtins and what the
    text imports. Raises ArgumentError, at the line of the template, for what is wrong in it.
    """
    match given:
        case None:
            return ()
        case Rule():
            return (given,)
        case str():
            return rules_of_text(given, _known_text(given), names or {})
        case Path():
            return rules_of_text(_text_of(given), str(given), names or {})
        case list() | tuple():
            return tuple(rule for each in given for rule in rules_from(each, names))
    raise ArgumentError(
        f"rules are texts, paths of files, or what rule_for gives, not a {type(given).__name__}",
        hint="Write: rules=[s2sad.rule_for(...)].",
    )


def as_added(given: Rules) -> tuple[Added, ...]:
    """Return what `rules=` of a derivative puts in force."""
    rules = rules_from(given)
    return (Added(rules),) if rules else ()


def register_rules(given: Rules, names: Mapping[str, Any] | None = None) -> tuple[Rule, ...]:
    """Put rules in force for the process, before s2sad's own, and return them.

    Derivatives that were made before are made again when they are called. Arguments and errors
    are those of `rules_from`.
    """
    rules = rules_from(given, names)
    if not rules:
        raise ArgumentError(
            "there is no rule in what was given to register_rules", hint="Give it one or more."
        )
    register(Added(rules))
    return rules


def unregister_rules(rules: tuple[Rule, ...]) -> None:
    """Take back rules that `register_rules` returned; ArgumentError if they are not in force."""
    if not unregister(tuple(rules)):
        raise ArgumentError(
            "these rules are not in force: give what register_rules returned",
            hint="Take back each once.",
        )


# ---------------------------------------------------------------------------- texts


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ArgumentError(
            f"the rules in {path} cannot be read: {reason}",
            hint="Give the path of a file of templates.",
        ) from None


def _known_text(text: str) -> str:
    """Return a name under which tracebacks find a text that stands in no file."""
    name = f"<rules {hashlib.sha256(text.encode()).hexdigest()[:8]}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    return name


# ---------------------------------------------------------------------------- pairs


def rule_for(
    function: Callable[..., Any], *, reverse: Callable[..., Any], forward: Callable[..., Any]
) -> Rule:
    """Return the rule of a function whose derivatives two Python functions compute.

    `reverse(*arguments, y, y_bar)` returns an adjoint for each argument, as a tuple if there are
    several, None where there is none; each has the shape of its argument. `forward(*arguments, y,
    *tangents)` returns the tangent of the result y. The names of the arguments are those of
    `reverse`. Raises ArgumentError where the numbers of parameters, or of adjoints, do not fit.
    """
    if not callable(function):
        raise ArgumentError(
            f"{function!r} is not a function", hint="Give s2sad a function written in Python."
        )
    params = _params(function, reverse)
    check_count(forward, 2 * len(params) + 1, function, "y, tangents", len(params))
    left_out = adjoints_left_out(reverse, params)
    return rule_of_pair(function, params, left_out, reverse, forward)


def _params(function: Callable[..., Any], reverse: Callable[..., Any]) -> tuple[str, ...]:
    names = plain_parameters(reverse)
    if len(names) < 3:
        raise ArgumentError(
            f"{reverse.__name__} takes the arguments, then y and y_bar",
            hint="Write: def reverse(x, y, y_bar).",
        )
    if isinstance(function, FunctionType):
        count = len(plain_parameters(function))
        check_count(reverse, count + 2, function, "y, y_bar", count)
    clash = {"y", "y_bar"} & {*names[:-2]}
    if clash:
        raise ArgumentError(
            f"{reverse.__name__} calls an argument {min(clash)}, as a rule calls the result",
            signature_place(reverse),
            "Give it another name here: the order of the arguments is what counts.",
        )
    return tuple(names[:-2])
