"""A dict of the function's own whose keys are only known when it runs becomes a list beside its keys.

d = {}                                  d_keys = [] ; d = []
d[k] = d.get(k, 0.0) + v       ->       value = (d[d_keys.index(k)] if k in d_keys else 0.0) + v
                                        if k in d_keys:
                                            d[d_keys.index(k)] = value
                                        else:
                                            d_keys.append(k)
                                            d.append(value)

Only where a dict with known keys was refused, and all that is done with it can be said of lists.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.desugar.comprehensions import loops_of
from s2sad.legacy.desugar.defaults import Default
from s2sad.legacy.desugar.entries import OverKeys
from s2sad.legacy.desugar.ledgers import as_lists
from s2sad.legacy.desugar.listable import copied, handed_over
from s2sad.legacy.desugar.names import KEYED, Names
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    branch,
    call,
    compare,
    display,
    index,
    loop,
    method,
    name,
    placed,
    statement,
    stored,
    with_,
)
from s2sad.source.trees import nodes_of

# what refuses a dict says one of these
REFUSED = (
    "a key of this dict is not known",
    "what is in this record is not known",
    " has no key ",
    " is a dict that is made here, and used as a whole",
    " has other keys on another way",
    " of a dict that is made here is not differentiated",
    "a dict is read under a computed key inside a test",
)


def is_of_keys(refusal: S2sadError) -> bool:
    """Tell whether a refusal is of a dict whose keys are not known."""
    return any(phrase in each.problem for each in refusal.problems for phrase in REFUSED)


@dataclass(frozen=True)
class Ledger:
    """A dict that becomes a list: what its keys are called, and what it makes under new keys."""

    keys: str
    default: Default | None


def without_keys(body: Body, names: Names) -> Body:
    """Return the statements of a function in which lists stand for dicts with computed keys."""
    if names.opened is None or KEYED not in names.opened:
        return body
    ordered = OverKeys(names)
    body = [ordered.visit(stmt) for stmt in copy.deepcopy(body)]
    nodes = [part for stmt in body for part in nodes_of(stmt)]
    if any(isinstance(part, gast.Try | gast.Delete) for part in nodes):
        return body
    found = {
        target: Ledger(names.fresh(f"{target}_keys"), default)
        for target, default in sorted(as_lists(nodes, names).items())
    }
    return _Written(found, names).body(body) if found else body


# ---------------------------------------------------------------------------- written


class _Written(gast.NodeTransformer):  # type: ignore[misc]
    """Puts two lists in the place of each dict; `before` is what a statement needs first."""

    def __init__(self, found: dict[str, Ledger], names: Names):
        self.found, self.names = found, names
        self.before: Body = []

    def body(self, body: Body) -> Body:
        """Return statements, with those before each that give its keys what they have to have."""
        return [each for stmt in body for each in self._statement(stmt)]

    def _statement(self, stmt: Node) -> Body:
        made = self._made(stmt)
        if made is not None:
            return made
        for part in ("body", "orelse"):
            inner = getattr(stmt, part, None)
            if isinstance(inner, list) and not isinstance(stmt, gast.FunctionDef | gast.ClassDef):
                setattr(stmt, part, self.body(inner))
        self.before = []
        out = self._written(stmt)
        return [*self.before, *out]

    def _made(self, stmt: Node) -> Body | None:
        match stmt:
            case gast.Assign(targets=[gast.Name(id=target)], value=value) if target in self.found:
                pass
            case _:
                return None
        pair = handed_over(stmt, self.names)
        if pair is not None:
            return self._handed(*pair, copied(value, self.names) is not None, stmt)
        if any(getattr(part, "id", "") == target for part in nodes_of(value)):
            return self._made_of_itself(target, value, stmt)
        keys, empty = self.found[target].keys, display(gast.List, [], stmt)
        start = [assign(keys, empty, stmt), assign(target, copy.deepcopy(empty), stmt)]
        return [*start, *self.body(self._given(target, value, stmt))]

    def _handed(self, target: str, other: str, anew: bool, at: Node) -> Body:
        """Return what gives a name the two lists of another, or copies of them."""
        pairs = ((self.found[target].keys, self.found[other].keys), (target, other))
        held = [(each, name(new, at)) for each, new in pairs]
        return [assign(each, call("list", [new], at) if anew else new, at) for each, new in held]

    def _made_of_itself(self, target: str, value: Node, at: Node) -> Body:
        """Return what makes a dict of what it was before: under another name first."""
        other, held = self.names.fresh(target), self.found[target]
        self.found[other] = Ledger(self.names.fresh(f"{other}_keys"), held.default)
        made = self._made(assign(other, value, at)) or []
        pairs = ((held.keys, self.found[other].keys), (target, other))
        return [*made, *(assign(each, name(new, at), at) for each, new in pairs)]

    def _given(self, target: str, value: Node, at: Node) -> Body:
        """Return the stores of what a dict holds from the beginning."""

        def store(key: Node, item: Node) -> Body:
            return [assign(with_(index(name(target, at), key, at), ctx=gast.Store()), item, at)]

        if isinstance(value, gast.DictComp):
            pair = placed(gast.GeneratorExp(None, value.generators), value)
            pair.elt = display(gast.Tuple, [value.key, value.value], value)
            return loops_of(pair, lambda element: store(*element.elts), self.names)
        if isinstance(value, gast.Dict):
            shown = zip(value.keys, value.values, strict=True)
            return [stmt for key, item in shown for stmt in store(key, item)]
        if not value.args or self.found[target].default is not None:
            return []
        held = [self.names.fresh(each) for each in ("key", "item")]
        both = display(gast.Tuple, [stored(each, at) for each in held], at, store=True)
        return [loop(both, value.args[0], store(*(name(each, at) for each in held)), at)]

    def _written(self, stmt: Node) -> Body:
        match stmt:
            case gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=owner), slice=key)], value=value
            ) if owner in self.found:
                return self._set(owner, self.visit(key), self.visit(value), stmt)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=owner), slice=key)):
                if owner in self.found:
                    key = self.visit(key)
                    value = self.visit(stmt.value)
                    self._entry(owner, key, stmt, self.found[owner].default)
                    place = with_(self._at(owner, key, stmt), ctx=gast.Store())
                    return [with_(stmt, target=place, value=value)]
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=held, attr="append"), args=[value])
            ) if self._owner(held) is not None:
                place = self.visit(held)
                at = self.names.fresh("at")
                self.before.append(assign(at, place.slice, stmt))
                whole = index(place.value, name(at, stmt), stmt)
                rest = placed(gast.Starred(value=copy.deepcopy(whole), ctx=gast.Load()), stmt)
                named, item = self._named(self.visit(value), stmt)
                more = display(gast.List, [rest, item], stmt)
                return [*named, assign(with_(whole, ctx=gast.Store()), more, stmt)]
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr="setdefault"))
            ) if owner in self.found:
                self.visit(stmt.value)
                return []  # what it gives is left
            case gast.FunctionDef() | gast.ClassDef():
                return [stmt]
            case gast.If() | gast.While():
                return [with_(stmt, test=self._through(stmt.test))]
            case gast.For():
                return [with_(stmt, iter=self._through(stmt.iter))]
        return [self.generic_visit(stmt)]

    def _owner(self, held: Node) -> str | None:
        match held:
            case gast.Subscript(value=gast.Name(id=owner)) if owner in self.found:
                return str(owner)
            case gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr="setdefault")):
                return str(owner) if owner in self.found else None
        return None

    # ------------------------------------------------------------ entries

    def _set(self, owner: str, key: Node, value: Node, at: Node) -> Body:
        out, value = self._named(value, at)
        place = with_(self._at(owner, key, at), ctx=gast.Store())
        return [
            *out,
            branch(
                self._has(owner, key, at),
                [assign(place, value, at)],
                self._new(owner, key, value, at),
                at,
            ),
        ]

    def _named(self, value: Node, at: Node) -> tuple[Body, Node]:
        """Return a name for a value, and what gives it that."""
        if isinstance(value, gast.Name | gast.Constant):
            return [], value
        held = self.names.fresh("value")
        return [assign(held, value, at)], name(held, at)

    def _new(self, owner: str, key: Node, value: Node, at: Node) -> Body:
        keys = method(name(self.found[owner].keys, at), "append", [copy.deepcopy(key)], at)
        item = method(name(owner, at), "append", [copy.deepcopy(value)], at)
        return [statement(keys, at), statement(item, at)]

    def _entry(self, owner: str, key: Node, at: Node, default: Default | None) -> None:
        if default is not None and default.value is not None:
            test = compare(copy.deepcopy(key), gast.NotIn(), name(self.found[owner].keys, at), at)
            self.before.append(branch(test, self._new(owner, key, default.value, at), [], at))

    def _has(self, owner: str, key: Node, at: Node) -> Node:
        return compare(copy.deepcopy(key), gast.In(), name(self.found[owner].keys, at), at)

    def _at(self, owner: str, key: Node, at: Node) -> Node:
        keys = name(self.found[owner].keys, at)
        return index(name(owner, at), method(keys, "index", [copy.deepcopy(key)], at), at)

    # ------------------------------------------------------------ expressions

    def _through(self, node: Node) -> Node:
        if isinstance(node, gast.Name) and node.id in self.found:
            return name(self.found[node.id].keys, node)
        return self.visit(node)

    def visit_comprehension(self, node: Node) -> Node:
        """Go through the keys of a dict."""
        node.iter = self._through(node.iter)
        return self._rest(node)

    def _rest(self, node: Node) -> Node:
        node.ifs = [self.visit(each) for each in node.ifs]
        return node

    def visit_Subscript(self, node: Node) -> Node:
        """Read an entry."""
        owner = self._owner(node)
        if owner is None:
            return self.generic_visit(node)
        key, default = self.visit(node.slice), self.found[owner].default
        if getattr(node, "s2sad_is_there", False):
            return self._at(owner, key, node)
        if default is not None and default.kind is Counter:
            return self._or(owner, key, default.value, node)
        self._entry(owner, key, node, default)
        return self._at(owner, key, node)

    def _or(self, owner: str, key: Node, value: Node, at: Node) -> Node:
        there = self._at(owner, key, at)
        return placed(gast.IfExp(self._has(owner, key, at), there, value), at)

    def visit_IfExp(self, node: Node) -> Node:
        """Ask whether a dict has any keys."""
        node.test = self._through(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_Compare(self, node: Node) -> Node:
        """Look for a key."""
        node.comparators = [self._through(each) for each in node.comparators]
        node.left = self.visit(node.left)
        return node

    def visit_Call(self, node: Node) -> Node:
        """Call a method of a dict, or what takes it for its keys."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr=attr), args=args):
                if owner in self.found:
                    return self._called(owner, attr, list(map(self.visit, args)), node)
        node.func = self.visit(node.func)
        node.args = [self._through(each) for each in node.args]
        for each in node.keywords:
            each.value = self.visit(each.value)
        return node

    def _called(self, owner: str, attr: str, args: list[Node], node: Node) -> Node:
        keys = name(self.found[owner].keys, node)
        if attr == "get":
            return self._or(owner, args[0], args[1], node)
        if attr == "setdefault":
            self._entry(owner, args[0], node, Default(dict, args[1]))
            return self._at(owner, args[0], node)
        if attr == "items":
            return call("zip", [keys, name(owner, node)], node)
        return keys if attr == "keys" else name(owner, node)
