"""Dicts that are made of pairs, and entries under keys that are computed; what itertools go through."""

from __future__ import annotations

import collections
import itertools
import math
from itertools import accumulate, combinations, pairwise, permutations, product

import numpy as np

from tests.programs.entry import Entry, numbers


def of_a_dict_display(x, y):
    m = {True: x * x, False: y}[x > y]
    return m * y


def by_a_word(x, y):
    s = "neg" if x < 0 else "small" if x < 1 else "big"
    w = {"neg": 1.0, "small": y, "big": y * y}[s]
    return w * x


def got_under_a_key_that_a_test_chooses(x, y):
    d = {"a": x * y, "b": y}
    k = "a" if x > 0.1 else "b"
    d[k] += x
    return d.get(k, 2.0) * d[k] + d.get("c", x)


def lists_under_keys(x, y):
    d = {"a": [], "b": []}
    for k in range(4):
        key = "a" if k < 2 else "b"
        d[key].append(x * k + y)
    return sum(d["a"]) * sum(d["b"])


def dealt_out(u):
    m = {i: [] for i in range(2)}
    for i, e in enumerate(u):
        m[i % 2].append(e)
    return sum(m[0]) * sum(m[1])


def added_under_a_key(u, x):
    counts = {0: 0.0, 1: 0.0, 2: 0.0}
    for i in range(len(u)):
        counts[i % 3] += u[i] * x
    return counts[0] * counts[1] + counts[2]


def key_in_a_test(x, y, kind):
    d = {"a": x, "b": y}
    if d[kind] > 1 and kind != "c":
        x = x * d[kind]
    while d[kind] < 5:
        d[kind] *= 2.0
    return x * d[kind] + d["a"]


def got_or_another(u, x, kind):
    d = {"a": x, "b": x * u[0]}
    return np.sum(u * d[kind]) + d.get(kind, 0.0) * d.get(kind + "?", u[1])


def turning(x, y):
    n = 0
    d = {0: x, 1: y, 2: x * y}
    s = 0.0
    while n < 6:
        s = s + d[n % 3] * n
        d[(n + 1) % 3] = d[(n + 1) % 3] * 0.5 + d[n % 3]
        n += 1
    return s


def kept_before_it_changes(x, y, kind):
    d = {"a": x}
    d["b"] = y
    v = d[kind]
    d["a"] = 5.0
    return v * d["a"] * d[kind]


def key_that_is_missing(x, kind):
    d = {"a": x, "b": 2.0}
    return d[kind] * x


def zipped(u, x):
    d = dict(zip("abc", u, strict=False))
    return d["a"] * d["b"] + d["c"] * x


def zipped_and_more(u, x):
    d = dict(zip(["a", "b"], [x, u[0]], strict=True), c=u[1])
    return d["a"] * d["b"] * d["c"]


def numbered_names(u, x):
    names = ["a", "b", "c"]
    d = {name: u[i] * x for i, name in enumerate(names)}
    return sum(d.values()) * d["b"]


def one_value_for_all(x, y):
    d = dict.fromkeys(["a", "b"], x)
    d["b"] *= y
    return d["a"] * d["b"]


def made_of_pairs(u, x):
    d = dict([("a", x), ("b", u[0])])  # noqa: C406
    return d["a"] * d["b"]


def lists_in_a_comprehension(u, x):
    d = {k: [u[i], x] for i, k in enumerate("ab")}
    d["a"][0] = d["b"][0] * 2
    return sum(d["a"]) * sum(d["b"])


def table_of_words(u, x):
    word = {0: "a", 1: "b"}
    w = {"a": 2.0, "b": -3.0}
    d = {"a": x, "b": u[0]}
    return sum(w[word[i]] * d[word[i]] * u[i] for i in range(2))


# ---------------------------------------------------------------------------- itertools


def every_pair(u, v):
    s = 0.0
    for a, b in product(u, v):
        if a < b:
            continue
        s += a * b * b
    return s


def distances(u):
    return sum((a - b) ** 2 for a, b in combinations(u, 2))


def triples(u):
    s = 0.0
    for a, b, c in combinations([2 * e for e in u], 3):
        s += a * b * c
    return s


def rows_in_pairs(A):
    s = 0.0
    for r, q in combinations(A, 2):
        s += r @ q
    return s


def in_any_order(u):
    s = 0.0
    for p in permutations(u, 2):
        s += p[0] * p[1] ** 2
    return s


def determinant_by_orders(A):
    """Leibniz: every order of the columns, without the sign."""
    total = 0.0
    for places in permutations(range(len(A))):
        product = 1.0
        for i, place in enumerate(places):
            product *= A[i, place]
        total += product
    return total


def layers_of_pairs_by_name(layers, x):
    """What stands under the keys are pairs, of arrays that are not alike in length."""
    kept = {}
    for name, (W, b) in layers.items():
        x = np.tanh(W @ x + b)
        kept[name] = x
    return sum(np.sum(out**2) for out in kept.values())


def diagonal_of_what_was_filled(a, B):
    w = np.full(3, a)
    w[0] = a * a
    return np.sum(np.sin(np.diag(w) @ B))


def kept_beside_a_sum(u):
    """Whether a sum is an array is not known without examples: the second name has its own tangent."""
    d = {0: 0.5 * np.mean(u), 1: abs(u[1])}
    for k in range(1):
        d[k % 2] = d[k % 2] * 2.0
    y = 0.1
    y += sum(d.values())
    left = y
    left += math.sin(y)
    return y + np.sin(left)


def neighbours(u):
    return sum([abs(b - a) ** 1.5 for a, b in pairwise(u)])


def left_out_by_tests(u):
    r = 0.1
    for k, v in enumerate(itertools.dropwhile(lambda v: v < 0.5, u)):
        r = r + k * v
    for v in itertools.filterfalse(lambda v: v < 0.5, u):
        if v > 1.5:
            continue
        r = r * 0.5 + v**2
    return r * sum(v * v for v in itertools.compress(u, u > 0.0))


def one_behind_the_other(u, v):
    s = 0.0
    for e in itertools.chain(u, v[1:], [1.0]):
        s += e**3
    return s


def running(u, x):
    s = 0.0
    for e in accumulate(u, lambda a, b: a * x + b):
        s += e * e
        if s > 100:
            break
    return s


def until_small(x):
    s = 0.0
    for k in itertools.count(1, 2):
        if k % 3 == 0:
            continue
        t = x**k / k
        s += t
        if t < 1e-2:
            break
    return s * k


def round_and_round(u, x):
    s = 0.0
    for n, (w, e) in enumerate(zip(itertools.cycle(u), [x, x * x, 2.0] * 3)):
        s += n * w * w * e
    for k, w in zip(itertools.count(), itertools.cycle([1.0, -2.0])):
        s += w * x**k
        if x**k < 0.1:
            break
    return s


def first_of_many(u):
    kept = [v * v for v in itertools.takewhile(lambda k: k < 4, itertools.count())]
    return sum(k * v for k, v in enumerate(itertools.islice(itertools.cycle(u), 7))) * kept[2]


def sums_under_computed_keys(u, x):
    d = collections.defaultdict(float)
    for i in range(len(u)):
        d[int(10 * abs(u[i])) % 3] += u[i] * x
    s = float(len(d))
    for n, (k, v) in enumerate(d.items()):
        s += (n + k) * v * v
    return s


def best_paths(u):
    best = {(0, 0): 0.1}
    for i in range(1, 4):
        for j in range(i + 1):
            a, b = best.get((i - 1, j), -1.0), best.get((i - 1, j - 1), -1.0)
            best[i, j] = max(a, b) + u[j] * i
    return max(best.values()) * best[3, 0]


def groups(u):
    d = {}
    for i in range(len(u)):
        d.setdefault(i % 2, []).append(u[i])
    return sum(np.var(np.array(v)) * (k + 1) for k, v in d.items()) + sum(d[1])


def as_long_as_the_argument(u):
    d = {i: v * v for i, v in enumerate(u)}
    e = {(i, j): u[i] * d[j] for i in range(len(u)) for j in range(i)}
    return sum(v * (k[0] + k[1]) for k, v in e.items()) * d[0]


def best_of_computed_keys(u):
    d = collections.defaultdict(float)
    e = {}
    for i, x in enumerate(u):
        d[i % 3] += x * x
        e[i] = x * (i + 1)
    best, least = max(d, key=d.get), min(e, key=lambda i: abs(e[i]))
    last = sorted(e, key=e.get, reverse=True)[0]
    return d[best] * u[best] * e[last] ** 2 + e[least] * (least + 2) + d[min(list(d), key=d.get)]


def kept_and_grown(u):
    d = collections.defaultdict(list)
    for i in range(5):
        d[i % 2].append(u[i])
    kept = [v for v in d.values()]  # noqa: C416
    d[0].append(u[1])
    return sum(kept[0])


def taken_and_grown(u):
    d = collections.defaultdict(list)
    for i in range(5):
        d[i % 2].append(u[i])
    for v in d.values():
        v.append(u[0] * 2)
    for k in list(d):
        d[k].append(u[3])
    return sum(d[0]) * sum(d[1])


def items_under_numbers(x, y):
    table, s = {1: x, 2: x * y}, 0.0
    for k, v in table.items():
        s += k * v**2
    for t, v in {0.5: y, 1.5: x}.items():
        s += t * v
    return s * sum(k * v for k, v in table.items())


def dict_of_written_pairs(x, y):
    table = dict([(0, x), (1, x * y)])  # noqa: C406
    table |= dict(zip((2, 3), (y, x), strict=True))
    table.update([(0, x * y)])
    table.update({4: y}, name=x)
    return table[0] * table[1] + table[2] * table[3] ** 2 * table[4] * table["name"]


def shape_of_an_item_put_back(u, x):
    values = [x * u[0]] * 3
    s = 0.1 + np.sum(u) * x
    s = 0.6 * s + np.tanh(values[1]) * 0.8
    values.reverse()
    return s + sum(values)


UX = (numbers(5), 0.7), (0, 1)
XY = (0.7, 1.3), (0, 1)
PROGRAMS = (
    Entry(determinant_by_orders, (numbers(3, 3),)),
    Entry(
        layers_of_pairs_by_name,
        ({"in": (numbers(4, 3), numbers(4)), "out": (numbers(2, 4), numbers(2))}, numbers(3)),
        (0, 1),
        like_only=True,
    ),
    Entry(kept_beside_a_sum, (numbers(4),)),
    Entry(diagonal_of_what_was_filled, (0.7, numbers(3, 3)), (0, 1)),
    Entry(of_a_dict_display, *XY),
    Entry(by_a_word, *XY),
    Entry(got_under_a_key_that_a_test_chooses, *XY),
    Entry(lists_under_keys, *XY),
    Entry(dealt_out, (numbers(5),)),
    Entry(added_under_a_key, *UX),
    Entry(key_in_a_test, (0.7, 1.3, "b"), (0, 1)),
    Entry(got_or_another, (numbers(5), 0.7, "b"), (0, 1)),
    Entry(turning, *XY),
    Entry(kept_before_it_changes, (0.7, 1.3, "b"), (0, 1)),
    Entry(key_that_is_missing, (0.7, "b")),
    Entry(zipped, *UX),
    Entry(zipped_and_more, *UX),
    Entry(numbered_names, *UX),
    Entry(one_value_for_all, *XY),
    Entry(made_of_pairs, *UX),
    Entry(lists_in_a_comprehension, *UX),
    Entry(table_of_words, *UX),
    Entry(every_pair, (numbers(5), numbers(4, start=0.1)), (0, 1)),
    Entry(distances, (numbers(5),)),
    Entry(triples, (numbers(5),)),
    Entry(rows_in_pairs, (numbers(3, 4),)),
    Entry(in_any_order, (numbers(5),)),
    Entry(neighbours, (numbers(5),)),
    Entry(left_out_by_tests, (numbers(5),)),
    Entry(one_behind_the_other, (numbers(5), numbers(4, start=0.1)), (0, 1)),
    Entry(running, *UX),
    Entry(until_small, (0.7,)),
    Entry(round_and_round, *UX),
    Entry(first_of_many, (numbers(5),)),
    Entry(sums_under_computed_keys, *UX),
    Entry(best_paths, (numbers(5),)),
    Entry(groups, (numbers(5),)),
    Entry(as_long_as_the_argument, (numbers(5),)),
    Entry(best_of_computed_keys, (numbers(5),)),
    Entry(kept_and_grown, (numbers(5),), may_refuse=True),
    Entry(taken_and_grown, (numbers(5),), may_refuse=True),
    Entry(items_under_numbers, *XY),
    Entry(dict_of_written_pairs, *XY),
    Entry(shape_of_an_item_put_back, (numbers(5), 0.7), (0, 1)),
)
