"""What loops keep that have a schedule: how many of their states, and how large these are.

line 12   u   states   2 * sqrt(nt) * 8 * len(u)   asked for: Sqrt()
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from s2sad.api.display.counts import Count, Passes, Size, bytes_of, total
from s2sad.api.display.kept import Row
from s2sad.checkpoint.kept import Kept
from s2sad.ir.expression import Variable
from s2sad.operators.schedules import All, Binomial, Disk, Every, Recompute, Schedule, Sqrt


def rows_of_states(kept: Kept, passes: Passes, names: Mapping[Variable, str]) -> Iterator[Row]:
    """Yield the row of the states that a loop keeps in memory, and of those in files."""
    span = kept.outline.loop.span
    line = 0 if span is None else span.line
    called = ", ".join(names.get(v, str(v)) for v in kept.outline.found)
    why = f"asked for: {kept.schedule!r}"
    yield Row(line, called, "states", states_of(kept, passes), why)
    if isinstance(kept.schedule, Disk):
        often = _in_files(kept.schedule, _passes_of(kept, passes))
        yield Row(line, called, "on disk", often.times(_state(kept, passes)), why)


def states_of(kept: Kept, passes: Passes) -> Size:
    """Return the most bytes of the states of a loop that are kept at one time."""
    often = _in_memory(kept.schedule, _passes_of(kept, passes))
    return often.times(_state(kept, passes))


def state_bytes(kept: Kept, passes: Passes) -> float:
    """Return the bytes of one state, 0 where they are not known."""
    return _state(kept, passes).number or 0.0


def adjoint_bytes(kept: Kept, passes: Passes) -> float:
    """Return the bytes of the adjoints that a loop is handed as it runs backwards."""
    whole = total(bytes_of(kept.types[v]) for v in kept.seeds)
    return passes.sized(whole).number or 0.0


def _state(kept: Kept, passes: Passes) -> Size:
    return passes.sized(total(bytes_of(kept.types[v]) for v in kept.outline.found))


def _passes_of(kept: Kept, passes: Passes) -> Size:
    """Return how often a loop runs; of one that may end before its time nobody knows."""
    if kept.outline.is_counted:
        return Size("passes", None)
    return passes.sized(Count(passes.of(kept.outline.loop)))


def _in_memory(schedule: Schedule, passes: Size) -> Size:
    """Return how many states a schedule keeps in memory at most."""
    n, shown = passes.number, passes.formula
    match schedule:
        case All():
            return passes
        case Sqrt():
            return Size(f"2 * sqrt({shown})", n and _at_once(n, max(1, math.isqrt(int(n)))))
        case Every(k):
            return Size(f"({shown} / {k} + {k})", n and _at_once(n, k))
        case Disk(_, every):
            stride = every or math.isqrt(int(n or 0)) or 1
            return Size(str(every or f"sqrt({shown})"), None if n is None else min(stride, n))
        case Binomial(slots):
            return Size(str(slots + 1), slots + 1 if n is None else min(slots + 1, n))
        case Recompute():
            return Size("2", 2)


def _at_once(passes: float, stride: int) -> float:
    """Return how many states there are at most, while the last passes are reversed or those before."""
    kept = math.ceil(passes / stride)
    last = passes - (kept - 1) * stride
    return max(kept, kept - 1 + last, kept - 2 + stride)


def _in_files(schedule: Disk, passes: Size) -> Size:
    """Return how many states a schedule keeps in files."""
    often = schedule.every or math.isqrt(int(passes.number or 0)) or 1
    number = None if passes.number is None else math.ceil(passes.number / often)
    is_root = schedule.every is None
    shown = f"sqrt({passes.formula})" if is_root else f"({passes.formula} / {schedule.every})"
    return Size(shown, number)
