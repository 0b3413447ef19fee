"""Dicts that are filled under the keys of a dict of parameters."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def set_where_missing(W, s):
    m = {}
    for k in W:
        m.setdefault(k, np.zeros(3))
        m[k] = m[k] * 0.5 + W[k] * s
    return np.sum(m["w"]) + np.sum(m["b"] ** 2)


def set_where_missing_in_passes(W, s):
    m = {}
    for t in range(3):
        for k in W:
            m.setdefault(k, 0.0)
            m[k] = m[k] * 0.5 + W[k] * s * t
    return np.sum(m["w"]) + np.sum(m["b"] ** 2)


def begun_where_missing(W, s):
    m = {}
    for _t in range(3):
        for k in W:
            if k not in m:
                m[k] = np.zeros(3)
            m[k] = m[k] + W[k] * s
    return np.sum(m["w"]) + np.sum(m["b"] ** 2)


def added_or_begun(p, s):
    m = {}
    for _t in range(3):
        for k in p:
            if k in m:
                m[k] += p[k] * s
            else:
                m[k] = p[k]
    return m["a"] * m["b"]


def begun_in_the_first_pass(W, s):
    m = {}
    for t in range(3):
        for k, w in W.items():
            if t == 0:
                m[k] = np.zeros_like(w)
            m[k] = 0.9 * m[k] + w * s
    return np.sum(m["w"]) + np.sum(m["b"] ** 2)


def adam(W, s):
    m = {}
    v = {}
    W = {k: w.copy() for k, w in W.items()}
    for _t in range(1, 4):
        for k in W:
            g = 2.0 * W[k] * s
            m[k] = 0.9 * m.get(k, 0.0) + 0.1 * g
            v[k] = 0.99 * v.get(k, 0.0) + 0.01 * g * g
            W[k] = W[k] - 0.1 * m[k] / (np.sqrt(v[k]) + 1e-3)
    return np.sum(W["w"]) + np.sum(W["b"] ** 2)


def adam_setdefault(W, s):
    m = {}
    for t in range(1, 4):
        for k in W:
            m.setdefault(k, np.zeros(3))
            m[k] = m[k] * 0.5 + W[k] * s * t
    return np.sum(m["w"]) + np.sum(m["b"] ** 2)


W = {"w": numbers(3), "b": numbers(3, start=0.2)}
WS = (W, 0.7), (0, 1)

PROGRAMS = (
    *tuple(
        Entry(function, *WS, like_only=True)
        for function in (
            set_where_missing,
            set_where_missing_in_passes,
            begun_where_missing,
            begun_in_the_first_pass,
            adam,
            adam_setdefault,
        )
    ),
    Entry(added_or_begun, ({"a": 0.4, "b": 0.9}, 0.7), (0, 1), like_only=True),
)
