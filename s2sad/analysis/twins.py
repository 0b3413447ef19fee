"""Functions that were lowered several times from one text, for values of other kinds, are one again.

step(u: float), step(u: np.float64)     step(u: np.float64) serves both
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from s2sad.ir.expression import Expr
from s2sad.ir.program import Block, Custom, Function, Program
from s2sad.ir.records import replace
from s2sad.ir.types import Type
from s2sad.ir.walk import with_nodes

Twin = tuple[tuple[Any, ...], Block, Custom | None]
Join = Callable[[Type, Type], Type | None]
Functions = Mapping[str, Function]


def merged_twins(program: Program, join: Join) -> Program:
    """Return a program in which one of several functions of the same text stands for them.

    It is one that takes what the others take; where there is none they stay apart.
    """

    def general(group: Sequence[Function]) -> Function | None:
        rows = zip(*([p.type for p in f.parameters] for f in group), strict=True)
        wanted = [reduce(lambda a, b: a and join(a, b), row) for row in rows]
        fits = (f for f in group if [p.type for p in f.parameters] == wanted)
        return next(fits, None)

    return replace(program, functions=without_twins(program.functions, program.entry, general))


def twin_of(function: Function, functions: Functions, join: Join) -> str:
    """Return a function of the same text that takes what this one takes; itself without one."""
    types = [p.type for p in function.parameters]
    for name, other in functions.items():
        if other is not function and _key(other) == _key(function):
            theirs = [p.type for p in other.parameters]
            if [join(a, b) for a, b in zip(types, theirs, strict=True)] == theirs:
                return name
    return function.name


def without_twins(
    functions: Functions,
    entry: str,
    choose: Callable[[Sequence[Function]], Function | None] = lambda group: group[0],
) -> Functions:
    """Return functions of which no two that are alike but in their types are left."""
    while True:
        groups: dict[Twin, list[Function]] = {}
        for name, function in functions.items():
            if name != entry:
                groups.setdefault(_key(function), []).append(function)
        gone: dict[str, str] = {}
        for group in groups.values():
            kept = choose(group) if len(group) > 1 else None
            if kept is not None:
                gone |= {each.name: kept.name for each in group if each is not kept}
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
