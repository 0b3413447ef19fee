"""Loops that write to what displays hold, side by side with other things."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def lists_that_grow(x):
    means, squares = [], []
    for v in x:
        for kept, value in zip((means, squares), (v, v * v), strict=True):
            kept.append(value)
    return means[0] * squares[1] + means[-1]


def arrays_and_factors(x):
    u, v = x.copy(), 2 * x
    for a, c in zip((u, v), (2.0, x[0]), strict=True):
        a[0] *= c
        a += 1.0
    return np.sum(u * v)


def what_was_there_before(x):
    u, v = x.copy(), 2 * x
    for a, c in zip((u, v), (v[0], u[0]), strict=True):
        a[0] *= c
    return np.sum(u * v)


def one_another(x):
    u, v = x.copy(), 2 * x
    for a, c in zip((u, v), (v, u), strict=True):
        a += c
    return np.sum(u * v)


def counted_places(x):
    u, v = x.copy(), 2 * x
    for i, a in enumerate([u, v]):
        a[i] *= x[1]
    return np.sum(u * v)


def from_behind(x):
    u, v = x.copy(), 2 * x
    for a in reversed((u, v)):
        a += u
    return np.sum(u * v)


def left_on_the_way(x):
    u, v = x.copy(), 2 * x
    for a, c in zip((u, v), (1.0, 2.0), strict=True):
        if c > 1:
            break
        a[0] += c * x[0]
    return np.sum(u * v)


def clip_all(*arrays):
    for a in arrays:
        np.clip(a, -0.5, 0.5, out=a)


def handed_as_they_are(x):
    u, v = x.copy(), 2 * x
    clip_all(u, v)
    return np.sum(u * v)


def scale_all(c, *arrays):
    for i, a in enumerate(arrays):
        a *= c + i


def handed_and_counted(x):
    u, v, w = x.copy(), 2 * x, x * x
    scale_all(x[0], u, v, w)
    return np.sum(u * v * w)


def handed_twice(x):
    u = x.copy()
    scale_all(x[0], u, u)
    return np.sum(u**2)


def strictly(x):
    params, slopes = [x.copy(), 2 * x], [np.sin(x), np.cos(x)]
    for p, g in zip(params, slopes, strict=True):
        p -= 0.1 * g
    return np.sum(params[0] * params[1])


def not_strictly(x):
    params, slopes = [x.copy(), 2 * x], [np.sin(x), np.cos(x)]
    for p, g in zip(params, slopes, strict=False):
        p -= 0.1 * g
    return np.sum(params[0] * params[1])


def steps_kept_in_a_list(r):
    rhs = lambda n: r * n * (1 - n)  # noqa: E731
    n, slopes = 0.1, []
    for _ in range(4):
        slopes.append(rhs(n))
        n += slopes[-1]
    return n


def slopes_of_arrays(y, k):
    rhs = lambda t, y: -k * y * t  # noqa: E731
    t, slopes = 0.0, []
    y = y.copy()
    for _ in range(3):
        slopes.append(rhs(t, y))
        y += 0.1 * slopes[-1]
        t += 0.1
    return np.sum(y**2) + np.sum(slopes[0] * slopes[-1])


def doubled(v, n=3):
    for k in range(n):
        v[k % 3] *= 2.0
        yield v[k % 3]
        v[1] += v[0]


def written_by_what_is_behind(x):
    u, s = x * 1.0, 0.0
    w = u[:]
    for a, b in zip(u, doubled(w, 5), strict=False):
        s += a * b * b
        if a > 1.0:
            continue
        if s > 1e5:
            break
        s *= a
    else:
        s *= 1.7
    return s + u[1] + u[2]


def asked_no_further(x):
    u, s = x * 1.0, 1.0
    for k, b in zip(range(2), doubled(u), strict=False):
        s += b * b * k
    for a, b in zip(u[u > 1e3], doubled(u), strict=False):
        s += a * b
    else:
        s *= 1.2
    return s * u[0] * u[2] + u[1]


def ends_at_its_third_yield(v):
    v[0] *= 2.0
    yield v[1]
    v[1] *= v[0]
    yield v[1]
    v[2] *= v[1]
    yield v[2]


def between_yields_one_by_one(x):
    u, s = x * 1.0, 1.0
    for a, b in zip(u[:2], ends_at_its_third_yield(u), strict=False):
        s += a * b
    pairs = list(zip(u[1:], ends_at_its_third_yield(u), strict=False))
    return s * u[0] * u[2] + pairs[1][0] * pairs[0][1]


def given_another_value_beside(x):
    s, a, b = 0.0, x[0], x[1]
    for v, k in zip(x, (k * s + k for k in range(9) if k), strict=False):
        x = x * 2.0
        s += v * k
    for c, k in zip((a, b, a * b), (k * s + k for k in range(9) if k), strict=False):
        a = a * 2.0
        s += c * k * a
    return s


def computed_as_their_turn_comes(x):
    u, s = x * 1.0, 1.0
    for y in (s * v for v in x if v):
        s += 0.5 * y
        if s > 9.0:
            break
    for k, y in enumerate(s * v for v in u):
        u[1:] *= 2.0
        s += k * y
    for v, y in zip(x, (v * w for v, w in zip(u, x, strict=False) if v > 0.0), strict=False):
        u[2] += s
        s += v * y
    return s


def values_that_change(x):
    d, e, s = {"a": x[0], "b": x[1]}, {k: x[k] for k in range(len(x))}, 0.0
    for v in d.values():
        s += v
        d["b"] *= 3.0
    for k, v in e.items():
        s += v * k
        e[2] *= s
    return s


def columns_of_an_array(x):
    X = np.outer(x, x * x)
    s = sum(sum(column) * k for k, column in enumerate(zip(*X, strict=False)))
    for v, (column, row) in zip(x, zip(zip(*X, strict=False), X, strict=True), strict=True):
        s += column[0] * row[1] * v
    kept = list(zip(*X, strict=False))
    X[0] = 2.0
    a, b, _ = zip(*X, strict=False)
    return s * kept[1][0] * a[1] + sum(b) * kept[0][2]


def items_of_an_iterator(x):
    w, s = x * 1.0, 0.5
    for v in iter(x):
        s = s + v
    for y in iter(v * s for v in x):
        s += y
    for v in iter(w):
        w[1:] *= 2.0
        s = np.sin(s * v)
    return s


def keys_beside(x):
    u, s = x * 1.0, 0.0
    d = {2: u[0], 0: u[1]}
    for k, y in zip(d, doubled(u), strict=False):
        s += d[k] * y * (k + 1)
    return s + sum(d[k] * y for y, k in zip(doubled(u), d, strict=False))


THREE = (numbers(3),)

PROGRAMS = (
    *(
        Entry(function, THREE)
        for function in (
            lists_that_grow,
            arrays_and_factors,
            what_was_there_before,
            one_another,
            counted_places,
            from_behind,
            left_on_the_way,
            handed_as_they_are,
            handed_and_counted,
            handed_twice,
            strictly,
            not_strictly,
            written_by_what_is_behind,
            asked_no_further,
            between_yields_one_by_one,
            given_another_value_beside,
            computed_as_their_turn_comes,
            values_that_change,
            columns_of_an_array,
            items_of_an_iterator,
            keys_beside,
        )
    ),
    Entry(steps_kept_in_a_list, (1.3,)),
    Entry(slopes_of_arrays, (numbers(3), 0.3), (0, 1)),
)
