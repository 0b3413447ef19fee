"""The oracles themselves, against derivatives known by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import oracles

U = np.array([0.3, -0.8, 1.1])
NESTED = (0.5, [U, (np.float64(2.0), U[None, :])], 3, {"a": U, "b": "text"})


def test_pack_and_unpack_are_inverse() -> None:
    flat = oracles.pack(NESTED)
    assert flat.size == 1 + 3 + 1 + 3 + 3
    assert not oracles.changed(NESTED, oracles.unpack(flat, NESTED))
    assert oracles.changed(NESTED, oracles.unpack(flat + 1.0, NESTED))


def test_unpack_copies() -> None:
    again = oracles.unpack(oracles.pack(NESTED), NESTED)
    assert not oracles.shares_memory(again, NESTED)
    assert oracles.shares_memory([U[1:]], NESTED)


@pytest.mark.parametrize(
    "adjoint,like",
    [
        (0.0, U),
        (np.zeros(2), U),
        (np.zeros((1, 3)), U),
        (np.zeros(1), 0.5),
        ([U], [U, U]),
        (U, [U]),
    ],
)
def test_flatten_refuses_another_shape(adjoint: Any, like: Any) -> None:
    with pytest.raises(oracles.Mismatch):
        oracles.flatten(adjoint, like)


def test_flatten_takes_mirrored_structures() -> None:
    got = oracles.flatten([(U, 1.0), [2.0 * U]], [(U, 0.5), [U]])
    np.testing.assert_array_equal(got, [*U, 1.0, *(2.0 * U)])


def test_differences_are_accurate() -> None:
    found = oracles.differences(lambda u, c: np.sum(np.sin(u) * c**3), (U, 0.7), (0, 1))
    by_hand = [*(np.cos(U) * 0.7**3), np.sum(np.sin(U)) * 3 * 0.49]
    np.testing.assert_allclose(found.value, by_hand, rtol=1e-9)
    assert np.all(np.abs(found.value - by_hand) <= found.error + 1e-13)


def test_differences_take_a_seed_and_nested_arguments() -> None:
    params = [(U, 2.0), (U * 2.0, 3.0)]

    def f(params: Any) -> Any:
        return params[0][0] * params[0][1] + params[1][0] ** 2 * params[1][1]

    seed = np.array([1.0, -2.0, 0.5])
    found = oracles.differences(f, (params,), (0,), seed)
    by_hand = [*(2.0 * seed), seed @ U, *(seed * 4.0 * U * 3.0), seed @ (4.0 * U**2)]
    np.testing.assert_allclose(found.value, by_hand, rtol=1e-8)


def test_a_primal_that_writes_to_its_argument_is_no_trouble() -> None:
    def f(u: Any) -> Any:
        u *= u
        return np.sum(u)

    before = U.copy()
    np.testing.assert_allclose(oracles.differences(f, (U,), (0,)).value, 2.0 * U, rtol=1e-9)
    np.testing.assert_array_equal(U, before)


@pytest.mark.parametrize(
    "f,at",
    [
        (abs, 0.0),
        (lambda x: max(x, 0.2) + x, 0.2),
        (lambda x: 1.0 if x > 0.3 else 0.0, 0.3),
        (lambda x: np.floor(x * 1e4), 0.3),
        (lambda x: np.sqrt(x), 0.0),
    ],
    ids=["kink", "corner", "jump", "stairs", "edge"],
)
def test_what_differences_cannot_judge_is_said(f: Any, at: float) -> None:
    with np.errstate(invalid="ignore"):
        assert not oracles.differences(f, (at,), (0,)).scorable.any()


def test_a_kink_close_by_is_stepped_around() -> None:
    found = oracles.differences(lambda x: abs(x) * x, (2e-3,), (0,))
    np.testing.assert_allclose(found.value, [4e-3], rtol=1e-6)


@pytest.mark.parametrize("bend", [1e-3, 1e-2, 1e-1])
@pytest.mark.parametrize("away", np.geomspace(2e-5, 6e-4, 20))
def test_a_kink_between_two_steps_is_not_held_against_the_slope(bend: float, away: float) -> None:
    def f(x: float) -> float:
        return np.sin(x) + bend * max(x - (0.3 + away), 0.0)

    known = oracles.differences(f, (0.3,), (0,))
    assert oracles.compare(np.array([np.cos(0.3)]), known) is None


@pytest.mark.parametrize("off", [1e-5, -1e-4, np.nan, np.inf])
def test_compare_sees_small_errors(off: float) -> None:
    known = oracles.differences(lambda u: np.sum(u * u), (U,), (0,))
    assert oracles.compare(2.0 * U, known) is None
    assert oracles.compare(2.0 * U + [0.0, off, 0.0], known) is not None
    assert oracles.compare(np.zeros(2), known) is not None


def test_dot_product_gap() -> None:
    assert oracles.dot_product_gap(2.0, 3.0, np.array([1.0, 2.0]), np.array([2.0, 2.0])) == 0.0
    assert oracles.dot_product_gap(2.0, 3.1, np.array([1.0, 2.0]), np.array([2.0, 2.0])) > 1e-3


def test_changed_tells_types_shapes_and_nan_apart() -> None:
    assert not oracles.changed(np.array([np.nan, 1.0]), np.array([np.nan, 1.0]))
    assert oracles.changed(U, U.astype(np.float32))
    assert oracles.changed([U], (U,))
    assert oracles.changed([U], [U, U])
    assert oracles.changed(1, 1.0)
    assert oracles.changed({"a": 1.0}, {"a": 2.0})


def test_emitted_text_must_stand_alone() -> None:
    text = (
        "import numpy as np\n\n\ndef g(x):\n    return np.sin(x)\n\n\ndef f(x):\n    return g(x)\n"
    )
    assert oracles.standalone(text)(0.5) == np.sin(0.5)
    assert oracles.standalone(text, "g")(0.5) == np.sin(0.5)
    for line in ("import s2sad", "from s2sad.errors import S2sadError", "from . import x"):
        with pytest.raises(AssertionError):
            oracles.standalone(f"{line}\n{text}")
    with pytest.raises(NameError):
        oracles.standalone("def f(x):\n    return np.sin(x)\n")(0.5)


def test_the_largest_number_on_the_way() -> None:
    def f(x: float, u: np.ndarray) -> float:
        for _ in range(4):
            u = u * 10.0
        x = float(np.sin(np.sum(u)))
        return x

    assert oracles.largest(f, (0.3, np.array([2.0, -3.0]))) == 3e4
    assert oracles.largest(f, (0.3, np.zeros(0))) == 0.3


def test_a_result_that_rounding_decides_is_told() -> None:
    def logistic(u: np.ndarray) -> float:
        for _ in range(100):
            u = 3.9 * u * (1.0 - u)
        return float(np.sum(u))

    def calm(u: np.ndarray) -> float:
        return float(np.sum(np.sin(u) ** 2))

    args = (np.array([0.9, 0.4]),)
    assert oracles.rounding(logistic, args) > oracles.ROUNDED
    assert oracles.rounding(calm, args) < 1e-15


def test_what_reads_memory_that_is_never_filled_is_not_determined() -> None:
    def partly(x: np.ndarray) -> float:
        held = np.empty_like(x)
        held[:2] = x[:2]
        return float(np.sum(held))

    def indices(x: np.ndarray) -> float:
        order = np.empty(2, dtype=int)
        order[:] = 1, 0
        return float(np.sum(x[order]))

    assert oracles.is_determined(partly, (np.ones(2),))
    assert not oracles.is_determined(partly, (np.ones(3),))
    assert oracles.is_determined(indices, (np.ones(3),))
