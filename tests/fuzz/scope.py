"""What a random program knows at one place: the names that are bound there, and their kinds.

scope.kinds == {"u": Kind("array", (5,)), "x": Kind("float")}
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from tests.fuzz import names


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind of a name: float, int, array (with its lengths) or list (of `item`s)."""

    code: str
    dims: tuple[int, ...] = ()
    item: Kind | None = None


FLOAT = Kind("float")
INT = Kind("int")


def array(*dims: int) -> Kind:
    """Return the kind of an array of these lengths."""
    return Kind("array", dims)


@dataclass(frozen=True, slots=True)
class Index:
    """An integer expression and the least and greatest value that it takes."""

    text: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that stands before the main one."""

    name: str
    params: tuple[tuple[str, Kind], ...]
    result: Kind | None
    defaults: int = 0


@dataclass(slots=True)
class Scope:
    """The state of a program that is being written; a block copies it."""

    rng: random.Random
    n: int
    features: frozenset[str]
    helpers: tuple[Helper, ...] = ()
    kinds: dict[str, Kind] = field(default_factory=dict)
    frozen: frozenset[str] = frozenset()
    indices: tuple[Index, ...] = ()
    result: Kind | None = FLOAT
    loops: tuple[str, ...] = ()
    depth: int = 0
    taken: frozenset[str] = frozenset()

    def inner(self, loop: str | None = None, index: Index | None = None) -> Scope:
        """Return the scope of a block inside this one."""
        return replace(
            self,
            kinds=dict(self.kinds),
            loops=(*self.loops, loop) if loop else self.loops,
            indices=(*self.indices, index) if index else self.indices,
            depth=self.depth + 1,
        )

    def has(self, feature: str, chance: float = 1.0) -> bool:
        """Draw whether an optional feature is used here."""
        return feature in self.features and self.rng.random() < chance

    def of(self, kind: Kind) -> list[str]:
        """Return the bound names of one kind."""
        return [name for name, known in self.kinds.items() if known == kind]

    def arrays(self, rank: int = 1) -> list[str]:
        """Return the bound arrays of one rank."""
        return [x for x, k in self.kinds.items() if k.code == "array" and len(k.dims) == rank]

    def writable(self, candidates: list[str]) -> list[str]:
        """Return those of the names that may be assigned here."""
        return [name for name in candidates if name not in self.frozen]

    def name(self, kind: Kind, fresh: bool = False) -> str:
        """Draw a name for a value of a kind: a new one, or one that keeps its kind."""
        pool = pool_of(kind)
        known = self.writable(self.of(kind))
        if known and not fresh and self.rng.random() < 0.6:
            return self.rng.choice(known)
        free = [x for x in pool if x not in self.kinds and x not in self.taken]
        if free:
            # early names are likelier: programs stay easy to read and names meet more often
            return free[min(int(self.rng.expovariate(0.35)), len(free) - 1)]
        return self.rng.choice(known) if known else f"{pool[0]}{len(self.kinds)}"

    def bind(self, name: str, kind: Kind) -> None:
        """Remember what a name now holds."""
        self.kinds[name] = kind
        self.indices = tuple(
            index for index in self.indices if name not in index.text.replace("(", " ").split()
        )


def pool_of(kind: Kind) -> tuple[str, ...]:
    """Return the names that suit a kind."""
    if kind.code == "array":
        return names.ARRAYS if len(kind.dims) == 1 else names.MATRICES
    return {"float": names.FLOATS, "int": names.INTS, "list": names.LISTS}[kind.code]
