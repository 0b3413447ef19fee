"""The derivatives of called functions: all by position, nothing left out, nothing unread.

x = layer(x, W, b)      ->      x_bar, W_bar, b_bar = layer_rev(x, W, out, x_bar)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from s2sad.ir.errors import InternalError, Unsupported
from s2sad.legacy.callee import Callees
from s2sad.legacy.derive import Derived, Form, results_of, returns_tuple, reverse
from s2sad.legacy.facts import Fact
from s2sad.legacy.normalise import gives_record
from s2sad.legacy.primal import Primal, prepared, refused_for_now
from s2sad.legacy.program import Const, Param, Var
from s2sad.legacy.tangents import forward, with_dots


def called_forward(
    function: Any, wrt: tuple[str, ...], given: Mapping[str, Fact], callees: Callees
) -> Derived:
    """Return the function that gives values and tangents of a called function."""
    primal = _prepared(function, wrt, given)
    callees.takes(tuple(p.var.slot for p in with_dots(primal.program.params, primal)))
    with refused_for_now(primal, given):
        derived = forward(primal, function.__name__, callees, flat=True)
    return _by_position(derived)


def _prepared(function: Any, wrt: tuple[str, ...], given: Mapping[str, Fact]) -> Primal:
    """Return a called function ready to be differentiated; dicts it makes are lowered in place."""
    primal = prepared(function, wrt, given)
    if primal.program.layout is not None:
        raise gives_record(function)
    return primal


def _by_position(derived: Derived) -> Derived:
    """Give the parameters of a called derivative by position, none of them left out."""
    plain = tuple(replace(p, kind="either", default=None) for p in derived.program.params)
    derived.program = replace(derived.program, params=plain)
    return derived


def called_reverse(
    function: Any,
    wrt: tuple[str, ...],
    given: Mapping[str, Fact],
    live: tuple[bool, ...],
    callees: Callees,
) -> tuple[Derived, tuple[str, ...]]:
    """Return the reverse of a called function, and which values it is handed, in order."""
    primal = _prepared(function, wrt, given)
    results = results_of(primal.program)
    if len(results) != len(live):
        raise InternalError("a call and its function disagree on the number of results")
    params = {param.var for param in primal.program.params}
    seeds, extra, outs, handed = [], [], {}, {}
    for number, (result, wanted) in enumerate(zip(results, live, strict=True)):
        if not isinstance(result, Var):
            continue
        if result not in params:
            out = Var(f"out&{number + 1}", 0)
            outs[result] = out
            handed[out.slot] = f"out{number}"
            extra.append(Param(out))
        if wanted:
            seed = Var(f"out&{number + 1}~bar", 0)
            handed[seed.slot] = f"bar{number}"
            extra.append(Param(seed))
            seeds.append((result, seed))
    own = [param.var.slot for param in (*primal.program.params, *extra)]
    callees.takes(tuple(handed.get(slot, slot) for slot in own))
    form = Form(single=len(wrt) == 1, outs=outs, trim=True)
    with refused_for_now(primal, given):
        derived = reverse(primal, function.__name__, seeds, tuple(extra), callees, form)
    taken = _by_position(derived).program.params
    return derived, tuple(handed.get(p.var.slot, p.var.slot) for p in taken)


def called_whole(
    function: Any,
    wrt: tuple[str, ...],
    given: Mapping[str, Fact],
    seeded: bool,
    callees: Callees,
) -> Derived:
    """Return the gradient of a function with all its parameters, or what pulls a seed back."""
    primal = _prepared(function, wrt, given)
    if returns_tuple(primal.program):
        raise Unsupported(
            f"{function.__name__} returns a tuple, and a solver takes one value",
            primal.program.span,
            "Return one number or array.",
        )
    result = primal.program.result
    seed = Var("seed&1", 0)
    seeds = [(result, seed if seeded else Const(1.0))] if isinstance(result, Var) else []
    extra = (Param(seed),) if seeded else ()
    derived = reverse(primal, function.__name__, seeds, extra, callees, Form(single=len(wrt) == 1))
    return _by_position(derived)
