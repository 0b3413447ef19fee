"""Functions that take `*args` and are given what is starred: nobody knows how many that are."""

from __future__ import annotations

import math

import numpy as np
from scipy import linalg

from tests.programs.entry import Entry, numbers

XS = np.linspace(0.0, 2.0, 5)


def peaks(x, *ps):
    y = np.zeros_like(x)
    for i in range(0, len(ps), 3):
        y = y + ps[i] * np.exp(-((x - ps[i + 1]) ** 2) * ps[i + 2])
    return y


def scaled(x, *ps, scale=1.0):
    y = 0
    for i in range(0, len(ps), 3):
        a, m, s = ps[i : i + 3]
        y = y + a * np.sin(m * x + s) * scale
    return y


def poly(x, *c):
    return sum(ci * x**i for i, ci in enumerate(c))


def horner(x, *c):
    r = 0
    for ci in reversed(c):
        r = r * x + ci
    return r


def stacked(*rows):
    return np.stack(rows)


def written(*rows):
    rows[0][0] = 5.0
    return rows[0][0] * rows[1][1]


def chi(p, model, x, y):
    return np.sum((model(x, *p) - y) ** 2)


def several_peaks(p):
    return np.sum(peaks(XS, *p) ** 2)


def with_a_keyword(p):
    return np.sum((scaled(XS, *p, scale=p[0]) - 1.0) ** 2)


def sum_and_horner(p):
    r = poly(XS, *p) - 1.0
    return r @ r * horner(0.3, *p[1:]) + horner(p[0], *p) ** 2


def made_inside(p):
    def total(x, *ps):
        y = np.zeros_like(x)
        for i in range(0, len(ps), 3):
            y = y + ps[i] * np.cos(ps[i + 1] * x) + ps[i + 2]
        return y

    f = lambda x, *c: sum(ci * x**i for i, ci in enumerate(c))  # noqa: E731
    return np.sum(total(XS, *p) ** 2) * f(0.3, *p)


def in_their_order(p):
    kept = []

    def total(x, *ps, scale):
        kept.append(ps[0])
        return sum(q * x for q in ps) * scale

    def scale():
        kept.append(p[1])
        return 2.0 * len(kept)

    y = total(0.3, *p, scale=scale())
    return y * kept[0] ** 2 * kept[1]


def models_handed_on(p):
    return chi(p, poly, XS, np.cos(XS)) + chi(p * 2.0, horner, XS, np.sin(XS))


class Model:
    def __init__(self, x):
        self.x = x

    def curve(self, *c):
        return sum(ci * self.x**i for i, ci in enumerate(c))

    def chi2(self, p):
        return np.sum((self.curve(*p) - 1.0) ** 2)


def of_a_model(p):
    return Model(XS).chi2(p)


def rows_that_are_stacked(X):
    return np.sum(stacked(*X) ** 2 * X[0])


def rows_that_are_written(X):
    rows = [x * 2.0 for x in X]
    r = written(*rows)
    return r * np.sum(rows[0])


def views_that_are_written(X):
    X = X.copy()
    r = written(*X)
    return r * np.sum(X)


def item_and_loop(t):
    kept = []
    kept.append(t[0])
    s = sum(q * 0.3 for q in t)
    return s * kept[0]


def as_columns(*arrays):
    """One array comes back as it is, several as a list."""
    made = []
    for each in arrays:
        array = np.asanyarray(each)
        if len(array.shape) == 0:
            column = array.reshape(1, 1)
        elif len(array.shape) == 1:
            column = array[:, np.newaxis]
        else:
            column = array
        made.append(column)
    if len(made) == 1:
        return made[0]
    return made


def one_as_a_column(p):
    return np.sum(as_columns(p) ** 2 * np.arange(3.0))


def several_as_columns(p, X):
    a, b = as_columns(p, X)
    return np.sum(a[:4] * b**2)


def columns_in_a_map(p, X):
    p, X = np.broadcast_arrays(p[:3], X)
    p, X = list(map(as_columns, (p, X)))
    total = np.concatenate(((p[0] * X[0])[None, ...], p[1:] * np.diff(X, axis=0)), axis=0)
    return np.sum(np.cumsum(total, axis=0).squeeze() ** 2)


def mapped_into_displays(p):
    sines = np.array([0.5, *map(math.sin, p)])
    chosen = [*(v * v for v in p if v > 0.0), *p]
    return np.sum(sines[1:] * p) + chosen[0] * sum(chosen)


def blocks_that_are_repeated(p, count=2):
    block = np.outer(p[:2], p[2:4])
    whole = linalg.block_diag(*[block] * count) * linalg.block_diag(*((block.T,) * 2))
    return np.sum(whole**2 * np.arange(16.0).reshape(4, 4)) + np.hypot(*[p[5]] * 2)


def tuples_of_any_number(p):
    kept = {"squares": (*(x * x for x in p if x > 0.0), 1.0)}
    for x in p:
        kept["squares"] = (*kept["squares"], x * p[0])
    both = (*kept["squares"], *map(np.sin, p), *p[:2])
    return sum(both) * both[1] * len(both) + max((*p, 0.1))


P, X = numbers(6), numbers(4, 3)
PROGRAMS = (
    *(
        Entry(function, (P,))
        for function in (
            *(several_peaks, with_a_keyword, sum_and_horner, made_inside, in_their_order),
            *(models_handed_on, of_a_model, mapped_into_displays),
        )
    ),
    Entry(blocks_that_are_repeated, (P,)),
    Entry(tuples_of_any_number, (P,)),
    Entry(several_peaks, (P.tolist(),), like_only=True, note="list"),
    Entry(sum_and_horner, (tuple(P.tolist()[:4]),), like_only=True, note="tuple", may_refuse=True),
    Entry(rows_that_are_stacked, (X,)),
    Entry(rows_that_are_written, (X,), may_refuse=True),
    Entry(views_that_are_written, (X,), may_refuse=True),
    Entry(one_as_a_column, (P,)),
    Entry(one_as_a_column, (0.7,), note="number"),
    *(
        Entry(function, (P, X), like_only=True)
        for function in (several_as_columns, columns_in_a_map)
    ),
    Entry(item_and_loop, (tuple(P.tolist()),), like_only=True),
)
