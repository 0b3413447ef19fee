"""Deques of what varies are lists: first in first out, windows of the last values."""

from __future__ import annotations

import collections
from collections import deque

import numpy as np

from tests.programs.entry import Entry, numbers


def fill(q, u):
    for x in u:
        q.append(x * x)


def filled_and_gone_over(u):
    q = deque()
    for x in u:
        q.append(x * x)
    s = 0.0
    for y in q:
        s += y * u[0]
    return s


def first_of_a_window(u):
    q = deque(maxlen=3)
    s = 0.0
    for x in u:
        q.append(x * x)
        s += q[0] * x + len(q)
    return s


def first_in_first_out(u):
    q = deque([u[0]])
    s = 0.0
    n = 0
    while q:
        x = q.popleft()
        s += x * x
        n += 1
        if n < 4:
            q.append(x * u[n])
            q.appendleft(x + u[n])
    return s


def taken_from_both_ends(u):
    q = deque()
    for x in u:
        q.append(x)
    s = 0.0
    while len(q) > 1:
        a = q.pop()
        b = q.popleft()
        s += a * b
    return s


def rotated(u):
    q = deque(u)
    q.rotate(2)
    s = 0.0
    for i in range(len(q)):
        s += q[i] * u[i] * i
    return s


def running_mean_of_a_window(u):
    q = deque([0.0] * 3, maxlen=3)
    total = 0.0
    for x in u:
        q.append(x * x)
        total += sum(q) / len(q) * x
    return total


def last_two_arrays(u):
    h = deque(maxlen=2)
    h.append(u)
    h.append(np.sin(u))
    for _ in range(3):
        h.append(h[-1] * h[-2] + u)
    return np.sum(h[0] * h[1])


def pairs_of_lbfgs(u):
    ss = deque(maxlen=3)
    ys = deque(maxlen=3)
    x = u.copy()
    g = 2 * x
    for _ in range(4):
        q = g.copy()
        for s, y in zip(reversed(ss), reversed(ys), strict=True):
            q -= np.dot(s, q) / np.dot(y, y) * y
        xn = x - 0.1 * q
        gn = 2 * xn + xn**3
        ss.append(xn - x)
        ys.append(gn - g)
        x, g = xn, gn
    return np.sum(x**2)


def mean_of_a_window(u):
    q = collections.deque(maxlen=2)
    out = []
    for x in u:
        q.append(x)
        out.append(np.mean(q))
    return np.sum(np.array(out) ** 2)


def put_at_both_ends(u):
    q = collections.deque([u[0], u[1]], maxlen=3)
    q.appendleft(u[2] * u[1])
    q.appendleft(u[3])
    q.extend([u[4], u[0]])
    return np.sum(np.array(q) * np.arange(1, 4))


def items_of_a_queue_set(u):
    q = deque(u)
    q[1] = u[0] * u[2]
    q[2] += q[1]
    del q[0]
    return q[0] * q[1] + sum(q)


def queue_under_two_names(u):
    q = deque(maxlen=2)
    r = q
    for x in u:
        r.append(x * x)
    return q[0] * q[1]


def queue_handed_on(u):
    q = deque(maxlen=2)
    fill(q, u)
    return q[0] * q[1]


def queues_of_two_lengths(u):
    q = deque(maxlen=2)
    if u[0] > 0:
        q = deque(maxlen=3)
    for x in u:
        q.append(x * x)
    return q[0] * q[1]


def emptied_when_full(u):
    q = deque(maxlen=2)
    s = 0.0
    for x in u:
        q.append(x * x)
        if len(q) == q.maxlen:
            s += q[0] * q[1]
            q.clear()
    return s


def queue_of_places(u):
    q = deque([0])
    s = 0.0
    while q:
        i = q.popleft()
        s += u[i] ** 2
        if i < 3:
            q.append(i + 1)
    return s


def queue_of_pairs(u):
    q = deque([(u[0], 0)])
    s = 0.0
    while q:
        x, d = q.popleft()
        s += x * x
        if d < 2:
            q.append((x * u[1], d + 1))
            q.append((x + u[2], d + 1))
    return s


def queue_extended(u):
    q = deque()
    q.extendleft(u[:3])
    q.extend(x * x for x in u[2:])
    return sum(i * x for i, x in enumerate(q))


def queue_as_list(u):
    q = deque(maxlen=3)
    for x in u:
        q.append(x * x)
    return np.sum(np.array(list(q)) * np.arange(3))


def queue_in_comprehensions(u):
    q = deque([x * x for x in u], maxlen=3)
    return np.mean([y * y for y in q]) + max(q) * min(q)


def queue_changed_while_gone_over(u):
    q = deque([x * x for x in u])
    s = 0.0
    for y in q:
        s += y
        if s > 100:
            q.append(y)
    return s


def moving_average(u):
    w = deque([0.0] * 3, maxlen=3)
    out = np.zeros(5)
    for i, x in enumerate(u):
        w.append(x)
        out[i] = sum(w) / 3.0
    return np.sum(out**2)


# what a list holds depends on what was taken from it


def product_with_what_was_taken(u):
    kept, t = [], 1.0
    for x in u:
        if kept:
            t = t * kept.pop()
        kept.append(t * x)
    return t


def product_with_the_first(u):
    kept, t = [], 1.0
    for x in u:
        if len(kept) > 1:
            t = t * kept.pop(0)
        kept.append(t * x)
    return t


def product_with_a_key(u):
    kept, t = {}, 1.0
    for k, x in enumerate(u):
        if k - 2 in kept:
            t = t * kept.pop(k - 2)
        kept[k] = t * x
    return t


def sum_with_the_last_pairs(u):
    kept, t = [], u * 1.0
    for k in range(4):
        while kept and k % 2:
            scale, last = kept.pop()
            t = t + 0.5 * scale * last
        kept.append((np.sum(t * u), t))
    return np.sum(t * u)


U = numbers(5)
FOLLOWED = (
    product_with_what_was_taken,
    product_with_the_first,
    product_with_a_key,
    sum_with_the_last_pairs,
    filled_and_gone_over,
    first_of_a_window,
    first_in_first_out,
    taken_from_both_ends,
    rotated,
    running_mean_of_a_window,
    last_two_arrays,
    pairs_of_lbfgs,
    mean_of_a_window,
    put_at_both_ends,
    items_of_a_queue_set,
    emptied_when_full,
    queue_of_places,
    queue_of_pairs,
    queue_extended,
    queue_as_list,
    queue_in_comprehensions,
    moving_average,
)
TOLD_FROM_LISTS = (
    queue_under_two_names,
    queue_handed_on,
    queues_of_two_lengths,
    queue_changed_while_gone_over,
)
PROGRAMS = (
    *(Entry(function, (U,)) for function in FOLLOWED),
    *(Entry(function, (U,), may_refuse=True) for function in TOLD_FROM_LISTS),
)
