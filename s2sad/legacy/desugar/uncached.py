"""The cache of an inner function is left out where nothing can tell: it computes the same again.

@functools.cache                                def c(k):
def c(k):                             ->            return 1.0 + x * k / c(k + 1)
    return 1.0 + x * k / c(k + 1)

What it reads is the same at each call, it does nothing else, and nobody writes to what it gave. One
that calls itself is not written out where it is called: it becomes a function of its own.
"""

from __future__ import annotations

import copy
import functools
from types import FunctionType
from typing import Any

import gast

from s2sad.legacy.desugar.filled import is_given_once
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.remembered import as_caches
from s2sad.legacy.desugar.syntax import Body, Node, bound_names, own_nodes
from s2sad.legacy.drawn import tree_draws
from s2sad.legacy.extracted import only_called
from s2sad.source.names import bound_in, is_bound, locals_of, reads_of
from s2sad.source.trees import nodes_of

CACHES = (functools.cache, functools.lru_cache)
FUNCTIONS = (gast.FunctionDef, gast.Lambda)
LOOPS = (gast.For, gast.While)
# what changes names of others, and what runs by turns
BEYOND = (gast.Nonlocal, gast.Global, gast.Yield, gast.YieldFrom, gast.Await, gast.ClassDef)
WRITING = frozenset(
    "copyto put place putmask fill_diagonal put_along_axis at shuffle extend insert remove pop "
    "clear sort reverse fill itemset resize setfield partition update setdefault popitem add "
    "discard setflags byteswap __setitem__ setattr exec eval next".split()
)
# what is no other name of what a function gave
NEW = (gast.Constant, gast.BinOp, gast.UnaryOp)


def without_caches(body: Body, names: Names) -> Body:
    """Return statements in which such functions have no cache, and remember nothing in a dict."""
    for name, new in as_caches(body, names):
        made = next(part for part in new if getattr(part, "name", "") == name)
        if not _writes_nothing(new, names) or not _may_compute_again(made, new, names):
            break
        body = [_Uncached({name}).visit(copy.deepcopy(stmt)) for stmt in new]
    return _without_decorated(body, names)


def _without_decorated(body: Body, names: Names) -> Body:
    made = [part for stmt in body for part in nodes_of(stmt) if isinstance(part, gast.FunctionDef)]
    cached = [each for each in made if _is_cached(each, names)]
    if not cached or not _writes_nothing(body, names):
        return body
    cached = [each for each in cached if names.is_named(each)]
    found = {each.name for each in cached if _may_compute_again(each, body, names)}
    return [_Uncached(found).visit(copy.deepcopy(stmt)) for stmt in body] if found else body


class _Uncached(gast.NodeTransformer):  # type: ignore[misc]
    """Takes the decorators of functions of these names away."""

    def __init__(self, found: set[str]):
        self.found = found

    def visit_FunctionDef(self, node: Any) -> Any:
        node = self.generic_visit(node)
        if node.name in self.found:
            node.decorator_list = []
            node.s2sad_apart = node.name in reads_of(node.body)
        return node


def _is_cached(made: Node, names: Names) -> bool:
    """Tell whether a function has a cache above it, and nothing else."""
    if len(made.decorator_list) != 1:
        return False
    (above,) = made.decorator_list
    return names.means(above.func if isinstance(above, gast.Call) else above, *CACHES)


def _may_compute_again(made: Node, body: Body, names: Names) -> bool:
    if made not in body or not is_given_once(body, made.name):
        return False
    if not all(only_called(stmt, made.name) for stmt in body):
        return False
    told = 1 if gast.get_docstring(made) is not None else 0
    if any(isinstance(part, gast.Expr) for part in own_nodes(made.body[told:])):
        return False  # it may do something each time
    return all(_stays(each, body, names) for each in _read_by(made, body))


def _read_by(made: Node, body: Body) -> set[str]:
    """Return what a function reads, and what the functions do that it reads."""
    found: set[str] = set()
    waiting = [made.name]
    every = [part for stmt in body for part in nodes_of(stmt)]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for part in every:
            if isinstance(part, gast.FunctionDef) and part.name == name:
                waiting += {*reads_of(part)} - locals_of(part)
            elif isinstance(part, gast.Assign) and name in bound_names(part.targets):
                inside = [each for each in nodes_of(part.value) if isinstance(each, gast.Lambda)]
                waiting += [each for one in inside for each in reads_of(one)]
    return found


def _stays(name: str, body: Body, names: Names) -> bool:
    """Tell whether a name of the function around is given one value, and not by a loop."""
    if not names.is_local(name):
        return True
    args = names.source.tree.args
    given = [*bound_in(names.source.tree)].count(name)
    own = sum(isinstance(part, gast.Name) and part.id == name for part in nodes_of(args))
    loops = [part for part in own_nodes(body) if isinstance(part, LOOPS)]
    return given == 1 and own < 2 and name not in bound_names(loops)


def _writes_nothing(body: Body, names: Names) -> bool:
    """Tell whether statements write to no object that a function may have given."""
    every = [part for stmt in body for part in nodes_of(stmt)]
    return not any(_may_write(part, every, names) for part in every) and not any(
        tree_draws(part, names.source) for part in every if isinstance(part, FUNCTIONS)
    )


def _may_write(part: Node, every: list[Node], names: Names) -> bool:
    match part:
        case gast.Subscript() | gast.Attribute() if not isinstance(part.ctx, gast.Load):
            return True
        case gast.AugAssign(target=gast.Name(id=name)):
            return not _is_own_number(name, every)
        case gast.Call(func=func, keywords=keywords):
            called = getattr(func, "attr", getattr(func, "id", ""))
            if called in WRITING or any(each.arg in ("out", None) for each in keywords):
                return True
            return _function_writes(names.value(func)) or (
                called == "append" and not _is_own_list(func, every)
            )
    return isinstance(part, BEYOND)


def _function_writes(function: Any) -> bool:
    from s2sad.legacy.written import shown_writes  # it stands after this in the pipeline

    return isinstance(function, FunctionType) and bool(shown_writes(function))


def _is_own_number(name: str, every: list[Node]) -> bool:
    return _is_only_given(name, every, NEW)


def _is_own_list(func: Node, every: list[Node]) -> bool:
    owner = getattr(func, "value", None)
    return isinstance(owner, gast.Name) and _is_only_given(owner.id, every, (gast.List,))


def _is_only_given(name: str, every: list[Node], kinds: tuple[type, ...]) -> bool:
    """Tell whether all that gives a name a value gives it something new."""
    bound = [part for part in every if is_bound(part) and part.id == name]
    made = [
        part
        for part in every
        if isinstance(part, gast.Assign) and isinstance(part.value, kinds)
        if any(each is target for each in bound for target in part.targets)
    ]
    added = [part.target for part in every if isinstance(part, gast.AugAssign)]
    added = [each for each in added if any(each is one for one in bound)]
    return len(made) + len(added) == len(bound) and bool(made)
