"""Structured arguments (lists, tuples and dicts of numbers and arrays) as the leaves they hold.

leaves([(W, b)], "params")  ->  ("params[0][0]", W), ("params[0][1]", b)
rebuilt([(W, b)], iter([W_bar, b_bar]))  ->  [(W_bar, b_bar)]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2sad.source.plain import fields_of, with_fields


def parts_of(value: Any) -> list[tuple[str, Any]] | None:
    """Return what a list, tuple, dict or object holds, each with how it is reached; None of others."""
    fields = fields_of(value)
    if fields is not None:
        return [(f".{name}", part) for name, part in fields.items()]
    if not isinstance(value, dict | list | tuple):
        return None
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [(f"[{key!r}]", part) for key, part in items]


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield each leaf of `value` with the expression that reaches it from `path`."""
    parts = parts_of(value)
    if parts is None:
        yield path, value
        return
    for at, part in parts:
        if at[0] == "[" or _may_vary(part):
            yield from leaves(part, f"{path}{at}")


def _may_vary(value: Any) -> bool:
    """Tell whether a field of an object may be differentiated: the others are its own affair."""
    if isinstance(value, float | complex) or fields_of(value) is not None:
        return True
    parts = parts_of(value)
    if parts is not None:
        return any(_may_vary(part) for _, part in parts)
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
