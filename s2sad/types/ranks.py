"""The ranks of arguments of which there is no example, as far as the way they are used tells.

def f(A, x):              A: 2
    return A[0, 1] * x    x: any
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2sad.types.unexampled import walk


def used_ranks(tree: Any) -> dict[str, int]:
    """Return the least ranks of names with which a function runs, 0 for those that are numbers.

    u[i]            1        for x in u      1        if x > 0.0     0
    A[i, j], A[i][j]  2      m, n = A.shape  2        math.sin(x)    0
    """
    found: dict[str, int] = {}
    nodes = list(walk(tree))
    for node in nodes:
        for named, rank in _uses(node):
            found[named] = max(rank, found.get(named, 0))
    names = [n for n in nodes if type(n).__name__ == "Name"]
    changed = {n.target.id for n in nodes if _changes_name(n)}
    kept = [n.id for n in names if n.id in changed and type(n.ctx).__name__ == "Store"]
    for named in changed:  # `c += x` of an argument that has no other value
        if kept.count(named) == sum(_changes_name(n) and n.target.id == named for n in nodes):
            found.setdefault(named, 0)
    return found


def _changes_name(node: Any) -> bool:
    return type(node).__name__ == "AugAssign" and type(node.target).__name__ == "Name"


def _uses(node: Any) -> Iterator[tuple[str, int]]:
    match type(node).__name__:
        case "Subscript":
            yield from _indexed(node)
        case "For" | "comprehension":
            yield from _gone_through(node.iter)
        case "Assign":
            yield from _unpacked(node)
        case "Call":
            of_math = getattr(getattr(node.func, "value", None), "id", None) == "math"
            if of_math or getattr(node.func, "id", None) == "float":
                yield from ((name, 0) for arg in node.args for name in _operands(arg))
        case "If" | "While" | "IfExp":
            yield from ((name, 0) for name in _compared(node.test))


def _indexed(node: Any) -> Iterator[tuple[str, int]]:
    base, chain = node, []
    while type(base).__name__ == "Subscript":
        index = base.slice
        parts = index.elts if type(index).__name__ == "Tuple" else [index]
        chain.append([p for p in parts if getattr(p, "value", 0) not in (None, Ellipsis)])
        base = base.value
    if type(base).__name__ == "Name":
        taken, rank = 0, 0
        for parts in reversed(chain):
            rank = max(rank, taken + len(parts))
            taken += sum(type(part).__name__ != "Slice" for part in parts)
        yield base.id, rank
    is_shape = type(base).__name__ == "Attribute" and base.attr == "shape"
    place = getattr(node.slice, "value", None)
    if is_shape and type(base.value).__name__ == "Name" and type(place) is int and place >= 0:
        yield base.value.id, place + 1


def _gone_through(domain: Any) -> Iterator[tuple[str, int]]:
    match type(domain).__name__:
        case "Name":
            yield domain.id, 1
        case "Call" if getattr(domain.func, "id", None) in ("zip", "enumerate", "reversed"):
            for arg in domain.args:
                yield from _gone_through(arg)


def _unpacked(node: Any) -> Iterator[tuple[str, int]]:
    target, value = node.targets[0], node.value
    if type(target).__name__ not in ("Tuple", "List"):
        return
    if type(value).__name__ == "Name":
        yield value.id, 1
    elif type(value).__name__ == "Attribute" and value.attr == "shape":
        if type(value.value).__name__ == "Name":
            yield value.value.id, len(target.elts)


def _operands(node: Any) -> Iterator[str]:
    """Yield the names that a number is computed from by arithmetic."""
    match type(node).__name__:
        case "Name":
            yield node.id
        case "BinOp":
            yield from _operands(node.left)
            yield from _operands(node.right)
        case "UnaryOp":
            yield from _operands(node.operand)


def _compared(test: Any) -> Iterator[str]:
    """Yield the names of which a test wants to know how large they are: they are numbers."""
    match type(test).__name__:
        case "Compare":
            orders = all(type(op).__name__ in ("Lt", "LtE", "Gt", "GtE") for op in test.ops)
            if orders:
                for side in (test.left, *test.comparators):
                    yield from _operands(side)
        case "BoolOp":
            for value in test.values:
                yield from _compared(value)
        case "UnaryOp":
            yield from _compared(test.operand)
