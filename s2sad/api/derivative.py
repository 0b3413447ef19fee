"""The answer to a request: a text, the function to call in it, and what it relies on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from s2sad.emit.constants import constant_text

# how the message of a text ends that met an object whose operators it does not know
NOT_FOLLOWED = "has operators of its own, which are not followed"


@dataclass(frozen=True)
class Derivative:
    """The text of a derivative, the function to call in it, and what it was made from."""

    source: str
    name: str
    bindings: Mapping[str, object]
    assumptions: frozenset[str]
    # constants that can be changed where they stand, which is where a call reads them; their texts
    live: Mapping[str, tuple[object, str]] = field(default_factory=dict)
    # the parameters that the primal writes to in place
    written: frozenset[str] = frozenset()
    text_of: Callable[[object], str | None] = constant_text

    @property
    def is_outdated(self) -> bool:
        """Whether a list, dict or array whose values the text holds has others by now."""
        return any(self.text_of(value) != text for value, text in self.live.values())
