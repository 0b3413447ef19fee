"""A `try` of which it is seen, once it failed, how far it came; and ways that leave it.

try: y = y * y; y = math.log(y)
except ValueError: pass
return y
"""

from __future__ import annotations

import math

from tests.programs.entry import Entry


def step_by_step(x, c):
    y = x
    try:
        y = y * y
        y = y * math.log(x + c)
        y = math.sqrt(y - c) * x
    except ValueError:
        pass
    return y * x


def left_on_ways(x, c):
    try:
        if c > 0.0:
            if c > 1.0:
                return math.log(x - c)
            return math.sqrt(x - c)
        elif c < -5.0:
            return x * x
        y = math.log(x)
        return y * c
    except ValueError:
        return x**3


def literal_at_the_end(x, c):
    try:
        low = 0.5
        y = math.log(x)
        step = 100.0
    except ValueError:
        y, step = (x * x, 50.0) if x < c else (3.0 * x, 1.0)
    return y * step + low


def two_at_once(x, c):
    a, b = x, c * x
    try:
        a, b = math.log(x), math.sqrt(c - x)
    except ValueError:
        a = 3.0 * a
    return a * b


def last_in_a_branch(x, c):
    try:
        if x > c:
            y = math.log(c) * x
        else:
            y = x * x
    except ValueError:
        y = x**4
    return y


def steps_in_a_loop(x, c):
    for k in range(3):
        try:
            x = x * 1.5
            if k == 2 and c > 0.0:
                break
            x = math.log(x - c + k)
            if x > 3.0:
                continue
            x = x + math.sqrt(x)
        except ValueError:
            x = x * x
        x = x + 0.1
    return x


def crept(low, high, times):
    for _ in range(times):
        low += 0.1 * (high - low)
        high *= 0.99
    if low < 0.0:
        raise ValueError(low)
    return low * high


def numbers_that_a_helper_changes(x, c):
    try:
        return crept(c * 2.0, x * 3.0, 4)
    except ValueError:
        return x * x


class Unconverged(Exception):
    pass


def root(function, x, passes):
    for _ in range(passes):
        value = function(x)
        change = function(1.0001 * x) - value
        step = 1e-4 * value * x / change
        x = x - step
        if abs(step) < 1e-12 * abs(x):
            return x
    raise Unconverged(passes)


def solved_or_not(x, passes):
    def error(d):
        return d**3 - x

    try:
        return root(error, 3.0, passes)
    except Unconverged:
        return x * x


def by_another(x, passes):
    k = 2.0 * x

    def g(d):
        return d * d * k

    h = lambda d: g(d) - 3.0 * x * x  # noqa: E731
    try:
        y = root(h, 3.0, passes)
    except Unconverged:
        y = root(h, 2.0, 40)
    return y * k


def bound_again(x, passes):
    def error(d):
        return d**3 - x

    error = (lambda other: lambda d: 2.0 * other(d) + x)(error)
    try:
        y = root(error, 3.0, passes)
    except Unconverged:
        y = x * x
    return y


class Tracker:
    """An object that keeps what it is given in fields, as far as a try comes."""

    def __init__(self, x):
        self.x = x
        self.seen = x
        self.root = None

    def step(self, c):
        self.x = self.x * c + 1.0
        try:
            self.seen = self.x * self.seen
            self.root = math.sqrt(self.x - c)
            self.seen = self.seen + math.log(self.root - 0.5)
        except ValueError:
            self.root = self.x * 0.5

    def choose(self, c):
        try:
            if self.x > 0.5:
                self.root = math.sqrt(self.x - c)
                if self.root > 1.0:
                    self.seen += 1
                else:
                    self.seen = self.root * c
                    return self.seen
            elif c > 1.0:
                raise ValueError("too far")
            self.x *= math.log(self.x - 0.5)
        except ValueError:
            self.x = self.seen * self.x
        return self.x


def chosen_in_fields(x, c):
    tracker, values = Tracker(x), []
    for k in range(3):
        values.append(tracker.choose(c - k))
        try:
            if values[k] > 1.0:
                values.append(math.log(values[k] - 1.5))
                values[0] = values[k] * c
            else:
                values[k] = math.sqrt(values[k])
        except ValueError:
            values[k] *= x
    return sum(values) * values[1] + tracker.x * tracker.seen


def kept_in_fields(x, c):
    tracker = Tracker(x)
    for _ in range(3):
        tracker.step(c)
    return tracker.seen * tracker.root + tracker.x


OF_TWO_NUMBERS = (
    *(step_by_step, left_on_ways, literal_at_the_end, two_at_once, last_in_a_branch),
    *(steps_in_a_loop, numbers_that_a_helper_changes, kept_in_fields),
)
WAYS = ((2.0, 0.3), (2.0, 1.5), (2.0, 8.0), (-2.0, -8.0), (-2.0, -1.0), (0.2, 0.4))

PROGRAMS = (
    *(
        Entry(function, (2.0, passes), note=f"{passes}", may_refuse=function is bound_again)
        for function in (solved_or_not, by_another, bound_again)
        for passes in (2, 40)
    ),
    *(Entry(chosen_in_fields, (x, c), note=f"{x} {c}") for x, c in WAYS[::2]),
    *(Entry(function, (x, c), note=f"{x} {c}") for function in OF_TWO_NUMBERS for x, c in WAYS),
)
