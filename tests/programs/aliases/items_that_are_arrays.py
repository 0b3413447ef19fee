"""Items of lists that are arrays: `ts[i] *= e` writes to the array, which other names may hold.

t = [w, w]
t[0] *= u           t[1], and w, have changed as well
"""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def of_a_name(u):
    w = u * 2
    t = [w]
    t[0] *= u
    return np.sum(w)


def held_twice(u):
    w = u * 2
    t = [w, w]
    t[0] *= u
    return np.sum(t[1])


def held_twice_by_append(u):
    t = [u * 2, u]
    t.append(t[0])
    t[0] *= u
    return np.sum(t[2])


def held_often(u):
    ts, z = [], np.zeros(4)
    for _ in range(3):
        ts.append(z)
    for i in range(3):
        ts[i] += u
    return np.sum(ts[0] ** 2)


def repeated(u):
    t = [u * 2]
    t *= 2
    t[0][0] = 1.0
    return np.sum(t[1] * t[0])


def repeated_under_two_names(u):
    t = [u * 2]
    s = t
    t *= 2
    t[0][0] = 1.0
    return np.sum(s[1] * s[0])


def added_to_itself_twice(u):
    t = [u * 2]
    t += t
    t[0][0] = 1.0
    return np.sum(t[1] * t[0])


def extended_with_itself(u):
    t = [u * 2]
    t.extend(t)
    t[0] *= u
    return np.sum(t[1] * t[0])


def each_of_its_own(u, n):
    ts = [u * i for i in range(n)]
    for i in range(n):
        ts[i] *= u
    return np.sum(ts[1] * ts[2])


def one_with_a_name(u, n):
    ts = [u * i for i in range(n)]
    first = ts[0]
    for i in range(n):
        ts[i] += u
    return np.sum(first * ts[2])


def descended(u, n):
    ps = [u * 1.0, u * 2.0]
    for _ in range(n):
        gs = [p**2 for p in ps]
        for k in range(2):
            ps[k] -= 0.1 * gs[k]
    return np.sum(ps[1] * ps[0])


def by_key(u, n):
    d = {"a": u * 1.0, "b": u * 2.0}
    for _ in range(n):
        for k in d:
            d[k] -= 0.1 * d[k] ** 2
    return np.sum(d["a"] * d["b"])


def inside_a_list(u):
    ts = [[u * 1.0, u * 2.0], [u * 3.0]]
    for i in range(2):
        ts[i][0] *= u
    return np.sum(ts[0][0] * ts[1][0])


def numbers_of_a_list(u, n):
    counts, xs = [0] * 3, [0.0] * 3
    for i in range(n):
        counts[i] += 1
        xs[i] += u[i] * counts[i]
        xs[i] *= 2
    return sum(xs)


def grown_then_written(u, n):
    t = [u * 2]
    for _ in range(n):
        t += [t[-1] * u]
    t[0][0] = 2.0
    return np.sum(t[1] * t[0] * t[-1])


def appended_then_written(u, n):
    t = [u * 2]
    for _ in range(n):
        t.append(t[-1] * u)
    t[0][0] = 2.0
    return np.sum(t[1] * t[0] * t[-1])


def written_while_read(u, n):
    rows = [u * 1.0, u * 2.0]
    s = 0.0
    for i in range(n):
        s = s + np.sum(rows[0] * rows[1])
        rows[0][0] *= rows[1][1]
        rows[i % 2][1] = s * u[0]
    return s * np.sum(rows[1])


def written_in_a_tuple(u, n):
    pair = (u * 1.0, u * 2.0)
    s = 0.0
    for _ in range(n):
        s = s + np.sum(pair[0] * pair[1])
        pair[0][0] *= pair[1][1]
    return s * np.sum(pair[1])


def history(u, n):
    hist, w = [], u.copy()
    for i in range(n):
        hist.append(w.copy())
        w *= u
        hist[0][i] += w[0]
    return np.sum(hist[0] * hist[-1])


def of_an_argument(ts):
    a = ts[0]
    ts[0] *= 2.0
    return np.sum(a)


U = numbers(4)


def added_to_with_what_it_gave(u, v):
    xs = [u * v, np.sin(v)]
    for k in range(3):
        d = xs[k % 2] * u[1]
        xs[k % 2] += d
    return np.sum(xs[0] * xs[1])


class Body:
    def __init__(self, x):
        self.x = x
        self.y = 2.0 * x

    def step(self, d):
        self.x += d


def exchanged_and_stepped(u, v):
    p, q = Body(u * v), Body(np.sin(v))
    for _ in range(3):
        p, q = q, p
        t = p.x * u[1]
        p.step(t)
        q.y -= t
        q.x *= t
    return np.sum(p.x * q.y) + np.sum(q.x)


def products_of_entries(u, v):
    d = {"a": u * v, "b": np.cos(u)}
    for k in ("a", "b", "a"):
        t = d[k] * u[0]
        d[k] += t
        d[k][1:] -= t[:-1] * v[0]
    return np.sum(d["a"] * d["b"])


def pulled_at_each_other(u, v):
    bodies = []
    for k in range(3):
        bodies.append(Body(u * k + v))
    for a in bodies:
        for b in bodies:
            if a is not b:
                f = (a.x - b.x) * v[0]
                a.x += 0.1 * f
                b.x -= 0.1 * f
    return sum(np.sum(b.x**2) for b in bodies)


def two_items_computed_alike(u, c):
    """They are two arrays, and so are their tangents, however long the line is that makes them."""
    held = {"first": [np.sin(u), u * c], "second": u * c}
    held["second"][1:] = held["second"][:-1] * c
    return np.sum(held["first"][1] ** 2) + np.sum(held["second"])


PROGRAMS = (
    Entry(of_a_name, (U,), may_refuse=True),
    Entry(held_twice, (U,), may_refuse=True),
    Entry(held_twice_by_append, (U,), may_refuse=True),
    Entry(held_often, (U,), may_refuse=True),
    Entry(repeated, (U,), may_refuse=True),
    Entry(repeated_under_two_names, (U,), may_refuse=True),
    Entry(added_to_itself_twice, (U,), may_refuse=True),
    Entry(extended_with_itself, (U,), may_refuse=True),
    Entry(each_of_its_own, (U, 3)),
    Entry(one_with_a_name, (U, 3), may_refuse=True),
    Entry(descended, (U, 3)),
    Entry(by_key, (U, 3)),
    Entry(inside_a_list, (U,)),
    Entry(numbers_of_a_list, (U, 3)),
    Entry(grown_then_written, (U, 3)),
    Entry(appended_then_written, (U, 3)),
    Entry(written_while_read, (U, 3)),
    Entry(written_in_a_tuple, (U, 3), may_refuse=True),
    Entry(history, (U, 3)),
    Entry(two_items_computed_alike, (U, 0.7), (0, 1)),
    Entry(of_an_argument, ([U, 2.0 * U],), may_refuse=True, like_only=True),
    *(
        Entry(each, (U, np.sin(U) + 0.3), wrt=(0, 1))
        for each in (
            added_to_with_what_it_gave,
            exchanged_and_stepped,
            products_of_entries,
            pulled_at_each_other,
        )
    ),
)
