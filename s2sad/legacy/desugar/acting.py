"""A call that changes an object and gives something back becomes a statement of its own.

x = f(x, heapq.heappop(heap)) + len(heap)     ->     item = heapq.heappop(heap)
                                                     x = f(x, item) + len(heap)

What is read of the object after it is then not taken for what it was before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

import gast
import numpy as np

from s2sad.legacy.desugar.lists import pops
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.slots import slots_of
from s2sad.legacy.desugar.syntax import COMPREHENSIONS, Body, Node, assign, bound_names, name, with_
from s2sad.source.names import changed_by_call, changed_names
from s2sad.source.trees import nodes_of

# methods of objects that calculations are made of: what they change is known, or is their own draws
DRAWING = (np.random.Generator, np.random.RandomState, random.Random)
KINDS = (np.ndarray, list, dict, tuple, str, set, float, complex, *DRAWING)
KNOWN = frozenset(method for kind in KINDS for method in dir(kind))


def written(node: Node, names: Names) -> tuple[Body, Node] | None:
    """Return a call that changes an object as a statement, and the name of what it gave."""
    if not isinstance(node, (gast.Call, *COMPREHENSIONS)) or names.is_named(node):
        return None
    if pops(node, names) or not acts(node, names):
        return None
    if any(_comes_first(part, names) for part in _inner(node)) or _is_to_be_lifted(node, names):
        return None
    held = names.temp("item")
    return [assign(held, node, node)], name(held, node)


def is_plain(stmt: Node, names: Names) -> bool:
    """Tell whether a statement is such a call, or only gives names to what one makes: it stays."""
    if not isinstance(stmt, gast.Assign | gast.Expr) or names.is_named(stmt):
        return False
    if pops(stmt.value, names):
        return False  # what is popped gets a name, and is then unpacked
    stays = isinstance(stmt, gast.Expr) or has_names(stmt)
    return stays and written(stmt.value, names) is not None


def has_names(stmt: Node) -> bool:
    """Tell whether an assignment is to names alone."""
    return all(
        isinstance(part, gast.Name | gast.Tuple | gast.List | gast.Store)
        for target in stmt.targets
        for part in nodes_of(target)
    )


def acts(node: Node, names: Names) -> bool:
    """Tell whether an expression may change an object of the function's own."""
    changed = {each for each in changed_in(node) if names.is_local(each)}
    return bool(changed) and not changed <= _imported(names.source.tree)


def changed_in(node: Node) -> Iterator[str]:
    """Yield the names whose objects a call, or those of a comprehension, may change."""
    if isinstance(node, COMPREHENSIONS):
        own = bound_names([each.target for each in node.generators])
        yield from (each for each in changed_names([node]) if each not in own)
    elif isinstance(node, gast.Call):
        # what out= is given gets a value of its own
        keywords = [each for each in node.keywords if each.arg != "out"]
        yield from changed_by_call(with_(node, keywords=keywords))
        match node.func:
            case gast.Attribute(value=gast.Name(id=owner), attr=called) if called not in KNOWN:
                yield owner


@lru_cache(maxsize=256)
def _imported(tree: Node) -> set[str]:
    aliases = (part for part in nodes_of(tree) if isinstance(part, gast.alias))
    return {each.asname or each.name.split(".")[0] for each in aliases}


def _inner(node: Node) -> Iterator[Node]:
    return (part for part in nodes_of(node) if part is not node)


def _is_to_be_lifted(node: Node, names: Names) -> bool:
    """Tell whether what a call is given becomes statements: `xs.append(sum(x * x for x in u))`."""
    from s2sad.legacy.desugar.order import needs_statements  # which asks here what acts

    return isinstance(node, gast.Call) and any(
        needs_statements(part, names) for _, _, part in slots_of(node)
    )


def _comes_first(part: Node, names: Names) -> bool:
    """Tell whether a part of a call needs statements of its own before it."""
    return isinstance(part, gast.NamedExpr) or (isinstance(part, gast.Call) and acts(part, names))
