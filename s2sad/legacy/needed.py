"""One global object that a file needs: how it is told from others, what it is written as.

library.GAIN        Place(key of GAIN)    Item(1.7, wishes ("GAIN", "library_GAIN"), constant "1.7")
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from s2sad.source.text import Source

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A global name of the user's text: the object it needs, and the attributes read from it."""

    key: Key
    rest: tuple[str, ...] = ()


@dataclass
class Copied:
    """A function that is copied: its text, what its names mean, and its defaults."""

    source: Source
    uses: list[tuple[Any, Place]]
    defaults: list[str | Place | None]
    decorated: bool


@dataclass
class Item:
    """A global object: a constant, a function, an import, or what the file cannot have."""

    value: Any
    wishes: tuple[str, ...]
    constant: str = ""
    imports: dict[str, None] = field(default_factory=dict)
    copied: Copied | None = None
    # a table of functions: pieces of its text, and the functions where their names go
    table: list[str | Place] | None = None
    missing: bool = False
    forbidden: set[str] = field(default_factory=set)
    # the function that is differentiated calls it so: its own names come before all others
    plain: bool = False
    name: str = ""
