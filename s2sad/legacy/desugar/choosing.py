"""Which functions a name may stand for, where that is decided while the function runs.

g = np.sin if c else np.cos              g: np.sin, np.cos
table = {"a": np.sin, "b": np.cos}       table: np.sin, np.cos, each under its key
f = table[kind]                          f: np.sin, np.cos

A name that may hold anything else as well, or is used for more than to be called or handed on,
is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, is_none, parents_of, placed
from s2sad.source.functions import FUNCTION_TYPES
from s2sad.source.trees import nodes_of

DISPLAYS = (gast.Dict, gast.List, gast.Tuple)
DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
VIEWS = frozenset({"get", "values", "items", "keys"})
THROUGH = frozenset({"enumerate", "zip", "reversed", "list", "tuple", "len", "sorted"})
Functions = list[Node] | None  # None: it may be something else


@dataclass(frozen=True)
class Item:
    """What a loop gives its target, or the part of it at a place: (1, 0) is b in `a, (b, c)`."""

    iterable: Node
    place: tuple[int, ...]


@dataclass
class Choices:
    """The functions that names of a function may stand for, and the tables that hold some."""

    names: Names
    parents: dict[int, Node]
    held: dict[str, list[Node]]
    tables: dict[str, Node]
    defined: dict[str, Node]
    calls: list[Node]
    optional: set[str]  # the names that may be None as well

    def of(self, node: Node) -> Functions:
        """Return the functions that an expression may be."""
        match node:
            case Item(iterable, place):
                return self._items(iterable, place)
            case gast.Name(id=text) if text in self.held:
                return self.held[text]
            case gast.Name(id=text) if text in self.defined:
                return [node]
            case gast.Constant(value=None):
                return []
            case gast.FunctionDef():
                short = as_lambda(node)
                return None if short is None else [short]
            case gast.Lambda(args=args):
                return None if args.defaults or args.kw_defaults else [node]
            case gast.Name() | gast.Attribute():
                return [node] if isinstance(self.names.value(node), FUNCTION_TYPES) else None
            case gast.IfExp(body=a, orelse=b):
                return self._each_of([a, b])
            case gast.Subscript(value=owner):
                entry = _entry(self.shown(owner), node.slice)
                return self.looked_up(owner) if entry is None else self.of(entry)
            case gast.Call(func=gast.Attribute(value=owner, attr="get"), args=[_, other]):
                found, more = self.looked_up(owner), self.of(other)
                return None if found is None or more is None else [*found, *more]
        return None

    def looked_up(self, owner: Node) -> Functions:
        """Return what a table holds, be it a display or the name of one."""
        shown = self.shown(owner)
        return self._each_of(values_of(shown)) if isinstance(shown, DISPLAYS) else None

    def _each_of(self, nodes: Iterable[Node]) -> Functions:
        found: list[Node] = []
        for node in nodes:
            part = self.of(node)
            if part is None:
                return None
            found += part
        return found

    def _items(self, iterable: Node, place: tuple[int, ...]) -> Functions:
        """Return the functions that a loop goes through."""
        match iterable, place:
            case gast.Call(func=gast.Attribute(value=owner, attr="items"), args=[]), (1,):
                return self.looked_up(owner)
            case gast.Call(func=gast.Attribute(value=owner, attr="values"), args=[]), ():
                return self.looked_up(owner)
            case gast.Call(func=gast.Name(id="enumerate"), args=[owner, *_]), (1, *rest):
                return self._items(owner, tuple(rest))
            case gast.Call(func=gast.Name(id="zip"), args=args), (first, *rest):
                return self._items(args[first], tuple(rest)) if first < len(args) else None
            case gast.Call(
                func=gast.Name(id="reversed" | "list" | "tuple" | "sorted"), args=[owner]
            ), _:
                return self._items(owner, place)
        shown = self.shown(iterable)
        if isinstance(shown, gast.List | gast.Tuple) and len(place) == 1:
            return self._each_of(_column(shown, place[0])) if _has_rows(shown) else None
        return self.looked_up(iterable) if not place and not isinstance(shown, gast.Dict) else None

    def shown(self, node: Node) -> Node:
        """Return the display that a name is given, any other expression as it is."""
        return self.tables.get(node.id, node) if isinstance(node, gast.Name) else node

    def holds_functions(self, shown: Node) -> bool:
        """Tell whether a display holds functions, or rows in which they stand at one place."""
        if not values_of(shown):
            return False
        if not isinstance(shown, gast.Dict) and _has_rows(shown):
            width = len(shown.elts[0].elts)
            return any(self._each_of(_column(shown, place)) for place in range(width))
        return self.looked_up(shown) is not None

    # ------------------------------------------------------------ how they are used

    def is_used(self, read: Node) -> bool:
        """Tell whether a function is called, handed to a call, or given another name."""
        around = self.parents.get(id(read))
        match around:
            case gast.Call():
                return True
            case gast.Compare(ops=[gast.Is() | gast.IsNot()], comparators=[gast.Constant()]):
                return True
            case gast.IfExp(test=test):
                return test is not read and self.is_used(around)
            case gast.Assign(targets=[gast.Name(id=target)]):
                return target in self.held
        return False

    def looks_up(self, read: Node) -> bool:
        """Tell whether a table is looked something up in, or gone through."""
        around = self.parents.get(id(read))
        match around:
            case gast.Subscript(value=owner, ctx=gast.Load()):
                return owner is read and self.looked_up(read) is not None
            case gast.Attribute(attr=attr):
                return attr in VIEWS
            case gast.For(iter=through) | gast.comprehension(iter=through):
                return through is read
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[owner]):
                return owner is read
            case gast.Call(func=gast.Name(id=called)):
                return called in THROUGH
        return False


def choices_in(body: Body, names: Names) -> Choices:
    """Return which functions the names of a function may stand for."""
    nodes = [part for stmt in body for part in nodes_of(stmt)]
    parents = parents_of(nodes)
    given = dict(_given(nodes, parents, names))
    tables = {t: v[0] for t, v in given.items() if len(v) == 1 and isinstance(v[0], DISPLAYS)}
    given = {text: values for text, values in given.items() if text not in tables}
    held: dict[str, list[Node]] = {text: [] for text in given}
    defined = {
        node.name: node
        for node in nodes
        if isinstance(node, gast.FunctionDef) and node.name not in given
        if not isinstance(parents.get(id(node)), gast.ClassDef)
    }
    calls = [node for node in nodes if isinstance(node, gast.Call)]
    optional = {text for text, values in given.items() if any(map(is_none, values))}
    found = Choices(names, parents, held, tables, defined, calls, optional)
    reads = [
        node for node in nodes if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)
    ]
    while _narrowed(found, given, reads) or _widened(found, given):
        pass
    return found


def _given(nodes: list[Node], parents: dict[int, Node], names: Names) -> Iterator[Any]:
    """Yield the names of a function's own, each with what it is given; None for what is not followed."""
    arguments = [node.args for node in nodes if isinstance(node, gast.FunctionDef | gast.Lambda)]
    other = {part.id for each in (names.source.tree.args, *arguments) for part in nodes_of(each)
             if isinstance(part, gast.Name)}  # fmt: skip
    other |= {text for node in nodes for text in _bound_otherwise(node)}
    values: dict[str, list[Any]] = {}
    for node in nodes:
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            values.setdefault(node.id, []).append(_value(node, parents))
    defs = [node for node in nodes if isinstance(node, gast.FunctionDef)]
    for node in defs:
        if node.name in values or sum(each.name == node.name for each in defs) > 1:
            values.setdefault(node.name, []).append(node)
    yield from ((t, v) for t, v in values.items() if t not in other and None not in v)


def _bound_otherwise(node: Node) -> Iterator[str]:
    """Yield the names that a node binds in a way that is not followed."""
    match node:
        case gast.Global(names=names) | gast.Nonlocal(names=names):
            yield from names
        case gast.alias():
            yield node.asname or node.name.split(".")[0]
        case gast.ClassDef():
            # its methods are no names of the function, and may read those that are
            parts = [*nodes_of(node)]
            yield from (part.id for part in parts if isinstance(part, gast.Name))
            yield from (part.name for part in parts if isinstance(part, DEFINITIONS))
        case gast.MatchAs() | gast.MatchStar() if node.name:
            yield node.name
        case gast.ExceptHandler() if isinstance(node.name, str):
            yield node.name


def _value(store: Node, parents: dict[int, Node]) -> Any:
    """Return what gives a name its value; None where that is not followed."""
    around = parents.get(id(store))
    match around:
        case gast.Assign(targets=[target], value=value) if target is store:
            return value
        case gast.For() | gast.comprehension() | gast.Tuple() | gast.List():
            return _item(store, parents)
    return None


def _item(store: Node, parents: dict[int, Node]) -> Item | None:
    """Return what of a loop's items a name in its target is given."""
    place: tuple[int, ...] = ()
    around = parents.get(id(store))
    while isinstance(around, gast.Tuple | gast.List):
        place = (next(n for n, part in enumerate(around.elts) if part is store), *place)
        store, around = around, parents.get(id(around))
    if isinstance(around, gast.For | gast.comprehension) and around.target is store:
        return Item(around.iter, place)
    return None


def _narrowed(found: Choices, given: dict[str, list[Any]], reads: list[Node]) -> bool:
    """Forget names that may hold something else; tell whether there were any."""
    lost = [t for t, v in given.items() if t in found.held and any(found.of(e) is None for e in v)]
    lost += [t for t, shown in found.tables.items() if not found.holds_functions(shown)]
    lost += [r.id for r in reads if r.id in found.held and not found.is_used(r)]
    lost += [r.id for r in reads if r.id in found.tables and not found.looks_up(r)]
    for text in lost:
        found.held.pop(text, None)
        found.tables.pop(text, None)
    return bool(lost)


def _widened(found: Choices, given: dict[str, list[Any]]) -> bool:
    """Let names stand for all that they are given; tell whether that is more than before."""
    more = False
    for text in found.held:
        functions = [each for value in given[text] for each in found.of(value) or []]
        new = {told(each): each for each in functions}
        if len(new) > len(found.held[text]):
            found.held[text], more = list(new.values()), True
    return more


def values_of(shown: Node) -> list[Node]:
    """Return what a display holds."""
    return list(shown.values if isinstance(shown, gast.Dict) else shown.elts)


def _entry(shown: Node, key: Node) -> Node | None:
    """Return what stands in a display under a key that is written out."""
    if not isinstance(shown, DISPLAYS) or not isinstance(key, gast.Constant):
        return None
    if isinstance(shown, gast.Dict):
        held = {each.value: v for each, v in zip(shown.keys, shown.values, strict=True)
                if isinstance(each, gast.Constant)}  # fmt: skip
        return held.get(key.value)
    at = key.value
    return shown.elts[at] if isinstance(at, int) and at < len(shown.elts) else None


def told(function: Node) -> str:
    """Return what two spellings of one function have in common."""
    return str(gast.dump(function))


def _has_rows(shown: Node) -> bool:
    """Tell whether a display is one of displays of one length."""
    rows = [each.elts if isinstance(each, gast.List | gast.Tuple) else [] for each in shown.elts]
    return len({len(row) for row in rows}) == 1 and all(rows)


def _column(shown: Node, place: int) -> list[Node]:
    return [row.elts[place] for row in shown.elts if place < len(row.elts)]


def as_lambda(made: Node) -> Node | None:
    """Return a function of one expression as a lambda; None for others."""
    args = made.args
    if len(made.body) != 1 or not isinstance(made.body[0], gast.Return) or made.decorator_list:
        return None
    if args.defaults or args.kw_defaults or made.body[0].value is None:
        return None
    return placed(gast.Lambda(args=args, body=made.body[0].value), made)
