"""What a derivative returns is its own, in the precision of its arguments.

return x, x_dot                 ->   return x, x_dot.copy()     no array that the user has given
return u_bar.astype(np.float32)      return u_bar               of float32, as u

What a solver found stands as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from s2sad.analysis.pointers import Sites
from s2sad.ir.expression import Expr, Role, Variable, copied, copy_of, deep_copy_of, is_own_call
from s2sad.ir.program import Function, Let, Program, Return, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Other, Type
from s2sad.ir.walk import (
    name_nodes,
    nodes,
    nodes_in,
    reached,
    rebuilt,
    rewritten,
    statements,
    with_expressions,
    with_nodes,
)
from s2sad.operators.precision import is_cast
from s2sad.optimize.memory import NO_SITES, Memory, memory_of

DISPLAYS = frozenset({"tuple", "list", "dict", "item", "starred"})


def with_own_results(program: Program, pairs: bool) -> Program:
    """Return a program whose tangents are no parts of those that it is given.

    `pairs` tells that it returns (value, tangent).
    """
    function = program.function
    memory = memory_of(function, program)
    given = _given(function, memory)

    def change(statement: Statement) -> Statement:
        if not isinstance(statement, Return):
            return statement
        value = statement.value
        if not pairs:
            return Return(_own(value, given, memory), statement.span)
        if value.op != "tuple" or len(value.args) != 2:
            return statement
        made = value.with_args((value.args[0], _own(value.args[1], given, memory)))
        return Return(made, statement.span)

    made = replace(function, body=rewritten(function.body, change))
    return program.with_first(made)


def _given(function: Function, memory: Memory) -> Sites:
    """Return the memory of the tangents that are given, but of those that are copied first."""
    found = {p.variable for p in function.parameters if p.variable.role is Role.TANGENT}
    found -= {v for s in statements(function.body) for v in _copied(s)}
    given = (memory.found.points_to.get(v, NO_SITES) for v in found)
    return memory.found.inside(NO_SITES.union(*given))


def _copied(statement: Statement) -> tuple[Variable, ...]:
    """Return the variable that a statement binds to a copy of itself."""
    match statement:
        case Let(Variable() as target, value) if (base := copied(value)) is not None:
            return (target,) if base.op == "name" and base.data == target else ()
    return ()


def _own(dot: Expr, given: Sites, memory: Memory) -> Expr:
    """Return a tangent copied where it is one that is given, or a part of it.

    What is displayed together is apart: {"a": x_dot, "b": x_dot.copy()}.
    """
    if isinstance(dot.type, Number | Other):
        return dot
    if dot.op in DISPLAYS:
        parts = []
        for part in dot.args:
            parts.append(_own(part, given, memory))
            given |= memory.found.reached(part)
        return dot.with_args(parts)
    if not memory.found.reached(dot) & given:
        return dot
    if isinstance(dot.type, Array):
        return copy_of(dot)
    return deep_copy_of(dot)


def with_solutions(program: Program) -> Program:
    """Return a program in which calls that give what they are handed first are that."""
    gone = {name for name, each in program.functions.items() if is_solution(each)}
    if not gone:
        return program

    def change(node: Expr) -> Expr | None:
        return node.args[1] if is_own_call(node) and node.args[0].data in gone else None

    functions = {
        name: replace(each, body=with_nodes(each.body, change), custom=None)
        for name, each in program.functions.items()
        if name not in gone
    }
    return replace(program, functions=reached(functions, program.entry))


def is_solution(function: Function) -> bool:
    """Tell whether a function stands for the derivative of what a solver finds."""
    if function.custom is None or function.custom.asked is None:
        return False
    (end,) = function.body
    return isinstance(end, Return) and end.value.op == "name"


def without_idle_casts(function: Function) -> Function:
    """Return a function without casts of results that have the precision they are cast to.

    The cast of what stands in a result twice stays: it is an array of its own.
    """
    if not any(map(is_cast, nodes_in(function.body))):
        return function
    kinds = _kinds_of_names(function)

    def statement(each: Statement) -> Statement:
        if not isinstance(each, Return):
            return each
        times = Counter(n.data for n in name_nodes(each.value))

        def change(node: Expr) -> Expr | None:
            if not is_cast(node):
                return None
            value = node.args[0].args[0]
            is_name = value.op == "name"
            known = kinds.get(value.data) if is_name else {_precision(value, kinds)}
            is_idle = known == {node.args[1].data.value.__name__}
            return value if is_idle and not (is_name and times[value.data] > 1) else None

        return with_expressions(each, lambda expr: rebuilt(expr, change))

    return replace(function, body=rewritten(function.body, statement))


def _kinds_of_names(function: Function) -> Mapping[Variable, Set[str]]:
    """Return the kinds of numbers of the arrays that a name is of, as they run."""
    kinds: dict[Variable, set[str]] = {p.variable: {_dtype(p.type)} for p in function.parameters}
    lets = [each for each in statements(function.body) if isinstance(each, Let)]
    before = 0
    while before < (before := sum(map(len, kinds.values()))):  # of a loop the end may tell more
        for each in lets:
            if isinstance(each.target, Variable):
                kinds.setdefault(each.target, set()).add(_precision(each.value, kinds))
    return kinds


def _precision(value: Expr, kinds: Mapping[Variable, Set[str]]) -> str:
    """Return the kind of numbers of an array as it runs; "" where that is not told by its type.

    An array of a float alone is of float64, and what is added to an adjoint may have more digits.
    """

    def differs(node: Expr) -> bool:
        known = kinds.get(node.data) if node.op == "name" else None
        return known is not None and bool(_dtype(node.type)) and known != {_dtype(node.type)}

    is_other = any(_is_array_of_number(node) or differs(node) for node in nodes(value))
    return "" if is_other else _dtype(value.type)


def _is_array_of_number(node: Expr) -> bool:
    """Tell whether a call makes an array of a number: np.expand_dims(seed, (0, 1))."""
    is_made = node.op == "call" and bool(_dtype(node.type))
    first = node.args[1].type if is_made and len(node.args) > 1 else None
    return is_made and isinstance(first, Number | Array) and not _dtype(first)


def _dtype(type_: Type) -> str:
    """Return the kind of numbers of an array."""
    return type_.dtype if isinstance(type_, Array) and type_.rank else ""
