"""Objects of SciPy's that are only called are put in place where they are called.

    spline = CubicSpline(x, z)             spline(t)         CubicSpline(x, z)(t)
    noise = stats.norm(mu, sigma)          noise.logpdf(x)   stats.norm.logpdf(x, mu, sigma)

So what an object was made of is seen by the rule of its call. An object that is used in any
other way stays, and has no rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

from s2sad.blocks import all_defines, all_reads, map_everywhere
from s2sad.program import (
    Assign,
    Attr,
    Call,
    Expr,
    Program,
    Ref,
    Var,
    children,
    expressions,
    reads,
    statements,
    transform,
)

# the methods that take the variable first: of distributions, and of splines
METHODS = frozenset("pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf integrate".split())

Made = Mapping[Var, Call]


def unfolded(program: Program, active: frozenset[Var]) -> Program:
    """Return the program with active objects of SciPy's in place where they are called."""
    made = {var: call for var, call in _objects(program) if _matters(call, program, active, var)}
    made = {var: call for var, call in made.items() if _only_called(program, var)}
    if not made:
        return program

    def put(expr: Expr) -> Expr:
        return _called(expr, made)

    body = map_everywhere(program.body, lambda expr: transform(expr, put))
    return replace(program, body=body, result=transform(program.result, put))


def _objects(program: Program) -> Iterator[tuple[Var, Call]]:
    """Yield the objects whose makings keep their values to the end, and how they are made."""
    slots = [param.var.slot for param in program.params]
    slots += [var.slot for stmt in program.body for var in all_defines(stmt)]
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Call(Ref()) as call, unpack=False) if _is_object(call):
                if all(slots.count(var.slot) == 1 for var in (target, *reads(call))):
                    yield target, call


def _is_object(call: Call) -> bool:
    assert isinstance(call.func, Ref)
    if call.func.text.startswith("scipy.interpolate."):
        return True
    return call.func.text.startswith("scipy.stats.") and _is_distribution(call.func.value)


def _is_distribution(value: Any) -> bool:
    return not isinstance(value, type | FunctionType) and callable(value)


def _matters(call: Call, program: Program, active: frozenset[Var], var: Var) -> bool:
    """Tell whether a derivative flows into an object, or into a call of it."""
    if any(each in active for each in reads(call)):
        return True
    calls = (part for part in _parts(program) if isinstance(part, Call) and _owner(part) == var)
    return any(each in active for part in calls for each in reads(part))


def _only_called(program: Program, var: Var) -> bool:
    named = sum(each == var for stmt in program.body for each in all_reads(stmt))
    named += sum(each == var for each in reads(program.result))
    called = sum(isinstance(part, Call) and _owner(part) == var for part in _parts(program))
    return named == called and all(_is_plain(part, var) for part in _parts(program))


def _is_plain(expr: Expr, var: Var) -> bool:
    """Tell whether a call of an object's method is that of its making with more arguments."""
    match expr:
        case Call(Attr(owner, name)) if owner == var:
            return name in METHODS
    return True


def _parts(program: Program) -> Iterator[Expr]:
    """Yield every expression in a program, parts included."""
    todo = [expr for stmt in statements(program.body) for expr in expressions(stmt)]
    todo.append(program.result)
    while todo:
        expr = todo.pop()
        yield expr
        todo += children(expr)


def _owner(call: Call) -> Expr:
    return call.func.value if isinstance(call.func, Attr) else call.func


def _called(expr: Expr, made: Made) -> Expr:
    match expr:
        case Call(Var() as owner, args, keywords) if owner in made:
            return Call(made[owner], args, keywords)
        case Call(Attr(Var() as owner, name), args, keywords) if owner in made:
            making = made[owner]
            if isinstance(making.func, Ref) and _is_distribution(making.func.value):
                method = Attr(making.func, name)
                return Call(method, (*args, *making.args), (*keywords, *making.keywords))
            return Call(Attr(making, name), args, keywords)
    return expr
