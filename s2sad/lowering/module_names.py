"""Names of the module and its classes that a function gives a value: variables of the call, as those of `nonlocal`.

def f(x):
    global kept            kept is a variable of the program; the module is left alone
    kept = np.sum(x)
    return kept * x[0]

Body.count += 1            and so is what a class holds, where it may be asked through an object, too

What such a name held before the call is an `Entry`: a text that reads it would give something else in
the next call, and is refused where it is written.
"""

from __future__ import annotations

from typing import Any

from s2sad.ir.errors import Span
from s2sad.ir.records import dataclass
from s2sad.ir.remedies import counted
from s2sad.ir.types import UNKNOWN, Number, Type
from s2sad.lowering.machine import MODULE, Machine, Slot, closure_at, global_expr, refusal
from s2sad.lowering.typing import describe
from s2sad.lowering.unions import Union, members_of, names_of
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


def slot_of_class(m: Machine, cls: Any, wanted: str) -> Slot:
    """Return the slot of what a class of the module holds, and is given another value."""
    key, held = _key_of_class(cls, wanted), vars(cls).get(wanted)
    is_plain = type(cls) is type and wanted in vars(cls) and not hasattr(type(held), "__get__")
    if not is_plain or issubclass(cls, Union) or cls in m.made or "<locals>" in key:
        raise counted(f"{cls.__name__}.{wanted}", m.span)
    if key not in m.heap[MODULE].slots:
        raise Demand((STATE, (key, Same(held), m.span)))
    _refuse_inside(m, wanted)
    return MODULE, key


def value_of_class(m: Machine, cls: Any, wanted: str) -> Value | None:
    """Return what a class holds that is given a value in this call, be it a base of it; None for others."""
    if not is_given(m, cls, wanted):
        return None
    _refuse_inside(m, wanted)
    base, *others = _holding(cls, wanted)
    if others:
        raise refusal(
            m, f"{wanted}, which {names_of(cls)} holds apart, and which is given a value,"
        )
    return m.heap[MODULE].slots[_key_of_class(base, wanted)]


def is_given(m: Machine, cls: Any, wanted: str) -> bool:
    """Tell whether what a class holds is given a value in this call."""
    slots = m.heap[MODULE].slots
    return bool(slots) and any(_key_of_class(c, wanted) in slots for c in _holding(cls, wanted))


def _holding(cls: Any, wanted: str) -> list[type]:
    """Return the bases that hold what a class is asked for: of one of several, that of each."""
    found = (next((b for b in c.__mro__ if wanted in vars(b)), None) for c in members_of(cls))
    return list(dict.fromkeys(base for base in found if base is not None))


def fields_of_classes(m: Machine) -> set[str]:
    """Return what the fields of classes are called that are given a value in this call."""
    return {key.rpartition(".")[2] for key in m.heap[MODULE].slots if ":" in key}


def _key_of_class(cls: Any, wanted: str) -> str:
    return f"{cls.__module__}:{cls.__qualname__}.{wanted}"


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
    expr = global_expr(
        m, f"{name}_before", Entry(key.rpartition(":")[2] if ":" in key else name, span)
    )
    return Data(expr.typed(_type_of(m, held, name)))


def _type_of(m: Machine, held: Any, name: str) -> Type:
    if isinstance(held, int | float | complex):
        found = type_of_literal(held)
        return Number(found.dtype) if isinstance(found, Number) else found
    return UNKNOWN if callable(held) else describe(m, held, name)
