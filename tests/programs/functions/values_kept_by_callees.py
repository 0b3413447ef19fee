"""Values that are handed to something that keeps them: followed, or refused; never silently lost.

d[k].append(x)      keep = xs.append; keep(x)      [xs.append(x) for x in u]
"""

from __future__ import annotations

import collections
import heapq

import numpy as np

from tests.programs.entry import Entry, numbers


def lists_in_a_list(u):
    ls = [[], []]
    for i, x in enumerate(u):
        ls[i % 2].append(x * x)
    return sum(ls[0]) * sum(ls[1])


def lists_in_a_dict(u):
    d = {0: [], 1: []}
    for i, x in enumerate(u):
        d[i % 2].append(x * x)
    return sum(d[0]) * sum(d[1])


def made_by_setdefault(u):
    d = {}
    for i, x in enumerate(u):
        d.setdefault(i % 2, []).append(x * x)
    return sum(d[0]) * sum(d[1])


def made_by_default(u):
    d = collections.defaultdict(list)
    for i, x in enumerate(u):
        d[i % 2].append(x * x)
    return sum(d[0]) * sum(d[1])


def chosen_list(u):
    xs = []
    (xs if len(u) > 1 else [0.0]).append(u[0] ** 2)
    return xs[0] * u[1]


def bound_method(u):
    xs = []
    keep = xs.append
    for x in u:
        keep(x * x)
    return sum(xs)


def in_a_comprehension(u):
    xs = []
    [xs.append(x * x) for x in u]
    return sum(xs)


def through_map(u):
    xs = []
    list(map(xs.append, u * u))
    return sum(xs)


def result_of_append(u):
    xs = []
    for x in u:
        _ = xs.append(x * x)
    return sum(xs)


def in_a_set(u):
    s = set()
    s.add(u[0] ** 2)
    return sum(s) * u[1]


def in_a_deque(u):
    q = collections.deque(maxlen=2)
    for x in u:
        q.appendleft(x * x)
    return sum(q)


def on_a_heap(u):
    h = []
    for x in u:
        heapq.heappush(h, x * x)
    return heapq.heappop(h) * u[1]


def joined_dicts(u):
    d = {"a": 1.0}
    d |= {"b": u[0] ** 2}
    return d["b"] * u[1]


def printed_on_the_way(u):
    s = np.sum(u * u)
    print(s, end="")
    notes = []
    notes.append("done")
    return s * len(notes)


def put_into_itself(u):
    xs = [u[0] ** 2]
    ys = xs
    xs.append([ys])
    return xs[0] * u[1]


def numbers_put_first(u):
    xs = [u[0]]
    xs.append(2.0)
    xs.insert(0, 3.0)
    return xs[0] * xs[1] ** 2 * xs[2]


U = 0.1 + np.abs(numbers(4))


def taken_from_what_is_filled_later(x, y):
    held = [x]
    t = held.pop()
    if held:
        t = t * held.pop()
    else:
        t = np.sin(t) * y
    held.append(t * x)
    return t * t


def taken_where_something_is_held(u, x):
    held, t = [x], x
    for k in range(4):
        if held and t > -9.0:
            t = t * held.pop()
        else:
            t = np.sin(t) * x
            if k < 3:
                held.append(t * u[k])
    return t * t


def undone_where_it_is_too_much(u, x):
    total, steps = x, []
    for v in u:
        total += v * x
        steps.append(total)
        if total > 0.5 and steps:
            total -= 0.5 * steps.pop()
    return total * sum(steps)


class Held:
    def __init__(self, a, b):
        self.a = a
        self.b = b
        self.parts = [a, b]

    def more(self, x):
        self.last = x * self.a[0]
        self.parts.append(self.last)
        return self.last

    def both(self, x):
        self.parts.append(x * self.a[0])
        self.last = x + self.a[0]
        return self.parts[-1], self.last


def put(held, x):
    new = x * 2.0
    held.append(new)
    return new


def made_for_a_constructor(u, x):
    held = Held(u * x, u + x)
    for each in (held.a, held.b):
        each *= x
    return np.sum(held.b * u)


def put_and_given_back(u, x):
    held = [u * x]
    new = put(held, u)
    new *= x
    return np.sum(held[1] * held[0])


def kept_by_a_method_and_given_back(u, x):
    held = Held(u * x, u + x)
    first = held.more(u)
    second = held.more(first)
    first *= x
    second[0] += 1.0
    return np.sum(held.parts[2] * held.last) + np.sum(held.parts[-1])


def two_kept_and_given_back(u, x):
    held = Held(u * x, u + x)
    first, second = held.both(u)
    third, fourth = held.both(first)
    first *= x
    second[0] += x
    fourth *= x
    return np.sum(held.parts[2] * held.last) + np.sum(held.parts[-1] ** 2 * third)


PROGRAMS = (
    Entry(made_for_a_constructor, (U, 0.83), (0, 1)),
    Entry(put_and_given_back, (U, 0.83), (0, 1)),
    Entry(kept_by_a_method_and_given_back, (U, 0.83), (0, 1)),
    Entry(two_kept_and_given_back, (U, 0.83), (0, 1)),
    Entry(lists_in_a_list, (U,), may_refuse=True),
    Entry(lists_in_a_dict, (U,), may_refuse=True),
    Entry(made_by_setdefault, (U,), may_refuse=True),
    Entry(made_by_default, (U,), may_refuse=True),
    Entry(chosen_list, (U,), may_refuse=True),
    Entry(bound_method, (U,), may_refuse=True),
    Entry(in_a_comprehension, (U,), may_refuse=True),
    Entry(through_map, (U,), may_refuse=True),
    Entry(result_of_append, (U,), may_refuse=True),
    Entry(in_a_set, (U,), may_refuse=True),
    Entry(in_a_deque, (U,), may_refuse=True),
    Entry(on_a_heap, (U,), may_refuse=True),
    Entry(joined_dicts, (U,)),
    Entry(put_into_itself, (U,), may_refuse=True),
    Entry(numbers_put_first, (U,)),
    Entry(printed_on_the_way, (U,)),
    Entry(taken_from_what_is_filled_later, (0.83, 0.41), (0, 1)),
    Entry(taken_where_something_is_held, (U, 0.83), (0, 1)),
    Entry(undone_where_it_is_too_much, (U, 0.83), (0, 1)),
)
