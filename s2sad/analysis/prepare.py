"""A program as differentiation wants it: one structured function of webs, with its memory.

prepared(program, tools) -> Prepared(function, memory)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from s2sad.analysis.calls import inlined
from s2sad.analysis.lists import named_items
from s2sad.analysis.loops import over_ranges
from s2sad.analysis.memory import Memory, Shares, memory, types_of
from s2sad.analysis.stores import (
    copied_at_entry,
    refuse_unknown_lists,
    to_names,
    to_values,
)
from s2sad.analysis.tuples import in_order, taken_apart
from s2sad.analysis.webs import webs, without_copies
from s2sad.ir.expression import Expr
from s2sad.ir.program import Function, Program
from s2sad.ir.types import Type

Infer = Callable[[Expr], Expr]
Join = Callable[[Type, Type], Type | None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A function ready to be differentiated, and what its variables refer to."""

    function: Function
    memory: Memory


def prepared(program: Program, infer: Infer, shares: Shares, join: Join) -> Prepared:
    """Return a program's entry function as differentiation wants it."""
    function = inlined(program)
    function = named_items(function, program.regions)
    function = over_ranges(function, program.regions)
    function = taken_apart(function)
    refuse_unknown_lists(function, program.regions)
    function = to_names(function)
    function = _split(function)
    found = memory(function, types_of(function, join), shares)
    changed = to_values(function, found, infer)
    if changed is not function:
        function = _split(changed)
        found = memory(function, types_of(function, join), shares)
    copied = copied_at_entry(function, found)
    if copied is not function:
        function = _split(copied)
        found = memory(function, types_of(function, join), shares)
    return Prepared(function, found)


def _split(function: Function) -> Function:
    """Return a function of webs, without second names."""
    return without_copies(in_order(webs(function)))
