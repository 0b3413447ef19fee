"""A Program as a function that can be called: its print-out, run.

runnable(program)(u, 0.3)
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Global
from s2sad.ir.program import Program
from s2sad.ir.text import text
from s2sad.ir.walk import nodes, nodes_in


def globals_of(program: Program) -> dict[str, Any]:
    """Return the objects of modules that a program reads, by the text that names them."""
    return {g.text: g.value for g in _globals(program)}


def _globals(program: Program) -> Iterator[Global]:
    for check in program.checks:
        yield from _globals_in(check.test)
    for function in program.functions.values():
        yield from (node.data for node in nodes_in(function.body) if node.op == "global")


def _globals_in(expr: Expr) -> Iterator[Global]:
    return (node.data for node in nodes(expr) if node.op == "global")


def namespace(program: Program) -> dict[str, Any]:
    """Return the names that a program's text has to find: `np` holds as much as it reads of it."""
    found: dict[str, Any] = {"np": np, "SimpleNamespace": SimpleNamespace}
    for dotted, value in globals_of(program).items():
        *path, last = dotted.split(".")
        place = found
        for part in path:
            inner = place.get(part)
            if callable(inner):  # np.add, which has its np.add.at
                break
            if inner is None or not isinstance(inner, SimpleNamespace):
                inner = SimpleNamespace(**(vars(inner) if inner is not None else {}))
            place[part] = inner
            place = vars(inner)
        else:
            place[last] = value
    return found


def runnable(program: Program, title: str = "program") -> Callable[..., Any]:
    """Return a program as a Python function, with its text known to tracebacks."""
    source, path = text(program), f"<s2sad {title} {program.entry}>"
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    names = namespace(program)
    exec(compile(source, path, "exec"), names)
    made: Callable[..., Any] = names[program.entry]
    return made
