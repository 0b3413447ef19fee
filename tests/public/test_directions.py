"""Many directions in one sweep: the same numbers as one after the other, with no loop over them."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.fuzz import generate
from tests.fuzz.case import loaded

U = np.array([0.3, -0.4, 0.8, 0.5])
A = np.array([[0.4, 0.1, -0.3], [0.2, 0.9, 0.5], [-0.6, 0.3, 0.7]])
B = np.array([0.2, -0.7, 0.4])
T = np.array([0.5, 0.8, 1.2])
COUNT = 3


def decay(m, t):
    return m[0] * np.exp(-m[1] * t) + m[2] * t ** m[3]


def numbers(x, y):
    r = np.sqrt(x * x + y * y)
    return r, np.arctan2(y, x)


def smooth(u, c):
    for _ in range(3):
        u = u.copy()
        u[1:-1] += c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u[0] = u[1]
    return u


def scan(u, c):
    total = 0.0
    for i in range(1, len(u)):
        u[i] = np.sin(u[i - 1]) * c + u[i]
        total += u[i] ** 2
    return total


def element_kept(u, c):
    a = u[0]
    u[0] = c * u[1]
    b = u[0]
    u[0] = a * b
    return u * a - b


def number_kept(x, y):
    s = x * y
    t = s
    s += x
    return s * t


def rows(A, b):
    row = A[1]
    row[:] = row * b
    return A @ row, np.outer(b, A[0])


def products(A, b):
    return np.dot(A, b) + b @ A + A.T @ b, np.sum(A * b, axis=0), np.trace(A @ A), np.vdot(b, A[0])


def shapes(A, b):
    flat = A.reshape(-1)
    both = np.concatenate([flat, b * 2.0])
    return np.stack([both, both**2], axis=1), A.T, np.ravel(A)[::2], A[:, [0, 2]], A[A > 0.2]


def sums(A, b):
    return np.mean(A), A.sum(axis=1), np.cumsum(b), np.sum(A, keepdims=True), np.max(b) * b


def solved(A, b):
    return np.linalg.solve(A, b), np.linalg.solve(A, np.outer(b, b)), np.linalg.inv(A)


def displayed(b, x):
    return (
        np.array([b[0] * x, 1.0, x]),
        np.array([[x, b[1]], [0.5, x * x]]),
        np.einsum("i,i->", b, b),
    )


def branches(u, x):
    if x > 0.0:
        v = np.where(u > 0.0, u * x, x)
    else:
        v = -u
    return v if u[0] > 0.0 else v * 2.0


def layer(x, W, b):
    return np.tanh(W @ x + b)


def deep(x, W, b):
    states = []
    for _ in range(3):
        x = layer(x, W, b)
        states.append(x)
    return x, states[0] * states[-1]


def pairs(u, x):
    left, right = u[:2], u[2:]
    total = 0.0
    for a, b in zip(left, right, strict=True):
        total = total + a * b * x
    first, *others = u
    return total * first, np.pad(left, (1, 0)), np.diag(left), sum(others)


def borders(u, A):
    around = np.pad(A, 1, mode="edge")
    wide = np.pad(u, (1, 2), mode="wrap")
    return around * around[0], wide, np.flipud(A), np.fliplr(A), u[np.newaxis] * 2.0


def gates(u, x):
    z = np.concatenate([u * x, u])
    a, b, c, d = np.split(z, 4)
    top, bottom = np.array_split(np.outer(u, u), 2)
    return a * b + c * d, top @ u, bottom, np.full((2, 4), x), np.full(4, x) * u


def factored(A, b):
    K = A @ A.T + np.eye(3)
    values, vectors = np.linalg.eigh(K)
    return np.linalg.cholesky(K) @ b, values, vectors[:, 0] ** 2, np.linalg.solve(K, b)


def slopes(u, A):
    rows, columns = np.triu_indices(3, 1)
    return np.gradient(u, 0.1), np.gradient(A, 0.1, axis=1), A[rows, columns] ** 2


def rows_by_a_display(u, x):
    s = 0.1
    a = np.zeros((2, 1)) + np.arange(2).reshape((2, 1))
    w = a
    np.add.at(w, [0, 0, 0], u[:3, None])
    a[[0, 1]] -= np.sin(a)
    if w.ravel()[0] > -3.0:
        s = s + np.tanh(x)
    return np.sum(np.tanh(w)) + s


def steps_of_lists(u, x):
    state = [1.0, 0.5]
    for _ in range(2):
        rates = [x * state[1], -u[0] * state[0]]
        state = [s + 0.1 * r for s, r in zip(state, rates, strict=True)]
    return state[0] * state[1]


def complex_in_place(u, c):
    """Values that are real at first and are added to as complex ones: their tangents, too."""
    w = u + c
    w += 1j * np.sin(u) * w
    w[::2] *= 1j
    v = np.full(4, u[0] + 0j)
    v += c * u
    z = np.where(u > 0.0, u, c)
    z[1:] -= 1j * u[:-1]
    return np.abs(w), v.imag, np.abs(z)


def joined_flat(A, b):
    return np.concatenate([A, A, b[:, None]], axis=None) ** 2, np.concatenate([b, b], axis=None)


def sums_of_few(u, c):
    L = np.zeros((3, 3))
    for i in range(3):
        for j in range(i + 1):
            s = sum(L[i, k] * L[j, k] for k in range(j))
            L[i, j] = np.sqrt(u[i] - s) if i == j else (c - s) / L[j, j]
    return np.sum(L)


CASES = [
    (sums_of_few, (np.array([1.1, 2.3, 1.7]), 0.4), (0, 1)),
    (complex_in_place, (U, U[::-1] + 0.5j), (0,)),
    (joined_flat, (A, B), (0, 1)),
    (borders, (U, A), (0, 1)),
    (gates, (U, 0.7), (0, 1)),
    (factored, (A, B), (0, 1)),
    (slopes, (U, A), (0, 1)),
    (rows_by_a_display, (U, 0.7), (0, 1)),
    (steps_of_lists, (U, 0.7), (0, 1)),
    (decay, (U, T), (0, 1)),
    (numbers, (0.7, 1.3), (0, 1)),
    (smooth, (U, 0.1), (0, 1)),
    (scan, (U, 0.7), (0, 1)),
    (element_kept, (U, 0.7), (0, 1)),
    (number_kept, (0.7, 1.3), (0,)),
    (rows, (A, B), (0, 1)),
    (products, (A, B), (0,)),
    (products, (A, B), (1,)),
    (shapes, (A, B), (0, 1)),
    (sums, (A, B), (0, 1)),
    (solved, (A, B), (0,)),
    (solved, (A, B), (1,)),
    (displayed, (B, 0.7), (0, 1)),
    (branches, (U, 0.7), (0, 1)),
    (deep, (B, A, B), (0,)),
    (deep, (B, A, B), (1, 2)),
    (pairs, (U, 0.7), (0, 1)),
    (smooth, (U.astype(np.float32), np.float32(0.1)), (0,)),
]


def directions_for(args: tuple[Any, ...], wrt: tuple[int, ...]) -> list[np.ndarray]:
    """Return COUNT random directions of each argument."""
    rng = np.random.default_rng(3)
    kinds = ((np.shape(args[i]), np.result_type(args[i])) for i in wrt)
    return [rng.uniform(-1.0, 1.0, (COUNT, *shape)).astype(dtype) for shape, dtype in kinds]


def one_by_one(
    function: Any, args: tuple[Any, ...], wrt: Any, given: list[np.ndarray]
) -> list[Any]:
    """Return the tangents along each direction, one sweep for each."""
    tangent = s2sad.jvp(function, wrt, like=args)

    def along(k: int) -> Any:
        dots = (d[k] if d.ndim > 1 else d.dtype.type(d[k]) for d in given)
        return tangent(*args, **dict(zip(tangent.extra, dots, strict=True)))[1]

    return [along(k) for k in range(COUNT)]


def check(function: Any, args: tuple[Any, ...], wrt: Any, like: bool = True) -> Any:
    """Compare many directions at once with one after the other."""
    given = directions_for(args, wrt)
    many = s2sad.directional(function, wrt, like=args if like else None)
    found = many(*args, **dict(zip(many.extra, given, strict=True)))
    single = [np.result_type(each) == np.float32 for each in args]
    for k, expected in enumerate(one_by_one(function, args, wrt, given)):
        parts = expected if isinstance(expected, tuple) else (expected,)
        for part, wanted in zip(
            found if isinstance(found, tuple) else (found,), parts, strict=True
        ):
            assert np.shape(part) == (COUNT, *np.shape(wanted))
            close = 1e-5 if any(single) else 1e-12
            np.testing.assert_allclose(part[k], wanted, rtol=close, atol=1e-15)
    return many


@pytest.mark.parametrize("function, args, wrt", CASES)
def test_many_are_as_one_after_the_other(function: Any, args: Any, wrt: Any) -> None:
    check(function, args, wrt)


def test_the_arguments_of_a_call_are_as_good_as_examples() -> None:
    for function, args, wrt in CASES[:3]:
        check(function, args, wrt, like=False)


def test_one_direction_agrees_with_differences() -> None:
    found = s2sad.directional(smooth)(U, 0.1, U[::-1][None])
    h = 1e-6
    right, left = (smooth(U + s * h * U[::-1], 0.1) for s in (1.0, -1.0))
    np.testing.assert_allclose(found[0], (right - left) / (2.0 * h), rtol=1e-8)


def test_the_hessian_in_one_sweep() -> None:
    def energy(u):
        return np.sum((u[1:] - u[:-1] ** 2) ** 2)

    rows_ = s2sad.directional(s2sad.grad(energy))(U, np.eye(U.size))
    np.testing.assert_allclose(rows_, s2sad.hessian(energy)(U), rtol=1e-12)


@pytest.mark.parametrize("number", range(4))
def test_random_programs(number: int, tmp_path: Path) -> None:
    case = generate.program(31, number)
    with loaded(case, tmp_path) as function:
        if any(isinstance(case.args[i], list | tuple | dict) for i in case.wrt):
            return
        try:
            check(function, case.args, case.wrt)
        except (s2sad.Unsupported, s2sad.AliasError):
            return


# ---------------------------------------------------------------------------- texts


def test_the_text_has_an_axis_and_no_loop(tmp_path: Path) -> None:
    made = s2sad.directional(decay, like=(U, T))
    assert "m_dot[:, 0, None] * result_exp" in made.source and " for " not in body(made.source)
    names = runpy.run_path(str(made.save(tmp_path / "decay_directional.py")))
    found = names["decay_directional"](U, T, np.eye(4))
    np.testing.assert_allclose(found.T, s2sad.jacobian(decay, mode="reverse")(U, T), rtol=1e-12)


def body(source: str) -> str:
    """Return the statements of a text behind its checks."""
    return source.rpartition("raise ")[2].partition("\n")[2]


def test_a_jacobian_takes_all_unit_vectors_in_one_sweep() -> None:
    source = s2sad.jacobian(decay, mode="forward", like=(U, T)).source
    assert "columns = decay_tangent(m, t, np.eye(m.size))" in source
    assert " for " not in body(source.partition("def decay_jacobian")[0])


@pytest.mark.parametrize(("function", "args", "wrt", "stays"), [(smooth, (U, 0.1), 1, "ones(1)")])
def test_a_jacobian_for_a_number(function: Any, args: Any, wrt: int, stays: str) -> None:
    made = s2sad.jacobian(function, wrt, mode="forward", like=args)
    assert stays in made.source
    np.testing.assert_allclose(
        made(*args), s2sad.jacobian(function, wrt, mode="reverse")(*args), rtol=1e-12
    )


def test_a_jacobian_of_a_convolution() -> None:
    def smoothed(u):
        return np.convolve(u, B) * u[0]

    made = s2sad.jacobian(smoothed, mode="forward", like=(U,))
    np.testing.assert_allclose(made(U), s2sad.jacobian(smoothed, mode="reverse")(U), rtol=1e-12)


def test_a_sparse_matrix_takes_all_colours_in_one_sweep() -> None:
    def residual(u):
        r = 2.0 * u - u**3
        r[1:] -= u[:-1]
        r[:-1] -= u[1:] ** 2
        return r

    made = s2sad.sparse_jacobian(residual)
    made(U)
    calls = []
    many = made.many
    assert many is not None
    made.many = Counting(many, calls)  # type: ignore[assignment]
    x = U * 1.1
    np.testing.assert_allclose(made(x).toarray(), s2sad.jacobian(residual)(x), rtol=1e-12)
    assert calls == [3]


class Counting:
    """A derivative that notes how many directions each of its calls takes."""

    def __init__(self, many: Any, calls: list[int]):
        self.many, self.calls, self.extra = many, calls, many.extra

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        self.calls.append(len(keywords[next(iter(self.extra))]))
        return self.many(*args, **keywords)


# ---------------------------------------------------------------------------- refusals


def no_form(u):
    v = u * 2.0
    return np.convolve(v, B)


def test_convolutions_along_many_directions_are_those_along_one_at_a_time() -> None:
    along_all = s2sad.directional(no_form, like=(U,))(U, np.eye(4))
    one_by_one = [s2sad.jvp(no_form, like=(U,))(U, e)[1] for e in np.eye(4)]
    np.testing.assert_allclose(along_all, one_by_one, rtol=1e-12)


def test_the_text_for_any_arguments_is_refused() -> None:
    with pytest.raises(s2sad.Unsupported, match=r"how many axes an argument has"):
        _ = s2sad.directional(decay).source


def in_a_dict(p):
    return p["a"] * p["a"]


@pytest.mark.parametrize(
    ("function", "args", "wrt", "given", "told"),
    [
        (decay, (U, T), 0, (np.ones(4),), r"m_dot holds no directions of m: it has shape \(4,\)"),
        (decay, (U, T), 0, (np.ones((2, 3)),), r"each direction in m_dot has shape \(3,\)"),
        (decay, (U, T), 0, (np.ones((2, 4), dtype=int),), r"m_dot is an array of int64"),
        (
            decay,
            (U, T),
            (0, 1),
            (np.ones((2, 4)), np.ones((3, 3))),
            r"m_dot holds 2, t_dot holds 3",
        ),
        (numbers, (0.7, 1.3), 0, (1.0,), r"x_dot holds no directions of x"),
        (
            in_a_dict,
            ({"a": U},),
            0,
            ({"a": U[None]},),
            r"not for what holds them|no directions of p",
        ),
    ],
)
def test_directions_that_do_not_fit_are_refused(
    function: Any, args: Any, wrt: Any, given: Any, told: str
) -> None:
    with pytest.raises(s2sad.S2sadError, match=told):
        s2sad.directional(function, wrt)(*args, *given)


def test_no_directions_at_all() -> None:
    found = s2sad.directional(decay)(U, T, np.zeros((0, 4)))
    assert found.shape == (0, 3)
