"""The words of annotations that say where samples are drawn, and of what they are made:
`x: positive`, `s: of(interpolate.PPoly)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import global_
from s2sad.operators.guards import GUARDS
from s2sad.operators.rule import Rule
from s2sad.source.optional import imported


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
    "between": lambda rng, shape: rng.uniform(-0.9, -0.1, shape),  # points that are increasing
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


# where numbers are drawn no knot is near: a second derivative may have a kink there
X = np.array([-12.0, -7.0, -5.0, 5.0, 7.0, 12.0])
Z = np.array([0.1, 0.7, -0.3, 0.4, 0.2, 0.5])
LINE = np.linspace(0.0, 1.0, 5)


def made_for(rule: Rule, name: str) -> list[Any]:
    """Return objects of the classes that a parameter asks for, such as its words ask for."""
    words = [word for word in rule.marks.get(name, ()) if word in GUARDS]
    return [
        each
        for each in _objects()
        if isinstance(each, rule.classes[name])
        and all(GUARDS[word](global_(name, each), {}) for word in words)
    ]


def _objects() -> Iterator[Any]:
    yield np.poly1d([0.3, -1.2, 2.0])
    for kind in ("Polynomial", "Chebyshev", "Legendre", "Hermite", "HermiteE", "Laguerre"):
        yield getattr(np.polynomial, kind)([0.3, -1.2, 2.0], domain=[-2.0, 3.0])
    interpolate: Any = imported().get("interpolate")
    if interpolate is not None:
        yield from _interpolants(interpolate)


def _interpolants(interpolate: Any) -> Iterator[Any]:
    yield interpolate.CubicSpline(X, Z)
    yield interpolate.make_interp_spline(X, Z)
    yield interpolate.UnivariateSpline(X, Z, s=0.0)
    for kind in ("linear", "cubic", "nearest"):
        yield interpolate.interp1d(X, Z, kind=kind)
    yield interpolate.interp1d(LINE, LINE**2, bounds_error=False, fill_value=(0.2, 0.7))
    heights = np.cos(np.outer(LINE, 1.0 + LINE))
    yield interpolate.RectBivariateSpline(
        6.0 * LINE[1:] - 4.0, 6.0 * LINE[1:] - 4.0, heights[1:, 1:]
    )
    yield interpolate.RectBivariateSpline(
        6.0 * LINE[1:] - 4.0, 6.0 * LINE[1:] - 4.0, heights[1:, 1:], kx=1, ky=2
    )
    for method in ("linear", "cubic", "nearest"):
        yield interpolate.RegularGridInterpolator((LINE, LINE), heights, method=method)
    layers = heights[..., None] + LINE
    yield interpolate.RegularGridInterpolator((LINE, LINE, LINE), layers)
    yield interpolate.CubicSpline(X, np.stack([Z, Z**2, Z - 1.0], axis=-1))
    yield interpolate.interp1d(X, np.stack([Z, Z**2]))
