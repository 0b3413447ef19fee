"""`match` as tests, one after the other.

match kind:             if kind == "edge":
    case "edge": ...        ...
    case _: ...         else: ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast

from s2sad.lowering import (
    attributes,
    branches,
    demands,
    displays,
    evaluation_order,
    items,
    operations,
    reflection,
    targets,
    ways,
)
from s2sad.lowering.machine import Machine, place_of, refusal, site_of
from s2sad.lowering.values import Data, Ref, Value, literal

Bound = list[tuple[str, Value]]
YES = literal(True)


def run(m: Machine, node: Any, rest: Sequence[Any] = (), is_last: bool = False) -> ways.Way:
    """Run the first case that fits, and the rest of the block on each way if it is given."""
    subject = m.evaluate(node.subject)
    if isinstance(subject, Data):
        subject = evaluation_order.name_if_long(m, subject, "subject")

    def run_case(place: int) -> ways.Way:
        if place == len(node.cases):
            return m.run(list(rest), is_last)
        case = node.cases[place]
        test, bound = _matches(m, case.pattern, subject)
        guard = case.guard
        if guard is not None and not bound:  # it reads no name that the pattern binds
            test, guard = operations.with_other(m, "and", test, guard), None

        def onward() -> ways.Way:
            return run_case(place + 1)

        def body() -> ways.Way:
            return m.run([*case.body, *rest], is_last)

        def taken() -> ways.Way:
            for wanted, value in bound:
                m.assign(gast.Name(wanted, gast.Store(), None, None), value)
            if guard is None:
                return body()
            return branches.decided(m, m.tested(guard), body, onward, is_last)

        return branches.decided(m, test, taken, onward, is_last)

    return run_case(0)


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
    if not issubclass(_classes_of(m, value)[0], list | tuple | range):  # no array is a sequence
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
    if not issubclass(_classes_of(m, value)[0], Mapping):
        return literal(False), []
    keys = [m.evaluate(key) for key in pattern.keys]
    held = [operations.compared(m, gast.In(), key, value, pattern) for key in keys]
    if any(each.known is None for each in held):
        if isinstance(value, Data):  # of the items of a list, each may have keys of its own
            demands.demand_open(m, value.origins, "unroll", "structure", "keys")
        raise refusal(m, "a pattern of keys that are not known")
    if not all(each.known.value for each in held):
        return literal(False), []
    parts = [m.item(value, key, None) for key in keys]
    test, bound = _all(m, list(zip(pattern.patterns, parts, strict=True)))
    rest = [] if pattern.rest is None else [(pattern.rest, _rest(m, pattern, value, keys))]
    return test, [*bound, *rest]


def _rest(m: Machine, pattern: Any, value: Value, taken: list[Any]) -> Value:
    """Return a dict of what a pattern does not name, as Python makes one."""
    place_of(m, pattern)
    known = displays.constant_keys(m, value) if isinstance(value, Data) else None
    if known is None and not isinstance(value, Ref):
        raise refusal(m, "a pattern of keys that are not known")
    keys = m.parts_of(value) if known is None else [literal(key) for key in known]
    named = [demands.need(m, key) for key in taken]
    rest = [key for key in keys if demands.need(m, key) not in named]
    pairs: list[tuple[Value, Value]] = [(key, m.item(value, key, None)) for key in rest]
    return displays.dict_of(m, pairs, site_of(m, pattern))


def _class(m: Machine, pattern: Any, value: Value) -> tuple[Data, Bound]:
    cls = demands.need(m, m.evaluate(pattern.cls))
    is_of_class, first = {issubclass(own, cls) for own in _classes_of(m, value)}, YES
    if is_of_class == {False}:
        return literal(False), []
    if len(is_of_class) > 1:
        first = m.to_data(attributes.is_of(m, value, cls))
    fields = [*getattr(cls, "__match_args__", ())[: len(pattern.patterns)], *pattern.kwd_attrs]
    if not fields and pattern.patterns:
        return _all(m, [(pattern.patterns[0], value)], first)
    pairs = zip(fields, [*pattern.patterns, *pattern.kwd_patterns], strict=True)
    return _all(m, [(p, m.attribute(value, field)) for field, p in pairs], first)


def _classes_of(m: Machine, value: Value) -> tuple[type, ...]:
    """Return the classes that what is matched may be of; refuse what is of any class."""
    if reflection.is_object(m, value):
        return reflection.possible_classes(m, value)
    own: type | None = reflection.python_class(m, value)
    if own is None:
        raise refusal(m, "a pattern of a class, of what may be of several,")
    return (own,)


def _all(m: Machine, pairs: list[tuple[Any, Value]], first: Data = YES) -> tuple[Data, Bound]:
    """Return the test that all patterns fit, after a first one, and what they bind."""
    found = [_matches(m, pattern, part) for pattern, part in pairs]
    test = operations.all_of(m, [first, *(test for test, _ in found)], "and", True)
    return test, [each for _, bound in found for each in bound]
