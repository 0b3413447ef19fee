"""Dicts that make what they have not, namespaces, and keys that a line looks for and gives."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from types import SimpleNamespace

import numpy as np

from tests.programs.entry import Entry, numbers


class Blank:
    pass


def put(d, u):
    d["a"] += u[1] ** 2


def take(d):
    return d.pop("a") * 2.0


def entries_made_when_added_to(u):
    d = defaultdict(float)
    d["a"] += u[0] * u[1]
    d["b"] += u[2]
    d["a"] += u[3]
    return d["a"] * d["b"] + d["c"]


def sums_under_labels(u):
    labels = ["a", "b", "a", "c", "b"]
    d = defaultdict(float)
    for k, x in zip(labels, u, strict=True):
        d[k] += x * x
    return sum(v * v for v in d.values())


def weighted_sums_under_labels(u):
    labels = ["a", "b", "a", "c", "b"]
    w = {"a": 1.0, "b": 2.0, "c": 3.0}
    d = defaultdict(float)
    for k, x in zip(labels, u, strict=True):
        d[k] += x * x
    t = 0.0
    for k, v in d.items():
        t += w[k] * v * v
    return t


def arrays_made_when_added_to(u):
    d = defaultdict(lambda: np.zeros(2))
    d["x"] += u[:2]
    d["x"] += u[2:4]
    d["y"][0] += u[0] ** 2
    return np.sum(d["x"] ** 2) + np.sum(d["y"])


def counter_of_what_varies(u):
    c = Counter()
    c["a"] += u[0]
    c["b"] += u[1] * u[0]
    c["a"] += u[2]
    return c["a"] * c["b"]


def counter_of_words(u):
    c = Counter(["a", "b", "a"])
    return u[0] * c["a"] + u[1] ** c["b"]


def ordered_dict(u):
    d = OrderedDict()
    d["a"] = u[0]
    d["b"] = u[1] * u[2]
    d["a"] *= 2.0
    s = 0.0
    for k, v in d.items():
        s += v * v * len(k)
    return s


def moved_to_the_end_of_entries(u):
    d = OrderedDict([("a", u[0]), ("b", u[1])])
    d.move_to_end("a")
    s = 1.0
    for v in d.values():
        s = s * 0.5 + v * v
    return s


def namespace(u):
    p = SimpleNamespace(k=u[0], m=u[1])
    p.k = p.k * p.m
    p.z = u[2]
    return p.k + p.m * p.z


def namespace_of_arrays(u):
    s = SimpleNamespace()
    s.x = u.copy()
    s.v = np.zeros_like(u)
    for _ in range(3):
        s.v -= 0.1 * s.x
        s.x += 0.1 * s.v
    return np.sum(s.x**2)


def entry_read_on_one_side(u):
    d = defaultdict(float)
    d["a"] += u[0] ** 2
    y = d["b"] if u[0] > 100 else 1.0
    return len(d) * u[1] * d["a"] * y


def other_entries_on_each_way(u):
    d = defaultdict(float)
    if u[0] > 0.3:
        d["a"] += u[0]
    else:
        d["b"] += u[1]
    return d["a"] + d["b"] * u[2]


def read_makes_an_entry(u):
    d = defaultdict(float)
    d["a"] += u[0]
    x = d["z"]
    return len(d) * d["a"] + x


def read_of_a_counter_makes_none(u):
    d = Counter()
    d["a"] += u[0]
    x = d["z"]
    return len(d) * d["a"] + x


def get_makes_none(u):
    d = defaultdict(float)
    d["a"] += u[0]
    return d.get("z", 2.0) * d["a"] * len(d)


def lists_under_labels(u):
    d = defaultdict(list)
    for k, x in zip(["a", "b", "a", "b", "c"], u, strict=True):
        d[k].append(x * x)
    return sum(np.mean(v) ** 2 for v in d.values())


def plain_dict_on_one_way(u):
    d = defaultdict(float)
    d["a"] += u[0]
    if u[1] > 5:
        d = {}
    return d["a"] * u[1]


def default_under_two_names(u):
    d = defaultdict(float)
    e = d
    e["a"] += u[0] ** 2
    return d["a"]


def default_handed_on(u):
    d = defaultdict(float)
    put(d, u)
    return d["a"] * u[0]


def default_that_is_seen_late(u):
    c = u[0]
    d = defaultdict(lambda: c)
    c = u[1]
    d["a"] *= u[2]
    return d["a"]


def element_of_a_default(u):
    d = defaultdict(lambda: np.zeros(3))
    d["x"][1] += u[0] ** 2
    d["x"][0] += u[1]
    return np.sum(d["x"] ** 2) + np.sum(d["y"])


def default_in_a_generator(u):
    d = defaultdict(float)
    d["a"] += u[0]
    return sum(d[k] * u[1] for k in ("a", "b"))


def ordered_pairs(u):
    p = OrderedDict([("w", u[:2]), ("b", u[2])])
    return np.sum(p["w"] ** 2) * p["b"] + len(p)


def namespace_in_a_loop(u):
    s = SimpleNamespace(x=u[0], v=0.0, k=2.0)
    for _ in range(4):
        s.v -= 0.1 * s.k * s.x
        s.x += 0.1 * s.v
    return s.x**2 + s.v**2


def namespaces_compared(u):
    s = SimpleNamespace(a=u[0])
    t = SimpleNamespace(a=u[0])
    return u[1] ** 2 if s == t else u[2]


def namespace_under_two_names(u):
    s = SimpleNamespace(a=u.copy())
    t = s
    t.a[0] = u[1] ** 2
    w = s.a
    w *= u[0]
    t.b = np.sum(s.a)
    return s.b


def namespace_grown_in_branches(u):
    s = SimpleNamespace(a=u[0])
    if u[0] > -5:
        s.b = s.a * u[1]
    else:
        s.b = 2.0
    return s.b


def key_given_anew_in_one_line(u):
    d = {"a": u[0], "b": u[1]}
    d["a"] = d.pop("a")
    s = 1.0
    for v in d.values():
        s = s * 0.5 + v * v
    return s


def new_key_of_the_length(u):
    d = {"a": u[0]}
    d["z"] = len(d) * u[1]
    return d["a"] * d["z"]


def new_key_of_the_sum(u):
    d = {"a": u[0]}
    d["z"] = sum(d.values()) * u[1]
    return d["a"] * d["z"]


def new_key_if_it_is_there(u):
    d = {"a": u[0]}
    d["z"] = u[1] if "z" in d else u[2] ** 2
    return d["a"] * d["z"]


def new_key_or_default(u):
    d = {"a": u[0]}
    d["z"] = d.get("z", u[3]) * u[1]
    return d["a"] * d["z"]


def key_taken_by_a_helper(u):
    d = {"a": u[0], "b": u[1]}
    d["a"] = take(d)
    return sum(d.values()) * len(d)


def new_key_of_the_keys(u):
    d = {"a": u[0]}
    d["z"] = u[1] * len(list(d))
    return d["z"] ** 2


def new_field_if_it_is_there(u):
    p = Blank()
    p.x = u[0]
    p.y = 2.0 if hasattr(p, "y") else u[1]
    return p.x * p.y


def copy_of_itself(u):
    d = {"a": u[0]}
    d["c"] = {**d}
    return len(d["c"]) * d["a"] ** 2


U = numbers(5)
FOLLOWED = (
    entries_made_when_added_to,
    sums_under_labels,
    weighted_sums_under_labels,
    arrays_made_when_added_to,
    counter_of_what_varies,
    counter_of_words,
    ordered_dict,
    moved_to_the_end_of_entries,
    namespace,
    namespace_of_arrays,
    read_makes_an_entry,
    get_makes_none,
    lists_under_labels,
    default_that_is_seen_late,
    element_of_a_default,
    ordered_pairs,
    namespace_in_a_loop,
    namespace_under_two_names,
    namespace_grown_in_branches,
    key_given_anew_in_one_line,
    new_key_of_the_length,
    new_key_of_the_sum,
    new_key_if_it_is_there,
    new_key_or_default,
    key_taken_by_a_helper,
    new_key_of_the_keys,
    new_field_if_it_is_there,
)
NOT_SURE = (
    copy_of_itself,  # a key that comes later counts as one that a copy may have
    entry_read_on_one_side,
    other_entries_on_each_way,
    read_of_a_counter_makes_none,
    plain_dict_on_one_way,
    default_under_two_names,
    default_handed_on,
    default_in_a_generator,
    namespaces_compared,
)
PROGRAMS = (
    *(Entry(function, (U,)) for function in FOLLOWED),
    *(Entry(function, (U,), may_refuse=True) for function in NOT_SURE),
)
