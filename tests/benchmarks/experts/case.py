"""A function with the adjoint that was written for it by hand, and arguments of three sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Args = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """What is compared: `make(normal, n)` gives arguments of size n from normal random numbers.

    An adjoint mirrors its primal, or uses what no rule can know of it (that a matrix is symmetric).
    """

    function: Callable[..., Any]
    adjoint: Callable[..., Any]
    wrt: tuple[str, ...]
    make: Callable[[Callable[..., Any], int], Args]
    sizes: tuple[int, int, int]
    mirrors: bool = True

    def args(self, size: int) -> Args:
        """Return arguments of a size, the same at each call."""
        return self.make(np.random.default_rng(size).standard_normal, size)
