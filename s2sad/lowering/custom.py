"""Functions that were given derivatives: these are functions of the program, too.

y = root(a, b)      root(a, b), root_reverse(a, b, y, y_bar) and root_forward(a, b, y, a_dot, b_dot)

They are made while lowering, where the types of arguments and results are known.
"""

from __future__ import annotations

from typing import Any

import gast

from s2sad.ir.expression import Known, Variable, name
from s2sad.ir.program import Custom
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Array, Number, Tuple, Type, is_float
from s2sad.lowering import functions, reflection
from s2sad.lowering.machine import Machine, Own, refusal
from s2sad.lowering.values import Closure, Data, Fixed, Value, literal
from s2sad.operators.custom import Custom as Derivatives
from s2sad.operators.custom import custom_of, name_of
from s2sad.operators.library import of_users
from s2sad.operators.rule import Rule


def derivatives_of(closure: Closure) -> Derivatives | Rule | None:
    """Return the derivatives that a function was given, or its rule, if it was."""
    if closure.original is None:
        return None
    rule = next(of_users(closure.original), None)
    return custom_of(closure.original) if rule is None else rule.pair or rule


def call(m: Machine, closure: Closure, bound: dict[str, Value], given: Derivatives | Rule) -> Value:
    """Call a function that was given derivatives; it is a function of the program in any case."""
    if not all(isinstance(value, Data) for value in bound.values()):
        raise refusal(
            m, f"{closure.name} has a derivative of its own, and is handed more than data"
        )
    if isinstance(given, Rule):
        bound = {param: _of_any_value(value) for param, value in bound.items()}
    found, bound = functions.made(m, closure, bound)
    if found is None or found.free or not found.effect.is_pure:
        raise refusal(m, f"{closure.name} has a derivative of its own, and cannot stay a call")
    if isinstance(given, Rule):
        return _call_with_rule(m, found, closure, bound)
    _give(m, found, closure, bound, given)
    return functions.called(m, found, closure, bound)


def _of_any_value(value: Value) -> Value:
    """Return an argument that a function is handed: rules are of all its arguments."""
    if not isinstance(value, Data):
        return value
    return Data(replace(value.expr, known=None), value.origins)


def _call_with_rule(m: Machine, found: Own, closure: Closure, bound: dict[str, Value]) -> Value:
    """Call a function for which there is a rule, under which the call is looked up."""
    made = m.functions.get(found.name)
    value = functions.called(m, found, closure, bound)
    if not isinstance(value, Data) or value.expr.op != "call" or made is None:
        raise refusal(m, f"a call of {closure.name}, for which there is a rule")
    m.functions[found.name] = replace(made, custom=Custom("", "", (), len(bound)))
    head = replace(value.expr.args[0], known=Known(closure.original))
    expr = replace(value.expr, args=(head, *value.expr.args[1:]))
    return Data(expr, value.origins)


def _give(
    m: Machine, found: Own, closure: Closure, bound: dict[str, Value], given: Derivatives
) -> None:
    """Have a function of the program know what stands for its derivative."""
    own = m.functions.get(found.name)
    if own is None or own.custom is not None:
        return  # of a call inside of the function itself, or given before
    result = None if found.result is None else found.result
    if result is None or result.known is not None or not is_plain(result.type):
        raise refusal(m, f"what {closure.name} gives, which has a derivative of its own")
    args = [value for value in bound.values() if isinstance(value, Data)]
    handed = [functions.is_handed(m, closure, p, v) for p, v in zip(bound, args, strict=True)]
    y, y_bar = named("y", result.type), named("y_bar", varying(result.type))
    dots = [_tangent(a, is_taken) for a, is_taken in zip(args, handed, strict=True)]
    reverse = _made(m, closure, given.reverse, "reverse", [*args, y, y_bar])
    forward = _made(m, closure, given.forward, "forward", [*args, y, *dots])
    places = tuple(k for k, is_taken in enumerate(handed) if is_taken)
    custom = Custom(
        _name(reverse), _name(forward), places, len(args), *map(_gives, (reverse, forward))
    )
    m.functions[found.name] = replace(own, custom=custom)


def _name(made: Own | None) -> str:
    return "" if made is None else made.name


def _gives(made: Own | None) -> Type:
    return UNKNOWN if made is None or made.result is None else made.result.type


def _made(m: Machine, closure: Closure, given: Any, kind: str, args: list[Data]) -> Own | None:
    """Return one of the derivatives as a function of the program, for these arguments."""
    if given is None:
        return None
    named = name_of(given, closure.original, kind)
    made = made_for(m, reflection.closure_of(m, given), named, args)
    if made is None or made.free or not made.effect.is_pure:
        raise refusal(m, f"{named}, which is no function of values alone")
    return made


def made_for(m: Machine, closure: Closure, called: str, args: list[Data]) -> Own | None:
    """Return a function, which may be a lambda, as one of the program that takes these arguments."""
    derivative = as_definition(closure, called)
    spec = derivative.node.args
    params = [a.id for a in (*spec.posonlyargs, *spec.args)]
    if len(params) != len(args):
        raise refusal(m, f"parameters of {derivative.name} that have to be named")
    return functions.made(m, derivative, dict(zip(params, args, strict=True)))[0]


def as_definition(closure: Closure, called: str) -> Closure:
    """Return a lambda as a function with a name."""
    node = closure.node
    if not isinstance(node, gast.Lambda):
        return closure
    body = gast.copy_location(gast.Return(node.body), node.body)
    made = gast.FunctionDef(called, node.args, [body], [], None, None, [])
    return replace(closure, node=gast.copy_location(made, node), name=called)


# ---------------------------------------------------------------------------- types


def is_plain(type_: Type) -> bool:
    """Tell whether a result is numbers and arrays of known kinds, or a tuple of these."""
    if isinstance(type_, Tuple):
        return type_.cls is None and all(map(is_plain, type_.items))
    return isinstance(type_, Number | Array)


def varying(type_: Type) -> Type:
    """Return the type of the adjoint or tangent of a value: whole numbers have floats."""
    match type_:
        case Tuple(items):
            return replace(type_, items=tuple(map(varying, items)))
        case Number() if is_float(type_):
            return replace(type_, boxed=None)
        case Number():
            return Number("float64")
        case Array() if not is_float(type_):
            return replace(type_, dtype="float64")
    return type_


def named(word: str, type_: Type) -> Data:
    return Data(name(Variable(word), type_))


def _tangent(value: Data, is_handed: bool) -> Data:
    """Return the tangent of an argument; of what cannot vary, zero."""
    if not is_handed or not is_float(value.type):
        zero = literal(0.0)
        return Fixed(zero.expr, zero.origins)
    return named("dot", varying(value.type))
