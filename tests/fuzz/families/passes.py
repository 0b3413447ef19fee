"""The statements of a loop's pass: changes one after the other, some of them in a branch."""

from __future__ import annotations

import random
from collections.abc import Callable


def passes(rng: random.Random, change: Callable[[], str], most: int) -> list[str]:
    """Return the lines of at least one change and of `most`; of some there is one for each way."""
    lines: list[str] = []
    for _ in range(rng.randint(1, most)):
        if rng.random() >= 0.25:
            lines.append(f"    {change()}")
            continue
        lines += ["    if u[i] > 0.4:", f"        {change()}"]
        lines += ["    else:", f"        {change()}"] if rng.random() < 0.5 else []
    return lines
