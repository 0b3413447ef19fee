"""What a function imports for itself is known like what its module has imported.

def f(u):
    from itertools import pairwise          pairwise    itertools.pairwise
    return sum((b - a) ** 2 for a, b in pairwise(u))
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import gast

from s2sad.source.names import bound_in
from s2sad.source.trees import nodes_of


def imported(tree: Any, outside: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the names are that a function gets from imports alone, of one object each.

    Only modules that are loaded by now, or Python's own: others are imported where they are read.
    """
    imports = [part for part in nodes_of(tree) if isinstance(part, gast.Import | gast.ImportFrom)]
    if not imports:
        return {}
    bound = Counter(bound_in(tree))
    given = [pair for node in imports for pair in _given(node, outside)]
    found = dict(given)
    times = Counter(name for name, value in given if value is found[name])
    return {name: value for name, value in found.items() if times[name] == bound[name]}


def _given(node: Any, outside: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(node, gast.Import):
        for alias in node.names:
            module = _module(alias.name if alias.asname else alias.name.split(".")[0])
            if module is not None and _module(alias.name) is not None:
                yield alias.asname or module.__name__, module
        return
    module = _module(_absolute(node, outside))
    for alias in node.names:
        if hasattr(module, alias.name):
            yield alias.asname or alias.name, getattr(module, alias.name)


def _absolute(node: Any, outside: Mapping[str, Any]) -> str:
    """Return the module of `from .polynomial import ...`, named in full; "" where there is none."""
    name = "." * (node.level or 0) + (node.module or "")
    try:
        return importlib.util.resolve_name(name, outside.get("__package__") or "")
    except ImportError:
        return ""


def _module(name: str) -> Any:
    loaded = name in sys.modules or name.split(".")[0] in sys.stdlib_module_names
    try:
        return importlib.import_module(name) if name and loaded else None
    except ImportError:
        return None
