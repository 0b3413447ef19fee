"""An operation finds its derivative rule: which template matches, and what its names stand for.

    np.roll(u, shift=1)    ->    Match(roll, {"a": u, "shift": 1})

Arguments bind by NumPy's own parameter names. Of several rules that fit, the most specific
wins: a repeated name (`x * x`), then a literal (`x**2`), then a guard on what is known of a
parameter (`a: matrix`), then the order of the file. A keyword that a template does not spell
matches nothing: it is refused, never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.legacy import hooks
from s2sad.legacy.facts.fact import identity
from s2sad.legacy.filling import Match, literal
from s2sad.legacy.guards import CONTAINERS, GUARDS, NOTHING, WEIGHTS, is_number, is_real, is_scalar
from s2sad.legacy.instances import CALLED, is_instance, is_made_by
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.reading import read_rules
from s2sad.legacy.spelt import as_rules_spell, parameters_of
from s2sad.legacy.stated import as_read_here
from s2sad.legacy.templating import (
    OF_FLOWS,
    PRINTED,
    PRINTED_FUNCTION,
    REWRITES,
    Line,
    Rule,
    printed_name,
    printed_names,
    printed_source,
    printed_uses,
    template_texts,
)
from s2sad.legacy.traverse import walk
from s2sad.operators.in_force import Added, added, original
from s2sad.operators.texts import LOOPS
from s2sad.source.optional import MODULES, loaded

__all__ = [
    "Line",
    "Match",
    "Rule",
    "find",
    "is_added",
    "is_known",
    "load",
    "printed_names",
    "printed_source",
    "printed_uses",
]

Ask = Callable[[Expr], Any]
ARRAY = Ref("np.array", np.array)


def _guarded(rule: Rule, bound: Mapping[str, Expr], fact: Ask) -> bool:
    for param, value in bound.items():
        words = rule.marks.get(param, ())
        if not all(GUARDS[word](value, fact) for word in words if word in GUARDS):
            return False
        if param in rule.ranks and (fact(value).rank or 0) > rule.ranks[param]:
            return False
        in_list = not CONTAINERS.isdisjoint(words)
        fits = is_number if rule.holomorphic or "complex" in words else is_real
        if param in rule.differentiable and not in_list and not fits(value, fact):
            return False
    return True


# ---------------------------------------------------------------------------- binding


def _bind(rule: Rule, pattern: Expr, value: Expr, bound: dict[str, Expr]) -> Expr | None:
    """Fill `bound` and return the operation with the rule's parameters in it, or None."""
    match pattern, value:
        case Var(name), _:
            if name in rule.differentiable and _is_numbers(value):
                value = Call(ARRAY, (value,))
            if bound.setdefault(name, value) != value:
                return None
            return pattern
        case Ref(), Ref():
            return value if _function_key(pattern) == _function_key(value) else None
        case Call(), Call():
            return _bind_call(rule, pattern, value, bound)
        case Attr(owner, name), Attr(other, same) if name == same:
            form = _bind(rule, owner, other, bound)
            return None if form is None else Attr(form, name)
        case Op(op, parts), Op(same, others) if op == same and len(parts) == len(others):
            forms = [_bind(rule, *pair, bound) for pair in zip(parts, others, strict=True)]
            return None if None in forms else Op(op, tuple(f for f in forms if f is not None))
    number = literal(pattern)
    if number is None:
        return value if isinstance(pattern, Const) and pattern == value else None
    return value if literal(value) == number else None


def _is_numbers(value: Expr) -> bool:
    """Tell whether an operand is a display of literal numbers, which is as good as an array."""
    if not (isinstance(value, Op) and value.op in ("list", "tuple") and value.args):
        return False
    return all(literal(part) is not None or _is_numbers(part) for part in value.args)


def _bind_call(rule: Rule, pattern: Call, value: Call, bound: dict[str, Expr]) -> Expr | None:
    func = _bind(rule, pattern.func, value.func, bound)
    if func is None:
        return None
    places = _places(pattern, value)
    if places is None:
        return None
    args: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    for key, place, given in places:
        if given is None:
            if not (isinstance(place, Var) and place.slot in rule.defaults):
                return None
            continue
        form = _bind(rule, place, given, bound)
        if form is None:
            return None
        if key is None:
            args.append(form)
        else:
            named.append((key, form))
    return Call(func, tuple(args), tuple(named))


Place = tuple[str | None, Expr, Expr | None]


def _places(pattern: Call, value: Call) -> list[Place] | None:
    """Pair each argument of the pattern with the user's, under the keyword the user wrote."""
    args, given = _as_spelt_by(pattern, value)
    positional = _positional(pattern.args, args)
    if positional is None:
        return None
    places: list[Place] = list(positional)
    for place in pattern.args[len(positional) :]:
        key = place.slot if isinstance(place, Var) else ""
        places.append((key, place, given.pop(key, None)))
    for key, place in pattern.keywords:
        places.append((key, place, given.pop(key, None)))
    return None if given else places


def _as_spelt_by(pattern: Call, value: Call) -> tuple[tuple[Expr, ...], dict[str, Expr]]:
    """Return the arguments by position and by name; what the pattern spells by name is."""
    given = dict(value.keywords)
    count = len(pattern.args)
    if len(value.args) <= count or not pattern.keywords or any(map(_is_star, pattern.args)):
        return value.args, given
    names = [each.name for each in parameters_of(value.func)][count : len(value.args)]
    if len(names) < len(value.args) - count or given.keys() & {*names}:
        return value.args, given
    return value.args[:count], {**dict(zip(names, value.args[count:], strict=True)), **given}


def _is_star(part: Expr) -> bool:
    return isinstance(part, Op) and part.op == "star"


def _positional(places: tuple[Expr, ...], given: tuple[Expr, ...]) -> list[Place] | None:
    if places and _is_star(places[-1]):
        first, rest = given[: len(places) - 1], given[len(places) - 1 :]
        one = len(rest) == 1 and _is_star(rest[0])  # what is spread is as good as its parts
        if not rest or any(map(_is_star, first if one else given)):
            return None
        given = given if one else (*first, Op("star", (Op("tuple", rest),)))
    elif any(map(_is_star, given)):
        return None
    if len(given) > len(places):
        return None
    return [(None, place, arg) for place, arg in zip(places, given, strict=False)]


# ---------------------------------------------------------------------------- finding

TWINS = "twins"  # what the names of the files with these templates start with (twins.py)
Head = tuple[str, Any]
Candidate = tuple[Rule, Expr]


def head_of(expr: Expr) -> Head | None:
    """Return what an operation is looked up by."""
    match expr:
        case Op(op, _):
            return "operator", op
        case Attr(_, name):
            return "attribute", name
        case Call(Attr(_, name), _, _):
            return "method", name
        case Call(Ref() as function, _, _):
            return _function_key(function)
        case Call(Call(Ref() as function), _, _):
            return "object", _function_key(function)
        case Call(Call(Attr(_, name)), _, _):
            return "made", name
        case Call(Var(), _, _):
            return CALLED
    return None


def _function_key(function: Ref) -> Head:
    """Return what tells functions apart: printed ones, in whatever text, are known by name."""
    value = function.value
    printed = isinstance(value, FunctionType) and printed_name(value)
    if value is PRINTED_FUNCTION:
        printed = function.text
    return ("printed", printed) if printed else ("function", identity(original(value)))


@dataclass(frozen=True, slots=True)
class Rules:
    """Every rule, and the patterns under what they are looked up by, most specific first."""

    every: tuple[Rule, ...]
    by_head: Mapping[Head, tuple[Candidate, ...]]


def load() -> Rules:
    """Read every template, once; those of SciPy's functions where its modules are imported."""
    return _load(loaded())


@cache
def _load(modules: tuple[str, ...]) -> Rules:
    files = [file for file in template_texts() if not file.startswith(TWINS)]
    return grouped_rules(tuple(rule for file in files for rule in rules_of(file, modules)))


@lru_cache(maxsize=64)
def _of_users(added: Added) -> Rules:
    return grouped_rules(tuple(map(as_read_here, added.rules)))


def grouped_rules(every: tuple[Rule, ...]) -> Rules:
    """Return rules under what they are looked up by."""
    grouped: dict[Head, list[Candidate]] = {}
    for rule in every:
        for pattern in rule.patterns:
            head = head_of(pattern)
            assert head is not None, f"{rule.file}:{rule.line}: not a pattern"
            grouped.setdefault(head, []).append((rule, pattern))
    ordered = {
        head: tuple(sorted(found, key=lambda each: _specificity(*each), reverse=True))
        for head, found in grouped.items()
    }
    return Rules(every, ordered)


def rules_of(file: str, modules: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return the rules of one file; none of functions that cannot be met yet."""
    rules = not file.startswith((PRINTED, REWRITES, LOOPS)) and _needed(file) <= {*modules}
    return _read(file) if rules else ()


@cache
def _needed(file: str) -> frozenset[str]:
    """Return the modules of SciPy's that a file of templates names."""
    if "scipy" not in file:
        return frozenset()
    roots = re.findall(r"(?<![\w.])(\w+)\.", template_texts()[file])
    return frozenset(MODULES[root] for root in roots if root in MODULES)


@cache
def _read(file: str) -> tuple[Rule, ...]:
    return read_rules(template_texts()[file], file)


def _specificity(rule: Rule, pattern: Expr) -> tuple[int, ...]:
    names = [part.slot for part in walk(pattern) if isinstance(part, Var)]
    literals = sum(isinstance(part, Const) for part in walk(pattern))
    guards = sum(
        WEIGHTS.get(word, 1) for words in rule.marks.values() for word in words if word in GUARDS
    )
    calls = sum(isinstance(part, Call) for part in walk(pattern))
    return len(names) - len(set(names)), calls, literals, guards


def find(value: Expr, fact: Ask | None = None) -> Match | None:
    """Return the rule of one operation, or None if it has none."""
    ask = fact or (lambda expr: NOTHING)
    if isinstance(value, Op) and value.op == "@":
        ask = _in_the_end(ask)
    for candidate in _candidates(value):
        found = matched(candidate, value, ask)
        if found is not None:
            return found
    found = hooks.find(value, ask)
    if found is not None:
        return found
    plain = as_rules_spell(value, ask)
    return find(plain, fact) if plain != value else None


def _in_the_end(fact: Ask) -> Ask:
    """Take what began with a number to be the array that it grew to: numbers have no matrix product."""
    return lambda expr: fact(expr).in_the_end


def matched(candidate: Candidate, value: Expr, fact: Ask) -> Match | None:
    """Return what one pattern makes of an operation, or None if it does not fit."""
    rule, pattern = candidate
    bound: dict[str, Expr] = {}
    form = _bind(rule, pattern, value, bound)
    if form is None or not _guarded(rule, bound, fact):
        return None
    scalars = frozenset(name for name, each in bound.items() if is_scalar(each, fact))
    return Match(rule, bound, form, _arrays(rule, bound, form, fact), scalars)


def _candidates(value: Expr) -> tuple[Candidate, ...]:
    return (*_of_added(value), *fitting(load().by_head, value))


def _of_added(value: Expr) -> tuple[Candidate, ...]:
    return tuple(each for rules in added() for each in fitting(_of_users(rules).by_head, value))


def fitting(by_head: Mapping[Head, tuple[Candidate, ...]], value: Expr) -> tuple[Candidate, ...]:
    """Return the patterns that an operation may fit: of an object's, those for its class."""
    head = head_of(value)
    if head is None:
        return ()
    found = by_head.get(head, ())
    if isinstance(value, Call) and is_instance(value.func):
        found += by_head.get(CALLED, ())
    if not any(rule.classes for rule, _ in found):
        return found
    return tuple(each for each in found if is_made_by(each[0].classes, each[1], value))


def _arrays(rule: Rule, bound: Mapping[str, Expr], form: Expr, fact: Ask) -> frozenset[str]:
    """Return the parameters that have an array's attributes: arrays, and owners of methods."""
    owners = {_owner(form)}
    return frozenset(
        param
        for param, value in bound.items()
        if param in owners
        or (param in rule.differentiable and fact(value).is_array)
        or fact(value).kind == "sparse"
    )


def _owner(form: Expr) -> str:
    match form:
        case Call(Attr(Var(name), _), _, _) | Attr(Var(name), _):
            return name
    return ""


# ---------------------------------------------------------------------------- asking


def is_known(value: Expr) -> bool:
    """Tell whether there is a rule for the operation, though perhaps not for these operands."""
    head = head_of(value)
    of_a_flow = head is not None and head[0] == "printed" and head[1] in OF_FLOWS
    return of_a_flow or bool(_candidates(value)) or hooks.is_known(value)


def is_named(function: Ref) -> bool:
    """Tell whether some template is for a function of SciPy's, be it for a twin of it."""
    return _function_key(function) in _named(loaded())


@cache
def _named(modules: tuple[str, ...]) -> frozenset[Head]:
    rules = (rule for file in template_texts() for rule in rules_of(file, modules))
    heads = (head_of(pattern) for rule in rules for pattern in rule.patterns)
    return frozenset(head for head in heads if head is not None)


def is_added(value: Expr) -> bool:
    """Tell whether a rule of the user's is for the operation, whatever else it could be."""
    return bool(_of_added(value))
