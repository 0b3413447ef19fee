"""What the rules of this package share: the function at hand, new names, what to open.

names.temp("item")      item%d1      goes back into the expression that uses it, if it can
names.fresh("total")    total%n2     keeps its name, numbered if the function has one like it
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from s2sad.ir.errors import Span
from s2sad.source.text import MISSING, Source, resolve_dotted, span

# opens all that can be opened
EVERYTHING = None
# among places: opens all, and those that are named with more right than others
ALL = Span("", "everything", 0, 0)
# among places: lets lists stand for dicts whose keys are only known when the function runs
KEYED = Span("", "keyed", 0, 0)
# among places: takes arguments that are lists of lists to hold no list twice
OWN_ROWS = Span("", "rows", 0, 0)
# among places: lets names hold an object on some ways only, and nothing on the others
LATE = Span("", "late", 0, 0)


@dataclass
class Names:
    """The function whose syntax is made simpler, and the names invented so far."""

    source: Source
    locals: frozenset[str]
    opened: frozenset[Span] | None = frozenset()
    count: int = 0
    called_after: str = "result"
    # the statement that is made simpler
    at: Any = None
    comprehended: set[str] = field(default_factory=set)
    # the names that are given what never ends, once that was asked
    endless: frozenset[str] | None = None

    def temp(self, base: str = "") -> str:
        """Return a new name for a value on its way into a larger expression."""
        self.count += 1
        return f"{base or self.called_after}%d{self.count}"

    def fresh(self, base: str) -> str:
        """Return a new name that a reader is to see."""
        self.count += 1
        return f"{base}%n{self.count}"

    def span(self, node: Any) -> Span:
        """Return the place of a node."""
        return span(self.source, node)

    def is_open(self, node: Any) -> bool:
        """Tell whether syntax that could be copied as it stands is to be written out."""
        if self.opens_all or getattr(node, "s2sad_written", False):
            return True
        return self.span(node) in self.opened  # type: ignore[operator]

    def is_named(self, node: Any) -> bool:
        """Tell whether syntax is to be written out for what it does itself."""
        return self.opened is not EVERYTHING and self.span(node) in self.opened

    @property
    def opens_all(self) -> bool:
        """Tell whether all that can be written out is."""
        return self.opened is EVERYTHING or ALL in self.opened

    def is_local(self, name: str) -> bool:
        """Tell whether a name is one of the function's own."""
        return name in self.locals or "%" in name

    def value(self, node: Any) -> Any:
        """Return the global object that a (dotted) name means, or MISSING."""
        found = resolve_dotted(self.source, node)
        return MISSING if found is None else found[1]

    def object(self, node: Any) -> Any:
        """Return what a name means that may go through objects: MODEL.layers. Else MISSING."""
        found = self.value(node)
        if found is MISSING and isinstance(node, gast.Attribute):
            holder = self.object(node.value)
            if not isinstance(holder, type) and hasattr(holder, "__dict__"):
                return vars(holder).get(node.attr, MISSING)
        return found

    def means(self, node: Any, *objects: Any) -> bool:
        """Tell whether a node names one of these global objects."""
        value = self.value(node)
        return any(value is each for each in objects)
