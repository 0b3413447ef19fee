"""`match` as tests, one after the other.

match kind:             if kind == "edge":
    case "edge": ...        ...
    case _: ...         else: ...
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import gast

from s2sad.lowering import (
    branches,
    demands,
    evaluation_order,
    items,
    operations,
    reflection,
    targets,
    ways,
)
from s2sad.lowering.machine import Machine, refusal
from s2sad.lowering.values import Data, Value, literal

Bound = list[tuple[str, Value]]
YES = literal(True)


@cache
def as_branch(node: Any) -> Any:
    """Return the branches that compare a name with values, as one `if`; None of another match."""
    if not isinstance(node.subject, gast.Name) or _fits_all(node.cases[0].pattern):
        return None
    made: list[Any] = []
    for case in reversed(node.cases):
        test = _compared(node.subject, case.pattern)
        if test is None or case.guard is not None:
            return None
        branch = gast.copy_location(gast.If(test, case.body, made), case.pattern)
        made = list(case.body) if _fits_all(case.pattern) else [branch]
    return made[0]


def _fits_all(pattern: Any) -> bool:
    return isinstance(pattern, gast.MatchAs) and pattern.pattern is None and pattern.name is None


def _compared(subject: Any, pattern: Any) -> Any:
    """Return the test that a name is what a pattern says; None of what it does not only compare."""
    test: Any = None
    match pattern:
        case gast.MatchValue():
            test = gast.Compare(subject, [gast.Eq()], [pattern.value])
        case gast.MatchSingleton():
            value = gast.copy_location(gast.Constant(pattern.value, None), pattern)
            test = gast.Compare(subject, [gast.Is()], [value])
        case gast.MatchOr():
            tests = [_compared(subject, each) for each in pattern.patterns]
            test = None if None in tests else gast.BoolOp(gast.Or(), tests)
        case _ if _fits_all(pattern):
            test = gast.Constant(True, None)
    return None if test is None else gast.copy_location(test, pattern)


def run(m: Machine, node: Any) -> ways.Way:
    """Run the first case that fits."""
    subject = m.evaluate(node.subject)
    if isinstance(subject, Data):
        subject = evaluation_order.name_if_long(m, subject, "subject")
    return _case(m, node.cases, 0, subject)


def _case(m: Machine, cases: list[Any], place: int, subject: Value) -> ways.Way:
    if place == len(cases):
        return None
    case = cases[place]
    test, bound = _matches(m, case.pattern, subject)

    def onward() -> ways.Way:
        return _case(m, cases, place + 1, subject)

    def taken() -> ways.Way:
        for wanted, value in bound:
            m.assign(gast.Name(wanted, gast.Store(), None, None), value)
        if case.guard is None:
            return m.run(case.body)
        guard = m.truth(m.evaluate(case.guard))
        return branches.decided(m, guard, lambda: m.run(case.body), onward)

    return branches.decided(m, test, taken, onward)


def _matches(m: Machine, pattern: Any, value: Value) -> tuple[Data, Bound]:
    """Return (test, names that a pattern binds)."""
    match pattern:
        case gast.MatchValue():
            other = m.evaluate(pattern.value)
            return operations.compared(m, gast.Eq(), value, other, pattern), []
        case gast.MatchSingleton():
            return operations.compared(m, gast.Is(), value, literal(pattern.value), pattern), []
        case gast.MatchAs() | gast.MatchStar():
            return _as(m, pattern, value)
        case gast.MatchOr():
            found = [_matches(m, p, value) for p in pattern.patterns]
            if any(bound for _, bound in found):
                raise refusal(m, "names in an alternative of match")
            return operations.all_of(m, [test for test, _ in found], "or", False), []
        case gast.MatchSequence():
            return _sequence(m, pattern, value)
        case gast.MatchMapping():
            return _mapping(m, pattern, value)
    return _class(m, pattern, value)


def _as(m: Machine, pattern: Any, value: Value) -> tuple[Data, Bound]:
    own = [] if pattern.name is None else [(pattern.name, value)]
    if getattr(pattern, "pattern", None) is None:
        return YES, own
    test, bound = _matches(m, pattern.pattern, value)
    return test, [*bound, *own]


def _sequence(m: Machine, pattern: Any, value: Value) -> tuple[Data, Bound]:
    if not issubclass(_class_of(m, value), list | tuple | range):  # no array is a sequence
        return literal(False), []
    patterns, test = pattern.patterns, YES
    star = next((k for k, p in enumerate(patterns) if isinstance(p, gast.MatchStar)), None)
    least = len(patterns) - (star is not None)
    if isinstance(value, Data) and items.fixed_length(m, value) is None:
        length, op = m.call_global("len", len, [value]), gast.Eq() if star is None else gast.GtE()
        test = operations.compared(m, op, length, literal(least), pattern)
        if star is None:
            parts = [m.item(value, literal(k), None) for k in range(least)]
        else:
            parts = targets.parts_around(m, value, star, least - star)
    else:
        parts = m.parts_of(value)
        if len(parts) < least or (star is None and len(parts) > least):
            return literal(False), []
        if star is not None:
            parts = targets.gathered(m, parts, star, least - star, patterns[star])
    return _all(m, list(zip(patterns, parts, strict=True)), test)


def _mapping(m: Machine, pattern: Any, value: Value) -> tuple[Data, Bound]:
    if not issubclass(_class_of(m, value), Mapping):
        return literal(False), []
    if pattern.rest is not None:
        raise refusal(m, "a pattern that keeps the rest")
    keys = [m.evaluate(key) for key in pattern.keys]
    held = [operations.compared(m, gast.In(), key, value, pattern) for key in keys]
    if any(each.known is None for each in held):
        raise refusal(m, "a pattern of keys that are not known")
    if not all(each.known.value for each in held):
        return literal(False), []
    parts = [m.item(value, key, None) for key in keys]
    return _all(m, list(zip(pattern.patterns, parts, strict=True)))


def _class(m: Machine, pattern: Any, value: Value) -> tuple[Data, Bound]:
    cls = demands.need(m, m.evaluate(pattern.cls))
    if not issubclass(_class_of(m, value), cls):
        return literal(False), []
    fields = [*getattr(cls, "__match_args__", ())[: len(pattern.patterns)], *pattern.kwd_attrs]
    if not fields and pattern.patterns:
        return _all(m, [(pattern.patterns[0], value)])
    pairs = zip(fields, [*pattern.patterns, *pattern.kwd_patterns], strict=True)
    return _all(m, [(p, m.attribute(value, field)) for field, p in pairs])


def _class_of(m: Machine, value: Value) -> type:
    """Return the class of what is matched; refuse what may be of several."""
    own: type | None = reflection.python_class(m, value)
    if own is None:
        raise refusal(m, "a pattern of a class, of what may be of several,")
    return own


def _all(m: Machine, pairs: list[tuple[Any, Value]], first: Data = YES) -> tuple[Data, Bound]:
    """Return the test that all patterns fit, after a first one, and what they bind."""
    found = [_matches(m, pattern, part) for pattern, part in pairs]
    test = operations.all_of(m, [first, *(test for test, _ in found)], "and", True)
    return test, [each for _, bound in found for each in bound]
