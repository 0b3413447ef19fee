"""The answer to a request: a text, the function to call in it, and what it relies on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from s2sad.emit.constants import constant_text
from s2sad.operators.custom import Custom

# how the message of a text ends that met an object whose operators it does not know
NOT_FOLLOWED = "has operators of its own, which are not followed"


@dataclass(frozen=True)
class Derivative:
    """The text of a derivative, the function to call in it, and what it was made from."""

    source: str
    name: str
    bindings: Mapping[str, object]
    assumptions: frozenset[str]
    program: Any = None
    # constants that can be changed where they stand, which is where a call reads them; their texts
    live: Mapping[str, tuple[object, str]] = field(default_factory=dict)
    # derivatives of their own that copied functions were given
    customs: Mapping[str, Custom] = field(default_factory=dict)
    # which functions of the user's those are copies of for which there are rules
    copies: Mapping[str, Any] = field(default_factory=dict)
    # what is needed of the result is known: for a gradient, that it is a scalar
    checked: bool = True
    # the parameters that the primal writes to in place
    written: frozenset[str] = frozenset()
    # what the text checks of values that it computes
    assumed_inside: frozenset[str] = frozenset()
    by_rooms: bool = False
    is_long: bool = False
    text_of: Callable[[object], str | None] = constant_text
