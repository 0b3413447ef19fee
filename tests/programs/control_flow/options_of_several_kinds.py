"""Options that are a word or numbers: what a word is compared with decides, and so does what has it."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def widths(length, kernel, is_causal):
    wide = int(length - 1 + kernel - length)
    return (wide, 0) if is_causal else (wide // 2, wide - wide // 2)


def padded(u, width, kernel=None):
    if isinstance(width, int):
        width = (width, width)
    if isinstance(width, tuple):
        v = np.pad(u, (width, (0, 0)))
    if width in ["same", "causal"] and kernel is not None:
        width = widths(u.shape[0], kernel, width == "causal")
        v, width = padded(u, width)
    return v, width


def padded_by_a_word(u):
    v, width = padded(u, "causal", 3)
    return np.sum(np.sin(v) * np.arange(v.shape[0])[:, None]) * width[0]


def padded_by_a_number(u):
    v, _ = padded(u, u.shape[0], 3)
    return np.sum(np.sin(v) * np.arange(v.shape[0])[:, None])


def level(u, at):
    if at == "mean":
        at = np.mean(u)
    if at != "none":
        u = u - at
    return u


def levels(u):
    return np.sum(level(u, "mean") ** 3) + np.sum(level(u, 0.25) ** 3) + np.sum(level(u, "none"))


def seen_among_words(u):
    names, total = ["a"], 0.0
    for k in range(4):
        if k in names:
            total = total + np.sum(u**2)
        names.append(k + 1)
    return total + np.sum(u)


def window(u, width, step):
    v = np.pad(u, ((0, 0), (width, width), (step, step), (0, 0)))
    turned = v.transpose(1, 2, 0, 3)
    rows = np.arange(2 * width)
    return turned[rows].reshape(len(rows), -1)


def padded_in_the_middle(u):
    width = int(u.shape[1] / 2)
    rows = window(u, width, int((u.shape[2] + 1) / 2))
    return np.sum((rows @ rows.T) ** 2)


class Labelled:
    def __init__(self, values, labels):
        self.values, self.labels = values, labels


def labels_of(*args):
    return next((each.labels for each in args if isinstance(each, Labelled)), None)


def without_labels(u):
    weights = [each.values for each in (u[0], u[1]) if isinstance(each, Labelled)]
    scale = 2.0 if labels_of(u, u[0]) is None else 3.0
    return scale * np.sum(u**2) + len(weights)


def with_labels(u):
    held = Labelled(u[0], [2.0, 0.5])
    return np.sum(held.values * labels_of(held, held)[0])


SETTINGS = {"power": 3, "rate": 0.5}


def powered(u, power=2, rate=1.0, shift=0.0):
    return np.sum(rate * (u - shift) ** power)


def settings_or_none(u, settings=None):
    if settings is None:
        settings = {}
    return powered(u, **{**SETTINGS, **settings})


def mistaken_beyond_a_level(u):
    weights, total = np.array([1.0, 2.0]), 0.0
    for k in range(2):
        if u[0, 0] < 9.0:
            total = total + weights[k] * np.exp(u[k, 0])
        else:
            total = total + weights(k) * np.exp(u[k, 1])
    return total


PROGRAMS = (
    *(
        Entry(function, (numbers(4, 2),))
        for function in (
            *(padded_by_a_word, padded_by_a_number, levels, seen_among_words),
            *(without_labels, with_labels, settings_or_none, mistaken_beyond_a_level),
        )
    ),
    Entry(padded_in_the_middle, (numbers(2, 3, 2, 2),)),
)
