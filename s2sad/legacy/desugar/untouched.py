"""Whether what is read now could as well have been read before: nothing was written to it meanwhile.

v = u[1:]; v[0] = 2.0      may write to u, as v may be a part of it
"""

from __future__ import annotations

from collections.abc import Iterator

import gast
import numpy as np

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node
from s2sad.source.names import reads_of, root_of
from s2sad.source.trees import nodes_of

# what these make is nobody else's
NEW = (gast.Constant, gast.BinOp, gast.Compare, gast.UnaryOp, gast.JoinedStr)
NEW_OF = (len, sum, float, int, range, np.zeros_like, np.ones_like, np.empty_like, np.array, np.sum)
# an item that is written to is seen by all that hold it
ASKED = (iter, next)
INNER = (gast.FunctionDef, gast.Lambda, gast.ClassDef)
PURE = ("numpy", "math", "builtins", "functools", "_functools", "itertools")


def is_untouched(items: Node, body: Body, nodes: list[Node], names: Names) -> bool:
    """Tell whether no statement of a body writes to what `items` reads; `nodes` are a function's."""
    parts = _parts_of(set(reads_of(items)), nodes, names)
    inner = [part for each in nodes if isinstance(each, INNER) for part in nodes_of(each)]
    looked_at = [*(part for stmt in body for part in nodes_of(stmt)), *inner]
    return not any(_writes(part, parts, names) for part in looked_at)


def _parts_of(read: set[str], nodes: list[Node], names: Names) -> set[str]:
    """Return the names that may hold what others hold, or a part of it."""
    given = [(targets, value) for node in nodes for targets, value in _given(node)]
    found: set[str] = set()
    while found != read:
        found = set(read)
        for targets, value in given:
            if not _is_new(value, names) and not found.isdisjoint(reads_of(value)):
                read |= {n.id for t in targets for n in nodes_of(t) if isinstance(n, gast.Name)}
            # what is another name of it comes before it, too
            elif isinstance(value, gast.Name | gast.Subscript | gast.Attribute):
                bound = {n.id for t in targets for n in nodes_of(t) if isinstance(n, gast.Name)}
                read |= {root_of(value).id} if bound & found and _has_root(value) else set()
    return read


def _has_root(value: Node) -> bool:
    return isinstance(root_of(value), gast.Name)


def _given(node: Node) -> Iterator[tuple[list[Node], Node]]:
    match node:
        case gast.Assign(targets=targets, value=value):
            yield targets, value
        case gast.AnnAssign(target=target, value=gast.AST() as value):
            yield [target], value
        case gast.NamedExpr(target=target, value=value):
            yield [target], value
        case gast.For(target=target, iter=value) | gast.comprehension(target=target, iter=value):
            yield [target], value


def _is_new(value: Node, names: Names) -> bool:
    if isinstance(value, gast.Call):
        copied = isinstance(value.func, gast.Attribute) and value.func.attr == "copy"
        return copied or names.means(value.func, *NEW_OF, *ASKED)
    return isinstance(value, NEW)


def _writes(node: Node, parts: set[str], names: Names) -> bool:
    """Tell whether a piece of syntax may write to what one of these names holds."""

    def holds(target: Node) -> bool:
        return not parts.isdisjoint(reads_of(target)) or _is_root(target, parts)

    match node:
        case gast.Subscript(ctx=gast.Store() | gast.Del()) | gast.Attribute(ctx=gast.Store()):
            return holds(node)
        case gast.AugAssign(target=gast.Name(id=target)):
            return target in parts
        case gast.Expr(value=gast.Call() as made):
            return holds(made) and not names.means(made.func, print)
        case gast.Call(func=func, args=args, keywords=keywords):
            given = [each for each in args if isinstance(each, gast.Name) and each.id in parts]
            into = [each for each in keywords if each.arg == "out" or holds(each.value)]
            return bool(given or into) and not _only_reads(func, names, bool(into))
    return False


def _is_root(target: Node, parts: set[str]) -> bool:
    root = root_of(target)
    return isinstance(root, gast.Name) and root.id in parts


def _only_reads(func: Node, names: Names, told: bool) -> bool:
    """Tell whether a function of Python's own or NumPy's is called, which writes to nothing."""
    value = names.value(func)
    module = str(getattr(value, "__module__", "")).split(".")[0]
    return not told and (module in PURE or isinstance(value, np.ufunc))
