"""Structured arguments as the leaves they hold, and the classes of those that are objects.

leaves([(W, b)], "params")  ->  ("params[0][0]", W), ("params[0][1]", b)
rebuilt([(W, b)], iter([W_bar, b_bar]))  ->  [(W_bar, b_bar)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType, MappingProxyType
from typing import Any

from s2sad.operators.in_force import renew
from s2sad.source.outside import PLAIN, Place, changed, function_in, names_in, outside
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


_MAKERS = ("__init__", "__post_init__", "__new__")
_known: dict[type, tuple[Place, ...]] = {}


def classes_of(values: Iterable[Any]) -> frozenset[type]:
    """Return the classes of arguments that are objects, and of objects that these hold."""
    return frozenset(kind for value in values for kind in _classes(value))


def behind_classes(kinds: Iterable[type]) -> tuple[Place, ...]:
    """Return what stands behind the methods of classes.

    All that is remembered is let go, as with new rules, if that was something else before.
    """
    for kind in kinds:
        if changed(_known.get(kind, ())):
            renew()
        read = _names_read(kind)
        _known[kind] = tuple(place for place in outside(kind) if not _is_data(place, read))
    return tuple(place for kind in kinds for place in _known[kind])


def _names_read(kind: type) -> frozenset[str]:
    """Return the names in the methods of a class, but for those that only make its objects."""
    held = (pair for each in kind.__mro__ for pair in vars(each).items())
    methods = [function_in(value) for name, value in held if name not in _MAKERS]
    codes = [each.__code__ for each in methods if isinstance(each, FunctionType)]
    return frozenset[str]().union(*map(names_in, codes))


def _is_data(place: Place, names: frozenset[str]) -> bool:
    """Tell whether a place is an attribute that no method reads, as a counter of objects is."""
    read, name, value = place
    of_class = isinstance(getattr(read, "__self__", None), MappingProxyType)
    return of_class and isinstance(value, PLAIN) and name not in names


def _classes(value: Any) -> Iterator[type]:
    if type(value) in PLAIN:
        return
    if fields_of(value) is not None:
        yield type(value)
    for _, part in parts_of(value) or ():
        yield from _classes(part)
