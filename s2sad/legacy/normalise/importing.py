"""Import statements inside a function: a name stands for one object, or is given it.

import math                          math is known
if c:                                if c:
    from math import sin as g            g = math.sin
else:                        ->      else:
    from math import cos as g            g = math.cos
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections import Counter
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.normalise.statements import statement
from s2sad.legacy.normalise.stores import bind_value
from s2sad.legacy.program import Ref
from s2sad.legacy.scope import Scope
from s2sad.source.canonical import canonical
from s2sad.source.names import bound_in


@statement.register
def _(node: gast.Import, scope: Scope) -> None:
    for alias in node.names:
        module = _imported(alias.name, node, scope)
        name = alias.asname or alias.name.split(".")[0]
        _bind(name, module if alias.asname else _imported(name, node, scope), node, scope)


@statement.register
def _(node: gast.ImportFrom, scope: Scope) -> None:
    module = _imported(_absolute(node, scope), node, scope)
    for alias in node.names:
        if not hasattr(module, alias.name):
            _imported(f"{module.__name__}.{alias.name}", node, scope)
        _bind(alias.asname or alias.name, getattr(module, alias.name), node, scope)


def _bind(name: str, value: Any, node: Any, scope: Scope) -> None:
    """Let a name stand for what was imported, or give it that where it is given other things."""
    times = Counter(bound_in(scope.source.tree))
    if times[name] > 1 and name not in scope.source.made:
        bind_value(name, Ref(canonical(name, value), value), scope, node)
        return
    scope.imports[name] = value
    scope.locals = scope.locals - {name}


def _imported(name: str, node: Any, scope: Scope) -> Any:
    """Return a module, imported now; of a branch that may not run none that nobody has loaded."""
    if scope.undecided and not _is_at_hand(name.split(".")[0]):
        raise Unsupported(
            f"the module {name} cannot be imported in a branch that may not run: it is not loaded",
            scope.span(node),
            "Import it at the head of the module.",
        )
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Unsupported(
            f"the module {name} cannot be imported",
            scope.span(node),
            "Install it, or leave out what needs it.",
        ) from error


def _is_at_hand(package: str) -> bool:
    return package in sys.modules or package in sys.stdlib_module_names or package == "scipy"


def _absolute(node: gast.ImportFrom, scope: Scope) -> str:
    """Return the module of `from .polynomial import ...`, named in full."""
    package = scope.source.function.__globals__.get("__package__") or ""
    name = "." * (node.level or 0) + (node.module or "")
    try:
        return importlib.util.resolve_name(name, package)
    except ImportError as error:
        raise Unsupported(
            f"{name} cannot be imported here",
            scope.span(node),
            "Import it at the head of the module.",
        ) from error
