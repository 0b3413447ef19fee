"""The classes of arguments: what was found out is let go where one is given other methods.

df = grad(energy);  df(spring);  Spring.force = other;  df(spring)      derived anew
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType, MappingProxyType
from typing import Any

from s2sad.api.structure import parts_of
from s2sad.operators.in_force import renew
from s2sad.source.outside import PLAIN, Place, changed, function_in, names_in, outside
from s2sad.source.plain import fields_of

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
