"""What a library makes may have operators of its own: no product of its is taken for NumPy's."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.stats

import s2sad

U = np.array([0.7, 0.31, 0.42, 0.93])
MATRIX = np.matrix([[1.0, 2.0], [3.0, 4.0]])


def made_by_a_method(u):
    s = sp.eye(4).tocsr()
    return np.sum((s * u) ** 2)


def written_to(u):
    s = sp.eye(4).tolil()
    s[0, 1] = 2.0
    return np.sum((s * u) ** 2)


def laplacian(n):
    s = sp.lil_matrix((n, n))
    s[0, 1] = 2.0
    return s.tocsr()


def made_by_a_function(u):
    return np.sum((laplacian(4) * u) ** 2)


def made_by_two_functions(u):
    def twice(n):
        return laplacian(n) * 2.0

    s = twice(4)
    return np.sum((s * u) ** 2)


def made_in_a_branch(u):
    s = np.ones(4)
    if u[0] > 0.0:
        s = sp.eye(4).tocsr()
    return np.sum((s * u) ** 2)


def masked(u):
    m = np.ma.masked_less(np.arange(4.0), 1.5)
    return np.sum(m * u)


def a_matrix(u):
    m = np.matrix([[1.0, 2.0], [3.0, 4.0]])
    return (m * u[:2, None])[0, 0]


def a_part_of_a_matrix(u):
    return float((MATRIX.T * u[:2, None])[1, 0])


@pytest.mark.parametrize(
    "function",
    [
        *(made_in_a_branch, masked, a_matrix, a_part_of_a_matrix),
    ],
)
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.jvp])
@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_operators_of_its_own_are_refused(function: Any, make: Any) -> None:
    args = (U,) if make is s2sad.grad else (U, U)
    # the text for any arguments raises what np.matrix raises
    errors = (s2sad.S2sadError, ValueError) if function is a_matrix else s2sad.S2sadError
    with pytest.raises(errors):
        make(function)(*args)


@pytest.mark.parametrize(
    "function", [made_by_a_method, written_to, made_by_a_function, made_by_two_functions]
)
def test_a_star_of_a_sparse_matrix_is_a_product(function: Any) -> None:
    step = 1e-6
    slopes = [(function(U + step * e) - function(U - step * e)) / (2.0 * step) for e in np.eye(4)]
    np.testing.assert_allclose(s2sad.grad(function)(U), slopes, rtol=1e-7, atol=1e-8)
    tangents = [s2sad.jvp(function)(U, e)[1] for e in np.eye(4)]
    np.testing.assert_allclose(tangents, slopes, rtol=1e-7, atol=1e-8)


def a_quantile(u):
    return scipy.stats.norm.ppf(0.9) * np.sum(u**2)


def read_from_a_file(u):
    w = np.loadtxt(io.StringIO("1 2 3 4"))
    return np.sum(w * u)


def read_from_json(u):
    w = json.loads("[1.0, 2.0, 3.0, 4.0]")
    return np.sum(np.array(w) * u) * w[0]


def nodes(u):
    x, w = np.polynomial.legendre.leggauss(4)
    return np.sum(w * u * x**2)


@pytest.mark.parametrize("function", [a_quantile, nodes])
def test_arrays_and_numbers_go_through(function: Any) -> None:
    assert s2sad.check_grad(function, (U,))


@pytest.mark.parametrize("function", [read_from_a_file, read_from_json])
def test_what_is_read_may_be_anything(function: Any) -> None:
    """Read before the call, and handed in, it is an array."""
    with pytest.raises(
        s2sad.S2sadError, match=r"may be no number|no derivative rule for w, whose number of axes"
    ):
        s2sad.grad(function)(U)
    with pytest.raises(s2sad.NoRule, match="number of axes is not known"):
        s2sad.jvp(function)(U, U)


def test_no_check_stands_where_the_kind_is_known() -> None:
    def f(u, k):
        w = np.linspace(0.0, k, 4)
        return np.sum(w * u)

    assert "_refuse_operators" not in s2sad.grad(f).source
    assert "_refuse_operators" not in s2sad.grad(nodes).source
