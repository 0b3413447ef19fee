"""States that go to files and come back have a rule for any number of parts.

file = _to_disk(scratch, u, v)      ->    u_bar = file_bar[0] ; v_bar = file_bar[1]
[u, v] = _from_disk(file)           ->    file_bar = [u_bar, v_bar]

Tangents go to files of their own: file_dot = _to_disk(scratch, u_dot, v_dot).
"""

from __future__ import annotations

from s2sad.legacy.filling import Match
from s2sad.legacy.hooks.making import Y_BAR, Ask, Making
from s2sad.legacy.program import Call, Const
from s2sad.legacy.templating import TO_DISK


def rule_of(value: Call, fact: Ask, name: str) -> Match | None:
    """Return the rule of what writes a state, or reads one; None of what makes the directory."""
    making = Making(fact)
    if name == TO_DISK:
        scratch, *state = value.args
        parts = [making.leaf(part, Const(place)) for place, part in enumerate(state)]
        return making.match(name, Call(value.func, (scratch, *parts)))
    (file,) = value.args
    return making.match(name, Call(value.func, (making.operand(file, lambda _: Y_BAR),)))
