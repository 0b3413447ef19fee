"""A Program in, what is known of each of its values out.

infer(misfit, {"W": array (W.0, W.1), ...}).of(r@1)    ->    float64 array (W@0.0,)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from s2sad.legacy.facts.context import Reading
from s2sad.legacy.facts.expressions import fact_of, truth
from s2sad.legacy.facts.fact import UNKNOWN, Dim, Fact, Token
from s2sad.legacy.facts.holding import holders
from s2sad.legacy.facts.joins import with_dims
from s2sad.legacy.facts.lengths import Entry, Meeting
from s2sad.legacy.facts.mixing import is_complex, with_mixed
from s2sad.legacy.facts.sweeps import Sweeps
from s2sad.legacy.facts.values import prefix_for
from s2sad.legacy.program import Expr, Program, Var


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the values of a program, and what of that has to be checked on entry."""

    known: Mapping[Var, Fact]
    meetings: tuple[Meeting, ...] = ()
    extra: Mapping[Var, Fact] = field(default_factory=dict)
    prefix: str = ""

    def of(self, var: Var) -> Fact:
        """Return what is known of a value."""
        found = self.extra.get(var)
        return found if found is not None else self.known.get(var, UNKNOWN)

    def expr(self, expr: Expr, extra: Mapping[Var, Fact] | None = None) -> Fact:
        """Return what is known of an expression; `extra` tells of values of its own."""
        more = self.extra
        if extra:
            more = {**self.extra, **extra} if self.extra else extra
        return fact_of(expr, Reading(self.known, more, self.prefix))

    def with_(self, extra: Mapping[Var, Fact]) -> Facts:
        """Return these facts and more."""
        return replace(self, extra={**self.extra, **extra})


def infer(program: Program, given: Mapping[str, Fact]) -> Facts:
    """Return what is known of every value of a program, from what is known of its parameters.

    Only lengths as `fact_of_value` names them, 'W.0' of the parameter W, are assumed equal, and
    each such assumption is a Meeting.
    """
    started: dict[Var, Fact] = {}
    entries: dict[str, Entry] = {}
    for param in program.params:
        fact = given.get(param.var.slot, Fact("unknown", shape=Token(param.var.slot)))
        started[param.var] = _with_own_names(fact, param.var)
        entries |= _entries(fact, param.var, len(entries))
    sweeps = Sweeps(program, started, entries, prefix_for(program, given))
    sweeps.run()
    by_use = holders(program, sweeps.known)
    if by_use:
        sweeps = Sweeps(program, started, entries, sweeps.prefix)
        sweeps.held_by_use = by_use
        sweeps.run()
    known = with_mixed(program, sweeps.known)
    return Facts(known, sweeps.lengths.meetings(), prefix=sweeps.prefix)


def has_complex(facts: Facts) -> bool:
    """Tell whether any value of a program may be complex."""
    return any(map(is_complex, facts.known.values()))


def static(expr: Expr, facts: Facts) -> bool | None:
    """Return what a test gives, where that is settled by what is known; None otherwise."""
    return truth(facts.expr(expr))


def canonical(given: Mapping[str, Fact]) -> dict[str, Fact]:
    """Return facts of arguments with lengths renamed by order: alike where the arguments are.

    For the arguments of a call, so that calls that differ in the names of lengths only are alike.
    """
    names: dict[str, str] = {}

    def renamed(dim: Dim, _: str) -> Dim:
        return replace(dim, symbol=_numbered(dim.symbol, names))

    return {name: _with_numbers(fact, renamed, names) for name, fact in given.items()}


def _with_numbers(fact: Fact, renamed: Callable[[Dim, str], Dim], names: dict[str, str]) -> Fact:
    fact = with_dims(fact, renamed)
    shape, extent = (
        Token(_numbered(each.name, names), each.trim) if isinstance(each, Token) else each
        for each in (fact.shape, fact.extent)
    )
    return replace(fact, shape=shape, extent=extent)


def _numbered(symbol: str, names: dict[str, str]) -> str:
    if symbol in ("", "?"):
        return symbol
    mark = "#" if symbol.startswith("#") else ""
    return names.setdefault(symbol, f"{mark}~{len(names) + 1}")


def _entries(fact: Fact, var: Var, before: int) -> dict[str, Entry]:
    """Return the lengths of a parameter that a check in the text can name."""
    if fact.kind != "array" or not isinstance(fact.shape, tuple):
        return {}
    own = [(i, dim) for i, dim in enumerate(fact.shape) if dim == Dim(f"{var.slot}.{i}")]
    return {_own(dim, var).symbol: Entry(var, i, before + i) for i, dim in own}


def _with_own_names(fact: Fact, var: Var) -> Fact:
    return with_dims(fact, lambda dim, _: _own(dim, var))


def _own(dim: Dim, var: Var) -> Dim:
    # lengths that a caller of this function has named are not to be mistaken for its own
    if not dim.symbol.startswith((f"{var.slot}.", f"{var.slot}[")):
        return dim
    return Dim(f"{var.slot}@{var.version}{dim.symbol[len(var.slot) :]}", dim.offset)
