"""NumPy calls that write to what they are given: out=, copyto, fill, ufunc.at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad


def added_at(u, v, k):
    w = u * 1.0
    np.add.at(w, k, v * v)
    np.subtract.at(w, k, u)
    return np.sum(w**3)


def outputs(u, v, k):
    w = np.empty_like(u)
    np.multiply(u, v, out=w)
    z = np.sin(w, out=w)
    z *= 2.0
    np.add(z, u, z)
    np.cumsum(z[1:], out=z[1:])
    return np.sum(w**3)


def masked_outputs(u, v, k):
    z = u * 1.0
    np.exp(u, out=z, where=u > 0.5)
    np.copyto(z, v, where=u < 0.4)
    return np.sum(z**2)


def copied(u, v, k):
    w = np.zeros_like(u)
    np.copyto(w, u)
    np.copyto(w[1:3], v[1:3] ** 2)
    return np.sum(w**2 * v)


def filled(u, v, k):
    w = u * 1.0
    w.fill(u[0] ** 2)
    w[1:3].fill(3.0 * u[1])
    return np.sum(w * v)


def put(u, v, k):
    w = np.outer(u, v)
    np.put(w, v=v[:3], ind=[1, 7, 7])
    np.put_along_axis(w, k[:, None], u[:, None] ** 2, axis=1)
    np.fill_diagonal(w, val=u[2])
    return np.sum(w**3)


def placed(u, v, k):
    w = u * v
    np.place(w, u > 0.5, v[2:] ** 2)
    np.copyto(src=u, dst=w, where=u < 0.3)
    return np.sum(w * k)


def left_open(u, v, k):
    w = np.exp(u, out=None) * np.sin(v, None)
    return np.sum(w, 0, None, None) + np.cumsum(w, out=None)[2]


PROGRAMS = [added_at, outputs, masked_outputs, copied, filled, put, placed, left_open]
U, K = np.linspace(0.2, 1.1, 5), np.array([0, 2, 2, 3, 0])


@pytest.mark.parametrize("f", PROGRAMS, ids=[f.__name__ for f in PROGRAMS])
def test_calls_that_write(f: Callable[..., Any]) -> None:
    report = s2sad.check_grad(f, (U, U + 1.0, K))
    assert report, str(report)


def test_a_masked_output_that_is_nan_elsewhere_gives_no_nan() -> None:
    def f(u):
        w = u * 1.0
        np.log(u, out=w, where=u > 0.0)
        return np.sum(w)

    with np.errstate(all="ignore"):
        gradient = s2sad.grad(f)(np.array([-1.0, 2.0]))
    assert np.array_equal(gradient, [1.0, 0.5])
