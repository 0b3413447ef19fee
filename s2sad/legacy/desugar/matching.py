"""`match` becomes `if` and `elif`: each pattern a test and what it gives names to.

match (kind, x):                     if kind == "square":
    case "square", _:         ->         y = x * x
        y = x * x                    else:
    case _, z if z > 0.0:                z = x
        y = z                            if z > 0.0: ...
"""

from __future__ import annotations

from dataclasses import dataclass, field

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    all_of,
    assign,
    attribute,
    branch,
    call,
    compare,
    constant,
    display,
    index,
    jumps,
    name,
    negated,
    number,
    placed,
    span_of,
)
from s2sad.source.trees import nodes_of


@dataclass
class Pattern:
    """What a pattern asks for, in order, and what it gives names to."""

    names: Names
    tests: list[Node] = field(default_factory=list)
    gives: list[tuple[str, Node]] = field(default_factory=list)

    def add(self, pattern: Node, subject: Node) -> None:
        """Add what one pattern asks of a subject."""
        match pattern:
            case gast.MatchValue(value=value):
                self.tests.append(compare(subject, gast.Eq(), value, pattern))
            case gast.MatchSingleton(value=value):
                same = compare(subject, gast.Is(), constant(value, pattern), pattern)
                self.tests.append(same)
            case gast.MatchAs(pattern=None, name=None):
                return
            case gast.MatchAs(pattern=inner, name=text):
                if inner is not None:
                    self.add(inner, subject)
                self.gives.append((text, subject))
            case gast.MatchOr(patterns=patterns):
                self._alternatives(patterns, subject, pattern)
            case gast.MatchSequence(patterns=patterns):
                self._sequence(patterns, subject, pattern)
            case gast.MatchMapping():
                self._mapping(pattern, subject)
            case gast.MatchClass():
                self._instance(pattern, subject)
            case _:
                raise self._refusal(pattern)

    def _refusal(self, pattern: Node) -> Unsupported:
        return Unsupported(
            "this pattern is not differentiated",
            self.names.span(pattern),
            "Write the test as an `if`.",
        )

    def _alternatives(self, patterns: list[Node], subject: Node, at: Node) -> None:
        tests = []
        for each in patterns:
            inner = Pattern(self.names)
            inner.add(each, subject)
            if inner.gives:
                raise self._refusal(at)
            tests.append(all_of(inner.tests, at))
        self.tests.append(placed(gast.BoolOp(op=gast.Or(), values=tests), at))

    def _sequence(self, patterns: list[Node], subject: Node, at: Node) -> None:
        stars = [i for i, each in enumerate(patterns) if isinstance(each, gast.MatchStar)]
        count = len(patterns) - len(stars)
        if isinstance(subject, gast.Tuple):
            self._parts_of_display(patterns, subject, at)
            return
        kinds = display(gast.Tuple, [name("list", at), name("tuple", at)], at)
        self.tests.append(call("isinstance", [subject, kinds], at))
        length = call("len", [subject], at)
        op = gast.GtE() if stars else gast.Eq()
        self.tests.append(compare(length, op, number(count, at), at))
        for i, each in enumerate(patterns):
            if isinstance(each, gast.MatchStar):
                behind = len(patterns) - i - 1
                stop = number(-behind, at) if behind else None
                rest = index(subject, span_of(number(i, at), stop, at), at)
                if each.name:
                    self.gives.append((each.name, call("list", [rest], at)))
            else:
                position = i if not stars or i < stars[0] else i - len(patterns)
                self.add(each, index(subject, number(position, at), at))

    def _parts_of_display(self, patterns: list[Node], subject: Node, at: Node) -> None:
        """A subject that is written out: its parts are known."""
        stars = [i for i, each in enumerate(patterns) if isinstance(each, gast.MatchStar)]
        parts = list(subject.elts)
        if stars:
            (front,), behind = stars, len(patterns) - stars[0] - 1
            if len(parts) < front + behind:
                self.tests.append(constant(False, at))
                return
            middle = parts[front : len(parts) - behind]
            if patterns[front].name:
                self.gives.append((patterns[front].name, display(gast.List, middle, at)))
            parts = [*parts[:front], *parts[len(parts) - behind :]]
            patterns = [*patterns[:front], *patterns[front + 1 :]]
        if len(parts) != len(patterns):
            self.tests.append(constant(False, at))
            return
        for each, part in zip(patterns, parts, strict=True):
            self.add(each, part)

    def _mapping(self, pattern: Node, subject: Node) -> None:
        if pattern.rest:
            raise self._refusal(pattern)
        self.tests.append(call("isinstance", [subject, name("dict", pattern)], pattern))
        for key, each in zip(pattern.keys, pattern.patterns, strict=True):
            self.tests.append(compare(key, gast.In(), subject, pattern))
            self.add(each, index(subject, key, pattern))

    def _instance(self, pattern: Node, subject: Node) -> None:
        cls = self.names.value(pattern.cls)
        self.tests.append(call("isinstance", [subject, pattern.cls], pattern))
        positions = list(getattr(cls, "__match_args__", ()))
        if len(pattern.patterns) == 1 and cls in (float, int, bool, str, list, tuple, dict):
            self.add(pattern.patterns[0], subject)
        elif len(positions) < len(pattern.patterns):
            raise self._refusal(pattern)
        else:
            for field, each in zip(positions, pattern.patterns, strict=False):
                self.add(each, attribute(subject, field, pattern))
        for field, each in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            self.add(each, attribute(subject, field, pattern))


# ---------------------------------------------------------------------------- the statement


def branches(stmt: Node, names: Names) -> Body | None:
    """Return `match` as branches; None for anything else, and where it can be copied."""
    if not isinstance(stmt, gast.Match):
        return None
    leaves = (gast.Return, gast.Break, gast.Continue)
    leaving = any(jumps(each.body, leaves) for each in stmt.cases)
    if not names.is_open(stmt) and not leaving and not _asks_by_name(stmt):
        return None
    out: Body = []
    subject = _subject(stmt.subject, out, names)
    return [*out, *_cases(stmt.cases, subject, names)]


def _asks_by_name(stmt: Node) -> bool:
    """Tell whether a case asks for what a dotted name holds: a file may have it without the dot."""
    patterns = (part for case in stmt.cases for part in nodes_of(case.pattern))
    values = (part.value for part in patterns if isinstance(part, gast.MatchValue))
    return any(isinstance(value, gast.Attribute) for value in values)


def _subject(node: Node, out: Body, names: Names) -> Node:
    """Return a subject that is evaluated once, part by part where it is written out."""
    if isinstance(node, gast.Name | gast.Constant):
        return node
    if isinstance(node, gast.Tuple) and not any(isinstance(e, gast.Starred) for e in node.elts):
        return display(gast.Tuple, [_subject(each, out, names) for each in node.elts], node)
    held = names.temp("item")
    out.append(assign(held, node, node))
    return name(held, node)


def _cases(cases: list[Node], subject: Node, names: Names) -> Body:
    if not cases:
        return []
    first, *rest = cases
    at = first.pattern
    pattern = Pattern(names)
    pattern.add(first.pattern, subject)
    gives = [assign(text, value, at) for text, value in pattern.gives]
    if first.guard is None:
        return _chosen(pattern.tests, gives + first.body, _cases(rest, subject, names), at)
    if not pattern.tests or not gives:
        # what it gives names to keeps them even where the guard fails
        guarded = [*pattern.tests, first.guard]
        return [*gives, *_chosen(guarded, first.body, _cases(rest, subject, names), at)]
    return _guarded(first, pattern, gives, _cases(rest, subject, names), names)


def _chosen(tests: list[Node], body: Body, orelse: Body, at: Node) -> Body:
    return [branch(all_of(tests, at), body, orelse, at)] if tests else body


def _guarded(case: Node, pattern: Pattern, gives: Body, rest: Body, names: Names) -> Body:
    """A guard that looks at what the pattern gave: a flag tells whether it held."""
    at = case.pattern
    matched = names.fresh("matched")
    found = [assign(matched, constant(True, at), at), *case.body]
    inner = [*gives, branch(case.guard, found, [], at)]
    out: Body = [
        assign(matched, constant(False, at), at),
        branch(all_of(pattern.tests, at), inner, [], at),
    ]
    if rest:
        out.append(branch(negated(name(matched, at), at), rest, [], at))
    return out
