"""What has to be known while lowering, and how to ask for it.

need(m, n)      what n is; where that is not known, lowering begins again so that it is
"""

from __future__ import annotations

from typing import Any

from s2sad.ir.errors import Refused, UnknownFunction
from s2sad.lowering.machine import Machine
from s2sad.lowering.values import Choice, Code, Data, Demand, Tup, Value


def demand_structure(m: Machine, owner: Data) -> None:
    """Something that is no data goes into memory: make it a structure, if that is possible."""
    for origin in owner.origins:
        if origin[0] == "structure" and origin not in m.choices:
            raise Demand(origin)


def need(m: Machine, value: Value) -> Any:
    """Return what a value is, or ask for a lowering in which that is known."""
    if isinstance(value, Tup):
        return tuple(need(m, part) for part in value.parts)
    if isinstance(value, Code):
        return value.obj
    data = m.to_data(value)
    if data.known is not None:
        return data.known.value
    ask(m, data)
    problem = "what this line needs is not known when the derivative is made"
    hint = (
        "A name, key, option or number of items decides here what is computed: write it out, choose\n"
        "with an `if`, or give an example of the arguments: like=(...)."
    )
    raise Refused(UnknownFunction(problem, m.span, hint))


def ask(m: Machine, value: Data) -> None:
    """Begin again with a choice that makes a value known, if there is one."""
    for origin in _open_choices(m, value):
        raise Demand(origin)


def can_be_known(m: Machine, value: Data) -> bool:
    """Tell whether a choice that was not made yet would make a value known."""
    return bool(_open_choices(m, value))


def _open_choices(m: Machine, value: Data) -> list[Choice]:
    """Return the choices that would make a value known, and were neither made nor refused."""
    found = [o for o in sorted(value.origins, key=str) if o[0] in ("unroll", "known")]
    return [o for o in found if not {o, ("no " + o[0], *o[1:])} & m.choices]


def comes_from_a_choice(value: Data) -> bool:
    """Tell whether a choice would make a value known, or was made for that."""
    return any(origin[0] in ("unroll", "known") for origin in value.origins)
