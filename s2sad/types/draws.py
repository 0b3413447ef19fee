"""What random draws give: a probe draws from a source of its own.

rng.normal(size=n)             (n,)           np.random.rand()               a number
np.random.default_rng(seed)    a source
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, object_of
from s2sad.ir.types import Other, Tuple, Type
from s2sad.operators.table import words
from s2sad.source.draws import SOURCES

Function = Callable[..., Any]


def made_source(called: Expr) -> Type | None:
    """Return the type of what a call makes that is drawn from, None for another call."""
    function = object_of(called)
    if function is np.random.default_rng:
        return Other(np.random.Generator)
    is_class = any(function is cls for cls in SOURCES)
    return Other(function) if is_class else None


def draw_of(called: Expr) -> Function | None:
    """Return a function that draws as a call does, from a source of its own; None for other calls."""
    return _drawing(*_source_and_method(called))


def draws_new_array(called: Expr) -> bool:
    """Tell whether a call draws from a source of NumPy's, and returns nothing that it is handed."""
    cls, name = _source_and_method(called)
    is_numpy = cls is not None and issubclass(cls, np.random.Generator | np.random.RandomState)
    return is_numpy and name not in words("returns_out") and _drawing(cls, name) is not None


def _source_and_method(called: Expr) -> tuple[type | None, str]:
    """Return the class of the source that a call may draw from, and the name of its method."""
    if called.op == "attribute" and isinstance(called.args[0].type, Other):
        return called.args[0].type.cls, called.data
    function = None if called.known is None else called.known.value
    owner = getattr(function, "__self__", None)
    return None if owner is None else type(owner), getattr(function, "__name__", "")


def has_one_type(args: Sequence[Expr], named: Mapping[str, Expr]) -> bool:
    """Tell whether all that may be drawn has one type: of (1, 2.5) a probe sees one item."""
    types = (arg.type for arg in (*args, *named.values()))
    items = (type_.items for type_ in types if isinstance(type_, Tuple))
    return all(len({getattr(each, "dtype", each) for each in parts}) < 2 for parts in items)


def _drawing(cls: type | None, name: str) -> Function | None:
    is_source = isinstance(cls, type) and issubclass(cls, SOURCES)
    if not is_source or name in words("no_draw") or not callable(getattr(cls, name, None)):
        return None
    return _drawn(cls, name)


@cache
def _drawn(cls: type, name: str) -> Function:
    make: Any = np.random.default_rng if issubclass(cls, np.random.Generator) else cls

    def draw(*args: Any, **options: Any) -> Any:
        return getattr(make(0), name)(*args, **options)

    return draw
