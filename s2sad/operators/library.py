"""The rules of all templates, read file by file as operations ask for them.

STANDARD.candidates(head)     the rules and spellings of one function, most specific first
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from s2sad.ir.expression import Expr, Known, call, global_
from s2sad.ir.records import replace
from s2sad.ir.types import Code
from s2sad.ir.walk import nodes
from s2sad.operators.binding import holes_of
from s2sad.operators.guards import GUARDS, WEIGHTS
from s2sad.operators.heads import CALLED, OPERATOR, Head, head_of, head_of_function, heads_in
from s2sad.operators.in_force import Added, added
from s2sad.operators.instances import is_made_by, is_object
from s2sad.operators.reading import Template, Text, refuse_unknown_names, rule_from, templates_in
from s2sad.operators.rule import TWIN, Rule
from s2sad.operators.texts import parts_of, rule_files, texts, written_out
from s2sad.source.optional import MODULES as SCIPY
from s2sad.source.optional import loaded

Candidate = tuple[Rule, Expr]
# kinds of heads that can be told from a text without reading it
PLAIN_KINDS = frozenset({"function", "printed", "method", "attribute"})
# a function with its blank lines, and with the end of parameters that take more lines than one
_FUNCTION = re.compile(r"^def .*(?:\n(?:[ )].*)?)*$", re.MULTILINE)


@lru_cache(maxsize=64)
def _of_users(these: Added) -> Mapping[Head, tuple[Candidate, ...]]:
    """Return rules that were added under what they are looked up by."""
    grouped: dict[Head, list[Candidate]] = {}
    for rule in these.rules:
        for pattern in rule.patterns:
            head = head_of(pattern)
            if head is not None:
                grouped.setdefault(head, []).append((rule, pattern))
    return {head: _ordered(found) for head, found in grouped.items()}


def in_force(head: Head) -> tuple[Candidate, ...]:
    """Return the rules and spellings of an operation that users added, the latest first."""
    return tuple(each for these in added() for each in _of_users(these).get(head, ()))


def has_rule_of_users(expr: Expr) -> bool:
    """Tell whether users added a rule for an operation: it is theirs to say what its derivative is."""
    if not added():
        return False
    head = head_of(expr)
    return head is not None and bool(in_force(head))


def of_users(called: Any) -> Iterator[Rule]:
    """Yield the rules that users added of what is called: a function, or an object of a class."""
    yield from (rule for rule, _ in in_force(head_of_function(called)))
    made = call(global_("made", called).typed(Code(called), Known(called)))
    for rule, pattern in in_force(CALLED) if is_object(made.args[0]) else ():
        if is_made_by(rule.classes, pattern, made):
            yield rule


def rules_in_force() -> tuple[Rule, ...]:
    """Return the rules that users added, the latest first."""
    return tuple(rule for these in added() for rule in these.rules)


def of_rule(value: object) -> bool:
    """Tell whether a function is one of a pair that users added as a rule."""
    pairs = (rule.pair for rule in rules_in_force() if rule.pair is not None)
    return any(value is pair.reverse or value is pair.forward for pair in pairs)


def candidates(head: Head) -> tuple[Candidate, ...]:
    """Return the rules and spellings of an operation: users' own, most specific first, twins last."""
    return (*in_force(head), *_candidates(head, loaded()))


@cache
def _candidates(head: Head, modules: tuple[str, ...]) -> tuple[Candidate, ...]:
    found = [
        (rule, pattern)
        for file in _files(head, modules)
        for rule in _rules_for(file, head)
        for pattern in rule.patterns
        if head_of(pattern) == head
    ]
    return _ordered(found)


def _files(head: Head, modules: tuple[str, ...]) -> tuple[str, ...]:
    found = _index(modules)
    if head[0] in PLAIN_KINDS:
        return found.get(head, ())
    unread = {*found.get(OPERATOR, ()), *found.get(head, ())}
    return tuple(file for file in rule_files() if file in unread)


@cache
def _index(modules: tuple[str, ...]) -> Mapping[Head, tuple[str, ...]]:
    """Return the files in which each head stands; none of functions that cannot be met yet."""
    found: dict[Head, dict[str, None]] = {}
    for file in rule_files():
        if modules_of(file) <= {*modules}:
            heads = (head for part in parts_of(texts()[file]) for head in heads_in(*part))
            for head in heads:
                found.setdefault(head, {})[file] = None
    return {head: tuple(names) for head, names in found.items()}


def is_spelled(head: Head) -> bool:
    """Tell whether some template spells an operation; no file is read for the answer."""
    return head in _index(loaded()) or bool(in_force(head))


@cache
def modules_of(file: str) -> frozenset[str]:
    """Return the modules of SciPy that a file of templates names."""
    text = texts()[file] if "scipy" in file else ""
    said = (root for root in SCIPY if f"{root}." in text)
    return frozenset(root for root in said if re.search(rf"(?<![\w.]){root}\.", text))


@cache
def _templates(file: str) -> tuple[tuple[Template, str, frozenset[Head]], ...]:
    """Return the templates of a file, unread, each with its text and the heads that stand in it."""
    text = texts()[file]
    empty = _FUNCTION.sub(lambda found: "def unread(): ..." + "\n" * found[0].count("\n"), text)
    pairs = zip(templates_in(ast.parse(empty).body), _FUNCTION.findall(text), strict=True)
    return tuple((t, its, frozenset(heads_in(its, t.headers["EACH"]))) for t, its in pairs)


@cache
def _read(file: str, at: int) -> tuple[Rule, ...]:
    unread, text, _ = _templates(file)[at]
    every = written_out("\n" * (unread.node.lineno - 1) + text, unread.headers["EACH"])
    read = (each for its in every for each in templates_in(ast.parse(its).body))
    return tuple(rule_from(replace(each, headers=unread.headers), Text(file)) for each in read)


def _rules_for(file: str, head: Head) -> Iterator[Rule]:
    """Yield the rules of a file that may spell an operation; the other templates are not read."""
    wanted = {head} if head[0] in PLAIN_KINDS else {head, OPERATOR}
    for at, (*_, heads) in enumerate(_templates(file)):
        if heads & wanted:
            yield from _read(file, at)


@cache
def rules_of(file: str) -> tuple[Rule, ...]:
    """Return the rules of one file of templates."""
    rules = tuple(rule for at in range(len(_templates(file))) for rule in _read(file, at))
    refuse_unknown_names((each for each, *_ in _templates(file)), rules, Text(file))
    return rules


def every_rule() -> Iterator[Rule]:
    """Yield every rule of functions that can be met: all files are read."""
    modules = {*loaded()}
    for file in rule_files():
        if modules_of(file) <= modules:
            yield from rules_of(file)


def _ordered(found: list[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(found, key=_specificity, reverse=True))


def _specificity(candidate: Candidate) -> tuple[int, ...]:
    """Return how much a spelling asks: a repeated name, calls, literals, guards."""
    rule, pattern = candidate
    names = list(holes_of(pattern))
    calls = sum(node.op == "call" for node in nodes(pattern))
    literals = sum(node.op == "constant" for node in nodes(pattern))
    words = (word for words in rule.marks.values() for word in words if word in GUARDS)
    guards = sum(WEIGHTS.get(word, 1) for word in words)
    return rule.family != TWIN, len(names) - len(set(names)), calls, literals, guards
