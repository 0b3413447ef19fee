"""Sums that begin with a number and become arrays: from then on `+=` writes in place.

total = 0.0
total += u          a new array
total += u          the same array, which other names for it see
"""

from __future__ import annotations

import math

import numpy as np

from tests.programs.entry import Entry, numbers


def begun_with_zero(u):
    total = 0.0
    for i in range(3):
        total += u * (i + 1)
    return np.sum(total**2)


def begun_with_one(u):
    total = 1
    for _ in range(3):
        total *= u
    return np.sum(total)


def of_rows(A):
    s = 0.0
    for row in A:
        s += row
    return np.sum(np.sin(s)) + np.sum(A)


def begun_with_a_start(u):
    squares = []
    for e in u:
        squares.append(e * e)
    total = sum(squares, u[0]) + sum(u, start=1.0) * sum([u[0], u[1]], start=u[2])
    return total + sum((e * u[1] for e in u), start=2.0) + sum([u, u * u], np.zeros(len(u)))[1]


def largest_or_another(u):
    some = max((e for e in u if e > 9.0), default=u[1]) + max(u, default=0.0)
    return some * min([u[0], u[1] * u[2]], default=1.0) + max([], default=u[0])


def by_a_builtin(A):
    s = sum(row * row for row in A)
    t = sum([A[0], A[1]])
    s += t
    return np.sum(s * t)


def kept_under_another_name(u):
    total = 0.0
    total += u
    keep = total
    total += u
    return np.sum(keep * total)


def kept_in_the_loop(u):
    total = 0.0
    for _ in range(3):
        total += u
        keep = total
    total *= u
    return np.sum(keep * total)


def kept_before_the_loop(u):
    total = 0.0
    keep = total
    for _ in range(3):
        keep = total
        total += u
    return np.sum(keep * total)


def kept_in_a_list(u):
    total, out = 0.0, []
    for i in range(3):
        total += u * (i + 1)
        out.append(total)
    return np.sum(out[0] * out[1])


def copied_into_a_list(u):
    total, out = 0.0, []
    for i in range(3):
        total += u * (i + 1)
        out.append(total.copy())
    return np.sum(out[0] * out[1])


def kept_on_one_side(u, x):
    total = 0.0
    keep = u
    for _ in range(2):
        total += u * x
        if x > 0.0:
            keep = total
    return np.sum(keep * total)


def _added(total, u):
    total += u
    return total


def by_a_helper(u):
    first = _added(0.0, u)
    second = _added(first, u * u)
    return np.sum(first * second)


def by_a_helper_once(u):
    first = _added(0.0, u)
    second = _added(1.0, u * u)
    return np.sum(first * second)


def in_a_dict(u):
    state = {"total": 0.0, "last": 0.0}
    for _ in range(2):
        state["total"] += u
        state["last"] = state["total"]
    state["total"] += u
    return np.sum(state["total"] * state["last"])


def kept_after_the_loop(u):
    total, square = 0.0, 0.0
    for k in range(3):
        total += u * k
        square += total * u
    keep = (total, square)
    return np.sum(keep[0] * total) + np.sum(keep[1])


def _integral(u):
    s = 0.0
    for k in range(3):
        s += u * k
    return s


def of_two_calls(u):
    a = _integral(u)
    b = _integral(u * u)
    a += b
    return np.sum(a * b)


def named_anew_in_a_list(u):
    s, out = 0, []
    for k in range(3):
        s += u * k
        out.append(s)
        s = s * 2.0
    return np.sum(out[1] * out[2])


class Total:
    def __init__(self):
        self.total = self.mean = 0.0

    def add(self, u):
        self.total += u
        self.mean = self.total / 2
        return self.total


def in_a_field(u):
    kept = Total()
    for k in range(3):
        last = kept.add(u * k)
    return np.sum(kept.mean * last)


def by_a_tableau(u):
    def slope(t, y):
        return np.array([y[1], -t * y[0]])

    y = u[:2]
    for n in range(2):
        slopes = []
        for row in [[], [0.5], [0.0, 0.5], [0.0, 0.0, 1.0]]:
            change = 0.0
            for a, k in zip(row, slopes, strict=True):
                change = change + a * k
            slopes.append(slope(u[2] + 0.1 * n, y + 0.1 * change))
        y = y + 0.1 * sum(b * k for b, k in zip([0.2, 0.3, 0.3, 0.2], slopes, strict=True))
    return np.sum(y**2)


def stored_in_a_list(u):
    x, xs = 0.0, [0.0, 0.0]
    for k in range(2):
        x += u
        xs[k] = x
    x += u
    return np.sum(xs[0] * x)


def stored_in_a_dict(u, n):
    x, xs = 0.0, {}
    for k in range(n):
        x += u
        xs[k] = x
    x += u
    return np.sum(xs[0] * x)


def stored_in_a_tuple(u):
    x, xs = 0.0, [(0.0, 0.0)] * 2
    for k in range(2):
        x += u
        xs[k] = (x, 1.0)
    x += u
    return np.sum(xs[0][0] * x)


def numbers_in_a_list(u):
    s, out = 0.0, []
    for a in u:
        s += a
        out.append(s)
    return sum(out) * out[0]


def greatest_sum(u):
    s = 0.0
    best = s
    for a in u:
        s += a
        if s > best:
            best = s
    return best * s


def until_it_stands(x):
    s, old = 0.0, 1.0
    while abs(s - old) > 1e-3:
        old = s
        s += 0.5 * (x * x - s)
    return s * old


def of_waves(x, w, n):
    total = 0
    for k in range(n):
        total = total + w * np.sin(k * x)
    return np.sum(x * total) + np.sum(x + total)


def by_parts_of_passes(x, w, n):
    t = 0.0
    for k in range(n):
        t += w * np.sin(k * x)
        if w > 0.2:
            t = t * w
        else:
            t -= x
    s = t * 2.0
    y = x + s
    if n > 1:
        y = y * t
    return np.sum(y + s * x)


def begun_with_a_number_that_varies(x, w, n):
    t = max(0.0, w)
    for k in range(n):
        t = t + np.sin(k * x)
    return np.sum((x + t) ** 2)


def begun_in_each_pass(x, w, n):
    s = 0.0
    for _ in range(2):
        t = 0
        for k in range(n):
            t = t + np.sin(x * k) * w
            s = s + np.sum(w * t * x)
        s = s + np.sum(x * np.exp(-t * t))
    return s


def two_that_change_places(x, w, n):
    m, p = 0, 0.0
    for _ in range(n):
        m, p = p + x * w, m + x
    return np.sum((x + m) * (x - p))


def multiplied_by_an_array(x, w, n):
    t = 0
    for _ in range(n):
        t = t + x * w
    v = np.dot(t, x)
    return np.sum(v * v)


def energy_of_forces(x, w, n):
    energy = 0.0
    for i in range(n):
        force = 0.0
        for j in range(n):
            if i != j:
                force += w * (x - j) / (1.0 + i)
        energy += w * force @ force if n > 1 else 0.0
    return energy + np.sum(x)


def number_that_stays_one(x, w):
    """`t` varies, and is a number in its only pass: what it is multiplied with there is summed."""
    t, kept = 0.0, []
    for k in range(1):
        t += w
        if k == 1:
            t += x * t
        t = t + np.sum(x) * w
        kept.append(np.sum(t * x))
    return np.sum(t * 2.0 + x) + sum(kept)


def mean_of_waves(x, w, n):
    y = 0
    for k in range(n):
        y = y + w * np.cos(k * x)
    return np.mean(y**2) * np.sum(x)


def nearest(x, w, n):
    best = None
    for k in range(n):
        d = np.sum((x - k * w) ** 2)
        if best is None or d < best:
            best = d
    return best * w if best is not None else w * np.sum(x)


def against_the_last(x, w, n):
    s, last = 0.0, None
    for v in x[:n]:
        if last is not None:
            s += (v - w * last) ** 2
        last = v
    return s + w


def begun_by_the_first(x, w, n):
    total = None
    for k in range(n):
        y = np.sin(k * x) * w
        total = y if total is None else total + y
    if total is None:
        return w
    return np.sum(total**2 * x)


def greatest_with_its_place(x, w, n):
    best = None
    at = None
    for k in range(n):
        v = x * w * k
        s = np.sum(v)
        if best is None or s > best:
            best, at = s, v
    return best * np.sum(at) if at is not None else np.sum(x) * w


def begun_by_a_copy(x, w, n):
    best = None
    total = 0.0
    for k in range(n):
        v = x * w * (k + 1)
        if best is None:
            best = v.copy()
        else:
            best *= v
            best[0] += w
        total = total + np.sum(best * x)
    return total


def grown_by_what_does_not_vary(u, w):
    total = 0.0
    for _ in range(2):
        total += np.sin(w)
        kept = total.copy()
    q = kept[1] * total[2]
    for k in range(3):
        w = w * total * u
        if k > 1:
            return w * q
    return total


def grown_by_a_sum_with_a_number(c, w):
    total = 0.0
    for _ in range(2):
        total += c + w
        kept = total.copy()
    return kept[1] * total[2]


def copied_twice(h, b):
    h = h.copy()
    h = h.copy()
    return b + np.sum(h)


def number_beside_a_vector(d, q):
    x = 0.5

    def advance(t):
        nonlocal x
        x *= 0.5 + t
        return x

    z = advance((x + 1.0) * q)
    z += 0.3
    np.sum(np.log(2.5 + np.sin(np.hypot(d, 1.0 + q))))
    return x


def powers_of_a_counter(x, c):
    s = 0.0
    for n in range(len(c)):
        s = s + c[n] * x**n
    return np.sum(s)


def powers_of_positions(x, c):
    return np.sum(c * x ** np.arange(len(c)))


def powers_from_the_second(x, c):
    return np.sum(sum(c[n] * x**n for n in range(1, len(c))))


def kept_until_it_is_left(u, n):
    total, out = 0.0, []
    for k in range(n):
        total += u * (k + 1)
        out.append(total)
        if np.sum(total**2) > 30.0:
            return np.sum(out[0] * total * k)
    return np.sum(out[0] * out[-1])


def kept_beside_a_list_that_changes(u, n):
    xs = [u * u, np.sin(u), u]
    s, out = 0.0, []
    for i, x in enumerate(xs):
        s += x * u
        out.append(s)
        if i < 2:
            xs[i + 1] = x * n
    return np.sum(out[0] * out[1] * u)


def kept_beside_a_list_that_grows(u, n):
    xs = [u * u, np.sin(u)]
    s, out = 0.0, []
    for x in xs:
        s += x * u
        out.append(s)
        if len(xs) < n + 1:
            xs.append(x * 2.0)
    return np.sum(out[0] * out[1] * u)


def kept_of_the_shortest(u, n):
    s, out = 0.0, []
    for k, (a, b) in enumerate(zip((u, u * u), (u, u, u)), start=n):  # noqa: B905
        s += a * b * k
        out.append(s)
    return np.sum(out[0] * out[1] * u)


def kept_backwards(u, n):
    s, out = 1.0, []
    for k in range(n, 0, -2):
        n = n - 1
        s *= u + k
        out.append(s)
    return np.sum(out[0] * u) + np.sum(s) * n


def kept_and_written(u, n):
    s, v = 0.0, u.copy()
    for i in range(n):
        s += u * (i + 1)
        v = s
        v[0] = v[1] * 2.0
    return np.sum(s * u) + np.sum(v)


def kept_while_it_is_small(u, n):
    s, out = 0.0, []
    while np.sum(s) ** 2 < 9.0 and len(out) < n:
        s += u * u
        out.append(s)
    return np.sum(out[0] * s * u)


def kept_in_two_loops(u, n):
    s, out = 0.0, []
    for i in range(n):
        for j in range(2):
            s += u * (i + j + 1)
            out.append(s)
    return np.sum(out[0] * s * u)


def taken_off_a_list_of_it(u, n):
    d = 0.0
    for _ in range(n):
        d += np.tanh(u)
    left, z = list(d), 0.1
    while left:
        z = 0.5 * z + 0.2 * left.pop() * len(left)
    return z


def changed_after_one_pass(u, n):
    w, left, s = 0.0, u[0], 0.0
    for _ in range(1):
        w += np.tanh(u)
    s = left * np.log(2.5 + np.sin(w[0]))
    left, s = s, left
    for _ in range(n):
        left /= 1.5 + np.cos(s) ** 2
    return np.sum(w) * left


KEPT = (
    taken_off_a_list_of_it,
    changed_after_one_pass,
    kept_until_it_is_left,
    kept_beside_a_list_that_changes,
    kept_of_the_shortest,
    kept_backwards,
    kept_and_written,
    kept_while_it_is_small,
    kept_in_two_loops,
)
GROWN = (
    begun_by_a_copy,
    nearest,
    against_the_last,
    begun_by_the_first,
    greatest_with_its_place,
    energy_of_forces,
    mean_of_waves,
    of_waves,
    by_parts_of_passes,
    begun_with_a_number_that_varies,
    begun_in_each_pass,
    two_that_change_places,
    multiplied_by_an_array,
)

U, A = numbers(4), numbers(3, 4)
BYTES = np.array([200], np.uint8), np.array([3], np.uint8)


def series_of_alternating_signs(x, n=6):
    return sum((-1) ** r * x ** (2 * r + 1) / math.factorial(2 * r + 1) for r in range(n))


def bytes_one_after_the_other(x, p, q):
    return np.sum(x * p * q) + np.sum(p * (q * x))


def along_no_axes(x):
    return np.sum(np.sum(np.outer(x, x), axis=()) ** 2) + np.mean(x, ())[1]


POWERS = (powers_of_a_counter, powers_of_positions, powers_from_the_second)
PROGRAMS = (
    Entry(series_of_alternating_signs, (0.7,)),
    Entry(along_no_axes, (U,)),
    Entry(number_that_stays_one, (U, 0.6), wrt=(0, 1)),
    Entry(bytes_one_after_the_other, (U, *BYTES), wrt=(0,)),
    Entry(begun_with_zero, (U,)),
    Entry(begun_with_one, (U,)),
    Entry(of_rows, (A,)),
    Entry(by_a_builtin, (A,)),
    *(Entry(each, (U,)) for each in (begun_with_a_start, largest_or_another)),
    Entry(kept_under_another_name, (U,)),
    Entry(kept_in_the_loop, (U,)),
    Entry(kept_before_the_loop, (U,)),
    Entry(kept_in_a_list, (U,)),
    Entry(copied_into_a_list, (U,)),
    Entry(kept_on_one_side, (U, 0.7), wrt=(0, 1)),
    Entry(kept_on_one_side, (U, -0.7), wrt=(0, 1), note="not taken"),
    Entry(by_a_helper, (U,)),
    Entry(grown_by_what_does_not_vary, (0.7, U), seed=0.3 + U, mode="vjp"),
    Entry(grown_by_a_sum_with_a_number, (0.7, U)),
    Entry(number_beside_a_vector, (U, 0.7), wrt=(1,), seed=-0.7, mode="vjp"),
    Entry(copied_twice, (U, 0.7), wrt=(0, 1), seed=0.3, mode="vjp"),
    Entry(by_a_helper_once, (U,)),
    Entry(in_a_dict, (U,), may_refuse=True),
    *(Entry(each, (U,)) for each in (kept_after_the_loop, of_two_calls, named_anew_in_a_list)),
    *(Entry(each, (U,)) for each in (in_a_field, by_a_tableau)),
    *(Entry(each, (U,)) for each in (stored_in_a_list, stored_in_a_tuple)),
    *(Entry(each, (U, 3)) for each in KEPT),
    Entry(kept_beside_a_list_that_grows, (U, 3), may_refuse=True),
    Entry(stored_in_a_dict, (U, 2)),
    Entry(numbers_in_a_list, (U,)),
    Entry(greatest_sum, (U,)),
    Entry(until_it_stands, (1.3,)),
    *(Entry(each, (U, 0.3, 3), wrt=(0, 1)) for each in GROWN),
    *(Entry(each, (U, 0.3, 0), wrt=(0, 1), note="no pass") for each in GROWN),
    *(Entry(each, (0.0, U), note="at 0") for each in POWERS),
    *(Entry(each, (np.array([0.0, 0.5]), U), note="of a vector") for each in POWERS[::2]),
)
