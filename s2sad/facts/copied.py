"""What a statement that is copied as it stands leaves of the values that it changes.

v.partition(3)      v is an array of the same shape and dtype afterwards
v.resize(10)        nothing is known of v
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import gast

from s2sad.facts.fact import UNKNOWN, Fact
from s2sad.program import Opaque, Var

# methods and functions that change elements and nothing else of an array
REORDERING = frozenset("partition sort shuffle put putmask place fill itemset".split())


def left_by(copied: Opaque, held: Callable[[Var], Fact]) -> Iterator[tuple[Var, Fact]]:
    """Yield each value that a copied statement leaves, and what is known of it."""
    before = dict(copied.reads) if _reorders(copied.node) else {}
    for name, after in copied.writes:
        old = held(before[name]) if name in before else UNKNOWN
        yield after, old if old.is_array else UNKNOWN


def _reorders(node: gast.AST) -> bool:
    """Tell whether a statement is one call, of what changes nothing but the elements of arrays."""
    match node:
        case gast.Expr(value=gast.Call(func=gast.Attribute(attr=name))):
            return name in REORDERING
    return False
