"""Dicts with computed keys that are made of what they were before."""

from __future__ import annotations

from tests.programs.entry import Entry, numbers


def made_of_itself(u, s, n):
    d = {i % n: q for i, q in enumerate(u)}
    d = {k: q * s for k, q in d.items()}
    return sum(q * q for q in d.values())


def made_of_itself_in_passes(u, s, n):
    d = {}
    for i, q in enumerate(u):
        d[i % n] = d.get(i % n, 0.0) + q
    for _ in range(2):
        d = {k: q * s + u[k] for k, q in d.items()}
    return d[0] * d[1] + d[2]


def zipped_with_itself(u, s, n):
    d = {i % n: q for i, q in enumerate(u)}
    d = dict(zip(list(d), [q * s for q in d.values()], strict=False))
    return sum(q * q for q in d.values())


def keys_turned_over(u, s, n):
    d = {i % n: q for i, q in enumerate(u)}
    d = {n - k: d[k] * s for k in d}
    return sum(q * k for k, q in d.items())


def lists_of_itself(u, s, n):
    d = {}
    for i, q in enumerate(u):
        d.setdefault(i % n, []).append(q * s)
    d = {k: [sum(held)] for k, held in d.items()}
    return d[0][0] * d[1][0]


ARGS = (numbers(5), 0.7, 3)
PROGRAMS = (
    *(Entry(f, ARGS, (0, 1)) for f in (made_of_itself, made_of_itself_in_passes)),
    *(Entry(f, ARGS, (0, 1)) for f in (zipped_with_itself, lists_of_itself)),
    # of an n of which nothing is known the keys are taken for what varies
    Entry(keys_turned_over, ARGS, (0, 1), like_only=True),
)
