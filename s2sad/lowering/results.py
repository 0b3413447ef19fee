"""What functions of the program give: the join of what they return.

Of one that calls itself it is found in rounds: what does not depend on its own result comes first.
"""

from __future__ import annotations

from s2sad.ir.expression import Expr, constant
from s2sad.ir.program import Function
from s2sad.ir.types import UNKNOWN, Number, Reference, Tuple, Type, is_float, types_in
from s2sad.lowering.machine import Machine, Scope
from s2sad.lowering.memory import same_known
from s2sad.lowering.values import NONE, Data, Demand, is_option, literal

ANY_NUMBER = Number("float64", None)


def result_of(m: Machine, context: Scope, is_open: bool = False) -> Data:
    """Return what a function gives: the join of what it returns.

    What depends on the result of a function that is still being made, as its own, does not count at first.
    """
    results: list[Data] = context.results or [literal(None)]
    if is_open:
        arms = (Data(arm) for r in results for arm in _arms(r.expr))
        results = [arm for arm in arms if not _is_open(arm.type)] or results
    type_, known = results[0].type, results[0].known
    for other in results[1:]:
        type_ = m.memory.joined(type_, other.type)
        known = known if same_known(known, other.known) else None
    if known is not None and not is_option(known.value):
        known = None
    return Data(results[0].expr.typed(type_, known))


def _is_open(type_: Type) -> bool:
    return type_ == UNKNOWN or (isinstance(type_, Tuple) and any(map(_is_open, type_.items)))


def _arms(expr: Expr) -> list[Expr]:
    """Return what an expression may give, as a test decides."""
    if expr.op != "conditional":
        return [expr]
    return [each for arm in expr.args[1:] for each in _arms(arm)]


def assumed_result(m: Machine, printed: str) -> Data | None:
    """Return what a function is taken to give while it is being made: what it gave before."""
    type_ = m.results.get(printed, UNKNOWN)
    if type_ == UNKNOWN:
        return None
    return literal(None) if type_ == NONE else Data(constant(None).typed(type_))


def settle_result(m: Machine, made: Function, type_: Type) -> None:
    """Begin again where a function that calls itself was taken to give something else.

    Where all that it returns depends on its own result, it is taken to give a number: what comes
    out of that assumption has to be one, too.
    """
    if any(isinstance(each, Reference) for each in types_in(type_)):
        return  # memory, which is another in each round
    before = m.results.get(made.name)
    if before is not None:
        joined = m.memory.joined(before, type_)
    elif _is_open(type_) and any(is_float(p.type) for p in made.parameters):
        joined = ANY_NUMBER
    else:
        joined = type_
    if joined != before:
        m.results[made.name] = joined
        raise Demand(("result", made.name, joined))
