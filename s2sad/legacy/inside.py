"""Derivatives that a function takes inside itself become functions of their own.

    slope = s2sad.grad(lambda y: x * y**2)      ->      slope(3.0)  is  f_inner_grad(3.0, x)
    return slope(3.0)

What the inner function reads is handed on as further arguments, so that the outer derivative sees
it: two derivatives never share a perturbation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from s2sad.api.request import Given
from s2sad.ir.errors import ArgumentError, S2sadError, Span, Unsupported
from s2sad.legacy.blocks import all_reads, map_blocks, map_everywhere
from s2sad.legacy.callee import own_lengths
from s2sad.legacy.calls import makes_derivative
from s2sad.legacy.extracted import Inner, built
from s2sad.legacy.facts import Fact
from s2sad.legacy.inner import definitions, keeps_its_values
from s2sad.legacy.program import Assign, Block, Call, Const, Expr, Op, Opaque, Program, Ref, Var
from s2sad.legacy.traverse import defines, reads, statements, transform

Known = Callable[[Expr], Fact]


@dataclass(frozen=True, slots=True)
class Made:
    """A derivative, and what its function reads of the function it was made in."""

    derivative: Any
    captured: tuple[Var, ...] = ()


def with_functions(program: Program, known: Known, whole: Program) -> Program:
    """Return the program in which derivatives that are called are functions of their own.

    `whole` is the program with its dead code (inner.py).
    """
    made = dict(_made(program, whole))
    begun = dict(_whole_at_first(program, known))

    def put(expr: Expr) -> Expr:
        return _put(expr, made, known, begun, program.span)

    body = map_everywhere(_without(program.body, made.keys()), lambda expr: transform(expr, put))
    done = replace(program, body=body, result=transform(program.result, put))
    _refuse_other_uses(done, made)
    return _without_unused(done, made) if made else done


# ---------------------------------------------------------------------------- finding


def is_derivative(value: object) -> bool:
    """Tell whether an object is a derivative that s2sad made."""
    return type(value).__name__ == "DerivativeFunction"


def _made(program: Program, whole: Program) -> Iterator[tuple[Var, Made]]:
    """Yield the names that hold a derivative."""
    inner = dict(definitions(program))
    found: dict[Var, Made] = {}
    for stmt in statements(program.body):
        match stmt:
            case Assign((var,), Call(func, (first, *others), keywords)) if makes_derivative(func):
                function, captured = _function(whole, first, inner, found, stmt.span)
                options = {name: _option(name, value, stmt.span) for name, value in keywords}
                args = [_static(each, stmt.span) for each in others]
                assert isinstance(func, Ref)
                found[var] = Made(func.value(function, *args, **options), captured)
                yield var, found[var]


def _function(
    whole: Program, value: Expr, inner: Mapping[Var, Opaque], made: Mapping[Var, Made], span: Span
) -> tuple[Any, tuple[Var, ...]]:
    """Return what is differentiated, and the values of the program that it reads."""
    if isinstance(value, Ref):
        return value.value, ()
    if isinstance(value, Var) and value in made:
        return made[value].derivative, made[value].captured
    if isinstance(value, Var) and value in inner:
        if not keeps_its_values(whole, value, inner[value]):
            raise Unsupported(
                "what this function reads is given another value, and its derivative would not know",
                inner[value].place or span,
                "Give the values that it reads names of their own.",
            )
        out: Inner = built(whole, inner[value], list(inner).index(value))
        return out.ref.value, out.captured
    raise Unsupported(
        "it is not known which function is differentiated here",
        span,
        "Name the function: s2sad.grad(f), or a lambda, or a def with plain parameters.",
    )


def _option(name: str, value: Expr, span: Span) -> Any:
    """Return an option of a derivative; rules may have a name outside the function."""
    if name == "rules" and isinstance(value, Ref):
        return value.value
    return _static(value, span)


def _static(value: Expr, span: Span) -> Any:
    match value:
        case Const():
            return value.value
        case Op("tuple" | "list", args):
            return tuple(_static(arg, span) for arg in args)
    raise Unsupported(
        "the options of a derivative are written out", span, "Write names or numbers."
    )


# ---------------------------------------------------------------------------- putting in place


def _put(
    expr: Expr, made: Mapping[Var, Made], known: Known, begun: Mapping[str, Span], span: Span
) -> Expr:
    match expr:
        case Call(Var() as func, args, keywords) if func in made:
            call = _called(made[func], args, keywords, known, span)
            _refuse_whole_numbers(made[func].derivative, call, known, begun, span)
            return call
        case Call(Ref(_, value), args, keywords) if is_derivative(value):
            call = _called(Made(value), args, keywords, known, span)
            _refuse_whole_numbers(value, call, known, begun, span)
            return call
        case Var() if expr in made and not made[expr].captured:
            return Ref(made[expr].derivative.__name__, made[expr].derivative)
    return expr


def _called(
    made: Made,
    args: tuple[Expr, ...],
    keywords: tuple[tuple[str, Expr], ...],
    known: Known,
    span: Span,
) -> Call:
    """Return the call of a derivative's own function, with what it reads handed on."""
    derivative = made.derivative
    names = [name for name in derivative.__signature__.parameters if name not in derivative.extra]
    own = len(names) - len(made.captured)
    handed = zip(names[own:], made.captured, strict=True)
    added = zip(derivative.extra, args[own:], strict=False)
    call = Call(Ref("", None), args[:own], (*keywords, *handed, *added))
    return replace(call, func=_emitted(derivative, call, known, span))


def _refuse_whole_numbers(
    derivative: Any, call: Call, known: Known, begun: Mapping[str, Span], span: Span
) -> None:
    """Refuse a derivative with respect to integers: called by itself it refuses them, too."""
    bound = derivative.__signature__.bind(*call.args, **dict(call.keywords)).arguments
    for name in derivative.request.wrt:
        value = bound.get(name)
        if value is None:
            continue
        first = begun.get(value.slot) if isinstance(value, Var) else None
        maybe = first is not None and _may_be_whole(known(value))
        if maybe or _is_whole(known(value)):
            raise ArgumentError(
                f"{name} of {derivative.__name__} holds integers here: "
                "cannot differentiate with respect to it",
                first or span,
                "Make them floats: 1.0, or x.astype(float).",
            )


def _whole_at_first(program: Program, known: Known) -> Iterator[tuple[str, Span]]:
    """Yield the names that are given integers, or lists of them, at some place."""
    for stmt in statements(program.body):
        if isinstance(stmt, Assign) and len(stmt.targets) == 1 and not stmt.unpack:
            if _is_whole(known(stmt.target)):
                yield stmt.target.slot, stmt.span


def _is_whole(fact: Fact) -> bool:
    """Tell whether a value is an integer or a bool, or holds one, for sure."""
    if fact.kind in ("int", "bool"):
        return True
    if fact.kind in ("list", "tuple", "dict"):
        return any(map(_is_whole, fact.items))
    return fact.is_array and fact.dtype.startswith(("int", "uint", "bool"))


def _may_be_whole(fact: Fact) -> bool:
    """Tell whether a value may be an integer on some way, or hold one."""
    if fact.kind in ("list", "tuple", "dict"):
        return any(map(_may_be_whole, fact.items))
    return fact.weak is None or (fact.is_array and not fact.dtype)


def _emitted(derivative: Any, call: Call, known: Known, span: Span) -> Ref:
    """Return the function of a derivative's text: for any arguments, or for these."""
    bound = derivative.__signature__.bind(*call.args, **dict(call.keywords)).arguments
    own = {name: known(value) for name, value in bound.items() if name not in derivative.extra}
    given = own_lengths(own)
    try:
        plain = derivative.derivative(derivative.request.given)
        if not plain.checked:
            _refuse_no_scalar(derivative, given)
        function = derivative.by_first_core(derivative.request.given)
    except ArgumentError:
        raise
    except S2sadError:
        try:
            function = derivative.by_first_core(given)
        except S2sadError as problem:
            raise Unsupported(
                f"{derivative.__name__} has no text: {problem}",
                span,
                "Differentiate it outside, and give the result as an argument.",
            ) from problem
    return Ref(derivative.__name__, function)


def _refuse_no_scalar(derivative: Any, given: Given) -> None:
    """Refuse the gradient of an array, if what is known of the arguments tells that it is one."""
    try:
        derivative.derivative(given)
    except ArgumentError:
        raise
    except S2sadError:
        return  # the text for any arguments does


def _without(block: Block, gone: Any) -> Block:
    return tuple(
        map_blocks(stmt, lambda inner: _without(inner, gone))
        for stmt in block
        if not any(var in gone for var in defines(stmt))
    )


def _without_unused(program: Program, made: Mapping[Var, Made]) -> Program:
    """Return the program without the functions that only derivatives were made of."""
    used = {var for stmt in program.body for var in all_reads(stmt)} | set(reads(program.result))
    gone = [var for var, _ in definitions(program) if var not in used]
    return replace(program, body=_without(program.body, gone))


def _refuse_other_uses(program: Program, made: Mapping[Var, Made]) -> None:
    used = {var for stmt in program.body for var in all_reads(stmt)} | set(reads(program.result))
    if any(var in used for var in made):
        raise Unsupported(
            "a derivative of a function made inside is used other than in a call",
            program.span,
            "Call it here, or define its function outside.",
        )
