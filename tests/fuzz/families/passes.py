"""The statements of a loop's pass: changes one after the other, some of them in a branch."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence


def passes(rng: random.Random, change: Callable[[], str], most: int) -> list[str]:
    """Return the lines of at least one change and of `most`; of some there is one for each way."""
    lines: list[str] = []
    for _ in range(rng.randint(1, most)):
        if rng.random() >= 0.25:
            lines += _inwards(change(), 1)
            continue
        lines += ["    if u[i] > 0.4:", *_inwards(change(), 2)]
        lines += ["    else:", *_inwards(change(), 2)] if rng.random() < 0.5 else []
    return lines


def _inwards(change: str, steps: int) -> list[str]:
    """Return the lines of a change, so many blocks further in."""
    return textwrap.indent(change, "    " * steps).split("\n")


def forms(text: str) -> tuple[str, ...]:
    """Return the statements or expressions of a text, which stand on lines or some spaces apart."""
    return tuple(re.split(r"\s{2,}", text.strip()))


def filled(rng: random.Random, form: str, holes: Mapping[str, Sequence[str]]) -> str:
    """Return a form whose `{name}` is one of the forms of that name; the same name twice may differ."""
    while found := re.search(r"\{(\w+)\}", form):
        form = form[: found.start()] + rng.choice(holes[found[1]]) + form[found.end() :]
    return form
