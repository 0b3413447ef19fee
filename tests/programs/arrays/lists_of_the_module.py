"""Lists and tuples of the module stand where NumPy takes arrays, by position and by keyword."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers

WEIGHTS = [0.5, 2.0, 0.25]
TIMES = (0.0, 0.5, 1.1)
MIXING = [[1.0, 2.0, 0.5], [0.3, 0.1, 0.9], [0.2, 0.7, 0.4]]
PICKED = [2, 0]
RATES = {"a": 1.5, "bc": 0.5, "d": 2.0}


def lists_in_arithmetic(u):
    return np.sum(u * WEIGHTS + (TIMES - u) ** 2 / WEIGHTS + (u * u + 1.0) ** WEIGHTS)


def lists_in_products(u):
    a, b = np.dot(WEIGHTS, u), MIXING @ u
    return a * np.sum(np.outer(TIMES, u) ** 2) + u @ MIXING @ b + np.einsum("ij,j->", MIXING, u)


def list_written_out_in_a_sum(u):
    return np.sum(np.einsum("i,j->ij", u, [0.2, 0.7, 0.1]) ** 2) + np.vdot(u, [1.0, 2.0, 3.0])


def lists_solved(u):
    return np.sum(np.linalg.solve(MIXING, u) ** 2)


def lists_in_polynomials(u):
    tail = np.polynomial.chebyshev.chebval(u, TIMES)
    return np.sum(np.polyval(WEIGHTS, u) * tail * np.vander(u, 3) @ WEIGHTS)


def lists_in_tables(u):
    t = np.interp(u, TIMES, WEIGHTS)
    return np.sum(t * np.gradient(u, TIMES)) + np.trapezoid(u, TIMES)


def lists_in_filters(u):
    return np.sum(np.convolve(u, WEIGHTS) ** 2) + np.sum(np.correlate(u, TIMES, "full") ** 3)


def lists_chosen(u):
    t = np.where([True, False, True], u, WEIGHTS)
    return np.sum(np.maximum(u, WEIGHTS) * t) + np.sum(u[PICKED] ** 2) + np.sum(np.hypot(u, TIMES))


def lists_joined(u):
    table = np.vstack([MIXING, u])
    return np.sum(table**2) + np.sum(np.concatenate([WEIGHTS, u]) * np.append(TIMES, u * u))


def lists_by_keyword(u):
    return np.average(u, weights=WEIGHTS) * np.average(u**2, weights=TIMES, axis=0)


def lists_read_in_a_loop(u):
    s = 0.0
    for w, t in zip(WEIGHTS, TIMES, strict=True):
        s = np.sum(u * WEIGHTS) * w + np.sin(s * t)
    return s


def views_beside_an_array(u):
    s = 0.0
    for x, (name, rate) in zip(u, RATES.items(), strict=True):
        s += x * rate * len(name)
    for x, rate in zip(u, RATES.values(), strict=True):
        s = s * x + rate
    return s + sum(map(lambda x, name: x * len(name), u, RATES.keys()))


def several_at_once(u):
    a, b = np.atleast_1d(u, u[0])
    first, second, third = np.broadcast_arrays(*np.atleast_1d(u[1], a, 3.0))
    rows = np.atleast_2d(u, WEIGHTS)
    return np.sum(first * second + third * b) + np.sum(rows[0] * rows[1])


U = numbers(3)
PROGRAMS = tuple(
    Entry(function, (U,))
    for function in (
        lists_in_arithmetic,
        lists_in_products,
        list_written_out_in_a_sum,
        lists_solved,
        lists_in_polynomials,
        lists_in_tables,
        lists_in_filters,
        lists_chosen,
        lists_joined,
        lists_by_keyword,
        lists_read_in_a_loop,
        several_at_once,
        views_beside_an_array,
    )
)
