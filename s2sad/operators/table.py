"""One row a function: what it does beside giving a value, what it costs, and what is asked of it.

    np.put             writes            it writes to the memory of its first argument
    np.reshape         free              a view, or a shape
    np.exp             lengthy           one pass, at ten times the price of a product
    np.sqrt            partial           nothing but that it is defined for some numbers only

The rows are text (`operators.rows`): names are resolved where their modules are loaded. Rooms ask
for traits by function (`has`), by call (`calls_one`) or, of texts, by word (`words`).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from typing import Any

from s2sad.ir.expression import Expr, called_object
from s2sad.ir.program import PURE, Effect
from s2sad.ir.records import dataclass
from s2sad.operators import printed
from s2sad.operators.modules import MISSING, identity, resolved
from s2sad.operators.rows import ROWS
from s2sad.source.optional import loaded


@dataclass(frozen=True, slots=True)
class Row:
    """The effect and the cost of a function. `writes_owner`: a method that writes to its array."""

    effect: Effect = PURE
    cost: str = "cheap"
    writes_owner: bool = False


DRAWS = Effect(draws=True)
PRINTS = Effect(prints=True)
RAISES = Effect(raises=True)
FIRST = Effect(writes=frozenset({0}))
METHOD = "np.ndarray."
KNOWN = frozenset("free cheap lengthy costly writes state prints draws raises".split())
# printed functions that set where draws go on from, and that keep states in files
PRINTED_THAT_DRAW = frozenset({"_random_state", "_set_random_state"})
PRINTED_THAT_KEEP = frozenset({"_scratch", "_to_disk", "_from_disk"})

OF_LISTS_THAT_WRITE = frozenset(
    """
    append extend insert remove pop clear sort reverse update setdefault popitem add discard
    difference_update intersection_update symmetric_difference_update appendleft popleft rotate
    extendleft move_to_end __setitem__ __delitem__ __iadd__
    """.split()
)
OF_SPARSE_THAT_WRITE = frozenset(
    "setdiag resize sort_indices sum_duplicates eliminate_zeros prune".split()
)
LOGGING = frozenset("debug info warning error critical exception log".split())
OF_SOURCES_THAT_WRITE = frozenset({"shuffle"})


# ---------------------------------------------------------------------------- traits


def rows() -> Iterator[tuple[Mapping[str, str], list[str]]]:
    """Yield the rows: traits with their values, and the names of those that have them."""
    for row in re.split(r"\n(?! )", ROWS.strip()):
        head, _, names = row.rpartition(":")
        pairs = (word.partition("=") for word in head.split())
        yield {trait: value for trait, _, value in pairs}, names.split()


@cache
def _traits() -> Mapping[str, Mapping[str, str]]:
    return {name: said for said, names in rows() for name in names}


@cache
def named(*traits: str) -> frozenset[str]:
    """Return the dotted names of the functions and methods that have one of some traits."""
    return frozenset(name for name, said in _traits().items() if not said.keys().isdisjoint(traits))


@cache
def words(*traits: str) -> frozenset[str]:
    """Return the last words of the names that have one of some traits, as texts spell them."""
    return frozenset(name.rpartition(".")[2] for name in named(*traits))


@cache
def values(trait: str, of_methods: bool = False) -> Mapping[str, str]:
    """Return the values of a trait by the last words of functions, or of methods of arrays."""
    return {
        name.rpartition(".")[2]: said[trait]
        for name, said in _traits().items()
        if trait in said and name.startswith(METHOD) == of_methods
    }


@cache
def _by_function(modules: tuple[str, ...]) -> Mapping[Hashable, Mapping[str, str]]:
    every = (
        (resolved(name), said) for name, said in _traits().items() if not name.startswith(METHOD)
    )
    found: dict[Hashable, Mapping[str, str]] = {}
    for function, said in every:
        if function is not MISSING:  # np.conj is np.conjugate
            found[identity(function)] = {**found.get(identity(function), {}), **said}
    return found


def traits_of(function: Any) -> Mapping[str, str]:
    """Return what the rows say of a function: traits, with their values."""
    own = printed.name_of(function)
    found = _traits().get(own) if own else _by_function(loaded()).get(identity(function))
    return found or {}


def has(function: Any, *traits: str) -> bool:
    """Tell whether a function has one of some traits."""
    return not traits_of(function).keys().isdisjoint(traits)


def calls_one(expr: Expr, *traits: str) -> bool:
    """Tell whether an expression is a call of a function that has one of some traits."""
    return has(called_object(expr), *traits)


# ---------------------------------------------------------------------------- effect and cost


def _row(said: Mapping[str, str]) -> Row | None:
    """Return the effect and the cost that a row says, None where it says none."""
    if KNOWN.isdisjoint(said):
        return None
    if "state" in said:
        return Row(Effect(draws=True, prints=True))
    writes = FIRST.writes if "writes" in said else PURE.writes
    effect = Effect(writes, draws="draws" in said, prints="prints" in said, raises="raises" in said)
    costs = (cost for cost in ("free", "lengthy", "costly") if cost in said)
    return Row(effect, "costly" if effect.prints else next(costs, "cheap"))


@cache
def _rows(modules: tuple[str, ...]) -> Mapping[Hashable, Row]:
    every = ((function, _row(said)) for function, said in _by_function(modules).items())
    return {function: row for function, row in every if row is not None}


def row_of(function: object) -> Row | None:
    """Return the row of a function, None where it has none."""
    return _rows(loaded()).get(identity(function))


def printed_row(name: str) -> Row:
    """Return the row of a printed function: all but a few compute and do nothing else."""
    if name in PRINTED_THAT_DRAW:
        return Row(DRAWS, "costly")
    return Row(PRINTS if name in PRINTED_THAT_KEEP else PURE, "costly")


@cache
def method_row(name: str) -> Row | None:
    """Return the row of a method or attribute of arrays, None where it has none."""
    row = _row(_traits().get(METHOD + name, {}))
    return Row(writes_owner=True) if row is not None and row.effect.writes else row
