"""Tuples and lists that grow by `+` in a loop: numbers in them have adjoints of their own.

xs += (u[i],)
"""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers

U = numbers(5)


def tuple_of_numbers(u):
    xs = ()
    for i in range(len(u)):
        squares = (u[i] ** 2,)
        xs = xs + squares
    return sum(xs) * xs[-1]


def list_of_numbers(u):
    xs = []
    for i in range(len(u)):
        squares = [u[i] ** 2]
        xs = xs + squares
    return sum(xs) * xs[-1]


def many_known_passes(u):
    xs = ()
    for i in range(40):
        xs += (u[i % 5] * i,)
    return sum(x * k for k, x in enumerate(xs))


def in_few_passes(u):
    xs = (u[0],)
    for i in range(3):
        if u[i] > 0.3:
            xs += (u[i] * xs[-1],)
    return sum(xs) * xs[-1]


def of_products_of_two(u):
    xs = ()
    for i in range(3):
        for j in range(3):
            if j > i:
                xs += (u[i] * u[j],)
    return xs[0] * xs[-1] + len(xs)


def until_one_is_large(u):
    xs = ()
    for i in range(3):
        if u[i] > 0.6:
            break
        xs += (u * (i + 1.0),)
    else:
        return np.sum(xs[0] * u)
    return len(xs) * np.sum(u)


def in_front(u):
    xs = ()
    for i in reversed(range(3)):
        xs = (u[i : i + 2], *xs)
    return np.sum(xs[0] * xs[1] * xs[2])


def of_numbered_ones(u):
    xs = ()
    for k, x in enumerate(u[:3]):
        xs += ((x, k),)
    return sum(x * k for x, k in xs)


def an_array_repeated(u):
    xs = (u * u[0],) * 2
    return sum(np.sum(x**2) * (k + 1) for k, x in enumerate(xs))


def repeated_in_front(u):
    xs = ()
    for i in range(len(u)):
        xs = (u * u[i],) * 2 + xs
    return sum(np.sum(x**2) * (k + 1) for k, x in enumerate(xs))


def numbers_repeated_in_front(u):
    xs = (u[0] * 1.5,)
    for i in range(3):
        xs = (u[i] ** 2, u[i]) * 2 + xs
        if u[i] > 0.4:
            xs += (u[0],)
    return sum(x * (k + 1) for k, x in enumerate(xs))


def the_last_ones(u):
    xs = (np.sin(u[0]),)
    for i in range(3):
        xs += (u[i] * xs[0],)
        xs = xs[1:] + tuple(reversed(xs))
    return np.prod(np.array(xs) + 1.0)


def copies_of_slices(u):
    xs = (np.sin(u[0]),)
    for i in range(3):
        xs += (u[i] * xs[0],)
        xs = xs[1:] + tuple(xs[::-1])
    return np.prod(np.array(xs) + 1.0)


def slices_of_slices(u):
    xs = (np.sin(u[0]), u[1])
    for i in range(3):
        xs += (u[i] * xs[0],)
        xs = xs[1:][::-1] + tuple(xs[:1]) + (u[i],)
    return np.prod(np.array(xs) + 1.0)


def scaled_and_longer(u):
    xs = ()
    for i in range(4):
        xs = tuple(x * 0.9 for x in xs)
        longer = (u[i] ** 2,)
        xs = tuple(xs) + longer
    return xs[-1] * xs[0]


def with_parts_that_may_be_rows(u, v):
    s = u[0] * 1.5
    others, xs = (), (u[0] * s,)
    for i in range(3):
        xs = tuple(xs) + (v[i],)  # noqa: RUF005
        if u[i] > 0.4:
            others = tuple(x * 0.9 for x in others)
    return sum(np.sum(x) for x in xs) * s


def repeated_beside_numbers(u, v):
    xs = (u[0] * v[0],)
    for i in range(3):
        xs = (np.sin(v[i]),) * 2 + xs
        xs += (0.5,)
    return np.sum(xs[-1] * xs[0]) + u[1]


def numbers_beside_arrays(u):
    first = (u[0] ** 2, u * 2.0)
    xs = first + (u[1], u * u)  # noqa: RUF005
    return xs[0] * np.sum(xs[1] * xs[3]) * xs[2] + first[0]


class Kept:
    def __init__(self):
        self.first, self.rows = [1.0, 2.0], {"a": [[0.5], [1.5]]}

    def longer(self, u):
        self.first += [3.0]
        self.rows["a"][1] += [2.5, 0.5]
        self.rows["a"][0] *= 3
        return sum(x * y for x, y in zip(u, self.first, strict=False))


def fields_by_constants(u):
    kept = Kept()
    total = kept.longer(u)
    for row in kept.rows["a"]:
        total += sum(x * x * y for x, y in zip(u, row, strict=False))
    return total


class Seen:
    def __init__(self):
        self.values, self.row = (), (1.0, 2.0)

    def put(self, x):
        self.values += (x,)
        return np.sin(x)


def tuples_in_fields(u):
    seen, total = Seen(), 0.0
    first = seen.row
    for k in range(3):
        total += seen.put(u[k] * k)
    seen.row += (u[3] ** 2, 3.0)
    total += sum(x * y for x, y in zip(u, seen.row, strict=False))
    return total * seen.values[1] + len(first) * seen.values[2] ** 2


def fields_by_what_varies(u):
    kept = Kept()
    kept.first += [u[0] ** 2, 3.0]
    kept.first += [u[1]]
    return sum(x * y for x, y in zip(u, kept.first, strict=True))


PROGRAMS = (
    *(
        Entry(function, (U,))
        for function in (
            tuple_of_numbers,
            list_of_numbers,
            many_known_passes,
            in_few_passes,
            of_products_of_two,
            until_one_is_large,
            in_front,
            of_numbered_ones,
            an_array_repeated,
            repeated_in_front,
            numbers_repeated_in_front,
            the_last_ones,
            copies_of_slices,
            slices_of_slices,
            numbers_beside_arrays,
            fields_by_constants,
            fields_by_what_varies,
            tuples_in_fields,
        )
    ),
    Entry(scaled_and_longer, (U,)),
    Entry(repeated_beside_numbers, (U, U[::-1].copy()), (0, 1)),
    Entry(with_parts_that_may_be_rows, (U, U[::-1].copy()), (0, 1)),
)
