"""One name for tuples of several lengths, one after the other, and choices of so many items as a loop counts."""

import itertools

import numpy as np

from tests.programs.entry import Entry, numbers

X = numbers(5)


def pair_after_one(x):
    part = (x[0],)
    s = np.prod(part)
    part = (x[0], x[1])
    return s + np.prod(part)


def pairs_after_each(x):
    s = 0.0
    for v in x:
        part = (v,)
        s += np.prod(part)
    for i in range(len(x) - 1):
        part = (x[i], x[i + 1])
        s += np.prod(part) * np.max(part)
    return s


def triple_of_pair(x):
    part = x[0], x[1] * x[2]
    s = np.linalg.norm(part)
    part = (*part, s)
    return np.mean(part) * part[2]


def subsets(x):
    s = 0.0
    for size in range(1, 4):
        for part in itertools.combinations(x, size):
            s += np.prod(part)
    return s


def subsets_by_places(x):
    s = 0.0
    for size in (1, 2):
        for places in itertools.combinations_with_replacement(range(4), size):
            s += np.prod(x[list(places)]) / size
    return s


def words(x):
    s = 0.0
    for size in range(1, 3):
        for word in itertools.product(x[:3], repeat=size):
            s = 0.9 * s + word[0] * sum(word)
        for word in itertools.permutations(x[:3], size):
            s += word[-1] * max(word)
    return s


def repeated_in_every_pass(x, w):
    s, held = 0.0, (x * 1.0, x)
    for i in range(x.shape[0]):
        held = (w, x * x[i]) * 2
        if x[i] < 0.4:
            s = s + np.sum(held[-1] ** 2)
    return s + np.sum(held[0] ** 3) * np.sum(held[2])


PROGRAMS = tuple(
    Entry(function, (X,))
    for function in (
        pair_after_one,
        pairs_after_each,
        triple_of_pair,
        subsets,
        subsets_by_places,
        words,
    )
)
PROGRAMS += (
    Entry(repeated_in_every_pass, (X, X[::-1] * 0.7)),
    Entry(repeated_in_every_pass, (X, X[::-1] * 0.7), (0, 1), may_refuse=True, note="both"),
)
