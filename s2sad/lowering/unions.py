"""Objects that are of one of several classes: what these hold alike, and what they do not.

shapes.append(Circle(r))     SimpleNamespace(class_name="Circle", r=r)
shapes.append(Square(a))     SimpleNamespace(class_name="Square", a=a)
s += shapes[k].area()        if shape.class_name == "Circle": ...

An object has the name of its class only where a line asks for what its classes do not hold alike.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

from s2sad.ir.records import dataclass
from s2sad.lowering.values import Box
from s2sad.source.owners import is_own
from s2sad.source.plain import PLACED, is_usual

CLASS_NAME = "class_name"
# what no object is asked for
OWN = PLACED | {"__init__", "__new__", "__init_subclass__", "__match_args__"}
MISSING = object()


@dataclass(frozen=True, slots=True)
class Differs:
    """What several classes hold under one name, each its own; MISSING where one has none."""

    found: tuple[tuple[type, Any], ...]


class Union:
    """The class of objects that are of one of several; made by `union_of` alone."""

    members: tuple[type, ...] = ()


def union_of(*classes: type) -> type:
    """Return the class of what is an object of one of some classes, or of unions of them."""
    members = {each for cls in classes for each in members_of(cls)}
    return _union(tuple(sorted(members, key=lambda cls: (cls.__module__, cls.__qualname__))))


def members_of(cls: type | None) -> tuple[type, ...]:
    """Return the classes that an object of a class may be of: of a union, its members."""
    if cls is None:
        return ()
    return cls.members if issubclass(cls, Union) else (cls,)


def names_of(cls: type) -> str:
    """Return what a class is called where it is told of: Circle or Square."""
    return " or ".join(each.__name__ for each in members_of(cls))


@functools.lru_cache(maxsize=256)
def _union(members: tuple[type, ...]) -> type:
    every = {name for cls in members for base in cls.__mro__[:-1] for name in vars(base)}
    names = {name for name in every - OWN if not name.startswith("__dataclass_")}
    held = {name: _held(members, name) for name in sorted(names)}
    called = "_or_".join(cls.__name__ for cls in members)
    own = {"members": members, "__module__": members[0].__module__}
    return type(called, (Union,), held | own)


def _held(members: tuple[type, ...], name: str) -> Any:
    found = tuple((cls, inspect.getattr_static(cls, name, MISSING)) for cls in members)
    first = found[0][1]
    return first if all(value is first for _, value in found) else Differs(found)


def can_unite(a: type | None, b: type | None) -> bool:
    """Tell whether an object may be of one of two classes, or of unions of them."""
    if a is None or b is None:
        return False
    members = (*members_of(a), *members_of(b))
    names = {cls.__name__ for cls in members}
    return len(names) == len(set(members)) and all(map(_is_plain, members))


def _is_plain(cls: type) -> bool:
    """Tell whether a class is the user's, made once for all, and holds fields as any class does."""
    bases = cls.__mro__[:-1]
    is_made_here = any(isinstance(value, Box) for base in bases for value in vars(base).values())
    is_of_prelude = cls.__module__.startswith("s2sad.prelude")
    has_name = hasattr(cls, CLASS_NAME) or issubclass(cls, list | tuple | dict | BaseException)
    is_plain = is_own(cls) and all(map(is_usual, bases))
    return is_plain and not (is_made_here or is_of_prelude or has_name)
