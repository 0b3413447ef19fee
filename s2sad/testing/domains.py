"""The words of annotations that say where samples are drawn: `x: positive`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np


def _gaps(rng: Any, shape: tuple[int, ...]) -> Any:
    """Draw numbers, with nan in place of the first of each matrix."""
    values = rng.standard_normal(shape)
    if values.size > 1:
        values[(..., 0, 0)[-values.ndim :]] = np.nan
    return values


# the words of annotations that only say where samples are drawn
DOMAINS: Mapping[str, Callable[[Any, Any], Any]] = {
    "nonzero": lambda rng, shape: rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape),
    "positive": lambda rng, shape: rng.uniform(0.5, 1.5, shape),
    "unit": lambda rng, shape: rng.uniform(-0.8, 0.8, shape),
    "negative": lambda rng, shape: rng.uniform(-1.5, -0.5, shape),
    "wide": lambda rng, shape: rng.uniform(3.0, 4.0, shape),
    "leading": lambda rng, shape: 2.0 * 0.3 ** np.arange(*shape),
    "definite": lambda rng, shape: 0.3 * rng.standard_normal(shape) + 3.0 * np.eye(*shape[-2:]),
    "triangular": lambda rng, shape: 0.3 * rng.standard_normal(shape) + 2.0 * np.eye(*shape[-2:]),
    "symmetric": lambda rng, shape: 0.3 * rng.standard_normal(shape) + np.diag(np.arange(shape[0])),
    "spread_out": lambda rng, shape: 0.3 * rng.standard_normal(shape) + _diagonal(shape),
    "signed": lambda rng, shape: 0.3 * rng.standard_normal(shape) + _diagonal(shape) * [-1, 1, 1],
    "small": lambda rng, shape: 0.2 * rng.standard_normal(shape),
    "banded": lambda rng, shape: (
        0.3 * rng.standard_normal(shape) + [[0.0], [3.0], [0.0]][: shape[0]]
    ),
    "wild": lambda rng, shape: rng.uniform(-4.0, 4.0, shape),
    "inner": lambda rng, shape: rng.uniform(0.2, 2.8, shape),
    "probability": lambda rng, shape: rng.uniform(0.2, 0.8, shape),
    "above_one": lambda rng, shape: rng.uniform(1.3, 2.3, shape),
    "above_two": lambda rng, shape: rng.uniform(2.3, 2.4, shape),
    "off_grid": lambda rng, shape: rng.uniform(2.1, 2.9, shape),
    "apart": lambda rng, shape: rng.standard_normal(shape),
    "distinct": lambda rng, shape: rng.permutation(int(np.prod(shape))).reshape(shape) - 1.3,
    "regular": lambda rng, shape: rng.standard_normal(shape) + 3.0 * np.eye(*shape[-2:]),
    "gaps": _gaps,
    "generator": lambda rng, shape: np.random.default_rng(3),
    "places": lambda rng, shape: rng.integers(0, 2, shape),
    "boolean": lambda rng, shape: rng.standard_normal(shape) > 0.0,
    "increasing": lambda rng, shape: np.cumsum(rng.uniform(0.5, 1.0, shape)) - 2.0,
    "spread": lambda rng, shape: rng.standard_normal(shape),
    # what SciPy's factorisations return, held by hand: these need no SciPy
    "cholesky_pair": lambda rng, shape: (_near_identity(rng, shape), True),
    "lu_pair": lambda rng, shape: (_near_identity(rng, shape), np.arange(shape[0])[::-1].copy()),
}


def _near_identity(rng: Any, shape: tuple[int, ...]) -> Any:
    return 0.3 * rng.standard_normal(shape) + 2.0 * np.eye(shape[0])


def _diagonal(shape: tuple[int, ...]) -> Any:
    return np.eye(shape[0], shape[1]) * np.arange(1.0, shape[1] + 1.0)
