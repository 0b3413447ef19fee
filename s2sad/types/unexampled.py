"""The types of parameters of which there is no example: numbers, vectors and matrices alike.

def f(x, w, n: int, tol=1e-8)     x, w: Numeric, each with a shape of its own
                                  n: Number("int64"); tol: Number("float64")
"""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from s2sad.ir.errors import NotYet
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array, Length, Number, Numeric, Other, Type
from s2sad.operators.table import values, words
from s2sad.source.trees import nodes_of
from s2sad.types.assumptions import Context
from s2sad.types.examples import type_of
from s2sad.types.parts import Held, Parts, held_by, type_of_held
from s2sad.types.reading import is_option_of_arguments

# annotations of a parameter, by what they say
KINDS: Mapping[str, Type] = {
    "float": Number("float64", None),
    "int": Number("int64"),
    "bool": Number("bool", None),
    "np.floating": Number("float64", True),
    "np.float64": Number("float64", True),
    "str": Other(str),
}
# functions whose arguments are whole numbers, and which of them count, where not all do
COUNTING = words("counts")
COUNTS = {
    "all": slice(None),
    "from_1": slice(1, None),
    "from_2": slice(2, None),
    "last": slice(-1, None),
}
SHAPED = words("filled")
# defaults that say what a parameter is
BY_DEFAULT = (tuple, dict, types.FunctionType, types.BuiltinFunctionType, np.ufunc)


@dataclass(frozen=True, slots=True)
class Place:
    """A parameter, or a part of one: how it is reached, and what is said of it."""

    path: str
    annotation: Any = None
    default: Any = inspect.Parameter.empty

    @property
    def is_part(self) -> bool:
        """Tell whether it is a part of a parameter: p['W'], q.depth."""
        return not self.path.isidentifier()


def unexampled_type(
    place: Place,
    parts: Parts,
    ranks: Mapping[str, int],
    context: Context,
    presumes: bool = False,
    counts: bool = False,
    knows: bool = False,
) -> Type:
    """Return the type of a parameter by its annotation, its default, and how it is used.

    Options (flags, texts, None) become those of the context: the text is made for their defaults.
    `ranks` are those that the text asks for; where it `presumes`, it may ask for equal lengths, too.
    Where it `counts`, a default that is a whole number stands for whole numbers; where the text
    `knows` it, for itself.
    Raises NotYet for what needs an example.
    """
    named, tree, default = place.path, parts.tree, place.default
    held = held_in(place, parts)
    if held is not None:

        def of_part(path: str, said: Any) -> Type:
            return unexampled_type(Place(path, said), parts, ranks, context, presumes)

        return type_of_held(held, named, of_part, context)
    if place.is_part and named in flags(tree):
        return Number("bool", None)
    if default is inspect.Parameter.empty and named in called_names(tree):
        raise NotYet(f"the function {named} without an example: say like=")
    if knows and type(default) is int:
        context.options[named] = default
        return Number("int64")
    said = KINDS.get(_words(place.annotation))
    if said is not None:
        return said
    if is_option_of_arguments(default):
        return type_of(default, named, context)
    if named in whole_numbers(tree, SHAPED):
        return Number("int64", None)  # asked for: zeros take tuples, too
    if named in whole_numbers(tree, COUNTING):
        is_array = default is inspect.Parameter.empty and named in measured(tree)
        axes = (Length.of(f"{named}.shape[0]"),)
        return Array("int64", axes) if is_array else Number("int64")
    if counts and type(default) is int:
        return Number("int64", None)
    if isinstance(default, BY_DEFAULT) or dataclasses.is_dataclass(default):
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
    if "[-1]" in named:  # items of a list have several shapes
        return Array("float64", (None,) * rank)
    length = context.assumptions.presume if presumes else Length.of
    return Array("float64", tuple(length(f"{named}.shape[{axis}]") for axis in range(rank)))


def held_in(place: Place, parts: Parts) -> Held | None:
    """Return what a parameter holds by its annotation or by the keys that are read; None for no parts."""
    if place.default is not inspect.Parameter.empty:
        return None
    held = held_by(place.annotation)
    if held is not None:
        return replace(held, is_by_keys=place.path not in parts.whole and held.cls is dict)
    held = parts.held(place.path)
    if held is not None and held.cls is dict and not held.is_by_keys:
        raise NotYet(
            f"{place.path}, whose keys are not all written out, without an example: say like="
        )
    return held


def _words(annotation: Any) -> str:
    """Return an annotation as it is written; without None if that may stand for the value."""
    if isinstance(annotation, str):
        return annotation.removeprefix("numpy.").strip("'\"")
    if isinstance(annotation, type):
        module = "np." if annotation.__module__ == "numpy" else ""
        return f"{module}{annotation.__name__}"
    return str(typing.get_origin(annotation) or "")


@lru_cache(maxsize=16)  # it is asked of each parameter
def whole_numbers(tree: Any, by: frozenset[str]) -> frozenset[str]:
    """Return the names that are handed to functions that count, or are positions of slices.

    So is what these are made of: k = n - 1.
    """
    found = {each for node in nodes_of(tree) for each in _counted(node, by)}
    assigned = [node for node in nodes_of(tree) if type(node).__name__ == "Assign"]
    pairs = [(t, n) for each in assigned for t, n in _sums_bound(each.targets[0], each.value)]
    while more := {name for target, name in pairs if target in found} - found:
        found |= more
    return frozenset(found)


def _sums_bound(target: Any, value: Any) -> Iterator[tuple[str, str]]:
    """Yield a name that is bound to a sum of names, with each of these."""
    if type(target).__name__ == type(value).__name__ == "Tuple":
        for each, part in zip(target.elts, value.elts, strict=False):
            yield from _sums_bound(each, part)
    elif type(target).__name__ == "Name":
        yield from ((target.id, name) for name in _names_in_sum(value))


def _counted(node: Any, by: frozenset[str]) -> Iterator[str]:
    match type(node).__name__:
        case "Call":
            called = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
            if called in by:
                counts = slice(1) if by is SHAPED else COUNTS[values("counts")[called]]
                yield from (name for arg in node.args[counts] for name in _names_in_sum(arg))
        case "Slice" | "Subscript" | "BinOp" if "slice" not in by:
            return
        case "BinOp" if type(node.left).__name__ == "List" and type(node.op).__name__ == "Mult":
            yield from _names_in_sum(node.right)
        case "Slice":
            bounds = (node.lower, node.upper, node.step)
            yield from (name for each in bounds for name in _names_in_sum(each))
        case "Subscript":
            yield from _names_in_sum(node.slice)


@lru_cache(maxsize=16)
def flags(tree: Any) -> frozenset[str]:
    """Return the names that are tests, and nothing else."""
    tested: list[Any] = []
    for node in nodes_of(tree):
        tested += [node.test] if type(node).__name__ in ("If", "IfExp", "While") else []
        tested += getattr(node, "values", ()) if type(node).__name__ == "BoolOp" else ()
        tested += [node.operand] if type(getattr(node, "op", None)).__name__ == "Not" else []
    others = {id(node) for node in tested}
    names = [node for node in nodes_of(tree) if type(node).__name__ == "Name"]
    read = {node.id for node in names if id(node) not in others}
    return frozenset(node.id for node in tested if type(node).__name__ == "Name") - read


@lru_cache(maxsize=16)
def called_names(tree: Any) -> frozenset[str]:
    """Return the names that are called as functions."""
    calls = (node for node in nodes_of(tree) if type(node).__name__ == "Call")
    return frozenset(getattr(call.func, "id", "") for call in calls)


@lru_cache(maxsize=16)
def measured(tree: Any) -> frozenset[str]:
    """Return the names of which a length is asked, len(labels), or parts are taken, labels[k]."""
    calls = (n for n in nodes_of(tree) if getattr(getattr(n, "func", None), "id", None) == "len")
    lengths = {getattr(arg, "id", "") for call in calls for arg in call.args}
    parts = (n.value for n in nodes_of(tree) if type(n).__name__ == "Subscript")
    return frozenset(lengths.union(getattr(part, "id", "") for part in parts))


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
