"""What functions of the program give: the join of what they return.

Of one that calls itself it is found in rounds: what does not depend on its own result comes first.

@functools.cache
def power(k):                           what it gave for k it gives again
    return 1.0 if k == 0 else x * power(k - 1)

Functions that remember their results are called as if they did not: nobody can see it. So they have to
compute the same each time: what they read of the functions around them is set once, what they are
handed and give does not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.analysis.pointers import changes_something
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, constant, is_own_call
from s2sad.ir.program import Block, For, Function, Parameter, Return, Statement, While
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Length, Number, Other, Reference, Sequence, Tuple, Type, types_in
from s2sad.ir.walk import blocks, bound, nodes_in, statements
from s2sad.lowering import demands
from s2sad.lowering.machine import Machine, Scope, refusal
from s2sad.lowering.memory import UNSET, same_known
from s2sad.lowering.values import NONE, Closure, Data, Demand, is_option, literal, origins_of
from s2sad.types.structure import is_fields_alone

Functions = Mapping[str, Function]


def result_of(m: Machine, context: Scope) -> Data:
    """Return what a function gives: the join of what it returns."""
    results: list[Data] = context.results or [literal(None)]
    (type_, *types), known = map(_type_of, results), results[0].known
    for other, given in zip(results[1:], types, strict=True):
        before, type_ = type_, m.memory.joined(type_, given)
        demands.demand_one_kind(m, type_, (before, given), origins_of(results))
        known = known if same_known(known, other.known) else None
    if known is not None and not is_option(known.value):
        known = None
    return Data(results[0].expr.typed(type_, known))


def _type_of(result: Data) -> Type:
    """Return the type of a result; of the whole numbers in a tuple it tells which they are: (mask, 0)."""
    type_, expr = result.type, result.expr
    if expr.op != "tuple" or not isinstance(type_, Tuple) or len(expr.args) != len(type_.items):
        return type_
    return replace(type_, items=tuple(map(_with_number, type_.items, expr.args)))


def _with_number(type_: Type, part: Expr) -> Type:
    value = part.known.value if part.known is not None else None
    is_whole = isinstance(type_, Number) and type(value) is int
    return replace(type_, length=Length((), value)) if is_whole else type_


def assumed_result(m: Machine, printed: str) -> Data:
    """Return what a function is taken to give while it is being made: what it gave before."""
    type_ = m.results.get(printed, UNSET)
    return literal(None) if type_ == NONE else Data(constant(None).typed(type_))


def settle_result(m: Machine, made: Function, type_: Type) -> None:
    """Begin again where a function that calls itself was taken to give something else."""
    found = [each for each in types_in(type_) if isinstance(each, Reference)]
    if found:  # memory, which is another in each round
        classes = [m.memory.of(each).cls for each in found]
        if not all(cls in (None, dict, list) or is_fields_alone(cls) for cls in classes):
            # what their class makes of an operator is not asked while they are not known
            raise refusal(m, f"{made.name} calls itself, and gives objects with methods")
        return
    before = m.results.get(made.name)
    joined = type_ if before is None else m.memory.joined(before, type_)
    if joined != before:
        m.results[made.name] = joined
        raise Demand(("result", made.name, joined))


# ---------------------------------------------------------------------------- remembered


def refuse_stale(remembering: Mapping[str, Closure], functions: Functions) -> None:
    """Refuse functions whose remembered results may not be what they would give anew.

    `remembering` are the names of the functions of the program, each with the function of the
    user's that it is of.
    """
    around: dict[int, frozenset[Variable]] = {}
    may_change = any(map(changes_something, _all_statements(functions)))
    for name, closure in remembering.items():
        function, origin = functions[name], id(closure.node)
        outer = _around(function, closure, functions)
        read = frozenset(p.variable for p in outer)
        if around.setdefault(origin, read) != read or not _gives_the_same(
            function, outer, may_change
        ):
            raise NotYet("a function that remembers its results", function.span)
        if not all(_is_set_once(v, functions) for v in read):
            raise NotYet("a function that remembers what has changed since", function.span)


def _all_statements(functions: Functions) -> Iterator[Statement]:
    return (s for function in functions.values() for s in statements(function.body))


def _gives_the_same(function: Function, outer: list[Parameter], may_change: bool) -> bool:
    """Tell whether a function computes the same whenever it is called with the same arguments."""
    summary = function.summary
    if summary is None or summary.writes or not replace(summary.effect, raises=False).is_pure:
        return False
    own = [p for p in function.parameters if p not in outer]
    kinds = [p.type for p in outer] + list(_results(function))
    lasts = all(_is_atomic(t) or (not may_change and isinstance(t, Array)) for t in kinds)
    return lasts and all(_is_atomic(p.type) for p in own)


def _results(function: Function) -> Iterator[Type]:
    for statement in statements(function.body):
        if isinstance(statement, Return):
            yield statement.value.type


def _is_atomic(type_: Type) -> bool:
    if isinstance(type_, Tuple):
        return all(map(_is_atomic, type_.items))
    if isinstance(type_, Sequence) and type_.cls is tuple:
        return _is_atomic(type_.item)
    return isinstance(type_, Number) or (
        isinstance(type_, Other) and type_.cls in (str, type(None))
    )


def _around(function: Function, closure: Closure, functions: Functions) -> list[Parameter]:
    """Return the parameters that stand for variables of the functions around a function."""
    own = {node.id for node in closure.node.args.args}
    calls = [
        node
        for other in functions.values()
        if other is not function
        for node in nodes_in(other.body)
        if is_own_call(node) and node.args[0].data == function.name
    ]
    others = ((k, p) for k, p in enumerate(function.parameters) if p.variable.name not in own)
    return [p for k, p in others if _is_handed_itself(p, k, calls)]


def _is_handed_itself(parameter: Parameter, position: int, calls: list[Expr]) -> bool:
    handed = [c.args[position + 1] for c in calls if position + 1 < len(c.args)]
    return all(e.op == "name" and e.data == parameter.variable for e in handed)


def _is_set_once(variable: Variable, functions: Functions) -> bool:
    """Tell whether each function that sets a variable does so once, and in no loop."""
    for function in functions.values():
        sets = list(_sets(variable, function.body, False))
        is_parameter = any(p.variable == variable for p in function.parameters)
        if any(sets) or len(sets) + is_parameter > 1:
            return False
    return True


def _sets(variable: Variable, block: Block, in_loop: bool) -> Iterator[bool]:
    """Yield for each statement that sets a variable whether it stands in a loop."""
    for statement in block:
        inside = in_loop or isinstance(statement, For | While)
        if variable in bound(statement):
            yield inside
        for inner in blocks(statement):
            yield from _sets(variable, inner, inside)
