"""A dict that makes what it has not, and in which what varies is put, becomes a plain one.

d = defaultdict(float)              d = {}
d[k] += x * x                ->     if k not in d:
                                        d[k] = 0.0
                                    d[k] += x * x

So do Counter() and OrderedDict(). What of a key is known then decides, as for any dict.
"""

from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from typing import Any

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import (
    COMPREHENSIONS,
    Body,
    Node,
    assign,
    branch,
    call,
    compare,
    constant,
    display,
    index,
    method,
    name,
    placed,
    with_,
)
from s2sad.source.trees import below, nodes_of

KINDS = (defaultdict, Counter, OrderedDict)
# what stands in these may not run, or has names of its own
APART = (*COMPREHENSIONS, gast.Lambda, gast.IfExp, gast.BoolOp, gast.FunctionDef, gast.ClassDef)


@dataclass(frozen=True)
class Default:
    """What a dict of the function's own puts under a key that it has not; None: nothing."""

    kind: type
    value: Node | None


def with_defaults(body: Body, names: Names) -> Body:
    """Return the statements of a function in which plain dicts stand for those that make entries."""
    nodes = [part for stmt in body for part in nodes_of(stmt)]
    made = [each for each in nodes if default_of(each, names) is not None]
    if not any(names.is_open(each) for each in made):
        return body
    found: dict[str, Default] = {}
    for target in sorted({each.targets[0].id for each in made}):
        own = [each for each in made if each.targets[0].id == target]
        kinds = [default_of(each, names) for each in own]
        told = {(each.kind, _dump(each.value)) for each in kinds if each is not None}
        if len(told) == 1 and _is_only(target, own, nodes) and kinds[0] is not None:
            found[target] = kinds[0]
    return _Written(found, names).body(copy.deepcopy(body)) if found else body


def _dump(value: Node | None) -> str:
    return "" if value is None else str(gast.dump(value))


def default_of(stmt: Node, names: Names) -> Default | None:
    """Return what `d = defaultdict(...)` gives for a key that is not there; None for other syntax."""
    match stmt:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call() as made):
            kind = next((each for each in KINDS if names.means(made.func, each)), None)
        case _:
            return None
    if kind is None or not names.is_local(target):
        return None
    if kind is OrderedDict:
        return Default(kind, None) if len(made.args) + len(made.keywords) <= 1 else None
    if kind is Counter:
        return None if made.args or made.keywords else Default(kind, constant(0, made))
    if len(made.args) != 1 or made.keywords:
        return None
    value = _made_by(made.args[0], names)
    return None if value is None else Default(kind, value)


def _made_by(factory: Node, names: Names) -> Node | None:
    """Return what a function without arguments gives."""
    if isinstance(factory, gast.Lambda):
        return None if _has_parameters(factory.args) else factory.body
    known = names.value(factory)
    if known in (float, int):
        return constant(known(), factory)
    if known is list:
        return display(gast.List, [], factory)
    if known is dict:
        return placed(gast.Dict(keys=[], values=[]), factory)
    return call(factory, [], factory) if callable(known) else None


def _has_parameters(args: Node) -> bool:
    return bool(args.args or args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg)


def _is_only(target: str, own: list[Node], nodes: list[Node]) -> bool:
    """Tell whether a name is given nothing else, and is not returned as the object that it is."""
    named = [each for each in nodes if isinstance(each, gast.Name) and each.id == target]
    given = [each for each in named if not isinstance(each.ctx, gast.Load)]
    returned = any(
        isinstance(n, gast.Return) and isinstance(n.value, gast.Name) and n.value.id == target
        for n in nodes
    )
    outer = {text for n in nodes for text in getattr(n, "names", ()) if isinstance(text, str)}
    return len(given) == len(own) and not returned and target not in outer


class _Written(gast.NodeTransformer):  # type: ignore[misc]
    """Puts plain dicts, and entries where they are read first."""

    def __init__(self, found: dict[str, Default], names: Names):
        self.found, self.names = found, names

    def body(self, body: Body) -> Body:
        """Return statements, with those before each that give its keys what they have to have."""
        return [each for stmt in body for each in self._statement(stmt)]

    def _statement(self, stmt: Node) -> Body:
        for part in ("body", "orelse", "finalbody"):
            inner = getattr(stmt, part, None)
            if isinstance(inner, list) and not isinstance(stmt, APART):
                setattr(stmt, part, self.body(inner))
        if isinstance(stmt, APART):
            return [stmt]
        default = default_of(stmt, self.names)
        if default is not None and stmt.targets[0].id in self.found:
            return [self._plain(stmt)]
        return [*self._entries(stmt), self._read(stmt)]

    def _plain(self, stmt: Node) -> Node:
        value = stmt.value
        given = [*value.args, *(each.value for each in value.keywords)]
        if self.found[stmt.targets[0].id].kind is not OrderedDict or not given:
            return with_(stmt, value=placed(gast.Dict(keys=[], values=[]), stmt))
        return with_(stmt, value=with_(value, func=name("dict", value)))

    def _read(self, stmt: Node) -> Node:
        match stmt:
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=owner), attr="move_to_end"), args=[key]
                )
            ) if owner in self.found and not stmt.value.keywords:
                place = with_(index(name(owner, stmt), key, stmt), ctx=gast.Store())
                return assign(place, method(name(owner, stmt), "pop", [key], stmt), stmt)
        return stmt

    def _entries(self, stmt: Node) -> Body:
        """Return what gives a statement the entries that it reads or adds to."""
        out: Body = []
        adds = stmt.target if isinstance(stmt, gast.AugAssign) else None
        for part in [*([adds] if adds is not None else []), *_now(stmt)]:
            match part:
                case gast.Subscript(value=gast.Name(id=owner), slice=gast.Name() | gast.Constant()):
                    if part is adds or isinstance(part.ctx, gast.Load):
                        out += self._entry(owner, part)
        return out

    def _entry(self, owner: str, part: Node) -> Body:
        default = self.found.get(owner)
        if default is None or default.value is None:
            return []
        if default.kind is Counter and isinstance(part.ctx, gast.Load):
            return []  # it gives 0, and keeps none: the dict is asked for a key that it has not
        where = with_(index(name(owner, part), part.slice, part), ctx=gast.Store())
        test = compare(part.slice, gast.NotIn(), name(owner, part), part)
        return [branch(test, [assign(where, copy.deepcopy(default.value), part)], [], part)]


def _now(node: Any) -> list[Node]:
    """Return the parts of a statement that surely run where it begins."""
    found: list[Node] = []
    for child in below(node):
        if isinstance(child, (*APART, gast.stmt)):
            continue
        found += [*_now(child), child]
    return found
