"""Stores to elements that no later pass stores to again: what was computed is read off there.

for j in range(n):
    L[j, j] = np.sqrt(A[j, j] - s)     once: each pass has its own j
    w[0] = np.sqrt(s)                  again and again, unless w is made in the pass
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import Expr, Variable, index_parts
from s2sad.ir.program import Block, For, Function, Store, While
from s2sad.ir.walk import blocks, bound, bound_in

Names = frozenset[Variable]


def stored_once(function: Function) -> frozenset[int]:
    """Return the identities of such stores."""
    return frozenset(map(id, _stores(function.body, ())))


def _stores(block: Block, around: tuple[Names, ...]) -> Iterator[Store]:
    """Yield them; of each loop `around` the names are those that a pass has of its own."""
    for statement in block:
        if isinstance(statement, Store) and statement.op == "=":
            base = statement.target.args[0] if statement.target.op == "subscript" else None
            if base is not None and base.op == "name":
                mentioned = {base.data, *_counters(statement.target.args[1])}
                if all(mentioned & own for own in around):
                    yield statement
        inside = around
        if isinstance(statement, For | While):
            inside = (*around, frozenset(bound(statement)) | bound_in(statement.body))
        for each in blocks(statement):
            yield from _stores(each, inside)


def _counters(index: Expr) -> Iterator[Variable]:
    """Yield the names that positions are a number more or less than."""
    for part in index_parts(index):
        if (
            part.op == "binary"
            and part.data in ("+", "-")
            and literal_position(part.args[1]) is not None
        ):
            part = part.args[0]
        if part.op == "name":
            yield part.data
