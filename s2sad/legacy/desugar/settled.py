"""Statements of which it is known what they do, by what the module holds or by the kind of a value.

if quad is None:
    from scipy.integrate import quad      ->      nothing, where quad is global and a call imported it

try:                                              if isinstance(power, (np.ndarray, ...)):
    power.name = "power"                              pass
except AttributeError:                    ->      else:
    pass                                              power.name = "power"
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gast
import numpy as np

from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import Body, Node, attribute, branch, call, display, is_none, name
from s2sad.source.canonical import held_as
from s2sad.source.functions import is_function

WITHOUT_FIELDS = ("ndarray", "number")  # of NumPy; Python's own are float and int


def known(stmt: Node, names: Names) -> Body | None:
    """Return what is left of a statement of which part is known."""
    match stmt:
        case gast.If(test=test, body=body, orelse=[]) if _is_there(test, body, names):
            return []
        case gast.Global(names=held) if all(_is_import(names.value(name(n, stmt))) for n in held):
            return []  # what else changes them is refused
        case gast.Try(
            body=[gast.Assign(targets=[gast.Attribute(value=gast.Name(id=owner))]) as store],
            handlers=[gast.ExceptHandler(type=gast.Name(id="AttributeError"), body=rest)],
            orelse=[],
            finalbody=[],
        ) if isinstance(store.value, gast.Constant):
            numpy = held_as(names.source, lambda value: value is np)
            if numpy:
                return [branch(_has_no_fields(owner, numpy, stmt), rest, [store], stmt)]
    return None


def _has_no_fields(owner: str, numpy: str, at: Node) -> Node:
    """Return the test whether a value is a number or an array: these take no fields.

    An object takes them, or is refused where it has no place for one.
    """
    kinds = [attribute(name(numpy, at), kind, at) for kind in WITHOUT_FIELDS]
    every = display(gast.Tuple, [*kinds, name("float", at), name("int", at)], at)
    return call("isinstance", [name(owner, at), every], at)


def _is_there(test: Node, body: Body, names: Names) -> bool:
    """Tell whether statements would only import what the module holds by now."""
    match test:
        case gast.Compare(left=gast.Name() as asked, ops=[gast.Is()], comparators=[other]):
            lacks = is_none(other)
        case gast.UnaryOp(op=gast.Not(), operand=gast.Name() as asked):
            lacks = True
        case _:
            return False
    held = None if names.is_local(asked.id) else names.value(asked)
    return lacks and _is_import(held) and all(_imports(stmt, asked.id) for stmt in body)


def _is_import(value: Any) -> bool:
    return is_function(value) or isinstance(value, ModuleType | type)


def _imports(stmt: Node, text: str) -> bool:
    aliases = stmt.names if isinstance(stmt, gast.Import | gast.ImportFrom) else []
    return len(aliases) == 1 and (aliases[0].asname or aliases[0].name) == text
