"""Whose tangent may be zero because a test chose another value, or none varies there.

y = np.maximum(x, 0.0)         y_dot is zero where x < 0, and so is r_dot:
r = np.sqrt(y)                 r_dot = np.where(y_dot != 0.0, 0.5 * y_dot / r, 0.0)

if x < 0.0:                    x_dot is zero after this branch was taken
    x = 0.0
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.analysis.activity import Pairs, dependences, first_name, flows, spread
from s2sad.analysis.guards import has_guards, holds_guard, is_partial
from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import stored_base
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Block, Function, If, Let, Statement, Store
from s2sad.ir.types import Array, Region, Site
from s2sad.ir.walk import nodes, statements, variables

Functions = Mapping[str, Function]
Regions = Mapping[Site, Region]


def guarded(
    function: Function,
    functions: Functions,
    memory: Memory,
    active: frozenset[Variable],
    regions: Regions,
) -> frozenset[Variable]:
    """Return the active variables whose tangents a guard may have made zero."""
    pairs = dependences(function.body, memory)
    still = _still(function.body, active, regions)
    return active & spread(pairs, (*_starts(function, functions, pairs), *still), memory, regions)


def _starts(function: Function, functions: Functions, pairs: Pairs) -> Iterator[Variable]:
    """Yield what is bound or written under a guard, or comes from a function that has some."""
    others = [each for each in functions.values() if each.name != function.name]
    if any(map(has_guards, others)):
        yield from (p.variable for p in function.parameters)
    for statement in statements(function.body):
        if isinstance(statement, Store) and is_partial(statement.target):
            yield from first_name(statement.target)
    for target, value in pairs:
        if holds_guard(value) or _calls_guarded(value, functions):
            yield target


def _calls_guarded(value: Expr, functions: Functions) -> bool:
    called = (node.data for node in nodes(value) if node.op == "function")
    return any(has_guards(functions[name]) for name in called if name in functions)


def _still(body: Block, active: frozenset[Variable], regions: Regions) -> Iterator[Variable]:
    """Yield what a branch binds to what does not vary, and arrays of which parts alone vary."""

    def varies(value: Expr) -> bool:
        return any(v in active for v in flows(value, regions))

    for statement in statements(body):
        for arm in _arms(statement):
            for each in arm:
                if isinstance(each, Let) and not varies(each.value):
                    yield from variables(each.target)
    made = {
        s.target
        for s in statements(body)
        if isinstance(s, Let) and isinstance(s.target, Variable) and _is_constant(s.value)
    }
    for statement in statements(body):
        if isinstance(statement, Store) and statement.target.op == "subscript":
            yield from (v for v in first_name(stored_base(statement)) if v in made)


def _arms(statement: Statement) -> tuple[Block, ...]:
    return (statement.body, statement.orelse) if isinstance(statement, If) else ()


MADE = frozenset({"np.zeros", "np.zeros_like"})


def _is_constant(value: Expr) -> bool:
    is_call = value.op == "call" and value.args[0].op == "global"
    return is_call and value.args[0].data.text in MADE and isinstance(value.type, Array)
