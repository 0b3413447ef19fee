"""A named tuple that something only reads as a sequence is the tuple of its fields.

sum(p, 1.0)            parts = (p_x$1, p_y$1); sum(parts, 1.0)
enumerate(p, 2)        [*p, 2.0]        itertools.combinations(p, 2)        p[i]

So is a dict, wherever its keys are gone through, the tuple of these.
"""

from __future__ import annotations

import functools
import itertools
import math
import statistics
from collections.abc import Iterable
from typing import Any

import gast

from s2sad.legacy.program import Op
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import records
from s2sad.legacy.statics.kinds import Fields, Record, is_sequence
from s2sad.source.names import root_of
from s2sad.source.text import resolve_dotted

# what these are given they go through, and keep nothing of but the items
READERS = (
    *(sum, max, min, list, tuple, sorted, reversed, enumerate, zip, any, all, map, filter, iter),
    *(functools.reduce, itertools.chain.from_iterable),
)
OF_READERS = (itertools, math, statistics)
# one of these gives the whole again; the others, where they are given several, one of them
WHOLE_AGAIN = (itertools.repeat, itertools.tee)
OF_SEVERAL = (max, min)


def only_reads(call: Any, scope: Scope) -> bool:
    """Tell whether a call goes through what it is given, and keeps nothing of it but the items."""
    root = getattr(root_of(call.func), "id", None)
    if root is None or root in scope.locals:
        return False
    found = resolve_dotted(scope.source, call.func)
    value = None if found is None else found[1]
    if not callable(value) or any(value is each for each in WHOLE_AGAIN):
        return False
    if any(value is each for each in OF_SEVERAL) and len(call.args) > 1:
        return False
    if any(value == each for each in READERS):
        return True
    return any(value is made for each in OF_READERS for made in vars(each).values())


def is_plain(record: Record | None, scope: Scope) -> bool:
    """Tell whether a record is a named tuple of values, and has a tuple's ways of its items."""
    if record is None or not issubclass(record.kind, tuple) or record.kind is tuple:
        return False
    fields, statics = scope.held.statics.get(record.place), scope.held.statics
    if not is_sequence(record.kind) or not isinstance(fields, Fields):
        return False
    return not any(records.slot_of(record, key) in statics for key in fields.keys)


def as_name(record: Record, node: Any, scope: Scope) -> Any:
    """Return the name of a tuple of the fields of a record, which is made before the statement."""
    name, scope.called_after = scope.called_after, record.name
    made = scope.temp(Op("tuple", records.values_of(record, scope, node)), node)
    scope.called_after = name
    slot = records.known_as_name(scope.hold_again(made).slot, scope)
    return gast.copy_location(gast.Name(slot, gast.Load(), None, None), node)


def keys(record: Record, node: Any, scope: Scope) -> Any:
    """Return the display of the keys of a dict, where they are numbers and texts."""
    held = records.keys_of(record, scope, node)
    if record.kind is not dict or not are_plain(held):
        return None
    shown = [gast.copy_location(gast.Constant(key, None), node) for key in held]
    return gast.copy_location(gast.Tuple(shown, gast.Load()), node)


def are_plain(held: Iterable[Any]) -> bool:
    """Tell whether keys are numbers and texts."""
    return all(isinstance(key, str | int | float | bool) for key in held)
