"""Elements of a vector that stays as it is are named once, before the loops."""

from __future__ import annotations

from collections import Counter

from s2sad.analysis.memory import Memory
from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Function, Let, Statement
from s2sad.ir.records import replace
from s2sad.ir.renaming import with_variables
from s2sad.ir.types import Array, is_number
from s2sad.ir.walk import bound, rewritten, statements


def unpacked_once(function: Function, memory: Memory) -> Function:
    """Return a function that names an element of a vector, which stays as it is, once and early.

    for k in range(n):                    a, b = p
        a, b = p                   ->     for k in range(n):
        ...                                   ...
        a_2, b_2 = p                          without the names that a helper has for them again
    """
    given = [p.variable for p in function.parameters]
    often = Counter((*given, *(v for s in statements(function.body) for v in bound(s))))
    early = {v for s in function.body if isinstance(s, Let) for v in bound(s)}
    steady = {v for v in early.union(given) if often[v] == 1}
    names: dict[Expr, Variable] = {}
    renamed: dict[Variable, Variable] = {}
    body: list[Statement] = []

    def moved(statement: Statement) -> Statement | None:
        match statement:
            case Let(Variable() as target, value) if _is_element(value) and often[target] == 1:
                vector = value.args[0]
                if vector.data in steady and memory.written.isdisjoint(memory.sites(vector)):
                    renamed[target] = names.setdefault(value, target)
                    if renamed[target] == target:
                        body.append(statement)
                    return None
        return statement

    for statement in function.body:
        body.extend(rewritten((statement,), moved))
    body = [with_variables(each, renamed) for each in body]
    return function if tuple(body) == function.body else replace(function, body=tuple(body))


def _is_element(expr: Expr) -> bool:
    """Tell whether an expression is p[k] of a vector that has such an element, for whatever arguments."""
    if expr.op != "subscript" or expr.args[0].op != "name" or not is_number(expr.type):
        return False
    kind, position = expr.args[0].type, literal_position(expr.args[1])
    length = kind.lengths[0] if isinstance(kind, Array) and kind.rank == 1 else None
    if position is None or length is None or not length.is_literal:
        return False
    return -length.constant <= position < length.constant
