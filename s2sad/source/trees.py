"""Syntax: a node and all below it, breadth first; which names a function binds and declares.

nodes_of(x + 1)    ->    x + 1, x, Add, 1, Load

Which fields of a node can hold others is known of its class: names, texts and values cannot.

def f(u):                   locals_of: {u, total, add}
    total = 0.0
    def add(x):             declared: {"total": "nonlocal"} of add
        nonlocal total
        total += x
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Any

import gast

# fields that hold texts, numbers or nothing, whatever the class
_PLAIN = frozenset(
    """
    asname attr conversion id is_async kind kwd_attrs level lineno module rest tag type_comment
    """.split()
)
# and those of single classes that hold nodes in others
_PLAIN_OF = {
    "ClassDef": {"name"},
    "AsyncFunctionDef": {"name"},
    "Constant": {"value"},
    "FunctionDef": {"name"},
    "Global": {"names"},
    "MatchAs": {"name"},
    "MatchSingleton": {"value"},
    "MatchStar": {"name"},
    "Nonlocal": {"names"},
    "alias": {"name"},
    "arg": {"arg"},
    "keyword": {"arg"},
}


class _Holding(dict[type, tuple[str, ...]]):
    """The fields of each class of nodes that can hold nodes, found when it is first met."""

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        plain = _PLAIN | _PLAIN_OF.get(kind.__name__, set())
        self[kind] = tuple(field for field in kind._fields if field not in plain)
        return self[kind]


_HOLDING = _Holding()


def nodes_of(tree: Any) -> Iterator[Any]:
    """Yield a node and all below it, each before what is below it, level by level."""
    nodes = [tree]
    for node in nodes:  # there are more of them with each
        nodes += below(node)
        yield node


def below(node: Any) -> list[Any]:
    """Return the nodes that stand right below a node, in the order of its fields."""
    found = []
    for field in _HOLDING[node.__class__]:
        part = getattr(node, field, None)
        if isinstance(part, ast.AST):
            found.append(part)
        elif part.__class__ is list:
            found += [each for each in part if isinstance(each, ast.AST)]
    return found


_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def parameters(node: Any) -> tuple[str, ...]:
    """Return the names of the parameters of a function, in the order of its code object."""
    args = node.args
    plain = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    starred = [each for each in (args.vararg, args.kwarg) if each is not None]
    return tuple(each.id for each in (*plain, *starred))


def own_nodes(node: Any) -> Iterator[Any]:
    """Yield the nodes of a function without those inside of its inner functions and classes."""
    waiting = list(node.body) if isinstance(node.body, list) else [node.body]
    while waiting:
        one = waiting.pop()
        yield one
        if not isinstance(one, _SCOPES):
            waiting.extend(gast.iter_child_nodes(one))


@functools.lru_cache(maxsize=4096)
def yields(node: Any) -> bool:
    """Tell whether a function is a generator."""
    return any(isinstance(n, gast.Yield | gast.YieldFrom) for n in own_nodes(node))


@functools.lru_cache(maxsize=4096)
def locals_of(node: Any) -> frozenset[str]:
    """Return the names that a function binds itself."""
    found = set(parameters(node)) if isinstance(node, gast.FunctionDef | gast.Lambda) else set()
    found |= {name for n in own_nodes(node) for name in _bound(n)}
    return frozenset(found) - set(declared(node)) - _of_comprehensions(node, found)


def _bound(node: Any) -> Iterator[str]:
    match node:
        case gast.Name(id=name, ctx=gast.Store() | gast.Del()):
            yield name
        case gast.FunctionDef(name=name) | gast.ClassDef(name=name):
            yield name
        case gast.Import() | gast.ImportFrom():
            for alias in node.names:
                yield alias.asname or alias.name.split(".")[0]
        case gast.MatchAs(name=str() as name) | gast.MatchStar(name=str() as name):
            yield name
        case gast.MatchMapping(rest=str() as name):
            yield name


def _of_comprehensions(node: Any, bound: set[str]) -> set[str]:
    """Return the names that only comprehensions bind: they are none of the function's own."""
    inside: set[str] = set()
    outside = set(parameters(node)) if hasattr(node, "args") else set()
    waiting = [(n, False) for n in (node.body if isinstance(node.body, list) else [node.body])]
    while waiting:
        one, within = waiting.pop()
        if isinstance(one, gast.comprehension):
            targets = {n.id for n in gast.walk(one.target) if isinstance(n, gast.Name)}
            inside |= targets
            waiting += [(n, True) for n in (one.iter, *one.ifs)]
            continue
        outside |= set(_bound(one))
        if not isinstance(one, _SCOPES):
            waiting += [(n, within) for n in gast.iter_child_nodes(one)]
    return (inside - outside) & bound


@functools.lru_cache(maxsize=4096)
def declared(node: Any) -> dict[str, str]:
    """Return the names that a function declares global or nonlocal."""
    found: dict[str, str] = {}
    for one in own_nodes(node):
        if isinstance(one, gast.Global | gast.Nonlocal):
            found.update(dict.fromkeys(one.names, type(one).__name__.lower()))
    return found


@functools.lru_cache(maxsize=4096)
def read_in_loops_alone(function: Any) -> frozenset[str]:
    """Return the names that nothing reads but the bodies of the loops that bind them."""
    bound: set[str] = set()
    read = set(declared(function))
    waiting: list[tuple[Any, frozenset[str]]] = [(n, frozenset()) for n in function.body]
    while waiting:
        one, inside = waiting.pop()
        match one:
            case gast.Name() if one.id not in inside and not isinstance(one.ctx, gast.Store):
                read.add(one.id)
            case gast.AugAssign(target=gast.Name(id=name)) if name not in inside:
                read.add(name)
            case gast.GeneratorExp() | gast.FunctionDef() | gast.Lambda() | gast.ClassDef():
                read |= {n.id for n in gast.walk(one) if isinstance(n, gast.Name)}
                continue
            case gast.For(target=target, iter=over, body=body, orelse=orelse):
                own = {name for n in gast.walk(target) for name in _bound(n)}
                bound |= own
                read |= own & inside  # the loop around it goes on with what this one leaves
                waiting += [(n, inside) for n in (target, over, *orelse)]
                waiting += [(n, inside | own) for n in body]
                continue
        waiting += [(n, inside) for n in gast.iter_child_nodes(one)]
    return frozenset(bound - read)
