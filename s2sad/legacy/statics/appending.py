"""What is appended to a list in a function tells which lists are lists of objects.

bodies = []                          marked with what makes its items: Body(x, m)
for x, m in zip(xs, ms):
    bodies.append(Body(x, m))
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import records
from s2sad.legacy.statics.classes import handed_on
from s2sad.legacy.statics.rows import table_called
from s2sad.source.plain import is_named_tuple, makes_records
from s2sad.source.text import resolve_dotted, source_of
from s2sad.source.trees import nodes_of

Kind = tuple[type, tuple[Any, ...]]  # a class, and the names of the fields of its objects
PURE = frozenset({"append", "dict", "len", "print", "float", "copy", "replace", "deepcopy", "sum"})
READING = frozenset({"get", "items", "keys", "values", "copy", "_replace", "_asdict"})


@dataclass(frozen=True)
class ItemOf:
    """What a loop gives of what it goes through."""

    iterable: Any


def mark(body: list[Any], params: frozenset[str] = frozenset()) -> None:
    """Note at each list that begins empty what is appended to it, and which of that is new."""
    nodes = [part for stmt in body for part in nodes_of(stmt)]
    appended: dict[str, list[Any]] = {}
    for node in nodes:
        match node:
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="append"), args=[arg]
            ):
                appended.setdefault(name, []).append(arg)
    for name, empty in (pair for node in nodes for pair in _begun_empty(node)):
        args = appended.get(name, ())
        empty.s2sad_items = [made for arg in args for made in _made_as(arg, nodes)]
    for block in _blocks(body):
        _mark_new(block, nodes)
    _mark_handed(body, nodes, params)
    _mark_given_again(nodes)


def _begun_empty(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names that an assignment gives an empty list, and these lists."""
    match node:
        case gast.Assign(targets=[gast.Name() as target], value=value):
            pairs = [(target, value)]
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
            pairs = list(zip(targets, values, strict=False))
        case _:
            return
    for target, value in pairs:
        if isinstance(target, gast.Name) and isinstance(value, gast.List) and not value.elts:
            yield target.id, value


def _mark_given_again(nodes: list[Any]) -> None:
    """Mark assignments to names that are given several things."""
    given: dict[str, list[Any]] = {}
    for node in nodes:
        for target in node.targets if isinstance(node, gast.Assign) else ():
            if isinstance(target, gast.Name):
                given.setdefault(target.id, []).append(node)
    for many in given.values():
        for node in many if len(many) > 1 else ():
            node.s2sad_again = True


def _made_as(arg: Any, nodes: list[Any]) -> Iterator[Any]:
    """Yield the expressions that may have made what is appended."""
    name = _told_by(arg)
    if name is None:
        yield arg
        return
    for node in nodes:
        match node:
            case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
                pairs = zip(targets, values, strict=False)
                yield from (value for to, value in pairs if getattr(to, "id", "") == name)
            case gast.Assign(targets=[gast.Name(id=bound)], value=value) if bound == name:
                told = _told_by(value)
                if told != name:
                    yield value
            case gast.For(target=target, iter=iterable):
                if any(getattr(part, "id", "") == name for part in nodes_of(target)):
                    yield ItemOf(iterable)


def _told_by(arg: Any) -> str | None:
    """Return the name of an object, or of that of which it is a copy."""
    match arg:
        case gast.Name(id=name):
            return str(name)
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="copy" | "_replace")):
            if name != "copy":
                return str(name)
    match arg:
        case gast.Call(func=gast.Name(id="dict" | "copy" | "replace"), args=[gast.Name(id=name)]):
            return str(name)
        case gast.Call(
            func=gast.Attribute(attr="copy" | "replace" | "deepcopy"), args=[gast.Name(id=name)]
        ):
            return str(name)
    return None


def _blocks(body: list[Any]) -> Iterator[list[Any]]:
    yield body
    for stmt in body:
        for key in ("body", "orelse", "finalbody"):
            inner = getattr(stmt, key, None)
            if isinstance(inner, list) and inner:
                yield from _blocks(inner)


def _mark_new(block: list[Any], nodes: list[Any]) -> None:
    """Mark what is appended under a name that only leads to it, or under which nothing is changed."""
    for place, stmt in enumerate(block):
        match stmt:
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(attr="append"), args=[gast.Name(id=name) as arg]
                )
            ):
                arg.s2sad_new = _leads_here(name, block[: place + 1], nodes)
                arg.s2sad_kept = _is_only_read(name, nodes)
            case gast.Expr(value=gast.Call(func=gast.Attribute(), args=args)):
                for arg in args:
                    if isinstance(arg, gast.Name):
                        arg.s2sad_given_up = _leads_here(arg.id, block[: place + 1], nodes)


def _mark_handed(block: list[Any], nodes: list[Any], params: frozenset[str]) -> None:
    """Mark parameters that are read nowhere but where what they hold is appended, once."""
    for stmt in block:
        match stmt:
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(attr="append"), args=[gast.Name(id=name) as arg]
                )
            ):
                if name in params and sum(getattr(n, "id", "") == name for n in nodes) == 1:
                    arg.s2sad_handed = True
            case gast.If(body=body, orelse=orelse):
                _mark_handed(body, nodes, params)
                _mark_handed(orelse, nodes, params)


def _leads_here(name: str, until: list[Any], nodes: list[Any]) -> bool:
    """Tell whether a name is given an object here, and read for the last time at the end."""
    if any(_is_read_inside(node, name) for node in nodes):
        return False
    here = sum(1 for each in until for _ in _mentions(each, name))
    if here != sum(1 for part in nodes if getattr(part, "id", "") == name):
        return False
    match next((each for each in until if any(_mentions(each, name))), None):
        case gast.Assign(targets=[gast.Name(id=bound)]):
            return bool(bound == name)
    return False


def _is_read_inside(node: Any, name: str) -> bool:
    """Tell whether a function that is made inside reads a name, or may when it is called later."""
    return isinstance(node, gast.FunctionDef | gast.Lambda) and any(_mentions(node, name))


def _is_only_read(name: str, nodes: list[Any]) -> bool:
    """Tell whether nothing is written to under a name, and nothing else is given what it holds."""
    reads = {id(part) for part in nodes if getattr(part, "id", "") == name}
    fine: set[int] = set()
    for node in nodes:
        match node:
            case gast.Attribute(value=gast.Name() as owner, ctx=gast.Load()):
                fine.add(id(owner))
            case gast.Subscript(value=gast.Name() as owner, ctx=gast.Load()):
                fine.add(id(owner))
            case gast.Assign(targets=targets):
                fine |= {id(each) for each in targets}
            case gast.For(target=target):
                fine |= {id(part) for part in nodes_of(target)}
            case gast.Call(func=func, args=args):
                if getattr(func, "attr", getattr(func, "id", "")) in PURE:
                    fine |= {id(each) for each in args}
            case gast.Dict(keys=keys, values=values):
                fine |= {id(v) for k, v in zip(keys, values, strict=True) if k is None}
    for node in nodes:
        match node:
            case gast.AugAssign(target=gast.Attribute(value=owner) | gast.Subscript(value=owner)):
                fine.discard(id(owner))
            case gast.Call(func=gast.Attribute(value=gast.Name() as owner, attr=called)):
                if called not in READING:
                    fine.discard(id(owner))
    return reads <= fine


def _mentions(node: Any, name: str) -> Iterator[Any]:
    return (part for part in nodes_of(node) if getattr(part, "id", "") == name)


# ---------------------------------------------------------------------------- what is in a list


def kind_of(node: Any, scope: Scope) -> Kind | None:
    """Return the class of the objects that an expression makes, and their fields."""
    match node:
        case ItemOf(iterable):
            return _kind_of_items(iterable, scope)
        case gast.Dict(keys=[_, *_]):
            keys = [None if key is None else records.spelled(key, scope) for key in node.keys]
            return None if None in keys else (dict, tuple(keys))
        case gast.Call(func=gast.Name(id="dict"), args=[], keywords=[_, *_]):
            return dict, tuple(each.arg for each in node.keywords)
        case gast.Call(func=gast.Name() | gast.Attribute() as func):
            if isinstance(func, gast.Name) and func.id in scope.locals:
                return None
            found = resolve_dotted(scope.source, func)
            if found is not None and makes_records(found[1]):
                names = _fields_of(found[1])
                return (found[1], names) if names else None
    return None


def _kind_of_items(iterable: Any, scope: Scope) -> Kind | None:
    for part in nodes_of(iterable):
        table = table_called(part.id, scope) if isinstance(part, gast.Name) else None
        if table is not None:
            return table.kind.row, records.keys_of(table, scope, part)
    return None


@lru_cache(maxsize=512)
def _fields_of(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields that objects of a class have when they are made."""
    if is_named_tuple(kind):
        return tuple(kind._fields)
    if hasattr(kind, "__dataclass_fields__"):
        own = [name for name in kind.__dataclass_fields__ if name not in _handed_on(kind)]
        return (*own, *(name for name in _set_by(kind, "__post_init__") if name not in own))
    return _set_by(kind, "__init__")


def _handed_on(kind: Any) -> set[str]:
    """Return the fields that a dataclass hands to `__post_init__`, and does not keep."""
    return {each.name for each in handed_on(kind)}


def _set_by(kind: Any, name: str) -> tuple[str, ...]:
    """Return the fields that a method gives values, also those of the classes above."""
    found: dict[str, None] = {}
    for each in reversed(kind.__mro__):
        init = each.__dict__.get(name)
        if not inspect.isfunction(init):
            continue
        try:
            tree = source_of(init).tree
        except S2sadError:
            return ()
        first = tree.args.args[0].id
        for part in nodes_of(tree):
            match part:
                case gast.Attribute(value=gast.Name(id=owner), attr=field, ctx=gast.Store()):
                    if owner == first:
                        found[field] = None
    return tuple(found)
