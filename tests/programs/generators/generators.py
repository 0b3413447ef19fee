"""Functions that yield their values one by one, and what goes through them.

for y in squares(u): s += y
"""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers

U = numbers(5)


def squares(u):
    for x in u:
        yield x * x


def halves(x):
    while True:
        yield x
        x = x * 0.5


def yields_gone_through(u):
    s = 0.0
    for y in squares(u):
        s = s * 0.5 + y
    return s


def summed(u):
    return sum(squares(u))


def listed(u):
    return np.sum(np.array(list(squares(u))) * np.arange(5.0))


def greatest(u):
    return max(squares(u))


def without_end(x):
    s = 0.0
    for y in halves(x):
        if y < 0.05:
            break
        s += y * y
    return s


def one_by_one(x):
    it = halves(x)
    return next(it) * next(it)


def steps(x, n):
    """Yield the steps of an iteration."""
    for i in range(n):
        x = np.sin(x) * 1.1
        yield i, x


def stepped(x):
    s = 0.0
    for i, y in steps(x, 4):
        s += i * y
    return s


def stepped_into_an_array(x):
    out = np.zeros(4)
    for i, y in steps(x, 4):
        out[i] = y * y
    return np.sum(out * np.arange(4.0))


def pairs(u):
    for i in range(len(u)):
        for j in range(i):
            yield u[i], u[j]


def of_pairs(u):
    return sum((a - b) ** 2 for a, b in pairs(u))


def left_early(u):
    t = 0.0
    for a, b in pairs(u):
        if a > b:
            continue
        if a < -0.9:
            break
        t += a * b
    return t


def returned_early(u):
    for a, b in pairs(u):
        if a > b:
            return a * b
    return 0.0


def chained(u):
    yield from squares(u)
    yield u[0]


def of_a_chain(u):
    return sum(chained(u)) * sum(y * y for y in chained(u))


def shrinking(x, n):
    while n > 0:
        if x < 0.01:
            return
        yield x
        x = x * 0.5
        n -= 1


def of_a_while(x):
    return sum(shrinking(x, 4)) * max(shrinking(x, 2))


def of_a_while_left_early(x):
    s = 0.0
    for y in shrinking(x, 40):
        s += y
        if s > 1.0:
            break
    return s


def together(u):
    s = 0.0
    for (i, a), b in zip(enumerate(squares(u)), u):  # noqa: B905
        s += i * a * b
    for k, y in enumerate(squares(u)):
        s += k * y
    return s


def leaves_of(tree):
    for part in tree:
        if isinstance(part, list):
            yield from leaves_of(part)
        else:
            yield part


def of_a_tree(tree):
    return sum(x * x for x in leaves_of(tree))


def unpacked_yields(u):
    first, second, *rest = squares(u)
    return first * second + len(rest)


def counted_from_one(u):
    return sum(k * y for k, y in enumerate(squares(u), 1)) + sum(k * y for k, y in enumerate(u, 2))


def starred_yields(u):
    return np.hypot(*list(squares(u[:2])))


def written_between(u):
    v = u.copy()
    s = 0.0
    for y in squares(v):
        v[1:] = 0.5
        s += y
    return s


def written_between_by_another_name(u):
    v = u.copy()
    w = v[1:]
    s = 0.0
    for y in squares(v):
        w[:] = 0.5
        s += y
    return s


def rows(a):
    for i in range(len(a)):
        yield a[i]


def rows_written(u):
    a = np.outer(u, u)
    for row in rows(a):
        row += 1.0
    return np.sum(a * a)


def counting_up(v):
    w = 1.0 * v
    for _ in range(3):
        w[0] += 1.0
        yield w


def same_array_again(u):
    return sum(np.sum(w * u) for w in counting_up(u))


def sent(x):
    got = yield x
    yield got


def of_what_is_sent(x):
    return sum(y for y in sent(x) if y is not None)


def asked_twice(u):
    it = squares(u)
    s = 0.0
    for y in it:
        s += y
        break
    for y in it:
        s += 2.0 * y
    return s


def array_of_lists(u):
    table = np.array([[a * b for a in u] for b in u])
    return np.sum(table * np.arange(25.0).reshape(5, 5))


def array_of_displays(u):
    return np.sum(np.array([[np.sin(a), a * a] for a in u]) * np.arange(10.0).reshape(5, 2))


def array_of_rows(u):
    return np.sum(np.array([[u * a, u + a] for a in u]) ** 2)


OF_ARRAYS = (
    *(array_of_lists, array_of_displays, array_of_rows),
    *(yields_gone_through, summed, listed, greatest, of_pairs, left_early, returned_early),
    *(of_a_chain, together, unpacked_yields, counted_from_one),
)
REFUSABLE = (
    *(written_between, written_between_by_another_name, rows_written, same_array_again),
    *(asked_twice, starred_yields),
)


def powers(x):
    y = x
    while True:
        yield y
        y = y * x


def fibonacci(a, b=1.0):
    while True:
        yield a, b
        a, b = b, a + b


def newton(f, slope, x):
    while True:
        x = x - f(x) / slope(x)
        yield x


def faded(u):
    w = u
    while True:
        yield w
        w = 0.5 * w + u


def left_and_gone_on(x):
    s = 0.0
    for i, y in enumerate(powers(x)):
        if i == 1:
            continue
        if i > 4:
            break
        s += i * y
    return s


def beside_each_other(x):
    s = 0.0
    for y, (a, b), k in zip(powers(x), fibonacci(x), range(4)):  # noqa: B905
        s += y * a + k * b
    return s


def until_it_is_near(x):
    for r in newton(lambda v: v * v - x, lambda v: 2.0 * v, 1.0):
        if abs(r * r - x) < 1e-12:
            break
    return r


def written_meanwhile(u):
    w, s = 1.0 * u, 0.0
    for _, v in zip(range(3), faded(w)):  # noqa: B905
        s += np.sum(v * v)
        w[0] = 2.0 * w[0]
    return s


def first_of_squares(u):
    first, *_ = halved_squares(0.5 * np.min(u), 3)
    *_, last = halved_squares(u[0], 2)
    return np.sum(u) * first + last


def first_of_what_only_decides(u):
    def halved(t, n):
        for _ in range(n):
            yield t
            t = 0.5 * t

    first, *_ = halved(np.max(u), 3)
    second, *_ = {2.5}
    while first > 3.0:
        first -= 1.0
    *_, last = (k * 2.0 for k in range(3))
    return np.sum(u**2) * last if first > -9.0 and second > -9.0 else 0.0


def halved_squares(t, n):
    for _ in range(n):
        yield t * t
        t = 0.5 * t + 0.2


def read_later_than_it_is_named(u):
    c = u[1]
    g = (x * c for x in u)
    c = u[0]
    s = 0.0
    for x in g:
        s = s * 0.5 + x
    return s * c


def written_before_it_is_read(u):
    v = u * 1.0
    g = (x * x for x in v)
    v[0] = 9.0 * u[1]
    s = 0.0
    for x in g:
        s = s * 0.5 + x
    return s


def run_through(items, v):
    s = 0.0
    for x in items:
        v[2] = 5.0 * x
        s = s * 0.5 + x
        if s > 9.0:
            break
    return s


def handed_to_what_writes(u):
    v, w = u * 1.0, u * 2.0
    d = {"a": u[0], "b": u[1] * 2.0}
    total = run_through((x * x for x in v), v) + run_through(reversed(w), w)
    return total + run_through(d.values(), v) + run_through((x for x in v if x > 0.4), w)


def extended_by_what_a_function_gives(u):
    def powers(k):
        made = u[0]
        for _ in range(k):
            made = made * u[1]
        return made

    items = [u[2]]
    items.extend(powers(k) * u[k] for k in range(3))
    return sum(items) * items[-1]


PROGRAMS = (
    Entry(extended_by_what_a_function_gives, (U,)),
    *(Entry(function, (U,)) for function in (first_of_squares, first_of_what_only_decides)),
    *(Entry(function, (U,)) for function in OF_ARRAYS),
    *(Entry(function, (0.7,)) for function in (stepped, stepped_into_an_array)),
    Entry(of_a_while, (0.7,), may_refuse=True),
    *(Entry(function, (U,), may_refuse=True) for function in REFUSABLE),
    Entry(of_a_tree, ([0.5, [0.3, 0.2]],), like_only=True, may_refuse=True),
    Entry(of_what_is_sent, (0.7,), may_refuse=True),
    Entry(of_a_while_left_early, (0.7,), may_refuse=True),
    Entry(without_end, (0.7,), may_refuse=True),
    Entry(one_by_one, (0.7,), may_refuse=True),
    *(Entry(f, (0.7,)) for f in (left_and_gone_on, until_it_is_near)),
    Entry(beside_each_other, (0.7,), may_refuse=True),
    Entry(written_meanwhile, (U,)),
    Entry(read_later_than_it_is_named, (U,), may_refuse=True),
    Entry(written_before_it_is_read, (U,), may_refuse=True),
    Entry(handed_to_what_writes, (U,)),
)
