"""In a text for any arguments the tangent of a new array is a new array, too, where it is written."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences

W = np.array([0.3, 0.7, -0.2])


def scaled_by_one(w):
    d = 1.0 * np.flip(w)
    d[0] += 0.5 * d[1]
    return np.sum(d * d) + np.sum(w**3)


def moved_by_nothing(w):
    d = np.flip(w) + 0.0
    d[0] += 0.5 * d[1]
    return np.sum(d * d) + np.sum(w**3)


def turned(w):
    d = 1.0 * np.transpose(w)
    d[0] += 0.5 * d[1]
    return np.sum(d * d) + np.sum(w**3)


def added_to(u, v):
    u[1] += np.sin(v[1])
    return u


def largest_of_itself(w):
    return np.sum(added_to(np.maximum(w, w), w) ** 2) + np.sum(w**3)


FUNCTIONS = [scaled_by_one, moved_by_nothing, turned, largest_of_itself]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_direction_is_not_written_to(function):
    names = {}
    exec(s2sad.jvp(function).source, names)
    directions = np.eye(3)
    tangents = [names[f"{function.__name__}_jvp"](W, each)[1] for each in directions]
    assert np.array_equal(directions, np.eye(3))
    assert compare(np.array(tangents), differences(function, (W,), [0])) is None


def bordered(w):
    n = len(w)
    A = np.zeros((n + 1, n + 1))
    A[:n, :n] = np.outer(w, w) + np.eye(n)
    A[n, :n] = 1.0
    A[:n, n] = 1.0
    return np.sum(np.linalg.inv(A) ** 2)


def moved_border(w):
    n = len(w)
    A = np.zeros((n + 1, n + 1))
    A[:n, :n] = np.outer(w, w)
    n = 1
    A[n, :n] = 1.0
    A[0, 0] = np.sin(w[0])
    A[0, 0] = 2.0
    return np.sum(A**2)


@pytest.mark.parametrize("function", [bordered, moved_border], ids=lambda f: f.__name__)
def test_no_zeros_are_stored_to_zeros(function):
    derivative = s2sad.jvp(function, like=(W,))
    text = derivative.source
    assert ("_dot[n, :n] = 0.0" in text) is (function is moved_border), text
    tangents = [derivative(W, each)[1] for each in np.eye(3)]
    assert compare(np.array(tangents), differences(function, (W,), [0])) is None
