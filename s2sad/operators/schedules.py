"""What a user may ask for of the loops that are run backwards: which of their states to keep.

checkpoint="sqrt"                                           every loop that needs it
checkpoint={"line 12": s2sad.Every(50), "march": "sqrt"}    a loop; all loops of a function
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Mapping
from os import PathLike
from typing import Any, TypeVar

from s2sad.ir.errors import ArgumentError, Span
from s2sad.ir.records import dataclass

T = TypeVar("T")


@dataclass(frozen=True)
class All:
    """Keep what each pass needs: no pass runs twice, as where nothing is asked for."""


@dataclass(frozen=True)
class Sqrt:
    """Keep a state every sqrt(n) of n passes: about 2 sqrt(n) states, each pass runs twice."""


@dataclass(frozen=True)
class Every:
    """Keep the state before every `passes`-th pass: n/passes + passes states, each runs twice.

    Raises ArgumentError unless `passes` is a whole number from 1 on.
    """

    passes: int

    def __post_init__(self) -> None:
        _whole(self.passes, "Every takes a number of passes")


@dataclass(frozen=True)
class Binomial:
    """Keep `slots` states at a time, in the order of Griewank and Walther: fewest passes run.

    Raises ArgumentError unless `slots` is a whole number from 1 on.
    """

    slots: int

    def __post_init__(self) -> None:
        _whole(self.slots, "Binomial takes a number of slots")


@dataclass(frozen=True)
class Disk:
    """Keep the state before every `every`-th pass in a file, and those between in memory.

    Each pass runs twice, as with `Every`; without `every` that is sqrt(n) of n passes. Files lie in
    a directory of their own in `folder`, which must be there, and go with it when the derivative
    ends, by an error too. Raises ArgumentError for an empty `folder` and for an `every` below 1.
    """

    folder: str
    every: int | None = None

    def __init__(self, folder: str | PathLike[str], every: int | None = None) -> None:
        name = os.fspath(folder) if isinstance(folder, str | PathLike) else folder
        if not isinstance(name, str) or not name:
            raise ArgumentError(
                f"Disk takes the name of a directory, not {folder!r}",
                hint="Name one that exists: s2sad.Disk('/scratch', every=100).",
            )
        if every is not None:
            _whole(every, "Disk takes a number of passes")
        object.__setattr__(self, "folder", name)
        object.__setattr__(self, "every", every)


@dataclass(frozen=True)
class Recompute:
    """Keep the first state only, and run up to each pass from there: n * n / 2 passes for n."""


Schedule = All | Sqrt | Every | Binomial | Disk | Recompute
Checkpoint = str | Schedule | Mapping[str, "str | Schedule"] | None


@dataclass(frozen=True)
class Schedules:
    """What was asked for: a schedule for all loops that need one, or one for each named place."""

    everywhere: Schedule | None = None
    places: tuple[tuple[str, Schedule], ...] = ()
    # the file whose lines are meant
    path: str = ""

    def of(self, span: Span, marked: Mapping[int, Schedule]) -> Schedule | None:
        """Return the schedule of the loop at a place; `marked` are lines that ask for one."""
        known = dict(self.places)
        named = next((known[place] for place in self.places_of(span) if place in known), None)
        return named or marked.get(span.line) or self.everywhere

    def places_of(self, span: Span) -> list[str]:
        """Return what the loop at a place may be called."""
        return [*([f"line {span.line}"] if span.path == self.path else []), span.function]

    def refuse_unmet(self, loops: Iterable[Span], called: Container[str]) -> None:
        """Raise ArgumentError if a place has no loop; a call is run again in any case."""
        loops = sorted(set(loops), key=lambda span: (span.path, span.line))
        known = {place for span in loops for place in self.places_of(span)}
        for place, wanted in self.places:
            if place not in known and not (place in called and wanted == Recompute()):
                there = [f"{self.places_of(span)[0]} ({span.text()})" for span in loops]
                raise ArgumentError(
                    f"checkpoint= names {place!r}, where no loop is run backwards",
                    hint=f"Loops: {', '.join(there)}." if there else "The function has no loop.",
                )


def schedules(checkpoint: Checkpoint) -> Schedules | None:
    """Return what a `checkpoint=` asks for; None where it asks for nothing."""
    if checkpoint is None:
        return None
    if not isinstance(checkpoint, Mapping):
        return Schedules(schedule(checkpoint))
    if not checkpoint:
        raise ArgumentError("checkpoint= names no loop", hint=_PLACES)
    places = []
    for place, wanted in checkpoint.items():
        if not isinstance(place, str) or not (place.isidentifier() or _LINE.fullmatch(place)):
            raise ArgumentError(f"checkpoint= has no place for {place!r}", hint=_PLACES)
        places.append((place, schedule(wanted)))
    return Schedules(places=tuple(places))


def schedule(wanted: object) -> Schedule:
    """Return the schedule that a value of `checkpoint=` means."""
    if isinstance(wanted, Schedule):
        return wanted
    if isinstance(wanted, str) and wanted in ("sqrt", "all"):
        return Sqrt() if wanted == "sqrt" else All()
    raise ArgumentError(
        f"{wanted!r} is no schedule",
        hint='Schedules: "all", "sqrt", s2sad.Every(50), s2sad.Binomial(slots=20), s2sad.Disk(folder), '
        "s2sad.Recompute().",
    )


_LINE = re.compile(r"line [1-9]\d*")
_PLACES = 'Places are lines of loops, "line 12", and names of functions, "march".'


def _whole(number: object, what: str) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ArgumentError(
            f"{what} from 1 on, not {number!r}", hint="Give a whole number, 1 or more."
        )


# ---------------------------------------------------------------------------- marks of loops


def checkpointed(steps: T, *, slots: int | None = None, every: int | None = None) -> T:
    """Return `steps` as they are; a derivative keeps states of the loop over them by a schedule.

    That is `Binomial(slots)`, `Every(every)`, or "sqrt" where neither is given. Raises
    ArgumentError where both are, or where one is no whole number from 1 on.

    Raises:
        ArgumentError: both `slots` and `every` are given, or one below 1.

    Example:
        >>> def march(u):
        ...     for _ in s2sad.checkpointed(range(50), every=10):
        ...         u = u + 0.1 * np.sin(u)
        ...     return np.sum(u)
        >>> bool(s2sad.check_grad(march, (np.ones(3),)))
        True
    """
    asked(slots, every)
    return steps


def asked(slots: Any, every: Any) -> Schedule:
    """Return the schedule that the arguments of `checkpointed` mean."""
    if slots is not None and every is not None:
        raise ArgumentError(
            "checkpointed takes slots= or every=, not both", hint="Leave out one of them."
        )
    if slots is not None:
        return Binomial(slots)
    return Sqrt() if every is None else Every(every)
