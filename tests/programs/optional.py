"""Helpers that give more results where an argument is given, or where an option says so."""

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


PROGRAMS = tuple(
    Entry(each, (numbers(4) ** 2 + 0.1, numbers(4)), (0, 1))
    for each in (two_by_expression, three_by_expression, two_by_statement, two_and_three_by_option)
)
