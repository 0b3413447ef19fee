"""Lists, tuples and dicts that a gradient is taken by: a function is handed what they hold.

grad(loss, "p")([W, b], x)      loss(p_0, p_1, x), which begins with p = [p_0, p_1]
                                [*loss_grad_p(W, b, x)]: the slopes are packed as the argument is
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2sad.ir.records import replace
from s2sad.ir.types import Tuple
from s2sad.lowering import demands, displays, items, reflection
from s2sad.lowering.machine import Machine, refusal
from s2sad.lowering.values import BY_PLACE, Data, Packed, Ref, Tup, Value, literal


def packed(m: Machine, value: Value) -> Value:
    """Return a list, tuple or dict as the values that it holds; others as they are."""
    kind = _kind(m, value)
    if kind is None:
        return value
    if isinstance(value, Data):
        demands.ask_for_slots(m, value)
    if kind is dict:
        pairs = items.dict_items(m, value)
        keys = tuple(demands.need(m, key) for key, _ in pairs)
        return Packed(tuple(packed(m, part) for _, part in pairs), dict, keys)
    if isinstance(value, Data) and items.fixed_length(m, value) is None:
        demands.demand_open(m, value.origins, "structure")
        raise refusal(m, "a gradient by a list whose length is not known")
    parts = tuple(packed(m, part) for part in items.parts_of(m, value))
    return Packed(parts, list) if kind is list else Tup(parts, kind)


def _kind(m: Machine, value: Value) -> type | None:
    """Return the class of a container whose parts a gradient is taken by."""
    if isinstance(value, Tup):
        return value.cls
    if isinstance(value, Ref):
        return {"list": list, "dict": dict}.get(m.heap[value.id].kind)
    if not isinstance(value, Data):
        return None
    cls = reflection.class_of_data(m, value.type)
    return cls if isinstance(value.type, Tuple) or cls in (list, dict) else None


def unpacked(m: Machine, value: Value, site: Any) -> Value:
    """Return the list, tuple or dict that holds what is packed, to any depth."""
    if not isinstance(value, Tup):
        return value
    parts = tuple(unpacked(m, part, (*site, k)) for k, part in enumerate(value.parts))
    m.choices |= {(BY_PLACE, site)}
    return built(m, replace(value, parts=parts), site)


def built(m: Machine, value: Tup, site: Any) -> Value:
    """Return the list, tuple or dict that holds some values."""
    parts = list(value.parts)
    if not isinstance(value, Packed):
        return displays.tuple_of(m, parts) if value.cls is tuple else value
    if value.cls is list:
        return displays.list_of(m, parts, site)
    pairs = zip(map(literal, value.keys), parts, strict=True)
    return displays.dict_of(m, list(pairs), site)


def leaves(value: Value) -> Iterator[Value]:
    """Yield what is no container, of what is packed."""
    if isinstance(value, Tup):
        for part in value.parts:
            yield from leaves(part)
    else:
        yield value


def with_leaves(value: Value, others: Iterator[Value]) -> Value:
    """Return what is packed as something else is."""
    if not isinstance(value, Tup):
        return next(others)
    return replace(value, parts=tuple(with_leaves(part, others) for part in value.parts))
