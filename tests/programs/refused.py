"""Programs that must be refused, and what their errors must point at."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np


def no_rule(u):
    s = np.sum(u)
    q = np.union1d(u, 2)
    return s * q[1]


def no_rule_called_deep(u):
    return np.sum(u) * no_rule(u * 2.0)


def no_rule_twice(u):
    q = np.union1d(u, 2)
    p = np.union1d(u * u, 1)
    return q[1] * p[0]


def no_rule_on_no_rule(u):
    q = np.union1d(u, 2)
    q = np.sin(np.union1d(q, 1))
    p, r = np.union1d(q * 2.0, 3) * 0.5, 2.0
    return np.sum(p) * r


def no_rule_in_blocks(u):
    s = 0.0
    for i in range(2):
        q = np.union1d(u * s, i)
        if s > 1.0:
            s = s + np.sum(np.union1d(q, 1))
        else:
            k = np.union1d(np.array([3.0, 1.0]), 0)  # inactive
            s = s + q[0] * k[0]
    while s < 3.0:
        s = s + np.union1d(u, 2)[1] * s
    return s


def no_rule_in_callees(u):
    q = np.union1d(no_rule_on_a_line(u), 2)
    return no_rule_on_a_line(q)[0] + no_rule_on_a_line(u)[1]


def no_rule_on_a_line(u):
    return np.union1d(np.cos(u), 1)


def no_rule_behind_a_write(u):
    v = u.copy()
    v[1:] = np.union1d(v[1:], 1)
    v[0] += np.union1d(v, 2)[0]
    w = [np.union1d(v, 3)]
    return np.sum(w[0])


def no_rule_but_inactive(u):
    k = np.union1d(np.array([3.0, 1.0, 2.0]), 1)
    return np.sum(u) * k[1]


def vector_result(u, c):
    return u * c


def vector_of_unknown_rank(u, c):
    w = np.array([float(c) for _ in range(5)])
    return u * w


def scalar_of_unknown_rank(u, c):
    w = np.array([float(c) for _ in range(5)])
    return np.dot(u, w)


def several_values(u):
    return np.sum(u), u[0]


def list_of_values(u):
    return [np.sum(u), u[0]]


def vectors_returned(u, c):
    def unused(x):
        return x

    if c > 9.0:
        return u * c
    return u * c * c


def any_number(*args):
    return args[0] * args[1]


def complex_inside(x):
    z = x * 1j
    return np.sign(z).real


def nothing(x):
    y = x * x
    print(y)


def nothing_at_all(x):
    return None


def a_text(x):
    return "x" if x > 0.0 else "y"


def misspelt(x):
    return np.sine(x)


def scalar_result(u, c):
    return np.sum(u * c)


def counted(u, n):
    return np.sum(u) * n


def yielding(u):
    yield np.sum(u)


async def waiting(u):
    return np.sum(u)


def _without_source():
    space = {}
    exec("def shaped(x, n):\n    return x * n", space)
    return space["shaped"]


shaped = _without_source()


def handed_on(f, u):
    return f(u, 2.0)


def calls_what_has_no_source(u):
    s = np.sum(u)
    r = shaped(s, 2.0)
    return r * s


def hands_on_what_has_no_source(u):
    s = np.sum(u)
    r = handed_on(shaped, s)
    return r * s


SEVERAL = (
    no_rule_twice,
    no_rule_on_no_rule,
    no_rule_in_blocks,
    no_rule_in_callees,
    no_rule_behind_a_write,
)


def lines_of(function: Any) -> list[str]:
    """Return the active lines of a function and of the one that it calls."""
    texts = [inspect.getsource(function)]
    if "on_a_line" in texts[0]:
        texts.append(inspect.getsource(no_rule_on_a_line))
    return [line for text in texts for line in text.splitlines() if "inactive" not in line]


def one_of_two_lengths(x, a=None, b=None):
    if a is not None:
        n = a
    elif b is not None:
        n = 2.0 * b
    else:
        raise ValueError("give a or b")
    return n * x**2
