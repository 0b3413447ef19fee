"""What is added to a field or an entry by what may change it meanwhile: Python has read it by then."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.programs.entry import Entry, numbers


@dataclass
class Tank:
    level: float
    rate: float = 0.5

    def filled(self, v):
        self.level = self.level * v + 1.0
        return self.level

    def scaled(self, v):
        self.level *= v
        return self.rate

    def inflow(self, v):
        return self.rate * v + self.level

    def fill(self, v):
        self.level += self.inflow(v)
        return self.level

    def fill_twice(self, v):
        self.level += self.fill(v)
        return self.level

    def row_scaled(self, v):
        self.level[0] *= v
        return self.level[1]


def a_method_gives_it_another_value(u, x):
    t = Tank(x)
    t.level += t.filled(u[0])
    return t.level


def a_method_scales_it(u, x):
    t = Tank(x)
    t.level += t.scaled(u[0])
    return t.level


def under_a_second_name(u, x):
    t = Tank(x)
    s = t
    s.level += t.filled(u[0])
    return t.level


def one_call_in_another(u, x):
    t = Tank(x)
    return t.fill_twice(u[0]) * t.fill_twice(u[1])


def a_method_writes_to_its_element(u, x):
    t = Tank(u * x)
    t.level[0] += t.row_scaled(u[0])
    return np.sum(t.level)


def a_method_replaces_its_array(u, x):
    t = Tank(u * x)
    t.level[0] += t.filled(u[0])[0]
    return np.sum(t.level)


def of_each_item_of_a_list(u, x):
    tanks = [Tank(v) for v in u]
    for t in tanks:
        t.level += t.filled(x)
    return sum(t.level for t in tanks)


def an_inner_function_gives_an_entry_another_value(u, x):
    d = {"a": x}

    def f(k):
        d["a"] = d["a"] * k
        return d["a"]

    d["a"] += f(u[0])
    return d["a"]


def an_inner_function_replaces_an_array_of_a_dict(u, x):
    d = {"a": u * x}

    def f(k):
        d["a"] = d["a"] * k
        return d["a"]

    d["a"] += f(u[0])
    return np.sum(d["a"])


def by_what_only_reads(u, x):
    t = Tank(x)
    for v in u:
        t.level += t.inflow(v)
        t.rate *= t.inflow(x) + v
    return t.level * t.rate


def by_what_adds_to_it_itself(u, x):
    t = Tank(x)
    first = t.fill(u[0])
    return first * t.fill(u[1])


def by_what_changes_another(u, x):
    t, s = Tank(x), Tank(u[2])
    t.level += s.filled(u[0])
    s.level *= t.filled(u[1])
    return t.level * s.level


def to_what_a_list_holds_that_is_gone_through(h, c):
    h, s = h * 1.0, 0.0
    for w in [2.0 * h, h]:
        h += 0.3 * w
    for k, w in enumerate((h, 2.0 * h)):
        s += np.sum(w * w) * k
        h *= c
    for v in h[::-1]:
        s += v**2
        h *= 0.5
    return s + np.sum(h * h)


REFUSED = (
    a_method_gives_it_another_value,
    a_method_scales_it,
    under_a_second_name,
    one_call_in_another,
    a_method_writes_to_its_element,
    a_method_replaces_its_array,
    of_each_item_of_a_list,
    an_inner_function_gives_an_entry_another_value,
    an_inner_function_replaces_an_array_of_a_dict,
)
RIGHT = (
    to_what_a_list_holds_that_is_gone_through,
    by_what_only_reads,
    by_what_adds_to_it_itself,
    by_what_changes_another,
)
PROGRAMS = tuple(
    Entry(function, (numbers(4), 0.7), (0, 1), may_refuse=function in REFUSED)
    for function in (*RIGHT, *REFUSED)
)
