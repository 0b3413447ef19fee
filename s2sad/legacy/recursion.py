"""Functions that call themselves: what is known of all their calls, and of what these return.

def power(x, n):                          power(float, int) is a float: 1.0 is one, and so is
    if n == 0:                            x * power(x, n - 1), if power(x, n - 1) is one
        return 1.0
    return x * power(x, n - 1)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import gast

from s2sad.ir.errors import S2sadError
from s2sad.legacy.facts.fact import Dim, Fact, Token, scalar
from s2sad.legacy.facts.joins import with_dims
from s2sad.legacy.program import Op, Program
from s2sad.source.text import resolve_dotted, source_of
from s2sad.source.trees import nodes_of


@lru_cache(maxsize=512)
def calls_itself(function: Any) -> bool:
    """Tell whether the text of a Python function calls the function."""
    try:
        source = source_of(function)
    except S2sadError:
        return False
    calls = (part for part in nodes_of(source.tree) if isinstance(part, gast.Call))
    found = (resolve_dotted(source, call.func) for call in calls)
    return any(each is not None and each[1] is function for each in found)


@lru_cache(maxsize=512)
def asked_for_lists(function: Any) -> frozenset[str]:
    """Return the names of which the text of a function asks whether they are lists."""
    tests = (part for part in nodes_of(source_of(function).tree) if isinstance(part, gast.Call))
    found: set[str] = set()
    for test in tests:
        match test:
            case gast.Call(func=gast.Name(id="isinstance"), args=[gast.Name(id=name), kinds]):
                words = {getattr(part, "id", "") for part in nodes_of(kinds)}
                found |= {name} if words & {"list", "tuple", "dict"} else set()
    return frozenset(found)


def widened(given: Mapping[str, Fact]) -> dict[str, Fact]:
    """Return what is known of arguments whichever call it is: kinds, no numbers and lengths."""
    return {name: _wide(fact, name) for name, fact in given.items()}


def _wide(fact: Fact, name: str) -> Fact:
    if fact.is_scalar:
        return replace(fact, value=None, extent=None)
    if isinstance(fact.shape, Token):
        return replace(fact, shape=None)
    if fact.is_array and isinstance(fact.shape, tuple):
        shape = tuple(Dim(f"{name}.{axis}") for axis in range(len(fact.shape)))
        return replace(fact, shape=shape)
    return fact


# ---------------------------------------------------------------------------- results


def guesses(given: Mapping[str, Fact], program: Program) -> Iterator[Fact]:
    """Yield what a function may return, to be tried: a number, or an array such as it is given."""
    numbers = [scalar("float64", weak=weak) for weak in (True, None, False)]
    arrays = dict.fromkeys(_without_lengths(fact) for fact in given.values() if fact.is_array)
    result = program.result
    count = len(result.args) if isinstance(result, Op) and result.op == "tuple" else 0
    for one in (*numbers, *arrays):
        yield Fact("tuple", shape=(Dim("", count),), items=(one,) * count) if count else one


def is_guess(result: Fact, guess: Fact) -> bool:
    """Tell whether a result is what was guessed, its lengths left aside."""
    return _without_lengths(result) == guess


def _without_lengths(fact: Fact) -> Fact:
    return with_dims(fact, lambda dim, path: Dim(f"guess{path}"))
