"""A text is made for the options of its examples: for others it gives the right numbers, or raises."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

import s2sad


@dataclass
class Law:
    k: float
    mode: str


class Named:
    def use(self, x):
        return self.k * np.sum(x * x) if self.mode == "fast" else self.k * np.sum(x)


class Inheriting(Named):
    def __init__(self, k, mode):
        self.k = k
        self.mode = mode


class Telling(Inheriting):
    @property
    def is_fast(self):
        return self.mode == "fast"

    @staticmethod
    def is_quick(law):
        return law.mode == "fast"

    @classmethod
    def is_swift(cls, law):
        return law.mode == "fast"


def by_key(laws, x):
    return sum(a["k"] * np.sum(x * x) if a["mode"] == "fast" else np.sum(x) for a in laws)


def by_field(laws, x):
    return sum(a.k * np.sum(x * x) if a.mode == "fast" else np.sum(x) for a in laws)


def by_none(laws, x):
    return sum(k * np.sum(x * x) if mode is None else np.sum(x) for mode, k in laws)


def by_inherited_method(laws, x):
    return sum(a.use(x) for a in laws)


def by_inherited_method_of_one(law, x):
    return law.use(x)


def by_property(law, x):
    return np.sum(x * x) if law.is_fast else np.sum(x)


def by_static_method(law, x):
    return np.sum(x * x) if law.is_quick(law) else np.sum(x)


def by_class_method(law, x):
    return np.sum(x * x) if law.is_swift(law) else np.sum(x)


class Edge(Enum):
    FLUX = 1
    FIXED = 2


def by_word_of_a_tuple(laws, x):
    return sum(k * np.sum(x * x) if mode == "fast" else np.sum(x) for mode, k in laws)


def by_member_of_a_tuple(edges, x):
    total = 0.0
    for kind, k in edges:
        total += k * np.sum(x * x) if kind is Edge.FLUX else np.sum(x)
        total *= 2.0 if kind not in {Edge.FIXED} else 3.0
    return total


def by_member_of_an_entry(edges, x):
    (kind, k), flag = edges["left"], edges["right"][0]
    return (k * np.sum(x * x) if kind == Edge.FLUX else np.sum(x)) * (2.0 if flag else 1.0)


def _two(made):
    return [made(2.0, "fast"), made(3.0, "fast")], [made(2.0, "slow"), made(3.0, "slow")]


CASES = [
    (by_key, *_two(lambda k, mode: {"k": k, "mode": mode})),
    (by_field, *_two(Law)),
    (by_none, *_two(lambda k, mode: (None if mode == "fast" else mode, k))),
    (by_inherited_method, *_two(Inheriting)),
    (by_inherited_method_of_one, Inheriting(2.0, "fast"), Inheriting(2.0, "slow")),
    *((f, Telling(2.0, "fast"), Telling(2.0, "slow")) for f in (by_property, by_static_method)),
    (by_class_method, Telling(2.0, "fast"), Telling(2.0, "slow")),
    *(
        (f, kind(first), kind(other))
        for kind in (list, tuple)
        for f, first, other in (
            (by_word_of_a_tuple, [("fast", 2.0), ("fast", 3.0)], [("fast", 2.0), ("slow", 3.0)]),
            (by_member_of_a_tuple, [(Edge.FLUX, 2.0)] * 2, [(Edge.FIXED, 2.0), (Edge.FLUX, 3.0)]),
        )
    ),
    *(
        (by_member_of_an_entry, {"left": (Edge.FLUX, 2.0), "right": (True,)}, other)
        for other in (
            {"left": (Edge.FIXED, 2.0), "right": (True,)},
            {"left": (Edge.FLUX, 2.0), "right": (False,)},
        )
    ),
]


@pytest.mark.parametrize(
    "function, given, other", CASES, ids=lambda each: getattr(each, "__name__", "")
)
def test_other_options_are_right_or_refused(function, given, other):
    x = np.array([0.3, -0.7, 1.1])
    made = s2sad.grad(function, wrt="x", like=(given, x))
    found = {}
    exec(made.source, found)
    text = found[f"{function.__name__}_grad"]
    for laws in (given, other):
        step = 1e-6 * np.eye(3)
        slopes = [(function(laws, x + d) - function(laws, x - d)) / 2e-6 for d in step]
        try:
            gradient = text(laws, x)
        except ValueError:
            assert laws is other
        else:
            assert np.allclose(gradient, slopes)


def beyond_the_end(words, x):
    try:
        word = words[3]
    except IndexError:
        word = "none"
    return np.sum(x * x) if word == "fast" else np.sum(x)


def test_a_place_beyond_the_end_of_a_tuple_holds_no_option():
    assert np.allclose(s2sad.grad(beyond_the_end, wrt="x")(("slow", "fast"), np.ones(2)), 1.0)
