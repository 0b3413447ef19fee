"""Tangents of complex arrays that are written to are complex, be they real until then."""

import warnings

import numpy as np
import pytest

import s2sad

U, V = np.array([0.3, 0.7, 0.9]), np.array([0.2, 0.9, 0.4])
ALONG = np.array([1.0, -0.5, 2.0])


def size(z):
    return np.sum(np.abs(z) ** 4)


def imaginary_parts_after_a_choice(u, v):
    z = u + 1j * v
    z = np.where(u * v > 0.2, z, np.sum(z))
    z.imag = u**2
    return size(z)


def imaginary_parts_after_a_sum_of_python(u, v):
    z = u + 1j * v
    z = np.where(u * v > 0.2, z, sum(z))
    z.imag = u**2
    return size(z)


def element_after_a_choice(u, v):
    z = u + 1j * v
    z = np.where(u * v > 0.2, z, np.sum(z))
    z[0] += 1j * u[1] ** 2
    return size(z)


def joined(u, v):
    z = np.concatenate([u + 1j * v, u])
    z[0] = 1j * u[1]
    return size(z)


def turned(u, v):
    z = (u + 1j * v).reshape(-1)
    z = z[::-1] + 0
    z[1:] = z[:-1] * 1j * u[1:]
    return size(z)


def padded(u, v):
    z = np.pad(u + 1j * v, 1)
    z[0] = 1j * u[0]
    z[-1] = z[1] * 1j * u[2]
    return size(z)


def repeated(u, v):
    z = np.tile(u + 1j * v, 2)
    z[0] *= 1j * u[0]
    return size(z)


@pytest.mark.parametrize("has_examples", (True, False))
@pytest.mark.parametrize(
    "function",
    (
        imaginary_parts_after_a_choice,
        imaginary_parts_after_a_sum_of_python,
        element_after_a_choice,
        *(joined, turned, padded, repeated),
    ),
)
def test_of_first_and_second_order(function, has_examples):
    options = {"like": (U, V)} if has_examples else {}
    gradient = s2sad.grad(function, "u", **options)
    slope = (function(U + 1e-6 * ALONG, V) - function(U - 1e-6 * ALONG, V)) / 2e-6
    bend = (gradient(U + 1e-5 * ALONG, V) - gradient(U - 1e-5 * ALONG, V)) / 2e-5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tangent = s2sad.jvp(function, "u", **options)(U, V, ALONG)[1]
        curved = s2sad.hvp(function, "u", **options)(U, V, ALONG)
    np.testing.assert_allclose([tangent, np.sum(gradient(U, V) * ALONG)], [slope] * 2, rtol=1e-6)
    np.testing.assert_allclose(curved, bend, rtol=1e-5, atol=1e-7)
