"""What an inner function remembers in a dict of its own is a cache: it computes the same again.

memo = {0: 1.0}                           memo_entry = 1.0
def f(k):                                 def f(k):
    if k in memo:                             if k == 0:
        return memo[k]             ->             return memo_entry
    memo[k] = x * f(k - 1)                    value = x * f(k - 1)
    return memo[k]                            return value

Only where the key is all that the function is called with, and nothing else looks into the dict.
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from s2sad.legacy.desugar.filled import is_given_once
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    bound_names,
    branch,
    compare,
    name,
    placed,
    with_,
)
from s2sad.source.fresh import free
from s2sad.source.trees import nodes_of

Entry = tuple[str, Node, Node]  # a name for a value, the key that it stands under, and the value


def as_caches(body: Body, names: Names) -> list[tuple[str, Body]]:
    """Return the functions that remember so, each with the statements in which it does not."""
    made = [part for part in body if isinstance(part, gast.FunctionDef)]
    found: list[tuple[str, Body]] = []
    for each in made:
        if not names.opens_all and not names.is_named(each):
            continue
        held = [stmt for stmt in body if _makes_memo(stmt, each, body, names)]
        new = _forgetful(each, held[0], body) if len(held) == 1 else None
        if new is not None:
            found.append((each.name, new))
            body = new
    return found


def _makes_memo(stmt: Node, made: Node, body: Body, names: Names) -> bool:
    """Tell whether a statement makes a dict that only a function looks into."""
    match stmt:
        case gast.Assign(targets=[gast.Name(id=memo)], value=value):
            empty = isinstance(value, gast.Call) and names.means(value.func, dict)
            if not (isinstance(value, gast.Dict) or (empty and not value.args + value.keywords)):
                return False
        case _:
            return False
    reads = [part for s in body for part in nodes_of(s) if _is_read(part, memo)]
    inside = [part for part in nodes_of(made) if _is_read(part, memo)]
    return bool(inside) and len(inside) == len(reads) and is_given_once(body, memo)


def _is_read(part: Any, memo: str) -> bool:
    return isinstance(part, gast.Name) and part.id == memo and isinstance(part.ctx, gast.Load)


def _forgetful(made: Node, held: Node, body: Body) -> Body | None:
    """Return statements in which a function does not remember; None where it does otherwise."""
    memo, key, taken = held.targets[0].id, _key_of(made), _taken(body)
    entries = None if key is None else _entries(memo, held.value, taken)
    if entries is None:
        return None
    written = _Forgetting(memo, key, free("value", taken), entries)
    inner = written.body(copy.deepcopy(made.body))
    if any(getattr(part, "id", "") == memo for stmt in inner for part in nodes_of(stmt)):
        return None
    kept = [assign(entry, value, value) for entry, _, value in entries]
    new = {id(held): kept, id(made): [with_(made, body=inner)]}
    return [each for stmt in body for each in new.get(id(stmt), [stmt])]


def _key_of(made: Node) -> Node | None:
    """Return the key that is all that a function is called with."""
    args = made.args
    params = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    taken = {each.id for each in params}
    if args.vararg or args.kwarg or args.defaults or taken & bound_names(made.body) or not params:
        return None
    parts = [name(each.id, made) for each in params]
    return parts[0] if len(parts) == 1 else placed(gast.Tuple(parts, gast.Load()), made)


def _taken(body: Body) -> set[str]:
    """Return the names of a function, of those inside it, and of their parameters."""
    parts = (part for stmt in body for part in nodes_of(stmt))
    return {part.id for part in parts if isinstance(part, gast.Name)}


def _entries(memo: str, value: Node, taken: set[str]) -> list[Entry] | None:
    """Return what a dict begins with: a name for each value, its key, and the value."""
    found: list[Entry] = []
    for key, held in zip(getattr(value, "keys", []), getattr(value, "values", []), strict=True):
        if key is None or not _is_known(key):
            return None
        entry = free(f"{memo}_entry", taken)
        taken.add(entry)
        found.append((entry, key, held))
    return found


def _is_known(key: Node) -> bool:
    if isinstance(key, gast.Tuple):
        return all(map(_is_known, key.elts))
    return isinstance(key, gast.Constant)


class _Forgetting:
    """Writes a function without its dict; what it cannot say so it leaves."""

    def __init__(self, memo: str, key: Node, value: str, entries: list[Entry]):
        self.memo, self.key, self.value, self.entries = memo, key, value, entries
        self.told = gast.dump(key)

    def body(self, body: Body) -> Body:
        """Return statements that compute what they looked for."""
        return [each for stmt in body for each in self._statement(stmt)]

    def _statement(self, stmt: Node) -> Body:
        match stmt:
            case gast.If(test=gast.Compare(ops=[gast.In()]), body=[gast.Return(value=given)]):
                if self._looks(stmt.test) and self._is_entry(given):
                    return [*self._given_back(stmt), *self.body(stmt.orelse)]
            case gast.If(test=gast.Compare(ops=[gast.NotIn()]), orelse=[]):
                if self._looks(stmt.test):
                    return self._unless_there(self.body(stmt.body), stmt)
            case gast.Assign(targets=[gast.Subscript() as target], value=value):
                if self._is_entry(target):
                    return [assign(self.value, value, stmt)]
            case gast.Return(value=gast.Subscript() as given) if self._is_entry(given):
                return [with_(stmt, value=name(self.value, stmt))]
        inner = {
            part: self.body(getattr(stmt, part))
            for part in ("body", "orelse")
            if isinstance(getattr(stmt, part, None), list)
        }
        return [with_(stmt, **inner)]

    def _given_back(self, at: Node) -> Body:
        """Return what gives back the entries that the dict begins with."""
        return [
            branch(self._is_at(key, at), [placed(gast.Return(name(entry, at)), at)], [], at)
            for entry, key, _ in self.entries
        ]

    def _unless_there(self, body: Body, at: Node) -> Body:
        """Return statements that do not run under the keys that the dict begins with."""
        for entry, key, _ in reversed(self.entries):
            found = [assign(self.value, name(entry, at), at)]
            body = [branch(self._is_at(key, at), found, body, at)]
        return body

    def _is_at(self, key: Node, at: Node) -> Node:
        return compare(copy.deepcopy(self.key), gast.Eq(), copy.deepcopy(key), at)

    def _looks(self, test: Node) -> bool:
        memo = getattr(test.comparators[0], "id", "")
        return bool(memo == self.memo and gast.dump(test.left) == self.told)

    def _is_entry(self, part: Node) -> bool:
        owner = part.value if isinstance(part, gast.Subscript) else None
        if getattr(owner, "id", "") != self.memo:
            return False
        return bool(gast.dump(part.slice) == self.told)
