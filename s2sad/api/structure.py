"""Structured arguments (lists, tuples and dicts of numbers and arrays) as the leaves they hold.

leaves([(W, b)], "params")  ->  ("params[0][0]", W), ("params[0][1]", b)
rebuilt([(W, b)], iter([W_bar, b_bar]))  ->  [(W_bar, b_bar)]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2sad.source.plain import fields_of, with_fields


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield each leaf of `value` with the expression that reaches it from `path`."""
    fields = fields_of(value)
    if fields is not None:
        for name, part in fields.items():
            if _may_vary(part):
                yield from leaves(part, f"{path}.{name}")
        return
    if isinstance(value, dict):
        items: Any = value.items()
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    else:
        yield path, value
        return
    for key, part in items:
        yield from leaves(part, f"{path}[{key!r}]")


def _may_vary(value: Any) -> bool:
    """Tell whether a field of an object may be differentiated: the others are its own affair."""
    if isinstance(value, float | complex) or fields_of(value) is not None:
        return True
    if isinstance(value, dict | list | tuple):
        parts = value.values() if isinstance(value, dict) else value
        return any(map(_may_vary, parts))
    return getattr(getattr(value, "dtype", None), "kind", "") in ("f", "c")


def rebuilt(value: Any, parts: Iterator[Any]) -> Any:
    """Return a structure like `value` whose leaves are the next of `parts`."""
    fields = fields_of(value)
    if fields is not None:
        again = {name: rebuilt(part, parts) for name, part in fields.items() if _may_vary(part)}
        return with_fields(value, again)
    if isinstance(value, dict):
        return {key: rebuilt(part, parts) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(rebuilt(part, parts) for part in value)
    return next(parts)
