"""Parameters without examples that hold parts: which these are, and a name for each of them.

def f(p, y):                                   p holds p['W'] and p['b'], which are all that is read of it:
    return np.sum(p["W"] @ y + p["b"])         a dict with these keys
def f(q: Well): ...                            q holds q.depth, q.width: the fields of the dataclass Well
"""

from __future__ import annotations

import copy
import dataclasses
import types
import typing
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

import gast
import numpy as np

from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Numeric, Reference, Region, Tuple, Type
from s2sad.source.trees import nodes_of
from s2sad.types.assumptions import Context

# the definition of a function of the user's that a text calls by a name
Callees = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Held:
    """What a parameter is of: a class, and its parts with what is said of each of them.

    A dict `is_by_keys` where nothing but its written keys is read.
    """

    cls: type
    parts: Mapping[Any, Any]
    is_by_keys: bool = False

    def path(self, owner: str, key: Hashable) -> str:
        """Return how a part is reached: p.mass, p['mass'], p[0]."""
        is_field = not issubclass(self.cls, dict | tuple | list)
        return f"{owner}.{key}" if is_field else f"{owner}[{key!r}]"

    def of_attribute(self, word: str) -> Hashable:
        """Return the key of what is read as an attribute: in a named tuple it is a place."""
        names = getattr(self.cls, "_fields", ())
        return names.index(word) if word in names else word


@dataclass(slots=True)
class Parts:
    """The body of a function in which parts of its parameters are names: p['W'], q.depth.

    `keys` are the written keys by which dicts are read, by the paths of these; `whole` are the
    names and paths that are read in another way, too. `tuples` are how many parts the items of
    lists have that are taken apart, and stand in products: they are no rows of an array.
    """

    tree: Any
    keys: dict[str, dict[str, None]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    tuples: dict[str, int] = field(default_factory=dict)

    def held(self, path: str) -> Held | None:
        """Return what an argument holds by how it is read; None for a number or an array."""
        if path in self.keys:
            return Held(dict, dict(self.keys[path]), path not in self.whole)
        if f"{path}[-1]" in self.keys:
            return Held(list, {-1: None})
        if path in self.tuples:
            return Held(list, {-1: types.GenericAlias(tuple, (typing.Any,) * self.tuples[path])})
        return None


def hints_of(given: Any) -> Mapping[str, Any]:
    """Return the annotations of a function or class, evaluated; none where one cannot be."""
    try:
        return typing.get_type_hints(given)
    except Exception:
        return {}


def held_by(hint: Any) -> Held | None:
    """Return what an annotation says that a value holds, None for a number, an array or anything."""
    if typing.is_typeddict(hint):
        return Held(dict, hints_of(hint))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        hints = hints_of(hint)
        return Held(hint, {each.name: hints.get(each.name) for each in dataclasses.fields(hint)})
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        hints = hints_of(hint)
        return Held(hint, dict(enumerate(hints.get(word) for word in hint._fields)))
    items = typing.get_args(hint)
    if typing.get_origin(hint) is list and not is_of_numbers(items[0]):
        return Held(list, {-1: items[0]})
    is_tuple = typing.get_origin(hint) is tuple and items and Ellipsis not in items
    return Held(tuple, dict(enumerate(items))) if is_tuple else None


def is_of_numbers(hint: Any) -> bool:
    """Tell whether an annotation is that of a number, or of a list of them: that may be an array, too."""
    if typing.get_origin(hint) is list:
        return is_of_numbers(typing.get_args(hint)[0])
    return hint in (float, int, bool, complex, typing.Any) or (
        isinstance(hint, type) and issubclass(hint, np.generic)
    )


def type_of_held(
    held: Held, path: str, of_part: Callable[[str, Any], Type], context: Context
) -> Type:
    """Return the type of a value that holds parts, whose types `of_part` gives by path and annotation."""
    made = {key: of_part(held.path(path, key), said) for key, said in held.parts.items()}
    if issubclass(held.cls, tuple):
        return Tuple(tuple(made.values()), None if held.cls is tuple else held.cls)
    if held.cls is list:
        context.regions[path] = Region(path, "list", made[-1], cls=list, is_parameter=True)
        return Reference(path)
    context.regions[path] = Region(path, "fields", fields=made, cls=held.cls, is_parameter=True)
    context.by_keys |= {path} if held.is_by_keys else set()
    return Reference(path)


def free_parts(type_: Type, path: str, context: Context) -> Iterator[str]:
    """Yield the paths of what may have any rank in a parameter: u, p['W'], q.depth."""
    match type_:
        case Numeric():
            yield path
        case Tuple(items):
            for place, item in enumerate(items):
                yield from free_parts(item, f"{path}[{place}]", context)
        case Reference(site):
            region = context.regions[site]
            yield from free_parts(region.item, f"{path}[-1]", context)
            for key, item in region.fields.items():
                yield from free_parts(item, region.path_of(key), context)


# ---------------------------------------------------------------------------- names of parts


def with_named_parts(tree: Any, helds: Mapping[str, Held | None], callees: Callees) -> Parts:
    """Return a function with names in the place of parts of its parameters.

    `helds` are what annotations say of the parameters.
    """
    return _named(tree, helds, callees, frozenset())


def _named(
    tree: Any, helds: Mapping[str, Held | None], callees: Callees, seen: frozenset[str]
) -> Parts:
    tree = copy.deepcopy(tree)
    bound = [node.id for node in nodes_of(tree) if _is_name(node) and not _is_read(node)]
    params = [each.id for each in (*tree.args.args, *tree.args.kwonlyargs)]
    naming = _Naming({each: helds.get(each) for each in params if bound.count(each) == 1})
    items = {
        target: path for target, path in _items_of(tree, naming.own) if bound.count(target) == 1
    }
    tuples = dict(_taken_apart(tree, naming.own))
    naming.items = items
    is_lambda = not isinstance(tree.body, list)
    lines = [naming.visit(each) for each in ([tree.body] if is_lambda else tree.body)]
    tree.body = lines[0] if is_lambda else lines
    handed = {id(arg) for node in nodes_of(tree) for arg in _asked_whole(node)}
    for node in nodes_of(tree):
        if type(node).__name__ == "Call" and _is_name(node.func) and node.func.id not in seen:
            callee = callees(node.func.id)
            pairs = {} if callee is None else _handed(callee, node, naming.own)
            if pairs:
                inner = _named(callee, {}, callees, seen | {node.func.id})
                handed |= {id(arg) for arg in pairs.values()}
                for param, arg in pairs.items():
                    _join(naming, inner, param, arg.id)
    reads = (n for each in lines for n in nodes_of(each) if _is_name(n) and id(n) not in handed)
    return Parts(tree, naming.keys, {n.id for n in reads} | naming.whole, tuples)


def _items_of(tree: Any, own: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the names of items of arguments that are dicts: layer, layers[-1]."""
    keyed = {n.value.id for n in nodes_of(tree) if _is_keyed(n) and _is_name(n.value)}
    for target, domain in _gone_through(tree, own):
        if _is_name(target) and target.id in keyed:
            yield target.id, f"{domain}[-1]"


def _taken_apart(tree: Any, own: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield the arguments whose items are taken apart, and these stand in products: for W, b in layers."""
    products = (n for n in nodes_of(tree) if type(getattr(n, "op", None)).__name__ == "MatMult")
    sides = ("left", "right", "target", "value")  # x @ W, or x @= W
    factors = {getattr(getattr(n, s, None), "id", "") for n in products for s in sides}
    for target, domain in _gone_through(tree, own):
        parts = getattr(target, "elts", ())
        if not factors.isdisjoint(getattr(part, "id", "") for part in parts):
            yield domain, len(parts)


def _gone_through(tree: Any, own: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Yield the targets of loops over arguments, with these."""
    for node in nodes_of(tree):
        if type(node).__name__ in ("For", "comprehension"):
            for target, domain in _in_pairs(node.target, node.iter):
                if (
                    type(getattr(domain, "slice", None)).__name__ == "Slice"
                ):  # for each in layers[1:]
                    domain = domain.value
                if _is_name(domain) and domain.id in own:
                    yield target, domain.id


def _in_pairs(target: Any, domain: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the targets of a loop with what each goes through."""
    function = getattr(domain, "func", None)
    called = getattr(function, "id", None) or getattr(function, "attr", None)
    targets: list[Any] = getattr(target, "elts", [])
    if called == "reversed":
        yield from _in_pairs(target, domain.args[0])
    elif called == "pairwise":
        yield from ((each, domain.args[0]) for each in targets)
    elif called == "enumerate" and len(targets) == 2:
        yield from _in_pairs(targets[1], domain.args[0])
    elif called == "zip" and len(targets) == len(domain.args):
        for each, arg in zip(targets, domain.args, strict=True):
            yield from _in_pairs(each, arg)
    else:
        yield target, domain


def _is_keyed(node: Any) -> bool:
    """Tell whether a node reads a dict by a written key."""
    if type(node).__name__ != "Subscript":
        return False
    return isinstance(getattr(node.slice, "value", None), str)


# what asks of a dict the same in whichever order its keys are
ORDERLESS = frozenset("type isinstance set frozenset len sorted".split())


def _asked_whole(node: Any) -> list[Any]:
    """Return what a call asks of a dict as a whole: set(p) == {'W', 'b'}."""
    called = getattr(getattr(node, "func", None), "id", None)
    return list(node.args) if type(node).__name__ == "Call" and called in ORDERLESS else []


def _handed(callee: Any, node: Any, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a callee that are given parameters, or parts of them."""
    names = [each.id for each in callee.args.args]
    pairs = dict(zip(names, node.args, strict=False))
    pairs |= {each.arg: each.value for each in node.keywords if each.arg in names}
    return {name: arg for name, arg in pairs.items() if _is_name(arg) and arg.id in own}


def _join(naming: _Naming, inner: Parts, param: str, path: str) -> None:
    """Note what a callee reads of what it is handed."""
    for owner, keys in inner.keys.items():
        if owner == param or owner.startswith(f"{param}["):
            naming.keys.setdefault(path + owner.removeprefix(param), {}).update(keys)
    if param in inner.whole:
        naming.whole.add(path)


def _is_name(node: Any) -> bool:
    return type(node).__name__ == "Name"


def _is_read(node: Any) -> bool:
    return type(node.ctx).__name__ == "Load"


class _Naming(gast.NodeTransformer):  # type: ignore[misc]
    """Puts a name in the place of p['W'], and of q.depth and t[0] where q and t are known to hold it."""

    def __init__(self, own: dict[str, Held | None]):
        self.own = own
        self.keys: dict[str, dict[str, None]] = {}
        self.whole: set[str] = set()
        self.items: Mapping[str, str] = {}

    def visit_Name(self, node: Any) -> Any:
        """Name an item of an argument by its path: layers[-1]."""
        if node.id not in self.items or not _is_read(node):
            return node
        return self.as_name(node, self.items[node.id])

    def visit_Subscript(self, node: Any) -> Any:
        self.generic_visit(node)
        if _is_keyed(node) and type(node.value).__name__ == "Subscript":  # layers[k]['W']
            owner = getattr(node.value.value, "id", None)
            if owner in self.own and type(node.value.slice).__name__ != "Slice":
                node.value = self.as_name(node.value, f"{owner}[-1]")
        key = getattr(node.slice, "value", None)
        if not _is_name(node.value) or node.value.id not in self.own:
            return node
        if isinstance(key, str):
            self.keys.setdefault(node.value.id, {})[key] = None
        return self.named(node, key, isinstance(key, str))

    def visit_Attribute(self, node: Any) -> Any:
        self.generic_visit(node)
        held = self.own.get(node.value.id) if _is_name(node.value) else None
        return node if held is None else self.named(node, held.of_attribute(node.attr))

    def named(self, node: Any, key: Any, is_key: bool = False) -> Any:
        """Return a part of a name as a name."""
        owner = node.value.id
        held = self.own[owner] or (Held(dict, {key: None}) if is_key else None)
        if held is None or key not in held.parts:
            return node
        return self.as_name(node, held.path(owner, key), held_by(held.parts[key]))

    def as_name(self, node: Any, path: str, held: Held | None = None) -> Any:
        """Return a part that is reached by a path as a name."""
        self.own.setdefault(path, held)
        return gast.copy_location(gast.Name(path, node.ctx, None, None), node)
