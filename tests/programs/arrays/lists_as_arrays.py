"""Lists of arrays that NumPy is given as one array: means of samples, of groups, of histories."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def mean_of_samples(X):
    kept = [x * 2.0 for x in X]
    return np.sum(np.mean(kept, axis=0) ** 2)


def moments_of_a_history(X):
    kept = []
    for x in X:
        kept.append(np.sin(x))
    first = np.mean(kept, axis=0) * np.std(kept, axis=0)
    return np.sum(first) + np.sum(np.sum(kept, axis=1) ** 2) + np.sum(np.cumsum(kept, axis=0)[1])


def means_of_classes(X):
    classes = [[] for _ in range(2)]
    for i, x in enumerate(X):
        classes[i % 2].append(x)
    centres = [np.mean(c, axis=0) for c in classes]
    return np.sum(centres[0] * centres[1])


def nearest_centres(X):
    centres = [X[0], X[1]]
    for _ in range(2):
        classes = [[] for _ in centres]
        for x in X:
            d = [np.sum((x - c) ** 2) for c in centres]
            classes[d.index(min(d))].append(x)
        centres = [np.mean(c, axis=0) if c else centres[i] for i, c in enumerate(classes)]
    return sum(np.sum(c**2) for c in centres)


def norms_of_a_list(X):
    kept = [X[0], X[1] * X[2]]
    return np.sum(np.linalg.norm(kept, axis=1) ** 3) + np.max(kept) * np.min(kept)


def halved_and_joined(x):
    """How many axes the parts have is not known without examples."""
    kept = []
    while len(x) > 1:
        kept.append(x[::2])
        x = x[1::2]
    return np.sum(np.concatenate([x, *kept]) ** 2) + np.sum(np.concatenate(kept) ** 3)


def joined_as_before(X):
    kept = [X[0], X[1] * X[2]]
    whole = np.concatenate(kept) * np.hstack(kept)
    return np.sum(np.stack(kept, axis=1) ** 2) + whole @ whole + np.sum(np.vstack(kept)[1])


def added_to_an_array(X):
    kept = [X[0], X[1] * X[2]]
    return np.sum((X[1:3] + kept) ** 2) + np.sum(np.einsum("ij,ij->i", kept, X[:2]))


def of_other_lengths(X):
    kept = [X[0], X[1, :2]]
    return np.sum(np.concatenate(kept) ** 2)


X = numbers(4, 3)
PROGRAMS = tuple(
    Entry(function, (X,))
    for function in (
        *(mean_of_samples, moments_of_a_history, means_of_classes, nearest_centres),
        *(norms_of_a_list, joined_as_before, halved_and_joined),
        *(added_to_an_array, of_other_lengths),
    )
)
