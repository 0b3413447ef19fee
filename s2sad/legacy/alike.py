"""Of numbers and parts that are computed alike the first is saved, and stands for all.

a_saved.append(u[i])                 a_saved.append(u[i])
b_saved.append(u[i])         ->      u[i] = u[i] * u[i]
u[i] = u[i] * u[i]

Values are numbered, so equal expressions are equal values.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING

from s2sad.legacy.facts import Fact
from s2sad.legacy.homes import Home
from s2sad.legacy.program import Assign, Const, Expr, Op, Opaque, Var
from s2sad.legacy.tidy import is_pure
from s2sad.legacy.traverse import walk

if TYPE_CHECKING:
    from collections.abc import Callable

Alike = Mapping[Var, Var]


def alike(homes: Mapping[Var, Home], fact: Callable[[Var], Fact]) -> Alike:
    """Return for each value that is computed alike before, in the same pass, the first such value."""
    found: dict[Var, Var] = {}
    firsts: dict[Hashable, list[Var]] = {}
    for var in sorted(homes, key=lambda v: homes[v].order):
        value = _short(homes[var], fact(var))
        if value is None:
            continue
        others = firsts.setdefault(exactly(value), [])
        first = next((each for each in others if _stands_for(homes[each], homes[var])), None)
        if first is None:
            others.append(var)
        else:
            found[var] = first
    return found


def _short(home: Home, fact: Fact) -> Expr | None:
    """Return the expression of a number, or of a part of an array."""
    match home.stmt:
        case Assign((_,), Op(op) as value, unpack=False) if fact.is_scalar or op == "index":
            return value if is_repeatable(value) else None
    return None


def is_repeatable(value: Expr) -> bool:
    """Tell whether an expression is the same wherever it stands: what is copied may not be."""
    return not any(isinstance(part, Opaque) for part in walk(value)) and is_pure(value)


def exactly(value: Expr) -> Hashable:
    """Return an expression so that 2 and 2.0 differ."""
    constants: Iterable[Const] = (part for part in walk(value) if isinstance(part, Const))
    return value, tuple(type(part.value) for part in constants)


def _stands_for(first: Home, other: Home) -> bool:
    """Tell whether one value is there wherever the other is."""
    return other.path[: len(first.path)] == first.path
