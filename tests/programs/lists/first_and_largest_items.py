"""The first item, that with the largest key, and lists of what is gone through together."""

from __future__ import annotations

import itertools
import statistics
from operator import itemgetter

import numpy as np

from tests.programs.entry import Entry, numbers


def chosen_by_a_key(x):
    return max(x, key=lambda v: -v) * min([(x[0], 1), (x[1], 2)])[0]


def nearest_row(A):
    x = A[0]
    best = min(A[1:], key=lambda r: np.sum((r - x) ** 2))
    return np.sum(best * x)


def largest_of_pairs(u):
    pairs = [(x, x * x * u[0]) for x in u]
    best = max(pairs, key=lambda p: p[1])
    return best[0] * best[1]


def smallest_by_position(u):
    pairs = list(zip(u, u[::-1] * 2.0, strict=False))
    a, b = min(pairs, key=itemgetter(1))
    return a * b * b


def key_that_reads_around(u):
    c = u[1]
    x = max(u, key=lambda v: -abs(v - c - 0.1))
    c = 3.0
    return x * x * c


def key_with_a_name_of_the_function(u):
    v = u[1] * 2.0
    x = min([t * t for t in u], key=lambda v: -v)
    return x * v


def key_of_a_module(u):
    x = max(u, key=np.sin)
    y = min(u, key=abs)
    return x * y


def largest_inside_a_sum(u):
    return sum(max([x, y], key=lambda t: t * t) for x, y in itertools.pairwise(u))


def largest_of_a_generator(u):
    return max((x * x for x in u), key=lambda t: -t) * u[0]


def first_of_equal_keys(u):
    a = max([(1.0, u[0]), (1.0, u[1])], key=lambda p: p[0])
    b = min([(1.0, u[2]), (1.0, u[3])], key=lambda p: p[0])
    return a[1] ** 2 + b[1] * u[4]


def key_with_a_sum(u):
    return max(u, key=lambda t: sum(t * s for s in u)) ** 2


def chosen_row_written(u):
    w = u * 1.0
    rows = [w[:2], w[2:4]]
    r = max(rows, key=lambda r: r[0])
    r[0] = u[4] ** 2
    return np.sum(w * w)


def first_of_an_array(u):
    x = next(iter(u))
    return x * x


def first_of_a_list(u):
    ys = [x * x for x in u]
    return next(iter(ys)) * u[1]


def first_if_there_is_one(u):
    found = [x for x in u if x > 9.0]
    return next(iter(found), u[2]) * u[1] + next(iter(u), 4.0)


def last_of_a_list(u):
    ys = [x * x for x in u]
    return next(reversed(ys)) * u[1]


def list_of_a_zip(u):
    pairs = list(zip(u, u[1:] ** 2, strict=False))
    s = 0.0
    for x, y in pairs:
        s += x * y
    return s * pairs[1][0]


def list_of_numbered(u):
    return sum(i * x for i, x in list(enumerate(u)))


def list_of_reversed(u):
    v = list(reversed(u))
    return v[0] * v[1] ** 2


def pairs_changed_in_a_list(u):
    ps = list(zip(u[:2], u[2:4], strict=False))
    ps.append((u[4], u[0]))
    ps[0] = (ps[1][0], ps[0][1])
    return ps[0][0] * ps[2][1] * ps[0][1]


def list_of_a_zip_of_one(u):
    ps = list(zip(u))
    return ps[0][0] * ps[1][0]


def tuples_in_their_order(u):
    pairs = [(1.0, x * x, k) for k, x in enumerate(u)]
    pairs.append((1.0, u[0] * u[0], 2))
    pairs.sort(reverse=True)
    firsts = sorted((x * x, x) for x in u)
    return sum(k * w * (place + 1) for place, (_, w, k) in enumerate(pairs)) + firsts[0][1] ** 3


def tuples_with_arrays_in_order(u):
    (least, w), *_, (_, v) = sorted([(np.sum(x * x), x) for x in (u[:2], u[1:3], u[2:4])])
    return least * np.sum(w * v**2)


def extreme_tuples(u):
    most, label = max((x * x, "ab"[k % 2]) for k, x in enumerate(u))
    low, high = min(itertools.pairwise(u))
    place, last = max(enumerate(u))
    u = u * sorted(itertools.combinations(u, 2), reverse=True)[1][1]
    return most * low * high + (place * last if label == "a" else last)


def least_of_two_tuples(u):
    best = (9.0, u[0])
    for k, x in enumerate(u):
        best = min(best, ((x - 0.2) ** 2, k * x))
    none = max([(x, 1.0) for x in u if x > 9.0], default=(u[1], u[2]))
    return best[0] * best[1] ** 2 + none[0] * none[1]


def extremes_with_defaults(u):
    name, v = min(zip(("a", "b", "c"), u, strict=False), key=lambda p: -p[1])
    none = max([x for x in u if x > 9.0], key=abs, default=u[1])
    low = min((u[0], 2.0), (u[1] * 2.0, 3.0), (u[2], 4.0))
    return none * low[0] * low[1] * (v**2 if name == "b" else v**3)


def the_rest_of_any_number(u):
    squares = [v * v for v in u]
    x, *squares, y = squares
    s = 0.0
    for k, *both in zip(u, u[1:], u, strict=False):
        s += k * both[0] * both[1] ** 2
    *_, last = (v * x for v in u)
    head, *rows = np.outer(u, u)
    return s * y * sum(squares) * last + np.sum(head * rows[1])


def first_and_the_rest(u):
    it = iter(u)
    last, s = next(it), 1.0
    s = s * next(it) + next(iter(u[2:]))
    for x in it:
        s = s * 0.5 + x * last
        last = x
    none = iter(u[:0])
    return s * next(none, u[1]) + last


def pairs_of_one_iterator(u):
    it = iter([x * x for x in u])
    head = next(it)
    total = sum(a * b**2 for a, b in zip(it, it, strict=False))
    rows = iter(np.outer(u, u))
    first, *rest = rows
    return total * head + np.sum(first * rest[1]) + sum(map(np.sum, rest))


def once_at_their_ends(u):
    squares = (x * x for x in u)
    s = sum(squares) + 3.0 * sum(squares)
    pairs, scaled = zip(u, u[2:], strict=False), map(np.sin, u)
    s += sum(p * q for p, q in pairs) + sum(p for p, q in pairs)
    first, *others = scaled
    for x in scaled:
        s = s * x
    numbered = enumerate(u)
    for k, x in numbered:
        s += k * x
    return s * first + sum(others) + next(iter(scaled), u[1]) + sum(x for _, x in numbered)


def iterators_left_on_the_way(u):
    it, back, s = iter(u), reversed(u), u[0]
    for x in it:
        s += x * x
        if s > 0.5:
            break
    for x in back:
        if x > 4.0:
            break
    else:
        s *= u[0] + sum(back)
    for x in it:
        s += 10.0 * x
    return s * next(it, u[1])


def left_and_gone_on_with_later(u):
    it, s = iter(u), 0.0
    for k in range(2):
        for x in it:
            s += (k + 1) * x * x
            if x > 0.1:
                break
    few = iter(u)
    first, second = itertools.islice(few, 2)
    begun, product = iter(u), 1.0
    if s > 0.0:
        product = next(begun)
    for x in begun:
        product *= x
        if abs(product) < 0.3:
            break
    return s * sum(it) + first * second * sum(few) + product + sum(begun)


def two_and_three_of_one_iterator(u):
    it, scaled = iter(np.concatenate((u, u**2))), map(np.sin, u)
    s = sum(a * b * c for a, b, c in zip(it, it, it, strict=False))
    for a, b in zip(scaled, scaled, strict=False):
        s += a * b**2
    return s + sum(scaled) + sum(it)


def written_while_it_is_asked(u):
    v = u.copy()
    it = iter(v)
    first = next(it)
    v[2] = first * 3.0
    return sum(x * x for x in it)


def written_inside_while_it_is_asked(u):
    v = u.copy()

    def change():
        v[2] = 3.0 * v[1]

    it = iter(v)
    first = next(it)
    change()
    return first * sum(x * x for x in it)


def filled_up(u):
    s = 0.0
    for k, (a, b) in enumerate(itertools.zip_longest(u, u[3:] * 2.0, fillvalue=u[0])):
        s += k * a * b**2
    for a, b in itertools.zip_longest(u[2:], u):
        s += b if a is None else a * b
    return s


def some_of_an_array(u):
    first, second = itertools.islice(u, 2)
    a, b = itertools.islice(np.outer(u, u), 1, None, 3)
    v, s = u.copy(), 0.0
    for row in itertools.islice([v, u * u], 2):
        v[1] = first * row[2]
        s += np.sum(row**2)
    p, q = itertools.islice([u[3], s, u[2]], 1, 3)
    return first * second + a @ b + p * q + sum(itertools.islice(itertools.cycle(u), 7))


def standard_scores(u):
    p = [np.sin(x) for x in u]
    middle, s = statistics.mean(p), statistics.stdev(u)
    y = sum(((x - middle) / s) ** 3 for x in p) + statistics.variance(x * x for x in u)
    return y * statistics.pstdev([u[0], u[1] * u[2], 1.0]) + statistics.fmean(u) ** 2


U = numbers(5)
OF_VECTORS = (
    largest_of_pairs,
    smallest_by_position,
    key_that_reads_around,
    key_with_a_name_of_the_function,
    key_of_a_module,
    largest_inside_a_sum,
    largest_of_a_generator,
    first_of_equal_keys,
    key_with_a_sum,
    first_of_an_array,
    first_of_a_list,
    first_if_there_is_one,
    last_of_a_list,
    list_of_a_zip,
    list_of_numbered,
    list_of_reversed,
    pairs_changed_in_a_list,
    list_of_a_zip_of_one,
    tuples_in_their_order,
    tuples_with_arrays_in_order,
    extreme_tuples,
    least_of_two_tuples,
    extremes_with_defaults,
    the_rest_of_any_number,
    first_and_the_rest,
    pairs_of_one_iterator,
    once_at_their_ends,
    iterators_left_on_the_way,
    left_and_gone_on_with_later,
    two_and_three_of_one_iterator,
    filled_up,
    some_of_an_array,
    standard_scores,
)
ASKED = (written_while_it_is_asked, written_inside_while_it_is_asked)
PROGRAMS = (
    Entry(chosen_by_a_key, (U,)),
    Entry(nearest_row, (numbers(4, 4),)),
    Entry(chosen_row_written, (U,), may_refuse=True),
    *(Entry(function, (U,)) for function in OF_VECTORS),
    *(Entry(function, (U,), may_refuse=True) for function in ASKED),
)
