"""What a name may hold besides a value: something whose structure is known, and never printed.

    def add(v): ...             add holds a Function, which is lowered where it is called

Two are equal where they are the same thing, made at the same place of the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from s2sad.errors import Span

if TYPE_CHECKING:
    from s2sad.scope import Scope


@dataclass(frozen=True)
class Function:
    """A function made inside another: `defaults` are the slots that hold those of parameters."""

    name: str
    place: Span
    suffix: str
    defaults: tuple[tuple[str, str], ...] = ()
    node: Any = field(default=None, compare=False, repr=False)
    scope: Scope | None = field(default=None, compare=False, repr=False)

    @property
    def told(self) -> str:
        """Return what this is, in words."""
        return f"the inner function {self.name} is called in place"

    @property
    def hint(self) -> str:
        """Return what to do where it is used in another way."""
        return "It can be called by its name. To hand it on, define it outside."


@dataclass(frozen=True)
class Lost:
    """What a name holds is not known any more: one thing on one way, another on the other."""

    name: str

    @property
    def told(self) -> str:
        """Return what this is, in words."""
        return f"{self.name} is not the same on every way"

    @property
    def hint(self) -> str:
        """Return what to do where it is read."""
        return "Make it before the branch or loop, or use it inside."


Static = Function | Lost
Statics = Mapping[str, Static]


def agreed(a: Statics, b: Statics) -> dict[str, Static]:
    """Return what names hold after one of two ways; Lost where that differs."""
    return {
        slot: a[slot] if a.get(slot) == b.get(slot) else Lost(_name(slot)) for slot in {**a, **b}
    }


def _name(slot: str) -> str:
    return slot.split("%")[0].split("&")[0]
