"""Dicts that are merged, shortened, and changed by the functions they are handed to."""

from __future__ import annotations

from tests.programs.entry import Entry, numbers


def merged(x):
    d = {"a": x[0]} | {"a": x[0] * x[1], "b": x[2]}
    return d["a"] * d["b"]


def merged_with_a_name(x):
    d = {"a": x[0]}
    e = d | {"b": x[1] ** 2}
    return e["a"] * e["b"] + len(d)


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


X = numbers(3)

PROGRAMS = tuple(
    Entry(function, (X,))
    for function in (
        *(merged, merged_with_a_name, merged_in_place, without_a_key, filled_by_a_function),
    )
)
