"""A budget of memory becomes a schedule: the one that runs the fewest passes within it.

s2sad.grad(f, memory="2 GB", like=args)
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from s2sad.api.display.explanation import explained, measured, readable
from s2sad.api.request import Request
from s2sad.ir.errors import ArgumentError
from s2sad.ir.records import replace
from s2sad.operators.schedules import Binomial, Schedules

UNITS = {"": 1.0, "B": 1.0, "bytes": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
UNITS |= {"KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30, "TiB": 2.0**40}
AMOUNT = re.compile(r"\s*(\d+(?:\.\d*)?)\s*([a-zA-Z]*)\s*")


def within(request: Request, examples: Mapping[str, Any], memory: str | float) -> Request:
    """Return the request with schedules whose predicted peak is within a budget.

    Raises ArgumentError for what is no amount, for a budget that no schedule meets, and where
    lengths are not known before the function runs.
    """
    budget = _bytes(memory)
    plain = explained(measured(request, examples))
    if plain.peak is not None and plain.peak <= budget:
        return replace(request, note=_note(plain.peak))
    least = measured(replace(request, schedules=Schedules(Binomial(1))), examples)
    if explained(least).peak is None:
        raise ArgumentError(
            "the peak of memory is not known before the function runs, so no budget can be kept",
            hint="Choose a schedule yourself: checkpoint=s2sad.Binomial(slots=20).",
        )

    def peak(slots: int) -> float:
        return least.with_schedule(Binomial(slots)).peak

    if peak(1) > budget:
        raise ArgumentError(
            f"no schedule keeps within {readable(budget)}: {_rounded_up(peak(1))} is the least",
            hint="Give more memory, or smaller arguments.",
        )
    slots = _most(peak, budget)
    return replace(request, schedules=Schedules(Binomial(slots)), note=_note(peak(slots)))


def _rounded_up(size: float) -> str:
    """Return a size in three digits, and no smaller than it is: as a budget it is met."""
    unit = 10.0 ** (math.floor(math.log10(size)) - 2)
    return readable(math.ceil(size / unit) * unit)


def _most(peak: Callable[[int], float], budget: float) -> int:
    """Return the most slots within a budget; more than there are passes are never needed."""
    low, high = 1, 2
    while peak(high) <= budget and high < 1 << 40:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if peak(middle) <= budget else (low, middle)
    return low


def _note(peak: float) -> str:
    return f"Predicted peak of memory: {readable(peak)} for arguments of the size given."


def _bytes(memory: str | float) -> float:
    found = AMOUNT.fullmatch(memory) if isinstance(memory, str) else None
    if found and found[2] in UNITS:
        return float(found[1]) * UNITS[found[2]]
    if isinstance(memory, int | float) and not isinstance(memory, bool) and memory > 0:
        return float(memory)
    raise ArgumentError(
        f"memory= takes an amount such as '2 GB' or 5e8 bytes, not {memory!r}",
        hint="Write a number of bytes, or one with a unit: '500 MB'.",
    )
