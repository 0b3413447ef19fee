"""Generators whose list would be another thing: their loops run by turns with those who ask.

for t in steps(t0, h): y -= 0.1 * y * t
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from tests.programs.entry import Entry, numbers

G = 2.0


def steps(t, h):
    for _ in range(3):
        yield t
        t += h


def stepped_in_place(t0, h):
    y = 1.0
    for t in steps(t0, h):
        y -= 0.1 * y * t
    return y


def kept_while_written(t0, h):
    kept = []
    for t in steps(t0, h):
        kept.append(t)
    return np.sum(kept[0] * kept[2])


def array_seen_in_turns(t0, h):
    u = t0 * 1.0
    s = 0.0
    for t in steps(u, h):
        s = s + np.sum(u * t)
    return s


def array_written_by_generator(t0, h):
    u = t0 * 1.0
    s = 0.0
    for t in steps(u, h):
        s = s + np.sum(t**2)
    return s + np.sum(u)


def summed_comprehension(t0, h):
    return sum(math.exp(-t) for t in steps(t0, h))


def numbered(t0, h):
    y = 1.0
    for i, t in enumerate(steps(t0, h)):
        y -= 0.1 * y * t * i
    return y


def beside_numbers(t0, h):
    y = 1.0
    for i, t in zip((1.0, 2.0, 3.0), steps(t0, h)):  # noqa: B905
        y -= 0.1 * y * t * i
    return y


def left_while_yielding(t0, h):
    y = 1.0
    for t in steps(t0, h):
        if y > 1.2:
            break
        y += t
    return y


def passed_over(t0, h):
    y = 1.0
    for t in steps(t0, h):
        if y > 1.2:
            continue
        y += t
    return y


def returned_from_within(t0, h):
    y = 1.0
    for t in steps(t0, h):
        if y > 1.2:
            return y * h
        y += t
    return y


def inside_itself(t0, h):
    s = 0.0
    for a in steps(t0, h):
        for b in steps(a, h * a):
            s += a * b
    return s


def leap(x, force):
    for _ in range(3):
        x = x + 0.1 * force(x)
        yield x


def handed_a_lambda(k, x0):
    return sum(leap(x0, lambda x: -k * x))


def accel(x):
    return -(x**3)


def handed_a_function(k, x0):
    return k * sum(leap(x0, accel))


def handed_an_inner_function(k, x0):

    def force(x):
        return -k * np.sin(x)

    s = 0.0
    for i, x in enumerate(leap(x0, force)):
        s += i * x
    return s


def listed_with_a_test(k, x0):
    xs = [x for x in leap(x0, force=lambda x: -k * x) if x > 0.1]
    return xs[-1] * xs[0]


def midpoint(f, x, n):
    for i in range(n):
        k1 = f(x)
        k2 = f(x + 0.05 * k1)
        yield (i, x)
        x += 0.1 * k2


def pairs_of_a_solver(k, x0):
    s = 0.0
    for i, x in midpoint(lambda q: -k * q, x0, 4):
        s += i * x
    return s


def inner_without_end(k, x0):

    def orbit(x):
        while True:
            x = k * x * (1 - x)
            yield x

    s = 0.0
    for x in itertools.islice(orbit(x0), 5):
        s += x
    return s


def inner_sees_the_item(k, x0):

    def orbit(x):
        while True:
            x = k * x * (1 - x)
            yield x

    s = 0.0
    for k in itertools.islice(orbit(x0), 3):
        s += k
    return s


def inner_listed(k, x0):

    def orbit(x):
        while True:
            yield x
            x *= k * (1 - x)

    xs = list(itertools.islice(orbit(x0), 5))
    return xs[1] * xs[3]


def inner_beside_weights(k, x0):

    def orbit(x):
        while True:
            yield x
            x *= k * (1 - x)

    s = 0.0
    for w, x in zip([1.0, 2.0, 3.0], orbit(x0)):  # noqa: B905
        s += w * x
    return s


def inner_sees_what_changes(k, x0):

    def orbit(x):
        for _ in range(3):
            yield x
            x *= k

    s = 0.0
    for x in orbit(x0):
        k = k + 0.1
        s += x * k
    return s


def inner_while_it_lasts(k, x0):

    def orbit(x):
        while True:
            yield x
            x *= k

    return sum(itertools.takewhile(lambda v: v > 0.1, orbit(x0)))


def first_three(u):
    for i in range(3):
        yield u[i]


def written_while_asked(u):
    u = u.copy()
    s = 0.0
    for v in first_three(u):
        u[2] += v * v
        s += v
    return s * u[2]


def growing(t, h):
    yield t
    for _ in range(3):
        t += h * t
        yield t


def yielded_twice(t, h):
    s = 0.0
    for x in growing(t, h):
        s += x * x
    return s


def now_and_then(t, h):
    k = 0
    while k < 6:
        k += 1
        t += h
        if k % 2:
            continue
        if t > 5:
            break
        yield (k, t)


def conditional_left(t, h):
    s = 0.0
    for k, x in now_and_then(t, h):
        if k > 3:
            break
        s += x * x * k
    return s * h


def scaled_by_global(x):
    for _ in range(3):
        x *= G
        yield x


def shadowed_global(t, h):
    G = 3.0
    s = 0.0
    for x in scaled_by_global(t):
        s += x * G * h
    return s


def shrinking(x, r=0.5, n=3):
    for _ in range(n):
        x *= r
        yield x


def shifted(t, h):
    for x in shrinking(t, h):
        x += h
        yield (x * x)


def through_another(t, h):
    s = 0.0
    for v in shifted(t, h):
        s += v * s + v
    return s


def inner_reads_rebound(t, h):

    def gen(q):
        for _ in range(3):
            yield q
            q += t * h

    s = 0.0
    for v in gen(h):
        s += v
        t = t * s
    return s + t


def doubled(u, h):
    for _ in range(3):
        yield (2.0 * u)
        u += h


def written_in_turns(u, h):
    v = u * 1.0
    s = 0.0
    for w in doubled(v, h):
        s = s + np.sum(w * v)
    return s


def written_in_turns_numbered(u, h):
    v = u * 1.0
    s = 0.0
    for i, w in enumerate(doubled(v, h)):
        s = s + np.sum(w * v) * i
    return s


def written_in_turns_summed(u, h):
    v = u * 1.0
    return sum(i * np.sum(w * v) for i, w in enumerate(doubled(v, h)))


OF_NUMBERS = (
    stepped_in_place,
    summed_comprehension,
    numbered,
    left_while_yielding,
    returned_from_within,
    inside_itself,
    handed_a_lambda,
    handed_a_function,
    handed_an_inner_function,
    listed_with_a_test,
    pairs_of_a_solver,
    inner_without_end,
    inner_sees_the_item,
    inner_listed,
    inner_beside_weights,
    inner_sees_what_changes,
    inner_while_it_lasts,
    yielded_twice,
    conditional_left,
    through_another,
    inner_reads_rebound,
)
MAY_REFUSE = (beside_numbers, passed_over, shadowed_global)
OF_ARRAYS = (
    array_written_by_generator,
    array_seen_in_turns,
    written_in_turns,
    written_in_turns_numbered,
    written_in_turns_summed,
)
PROGRAMS = (
    *(Entry(function, (0.7, 0.3), (0, 1)) for function in OF_NUMBERS),
    *(Entry(function, (0.7, 0.3), (0, 1), may_refuse=True) for function in MAY_REFUSE),
    *(Entry(function, (numbers(3), 0.4), (0, 1)) for function in OF_ARRAYS),
    Entry(kept_while_written, (0.7, 0.3), (0, 1)),
    Entry(kept_while_written, (numbers(3), 0.4), (0, 1), may_refuse=True, note="arrays"),
    Entry(written_while_asked, (numbers(3),)),
)
