"""What NumPy gives as a view of its argument is taken for one."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, right_or_refused, slope, standalone
from tests.texts import defined


def test_a_diagonal_is_a_view_of_its_matrix() -> None:
    def f(x: Any, s: Any) -> Any:
        A = np.outer(x, x)
        d = np.diag(A)
        A[0, 0] = 3.0 * s
        return np.sum(d * d)

    with pytest.raises(s2sad.Unsupported, match="a read-only view of an array that is written"):
        s2sad.grad(f, wrt=("x", "s"))(np.arange(1.0, 4.0), 2.0)


def test_the_gradient_of_a_matrix_of_a_vector_is_no_view() -> None:
    def f(v: Any, w: Any) -> Any:
        return np.sum(w * np.diag(v))

    w = np.ones((3, 3))
    gradient = s2sad.grad(f)(np.arange(3.0), w)
    gradient *= 2.0  # a view of w could not be written to
    assert w[0, 0] == 1.0


@pytest.mark.parametrize("order", ["C", "F"])
def test_elements_are_taken_from_a_matrix_in_either_order(order: Any) -> None:
    """A transpose is in Fortran order, where a flat view of an array like it is a copy."""

    def f(x: Any) -> Any:
        return np.sum(np.take(x.T, np.array([0, 0, 5])) * np.array([1.0, 2.0, 4.0]))

    x = np.asarray(np.arange(6.0).reshape(3, 2), order=order)
    assert np.array_equal(s2sad.grad(f)(x), [[3.0, 0.0], [0.0, 0.0], [0.0, 4.0]])
    assert np.array_equal(s2sad.grad(lambda x: np.sum(np.compress([0, 1], x)))(x)[0], [0.0, 1.0])


def _not_copied(A: Any) -> Any:
    B = A * 1.0
    v = B.astype(float, copy=False)
    v[0, 0] = A[1, 1] ** 2
    return np.sum(B)


def _conjugate(A: Any) -> Any:
    B = A * 1.0
    v = B.conj()
    v[0] = A[1] ** 2
    return np.sum(B)


def _diagonal_by_einsum(A: Any) -> Any:
    B = A * 1.0
    d = np.einsum("ii->i", B)
    d *= 2.0
    return np.sum(B * A)


def _transpose_by_einsum(A: Any) -> Any:
    B = A * 1.0
    d = np.einsum(B, [0, 1], [1, 0])
    d[0] = A[1] ** 2
    return np.sum(B * A)


@pytest.mark.parametrize(
    "function", [_not_copied, _conjugate, _diagonal_by_einsum, _transpose_by_einsum]
)
def test_a_write_to_a_view_is_right_or_refused(function: Any) -> None:
    A = np.array([[0.7, 0.3], [0.4, 0.9]])
    right_or_refused(function, (A,))
    try:
        _, tangent = s2sad.jvp(function)(A, np.cos(A))
    except s2sad.AliasError:
        return
    expected = differences(function, (A,), (0,)).value
    assert tangent == pytest.approx(np.sum(expected * np.cos(A).ravel()), rel=1e-6)


def test_what_einsum_makes_of_two_is_its_own() -> None:
    def f(A: Any) -> Any:
        B = A * 1.0
        C = np.einsum("ij,jk->ik", B, B)
        C *= 2.0
        return np.sum(B * C)

    assert s2sad.check_grad(f, (np.array([[0.7, 0.3], [0.4, 0.9]]),))


def second_name_by_reshape(u, c):
    C = np.outer(u, u)
    r = C.T.reshape(-1)
    r[::6] *= c
    return np.sum(C * C)


def copy_that_keeps_the_order(A):
    B = np.copy(A.T)  # not in rows: what is reshaped is a copy
    flat = B.reshape(-1)
    flat[0] *= A[0, 1]
    return np.sum(flat * flat * np.arange(1.0, 5.0)) + np.sum(B)


def copy_that_lies_in_rows(A):
    B = np.ascontiguousarray(2.0 * A.T)
    flat = B.reshape(-1)
    flat[::2] *= A[0, 1]
    return np.sum(B * B)


@pytest.mark.parametrize("function", [copy_that_keeps_the_order, copy_that_lies_in_rows])
def test_copies_of_either_order_are_right_or_refused(function: Any) -> None:
    A = np.array([[0.3, -0.4], [0.8, 0.1]])
    try:
        found = s2sad.grad(function, like=(A,))(A)
    except s2sad.AliasError:
        assert function is copy_that_keeps_the_order
        return
    assert compare(flatten(found, A), differences(function, (A,), (0,))) is None


def second_name_in_a_loop(u, c):
    A = np.outer(u, u)
    row = u * 2.0
    for i in range(3):
        if A[i, 0] > c:
            row = A[i]
        row[0] = row[1] * c
    return np.sum(A * A)


def test_a_row_under_a_second_name_in_a_loop_is_right() -> None:
    u = np.array([0.3, -0.4, 0.8])
    found = s2sad.grad(second_name_in_a_loop, like=(u, 0.5))(u, 0.5)
    expected = differences(second_name_in_a_loop, (u, 0.5), (0,))
    assert compare(flatten(found, u), expected) is None


@pytest.mark.parametrize(
    ("function", "write", "made"),
    [
        (second_name_by_reshape, "r[::6] *= c", "r = C.T.reshape(-1)"),
    ],
)
def test_refusal_names_the_write_and_where_the_second_name_was_made(
    function: Any, write: str, made: str
) -> None:
    with pytest.raises(s2sad.AliasError) as caught:
        s2sad.grad(function)(np.array([0.3, -0.4, 0.8]), 0.5)
    lines = [line.strip() for line in str(caught.value).splitlines()]
    assert write in lines
    assert any(line.endswith(f": {made}") for line in lines), lines


def item_of_itself(x: Any) -> Any:
    kept = [x[0], x[1]]
    same = kept
    kept[1] = same
    return kept[0]


def copy_in_itself(x: Any) -> Any:
    kept = [x[0], x[1]]
    kept[1] = list(kept)
    return kept[1][0] * kept[0]


@pytest.mark.parametrize("function", [item_of_itself, copy_in_itself])
def test_a_list_of_numbers_and_of_itself_is_refused(function: Any) -> None:
    with pytest.raises(s2sad.Unsupported, match=r"a container|part of several arrays"):
        s2sad.grad(function)(np.ones(2))


def halves_in_place(x: Any) -> Any:
    y = x.copy()
    a, b = np.split(y, 2)
    a *= b
    b[:] = 2.0 * a
    return np.sum(y**2)


def half_of_halves(x: Any) -> Any:
    y = x.copy()
    a, b = np.array_split(y, 2)
    a[0] = 3.0 * b[1]
    return np.sum(y**3)


@pytest.mark.parametrize("function", [halves_in_place, half_of_halves])
def test_parts_that_are_split_off_are_views(function: Any) -> None:
    try:
        right_or_refused(function, (np.array([0.7, 0.3, 0.9, 0.4]),))
    except s2sad.Unsupported as error:
        assert "several names" in str(error)


def _in_columns(B, A):
    v = B.ravel()
    v[1] = 5.0 * A[1, 1]
    return np.sum(B**2 * A) + np.sum(v**3)


def of_a_tile(A):
    return _in_columns(np.tile(A.T, (1, 1)), A)


def of_zeros(A):
    B = np.zeros((3, 3), order="F")
    B += A
    return _in_columns(B, A)


def of_an_order_by_name(A):
    order = "F"
    B = np.empty((3, 3), float, order)
    B[:] = A
    return _in_columns(B, A)


def of_columns(A):
    return _in_columns(np.asfortranarray(A.copy()), A)


def of_a_copy(A):
    return _in_columns(A.copy("F"), A)


def of_a_copy_that_keeps_the_order(A):
    return _in_columns(A.T.copy(order="K"), A)


def of_reshaped_columns(A):
    return _in_columns(A.copy().reshape(3, 3, order="F") + 0.0, A)


def by_columns(A):
    B = A.copy()
    v = B.ravel("F")
    v[1] = 5.0 * A[1, 1]
    return np.sum(B**2 * A) + np.sum(v**3)


def by_columns_of_a_function(A):
    B = A.copy()
    v = np.reshape(B, (9,), "F")
    v[1] = 5.0 * A[1, 1]
    return np.sum(B**2 * A) + np.sum(v**3)


def in_columns_itself(A):
    B = A.copy()
    v = np.asfortranarray(B)
    v[1] = 5.0 * A[1, 1]
    return np.sum(B**2 * A) + np.sum(v**3)


def asked_for_in_columns(A):
    B = A * 2.0
    v = np.asarray(B, float, "F")
    v[1] = 5.0 * A[1, 1]
    return np.sum(B**2 * A) + np.sum(v**3)


def asked_for_in_rows(A):
    B = np.array(A.T * 2.0, copy=None, order="C")
    v = np.array(A.T, copy=None, order="C")
    v[1] = 5.0 * A[1, 1]
    return np.sum(A * B) + np.sum(v**3)


def converted_in_rows(A):
    B = (A * 2.0)[:, 0]
    v = B.astype(float, "C", copy=False)
    v[1] = 5.0 * A[1, 1]
    return np.sum(B**2) + np.sum(v**3)


def of_a_shallow_copy(A):
    return _in_columns(copy.copy(A.T), A)


def of_each_element(A):
    return _in_columns(np.vectorize(math.sin)(A.T), A)


def filled_in_columns(A):
    B = A.T * 2.0
    v = B.reshape(-1)
    v.fill(5.0 * A[1, 1])
    return np.sum(B**2 * A) + np.sum(v**3)


def sorted_in_columns(A):
    B = A.T * 2.0
    v = np.ascontiguousarray(B)
    v.sort()
    return np.sum(B**2 * A) + np.sum(v**3)


IN_COLUMNS = (
    *(of_a_tile, of_zeros, of_an_order_by_name, of_columns, of_a_copy),
    *(asked_for_in_columns, asked_for_in_rows, converted_in_rows, of_a_shallow_copy),
    *(of_each_element, filled_in_columns, sorted_in_columns),
    *(of_a_copy_that_keeps_the_order, of_reshaped_columns, by_columns, by_columns_of_a_function),
    in_columns_itself,
)


@pytest.mark.parametrize("function", IN_COLUMNS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("derive", [s2sad.grad, s2sad.jvp])
def test_what_lies_in_columns_is_no_view_in_rows(function, derive):
    A = np.array([[1.0, 2.0, -1.5], [3.0, 4.0, 5.0], [-1.0, 2.5, 1.0]])
    said = r"may be one array|reshaped|\.astype\(\)"
    with pytest.raises((s2sad.AliasError, s2sad.Unsupported, s2sad.NoRule), match=said):
        derive(function, like=(A,)).source  # noqa: B018


def of_a_power(A, n):
    B = np.linalg.matrix_power(A, n)
    B[0, 0] = 5.0 * A[1, 1]
    return np.sum(B**2) + np.sum(A**3)


def of_differences(A, n):
    B = np.diff(A, n)
    B[0, 0] = 5.0 * A[1, 1]
    return np.sum(B**2) + np.sum(A**3)


def of_a_derived_polynomial(A, n):
    B = np.polyder(A[0], n)
    B[0] = 5.0 * A[1, 1]
    return np.sum(B**2) + np.sum(A**3)


@pytest.mark.parametrize("function", [of_a_power, of_differences, of_a_derived_polynomial])
@pytest.mark.parametrize("example", [1, 2])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_whole_number_decides_whether_it_is_a_view(function, example, n):
    """np.diff(A, 0) and matrix_power(A, 1) are A itself."""
    A = np.array([[1.0, 2.0, -1.5], [3.0, 4.0, 5.0], [-1.0, 2.5, 1.0]])
    try:
        df = s2sad.grad(function, like=(A, example))
        found = standalone(df.source, df.__name__)(A.copy(), n)
    except (s2sad.AliasError, s2sad.Unsupported, ValueError):
        return
    expected = differences(lambda A: function(A.copy(), n), (A,), (0,))
    assert compare(flatten(found, A), expected) is None


PLACES = (
    *(
        "np.flip(c)[0]",
        "np.atleast_3d(c)[0, 1]",
        "np.split(c, 2)[1][:]",
        "np.real(c)[0]",
        "list(c)[0][:]",
    ),
    *("[*c][1][:]", "[c][0][0]", "(c if n else A)[0]", "{1: c}[1][0]", "max(c, key=np.sum)[:]"),
    *("[np.flip(q) for q in c][1][0]", "np.einsum('ii->i', c)[:]", "sorted(c, key=np.sum)[0][:]"),
    *(
        "list(reversed([c, A]))[1][0]",
        "list(zip([c], [c]))[0][1][0]",
        "list({1: c}.values())[0][0]",
    ),
)
WRITES = (
    *(f"{place} = {value}" for place in PLACES for value in ("3.0", "A[0, 0]")),
    *("np.modf(c, out=(None, c))", "scipy.linalg.solve(A, c, overwrite_b=True)"),
    *("scipy.linalg.inv(c, True)", "np.median(c, overwrite_input=True)"),
)


@pytest.mark.parametrize("write", WRITES)
def test_a_write_to_what_has_no_name_is_right_or_refused(write: str) -> None:
    """The tangent of what is written to is written to as well, if a constant is stored, too."""
    lines = ("c = np.asfortranarray(A * 0.5 + 1.0)", write, "return np.sum(c**2 * A)")
    f = defined("import scipy.linalg\ndef f(A, n):\n    " + "\n    ".join(lines))
    A = np.array([[0.7, 0.3], [0.4, 0.9]])
    try:
        _, tangent = s2sad.jvp(f)(A, 1, np.cos(A))
    except s2sad.Unsupported:
        assert "(" in write.partition(" = ")[0]
        return
    expected = differences(f, (A, 1), (0,)).value
    assert tangent == pytest.approx(np.sum(expected * np.cos(A).ravel()), rel=1e-6)


def test_a_view_of_an_array_without_axes_has_a_tangent_that_is_written() -> None:
    """The tangent of np.reshape of it was stretched, and could not be written to."""

    def smoothed(x: float) -> Any:
        b = np.empty_like(x)
        is_zero = np.isclose(x, 0.0)
        b[~is_zero] = 3.0 * x
        b[~is_zero] += np.sin(b[~is_zero])
        return np.tan(b)

    expected, _ = slope(lambda h: smoothed(0.3 + h), smoothed(0.3), 1.0)
    assert s2sad.jvp(smoothed)(0.3, 1.0)[1] == pytest.approx(expected, rel=1e-7)
    assert s2sad.grad(smoothed)(0.3) == pytest.approx(expected, rel=1e-7)


def test_a_text_for_any_arguments_knows_what_a_method_under_a_name_writes():
    def loss(u):
        v = np.zeros(4) + u
        put = v.__setitem__
        put(0, v[1] * 3.0)
        return np.sum(v * u)

    made = s2sad.grad(loss)
    space: dict = {}
    exec(made.source, space)
    u = np.array([0.3, 0.9, 0.2, 0.7])
    expected = [loss(u + 1e-30j * step).imag / 1e-30 for step in np.eye(4)]
    np.testing.assert_allclose(space["loss_grad"](u), expected)
