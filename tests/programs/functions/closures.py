"""Functions made inside that change what is around them, or vary with where they are made."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def adds_to_a_number(u):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v**2

    for v in u:
        add(v)
    return total


def counts_and_returns_early(u):
    total, n = 0.0, 0

    def add(v, c=2.0, *, k=1):
        nonlocal total, n
        if v > 0:
            total += c * v
            n += k
            return total
        n = n + 1
        return v

    y = 0.0
    for v in u:
        y = y + add(v) * add(v, 3.0, k=2)
    return y * total / n


def reads_before_it_calls(u):
    c = u[0]

    def step(x, h=c):
        nonlocal c
        c = c * 1.5

        def inner(z):
            nonlocal c
            c += z
            return c * h

        return inner(x) + inner(c)

    y = step(u[1]) + c * step(u[2], h=u[3])
    return y + c


def called_in_comprehensions(u):
    t = 1.0

    def grow(v):
        nonlocal t
        t = t * v
        return t

    return [grow(v) for v in u][-1] * sum(grow(v) for v in u)


def sees_what_is_rebound(u):
    t = u[0]

    def twice():
        return t * 2

    t = u[1]

    def more():
        nonlocal t
        t = t * u[2]
        return twice()

    return twice() * more() + twice()


def made_in_a_loop(u):
    total = 0.0
    for k in range(3):

        def line(v, c=k + 1.0):
            return v * u[k] * c  # noqa: B023

        total += line(u[0]) * line(u[1], 2.0)
    return total


def writes_a_part(A):
    A = A * 1.0

    def scale(i, c):
        A[i] *= c
        return A[i, 0]

    s = 0.0
    for i in range(2):
        s = s + scale(i, A[i, 1])
    return s * np.sum(A**2)


def a_lambda_appends(u):
    kept = []
    add = lambda v: kept.append(v * v)  # noqa: E731
    for v in u:
        add(v)
    return kept[0] * kept[1] + sum(kept)


def adds_to_what_it_changes(u):
    t = 1.0

    def grow(v):
        nonlocal t
        t = t * v
        return t

    t += grow(u[0])
    return t


def one_of_two(u):
    t = 1.0
    if u[0] > 0:

        def h(v):
            nonlocal t
            t = t + v
    else:

        def h(v):
            nonlocal t
            t = t + 2 * v

    h(u[1])
    return t


def called_inside_a_test(u):
    t = 1.0

    def grow(v):
        nonlocal t
        t = t * v
        return t

    while grow(u[2]) > 0.3:
        t = t * 0.9
    return t


def called_on_one_side(u):
    t = 1.0

    def grow(v):
        nonlocal t
        t = t * v
        return t

    return grow(u[0]) if u[1] > 0 else t * grow(u[0])


U = numbers(5)


def runs_up(u):
    total = 0.0

    def add(v):
        nonlocal total
        total += v
        return total

    return add(u[0]) * add(u[1]) * total


def sees_the_new_value(u):
    k = u[0]

    def g(x):
        return k * x

    a = g(u[2])
    k = k * 2.0
    return a * g(u[3])


def sees_what_is_added(u):
    k = u[0]

    def g(x):
        return k * x

    a = g(u[1])
    k += 1.0
    return a * g(u[2])


def sees_another_array(u):
    k = u * 1.0

    def g(x):
        return np.sum(k) * x

    a = g(u[1])
    k = k * u[2]
    return a * g(u[2])


def sees_a_new_constant(u):
    k = 2.0

    def g(x):
        return k * x

    a = g(u[1])
    k = 3.0
    return a * g(u[2])


def sees_each_pass(u):
    k = u[0]

    def g(x):
        return k * x

    s = 1.0
    for _ in range(3):
        k = k * u[1]
        s = s * g(u[2])
    return s * g(u[3])


def _applied(f, x):
    return f(x) + 1.0


def handed_on_twice(u):
    k = u[0]

    def g(x):
        return k * x

    a = _applied(g, u[1])
    k = k * 3.0
    return a * _applied(g, u[2])


def stages_of_a_step(u):
    # what the function gives is read where its argument was written
    weights = [[], [0.5], [0.25, 0.75]]

    def slope(t, y):
        return np.array([y[1], -t * y[0]])

    y = u[:2].copy()
    for n in range(2):
        slopes = []
        for i in range(3):
            at = y.copy()
            for w, k in zip(weights[i], slopes, strict=True):
                at += 0.3 * w * k
            slopes.append(slope(u[2] + n, at))
        y = y + 0.1 * sum(slopes)
    return np.sum(y**2)


SEEN = (
    sees_the_new_value,
    sees_what_is_added,
    sees_another_array,
    sees_a_new_constant,
    sees_each_pass,
)


def fills_what_it_is_given(u):
    v = u.copy()

    def ghosts(w):
        w[0] = w[-2]

    ghosts(v)
    return np.sum(v**3)


def one_calls_the_other(u):
    v = u.copy()

    def ghosts(w, n=2):
        w[0] = w[-n]

    def both(a, b):
        ghosts(a)
        ghosts(b, n=1)
        a += b

    w = 2.0 * v
    both(v, w)
    return np.sum(v**3 * w)


def fills_in_some_passes(u, c):
    v = u.copy()

    def ghosts(w):
        if c > 0.0:
            w[0] = w[-2] * c
        else:
            w[0] = 0.0

    for k in range(3):
        if k:
            ghosts(v)
        v = v * v
    return np.sum(v**3)


def appends_to_what_it_is_given(u):
    values = [u[0], u[1]]

    def push(v, t):
        v.append(t * v[-1])

    push(values, u[0])
    push(values, u[1])
    return sum(values) * values[-1]


PROGRAMS = (
    Entry(fills_what_it_is_given, (numbers(4),)),
    Entry(one_calls_the_other, (numbers(4),)),
    Entry(fills_in_some_passes, (numbers(4), 0.7), (0, 1)),
    Entry(fills_in_some_passes, (numbers(4), -0.7), note="not"),
    Entry(appends_to_what_it_is_given, (numbers(4),)),
    *(Entry(each, (U,)) for each in SEEN),
    Entry(handed_on_twice, (U,), may_refuse=True),
    Entry(runs_up, (U,)),
    Entry(stages_of_a_step, (U,)),
    Entry(adds_to_a_number, (U,)),
    Entry(counts_and_returns_early, (U,)),
    Entry(reads_before_it_calls, (U,)),
    Entry(called_in_comprehensions, (U,)),
    Entry(sees_what_is_rebound, (U,)),
    Entry(made_in_a_loop, (U,)),
    Entry(writes_a_part, (numbers(3, 2),)),
    Entry(a_lambda_appends, (U,)),
    Entry(adds_to_what_it_changes, (U,), may_refuse=True),
    Entry(one_of_two, (U,), may_refuse=True),
    Entry(called_inside_a_test, (U,), may_refuse=True),
    Entry(called_on_one_side, (U,), may_refuse=True),
)
