# ruff: noqa: C417
"""Programs that make what is gone through later: some change meanwhile what it reads, some do not."""

from __future__ import annotations

import itertools

import numpy as np


class Scale:
    def __init__(self, by):
        self.by = by

    def grow(self, x):
        self.by = self.by * x

    def total(self, u):
        g = (v * self.by for v in u)
        self.grow(u[0])
        return sum(g)


def filled(d, g):
    d["a"] = d["b"] * 2.0
    return sum(g)


def doubled(w, g):
    w[0] = w[1] * 2.0
    return sum(g)


def put(d, x):
    d["a"] = x


def values_of(d):
    return d.values()


def scaled(w, x):
    return (v * x for v in w)


def written_and_summed(w, x):
    k = x
    m = map(lambda v: v * k, w)
    k = 3.0
    w[0] = x
    return sum(m)


# ---------------------------------------------------------------------------- changed meanwhile


def map_sees_a_new_value(u, x):
    k = x
    m = map(lambda v: v * k, u)
    k = 3.0
    return sum(m) * k


def map_of_an_inner_function_sees_a_new_value(u, x):
    k = x

    def f(v):
        return v * k

    m = map(f, u)
    k = 3.0 * x
    return sum(m)


def generator_of_an_inner_function_sees_a_new_value(u, x):
    k = x

    def f(v):
        return v * k

    g = (f(v) for v in u)
    k = 3.0 * x
    return sum(g)


def filter_sees_a_new_value(u, x):
    c = 0.0
    f = filter(lambda v: v > c, u)
    c = 0.5
    return sum(f) * x * c


def map_sees_a_new_field(u, x):
    p = Scale(x)
    m = map(lambda v: v * p.by, u)
    p.by *= 3.0
    return sum(m)


def method_changes_what_is_read(u, x):
    p = Scale(x)
    g = (v * p.by for v in u)
    p.grow(3.0)
    return sum(g)


def method_changes_what_its_own_generator_reads(u, x):
    return Scale(x).total(u)


def two_names_of_a_view(u, x):
    d = {"a": u[0], "b": x}
    a = b = d.values()
    d["a"] = x * u[1]
    return sum(a) * sum(b)


def two_views_at_once(u, x):
    d = {"a": u[0], "b": x}
    a, b = d.values(), d.items()
    d["a"] = x * u[1]
    return sum(a) * sum(v for _, v in b)


def view_of_another_name(u, x):
    d = {"a": u[0], "b": u[1]}
    e = d
    values = d.values()
    e["a"] = x
    return sum(values)


def view_of_an_array_and_a_number(u, x):
    d = {"a": u, "b": x}
    values, pairs = d.values(), d.items()
    d["a"] = 2.0 * u
    return sum(np.sum(v**2) for v in values) + sum(np.sum(v) for k, v in pairs if k == "a")


def view_that_is_numbered(u, x):
    d = {"a": u[0], "b": x}
    e = enumerate(d.values())
    d["a"] = x * 3.0
    return sum(v * (i + 1) for i, v in e)


def view_of_what_a_dict_holds(u, x):
    d = {"q": {"a": u[0], "b": x}}
    values = d["q"].values()
    d["q"]["a"] = x * 3.0
    return sum(values)


def view_of_one_or_the_other(u, x):
    d = {"a": u[0], "b": x}
    values = d.values() if x > 0 else {"a": x}.values()
    d["a"] = x * 3.0
    return sum(values)


def view_in_a_dict(u, x):
    d = {"a": u[0], "b": x}
    o = {"v": d.values()}
    d["a"] = x * 3.0
    return sum(o["v"])


def view_read_in_the_next_pass(u, x):
    s, values, d = 0.0, None, {"a": u[0], "b": x}
    for k in range(3):
        if k > 0:
            s += sum(values)
        values = d.values()
        d["a"] = d["a"] * x
    return s


def view_read_in_every_pass(u, x):
    s, d = 0.0, {"a": u[0], "b": x}
    values = d.values()
    for _ in range(3):
        s += sum(values)
        d["a"] = d["a"] * x
    return s


def view_and_a_function_that_writes(u, x):
    d = {"a": u[0], "b": u[1]}
    values = d.values()
    put(d, x)
    return sum(values)


def view_that_a_function_gives(u, x):
    d = {"a": u[0], "b": u[1]}
    values = values_of(d)
    d["a"] = x
    return sum(values)


def generator_that_a_function_gives(u, x):
    w = u * 2.0
    g = scaled(w, x)
    w[1] = x
    return sum(g)


def generator_that_an_inner_function_gives(u, x):
    k = x

    def made():
        return (v * k for v in u)

    g = made()
    k = 3.0 * x
    return sum(g)


def generator_in_a_list(u, x):
    k = x
    gs = [(v * k for v in u)]
    k = k * 3.0
    return sum(gs[0])


def generator_handed_to_what_changes_a_value(u, x):
    d = {"a": u[0], "b": x}

    def total(g):
        d["a"] = x * 3.0
        return sum(g)

    return total(v * x for v in d.values())


def generator_handed_with_what_it_reads(u, x):
    d = {"a": u[0], "b": x}
    return filled(d, (v * x for v in d.values()))


def view_handed_with_its_dict(u, x):
    d = {"a": u[0], "b": x}
    return filled(d, d.values())


def generator_handed_with_its_array(u, x):
    w = u * x
    return doubled(w, (v * x for v in w))


def map_handed_with_its_array(u, x):
    w = u * x
    return doubled(w, map(lambda v: v * x, w))


def in_a_function_that_writes(u, x):
    w = u * 2.0
    return written_and_summed(w, x) + w[0]


CHANGED = (
    map_sees_a_new_value,
    map_of_an_inner_function_sees_a_new_value,
    generator_of_an_inner_function_sees_a_new_value,
    filter_sees_a_new_value,
    map_sees_a_new_field,
    method_changes_what_is_read,
    method_changes_what_its_own_generator_reads,
    two_names_of_a_view,
    two_views_at_once,
    view_of_another_name,
    view_of_an_array_and_a_number,
    view_that_is_numbered,
    view_of_what_a_dict_holds,
    view_of_one_or_the_other,
    view_in_a_dict,
    view_read_in_the_next_pass,
    view_read_in_every_pass,
    view_and_a_function_that_writes,
    view_that_a_function_gives,
    generator_that_a_function_gives,
    generator_that_an_inner_function_gives,
    generator_in_a_list,
    generator_handed_to_what_changes_a_value,
    generator_handed_with_what_it_reads,
    view_handed_with_its_dict,
    generator_handed_with_its_array,
    map_handed_with_its_array,
    in_a_function_that_writes,
)


# ---------------------------------------------------------------------------- as it was made


def handed_on_at_once(u, x):
    def total(g):
        return sum(g) * x

    w = u * x
    w[0] = 2.0
    return total(v * x for v in w) + total(map(np.sin, w)) + total({"a": x, "b": w[1]}.values())


def changed_after_it_was_read(u, x):
    s, d = 0.0, {"a": u[0], "b": x}
    for _ in range(3):
        values = d.values()
        s += sum(values)
        d["a"] = d["a"] * x
    return s


def made_anew_in_each_pass(u, x):
    s = 0.0
    for k in range(3):
        c = u[k] * x
        g = (v * c for v in u)
        s += sum(g)
    c = 3.0
    return s * c


def consumed_where_they_are_made(u, x):
    a, b = (sum(v * x for v in u), max(map(lambda v: v * x, u)))
    x = 2.0
    return a * b * x


def dict_changed_as_it_is_gone_through(u, x):
    d = {"a": u[0], "b": x}
    for k in d.keys():  # noqa: SIM118
        d[k] = d[k] * 2.0
    for k, v in d.items():
        d[k] = v * x
    n = len(d.values())
    return sum(d.values()) * n


def function_of_another_name_later(u, x):
    f = np.sin
    y = sum(map(f, u))
    f = np.cos
    return y * sum(map(f, u)) * x


AS_MADE = (
    handed_on_at_once,
    changed_after_it_was_read,
    made_anew_in_each_pass,
    consumed_where_they_are_made,
    dict_changed_as_it_is_gone_through,
    function_of_another_name_later,
)


# ---------------------------------------------------------------------------- asked one by one


def asked_in_a_loop(u, x):
    it = iter(u)
    s = next(it) * x
    for k in range(2):
        s = s * next(it) + k
    return s + sum(v * v for v in it)


def asked_in_pairs(u, x):
    it = zip(u, range(4), (x * v for v in u))  # noqa: B905
    a, _, b = next(it)
    s = a * b + sum(a * b * i for a, i, b in it)
    e = enumerate(u)
    _, v = next(e), next(e)
    return s + sum(k * w for k, w in e) * v[1]


def asked_on_one_way(u, x):
    it = iter(u)
    s = next(it) * x if u[0] > 0.2 else 1.0
    return s * next(it) + next(it)


def asked_behind_the_end(u, x):
    it = iter([u[0], x])
    return next(it, 0.0) * next(it, 0.0) + next(it, 0.5) * u[2]


def asked_for_positions(u, x):
    it = iter(range(3))
    s = x
    for _ in range(2):
        k = next(it)
        s = s + u[k] * (k + 1)
    return s * u[next(it)]


def asked_until(u, x):
    it = iter(u)
    s, v = 0.0, next(it)
    while v > 0.4:
        s += v * v * x
        v = next(it)
    return s * v


def grown_when_it_was_asked(u, x):
    xs = [u[0], u[1]]
    it = iter(xs)
    s = next(it)
    xs.append(u[2] * x)
    for v in it:
        s = s * v + 1.0
    return s


def changed_when_it_was_asked(u, x):
    k = x
    g = (k * v for v in u)
    a = next(g)
    k = u[2]
    return a + sum(g)


def first_that_fits(u, x):
    d = {"a": u[0], "b": x}
    return next(v for v in u if v < 0.5) * d[next(iter(d))] + next(reversed(u))


def counted_by_hand(u, x):
    number = itertools.count(1)
    return sum(v * next(number) for v in u[:1]) * next(number) * x


def cycled_as_it_changes(u, x):
    v, s = u[:3].copy(), x
    for k, w in zip(range(5), itertools.cycle(v)):
        v[1] = 2.0 * s
        s = s + w * w * (k + 1)
    return s


def endless_beside_each_other(u, x):
    s = 0.0
    for k, w in zip(itertools.count(2), itertools.cycle([u[0], x])):
        s += k * w
        if k > 6:
            break
    return s


ASKED = (
    counted_by_hand,
    cycled_as_it_changes,
    endless_beside_each_other,
    asked_in_a_loop,
    asked_in_pairs,
    asked_on_one_way,
    asked_behind_the_end,
    asked_for_positions,
    asked_until,
    grown_when_it_was_asked,
    changed_when_it_was_asked,
    first_that_fits,
)
