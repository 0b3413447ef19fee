"""Twins of SciPy's distances."""

import numpy as np


def _euclidean(u, v):
    """Twin of scipy.spatial.distance.euclidean."""
    return np.linalg.norm(u - v)


def _squared_distance(u, v):
    """Twin of scipy.spatial.distance.sqeuclidean."""
    return np.sum((u - v) ** 2)


def _city_distance(u, v):
    """Twin of scipy.spatial.distance.cityblock."""
    return np.sum(np.abs(u - v))


def _largest_distance(u, v):
    """Twin of scipy.spatial.distance.chebyshev."""
    return np.max(np.abs(u - v))


def _power_mean(sizes, p):
    """Return the p-norm of sizes along the last axis; where all are 0, a constant."""
    if not p < np.inf:
        raise ValueError("the derivative is that of a finite p")
    total = np.sum(sizes**p, axis=-1)
    return np.where(total == 0.0, 0.0, (total + (total == 0.0)) ** (1.0 / p))


def _minkowski(u, v, p):
    """Twin of scipy.spatial.distance.minkowski."""
    return _power_mean(np.abs(u - v), p)


def _cosine_distance(u, v):
    """Twin of scipy.spatial.distance.cosine."""
    return 1.0 - np.dot(u, v) / np.sqrt(np.dot(u, u) * np.dot(v, v))


def _correlation_distance(u, v):
    """Twin of scipy.spatial.distance.correlation."""
    return _cosine_distance(u - np.mean(u), v - np.mean(v))


def _canberra(u, v):
    """Twin of scipy.spatial.distance.canberra."""
    size = np.abs(u) + np.abs(v)
    return np.sum(np.where(size == 0.0, 0.0, np.abs(u - v) / (size + (size == 0.0))))


def _bray_curtis(u, v):
    """Twin of scipy.spatial.distance.braycurtis."""
    return np.sum(np.abs(u - v)) / np.sum(np.abs(u + v))


def _mahalanobis(u, v, VI):
    """Twin of scipy.spatial.distance.mahalanobis."""
    return np.sqrt(np.dot(np.dot(u - v, VI), u - v))


def _cosine_of_rows(XA, XB):
    """Twin of scipy.spatial.distance.cdist(XA, XB, "cosine")."""
    lengths = np.outer(np.linalg.norm(XA, axis=1), np.linalg.norm(XB, axis=1))
    return 1.0 - np.dot(XA, XB.T) / lengths


def _largest_of_rows(XA, XB):
    """Twin of scipy.spatial.distance.cdist(XA, XB, "chebyshev")."""
    return np.max(np.abs(np.expand_dims(XA, 1) - XB), axis=2)


def _minkowski_of_rows(XA, XB, p):
    """Twin of scipy.spatial.distance.cdist(XA, XB, "minkowski", p=p)."""
    return _power_mean(np.abs(np.expand_dims(XA, 1) - XB), p)


def _city_of_pairs(X):
    """Twin of scipy.spatial.distance.pdist(X, "cityblock")."""
    i, j = np.triu_indices(len(X), 1)
    return np.sum(np.abs(X[i] - X[j]), axis=1)


def _cosine_of_pairs(X):
    """Twin of scipy.spatial.distance.pdist(X, "cosine")."""
    return _cosine_of_rows(X, X)[np.triu_indices(len(X), 1)]


def _minkowski_of_pairs(X, p):
    """Twin of scipy.spatial.distance.pdist(X, "minkowski", p=p)."""
    i, j = np.triu_indices(len(X), 1)
    return _power_mean(np.abs(X[i] - X[j]), p)
