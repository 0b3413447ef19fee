"""Functions that hand values to each other through their module are refused.

def keep(v):                 def f(x):                  what f reads would be what stood there before
    global kept                  keep(np.sum(x))
    kept = v                     return kept * x[0]

A name that is written and read by one function alone is a name of its own there.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import gast

from s2sad.ir.errors import S2sadError, Span, Unsupported, gather
from s2sad.legacy.program import Program
from s2sad.source.installed import is_installed
from s2sad.source.outside import function_in, globals_in, is_of_s2sad, names_in, outside
from s2sad.source.text import source_of, span
from s2sad.source.trees import nodes_of

Name = tuple[int, str]  # the module, and what it calls a value


def refuse_handed_over(function: Any, program: Program) -> None:
    """Raise where a function gives a value to its module and another function reads it there."""
    every = _reached(function)
    given = {name: each for each in every for name in _given(each)}
    problems = [
        _refusal(name[1], reader, program.span)
        for reader in (every if given else ())
        for name in sorted(given.keys() & _read(reader))
        if given[name] is not reader
    ]
    if problems:
        raise gather(problems)


def _reached(function: Any) -> list[FunctionType]:
    """Return a function and all of the user's that it reads, each once; of methods those named."""
    values = (function, *(value for _, _, value in outside(function)))
    read = (function_in(value) for value in values)
    found = {id(each): each for each in read if isinstance(each, FunctionType)}
    own = [f for f in found.values() if not (is_installed(f) or is_of_s2sad(f.__module__))]
    named = frozenset[str]().union(*(names_in(each.__code__) for each in own))
    return [each for each in own if each is function_in(function) or _may_run(each, named)]


def _may_run(function: FunctionType, named: frozenset[str]) -> bool:
    """Tell whether a function may be called: a method has to be named somewhere, or is Python's."""
    around, _, name = function.__qualname__.rpartition(".")
    is_method = around and not around.endswith("<locals>")
    return not is_method or name in named or name.startswith("__")


def _given(function: FunctionType) -> frozenset[Name]:
    """Return the names of its module to which a function gives values."""
    return frozenset((id(function.__globals__), name) for name in _stored(function.__code__))


def _stored(code: CodeType) -> Iterator[str]:
    for each in dis.get_instructions(code):
        if each.opname == "STORE_GLOBAL":
            yield each.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _stored(inner)


def _read(function: FunctionType) -> frozenset[Name]:
    space = id(function.__globals__)
    return frozenset((space, name) for name in globals_in(function.__code__))


def _refusal(name: str, reader: FunctionType, otherwise: Span) -> S2sadError:
    return Unsupported(
        f"{name}, which belongs to the module, is given a value by another function, and read here",
        _place(name, reader) or otherwise,
        "Hand it over: as an argument, or as what is returned.",
    )


def _place(name: str, reader: FunctionType) -> Span | None:
    """Return where a function reads a name first, if its text is known."""
    try:
        source = source_of(reader)
    except S2sadError:
        return None
    nodes = nodes_of(source.tree)
    read = (node for node in nodes if isinstance(node, gast.Name) and node.id == name)
    return next((span(source, node) for node in read), None)
