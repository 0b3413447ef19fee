"""Arguments that may be left out: what helpers then give, and what a `try` then does."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def by_expression(u, n, x=None):
    total = np.sum(u)
    return (u, total) if x is None else (u, total, x)


def by_statement(u, n, x=None):
    total = np.sum(u)
    if x is None:
        return u, total
    return u, total, x


def by_option(u, n, mode="two"):
    total = np.sum(u)
    return (u, total) if mode == "two" else (u, total, n)


def two_by_expression(u, v):
    a, total = by_expression(u, v)
    return np.sum(a / total * v * a)


def three_by_expression(u, v):
    a, total, x = by_expression(u, v, v * 2.0)
    return np.sum(a / total * v * a * x)


def two_by_statement(u, v):
    a, total = by_statement(u, v)
    return np.sum(a / total * v * a)


def two_and_three_by_option(u, v):
    a, total = by_option(u, v)
    _, again, m = by_option(u, v, "three")
    return np.sum(a / total * v * a) * again * np.sum(m)


def mean_in_a_try(c, u, mean=None):
    try:
        if mean is None:
            m = np.sum(u) / 4.0
        else:
            m = mean(u)
    except ValueError:
        m = 0.0
    return np.sum(c**2) * m


def option_in_a_try(c, options):
    try:
        k = 1.5 if options is None else options.get("k", 3.0)
    except AttributeError:
        k = 100.0
    return np.sum(c**2) * k


def option_taken_in_a_try(c, options):
    try:
        k = 1.5 if options is None else options.pop("k")
    except AttributeError:
        k = 100.0
    return np.sum(c**2) * k


def text_in_a_try(c, text):
    try:
        k = float(text)
    except (TypeError, ValueError):
        k = 7.0
    return np.sum(c**2) * k


class Line:
    def __init__(self, c, scale=1.0):
        self.c, self.scale = c, scale

    def __call__(self, x):
        return self.c[0] * x * self.scale + self.c[1]

    @classmethod
    def fit(cls, x, y, full=False):
        c = np.polyfit(x, y, 1)
        if full:
            return cls(c), np.sum((np.polyval(c, x) - y) ** 2)
        return cls(c)

    @classmethod
    def through(cls, x, y, scale=None):
        if scale is None:
            return cls(np.array([y[1] - y[0], y[0]]))
        return cls(np.array([y[1] - y[0], y[0]]), scale)


def made_by_an_option(y):
    line = Line.fit(np.arange(5.0), y)
    return line(0.7) ** 2


def made_with_something_else(y):
    line, rest = Line.fit(np.arange(5.0), y, full=True)
    return line(0.7) * rest


def made_on_either_way(y):
    a, b = Line.through(None, y), Line.through(None, y, scale=y[2])
    return a(0.3) * b(y[1])


U, V = numbers(4) ** 2 + 0.1, numbers(4)
PROGRAMS = (
    *(
        Entry(each, (U, V), (0, 1))
        for each in (
            *(two_by_expression, three_by_expression),
            *(two_by_statement, two_and_three_by_option),
        )
    ),
    Entry(mean_in_a_try, (U, V)),
    Entry(mean_in_a_try, (U, V, None), note="None"),
    Entry(mean_in_a_try, (U, V, np.sum), note="function", like_only=True, may_refuse=True),
    *(Entry(option_in_a_try, (U, each), note=str(each)) for each in (None, {}, {"k": 2.0})),
    Entry(option_in_a_try, (U, 5), note="5", may_refuse=True),
    Entry(option_taken_in_a_try, (U, None), note="None"),
    Entry(option_taken_in_a_try, (U, {"k": 2.0}), note="k", like_only=True, may_refuse=True),
    *(Entry(text_in_a_try, (U, each), note=str(each)) for each in (None, "2.5", 3)),
    Entry(text_in_a_try, (U, "no number"), note="no number", may_refuse=True),
    *(
        Entry(each, (numbers(5),))
        for each in (made_by_an_option, made_with_something_else, made_on_either_way)
    ),
)
