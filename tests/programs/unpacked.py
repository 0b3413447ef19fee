"""Arrays that a function returns are taken apart where it is called: their adjoint is an array."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def scaled(v):
    return 3 * v


def doubled_display(v):
    return np.array([v[0], v[1]]) * 2


def added(v):
    return v + v


def complex_pair(z):
    return np.array([z * 1j, z**2])


def pair_of_scaled(u):
    a, b = scaled(u)
    return a * b


def pair_of_a_display(u):
    a, b = doubled_display(u)
    return a * b**2


def pair_of_a_sum(u):
    a, b = added(u)
    return a * b


def pair_of_complex(u):
    a, b = complex_pair(u[0] * (1 + 2j) + u[1])
    return np.abs(a) ** 2 + np.abs(b) ** 2


def only_one_of_a_pair(u):
    _, b = doubled_display(u * u)
    return b * u[0]


def pair_of_columns(u):
    """A generator is unpacked over the columns of a list that a loop fills."""
    history = []
    for k in range(3):
        history.append((u[0] * k, u[1] * u[0] ** k))
    places, forces = (np.array(column) for column in zip(*history))  # noqa: B905
    return np.sum(places * forces)


def parts_of_a_split(u):
    """The parts of an array are put together again in the reverse sweep."""
    a, b = np.split(u, 2)
    return np.sum(a * b) - np.sum(b / a)


def whole_numbers_by_name(u):
    """A list of whole numbers is an array to NumPy; what it holds changes between two calls."""
    weights = [1, 2, 1]
    v = np.convolve(u, weights, "same")
    weights[0] = 5
    return np.sum(v * np.convolve(v, weights, "same")) + np.polyval(weights, u[0])


U = numbers(2)
PROGRAMS = (
    *(
        Entry(function, (U,))
        for function in (
            pair_of_scaled,
            pair_of_a_display,
            pair_of_a_sum,
            pair_of_complex,
            only_one_of_a_pair,
            pair_of_columns,
            parts_of_a_split,
        )
    ),
    Entry(whole_numbers_by_name, (numbers(5),), like_only=True),
)
