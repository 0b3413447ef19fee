"""Loops over lists of objects go over the places of their items.

for i, b in enumerate(bodies):          for i in range(len(bodies_x)):
    b.x += dt * b.v              ->         bodies_x[i] += dt * bodies_v[i]

for a, b in combinations(bodies, 2):    for i, k in combinations(range(len(bodies_x)), 2):
"""

from __future__ import annotations

import copy
import operator
from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.legacy.desugar.syntax import bound_names, with_
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import records
from s2sad.legacy.statics.kinds import Cut, Record
from s2sad.legacy.statics.resolving import resolved
from s2sad.legacy.statics.rows import assigned, called, column, named, placed, places, table_called
from s2sad.source.text import resolve_dotted
from s2sad.source.trees import nodes_of


@dataclass
class Places:
    """A loop over lists of objects on its way to one over their places."""

    scope: Scope
    node: Any
    first: list[Any] = field(default_factory=list)
    gone_through: list[Record] = field(default_factory=list)

    def marks(self, step: int) -> list[Any]:
        """Return what tells, while the body is lowered, that its lists may not grow."""
        mark = placed(gast.Pass(), self.node)
        mark.s2sad_going = [(table.number, step) for table in self.gone_through]
        return [mark]

    def through(self, iterable: Any, target: Any) -> tuple[Any, Any] | None:
        """Return what a loop goes through, and its target, where these are places of items."""
        table = self.table(iterable)
        if table is not None:
            return places(table, self.scope, self.node), self.taken(table, target)
        match iterable:
            case gast.Call(func=func, args=args) if not any(
                isinstance(arg, gast.Starred) for arg in args
            ):
                return self.through_call(func, iterable, target)
        return None

    def through_call(self, func: Any, iterable: Any, target: Any) -> tuple[Any, Any] | None:
        """Return the places that a call goes through: enumerate(bodies), combinations(bodies, 2)."""
        word = getattr(func, "attr", getattr(func, "id", ""))
        args, parts = list(iterable.args), list(getattr(target, "elts", ()))
        pairs: list[tuple[int, int]] = []
        if word in ("reversed", "list", "tuple") and len(args) == 1:
            found = self.through(args[0], target)
            return found and (with_(iterable, args=[found[0]]), found[1])
        if word == "enumerate" and len(parts) == 2:
            table = self.table(args[0])
            if table is not None and not isinstance(table, Cut) and self.counts(iterable, parts[0]):
                self.taken(table, parts[1], parts[0].id)
                return places(table, self.scope, self.node), parts[0]
            pairs = [(0, 1)]
        elif word == "zip" and len(parts) == len(args):
            pairs = [(n, n) for n in range(len(args))]
        elif word in ("combinations", "permutations", "pairwise") and parts:
            table = self.table(args[0])
            if table is None:
                return None
            parts = [self.taken(table, part) for part in parts]
            made = with_(iterable, args=[places(table, self.scope, self.node), *args[1:]])
            return made, with_(target, elts=parts)
        elif word == "sorted" and len(args) == 1:
            table = self.table(args[0])
            order = None if table is None else self.in_order(table, iterable.keywords)
            if table is None or order is None:
                return None
            return order, self.taken(table, target)
        touched = False
        for place, part in pairs:
            found = self.through(args[place], parts[part])
            if found is not None:
                args[place], parts[part] = found
                touched = True
        return (with_(iterable, args=args), with_(target, elts=parts)) if touched else None

    def in_order(self, table: Record, keywords: list[Any]) -> Any:
        """Return the places of a list in the order of a key, which is a lambda."""
        keyed = {each.arg: each.value for each in keywords}
        key = _as_lambda(keyed.get("key"), self.scope)
        if not isinstance(key, gast.Lambda) or len(key.args.args) != 1 or isinstance(table, Cut):
            return None
        parameter = key.args.args[0].id
        written = _Fields(parameter, table, self.scope).visit(copy.deepcopy(key))
        if any(getattr(part, "id", "") == parameter for part in nodes_of(written.body)):
            places_ = {part for part in nodes_of(written.body) if getattr(part, "s2sad_at", False)}
            reads = [p for p in nodes_of(written.body) if getattr(p, "id", "") == parameter]
            if len(places_) != len(reads):
                return None
        made = called("sorted", places(table, self.scope, self.node), self.node)
        made.keywords = [
            gast.keyword(arg=each.arg, value=written if each.arg == "key" else each.value)
            for each in keywords
        ]
        return made

    def table(self, owner: Any) -> Record | None:
        """Return the list of objects that an expression is."""
        owner = resolved(owner, self.scope)
        return table_called(owner.id, self.scope) if isinstance(owner, gast.Name) else None

    def counts(self, iterable: Any, target: Any) -> bool:
        """Tell whether a name counts the passes from 0, and is given nothing else in them."""
        if not isinstance(target, gast.Name) or len(iterable.args) > 1 or iterable.keywords:
            return False
        if target.id in bound_names(self.node.body):
            return False
        self.scope.numbers.counters.add(self.scope.slot(target.id))
        return True

    def taken(self, table: Record, target: Any, place: str = "") -> Any:
        """Return the place of an item as a target, and let the loop begin with the item."""
        if not isinstance(table, Cut):
            self.gone_through.append(table)
        number = self.scope.numbers.key()
        wanted = target.id.split("%")[0] if isinstance(target, gast.Name) else "item"
        place, list_ = place or f"{wanted}_place%k{number}", f"list%r{number}t"
        self.scope.locals |= {place, list_}
        self.scope.held.statics = {**self.scope.held.statics, self.scope.slot(list_): table}
        at = named(place, gast.Load(), self.node)
        at.s2sad_place = True
        owner = named(list_, gast.Load(), self.node)
        item = placed(gast.Subscript(owner, at, gast.Load()), self.node)
        name = target
        if not isinstance(target, gast.Name):
            held = f"item%r{number}t"
            self.scope.locals |= {held}
            name = named(held, gast.Store(), self.node)
        self.first.append(assigned(name, item, self.node))
        if name is not target:
            self.first.append(assigned(target, named(name.id, gast.Load(), self.node), self.node))
        return named(place, gast.Store(), self.node)


def gone_through(node: Any, scope: Scope) -> list[Any] | None:
    """Return a loop over lists of objects as one over their places."""
    places = Places(scope, node)
    found = places.through(node.iter, node.target)
    if found is None:
        return None
    body = [*places.first, *places.marks(1), *node.body, *places.marks(-1)]
    return [with_(node, iter=found[0], target=found[1], body=body)]


def _as_lambda(key: Any, scope: Scope) -> Any:
    """Return `attrgetter("x")` as a lambda, any other key as it is."""
    match key:
        case gast.Call(func=func, args=[gast.Constant(value=str(field))], keywords=[]):
            found = resolve_dotted(scope.source, func)
        case _:
            return key
    if found is None or found[1] not in (operator.attrgetter, operator.itemgetter):
        return key
    if found[1] is operator.attrgetter and not field.isidentifier():
        return key
    by_name = found[1] is operator.attrgetter
    text = f"lambda item: item.{field}" if by_name else f"lambda item: item[{field!r}]"
    made = gast.parse(text, mode="eval").body
    for part in nodes_of(made):
        placed(part, key)
    return made


class _Fields(gast.NodeTransformer):  # type: ignore[misc]
    """Reads the fields of an item, of which a lambda is given the place, in their lists."""

    def __init__(self, parameter: str, table: Record, scope: Scope):
        self.parameter, self.table, self.scope = parameter, table, scope

    def visit_Attribute(self, node: Any) -> Any:
        return self._read(node, node.attr) or self.generic_visit(node)

    def visit_Subscript(self, node: Any) -> Any:
        return self._read(node, records.literal(node.slice)) or self.generic_visit(node)

    def _read(self, node: Any, key: Any) -> Any:
        if not isinstance(node.value, gast.Name) or node.value.id != self.parameter:
            return None
        if key not in records.keys_of(self.table, self.scope, node):
            return None
        at = named(self.parameter, gast.Load(), node)
        at.s2sad_at = True
        return placed(gast.Subscript(column(self.table, key, self.scope, node), at, node.ctx), node)
