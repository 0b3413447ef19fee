"""Dicts that are merged, shortened, and changed by the functions they are handed to."""

from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict

import numpy as np

from tests.programs.entry import Entry, numbers


def merged(x):
    d = {"a": x[0]} | {"a": x[0] * x[1], "b": x[2]}
    return d["a"] * d["b"]


def merged_with_a_name(x):
    d = {"a": x[0]}
    e = d | {"b": x[1] ** 2}
    return e["a"] * e["b"] + len(d)


def merged_with_nothing(x, more=None):
    d = {"a": x[0], "rates": {"b": 0.1, "c": x[2]}} | (more or {})
    d.update({})
    return d["a"] * x[1] + sum(rate * x[0] for rate in d["rates"].values())


def named_by_texts(x):
    terms = {"a*b": x[0] * x[1], "a+b": x[0] + x[1], "a/b": x[0] / x[1]}
    names = [name for name in terms if not name.endswith("+b")]
    return sum(terms[name] for name in names) * len("".join(names).replace("*", ""))


def merged_in_place(x):
    d = {"a": x[0]}
    d |= {"b": x[1] ** 2}
    return d["a"] * d["b"]


def without_a_key(x):
    d = {"a": x[0], "b": x[1]}
    d.pop("a")
    d["a"] = x[2] ** 2
    return d["a"] * d["b"]


def set_to(d, key, value):
    d[key] = value


def filled_by_a_function(x):
    d = {}
    set_to(d, "a", x[0])
    set_to(d, "b", x[1] ** 2)
    set_to(d, "a", x[2] ** 3)
    return d["a"] * d["b"]


def put(d, key, value):
    if key in d:
        d[key] = d[key] * 0.8
        return value + 0.1 * np.sum(d[key])
    d[key] = value
    return value * 0.9


def largest_of_what_a_function_holds(x):
    s, d = x[0] * 1.5, {}
    for _ in range(3):
        s += 0.1 * np.sum(max(d.values(), key=np.sum)) if d else 0.1
        s = put(d, 1, s)
    return s


def entries_that_a_later_pass_finds(x):
    s, d = x[0], {"b": x[1]}
    for i in range(3):
        if x[i] > -0.2:
            d = {key: value * 0.9 for key, value in d.items()}
        for _, value in sorted(d.items(), key=lambda pair: str(pair[0])):
            s = s * 0.8 + 0.1 * np.sum(value)
        if x[i] > -0.2:
            s += 0.1 * np.sum(d.setdefault("a", x[i] * s))
        else:
            s += 0.1 * np.sum(d.setdefault("a", 0.5))
    return s


def united_dicts_of_other_kinds(x):
    d = OrderedDict(a=x[0])
    d |= {"b": x[1] ** 2}
    e = {"c": x[2]} | d.copy()
    kept = defaultdict(float, a=x[1]) | e
    counted = Counter(a=x[0], b=x[2]) | Counter(b=x[1], c=-x[0])
    counted |= Counter(d=x[0] * x[1])
    r = kept["b"] * kept["z"] + sum(counted.values()) ** 2
    for value in e.values():
        r = r * 0.5 + value**2
    for value in kept.values():
        r = r * 0.5 + value**3
    return r


X = numbers(3)


def keys_in_other_orders(u):
    d = {"bbb": u[0], "a": u[1] * 2.0, "cc": u[2]}
    r = 0.1
    for k in sorted(d, reverse=True):
        r = r * 0.5 + d[k] ** 2
    for k in sorted(d, key=len, reverse=True):
        r = r * 0.5 + d[k] ** 3
    for k in sorted(d, key=lambda k: -len(k)):
        r = r * 0.5 + np.sin(d[k])
    return r


def keys_of_two_kinds(u):
    d = {"last": u[0], 0: u[1] * 2.0, 1: u[2]}
    r = 0.1
    for k in sorted(d, key=str):
        r = r * 0.5 + d[k] ** 2
    return r


def pairs_of_names(u):
    d = {"b": u[0], "a": u[1] * 2.0, "c": u[2]}
    r = 0.1
    for _, v in list(d.items())[::-1]:
        r = r * 0.5 + v**2
    for _, v in sorted(zip(("b", "a", "c"), u, strict=False)):
        r = r * 0.5 + v**2
    return r


def keys_by_what_they_hold(u):
    d = {2: u[0], 0: u[1] * 2.0, 1: u[2] * u[0]}
    best, least = max(d, key=d.get), min(d.keys(), key=lambda k: abs(d[k] - u[1]))
    r = d[best] ** 2 * (least + 1)
    d[least] = d[least] * r
    for place, k in enumerate(sorted(d, key=d.__getitem__, reverse=True)):
        r = r * 0.5 + d[k] * (place + 1) * (k + 1)
    return r + d[max(d, key=d.get)]


def pairs_unpacked_at_once(u):
    d = {"b": u[0], "a": u[1] * 2.0}
    (_, v), (_, w) = d.items()
    (first, v_2), pair = d.items()
    return v * w**2 + v_2 * pair[1] * len(first)


def pairs_under_names_of_their_own(u):
    d = {"b": u[0], "a": u[1] * 2.0}
    p, q = d.items()
    return p[1] * q[1] ** 2


def keys_that_vary(u):
    """A key is a number like any other: what is read again under a varying one has a derivative."""
    d = {}
    for x in u:
        d[x] = x**2
    return sum(k * d[k] for k in d)


class Limits:
    """Has keys, and gives what is under them."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def keys(self):
        return ["low", "high"]

    def __getitem__(self, key):
        return self.low if key == "low" else self.high


def spread_between(low=1.0, high=2.0):
    return high**2 - low


def ordered_entries_taken_over(u):
    d = OrderedDict([("low", u[0]), ("high", u[1] * u[0])])
    d["mid"] = u[2]
    e = {**d, "low": u[2] ** 2}
    copied = dict(d)
    return e["low"] * e["mid"] + copied["high"] * sum(e.values())


def ordered_entries_as_arguments(u):
    d = OrderedDict([("low", u[0]), ("high", u[1] * u[0])])
    return spread_between(**d)


def entries_of_what_has_keys(u):
    limits, e = Limits(u[0], u[1] * u[2]), {"high": u[2]}
    e.update(limits)
    first, second = dict(limits), {**limits, "low": u[2]}
    s = spread_between(**limits)
    return s + first["low"] * second["low"] + second["high"] * e["high"]


def groups_taken_over(u):
    d = defaultdict(list)
    for k in range(len(u)):
        d[k % 2].append(u[k] * u[0])
    e = {**d, 5: [u[1]]}
    return sum(sum(x) * k for k, x in e.items()) + sum(sum(x) for x in dict(d).values())


def kinds_of_dicts_in_turn(u):
    d = OrderedDict([(1, u[0]), (0, u[1] * u[0])])
    for i in range(3):
        for q in list(d):
            d[q] = d[q] * u[i]
        d = {q: x for q, x in d.items() if np.sum(x) > -9.0}
    return sum(np.sum(x**2) * (k + 1) for k, x in enumerate(d.values()))


def given_more_after_a_deep_copy(u):
    d = {"a": u * u}
    e = copy.deepcopy(d)
    d["b"] = e["a"][1:3]
    e["c"] = d["a"][0] * u
    return np.sum(d["a"] ** 2) * d["b"][0] + e["c"][1]


def stepped_by_names(x):
    """Each value was computed from those that the keys before it had been given."""
    state = {"s": x[0], "i": x[1], "r": x[2]}
    for _ in range(3):
        new = state["i"] * state["s"]
        state.update(s=state["s"] - new, i=state["i"] + state["s"], r=state["r"] + state["i"])
        state |= {"s": state["i"] * 0.5, "i": state["s"]}
    return state["s"] * state["i"] + state["r"]


def stepped_by_a_dict(x):
    state = {"p": x[:2] * 1.0, "q": x[1:3] ** 2}
    for _ in range(2):
        state.update({"p": state["p"] + 0.1 * state["q"], "q": state["q"] - np.sin(state["p"])})
    pairs = dict(zip("ab", x, strict=False))
    pairs.update([("a", pairs["b"] * pairs["a"]), ("b", pairs["a"])])
    return np.sum(state["p"] * state["q"]) * pairs["a"] + pairs["b"]


class Held:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def fields_updated_at_once(x):
    one = Held(x[1], x[2])
    one.__dict__.update(a=one.b * 2.0, b=one.a)
    vars(one).update(a=one.b, b=one.a * x[0])
    return one.a * one.b**2


TAKEN_OVER = (
    *(stepped_by_names, stepped_by_a_dict, fields_updated_at_once),
    given_more_after_a_deep_copy,
    kinds_of_dicts_in_turn,
    *(ordered_entries_taken_over, ordered_entries_as_arguments),
    *(entries_of_what_has_keys, groups_taken_over),
)
ORDERED = (keys_in_other_orders, keys_of_two_kinds, pairs_of_names, keys_by_what_they_hold)
UNPACKED = (pairs_unpacked_at_once, pairs_under_names_of_their_own)

PROGRAMS = (
    Entry(keys_that_vary, (X,), may_refuse=True),
    Entry(largest_of_what_a_function_holds, (X,), may_refuse=True),
    *(
        Entry(function, (X,))
        for function in (
            *ORDERED,
            *UNPACKED,
            *TAKEN_OVER,
            *(merged_with_nothing, named_by_texts),
            *(merged, merged_with_a_name, merged_in_place, without_a_key, filled_by_a_function),
            united_dicts_of_other_kinds,
            entries_that_a_later_pass_finds,
        )
    ),
)
