"""Filters of images as users call them: windows, ends and origins for each axis, footprints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import ndimage

import s2sad
from tests.programs.entry import numbers

A = numbers(5, 6)
K = np.arange(1.0, 31.0).reshape(5, 6)
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
BAR = np.array([[1, 1, 1], [0, 1, 0]])


def means(x: Any) -> Any:
    wide = ndimage.uniform_filter(x, size=(3, 2), mode=("wrap", "nearest"), origin=(0, -1))
    return np.sum(
        K * wide * ndimage.uniform_filter(x, [3, 1]) * ndimage.uniform_filter(x, 3, axes=1)
    )


def smoothed(x: Any) -> Any:
    along = ndimage.gaussian_filter(x, sigma=(1, 2), mode="nearest", axes=(0, 1))
    each = ndimage.gaussian_filter(x, np.array([0.7, 1.2]) * x[0, 0], output=None, cval=0)
    return np.sum(K * along * each * ndimage.gaussian_filter(x, (1.0, 0), radius=2, mode="mirror"))


def smoothed_with_ends_of_their_own(x: Any) -> Any:
    return np.sum(K * ndimage.gaussian_filter(x, 1.5, (1, 0), mode=("reflect", "wrap")) ** 2)


def of_two_widths(x: Any) -> Any:
    return np.sum(K * (ndimage.gaussian_filter(x, 1.0) - ndimage.gaussian_filter(x, 2.0)) ** 2)


def slopes(x: Any) -> Any:
    bent = ndimage.gaussian_laplace(x, (1.0, 2.0)) * ndimage.laplace(x, mode="nearest")
    steep = ndimage.gaussian_gradient_magnitude(x, sigma=(1.0, 2.0))
    return np.sum(K * bent * steep * ndimage.sobel(x, 0, mode=("mirror", "wrap")))


def around(x: Any, mode: str = "nearest", cval: float = 0.0) -> Any:
    return ndimage.convolve(x, K[:3, :3], mode=mode, cval=cval)


def weighted(x: Any) -> Any:
    turned = (
        around(x)
        * around(x, "constant", 0.5)
        * ndimage.convolve(x, K[:3, :3], mode="wrap", origin=(0, 1))
    )
    along = ndimage.convolve1d(x, np.arange(3.0), origin=-1, mode="grid-wrap")
    return np.sum(turned * along * ndimage.correlate(x, K[:2, :3], origin=(-1, 1)))


def ranked(x: Any) -> Any:
    middle = ndimage.median_filter(x, size=(3, 5), origin=(1, -2))
    second = ndimage.rank_filter(x, -2, size=(3, 2), mode="mirror")
    return np.sum(K * middle * second * ndimage.percentile_filter(x, 30, size=(1, 3)))


def extremes(x: Any) -> Any:
    high = ndimage.maximum_filter(x, size=(3, 2), mode=("wrap", "constant"), cval=0.1)
    return np.sum(K * high * ndimage.minimum_filter(x, size=3, axes=(0,)))


def under_a_footprint(x: Any) -> Any:
    middle = ndimage.median_filter(x, footprint=CROSS)
    low = ndimage.minimum_filter(x, footprint=np.ones((2, 3)), mode="nearest")
    return np.sum(K * middle * low * ndimage.grey_dilation(x, footprint=BAR, origin=(-1, 1)))


def opened(x: Any) -> Any:
    high = ndimage.grey_closing(x, size=(3, 2)) * ndimage.morphological_gradient(x, size=3)
    return np.sum(K * high * ndimage.grey_opening(x, (2, 2)) * ndimage.white_tophat(x, (3, 3)))


C = np.array([[0.3, 2.2, 3.7, -0.6, 5.4], [1.2, 5.6, 0.4, 2.2, 3.3]])
M = np.array([[0.87, 0.13], [-0.21, 1.07]])


def between_elements(x: Any) -> Any:
    smooth = ndimage.map_coordinates(x, C, mode="reflect") * ndimage.map_coordinates(
        x, [C[0], C[1]]
    )
    near = ndimage.map_coordinates(x, C, order=0, mode="wrap")
    return np.sum(smooth * near * ndimage.map_coordinates(x, C, order=1, mode="mirror"))


def turned_and_moved(x: Any) -> Any:
    turned = ndimage.rotate(x, 30.0, reshape=False) * ndimage.rotate(x, 20.0)[:5, :6]
    return np.sum(turned * ndimage.affine_transform(x, M, offset=(0.31, -0.23), order=1))


@pytest.mark.parametrize(
    "f",
    [
        means,
        smoothed,
        smoothed_with_ends_of_their_own,
        of_two_widths,
        slopes,
        weighted,
        ranked,
        extremes,
        under_a_footprint,
        opened,
        between_elements,
        turned_and_moved,
    ],
    ids=lambda f: f.__name__,
)
def test_modes_and_differences_agree(f: Any) -> None:
    assert s2sad.check_grad(f, (A,), wrt="x")
    step, at = 1e-5, np.sin(K)
    gradient = s2sad.grad(f)
    bend = (gradient(A + step * at) - gradient(A - step * at)) / (2 * step)
    assert np.allclose(s2sad.hvp(f)(A, at), bend, rtol=1e-6, atol=1e-6 * np.max(np.abs(bend)))


def by_places(c: Any, mode: str, order: int) -> Any:
    return np.sum(np.arange(1.0, 6.0) * ndimage.map_coordinates(A, c, order=order, mode=mode) ** 2)


@pytest.mark.parametrize("mode", ["constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap"])
@pytest.mark.parametrize("order", [0, 1, 3])
def test_places_between_elements_vary(mode: str, order: int) -> None:
    step, at = 1e-6, np.cos(C)
    f = lambda c: by_places(c, mode, order)  # noqa: E731
    slope = (f(C + step * at) - f(C - step * at)) / (2 * step)
    assert np.sum(s2sad.grad(by_places)(C, mode, order) * at) == pytest.approx(slope, abs=1e-6)
    assert s2sad.jvp(by_places)(C, mode, order, at)[1] == pytest.approx(slope, abs=1e-6)


def of_settings(s: Any) -> Any:
    moved = ndimage.shift(A, s[:2]) * ndimage.rotate(A, 40.0 * s[2], reshape=False, mode="nearest")
    return np.sum(K * moved * ndimage.affine_transform(A, M * s[2], order=1, mode="reflect"))


def test_shifts_and_matrices_vary() -> None:
    assert s2sad.check_grad(of_settings, (np.array([0.37, -0.61, 0.73]),), wrt="s")


def test_what_is_beyond_the_edges_for_each_element_is_refused() -> None:
    with pytest.raises(s2sad.S2sadError, match="grid-constant has no derivative"):
        s2sad.grad(by_places)(C, "grid-constant", 1)
