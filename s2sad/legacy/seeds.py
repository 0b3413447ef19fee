"""Where a reverse sweep starts: the adjoints of results, given or 1, and what cannot have any.

grad: 1.0 for a real scalar      vjp: seed, or seed[0] and seed[1] of two results
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from s2sad.api.request import Request
from s2sad.ir.errors import ArgumentError
from s2sad.legacy.derive import results_of, returns_tuple
from s2sad.legacy.layout import parts_of, put_together, taken_apart
from s2sad.legacy.primal import Primal
from s2sad.legacy.program import Call, Const, Expr, Op, Param, Program, Ref, Var
from s2sad.source.places import result_place

FULL_LIKE = Ref("np.full_like", np.full_like)
Seeds = list[tuple[Var, Expr]]


def seeds_of(request: Request, primal: Primal) -> tuple[Seeds, tuple[Param, ...]]:
    """Return the adjoints of results, and the parameter that gives them, if there is one."""
    refuse_no_number(request, primal)
    results = results_of(primal.program)
    if request.form == "elementwise":
        return _ones(request, primal), ()
    if not wants_scalar(request):
        return _given(primal, results)
    if request.aux:
        results = _value_and_aux(request, primal)[:1]
    elif primal.program.layout is not None:
        raise ArgumentError(
            f"{request.function.__name__} returns a {primal.program.layout.kind.__name__}, and grad takes a scalar",
            result_place(request.function),
            "Use s2sad.vjp with a seed of the result's structure, or return one number.",
        )
    elif returns_tuple(primal.program):
        count = f"{len(results)} values" if len(results) != 1 else "a tuple of one value"
        raise ArgumentError(
            f"{request.function.__name__} returns {count}, and grad takes a scalar",
            result_place(request.function),
            "Use s2sad.vjp, which takes a seed for every value, or return one number; of (value, aux) "
            "has_aux=True differentiates the first.",
        )
    _check_scalar(request, primal, results[0])
    return [(results[0], Const(1.0))] if isinstance(results[0], Var) else [], ()


def _value_and_aux(request: Request, primal: Primal) -> tuple[Expr, ...]:
    """Return the two results of a function that returns (value, aux)."""
    results, layout = results_of(primal.program), primal.program.layout
    parts = results if layout is None else layout.parts
    whole = layout is None or (layout.kind is tuple and parts[0] is None)
    if not returns_tuple(primal.program) or len(parts) != 2 or not whole:
        raise ArgumentError(
            f"{request.function.__name__} does not return (value, aux), which has_aux asks for",
            result_place(request.function),
            "End it with: return value, aux.",
        )
    return results


def aux_of(program: Program) -> Expr:
    """Return what a function returns beside its value: a dict or an object in parts."""
    results = results_of(program)
    return results[1] if program.layout is None else Op("tuple", results[1:])


def with_aux(whole: Program, value: bool) -> Program:
    """Return a gradient beside which a dict or an object comes back, put together again."""
    if whole.layout is None:
        return whole
    first, second = parts_of(whole.result)
    if value:
        made = (put_together(whole.layout, first), second)
    else:
        made = (first, put_together(whole.layout.parts[1], second))
    return replace(whole, result=Op("tuple", made))


def _ones(request: Request, primal: Primal) -> Seeds:
    """Return the seed of a function that maps each element to one of its own."""
    result = primal.program.result
    fact = primal.facts.expr(result)
    (given,) = (primal.facts.of(p.var) for p in primal.program.params if p.var.slot in request.wrt)
    known = None not in (fact.rank, given.rank)
    if fact.kind in ("list", "tuple", "dict") or (known and fact.rank != given.rank):
        raise ArgumentError(
            f"{request.function.__name__} does not return one number for each of its argument",
            result_place(request.function),
            "Use s2sad.jacobian, or s2sad.vjp with a seed.",
        )
    if not isinstance(result, Var):
        return []
    # a rule may hand on the adjoint as it is: it has the shape of the result from the start
    seed = Const(1.0) if fact.is_scalar else Call(FULL_LIKE, (result, Const(1.0)))
    return [(result, seed)]


def seeds_apart(params: tuple[Param, ...]) -> tuple[Param, ...]:
    """Return the parameters with seeds before those by name, themselves by name if need be."""
    seeds = [p for p in params if p.var.slot.startswith("seed&")]
    own = [p for p in params if p not in seeds]
    named = [p for p in own if p.kind == "keyword"]
    positional = [p for p in own if p not in named]
    if not any(p.default is not None for p in positional):
        return (*positional, *seeds, *named)
    return (*positional, *named, *(replace(p, kind="keyword") for p in seeds))


def wants_scalar(request: Request) -> bool:
    seeded = request.seed or request.form in ("elementwise", "jacobian")
    return request.mode == "reverse" and not seeded


def _check_scalar(request: Request, primal: Primal, result: Expr) -> None:
    fact = primal.facts.expr(result)
    if fact.kind == "complex" or fact.dtype.startswith("complex"):
        raise ArgumentError(
            f"{request.function.__name__} returns a complex number, and grad takes a real one",
            result_place(request.function),
            "Return its real part, np.real(...), or what you make of it.",
        )
    if fact.kind in ("list", "tuple", "dict", "none", "str") or (fact.is_array and fact.rank):
        kind = "nothing" if fact.kind == "none" else f"a {fact.kind}"
        shape = f"an array of rank {fact.rank}" if fact.is_array else kind
        raise ArgumentError(
            f"{request.function.__name__} returns {shape}, and grad takes a scalar",
            result_place(request.function),
            "Use s2sad.vjp with a seed of the result's shape, or sum the result.",
        )


def _given(primal: Primal, results: tuple[Expr, ...]) -> tuple[Seeds, tuple[Param, ...]]:
    seed = Var("seed&1", 0)
    if not returns_tuple(primal.program):
        seeds = [(results[0], seed)] if isinstance(results[0], Var) else []
        return seeds, (Param(seed),)  # type: ignore[return-value]
    layout = primal.program.layout
    if layout is None:
        parts: Iterable[Expr] = (Op("index", (seed, Const(n))) for n in range(len(results)))
    else:
        parts = taken_apart(layout, seed)
    pairs = zip(results, parts, strict=True)
    found = [(result, part) for result, part in pairs if isinstance(result, Var)]
    return found, (Param(seed),)


def refuse_no_number(request: Request, primal: Primal) -> None:
    """Refuse a function that returns nothing, or a text: there is nothing to differentiate."""
    kind = primal.facts.expr(primal.program.result).kind
    if kind in ("none", "str"):
        what = "nothing" if kind == "none" else "a text"
        raise ArgumentError(
            f"{request.function.__name__} returns {what}: there is nothing to differentiate",
            result_place(request.function),
            "Return a number, an array, or a list or tuple of them.",
        )
