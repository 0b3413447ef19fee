"""Functions that were lowered several times from one text, for values of other kinds, are one again.

step(u: float), step(u: np.float64)     one of them serves both in the text
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from s2sad.ir.expression import Expr
from s2sad.ir.program import Block, Custom, Function
from s2sad.ir.records import replace
from s2sad.ir.types import Type
from s2sad.ir.walk import with_nodes

Twin = tuple[tuple[Any, ...], Block, Custom | None]
Join = Callable[[Type, Type], Type | None]
Functions = Mapping[str, Function]


def twin_of(function: Function, functions: Functions, join: Join) -> str:
    """Return a function of the same text that takes what this one takes; itself without one."""
    types = [p.type for p in function.parameters]
    for name, other in functions.items():
        if other is not function and _key(other) == _key(function):
            theirs = [p.type for p in other.parameters]
            if [join(a, b) for a, b in zip(types, theirs, strict=True)] == theirs:
                return name
    return function.name


def without_twins(functions: Functions, entry: str) -> Functions:
    """Return functions of which no two that are alike but in their types are left."""
    while True:
        first: dict[Twin, str] = {}
        for name, function in functions.items():
            if name != entry:
                first.setdefault(_key(function), name)
        kept = {entry, *first.values()}
        gone = {name: first[_key(f)] for name, f in functions.items() if name not in kept}
        if not gone:
            return functions
        left = {name: each for name, each in functions.items() if name not in gone}
        functions = {name: calling(each, gone) for name, each in left.items()}


def _key(function: Function) -> Twin:
    parameters = tuple(p.variable for p in function.parameters)
    return parameters, function.body, function.custom


def calling(function: Function, names: Mapping[str, str]) -> Function:
    """Return a function that calls others in place of some."""

    def change(node: Expr) -> Expr | None:
        called = names.get(node.data) if node.op == "function" else None
        return None if called is None else replace(node, data=called)

    custom = function.custom
    if custom is not None:
        reverse, forward = (names.get(each, each) for each in (custom.reverse, custom.forward))
        custom = replace(custom, reverse=reverse, forward=forward)
    return replace(function, body=with_nodes(function.body, change), custom=custom)
