"""Jacobians, Hessians, their products with directions, Laplacians: shapes, values, texts."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad
from tests import oracles

M = np.array([0.3, -0.4, 0.9])
D = np.array([[0.2, 0.7, -0.1], [0.5, -0.3, 0.8]])


def misfit(m, d):
    r = d @ m
    return np.sum(np.tanh(r) * r) * (1.0 + m[0])


def residual(m, d, k=0.5):
    return np.sin(d @ m) * k + m[1] * m[1:]


def table(m, d):
    return np.outer(m * m, d[0])


def number(x, y):
    return x * x * y


def powers(x, n=3):
    return np.array([x, x * x, x**3])


def pair(m, d):
    return d * m, np.sum(m**3)


def energy(m):
    total = 0.0
    for i in range(len(m) - 1):
        total += (m[i + 1] - m[i] ** 2) ** 2
    return total


def differences(function: Callable[..., Any], args: tuple[Any, ...], at: int) -> np.ndarray:
    """Return the Jacobian by central differences, of shape result.shape + argument.shape."""
    flat = oracles.pack(args[at])

    def moved(k: int, h: float) -> np.ndarray:
        step = flat.copy()
        step[k] += h
        return np.asarray(function(*args[:at], oracles.unpack(step, args[at]), *args[at + 1 :]))

    columns = [(moved(k, 1e-5) - moved(k, -1e-5)) / 2e-5 for k in range(flat.size)]
    stacked = np.stack(columns, axis=-1)
    return stacked.reshape(columns[0].shape + np.shape(args[at]))


def close(found: Any, expected: np.ndarray) -> None:
    assert np.shape(found) == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


# ---------------------------------------------------------------------------- Jacobians

JACOBIANS = [
    (residual, (M, D), 0),
    (residual, (M, D), 1),
    (residual, (M, D, 0.5), 2),
    (table, (M, D), 0),
    (table, (M, D), 1),
    (number, (0.7, 1.3), 0),
    (powers, (0.7,), 0),
    (misfit, (M, D), 1),
]


@pytest.mark.parametrize("mode", ["forward", "reverse", None])
@pytest.mark.parametrize("like", [True, False], ids=["like", "any"])
@pytest.mark.parametrize("function, args, at", JACOBIANS)
def test_jacobians(function: Any, args: Any, at: int, like: bool, mode: str | None) -> None:
    made = s2sad.jacobian(function, at, mode=mode, like=args if like else None)
    close(made(*args), differences(function, args, at))


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_tuples_of_arguments_and_of_results(mode: str) -> None:
    found = s2sad.jacobian(pair, ("m", "d"), mode=mode)(M, D)
    for i, of_result in enumerate(found):
        for at, block in enumerate(of_result):
            close(block, differences(lambda *a, i=i: pair(*a)[i], (M, D), at))


def test_a_tuple_of_one_argument_gives_a_tuple() -> None:
    (block,) = s2sad.jacobian(table, ("m",))(M, D)
    close(block, differences(table, (M, D), 0))


def test_the_mode_is_that_of_fewer_sweeps() -> None:
    wide = s2sad.jacobian(residual, "d", like=(M, D)).source
    tall = s2sad.jacobian(powers, like=(0.7,)).source
    assert "residual_vjp(" in wide and "powers_tangent(" in tall


def test_shapes_decide_at_each_call() -> None:
    def padded(x):
        return np.concatenate((x, x * x)) if x.shape[0] < 3 else x[:1] ** 2

    made = s2sad.jacobian(padded)
    for x in (M[:2], M):
        close(made(x), differences(padded, (x,), 0))


def test_single_precision_stays() -> None:
    m, d = M.astype(np.float32), D.astype(np.float32)
    for mode in ("forward", "reverse"):
        assert s2sad.jacobian(table, mode=mode)(m, d).dtype == np.float32


def writes(x, k):
    x[0] = k * x[1]
    return x * x


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_arguments_are_not_changed(mode: str) -> None:
    x = M.copy()
    found = s2sad.jacobian(writes, mode=mode)(x, 3.0)
    np.testing.assert_array_equal(x, M)
    np.testing.assert_allclose(found, [[0, 18 * M[1], 0], [0, 2 * M[1], 0], [0, 0, 2 * M[2]]])


def test_a_saved_jacobian_runs_alone(tmp_path: Path) -> None:
    for mode in ("forward", "reverse"):
        made = s2sad.jacobian(residual, "m", mode=mode, like=(M, D))
        path = made.save(tmp_path / f"{mode}.py")
        assert "s2sad" not in [
            line.split()[1] for line in path.read_text().splitlines() if "import" in line
        ]
        close(
            runpy.run_path(str(path))["residual_jacobian"](M, D), differences(residual, (M, D), 0)
        )


def test_jacobians_have_derivatives() -> None:
    third = s2sad.jacobian(s2sad.jacobian(table, like=(M, D)), like=(M, D), mode="forward")
    close(third(M, D), differences(s2sad.jacobian(table), (M, D), 0))


# ---------------------------------------------------------------------------- second order


@pytest.mark.parametrize("like", [True, False], ids=["like", "any"])
@pytest.mark.parametrize("function, args", [(misfit, (M, D)), (energy, (M,)), (number, (0.7, 1.3))])
def test_hessians(function: Any, args: Any, like: bool) -> None:
    made = s2sad.hessian(function, like=args if like else None)
    found = made(*args)
    close(found, differences(s2sad.grad(function), args, 0))
    np.testing.assert_allclose(found, np.transpose(found), rtol=1e-12)
    trace = s2sad.laplacian(function, like=args if like else None)(*args)
    assert trace == pytest.approx(np.trace(np.reshape(found, (np.size(args[0]),) * 2)), rel=1e-12)


def test_blocks_of_a_hessian() -> None:
    found = s2sad.hessian(misfit, ("m", "d"))(M, D)
    for i in range(2):
        for j in range(2):
            close(found[i][j], differences(s2sad.grad(misfit, i), (M, D), j))
    whole = s2sad.laplacian(misfit, ("m", "d"))(M, D)
    assert whole == pytest.approx(np.trace(found[0][0]) + np.einsum("ijij", found[1][1]), rel=1e-12)


@pytest.mark.parametrize("like", [True, False], ids=["like", "any"])
def test_products_with_the_hessian(like: bool) -> None:
    given = (M, D) if like else None
    m_dot, d_dot = np.linspace(1.0, 2.0, 3), np.linspace(-1.0, 1.0, 6).reshape(2, 3)
    blocks = s2sad.hessian(misfit, ("m", "d"))(M, D)
    np.testing.assert_allclose(s2sad.hvp(misfit, like=given)(M, D, m_dot), blocks[0][0] @ m_dot)
    found = s2sad.hvp(misfit, ("m", "d"), like=given)(M, D, m_dot, d_dot)
    for of_argument, row in zip(found, blocks, strict=True):
        expected = row[0] @ m_dot + np.tensordot(row[1], d_dot, 2)
        np.testing.assert_allclose(of_argument, expected, rtol=1e-10)


def test_a_product_with_the_hessian_is_at_most_three_times_the_gradient() -> None:
    def loss(W, b, V, x, t):
        r = np.tanh(x @ W + b) @ V - t
        return 0.5 * np.sum(r * r)

    rng = np.random.default_rng(0)
    args = tuple(rng.standard_normal(s) for s in ((3, 4), (4,), (4, 2), (5, 3), (5, 2)))
    wrt = ("W", "b", "V")
    first, second = s2sad.grad(loss, wrt, like=args), s2sad.hvp(loss, wrt, like=args)
    assert code_lines(second.source) <= 3 * code_lines(first.source)


def code_lines(source: str) -> int:
    body = source.split('"""')[2]
    lines = [line.split("#")[0].strip() for line in body.splitlines()]
    return sum(bool(line) for line in lines if not line.startswith(("if ", "raise ")))


def test_the_header_names_the_function_itself() -> None:
    text = s2sad.hvp(misfit, like=(M, D)).source
    assert "Hessian of misfit(m, d) with respect to m, times m_dot." in text
    line = " ".join(text.split())
    assert "in reverse, then in forward mode by s2sad from test_jacobians_and_hessians.py:" in line
    assert "<s2sad" not in text


# ---------------------------------------------------------------------------- elementwise


def test_elementwise() -> None:
    def bent(x, k):
        return np.where(x > 0.0, k * x**2, np.sin(x))

    for x in (M, D, 0.4):
        expected = np.where(np.asarray(x) > 0.0, 6.0 * np.asarray(x), np.cos(x))
        np.testing.assert_allclose(s2sad.elementwise_grad(bent)(x, 3.0), expected, rtol=1e-12)
    second = s2sad.elementwise_grad(s2sad.elementwise_grad(bent))(D, 3.0)
    np.testing.assert_allclose(second, np.where(D > 0.0, 6.0, -np.sin(D)), rtol=1e-12)


# ---------------------------------------------------------------------------- options


def test_argnums_is_wrt() -> None:
    assert s2sad.grad(misfit, argnums=(0, 1)).source == s2sad.grad(misfit, ("m", "d")).source
    with pytest.raises(s2sad.ArgumentError, match="two names for one thing"):
        s2sad.jacobian(residual, "m", argnums=0)


def test_an_auxiliary_result_comes_back() -> None:
    def fitted(m, d):
        r = d @ m
        return np.sum(r * r), {"residual": r}

    gradient, aux = s2sad.grad(fitted, has_aux=True)(M, D)
    np.testing.assert_allclose(gradient, 2.0 * D.T @ (D @ M), rtol=1e-12)
    np.testing.assert_array_equal(aux["residual"], D @ M)
    (value, aux), again = s2sad.value_and_grad(fitted, has_aux=True, like=(M, D))(M, D)
    assert value == np.sum((D @ M) ** 2) and set(aux) == {"residual"}
    np.testing.assert_array_equal(again, gradient)


def written_in_place(x, y):
    x = x.copy()
    x[...] = x**2
    x *= y
    return x**2 * y


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_arrays_without_axes_that_are_written_to_have_a_hessian(dtype: Any) -> None:
    x, y = np.array(0.7, dtype), np.array(0.3, dtype)
    a, b = float(x), float(y)
    blocks = [[12.0 * a**2 * b**3, 12.0 * a**3 * b**2], [12.0 * a**3 * b**2, 6.0 * a**4 * b]]
    found = s2sad.hessian(written_in_place, ("x", "y"))(x, y)
    assert np.allclose(found, blocks, rtol=1e-6)
    assert {np.asarray(part).dtype for row in found for part in row} == {np.dtype(dtype)}
    assert np.isclose(s2sad.laplacian(written_in_place)(x, y), blocks[0][0], rtol=1e-6)
    for mode in ("forward", "reverse"):
        slope = s2sad.jacobian(written_in_place, mode=mode)(x, y)
        assert np.isclose(slope, 4.0 * a**3 * b**3, rtol=1e-6)


def test_the_value_is_not_computed_for_an_auxiliary_result() -> None:
    def fitted(m):
        return np.sum(np.exp(m[1:] * 2.0) ** 2), m.shape[0]

    source = s2sad.grad(fitted, has_aux=True, like=(M,)).source
    assert not any("np.sum" in line.split("#")[0] for line in source.splitlines())


# ---------------------------------------------------------------------------- refused


def as_dict(m):
    return {"a": m}


def as_list(m):
    return [m, m]


REFUSED = [
    (s2sad.jacobian, as_dict, (M,), "returns a dict, which is not one matrix"),
    (s2sad.jacobian, as_list, (M,), "returns a list, which is not one matrix"),
    (s2sad.jacobian, lambda p: p[0] * 2.0, ([M],), "p is a list, and one axis"),
    (s2sad.hessian, residual, (M, D), "grad takes a real scalar"),
    (s2sad.elementwise_grad, table, (M, D), "one number for each"),
    (s2sad.jacobian, lambda x: x * 2.0, (np.zeros(0),), "without elements|no elements"),
    (s2sad.jacobian, lambda x: x * 2j, (M,), "complex"),
]


@pytest.mark.parametrize("make, function, args, message", REFUSED)
def test_refused(make: Any, function: Any, args: Any, message: str) -> None:
    with pytest.raises(s2sad.ArgumentError, match=message):
        make(function)(*args)
    with pytest.raises(s2sad.ArgumentError, match=message):
        make(function, like=args)


def scalar_or_not(m, k):
    return np.sum(m * m) if k > 0.0 else m * m


@pytest.mark.parametrize("make", [s2sad.hessian, s2sad.laplacian])
def test_what_is_no_scalar_is_refused_where_only_a_run_tells(make: Any) -> None:
    np.testing.assert_allclose(make(scalar_or_not)(M, 1.0), make(lambda m: np.sum(m * m))(M))
    with pytest.raises(s2sad.ArgumentError, match="grad takes a real scalar"):
        make(scalar_or_not)(M, -1.0)
    with pytest.raises(s2sad.ArgumentError, match="grad takes a real scalar"):
        s2sad.hvp(scalar_or_not)(M, -1.0, M)
    with pytest.raises(s2sad.ArgumentError, match="grad takes a real scalar"):
        s2sad.grad(scalar_or_not)(M, -1.0)


def test_a_refused_result_is_shown() -> None:
    with pytest.raises(s2sad.ArgumentError, match=r'return \{"a": m\}'):
        s2sad.jacobian(as_dict, like=(M,))


def test_other_mistakes() -> None:
    with pytest.raises(s2sad.ArgumentError, match="mode is 'forward' or 'reverse'"):
        s2sad.jacobian(residual, mode="both")
    with pytest.raises(s2sad.ArgumentError, match="does not return \\(value, aux\\)"):
        s2sad.grad(residual, has_aux=True).source  # noqa: B018
    with pytest.raises(s2sad.ArgumentError, match="one argument at a time"):
        s2sad.elementwise_grad(table, ("m", "d"))
