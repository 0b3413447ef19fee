"""Functions that do nothing but choose which function, or which type of numbers, is meant.

def optional(value, default):                  f = optional(f, np.sin)
    if value is None:                  ->      if f is None:
        return default                             f = np.sin
    return value

They are written out where they are called, so that the test is one of the caller's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.program import Call, Ref
from s2sad.source.functions import is_function
from s2sad.source.text import Source, resolve_dotted, signature_of, source_of

TESTS = (gast.If, gast.Raise, gast.Assert, gast.Return)


def chooses(call: Call) -> bool:
    """Tell whether a call gives one of several functions that it is given, or that are known."""
    assert isinstance(call.func, Ref)
    found = _returned(call.func.value)
    if found is None:
        return False
    given = dict(call.keywords)
    given |= dict(zip(signature_of(call.func.value).parameters, call.args, strict=False))
    options = [given[name] for name in found.given if name in given]
    return found.known or any(isinstance(x, Ref) and is_function(x.value) for x in options)


@dataclass(frozen=True, slots=True)
class _Found:
    """Which parameters a function may return, and whether it may return a function it knows."""

    given: frozenset[str]
    known: bool


@lru_cache(maxsize=1024)
def _returned(function: Any) -> _Found | None:
    """Return what a function chooses from; None where it does anything else."""
    try:
        source = source_of(function)
    except S2sadError:
        return None
    values = _values(getattr(source.tree, "body", None))
    if values is None:
        return None
    params = {name.id for name in source.tree.args.args if isinstance(name, gast.Name)}
    given = {value.id for value in values if isinstance(value, gast.Name) and value.id in params}
    others = [value for value in values if getattr(value, "id", None) not in params]
    if not all(_is_known(value, source) for value in others):
        return None
    return _Found(frozenset(given), bool(others))


def _values(body: Any) -> list[Any] | None:
    """Return what the `return`s of some statements give; None where they do more than choose."""
    found: list[Any] = []
    for stmt in body if isinstance(body, list) else [None]:
        if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Constant):
            continue
        if not isinstance(stmt, TESTS):
            return None
        if isinstance(stmt, gast.Return):
            found += _arms(stmt.value)
        if isinstance(stmt, gast.If):
            inner = [_values(stmt.body), _values(stmt.orelse)]
            if None in inner:
                return None
            found += [value for each in inner for value in each or []]
    return found


def _arms(value: Any) -> list[Any]:
    if isinstance(value, gast.IfExp):
        return [*_arms(value.body), *_arms(value.orelse)]
    return [value]


def _is_known(value: Any, source: Source) -> bool:
    """Tell whether an expression is a function of the module's, or an entry of a table of some."""
    if isinstance(value, gast.Lambda):
        return True
    table = isinstance(value, gast.Subscript)
    found = resolve_dotted(source, value.value if table else value)
    if found is None:
        return False
    if table:
        return isinstance(found[1], dict) and all(map(is_function, found[1].values()))
    return is_function(found[1])
