"""A forward sweep along one direction becomes one along many at once.

    r_dot = c_dot * x                directions = len(c_dot)
    return np.sum(r_dot)      ->     r_dot = c_dot[:, None] * x
                                     return np.sum(r_dot, axis=1)

Every tangent gets an axis of directions in front; values stay what they are, so branches, loops and
all that is computed of values alone is computed once. Each operation on a tangent is told where the
axis is, from what is known of ranks. What has no such form is refused with its line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sad.ir.errors import Unsupported
from s2sad.legacy.directions.keys import CONTAINERS
from s2sad.legacy.directions.many import carriers
from s2sad.legacy.directions.statements import lifted_block
from s2sad.legacy.facts import Dim, Fact
from s2sad.legacy.products import Known
from s2sad.legacy.program import Assign, Call, Param, Program, Ref, Var, dot
from s2sad.legacy.scope import Numbers

COUNT = Dim("directions")
LEN = Ref("len", len)


def with_directions(
    program: Program, known: Known, numbers: Numbers
) -> tuple[Program, Callable[[Var], Fact]]:
    """Return a forward program along many directions, and what is known of its values."""
    many = carriers(program)
    count = numbers.temp("directions")
    first = _first_tangent(program, known)
    body = lifted_block(program.body, known, many, count)
    body = (Assign((count,), Call(LEN, (first,)), program.span), *body)

    def along(var: Var) -> Fact:
        if var == count:
            return Fact("int", "int64", (), weak=True, extent=(COUNT,))
        return _with_axis(known(var)) if var in many else known(var)

    return replace(program, body=body), along


def _first_tangent(program: Program, known: Known) -> Var:
    """Return a parameter that tells how many directions there are."""
    tangents = [param.var for param in program.params if _is_tangent(param)]
    for var in tangents:
        if known(var).rank is not None:
            return var
    if all(known(var).kind in CONTAINERS for var in tangents):
        raise Unsupported(
            "many directions at once are given for numbers and arrays, not for what holds them",
            program.span,
            "Take one direction at a time: s2sad.jvp.",
        )
    error = Unsupported(
        "how many axes an argument has decides about the text for many directions at once",
        program.span,
        "Give examples of all arguments: like=(...).",
    )
    error.certain = False
    raise error


def _is_tangent(param: Param) -> bool:
    return param.var.slot.endswith(dot(""))


def _with_axis(fact: Fact) -> Fact:
    """Return what is known of a tangent along many directions."""
    if fact.kind in ("list", "tuple", "dict", "record"):
        return replace(fact, items=tuple(map(_with_axis, fact.items)))
    if fact.rank is None or not isinstance(fact.shape, tuple):
        return Fact("array", fact.dtype) if fact.is_array else Fact("unknown")
    return Fact("array", fact.dtype, (COUNT, *fact.shape))
