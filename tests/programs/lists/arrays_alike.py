"""Arrays that are computed alike, held beside each other, and written to: each is an array of its own."""

from __future__ import annotations

import copy
import itertools

import numpy as np

from tests.programs.entry import Entry, numbers

U, V = numbers(4, start=0.6), numbers(4, start=0.9)


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


def paired(a, b):
    return [a, b]


def keep(store, a, b):
    store["a"] = a
    store["b"] = b


def in_an_object(u, v):
    pair = Pair(np.zeros(4), np.zeros(4))
    for k in range(3):
        pair.a += u * pair.b
        pair.b[k] = v[k] * u[k]
    return np.sum(pair.a * pair.b + pair.a)


def in_copies_of_an_object(u, v):
    pair = Pair(u * v, u * v)
    other = copy.copy(pair)
    for k in range(3):
        pair.b = other.a
        if u[k] > 0.4:
            pair.a += np.sin(u) + k
        else:
            pair = copy.copy(pair)
    return np.sum(pair.a * other.b)


def from_a_function(u, v):
    pair = paired(np.exp(u), np.exp(u))
    pair[0][1:] *= v[1:]
    return np.sum(pair[0] * pair[1] + pair[1])


def in_a_list_that_grows(u, v):
    held = []
    held.extend([u * v, u * v])
    held += [np.tanh(u), np.tanh(u)]
    held[0][0] = v[1]
    held[2] += v
    return np.sum(held[0] * held[1] + held[2] * held[3])


def put_into_a_dict(u, v):
    store = {}
    keep(store, u**2, u**2)
    store.update({"c": np.sqrt(v + 2.0), "d": np.sqrt(v + 2.0)})
    np.multiply(store["a"], v, out=store["a"])
    store["c"][:2] = u[:2]
    return np.sum(store["a"] * store["b"] + store["c"] * store["d"])


def gone_through_in_a_tuple(u, v):
    held = [w for w in (np.exp(u), np.exp(u))]  # noqa: C416
    held[0][1:] *= u[1:]
    held[1][0] += v[0]
    return np.sum(held[0] * held[1] + held[1])


def of_lists_beside_each_other(u, v):
    held = [*itertools.chain([u * v], [u * v]), np.exp(u), np.exp(u)]
    held[0][0] = v[1]
    held[2][1:] *= u[1:]
    held[3] += v
    return np.sum(held[0] * held[1] + held[1] + held[2] * held[3])


def one_array_again_and_again(u, v):
    held = (np.exp(u),) * 2
    held[0][0] = v[1]
    named = dict.fromkeys(["a", "b"], np.zeros(4))
    named["a"] += v
    return np.sum(held[0] * held[1] + held[1] + named["a"] * named["b"] * u)


def halves_under_two_names(u, v):
    """What is saved of an array has its name in the forward sweep, what is put back another one."""
    s = 0.0
    for _ in range(2):
        held = (np.exp(u),) * 2
        held[0][1:] *= u[1:]
        held[1][0] += v[0]
        s = s * 0.5 + np.sum(held[0] * held[1] + held[1])
        v = v * 1.1
    return s


PROGRAMS = tuple(
    Entry(function, (U, V), (0, 1))
    for function in (
        *(in_an_object, in_copies_of_an_object, from_a_function),
        *(in_a_list_that_grows, put_into_a_dict, gone_through_in_a_tuple),
        *(of_lists_beside_each_other, one_array_again_and_again),
        halves_under_two_names,
    )
)
