"""Keys that are computed of numbers and texts which are known.

"w" + str(1)            "w1"
"u".upper()             "U"
2 * 1 + 1               3
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import gast

# methods of texts that give a text or number of the text and what they are given alone
METHODS = frozenset(
    "upper lower title capitalize strip lstrip rstrip removeprefix removesuffix replace "
    "startswith endswith zfill".split()
)
OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.FloorDiv: operator.floordiv,
    gast.Mod: operator.mod,
}
LONGEST = 200  # characters of a text
LARGEST = 10**6


def folded(node: Any, literal: Callable[[Any], Any]) -> Any:
    """Return what an operation, or a method of a text, gives; None where that is not known."""
    match node:
        case gast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            parts = [literal(left), literal(right)]
            return _called(OPERATORS[type(op)], parts) if _are_plain(parts) else None
        case gast.Call(func=gast.Attribute(value=owner, attr=name), args=args, keywords=[]):
            parts = [literal(owner), *map(literal, args)]
            if name in METHODS and isinstance(parts[0], str) and _are_plain(parts):
                return _called(getattr(parts[0], name), parts[1:])
        case gast.Subscript(value=owner, slice=key):
            parts = [literal(owner), literal(key)]
            if isinstance(parts[0], str | tuple) and isinstance(parts[1], int):
                return _called(operator.getitem, parts)
    return None


def _are_plain(parts: list[Any]) -> bool:
    """Tell whether texts and whole numbers are all there is, and none of them is large."""
    return all(
        (isinstance(each, str) and len(each) < LONGEST)
        or (isinstance(each, int) and abs(each) < LARGEST)
        for each in parts
    )


def _called(function: Callable[..., Any], parts: list[Any]) -> Any:
    try:
        made = function(*parts)
    except (TypeError, ValueError, ArithmeticError, IndexError):
        return None
    return made if isinstance(made, str | int | tuple) else None
