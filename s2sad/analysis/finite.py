"""Which variables hold what is finite, in whatever pass they are bound.

for _ in range(n):
    v = np.maximum(0.9 * v[1:], k - s)      v: finite where its start, k and s are
    w = v / s                               w: not surely, s may be zero

A value that is bound again cannot be traced back to arguments: it is finite if all is that it, or
memory that it refers to, is ever given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable

from s2sad.analysis.memory import Memory
from s2sad.ir.expression import Expr, Variable, is_own_call
from s2sad.ir.program import Copied, Function, Let, Statement, Store
from s2sad.ir.types import Number
from s2sad.ir.walk import (
    bound,
    closed,
    expressions,
    nodes,
    read_in,
    rebuilt,
    statements,
    written_to,
)

DIVIDING = frozenset({"/=", "//=", "%=", "**="})
Test = Callable[[Expr], bool]
# variables, and memory by its sites
Holders = frozenset[Hashable]


def not_surely_finite(
    function: Function, memory: Memory, may_not_be: Test, asks_numbers: bool
) -> Holders:
    """Return the variables, and the memory, that may hold what is not finite.

    Where only elements are asked for, numbers count as finite.
    """

    def held(variables: Iterable[Variable]) -> Holders:
        mine = [v for v in variables if asks_numbers or not isinstance(memory.types.get(v), Number)]
        return frozenset(mine).union(*map(memory.reach, mine))

    def is_doubtful(value: Expr) -> bool:
        if not may_not_be(value):
            return _calls(value)
        whole = rebuilt(value, lambda e: once.get(e.data) if e.op == "name" else None)
        return may_not_be(whole) or _calls(whole)

    once = _bound_once(function, memory)
    feeds: dict[Hashable, Holders] = {}
    found: Holders = frozenset()
    for statement in statements(function.body):
        root = written_to(statement)
        given = held((*bound(statement), *(() if root is None else (root,))))
        given |= memory.changed_by((statement,)) - frozenset(memory.types)
        for source in held(read_in(statement)):
            feeds[source] = feeds.get(source, frozenset()) | given
        values = expressions(statement)
        if _is_open(statement) or any(map(is_doubtful, values)):
            found |= given
    return closed(found, lambda known: {h for each in known for h in feeds.get(each, ())})


def _bound_once(function: Function, memory: Memory) -> dict[Variable, Expr]:
    """Return what stands for variables wherever they are read: their one binding."""
    every = statements(function.body)
    counts = Counter(v for s in every for v in bound(s))
    return {
        s.target: s.value
        for s in every
        if isinstance(s, Let) and isinstance(s.target, Variable) and counts[s.target] == 1
        if not memory.is_memory(s.target) and s.target not in memory.uses.parameters
    }


def _is_open(statement: Statement) -> bool:
    """Tell whether a statement may give what its expressions do not show: x /= s."""
    return isinstance(statement, Copied) or (
        isinstance(statement, Store) and statement.op in DIVIDING
    )


def _calls(value: Expr) -> bool:
    """Tell whether a function of the program is called, which may give anything."""
    return any(map(is_own_call, nodes(value)))
