"""Lists, dicts and tuples that hold numbers beside arrays, under names and in place."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def numbers_copied_with_a_dict(u, x):
    d = {0: x}
    e = dict(d)
    for k in range(3):
        d[k] = u * x
        e[k + 1] = d[k]
    d[0] = d[0] * 2.0
    return np.sum(e[1] * d[0]) * e[0]


def a_list_of_both_held_twice(u, x):
    xs = [x, x]
    for k in range(2):
        xs[k] = xs[k] * u if k else xs[k]
    both = [xs, xs]
    both[0][0] = both[1][1]
    return np.sum(xs[0] * xs[1])


def a_stack_of_both(u, x):
    stack = [x]
    for _ in range(2):
        t = stack.pop()
        stack.append(t * u)
        stack.append(x)
    return np.sum(stack[0] * stack[1] * stack[-1])


def pairs_of_a_text_and_both(u, x):
    xs = []
    t = ("b", x)
    xs.append(t)
    xs.append(("c", u))
    xs.append(t)
    s = 0.0
    for _, v in xs:
        w = v * 2.0
        s = s + np.sum(w * v)
    return s


def entries_that_become_arrays(u, x):
    d = {"a": u, "b": x}
    for k in ["a", "b", "c"]:
        d[k] = d.get(k, x) * x
    e = d.copy()
    d["a"] = x
    return np.sum(e["a"] * d["b"]) * d["a"] + np.sum(e["c"])


def both_put_elsewhere(u, x):
    xs = []
    for k in range(3):
        xs.append(x if k else u)
    v = xs[1]
    w = xs[0]
    w[1] = v * v
    xs[1] = w
    xs[2] = v
    return np.sum(xs[0] * xs[1]) * xs[2]


def lists_of_one_kind_each(u, x):
    xs = [[x], [u]]
    s = 0.0
    for m in xs:
        m.append(m[0] * 2.0)
        s = s + np.sum(m[0] * m[1])
    return s


def a_number_between_arrays(u, x):
    xs = []
    for k in range(3):
        xs.append(x * k if k == 1 else u * k)
    q = xs[1]
    r = xs[2]
    return np.sum(q * q) * np.sum(r * x)


def chosen_pairs_of_both(u, x):
    xs = []
    for k in range(3):
        xs.append((x * k, u) if k else (u, x))
    s = 0.0
    for a, b in xs:
        s = s + np.sum(a * b)
    return s


PROGRAMS = (
    *(
        Entry(function, (numbers(3), 0.7), (0, 1))
        for function in (
            *(
                numbers_copied_with_a_dict,
                a_list_of_both_held_twice,
                a_stack_of_both,
            ),
            *(
                pairs_of_a_text_and_both,
                entries_that_become_arrays,
                both_put_elsewhere,
            ),
            *(
                lists_of_one_kind_each,
                a_number_between_arrays,
            ),
        )
    ),
    Entry(chosen_pairs_of_both, (numbers(3), 0.7), (0, 1), may_refuse=True),
)
