"""How far a library's code is followed: so many statements from a call on, and no further.

statsmodels.add_constant(x)      through pandas, function by function: more than LIMIT statements

What is found out about a function is remembered, and with it how many statements that took, each
question's own. So what goes too far does so in every process, whatever was asked before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import local

# what NumPy's and SciPy's functions lead through that have a derivative is hundreds
LIMIT = 3000
# what is refused in the end counts so many times: numerical code is hardly ever
REFUSED = 8

Costs = dict[int, int]  # the statements that each question has gone through itself

_numbers = count()
_here = local()


class TooFar(Exception):
    """More statements are gone through than what is asked is worth."""


class _Measure:
    """What has been gone through since a call of a library's function."""

    def __init__(self) -> None:
        self.total = 0
        self.counted: set[int] = set()

    def add(self, statements: int) -> None:
        self.total += statements
        if self.total > LIMIT:
            raise TooFar


@contextmanager
def measured() -> Iterator[None]:
    """Raise TooFar where what is done here goes through more than LIMIT statements."""
    around = getattr(_here, "measure", None)
    _here.measure = around or _Measure()
    try:
        yield
    finally:
        _here.measure = around


def is_measured() -> bool:
    """Tell whether this stands inside of a library's function that is being followed."""
    return getattr(_here, "measure", None) is not None


def go_through(statements: int) -> None:
    """Count statements that are lowered: for the question at hand, and where that is measured."""
    questions = getattr(_here, "questions", None)
    if questions:
        number, costs = questions[-1]
        costs[number] = costs.get(number, 0) + statements
    measure = getattr(_here, "measure", None)
    if measure is not None:
        measure.add(statements)


@contextmanager
def question() -> Iterator[Costs]:
    """Give the statements that are gone through to find something out."""
    questions: list[tuple[int, Costs]] = _here.__dict__.setdefault("questions", [])
    number, costs = next(_numbers), Costs()
    questions.append((number, costs))
    try:
        yield costs
    finally:
        questions.pop()
        if questions:
            questions[-1][1].update(costs)  # also where it came to no end
        if is_measured():
            _here.measure.counted |= costs.keys()


def refused(costs: Costs) -> None:
    """Count the question at hand for more: it has been refused."""
    number, _ = _here.questions[-1]
    go_through((REFUSED - 1) * costs.get(number, 0))


def answered(costs: Costs) -> None:
    """Count what an answer took, unless this has been counted: it may have been remembered."""
    questions = getattr(_here, "questions", None)
    if questions:
        questions[-1][1].update(costs)
    measure = getattr(_here, "measure", None)
    if measure is not None:
        new = costs.keys() - measure.counted
        measure.counted |= new
        measure.add(sum(costs[number] for number in new))
