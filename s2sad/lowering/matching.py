"""`match` as tests, one after the other.

match kind:             if kind == "edge":
    case "edge": ...        ...
    case _: ...         else: ...
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.lowering import branches, demands, evaluation_order, operations, reflection, ways
from s2sad.lowering.machine import Machine, refusal
from s2sad.lowering.values import Data, Value, literal

Bound = list[tuple[str, Value]]


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
        case gast.MatchAs():
            return _as(m, pattern, value)
        case gast.MatchOr():
            found = [_matches(m, p, value) for p in pattern.patterns]
            if any(bound for _, bound in found):
                raise refusal(m, "names in an alternative of match")
            return operations.all_of(m, [test for test, _ in found], "or", False), []
        case gast.MatchSequence():
            return _sequence(m, pattern, value)
        case gast.MatchClass():
            return _class(m, pattern, value)
    raise refusal(m, "this pattern")


def _as(m: Machine, pattern: Any, value: Value) -> tuple[Data, Bound]:
    own = [] if pattern.name is None else [(pattern.name, value)]
    if pattern.pattern is None:
        return literal(True), own
    test, bound = _matches(m, pattern.pattern, value)
    return test, [*bound, *own]


def _sequence(m: Machine, pattern: Any, value: Value) -> tuple[Data, Bound]:
    if any(isinstance(p, gast.MatchStar) for p in pattern.patterns):
        raise refusal(m, "a starred pattern")
    if not issubclass(_class_of(m, value), list | tuple | range):  # no array is a sequence
        return literal(False), []
    parts = m.parts_of(value)
    if len(parts) != len(pattern.patterns):
        return literal(False), []
    return _all(m, list(zip(pattern.patterns, parts, strict=True)))


def _class(m: Machine, pattern: Any, value: Value) -> tuple[Data, Bound]:
    cls = demands.need(m, m.evaluate(pattern.cls))
    if not issubclass(_class_of(m, value), cls):
        return literal(False), []
    fields = [*getattr(cls, "__match_args__", ())[: len(pattern.patterns)], *pattern.kwd_attrs]
    if not fields and pattern.patterns:
        return _all(m, [(pattern.patterns[0], value)])
    patterns = [*pattern.patterns, *pattern.kwd_patterns]
    pairs = zip(fields, patterns, strict=True)
    return _all(m, [(p, m.attribute(value, field)) for field, p in pairs])


def _class_of(m: Machine, value: Value) -> type:
    """Return the class of what is matched; refuse what may be of several."""
    own: type | None = reflection.python_class(m, value)
    if own is None:
        raise refusal(m, "a pattern of a class, of what may be of several,")
    return own


def _all(m: Machine, pairs: list[tuple[Any, Value]]) -> tuple[Data, Bound]:
    found = [_matches(m, pattern, part) for pattern, part in pairs]
    test = operations.all_of(m, [test for test, _ in found], "and", True)
    return test, [each for _, bound in found for each in bound]
