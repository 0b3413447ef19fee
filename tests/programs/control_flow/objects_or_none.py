"""Objects that a name holds on some ways, and None on the others: the best so far, the one before."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import numpy as np

from tests.programs.entry import Entry, numbers

Vec = namedtuple("Vec", "x y")


@dataclass
class Part:
    pos: float
    vel: float


def best_named_tuple(u, x):
    best = None
    for v in u:
        cand = Vec(v * x, v)
        if best is None or cand.x > best.x:
            best = cand
    return best.x * best.y


def best_or_none(u, x):
    best = None
    for v in u:
        cand = Part(v * x, v)
        if best is None or cand.pos > best.pos:
            best = cand
    return best.pos * best.vel


def best_or_none_annotated(u, x):
    best: Part | None = None
    for v in u:
        trial: Part = Part(v * x, v)
        if best is None or trial.pos > best.pos:
            best = trial
    return best.pos * best.vel


def a_parameter_that_may_be_none(u, x, best=None):
    for v in u:
        trial = Part(v * x, v)
        if best is None or trial.pos > best.pos:
            best = trial
    return best.pos * best.vel


def best_dict_or_none(u, x):
    best = None
    for v in u:
        cand = {"x": v * x, "y": v}
        if best is None or cand["x"] > best["x"]:
            best = cand
    return best["x"] * best["y"]


def the_object_before(u, x):
    prev, s = None, 0.0
    for v in u:
        p = Part(v, v * x)
        if prev is not None:
            s += (p.vel - prev.vel) ** 2
        prev = p
    return s


def made_where_it_is_better(u, x):
    best = None
    for v in u:
        if best is None or v * x > best.pos:
            best = Part(v * x, v)
    return best.pos * best.vel


def changed_in_the_loop(u, x):
    best = None
    for v in u:
        if best is None or v * x > best.pos:
            best = Part(v * x, v)
        else:
            best.vel += x * v
    return best.pos * best.vel


def changed_in_the_loop_always(u, x):
    best = None
    for v in u:
        if best is None or v * x > best.pos:
            best = Part(v * x, v)
        best.vel += x * v
    best.pos *= 2.0
    return best.pos * best.vel


def reset_to_none(u, x):
    cur, s = None, 0.0
    for v in u:
        if v < 0:
            cur = None
        elif cur is None:
            cur = Part(v * x, v)
        else:
            s += cur.pos * v
            cur.pos += x * v
    return s


def reset_and_added(u, x):
    cur, s = None, 0.1
    for v in u:
        if cur is None:
            cur = Part(v * x, v)
        cur.vel *= v
        if cur.vel < 0:
            s += cur.pos
            cur = None
    return s


def lowest_and_highest(u, x):
    lo = hi = None
    for v in u:
        p = Part(v * x, v)
        if lo is None or p.pos < lo.pos:
            lo = Part(p.pos, p.vel)
        if hi is None or p.pos > hi.pos:
            hi = p
    return lo.pos * hi.vel + hi.pos


def best_of_two_loops(u, x):
    best = None
    for i in range(3):
        for j in range(2):
            p = Part(u[i + j] * x, u[i])
            if best is None or p.pos > best.pos:
                best = p
    return best.pos * best.vel


def in_each_outer_pass(u, x):
    s = 0.0
    for i in range(3):
        best = None
        for j in range(2):
            p = Part(u[i + j] * x, u[i])
            if best is None or p.pos > best.pos:
                best = p
        s += best.pos * best.vel
    return s


def best_in_a_while(u, x):
    best, i = None, 0
    while i < len(u):
        p = Part(u[i] * x, u[i])
        i += 1
        if best is not None and p.pos <= best.pos:
            continue
        best = p
    return best.pos * best.vel


def found_and_left(u, x):
    found = None
    for v in u:
        p = Part(v * x, v)
        if p.pos > 0.1:
            found = p
            break
    if found is None:
        return x
    return found.pos * found.vel


def sought_in_vain(u, x):
    found = None
    for v in u:
        p = Part(v * x, v)
        if p.pos > 100.0:
            found = p
            break
    if found is None:
        return x * u[0]
    return found.pos * found.vel


def two_before(u, x):
    prev, older, s = None, None, 0.0
    for v in u:
        p = Part(v, v * x)
        if older is not None:
            s += (p.vel - 2 * prev.vel + older.vel) ** 2
        older, prev = prev, p
    return s


def the_one_before_is_changed(u, x):
    prev, s = None, 0.0
    for v in u:
        p = Part(v, v * x)
        if prev is not None:
            prev.vel *= x
            s += (p.vel - prev.vel) ** 2
        prev = p
        p.vel += 1.0
    return s + prev.vel


def the_one_before_is_this_one(u, x):
    prev, s = None, 0.0
    for v in u:
        p = Part(v, v * x)
        if prev is not None:
            s += (p.vel - prev.vel) ** 2
        prev = p
        prev.vel += x
        s += p.vel
    return s


def best_of_arrays(u, x):
    best = None
    for i in range(3):
        p = Part(u[i : i + 2] * x, u[i : i + 2])
        if best is None or p.pos.sum() > best.pos.sum():
            best = p
    best.pos[0] += x
    return np.sum(best.pos * best.vel)


def best_under_a_flag(u, x):
    has = False
    for v in u:
        cand = Part(v * x, v)
        if not has or cand.pos > best.pos:  # noqa: F821
            best = cand
            has = True
    return best.pos * best.vel


def made_or_none_in_a_branch(u, x):
    p = None
    if u[0] > 0:
        p = Part(u[0] * x, u[1])
    if p is not None:
        return p.pos * p.vel
    return x * u[2]


def made_in_one_of_two_branches(u, x):
    p = None
    if u[0] > 0:
        p = Part(u[0] * x, u[1])
    elif u[1] > 0:
        p = Part(u[1] * x, u[2])
    s = x
    if p is not None:
        s += p.pos * p.vel
    return s


def chosen_or_kept(u, x):
    def make(v):
        return Part(v * x, v)

    best = None
    for v in u:
        best = make(v) if v > 0 else best
    return x if best is None else best.pos


def first_and_last(u, x):
    first = last = None
    for v in u:
        p = Part(v * x, v)
        if first is None:
            first = p
        last = p
    return first.pos * last.vel


def first_and_last_changed(u, x):
    first = last = None
    for v in u:
        p = Part(v * x, v)
        if first is None:
            first = p
        last = p
        last.vel += x
    return first.vel * last.vel


def looked_for_twice(u, x):
    q = None
    for v in u[:0]:
        q = Part(v, x)
    for v in u:
        if q is None:
            q = Part(v * x, x)
        q.pos += v * q.pos
    return q.pos * q.vel


def product_from_none(u, s):
    r = None
    for v in u:
        r = v * s if r is None else r * v
    return r


def largest_from_none(u, s):
    best = None
    for v in u:
        if best is None or v > best:
            best = v
    return best


def terms_from_none(u, s):
    total = None
    for k in range(3):
        term = np.sum(u**k) * s
        if total is None:
            total = term
        else:
            total = total + term
    return total


def joined_to_what_is_none_first(u, w):
    found = None
    for k in range(3):
        part = u[k : k + 2] * w
        found = part if found is None else np.concatenate([found, part])
    return np.sum(found**2)


def stacked_on_what_is_none_first(u, w):
    rows = None
    for k in range(3):
        if rows is None:
            rows = np.stack([u, w * u])
        else:
            rows = np.vstack((rows, u[::-1] * u[k]))
    return np.sum(rows**3)


class Descent:
    """Keeps the best point of its way, which it has from the first step on."""

    def __init__(self, point):
        self.point = point

    def step(self, slope):
        self.point -= 0.1 * slope

    def run(self, A, steps):
        best = lowest = None
        for _ in range(steps):
            self.step(A @ self.point)
            value = np.sum(self.point**2)
            if lowest is None or value < lowest:
                lowest, best = value, self.point.copy()
        self.point = best


def best_of_a_descent(x):
    descent = Descent(x.copy())
    descent.run(np.eye(x.size) - 0.3, 3)
    return np.sum(np.sin(descent.point))


def scaled_best(x):
    held = Descent(x.copy())
    best = None
    for _ in range(3):
        held.point += 0.5
        if best is None or np.sum(held.point) < 4.0:
            best = 2.0 * held.point
    held.point = best
    return np.sum(np.sin(held.point))


def second_name_of_what_was_none(x, again):
    a = b = None
    total = 0.0
    for k in range(3):
        if a is None or k == again:
            a = 1.5 * x
            b = a
        a += x
        total += np.sum(b**2)
    return total


RIGHT = (
    product_from_none,
    largest_from_none,
    terms_from_none,
    best_named_tuple,
    best_or_none,
    best_or_none_annotated,
    best_dict_or_none,
    the_object_before,
    made_where_it_is_better,
    changed_in_the_loop,
    changed_in_the_loop_always,
    reset_to_none,
    reset_and_added,
    lowest_and_highest,
    best_of_two_loops,
    in_each_outer_pass,
    best_in_a_while,
    found_and_left,
    sought_in_vain,
    the_one_before_is_changed,
    the_one_before_is_this_one,
    best_of_arrays,
    best_under_a_flag,
    made_or_none_in_a_branch,
    made_in_one_of_two_branches,
    looked_for_twice,
    joined_to_what_is_none_first,
    stacked_on_what_is_none_first,
)
REFUSED = (
    a_parameter_that_may_be_none,
    two_before,
    chosen_or_kept,
    first_and_last,
    first_and_last_changed,
)
BY_SIGN = tuple(
    Entry(function, (sign * numbers(6), 0.7), (0, 1), note=note, may_refuse=function in REFUSED)
    for function in (*RIGHT, *REFUSED)
    for sign, note in ((1.0, ""), (-1.0, "other"))
)
PROGRAMS = (
    *BY_SIGN,
    Entry(best_of_a_descent, (numbers(4),)),
    Entry(scaled_best, (numbers(4),)),
    Entry(second_name_of_what_was_none, (numbers(4), 1)),
    Entry(second_name_of_what_was_none, (numbers(4), 9), note="once"),
)
