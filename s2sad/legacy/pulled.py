"""The call of a derivative in a reverse sweep: what it is given, and what each argument receives.

x = layer(x, W)      ->      x_bar, W_bar = layer_rev(x, W, x_bar)

It is the derivative that was written for the function called, or one that its author gave.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy.activity import flow
from s2sad.legacy.adjoint_shapes import refuse_other_ranks
from s2sad.legacy.calls import arguments
from s2sad.legacy.contribute import zero_like
from s2sad.legacy.drawn import draws_inside
from s2sad.legacy.facts import Fact
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import Assign, Call, Const, Expr, Op, Ref, Var, base
from s2sad.legacy.refusals import starred
from s2sad.legacy.rules import ARRAY
from s2sad.legacy.traverse import statements
from s2sad.operators.custom import Custom, adjoints_left_out, name_of
from s2sad.source.text import signature_of, source_of

if TYPE_CHECKING:
    from s2sad.legacy.callee import Written
    from s2sad.legacy.reverse import Sweep


ARITHMETIC = frozenset("+ - * / ** @ // % u-".split())


def called_name(function: Any) -> str:
    """Return the name of a function; of a lambda, that of the variable which holds it."""
    name = function.__name__
    return str(name if name.isidentifier() else source_of(function).tree.name)


def results_of_call(function: Any) -> int | None:
    """Return how many results a function returns as a tuple, None where it returns one value."""
    result = normalise(function).result
    return len(result.args) if isinstance(result, Op) and result.op == "tuple" else None


def by_result(
    sweep: Sweep,
    function: Any,
    targets: tuple[Var, ...],
    seeds: tuple[Var | None, ...],
    span: Span,
    unpack: bool,
    result: Fact,
) -> tuple[tuple[Expr, ...], tuple[Var | None, ...]]:
    """Return the results of a call as the function has them, and their adjoints."""
    count = results_of_call(function)
    if unpack == (count is not None):
        return targets, seeds
    name = base(targets[0].slot)
    if count is None:
        pairs = zip(targets, seeds, strict=True)
        bars = [seed or zero_like(target, sweep.facts.of(target)) for target, seed in pairs]
        whole: Expr = Op("list", tuple(bars))
        if _is_array(function, result):
            whole = Call(ARRAY, (whole,))  # what the function computes it with is arithmetic
        return (Op("tuple", targets),), (sweep.temp(name, whole, span),)
    places = [Const(n) for n in range(count)]
    results = tuple(Op("index", (targets[0], place)) for place in places)
    seed = seeds[0]
    assert seed is not None
    parts = [sweep.temp(name, Op("index", (seed, place)), span) for place in places]
    return results, tuple(parts)


def _is_array(function: Any, result: Fact) -> bool:
    """Tell whether what is taken apart is an array: where that is not known, what arithmetic gives."""
    if result.kind != "unknown":
        return result.is_array
    program = normalise(function)
    made = [
        stmt.value
        for stmt in statements(program.body)
        if isinstance(stmt, Assign) and program.result in stmt.targets
    ]
    return any(map(_computes_array, (program.result, *made)))


def _computes_array(value: Expr) -> bool:
    if isinstance(value, Call):
        return value.func == ARRAY
    return isinstance(value, Op) and value.op in ARITHMETIC


def refuse_hidden(sweep: Sweep, bound: Mapping[str, Expr], span: Span) -> None:
    """Refuse active arguments that have no name."""
    for name, value in bound.items():
        inside = not isinstance(value, Var) and flow(value, sweep.fact)
        if inside and any(var in sweep.active for var in inside):
            raise Unsupported(
                f"the argument {name} is built inside the call",
                span,
                "Give it a name first, then call the function with that.",
            )


def refuse_drawing(function: Any, span: Span) -> None:
    """Refuse a function whose reverse would draw again: it could not be lowered where it is called."""
    if draws_inside(function):
        raise Unsupported(
            f"{called_name(function)} draws random numbers, and its reverse would draw others",
            span,
            "Draw before the call and hand over what was drawn, or write a recursion as a loop.",
        )


def by_own_reverse(
    sweep: Sweep,
    function: Any,
    custom: Custom,
    bound: Mapping[str, Expr],
    results: tuple[Expr, ...],
    seeds: tuple[Var | None, ...],
    span: Span,
) -> list[tuple[Var, Expr]]:
    """Call the reverse that a function was given; return what each argument receives."""
    if custom.reverse is None:
        raise Unsupported(
            f"{function.__name__} was given a forward derivative, but no reverse one",
            span,
            "Give it custom_derivative(forward=..., reverse=...), or differentiate forward.",
        )
    names = list(signature_of(function).parameters)
    for name in adjoints_left_out(custom.reverse, names):
        if bound[name] in sweep.active:
            raise Unsupported(
                f"{custom.reverse.__name__} gives no adjoint of {name}, which varies here",
                span,
                f"Return one, or stop the derivative: s2sad.stop_gradient({name}).",
            )
    bars = [
        seed or zero_like(result, sweep.facts.of(result))  # type: ignore[arg-type]
        for result, seed in zip(results, seeds, strict=True)
    ]
    several = results_of_call(function) is not None
    y = Op("tuple", results) if several else results[0]
    y_bar = Op("tuple", tuple(bars)) if several else bars[0]
    own = Ref(name_of(custom.reverse, function, "reverse"), custom.reverse)
    call = Call(own, (*(bound[n] for n in names), y, y_bar))
    given, wanted = map(sweep.fact, call.args), [sweep.fact(bound[name]) for name in names]
    refuse_other_ranks(custom.reverse, list(given), names, wanted, span)
    made = tuple(_bar_of(sweep, name, bound[name]) for name in names)
    sweep.emit(Assign(made, call, span, unpack=len(made) > 1))
    pairs = ((bound[name], var) for name, var in zip(names, made, strict=True))
    return [(v, var) for v, var in pairs if isinstance(v, Var) and v in sweep.active]


def _bar_of(sweep: Sweep, name: str, operand: Expr) -> Var:
    """Return a name for what an argument receives."""
    called = base(operand.slot) if isinstance(operand, Var) else name
    made = Var(sweep.numbers.temp(called).slot + "~bar", 1)
    sweep.known[made] = sweep.fact(operand)
    return made


def bound_arguments(call: Call, span: Span) -> Mapping[str, Expr]:
    """Bind a call's arguments to its function's parameters, or refuse."""
    if any(isinstance(arg, Op) and arg.op == "star" for arg in call.args):
        raise starred(span)
    try:
        return arguments(call)
    except TypeError as error:
        raise Unsupported(
            f"this call does not fit its function: {error}",
            span,
            "Give it the arguments that it takes.",
        ) from error


def emit_reverse(
    sweep: Sweep,
    written: Written,
    params: tuple[str, ...],
    bound: Mapping[str, Expr],
    wrt: tuple[str, ...],
    results: tuple[Expr, ...],
    seeds: tuple[Var | None, ...],
    span: Span,
) -> list[tuple[Var, Expr]]:
    outs = {f"out{n}": result for n, result in enumerate(results)}
    bars = {f"bar{n}": seed for n, seed in enumerate(seeds)}
    args: list[Expr] = []
    for name in params:
        value = bound.get(name) or outs.get(name) or bars.get(name)
        assert value is not None
        args.append(value)
    call = Call(Ref(written.name, written), tuple(args))
    found = []
    for name in wrt:
        operand = bound[name]
        assert isinstance(operand, Var)
        made = sweep.numbers.temp(base(operand.slot))
        made = Var(made.slot + "~bar", 1)
        sweep.known[made] = sweep.facts.of(operand)
        found.append((operand, made))
    variables = tuple(made for _, made in found)
    sweep.emit(Assign(variables, call, span, unpack=len(variables) > 1))
    return list(found)
