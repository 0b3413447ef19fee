"""What is known of a derivative besides its text: what it keeps, and what its lines cost.

anatomy_of(misfit, ("W", "m"), {"W": W, "m": m})    Anatomy(kept, costs, passes)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from s2sad.api.display.costs import Cost, costs
from s2sad.api.display.counts import Count, Passes
from s2sad.api.display.explanation import measured
from s2sad.api.display.kept import Kept, as_in_text, kept, saved_bytes
from s2sad.api.display.peak import text_names
from s2sad.api.request import Request
from s2sad.ir.records import dataclass, replace
from s2sad.types.checks import letters


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The values that a gradient keeps, the costs of the primal's lines, and the lengths in both."""

    kept: tuple[Kept, ...]
    costs: Mapping[int, Cost]
    passes: Passes
    lengths: Mapping[str, str]

    @property
    def legend(self) -> str:
        """Return what the letters stand for: n = W.shape[0] = 6."""
        shown = {letter: symbol for symbol, letter in self.lengths.items() if letter != symbol}
        sizes = self.passes.sizes
        parts = (
            f"{letter} = {symbol}" + (f" = {sizes[symbol]}" if symbol in sizes else "")
            for letter, symbol in shown.items()
        )
        return ", ".join(parts)

    @property
    def saved(self) -> str:
        """Return how many bytes are saved in all."""
        return self.passes.shown(saved_bytes(self.kept), "B")

    def shown(self, count: Count, unit: str = "") -> str:
        """Return an amount with the letters of the text for its lengths."""
        return self.passes.shown(count, unit)


def anatomy_of(
    function: Callable[..., Any], wrt: tuple[str, ...], examples: Mapping[str, Any] | None
) -> Anatomy | None:
    """Return what is known of a gradient; None where the rooms do not write it."""
    with suppress(Exception):  # what cannot be had is not shown
        found = measured(Request(function, wrt), examples)
        program, lettered = found.program, letters(found.made.primal, found.made.context)
        passes = replace(found.passes, letters=lettered)
        called = text_names(program.function, program)
        rows = tuple(as_in_text(row, called) for row in kept(program.function, passes))
        return Anatomy(rows, costs(program, passes), passes, lettered)
    return None
