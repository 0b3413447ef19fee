"""Functions of np.emath where they are real; where they are complex a derivative is refused as it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad

X = np.array([0.31, 0.52, 0.17, 0.83])
K = np.arange(1.0, 5.0)


def roots(x: Any) -> Any:
    return np.sum(K * np.emath.sqrt(x) * np.emath.power(x, 1.7)) * np.emath.sqrt(x[0])


def logarithms(x: Any) -> Any:
    return np.sum(K * np.emath.log(x) * np.emath.log2(x) * np.emath.log10(x)) * np.emath.logn(
        2, x[1]
    )


def angles(x: Any) -> Any:
    return np.sum(K * np.emath.arcsin(x) * np.emath.arccos(x) * np.emath.arctanh(x))


def of_a_list(x: Any) -> Any:
    return np.sum(K[:2] * np.emath.sqrt([x[0] ** 2, x[1]]))


def of_complex_numbers(x: Any) -> Any:
    return np.sum(K * np.abs(np.emath.sqrt(x * 1j)))


@pytest.mark.parametrize("f", [roots, logarithms, angles, of_a_list, of_complex_numbers])
def test_they_are_numpys_own_on_the_real_domain(f: Any) -> None:
    step, at = 1e-5, np.array([1.0, -0.3, 0.4, 0.2])
    slope = (f(X + step * at) - f(X - step * at)) / (2 * step)
    gradient = s2sad.grad(f)
    assert gradient(X) @ at == pytest.approx(slope, rel=1e-7)
    assert s2sad.jvp(f)(X, at)[1] == pytest.approx(slope, rel=1e-7)
    bend = (gradient(X + step * at) - gradient(X - step * at)) / (2 * step)
    assert np.allclose(s2sad.hvp(f)(X, at), bend, rtol=1e-6)


@pytest.mark.parametrize("f", [roots, logarithms, angles])
def test_what_is_complex_of_the_numbers_that_come_is_refused(f: Any) -> None:
    for derivative in (s2sad.grad(f), s2sad.grad(f, like=(X,))):
        with pytest.raises(ValueError, match=r"np\.emath gives complex numbers"):
            derivative(-2.0 * X)
