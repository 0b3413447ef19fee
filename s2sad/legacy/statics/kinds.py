"""What a name may hold besides a value: something whose structure is known, and never printed.

    def add(v): ...             add holds a Function, which is lowered where it is called
    d = {"u": x, "v": 0.0}      d holds a Record, each of whose fields has a slot of its own

Two are equal where they are the same thing, made at the same place of the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

from s2sad.ir.errors import Span

if TYPE_CHECKING:
    from s2sad.legacy.scope import Scope


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
class Record:
    """A dict, named tuple or object: `number` tells it from all others of its function.

    Which fields it has is held under the slot `place`, so that it is known on every way.
    """

    name: str
    number: int
    kind: Any

    @property
    def place(self) -> str:
        """Return the slot under which the fields are held."""
        return f"${self.number}"

    @property
    def told(self) -> str:
        """Return what this is, in words."""
        what = "dict" if self.kind is dict else self.kind.__name__
        return f"{self.name or 'this'} is a {what} that is made here, and used as a whole"

    @property
    def hint(self) -> str:
        """Return what to do where it is used in another way."""
        return "Use its parts by name, or hand it to a function that does."

    @property
    def is_fixed(self) -> bool:
        """Tell whether its fields never change."""
        return issubclass(self.kind, tuple) or is_frozen(self.kind)


@dataclass(frozen=True)
class Method(Function):
    """A method that is taken as a value: `made` is its function, called of `owner` as that is then."""

    made: Any = None
    owner: Record | None = None

    @property
    def told(self) -> str:
        """Return what this is, in words."""
        return f"{self.name} is a method of an object that is taken apart here"

    @property
    def hint(self) -> str:
        """Return what to do where it is used in another way."""
        return "Call it, or hand it to a function written in Python, whose source can be read."


def leads_to(static: Any) -> Record | None:
    """Return the record to which what a name holds leads: itself, or that which a method is of."""
    if isinstance(static, Method):
        return static.owner
    return static if isinstance(static, Record) else None


@dataclass(frozen=True)
class Row(Record):
    """An item of a list of objects: its fields stand in the lists of `table`, at a place.

    The place is a number, or the slot that holds one. It is in doubt where it may be counted from
    the end, which moves when the list grows.
    """

    number: int = field(default=0, compare=False)
    kind: Any = None
    table: Record = field(default_factory=lambda: Record("", 0, dict))
    at: str | int = 0
    in_doubt: bool = False

    @property
    def place(self) -> str:
        """Return the slot under which the fields are held: those of the list."""
        return self.table.place


@dataclass(frozen=True)
class Cut(Record):
    """A slice of a list of objects: `places` is the slot of the places that it takes.

    Of `objects[i + 1:]`, where i counts the passes of a loop, they are i and 1.
    """

    table: Record = field(default_factory=lambda: Record("", 0, dict))
    places: str | tuple[str, int] = ""


@dataclass(frozen=True)
class Copy(Record):
    """What an item of a list of objects held when its name was given it: read only."""

    @property
    def is_fixed(self) -> bool:
        """Tell whether its fields never change."""
        return True


class Table:
    """The kind of a list of objects, of which each field is a list: `row` is their class."""

    row: Any = None


@lru_cache(maxsize=512)
def table_of(row: type) -> type:
    """Return the kind of a list of objects of a class."""
    return type(f"list of {row.__name__}", (Table,), {"row": row})


def is_frozen(kind: Any) -> bool:
    """Tell whether the objects of a class keep the fields that they are made with."""
    params = getattr(kind, "__dataclass_params__", None)
    return params is not None and bool(params.frozen)


def is_sequence(kind: Any) -> bool:
    """Tell whether objects of a class are gone through, and indexed, as tuples or lists are."""
    if not issubclass(kind, tuple | list):
        return False
    return not any(isinstance(getattr(kind, name, None), FunctionType) for name in OF_ITEMS)


# what a class may have of its own in place of a tuple's
OF_ITEMS = ("__iter__", "__getitem__", "__len__", "__contains__", "__reversed__")


@dataclass(frozen=True)
class Fields:
    """The keys that a record has."""

    keys: tuple[Any, ...]

    @property
    def told(self) -> str:
        """Return what this is, in words."""
        return "a record"

    hint = ""


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


Static = Function | Record | Fields | Lost
Statics = Mapping[str, Static]


def agreed(a: Statics, b: Statics) -> dict[str, Static]:
    """Return what names hold after one of two ways; Lost where that differs."""
    return {
        slot: a[slot] if a.get(slot) == b.get(slot) else Lost(_name(slot))
        for slot in {**a, **b}
        if (slot in a and slot in b) or not ("$" in slot or "%r" in slot)
    }


def _name(slot: str) -> str:
    return slot.split("%")[0].split("&")[0].split("$")[0]
