"""Stores through positions, and calls that write in place: values, against differences."""

import numpy as np
import pytest

from s2sad.ir.errors import NotYet
from tests.oracles import compare, differences, flatten
from tests.rooms.derive import grad

TWICE = np.array([0, 0, 1])
U, V = np.array([0.3, 0.5, 0.7]), np.array([1.1, 0.2, 0.4])


def assigned(u, v):
    w = u * 1.0
    w[TWICE] = v
    return np.sum(w**2)


def one_number_for_all(u, v):
    w = u * 1.0
    w[[0, 0, 1]] = v[0]
    return np.sum(w**2)


def added(u, v):
    w = u * 1.0
    w[[0, 0, 1]] += v
    return np.sum(w**2)


def scaled(u, v):
    w = u * 1.0
    w[TWICE] *= v
    return np.sum(w**2)


def in_a_matrix(u, v):
    w = np.zeros((3, 3))
    w[TWICE, 1] += v
    w[1, TWICE] = u
    return np.sum(w**2)


def by_a_mask(u, v):
    m = u > 0.4
    w = u * v
    w[m] = v[m] * 2.0
    w[~m] += 1.0
    return np.sum(w**2)


def added_at(u, v):
    w = u * 1.0
    np.add.at(w, TWICE, v * u)
    np.subtract.at(w, [2, 0, 2], v)
    return np.sum(w**2)


def out_by_name_and_position(u, v):
    w = np.empty(3)
    np.multiply(u, v, out=w)
    np.add(w, u, w)
    t = np.exp(w, out=np.empty_like(w))
    return np.sum(t * w)


def out_where(u, v):
    w = u * 1.0
    np.multiply(w, v, out=w, where=u > 0.4)
    return np.sum(w**2)


def out_of_a_reduction(u, v):
    total = np.zeros(3)
    np.sum(np.outer(u, v), axis=0, out=total)
    total.cumsum(out=total)
    return np.sum(total * v)


def sorted_in_place(u, v):
    w = u * v
    w.sort()
    return w[0] * u[0] + w[2]


def filled_and_copied(u, v):
    w = u * v
    s = np.sum(w)
    w.fill(s)
    t = np.zeros(3)
    np.copyto(t, w * u)
    return np.sum(t * w)


FUNCTIONS = [
    assigned,
    one_number_for_all,
    added,
    scaled,
    in_a_matrix,
    by_a_mask,
    added_at,
    out_by_name_and_position,
    out_where,
    out_of_a_reduction,
    sorted_in_place,
    filled_and_copied,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_is_stored_under_positions_and_what_calls_write(function):
    run = grad(function, (U, V))
    run.checked(U, V)
    expected = differences(function, (U, V), (0, 1), 1.0)
    fault = compare(flatten(run(U, V), (U, V)), expected)
    assert fault is None, f"{fault}\n{run.text}"


def test_distinct_positions_need_no_mask():
    def lower(u, v):
        w = np.outer(u, v)
        w[np.tril_indices(3)] = np.sum(v)
        w[[0, 2], 1] = u[:2]
        return np.sum(w**2)

    assert "_written_last" not in grad(lower, (U, V)).text


def put_several(u, v):
    w = u * 1.0
    np.put(w, [0, 1], v[:2])
    return np.sum(w**2)


def test_a_call_that_stores_is_not_taken_for_idle():
    u_bar, v_bar = grad(put_several, (U, V))(U, V)
    assert not np.any(u_bar[:2]) and np.allclose(u_bar[2:], 2.0 * U[2:])
    assert np.allclose(v_bar[:2], 2.0 * V[:2]) and not np.any(v_bar[2:])


def guarded(u, v):
    return np.sum(np.sqrt(np.maximum(u - 0.5, 0.0)) * v)


def test_an_infinite_slope_beside_a_guard_is_not_multiplied():
    try:
        found = grad(guarded, (U, V))(U, V)
    except NotYet:
        return
    assert np.all(np.isfinite(found[0])) and found[0][0] == 0.0
