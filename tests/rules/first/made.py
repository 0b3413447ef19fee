"""Objects that rules for what was made before are tried with: `s: of(interpolate.PPoly)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from s2sad.legacy.guards import GUARDS, NOTHING
from s2sad.legacy.program import Ref
from s2sad.legacy.templating import Rule
from s2sad.source.optional import imported

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
        and all(GUARDS[word](Ref(name, each), lambda _: NOTHING) for word in words)
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
