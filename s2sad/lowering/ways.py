"""How a block is left: in no way (None), by an Exit, or in Mixed ways that a flag tells apart.

return       Exit("return", the function)
if c: break  Mixed({Exit("break", the loop), None})
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sad.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Exit:
    """How a block is left: "return", "break" or "continue" of a context; "dead": it was printed."""

    kind: str
    context: Any = None


@dataclass(frozen=True, slots=True)
class Mixed:
    """A block that is left in one of several ways, told apart by a flag; None: not left."""

    ways: frozenset[Any]


Way = Exit | Mixed | None
Body = Callable[[], Way]
Orelse = Body | None
DEAD = Exit("dead")


def met(a: Way, b: Way) -> Way:
    """Return the way out after two sides."""
    if a == b:
        return a
    ways = frozenset().union(*(w.ways if isinstance(w, Mixed) else {w} for w in (a, b)))
    return Mixed(ways)


def without(way: Way, *gone: Exit) -> Way:
    """Return a way out where some ways mean going on."""
    if way in gone:
        return None
    if isinstance(way, Mixed):
        ways = frozenset(None if w in gone else w for w in way.ways)
        return Mixed(ways) if len(ways) > 1 else next(iter(ways))
    return way
