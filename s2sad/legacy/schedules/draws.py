"""A pass that draws random numbers draws the same ones again: what it draws from is set back.

for t in range(n):                      states of the loop: u, and the state of rng
    u = u + rng.normal(size=n)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Assign, Attr, Block, Call, Expr, If, Loop, Op, Opaque, Ref, Var
from s2sad.legacy.traverse import expressions, statements, transform, walk
from s2sad.source.trees import nodes_of

Known = Callable[[Var], Fact]
Drawn = Var | Ref
NUMPY = Ref("np.random", np.random)
PYTHON = Ref("random", random)
HARMLESS = frozenset("range len zip enumerate float int abs min max sum any all".split())
MAKERS = (np.random.default_rng, np.random.RandomState)


@dataclass(frozen=True)
class Draws:
    """How draws in a block are told: what is known of values, and what stands for which generator."""

    fact: Known
    # generators that a pass makes from a seed, alike each time
    made: frozenset[Var] = frozenset()
    # second names of generators, and what they may stand for
    named: Mapping[Var, tuple[Var | None, ...]] = field(default_factory=dict)

    def sources(self, part: Expr) -> list[Drawn | None]:
        """Return what a call, or copied syntax, draws from; None stands for what is not known."""
        found: list[Drawn | None] = []
        for each in _sources(part, self):
            found += self._behind(each) if isinstance(each, Var) else [each]
        return found

    def is_drawn_again(self, part: Expr) -> bool:
        """Tell whether a call draws from what can be set back, or makes what draws alike."""
        found = self.sources(part)
        return bool(found) and None not in found

    def of(self, var: Var) -> bool:
        """Tell whether a value is a generator."""
        return var in self.made or self.fact(var).kind == "generator"

    def _behind(self, var: Var) -> list[Drawn | None]:
        if var not in self.named:
            return [var]
        return [
            source
            for each in self.named[var]
            for source in ([None] if each is None else self._behind(each))
        ]


def draws_of(block: Block, fact: Known) -> Draws:
    """Return how draws in a block are told."""
    made: set[Var] = set()
    named: dict[Var, tuple[Var | None, ...]] = {}
    for stmt in statements(block):
        match stmt:
            case Assign((target,), Var() as value):
                named[target] = (value,)
            case Assign((target,), Call() as value) if _is_seeded(value):
                made.add(target)
            case If(merges=merges):
                named |= {merge.out: (merge.then, merge.orelse) for merge in merges}
            case Loop(carried=carried):
                named |= {each.head: (each.init, each.end) for each in carried}
                named |= {each.exit: (each.init, each.end) for each in carried}
            case Assign(targets):
                named |= dict.fromkeys(targets, (None,))
    return Draws(fact, frozenset(made), named)


def drawn_from(block: Block, draws: Draws) -> tuple[Drawn, ...]:
    """Return what a block draws from that is not made in it: generators, and modules that draw."""
    parts = (part for s in statements(block) for expr in expressions(s) for part in walk(expr))
    found = dict.fromkeys(source for part in parts for source in draws.sources(part))
    return tuple(each for each in found if each is not None and each not in draws.made)


def without_draws(expr: Expr, draws: Draws) -> Expr:
    """Return an expression in which a draw is what it is given, and no more."""

    def plain(part: Expr) -> Expr:
        if isinstance(part, Opaque) and draws.is_drawn_again(part):
            return Op("tuple", tuple(var for _, var in part.reads))
        if isinstance(part, Call) and (draws.is_drawn_again(part) or _is_seeded(part)):
            return Op("tuple", (*part.args, *(value for _, value in part.keywords)))
        return part

    return transform(expr, plain)


def _sources(part: Expr, draws: Draws) -> Iterator[Drawn | None]:
    match part:
        case Call(Attr(Var() as owner)) if draws.of(owner):
            yield owner
        case Call(Ref(text, value)):
            source = getattr(value, "__self__", None)
            if source is _source_of(np.random.rand):
                yield NUMPY
            elif source is _source_of(random.random):
                yield PYTHON if text.startswith("random.") else None
        case Opaque(node):
            yield from _copied_sources(node, dict(part.reads), draws)


def _source_of(function: Any) -> Any:
    return function.__self__


def _copied_sources(node: Any, reads: Mapping[str, Var], draws: Draws) -> Iterator[Var | None]:
    """Yield the generators whose methods copied syntax calls, and None if it calls more."""
    for call in nodes_of(node):
        if isinstance(call, gast.Call) and getattr(call.func, "id", "") not in HARMLESS:
            owner = getattr(getattr(call.func, "value", None), "id", "")
            found = reads.get(owner)
            yield found if found is not None and draws.of(found) else None


def _is_seeded(call: Call) -> bool:
    """Tell whether a call makes a generator that draws alike each time."""
    given = call.args or call.keywords
    return isinstance(call.func, Ref) and call.func.value in MAKERS and bool(given)
