"""Two items of a list, or elements of an array, that are exchanged: so are their adjoints.

u[i], u[j] = u[j], u[i]      ->      u_bar[i], u_bar[j] = u_bar[j], u_bar[i]

Nothing is added up, and nothing has to be known of what stood there.
"""

from __future__ import annotations

from dataclasses import dataclass

from s2sad.ir.errors import Span
from s2sad.legacy.program import Assign, Block, Expr, Op, Update, Var, bar, is_temp
from s2sad.legacy.reverse.sweep import Sweep, writable

# two are read, handed over together, and stored
STATEMENTS = 5


@dataclass(frozen=True, slots=True)
class Exchange:
    """The owner before and after, and the two places."""

    before: Var
    after: Var
    places: tuple[Expr, Expr]
    items: tuple[Var, Var]
    span: Span


def exchange_at(sweep: Sweep, block: Block, end: int) -> Exchange | None:
    """Return the exchange that the last statements before `end` are."""
    match block[max(0, end - STATEMENTS) : end]:
        case (
            Assign((Var() as one,), Op("index", taken_first), unpack=False),
            Assign((Var() as two,), Op("index", taken_second), unpack=False),
            Assign((Var() as a, Var() as b), Op("tuple", both), unpack=True),
            Update(middle, old, i, "=", given_first, echo=False),
            Update(new, again, j, "=", given_second, echo=False) as last,
        ) if i is not None and j is not None:
            crossed = (taken_first, taken_second) == ((old, j), (old, i))
            handed = (both, given_first, given_second, again) == ((one, two), a, b, middle)
            if crossed and handed and _is_followed(sweep, old, new, (one, two, a, b)):
                return Exchange(old, new, (i, j), (a, b), last.span)
    return None


def _is_followed(sweep: Sweep, old: Var, new: Var, items: tuple[Var, ...]) -> bool:
    """Tell whether an exchange is of values that are numbers or a list's, and that nobody else reads."""
    alone = all(is_temp(item.slot) and item.slot not in sweep.bars for item in items)
    owner, numbers = sweep.facts.of(old), all(sweep.facts.of(item).is_scalar for item in items)
    kind = owner.kind == "list" or (owner.is_array and numbers)
    return alone and kind and {old, new} <= sweep.active


def exchange_back(sweep: Sweep, found: Exchange) -> None:
    """Exchange the adjoints of two places, if there are any."""
    seed = sweep.bars.get(found.after.slot)
    if seed is None:
        return
    i, j = found.places
    seed = writable(sweep, found.before, seed, found.span, i)
    first, second = (sweep.numbers.next(bar(item.slot)) for item in found.items)
    for made, item in zip((first, second), found.items, strict=True):
        sweep.known[made] = sweep.facts.of(item)
    taken = Op("tuple", (Op("index", (seed, i)), Op("index", (seed, j))))
    sweep.emit(Assign((first, second), taken, found.span, unpack=True))
    middle, made = sweep.new_bar(found.before), sweep.new_bar(found.before)
    sweep.emit(Update(middle, seed, j, "=", first, found.span))
    sweep.emit(Update(made, middle, i, "=", second, found.span))
    sweep.bars[found.before.slot] = made
    sweep.shapes[found.before.slot] = found.before
