"""Gradients are differentiated again, without a text in between; differences of the gradient judge."""

import math

import numpy as np
import pytest

from tests.rooms.derived import rows
from tests.rooms.seconds import judged, product

U, W = np.array([0.3, -0.7, 1.1, 0.4]), np.linspace(-0.5, 0.9, 16).reshape(4, 4)
NAMES = """
allen_cahn newton_sqrt cholesky marched_distance shoelace hidden_markov
one_with_a_name held_often
"""
KERNELS = [row for row in rows() if row.label.partition(".")[2] in NAMES.split()]


@pytest.mark.parametrize("row", KERNELS, ids=lambda row: row.label)
def test_kernels(row):
    run = product(row.function, row.args, row.wrt)
    assert judged(row.function, row.args, row.wrt, run) is None, run.text


def filled(u, c):
    return np.sum(np.full_like(u, c**2) * u)


def filled_and_norm(u, c):
    v = np.sqrt(np.sum(np.full_like(u, c * c) * u**2))
    return c / v


def masked(u, r):
    """The adjoint of d is zero where u is, and varies there."""
    d = u / r
    return np.sum(np.where(r > 0.1, d, 0.0) * np.array([1.0, 0.0, 2.0, 0.5]) * u)


def rectified(u, c):
    return np.sum(np.sqrt(np.maximum(u, 0.0) + 1e-9) * u) * c


def march(u, c):
    for _ in range(3):
        u[1:] += c * u[:-1] ** 2
        u = np.tanh(u)
    return np.sum(u**2)


class Link:
    def __init__(self, value, after):
        self.value, self.after = value, after


def stepped_chain(u, c):
    chain = None
    for value in (u[0], u[1], c):
        chain = Link(value, chain)
    total, link = 0.0, chain
    while link is not None:
        total += link.value**2
        link.value *= c
        link = link.after
    return total * chain.after.value


def mixed(u, W):
    v = W @ u
    return v @ v + np.log(1.0 + np.exp(v)) @ u


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (filled, (U, 0.4)),
        (stepped_chain, (U, 0.4)),
        (filled_and_norm, (U, 0.4)),
        (masked, (U * [1.0, 0.0, 1.0, 1.0], np.array([0.5, 0.7, 0.05, 1.2]))),
        (rectified, (U, 0.7)),
        (march, (U, 0.7)),
        (mixed, (U, W)),
    ],
)
def test_the_smallest_programs(function, args):
    run = product(function, args, (0, 1))
    assert judged(function, args, (0, 1), run) is None, run.text


def linear(u):
    v = u.copy()
    v[1] *= 0.3
    return np.sum(v)


def returned_on_one_way(u):
    v = u * 1.0
    w = v
    if u[0] > 0:
        w = u * 2.0
        w[0] = v[1]
    v[2] = w[0] * w[3]
    return np.sum(v * u)


def appended(u):
    terms = []
    for x in u:
        terms.append(x * x)
    terms[0] *= terms[1]
    return sum(terms) * terms[0]


@pytest.mark.parametrize("function", [linear, returned_on_one_way, appended])
@pytest.mark.parametrize("single", [True, False])
def test_of_one_argument(function, single):
    run = product(function, (U,), (0,), single)
    assert judged(function, (U,), (0,), run) is None, run.text


def length(u):
    return np.sqrt(u @ u)


SMOOTH = [
    lambda u: np.sqrt(np.sum(u**2)) ** 2,
    lambda u: length(u) ** 2,
    lambda u: (np.dot(u, u) ** 0.5) ** 2,
    lambda u: np.linalg.norm(u) * np.linalg.norm(u),
]


@pytest.mark.parametrize("function", SMOOTH)
def test_squares_of_norms_are_smooth_at_0(function):
    run = product(function, (np.zeros(4),), (0,), True)
    assert run(np.zeros(4), U) == pytest.approx(2.0 * U), run.text


def test_a_product_is_symmetric():
    run = product(mixed, (U, W), (0,))
    left, right = np.array([1.0, 0.2, -0.4, 0.0]), np.array([0.0, 0.6, 1.3, -0.8])
    one, other = (np.asarray(run(U, W, each)).ravel() for each in (left, right))
    assert one @ right == pytest.approx(other @ left, rel=1e-12)


def tried(u):
    try:
        y = math.log(u[0])
        z = math.sqrt(u[1]) * y
    except ValueError:
        z = u[0] ** 2 * u[1]
    return z * u[2]


@pytest.mark.parametrize("u", [U, abs(U)])
def test_of_a_try(u):
    run = product(tried, (u,), (0,))
    assert judged(tried, (u,), (0,), run) is None, run.text
