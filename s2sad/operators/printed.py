"""Printed functions: what a right-hand side may call, printed into each file that uses it.

function("_sum_to")    the function itself       source("_sum_to")    its text
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType
from typing import Any

from s2sad.operators.texts import PRINTED, texts

_DEFINITION = re.compile(r"^def (\w+).*\n(?:(?:[ )].*)?\n)*", re.MULTILINE)
_WORD = re.compile(r"\b_\w+")


@cache
def _sources() -> Mapping[str, tuple[str, str]]:
    """Return the text of every printed function, and the file that it stands in."""
    found: dict[str, tuple[str, str]] = {}
    for file, text in texts().items():
        if file.startswith(PRINTED):
            found |= {m[1]: (m[0].rstrip() + "\n", file) for m in _DEFINITION.finditer(text)}
    return found


def names() -> frozenset[str]:
    """Return the names of all printed functions."""
    return frozenset(_sources())


def source(name: str) -> str:
    """Return the text of a printed function."""
    return _sources()[name][0]


@cache
def uses(name: str) -> tuple[str, ...]:
    """Return the printed functions that a printed function itself calls."""
    words = set(_WORD.findall(source(name))) - {name}
    return tuple(sorted(words & names()))


@cache
def is_of_scipy(name: str) -> bool:
    """Tell whether a printed function calls functions of SciPy, itself or by others."""
    return _sources()[name][1].startswith(f"{PRINTED}_scipy") or any(map(is_of_scipy, uses(name)))


_SPACE: dict[str, Any] = {}
_IMPORT = re.compile(r"^(?:import|from) .*?(\w+)(?:\.\w+)*$", re.MULTILINE)


@cache
def function(name: str) -> Callable[..., Any]:
    """Return a printed function that can be called; what it calls in turn is there as well."""
    text, file = _sources()[name]
    for line in _IMPORT.finditer(texts()[file]):
        if re.search(rf"\b{line[1]}\b", text):
            exec(line[0], _SPACE)
    path = f"<s2sad printed {name}>"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    exec(compile(text, path, "exec"), _SPACE)
    made: Callable[..., Any] = _SPACE[name]
    for other in uses(name):
        if other not in _SPACE:
            function(other)
    return made


def name_of(function: Any) -> str:
    """Return the name of a printed function, "" of any other function."""
    is_here = isinstance(function, FunctionType) and function.__globals__ is _SPACE
    return function.__name__ if is_here else ""
