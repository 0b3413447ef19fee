"""Dicts with computed keys that one pass of a loop hands to the next, and entries that a test looks for."""

# ruff: noqa: C416, C420   programs as they are found, not as a linter would have them

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass

import numpy as np

from tests.programs.entry import Entry, numbers

EDGES = ((0, 1, 0), (0, 2, 1), (1, 3, 2), (2, 1, 3), (2, 3, 4), (3, 4, 5))
LINKS = {"a": ["b", "c"], "b": ["c"], "c": ["a"], "d": ["c"]}


def shortest_ways(w):
    d = {}
    d[0] = 0.0
    for _ in range(5):
        for u, v, e in EDGES:
            if u in d:
                cost = d[u] + w[e] ** 2
                if v not in d or d[v] > cost:
                    d[v] = cost
    return d[4] + d[3] ** 2


def smallest_of_each(x):
    best = {}
    for i, k in enumerate((0, 1, 0, 2, 1, 2)):
        if x[i] < best.get(k, np.inf):
            best[k] = x[i]
    return sum(v * v * (k + 1) for k, v in best.items())


def ranks_of_pages(w):
    ranks = {p: w[0] for p in LINKS}
    for _ in range(3):
        new = {}
        for p in LINKS:
            s = 0.0
            for q, out in LINKS.items():
                if p in out:
                    s += ranks[q] / len(out)
            new[p] = w[1] + w[2] * s
        ranks = new
    return sum(v**2 for v in ranks.values())


def copied_in_each_pass(x):
    p = {i: v for i, v in enumerate(x)}
    for _ in range(3):
        q = p.copy()
        for i in p:
            q[i] += 0.1 * p[(i + 1) % 5] * p[i]
        p = dict(q)
    return p[0] * p[3]


def written_under_both_names(x):
    p = {}
    q = p
    for i in range(5):
        q[i % 2] = x[i]
    for i in range(5):
        p[i % 3] = x[i] * q[0]
    return sum(p.values()) * len(q)


def walk_of_amplitudes(x):
    amp = {(0, 0): x[0]}
    for _ in range(3):
        new = defaultdict(float)
        for (i, j), a in amp.items():
            new[(i + 1, j)] += a * x[1]
            new[(i, j + 1)] += a * x[2]
        amp = new
    return sum(a * a * (i + 1) for (i, _), a in amp.items())


def counted_with_get(x):
    amp = {0: x[0]}
    for _ in range(3):
        new = {}
        for i, a in amp.items():
            new[i + 1] = new.get(i + 1, 0.0) + a * x[1]
            new[i - 1] = new.get(i - 1, 0.0) + a * x[2]
        amp = new
    return sum(a * a * (i + 5) for i, a in sorted(amp.items()))


def taken_off_and_put_back(x):
    d, s = {}, 0.0
    for i in range(4):
        d[i] = x[i] ** 2
    for i in range(3):
        s = s * np.sin(s + d[i]) + sum(v * 0.5**j for j, v in enumerate(d.values()))
        v = d.pop(i)
        d[i] = v * s
    return s


def made_by_one_and_read_by_the_other(x):
    new = defaultdict(float)
    old = {0: x[0]}
    s = 0.0
    for i in range(4):
        if i < 2:
            old = new
        s += old[i % 2] if i % 2 in old else x[1]
        new[i % 2] += x[i] ** 2
    return s * new[1]


def groups_under_two_names(x):
    g = {}
    for i, v in enumerate(x):
        g.setdefault(i % 2, []).append(v)
    p = g
    p.setdefault(0, []).append(x[0] ** 2)
    return sum(sum(v) ** 2 for v in g.values())


def means_of_groups(x):
    groups = {}
    for i, v in enumerate(x):
        groups.setdefault(i % 2, []).append(v)
    return sum(np.mean(v) ** 2 for v in groups.values()) + sum(np.std(groups[k]) for k in groups)


def groups_of_pairs(x):
    groups, y = {}, [0.0] * 5
    for i, v in enumerate(x):
        groups.setdefault(i % 2, []).append((i, v))
    for k in range(2):
        for i, v in groups[k]:
            y[i] += v * v
    return y[1] * y[2] + sum(v * i for k in groups for i, v in groups[k])


def groups_in_order(x):
    groups = defaultdict(list)
    for i, v in enumerate(x):
        groups[(i % 2, i % 3 == 0)].append(v)
    return sum(sum(v) ** 2 * len(v) * (k[0] + 1) for k, v in sorted(groups.items()))


def spread_over_a_graph(w):
    near = defaultdict(list)
    for u, v, e in EDGES:
        near[u].append((v, w[e]))
        near[v].append((u, w[e]))
    x = [0.5] * 5
    for _ in range(3):
        new = x[:]
        for u in range(5):
            for v, c in near[u]:
                new[u] += 0.1 * c * (x[v] - x[u])
            new[u] += 0.1 * u
        x = new
    return sum(v * v for v in x)


def groups_that_are_copied(x):
    g = {}
    for i, v in enumerate(x):
        g.setdefault(i % 2, []).append(v)
    p = dict(g)
    p.setdefault(0, []).append(x[0] ** 2)
    return sum(sum(v) ** 2 for v in g.values())


def kept_from_one_pass(x):
    p = {}
    best = p
    for t in range(3):
        cur = {}
        for i in range(5):
            cur[i % 3] = cur.get(i % 3, 0.0) + x[i] * (t + 1)
        if t == 2:
            best = cur
        p = cur
    p[0] = x[0] * 2.0
    return sum(v**2 for v in best.values()) + p[0] * p[1]


def what_a_set_has_seen(x):
    waiting, seen, s = [(0, x * 1.0)], set(), 0.0
    while waiting:
        k, v = waiting.pop()
        if k in seen:
            continue
        seen.add(k)
        s = s + np.sum(v**2)
        if k < 4:
            waiting.append((k + 1, v * x[k]))
    return s


def filled_from_a_place(A):
    seen, waiting, total = set(), deque([(2, 2)]), 0.0
    while waiting:
        i, j = waiting.popleft()
        if (i, j) in seen or not (0 <= i < 4 and 0 <= j < 4):
            continue
        seen.add((i, j))
        if A[i, j] < -0.5:
            continue
        total += A[i, j] ** 2 * len(seen)
        waiting.extend([(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)])
    return total


def found_in_breadth(A):
    seen, waiting, total = {(0, 0)}, deque([(0, 0, A[0, 0])]), 0.0
    while waiting:
        i, j, v = waiting.popleft()
        total += v * v
        for a, b in ((i + 1, j), (i, j + 1)):
            if a < 3 and b < 3 and (a, b) not in seen:
                seen.add((a, b))
                waiting.append((a, b, v * A[a, b]))
    return total


def array_that_waits(x):
    waiting, a = deque([np.zeros(2)]), np.zeros(2)
    waiting.append(a)
    a += x[0]
    b, c = waiting.popleft(), waiting.popleft()
    return np.sum(c * x[1]) + np.sum(b)


def array_that_is_kept_as_it_stands(x):
    w, kept = np.zeros(3), deque()
    kept.append(w)
    w[1] = 2.0
    k = int(kept[0][1])
    kept.extend([w, w])
    w[0] = 3.0
    return x[k] ** 2 * x[int(kept.pop()[0])]


def last_of_the_values(x):
    w = x * x[1]
    rows = {"a": np.sin(x), "c": w}
    for row in rows.values():
        w = row
    return np.sum(w) * x[0]


def values_of_one_that_is_replaced(x):
    rows, s = {"a": x * x[1], "b": np.sin(x), "c": x * x}, x[0]
    for row in rows.values():
        s = s * 0.5 + np.sum(row * row)
        rows = {"a": row * 2.0, "b": row, "c": row * row}
    for key, row in rows.items():
        s = s * 0.5 + np.sum(row) * len(key)
        rows = {key: row * s}
    return s * np.sum(rows["c"])


def moved_along(state, slope, h):
    return {k: state[k] + h * slope[k] for k in state}


def rates_of(state, p):
    mu = p["most"] * state["s"] / (p["half"] + state["s"])
    return {"x": (mu - p["out"]) * state["x"], "s": p["out"] - mu * state["x"]}


def four_stages(p, x):
    """Both arguments of a helper have the same keys."""
    state, h = {"x": x, "s": 1.0}, 0.1
    for _ in range(3):
        k1 = rates_of(state, p)
        k2 = rates_of(moved_along(state, k1, 0.5 * h), p)
        k3 = rates_of(moved_along(state, k2, 0.5 * h), p)
        k4 = rates_of(moved_along(state, k3, h), p)
        state = {n: state[n] + h / 6.0 * (k1[n] + 2.0 * k2[n] + 2.0 * k3[n] + k4[n]) for n in state}
    return state["x"] * state["s"]


@dataclass
class Phase:
    x: float
    v: float


def shifted(a, b, h):
    x = a.x + h * b.x
    v = a.v + h * b.v
    return Phase(x, v)


def force_of(a, k):
    return Phase(a.v, -k * np.sin(a.x))


def four_stages_of_objects(x, k):
    a, h = Phase(x, 0.5), 0.1
    k1 = force_of(a, k)
    k2 = force_of(shifted(a, k1, 0.5 * h), k)
    k3 = force_of(shifted(a, k2, 0.5 * h), k)
    k4 = force_of(shifted(a, k3, h), k)
    return k1.x + 2.0 * k2.v + 2.0 * k3.x + k4.v


X, W = numbers(5), numbers(6)
PROGRAMS = (
    Entry(four_stages, ({"most": 0.8, "half": 0.5, "out": 0.2}, 0.3), wrt=(0, 1), like_only=True),
    Entry(four_stages_of_objects, (0.3, 1.2), wrt=(0, 1)),
    Entry(shortest_ways, (W,)),
    Entry(smallest_of_each, (W,)),
    Entry(spread_over_a_graph, (W,), may_refuse=True),
    Entry(groups_of_pairs, (X,), like_only=True),
    Entry(filled_from_a_place, (numbers(4, 4),)),
    Entry(found_in_breadth, (numbers(3, 3),)),
    Entry(array_that_waits, (X,), may_refuse=True),
    Entry(array_that_is_kept_as_it_stands, (X,), may_refuse=True),
    *(
        Entry(function, (X,))
        for function in (
            *(ranks_of_pages, copied_in_each_pass, written_under_both_names),
            *(means_of_groups, groups_in_order),
            *(walk_of_amplitudes, counted_with_get, taken_off_and_put_back),
            *(groups_under_two_names, what_a_set_has_seen),
            *(last_of_the_values, values_of_one_that_is_replaced),
        )
    ),
    *(
        Entry(function, (X,), may_refuse=True)
        for function in (
            *(made_by_one_and_read_by_the_other, groups_that_are_copied, kept_from_one_pass),
        )
    ),
)
