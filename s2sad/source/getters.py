"""What the objects that `operator` makes do, as functions whose text can be read.

itemgetter(0, 2)           def itemgetter(held): return held[0], held[2]
attrgetter("gas.p")        def attrgetter(held): return held.gas.p
methodcaller("sum", 0)     def methodcaller(held): return held.sum(0)
"""

from __future__ import annotations

import operator
from types import FunctionType
from typing import Any

from s2sad.source.files import run_text

GETTERS: tuple[Any, ...] = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
LITERALS = (bool, int, float, str, slice, type(None))

_made: dict[str, FunctionType] = {}


def as_written(getter: Any) -> FunctionType | None:
    """Return the function that a getter stands for; None where its arguments are no literals."""
    args, keywords = _arguments(getter)
    if not all(isinstance(each, LITERALS) for each in (*args, *keywords.values())):
        return None
    name = type(getter).__name__
    text = f"def {name}(held):\n    return {_expression(name, args, keywords)}\n"
    if text not in _made:
        space: dict[str, Any] = {}
        run_text(text, f"<{name} {len(_made)}>", space)
        _made[text] = space[name]
    return _made[text]


def _arguments(getter: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return what a getter was made with, which only copying it tells."""
    made, args = getter.__reduce__()[:2]
    if isinstance(made, type):
        return args, {}
    return (*made.args, *args), made.keywords  # a partial object, where there are keywords


def _expression(name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> str:
    if name == "itemgetter":
        return ", ".join(f"held[{each!r}]" for each in args)
    if name == "attrgetter":
        return ", ".join(f"held.{each}" for each in args)
    given = [*map(repr, args[1:]), *(f"{key}={value!r}" for key, value in keywords.items())]
    return f"held.{args[0]}({', '.join(given)})"
