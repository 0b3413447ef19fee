"""Keys of dicts: those that are constant have a slot each, params["w"].

for name in sorted(params):     the call as it is written, or ["b", "w"] where its items differ
    ... params[name] ...
"""

from __future__ import annotations

from typing import Any

from s2sad.ir.types import Reference
from s2sad.lowering import demands, iterables, subscripts
from s2sad.lowering.machine import Machine, refusal
from s2sad.lowering.subscripts import VIEWS
from s2sad.lowering.typing import TEXT, reference
from s2sad.lowering.values import Data, Value, written_out


def constant_keys(m: Machine, value: Value) -> list[Any] | None:
    """Return the keys of a dict, or of its view of them, that are constant and there in every run."""
    found = viewed(m, value)
    return certain_keys(m, found[0]) if found is not None and found[1] == "keys" else None


def viewed(m: Machine, value: Value) -> tuple[Data, str] | None:
    """Return the dict with constant keys that a value is, or is a view of, and what that gives."""
    if not isinstance(value, Data):
        return None
    expr, word = value.expr, "keys"
    if expr.op == "call" and expr.args[0].op == "attribute" and expr.args[0].data in VIEWS:
        value, word = Data(expr.args[0].args[0], value.origins), expr.args[0].data
    is_fixed = _slots(m, value) is not None and subscripts.fixed_length(m, value) is not None
    return (value, word) if is_fixed else None


def certain_keys(m: Machine, value: Data) -> list[Any]:
    """Return the keys of a dict under constant keys, if each is there in every run."""
    found = reference(value.type)
    assert found is not None
    keys = list(m.memory.of(found).slots)
    if all(m.memory.is_certain(found, key) for key in keys):
        return keys
    demands.demand_open(m, value.origins, "structure", "keys")
    raise refusal(m, "the keys of a dict that some ways alone store")


def key_of(m: Machine, owner: Data, place: Data) -> Data:
    """Return a key as it is written out where each key of a dict has a slot."""
    return place if _slots(m, owner) is None else written_out(place)


def ask_for_key(m: Machine, owner: Data, place: Data) -> None:
    """Ask for the key of a dict with constant keys, or for a dict under keys that are not."""
    if place.type == TEXT or iterables.is_of_several_types(m, owner):
        demands.ask(m, place)
    demands.demand_open(m, owner.origins, "keys")
    demands.ask(m, place)


def _slots(m: Machine, owner: Data) -> Reference | None:
    """Return what refers to a dict of which each key has a slot."""
    found = reference(owner.type)
    kept = None if found is None else m.memory.of(found)
    return found if kept is not None and kept.kind == "fields" and kept.cls is dict else None
