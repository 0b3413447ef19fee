"""Whose tangent may be zero because a test chose another value, or none varies there.

y = np.maximum(x, 0.0)         y_dot is zero where x < 0, and so is r_dot:
r = np.sqrt(y)                 r_dot = np.where(y_dot != 0.0, 0.5 * y_dot / r, 0.0)

if x < 0.0:                    x_dot is zero after this branch was taken
    x = 0.0
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.analysis.activity import flows
from s2sad.analysis.guards import has_guards, holds_guard, is_partial
from s2sad.analysis.points_to import stored_base
from s2sad.forward.activity import Regions, Spread, pairs_of
from s2sad.forward.aliases import Aliases, names_of
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Block, Function, If, Let, Statement, Store
from s2sad.ir.types import Array
from s2sad.ir.walk import nodes, statements, variables

Functions = Mapping[str, Function]


def guarded(
    function: Function,
    functions: Functions,
    aliases: Aliases,
    active: frozenset[Variable],
    regions: Regions,
) -> frozenset[Variable]:
    """Return the active variables whose tangents a guard may have made zero."""
    every = tuple(statements(function.body))
    found = Spread(aliases, set())
    for variable in (*_starts(function, functions), *_still(function.body, active, regions)):
        found.add(variable)
    pairs = [pair for s in every for pair in pairs_of(s, functions)]
    changed = True
    while changed:
        changed = False
        for target, values in pairs:
            if any(found.has(v) for value in values for v in flows(value, regions)):
                changed |= found.add(target)
    return frozenset(v for v in active if found.has(v))


def _starts(function: Function, functions: Functions) -> Iterator[Variable]:
    """Yield what is bound or written under a guard, or comes from a function that has some."""
    others = [each for each in functions.values() if each.name != function.name]
    if any(map(has_guards, others)):
        yield from (p.variable for p in function.parameters)
    for statement in statements(function.body):
        if isinstance(statement, Store) and is_partial(statement.target):
            yield from names_of(statement.target)
        for target, values in pairs_of(statement, functions):
            if any(holds_guard(value) or _calls_guarded(value, functions) for value in values):
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
            yield from (v for v in names_of(stored_base(statement)) if v in made)


def _arms(statement: Statement) -> tuple[Block, ...]:
    return (statement.body, statement.orelse) if isinstance(statement, If) else ()


MADE = frozenset({"np.zeros", "np.zeros_like"})


def _is_constant(value: Expr) -> bool:
    is_call = value.op == "call" and value.args[0].op == "global"
    return is_call and value.args[0].data.text in MADE and isinstance(value.type, Array)
