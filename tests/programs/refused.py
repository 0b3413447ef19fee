"""Programs that must be refused, and what their errors must point at."""

from __future__ import annotations

import numpy as np


def no_rule(u):
    s = np.sum(u)
    q = np.partition(u, 2)
    return s * q[1]


def no_rule_called_deep(u):
    return np.sum(u) * no_rule(u * 2.0)


def no_rule_twice(u):
    q = np.partition(u, 2)
    p = np.correlate(u, u)
    return q[1] * p[0]


def no_rule_but_inactive(u):
    k = np.partition(np.array([3.0, 1.0, 2.0]), 1)
    return np.sum(u) * k[1]


def vector_result(u, c):
    return u * c


def scalar_result(u, c):
    return np.sum(u * c)


def counted(u, n):
    return np.sum(u) * n


def yielding(u):
    yield np.sum(u)


async def waiting(u):
    return np.sum(u)
