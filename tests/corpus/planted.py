"""A small module as a corpus of its own: what is to be found in it, and what is not."""

from __future__ import annotations

from typing import Any

import numpy as np

called: list[str] = []


def square(x: Any) -> Any:
    return np.sum(x * x)


def joined(x: Any) -> Any:
    called.append("joined")
    return np.union1d(x, 2.0 * x)


def nothing() -> float:
    return 1.0


class Kept:
    """An object with a method of each kind."""

    gain = 2.0

    def scaled(self, factor: float) -> float:
        return self.gain * factor

    @staticmethod
    def doubled(x: float) -> float:
        return 2.0 * x
