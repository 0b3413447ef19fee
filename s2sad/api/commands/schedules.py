"""What `--checkpoint` says becomes what `checkpoint=` takes.

schedule("every:50")    Every(50)        checkpoint(["line 12=sqrt"])    {"line 12": "sqrt"}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from s2sad import Binomial, Disk, Every, Recompute
from s2sad.api.commands.problems import Usage

NUMBERED: dict[str, Callable[[int], Any]] = {"every": Every, "binomial": Binomial}


def checkpoint(texts: Sequence[str] | None) -> Any:
    """Return what the options --checkpoint ask for: one schedule, or one for each place."""
    if not texts:
        return None
    pairs = [text.rpartition("=") for text in texts]
    if len(pairs) == 1 and not pairs[0][1]:
        return schedule(texts[0])
    if not all(equals for _, equals, _ in pairs):
        raise Usage("--checkpoint is given once, or once for each place: 'line 12=every:50'")
    return {place.strip(): schedule(text) for place, _, text in pairs}


def schedule(text: str) -> Any:
    """Return one schedule; raise Usage for what is none."""
    name, colon, number = text.strip().partition(":")
    if name in NUMBERED and number.strip().isdigit():
        return NUMBERED[name](int(number))
    if name in ("all", "sqrt") and not colon:
        return name
    if name == "recompute" and not colon:
        return Recompute()
    if name == "disk" and number:
        folder, _, every = number.rpartition(":")
        return Disk(folder, int(every)) if folder and every.isdigit() else Disk(number)
    raise Usage(
        f"{text!r} is no schedule: use sqrt, every:50, binomial:20, disk:FOLDER, recompute or all"
    )
