"""Which variables hold what is finite, in whatever pass they are bound.

for _ in range(n):
    v = np.maximum(0.9 * v[1:], k - s)      v: finite where its start, k and s are
    w = v / s                               w: not surely, s may be zero

A value that is bound again cannot be traced back to arguments: it is finite if all is that it, or
memory that it refers to, is ever given.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from s2sad.analysis.memory import Memory
from s2sad.ir.expression import Expr, Variable, is_own_call
from s2sad.ir.program import Copied, Function, Let, Statement, Store
from s2sad.ir.types import Number
from s2sad.ir.walk import closed, expressions, nodes, read_in, rebuilt, statements

Test = Callable[[Expr], bool]
# variables, and memory by its sites
Holders = frozenset[Hashable]


def not_surely_finite(
    function: Function, memory: Memory, may_not_be: Test, asks_numbers: bool, directly: bool = False
) -> Holders:
    """Return the variables, and the memory, that may hold what is not finite.

    Where only elements are asked for, numbers count as finite; `directly`: by what is stored there
    itself, whatever that is computed from.
    """
    numbers = frozenset(v for v, type_ in memory.types.items() if isinstance(type_, Number))
    left_out = frozenset() if asks_numbers else numbers
    once = _bound_once(function, memory)
    feeds: dict[Hashable, Holders] = {}
    found: Holders = frozenset()
    for statement in statements(function.body):
        given = memory.changed_by((statement,)) - left_out
        for variable in frozenset(read_in(statement)) - left_out:
            for source in (variable, *memory.reach(variable)):
                feeds[source] = feeds.get(source, frozenset()) | given
        is_open = isinstance(statement, Copied)  # its expressions do not show what it gives
        if is_open or any(_may_give(value, may_not_be, once) for value in _values(statement)):
            found |= given
    return (
        found
        if directly
        else closed(found, lambda known: {h for each in known for h in feeds.get(each, ())})
    )


def _values(statement: Statement) -> tuple[Expr, ...]:
    """Return what a statement computes: of `w[:] /= d` that is the quotient."""
    if isinstance(statement, Store) and statement.op != "=":
        target, value = statement.target, statement.value
        return (Expr("binary", (target, value), statement.op, target.type),)
    return expressions(statement)


def _may_give(value: Expr, may_not_be: Test, once: dict[Variable, Expr]) -> bool:
    """Tell whether a value of finite ones may not be finite; what a function gives is not known."""
    if any(map(is_own_call, nodes(value))):
        return True
    if not may_not_be(value):
        return False
    return may_not_be(rebuilt(value, lambda e: once.get(e.data) if e.op == "name" else None))


def _bound_once(function: Function, memory: Memory) -> dict[Variable, Expr]:
    """Return what stands for variables wherever they are read: their one binding."""
    lets = [s for s in statements(function.body) if isinstance(s, Let)]
    return {
        s.target: s.value
        for s in lets
        if isinstance(s.target, Variable) and memory.uses.is_bound_at_one_place(s.target)
        if not memory.is_memory(s.target)
    }
