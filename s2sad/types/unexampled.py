"""The types of parameters of which there is no example: numbers, vectors and matrices alike.

def f(x, w, n: int, tol=1e-8)     x, w: Numeric, each with a shape of its own
                                  n: Number("int64"); tol: Number("float64")
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from s2sad.ir.errors import NotYet
from s2sad.ir.types import Array, Length, Number, Numeric, Type
from s2sad.types.context import Context
from s2sad.types.examples import type_of

# annotations of a parameter, by what they say
KINDS: Mapping[str, Type] = {
    "float": Number("float64", None),
    "int": Number("int64"),
    "bool": Number("bool", None),
    "np.floating": Number("float64", True),
    "np.float64": Number("float64", True),
}
# functions whose arguments are whole numbers
COUNTING = frozenset({"range", "arange", "eye", "identity", "islice", "slice"})
SHAPED = frozenset({"zeros", "ones", "empty", "full"})


def unexampled_type(
    parameter: inspect.Parameter, tree: Any, ranks: Mapping[str, int], context: Context
) -> Type:
    """Return the type of a parameter by its annotation, its default, and how it is used.

    Options (flags, texts, None) become those of the context: the text is made for their defaults.
    `ranks` are those that the text asks for. Raises NotYet for what needs an example.
    """
    named, annotation, default = parameter.name, parameter.annotation, parameter.default
    said = KINDS.get(_words(annotation))
    if said is not None:
        return said
    if default is None or isinstance(default, bool | str | bytes):
        return type_of(default, named, context)
    if named in whole_numbers(tree, SHAPED):
        return Number("int64", None)  # asked for: zeros take tuples, too
    if named in whole_numbers(tree, COUNTING):
        return Number("int64")
    if isinstance(default, tuple | types.FunctionType | types.BuiltinFunctionType | np.ufunc):
        return type_of(default, named, context)
    if isinstance(default, float) and not isinstance(default, np.generic):
        return Number("float64", None)
    if default is not inspect.Parameter.empty and not isinstance(default, int | np.generic):
        raise NotYet(f"{named} without an example: say like=")
    rank = ranks.get(named)
    if rank is None:
        return Numeric("float64", frozenset({named}))
    if rank == 0:
        return Number("float64", None)
    return Array("float64", tuple(Length.of(f"{named}.shape[{axis}]") for axis in range(rank)))


def _words(annotation: Any) -> str:
    """Return an annotation as it is written; without None if that may stand for the value."""
    if isinstance(annotation, str):
        return annotation.removeprefix("numpy.").strip("'\"")
    if isinstance(annotation, type):
        module = "np." if annotation.__module__ == "numpy" else ""
        return f"{module}{annotation.__name__}"
    return str(typing.get_origin(annotation) or "")


def whole_numbers(tree: Any, by: frozenset[str]) -> frozenset[str]:
    """Return the names that are handed to functions that count, or are positions of slices."""
    return frozenset(found for node in _walk(tree) for found in _counted(node, by))


def _counted(node: Any, by: frozenset[str]) -> Iterator[str]:
    match type(node).__name__:
        case "Call":
            called = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
            if called in by:
                shapes = node.args[:1] if by is SHAPED else node.args
                yield from (name for arg in shapes for name in _names_in_sum(arg))
        case "Slice" | "Subscript" if "slice" not in by:
            return
        case "Slice":
            bounds = (node.lower, node.upper, node.step)
            yield from (name for each in bounds for name in _names_in_sum(each))
        case "Subscript":
            yield from _names_in_sum(node.slice)


def _names_in_sum(node: Any) -> Iterator[str]:
    """Yield the names in a sum or product of them, or in a tuple of such: n - 1, (2 * n, m)."""
    match type(node).__name__:
        case "Name":
            yield node.id
        case "BinOp" if type(node.op).__name__ in ("Add", "Sub", "Mult", "FloorDiv"):
            yield from _names_in_sum(node.left)
            yield from _names_in_sum(node.right)
        case "Tuple":
            yield from (name for each in node.elts for name in _names_in_sum(each))
        case "UnaryOp":
            yield from _names_in_sum(node.operand)


def _walk(tree: Any) -> Iterator[Any]:
    yield tree
    for field in getattr(tree, "_fields", ()):
        value = getattr(tree, field, None)
        for each in value if isinstance(value, list) else [value]:
            if hasattr(each, "_fields"):
                yield from _walk(each)


# ---------------------------------------------------------------------------- ranks


def used_ranks(tree: Any) -> dict[str, int]:
    """Return the least ranks of names with which a function runs, 0 for those that are numbers.

    u[i]            1        for x in u      1        if x > 0.0     0
    A[i, j], A[i][j]  2      m, n = A.shape  2        math.sin(x)    0
    """
    found: dict[str, int] = {}
    nodes = list(_walk(tree))
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
