"""Branches that no call takes: what is refused there, or would hold something else, does not matter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tests.programs.entry import Entry, numbers


class Both(NamedTuple):
    a: np.ndarray
    b: float


class Frame:
    def __init__(self, columns, index):
        self.columns, self.index = columns, index


class Series(np.ndarray):
    pass


def hidden(where, u):
    held = u.view(Series)
    held.mask = where
    return held


def deviation(u, ignore=False):
    if isinstance(u, Series):
        middle = np.ma.median
        if ignore:
            u = hidden(np.isnan(u), u)
    elif ignore:
        middle = np.nanmedian
    else:
        middle = np.median
    return middle(np.abs(u - middle(u)))


def deviation_of_two(u, v):
    return deviation(u) * 2.0 + deviation(u * v)


def framed(u, t):
    out = Both(u * t, np.sin(t))
    if isinstance(u, Series):
        out = Frame(out, index=u.index)
    return np.sum(out.a) * out.b


def framed_where_asked(u, framed=False):
    table = np.zeros((len(u), 2))
    table[:, 0] = u
    table[1:, 1] = u[:-1] ** 2
    if framed:
        table = Frame({"u": table}, index=3)
    return np.sum(table * np.cos(table))


def by_option(u, how="plain"):
    if how == "framed":
        kept = Frame({"u": u}, index=3)
        kept.columns["u"].name = how
        u = kept.columns["u"]
    return np.sum(u * u)


def missing_where_needed(x, kind, loss=None):
    if kind in ("orifice", "nozzle"):
        if loss is None:
            raise ValueError("an orifice needs its loss")
        term = x * loss
        x = term * (1.0 - loss * loss)
    for _ in range(3):
        if kind == "wedge":
            if loss is None:
                raise ValueError("a wedge needs its loss")
            x = x - loss * x
        else:
            x = x - 0.1 * x**2
    return x


U = numbers(5)
V = np.sort(U) + U**3
PROGRAMS = (
    Entry(deviation, (V,)),
    Entry(deviation_of_two, (V, V + 2.0), (0, 1)),
    Entry(framed, (U, 0.7), (0, 1)),
    Entry(framed_where_asked, (U,)),
    Entry(by_option, (U,)),
    Entry(missing_where_needed, (0.7, "plain")),
)
