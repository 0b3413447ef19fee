"""Names of the module that a function gives a value: variables of the call, as names of `nonlocal` are.

def f(x):
    global kept            kept is a variable of the program; the module is left alone
    kept = np.sum(x)
    return kept * x[0]

What such a name held before the call is an `Entry`: a text that reads it would give something else in
the next call, and is refused where it is written.
"""

from __future__ import annotations

from typing import Any

from s2sad.ir.errors import Span
from s2sad.ir.records import dataclass
from s2sad.ir.types import UNKNOWN, Number, Type
from s2sad.lowering.machine import MODULE, Machine, Slot, closure_at, global_expr, refusal
from s2sad.lowering.typing import describe
from s2sad.lowering.values import Closure, Data, Demand, Value, literal, type_of_literal
from s2sad.source.outside import Same

STATE = "state"


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """What a name of the module held before the call; `span` is where it is given another value."""

    name: str
    span: Span | None


def slot_of_module(m: Machine, wanted: str) -> Slot:
    """Return the slot of a name of the module that is given a value."""
    closure = closure_at(m)
    key = _key(closure, wanted)
    if key not in m.heap[MODULE].slots:
        raise Demand((STATE, (key, Same(closure.module.get(wanted)), m.span)))
    _refuse_inside(m, wanted)
    return MODULE, key


def value_of_module(m: Machine, closure: Closure, wanted: str) -> Value | None:
    """Return what a name of the module holds that is given a value in this call; None for others."""
    found = m.heap[MODULE].slots.get(_key(closure, wanted)) if m.heap[MODULE].slots else None
    if found is not None:
        _refuse_inside(m, wanted)
    return found


def enter_module(m: Machine) -> None:
    """Put what the names that are given a value held before the call into their slots."""
    for choice in sorted((c for c in m.choices if c[0] == STATE), key=lambda c: str(c[1][0])):
        key, before, span = choice[1]
        if key not in m.heap[MODULE].slots:
            m.heap[MODULE].slots[key] = _entry(m, key, before.value, span)


def _key(closure: Closure, wanted: str) -> str:
    return f"{closure.module.get('__name__', '')}.{wanted}"


def _refuse_inside(m: Machine, wanted: str) -> None:
    """Refuse a function of its own: what it shares with others is seen where it is run in place."""
    if m.making:
        raise refusal(m, f"{wanted}, which belongs to the module, is given a value")


def _entry(m: Machine, key: str, held: Any, span: Span | None) -> Data:
    if held is None:  # what is made when it is first asked for
        return literal(None)
    name = key.rpartition(".")[2]
    expr = global_expr(m, f"{name}_before", Entry(name, span))
    return Data(expr.typed(_type_of(m, held, name)))


def _type_of(m: Machine, held: Any, name: str) -> Type:
    if isinstance(held, int | float | complex):
        found = type_of_literal(held)
        return Number(found.dtype) if isinstance(found, Number) else found
    return UNKNOWN if callable(held) else describe(m, held, name)
