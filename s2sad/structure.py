"""Structured arguments (lists, tuples and dicts of numbers and arrays) as the leaves they hold.

leaves([(W, b)], "params")  ->  ("params[0][0]", W), ("params[0][1]", b)
rebuilt([(W, b)], iter([W_bar, b_bar]))  ->  [(W_bar, b_bar)]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield each leaf of `value` with the expression that reaches it from `path`."""
    if isinstance(value, dict):
        items: Any = value.items()
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    else:
        yield path, value
        return
    for key, part in items:
        yield from leaves(part, f"{path}[{key!r}]")


def rebuilt(value: Any, parts: Iterator[Any]) -> Any:
    """Return a structure like `value` whose leaves are the next of `parts`."""
    if isinstance(value, dict):
        return {key: rebuilt(part, parts) for key, part in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(rebuilt(part, parts) for part in value))
    if isinstance(value, (list, tuple)):
        return type(value)(rebuilt(part, parts) for part in value)
    return next(parts)
