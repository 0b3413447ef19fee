"""Objects of which one takes the place of another: the best so far, the ends of a bracket."""

from __future__ import annotations

from dataclasses import dataclass

from tests.programs.entry import Entry, numbers


@dataclass
class Part:
    pos: float
    vel: float


def best_of_all(u, x):
    best = Part(u[0] * x, u[0])
    for v in u[1:]:
        trial = Part(v * x, v)
        if trial.pos > best.pos:
            best = trial
    return best.pos * best.vel


def best_changed_after(u, x):
    best = Part(u[0] * x, u[0])
    for v in u[1:]:
        trial = Part(v * x, v)
        if trial.pos > best.pos:
            best = trial
        best.vel += 0.1 * x
    best.pos *= 2.0
    return best.pos * best.vel


def trial_changed_after(u, x):
    best = Part(u[0] * x, u[0])
    for v in u[1:]:
        trial = Part(v * x, v)
        if trial.pos > best.pos:
            best = trial
        trial.vel += 0.1 * x
    return best.pos * best.vel


def trial_read_after(u, x):
    best, s = Part(u[0] * x, u[0]), 0.0
    for v in u[1:]:
        trial = Part(v * x, v)
        if trial.pos > best.pos:
            best = trial
        best.vel = best.vel * x
        s += trial.vel
    return best.pos * best.vel * s


def trial_read_in_next_pass(u, x):
    best, s = Part(u[0] * x, u[0]), 0.0
    trial = Part(x, x)
    for v in u[1:]:
        s += trial.vel
        trial = Part(v * x, v)
        if trial.pos > best.pos:
            best = trial
        best.vel = best.vel * x
    return best.pos * best.vel * s


def trial_read_after_loop(u, x):
    best = Part(u[0] * x, u[0])
    for v in u[1:]:
        trial = Part(v * x, v)
        if trial.pos > best.pos:
            best = trial
        best.vel = best.vel * x
    return best.pos * best.vel * trial.vel


def bound_on_some_ways(u, x):
    best = Part(u[0] * x, u[0])
    trial = Part(x, x)
    for v in u[1:]:
        if v > 0:
            trial = Part(v * x, v)
        if trial.pos > best.pos:
            best = trial
        best.vel = best.vel * x
    return best.pos * best.vel


def kept_by_a_lambda(u, x):
    best = Part(u[0] * x, u[0])
    fs = []
    for v in u[1:]:
        trial = Part(v * x, v)

        def f():
            return trial.vel  # noqa: B023

        if trial.pos > best.pos:
            best = trial
        best.vel = best.vel * x
        fs.append(f())
    return best.pos * best.vel * sum(fs)


def kept_in_a_list_too(u, x):
    best = Part(u[0] * x, u[0])
    seen = []
    for v in u[1:]:
        trial = Part(v * x, v)
        seen.append(trial)
        if trial.pos > best.pos:
            best = trial
        best.vel = best.vel * x
    return best.pos * best.vel + sum(p.vel for p in seen)


def kept_in_another(u, x):
    best = Part(u[0] * x, u[0])
    box = {"last": best}
    for v in u[1:]:
        trial = Part(v * x, v)
        box["last"] = trial
        if trial.pos > best.pos:
            best = trial
        best.vel = best.vel * x
    return best.pos * best.vel + box["last"].vel


def better_in_a_while(u, x):
    best, i = Part(u[0] * x, u[0]), 1
    while i < len(u):
        trial = Part(u[i] * x, u[i])
        i += 1
        if trial.pos < best.pos:
            best = trial
            continue
        best.vel += x
    return best.pos * best.vel


def better_in_an_inner_loop(u, x):
    best = Part(u[0] * x, u[0])
    for i in range(3):
        for j in range(2):
            trial = Part(u[i + j] * x, u[i])
            if trial.pos < best.pos:
                best = trial
            best.vel += x
    return best.pos * best.vel


def read_in_the_outer_loop(u, x):
    best, s = Part(u[0] * x, u[0]), 0.0
    for i in range(3):
        for j in range(2):
            trial = Part(u[i + j] * x, u[i])
            if trial.pos < best.pos:
                best = trial
            best.vel += x
        s += trial.vel
    return best.pos * best.vel * s


def the_better_of_two(u, x):
    best, trial = Part(u[0] * x, u[0]), Part(u[1] * x, u[2])
    if trial.pos > best.pos:
        best = trial
    best.vel += x
    return best.pos * best.vel


def the_other_is_read(u, x):
    best, trial = Part(u[0] * x, u[0]), Part(u[1] * x, u[2])
    if trial.pos > best.pos:
        best = trial
    best.vel += x
    return best.pos * best.vel * trial.vel


def the_one_or_the_other(u, x):
    a, b = Part(u[0] * x, u[0]), Part(u[1] * x, u[2])
    if u[3] > 0:
        c = a
    else:
        c = b
    c.vel += x
    return c.pos * c.vel


def one_of_two_is_read(u, x):
    a, b = Part(u[0] * x, u[0]), Part(u[1] * x, u[2])
    if u[3] > 0:
        c = a
    else:
        c = b
    c.vel += x
    return c.pos * c.vel + a.vel


def pick(a, b):
    if a.pos > b.pos:
        r = a
    else:
        r = b
    r.vel = r.vel * 2.0
    return r


def one_of_two_by_a_helper(u, x):
    a, b = Part(u[0] * x, u[0]), Part(u[1] * x, u[2])
    return pick(a, b).vel + a.vel + b.vel


def two_exchanged(u, x):
    a, b = Part(u[0] * x, u[0]), Part(u[1] * x, u[2])
    if a.pos > b.pos:
        a, b = b, a
    a.vel += x
    return a.vel * b.pos


def two_exchanged_in_a_loop(u, x):
    a, b = Part(u[0] * x, u[0]), Part(u[1] * x, u[2])
    for _ in range(3):
        if a.pos > b.pos:
            a, b = b, a
        a.pos += x
    return a.vel * b.pos


def bracketed(u, x):
    lo, hi = {"t": 0.0, "f": u[0]}, {"t": 1.0, "f": u[1]}
    for k in range(4):
        mid = {"t": 0.5 * (lo["t"] + hi["t"]), "f": x * u[k] + lo["f"]}
        if mid["f"] > 0:
            lo = mid
        else:
            hi = mid
    return lo["f"] * hi["f"]


RIGHT = (
    best_of_all,
    best_changed_after,
    better_in_a_while,
    better_in_an_inner_loop,
    the_better_of_two,
    the_one_or_the_other,
    two_exchanged,
    two_exchanged_in_a_loop,
    bracketed,
)
REFUSED = (
    trial_changed_after,
    trial_read_after,
    trial_read_in_next_pass,
    trial_read_after_loop,
    bound_on_some_ways,
    kept_by_a_lambda,
    kept_in_a_list_too,
    kept_in_another,
    read_in_the_outer_loop,
    the_other_is_read,
    one_of_two_is_read,
    one_of_two_by_a_helper,
)
PROGRAMS = tuple(
    Entry(function, (sign * numbers(6), 0.7), (0, 1), note=note, may_refuse=function in REFUSED)
    for function in (*RIGHT, *REFUSED)
    for sign, note in ((1.0, ""), (-1.0, "other"))
)
