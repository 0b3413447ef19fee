"""SciPy's special functions where a plain formula fails: tails, edges, and points in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

from s2sad.ir.errors import NoRule
from s2sad.testing.checks import adjoint
from tests.rules.spelled import adjoints, matched

import s2sad  # isort: skip


def call(name: str, *args: str) -> str:
    return f"scipy.special.{name}({', '.join(args)})"


def slope(name: str, x: Any, *before: float) -> Any:
    return adjoints(call(name, *map(repr, before), "x"), x=x)["x"]


# computed to 60 digits with mpmath 1.3
REFERENCES = [
    ("expit", 40.0, 4.248354255291589e-18),
    ("log_expit", -800.0, 1.0),
    ("log_expit", 40.0, 4.248354255291589e-18),
    ("erfcx", 10000.0, -5.641895750849127e-09),
    ("erfcx", -5.0, -1440097986747.7388),
    ("dawsn", 60.0, -0.0001389467994861368),
    ("log_ndtr", -1000.0, 1000.000999998),
    ("log_ndtr", 37.0, 2.1200065515246056e-298),
    ("exprel", 0.0, 0.5),
    ("exprel", 1e-09, 0.5000000003333334),
    ("rgamma", 0.0, 1.0),
    ("rgamma", -3.0, -6.0),
    ("rgamma", -4.0, 24.0),
    ("rgamma", 150.0, -1.31462325005125e-260),
    ("spence", 1.0, -1.0),
    ("spence", 1e-300, -690.7755278982137),
    ("i1", 0.0, 0.5),
    ("j1", 0.0, 0.5),
    ("i1e", 0.0, 0.5),
    ("ellipk", 0.0, 0.39269908169872414),
    ("ellipe", 0.0, -0.39269908169872414),
    ("ellipe", 0.9999999999990905, -7.124618986164145),
    ("gammaln", 1e300, 690.7755278982137),
    ("psi", -1.5, 9.379246644989124),
]


@pytest.mark.parametrize(("name", "x", "expected"), REFERENCES)
def test_slope_against_many_digits(name: str, x: float, expected: float) -> None:
    with np.errstate(all="raise", under="ignore"):
        assert np.isclose(slope(name, np.float64(x)), expected, rtol=2e-12, atol=0.0)
        array = slope(name, np.array([x, 0.25]))
    assert np.isclose(array[0], expected, rtol=2e-12, atol=0.0)


def test_edges_of_the_domain() -> None:
    with np.errstate(all="ignore"):
        assert slope("erfinv", np.array([-1.0, 1.0])).tolist() == [np.inf, np.inf]
        assert slope("ndtri", np.array([0.0, 1.0])).tolist() == [np.inf, np.inf]
        assert slope("ellipe", np.float64(1.0)) == -np.inf
        assert slope("entr", np.float64(0.0)) == np.inf
        assert slope("expi", np.float64(-0.0)) == -np.inf
    assert slope("i0e", np.float64(0.0)) == 0.0


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("x", [-1.0, 1.0])
def test_polynomials_at_the_ends(n: int, x: float) -> None:
    # P_n'(1) = n (n + 1) / 2, T_n'(1) = n**2, and of n's parity at -1
    sign = x ** (n + 1)
    assert np.isclose(slope("eval_legendre", np.float64(x), n), sign * n * (n + 1) / 2)
    assert np.isclose(slope("eval_chebyt", np.float64(x), n), sign * n**2)


@pytest.mark.parametrize("name", ["eval_hermite", "eval_hermitenorm", "expn", "spherical_jn"])
def test_order_zero_that_only_shows_at_run_time(name: str) -> None:
    expr = call(name, "n", "x")
    x, n = np.array([0.4, 1.7]), np.array([0, 2])
    found = adjoints(expr, x=x, n=n)["x"]
    step = 1e-5
    function = getattr(scipy.special, name)
    expected = (function(n, x + step) - function(n, x - step)) / (2.0 * step)
    assert np.allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize("name", ["xlogy", "xlog1py", "rel_entr"])
def test_entropy_of_what_does_not_happen(name: str) -> None:
    x, z = np.array([0.0, 0.0, 2.0]), np.array([0.0, 3.0, 4.0])
    found = adjoints(call(name, "x", "z"), x=x, z=z if name != "xlog1py" else z - 1)
    assert found["z"][:2].tolist() == [0.0, 0.0]
    assert abs(found["z"][2]) == 0.5


def test_pseudo_huber_without_a_residual() -> None:
    found = adjoints(
        call("pseudo_huber", "delta", "r"),
        delta=np.array([0.0, 1.0, 0.0]),
        r=np.array([0.0, 0.0, 2.0]),
    )
    assert found["r"].tolist() == [0.0, 0.0, 0.0]
    assert found["delta"].tolist() == [0.0, 0.0, 2.0]


@pytest.mark.parametrize("x", [0.3, 1.0, 2.5])
def test_box_cox_without_a_power(x: float) -> None:
    expr = call("boxcox", "x", "p")
    found = adjoints(expr, x=np.float64(x), p=np.float64(0.0))
    assert np.isclose(found["x"], 1.0 / x)
    assert np.isclose(found["p"], 0.5 * np.log(x) ** 2)


# ---------------------------------------------------------------------------- sums of exponentials

LSE = call("logsumexp", "x")


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        ([1e4, 1e4], [0.5, 0.5]),
        ([-1e4, -1e4 - 800.0], [1.0, 0.0]),
        ([-np.inf, 3.0], [0.0, 1.0]),
        ([-np.inf, -np.inf], [0.5, 0.5]),
        ([np.inf, 5.0], [1.0, 0.0]),
        ([np.inf, np.inf], [0.5, 0.5]),
        ([-np.inf], [1.0]),
    ],
)
def test_logsumexp_at_extremes(x: list[float], expected: list[float]) -> None:
    with np.errstate(all="raise", under="ignore"):
        found = adjoints(LSE, x=np.array(x))["x"]
    assert found.tolist() == expected


def test_rows_of_minus_infinity() -> None:
    x = np.array([[-np.inf, -np.inf], [0.0, np.log(3.0)]])
    rows = call("logsumexp", "x", "axis=1")
    with np.errstate(all="raise", under="ignore"):
        found = adjoints(rows, x=x)["x"]
    assert np.allclose(found, [[0.5, 0.5], [0.25, 0.75]])


def test_log_softmax_at_extremes() -> None:
    x = np.array([0.0, 1e4, -1e4])
    expr = call("log_softmax", "x")
    match = matched(expr, {"x": x})
    env = {"x": x, "y": scipy.special.log_softmax(x), "y_bar": np.array([1.0, 0.0, 2.0])}
    assert adjoint(match, env, {"x"}, "x").tolist() == [1.0, -3.0, 2.0]


# ---------------------------------------------------------------------------- refused


def order(v: float, x: float) -> float:
    return scipy.special.jv(v, x)


def shape(a: float, x: float) -> float:
    return scipy.special.gammainc(a, x)


def signed(x: Any) -> Any:
    return scipy.special.logsumexp(x, return_sign=True)[0]


def written(x: Any, y: Any) -> Any:
    scipy.special.expit(x, y)
    return np.sum(y)


@pytest.mark.parametrize(("function", "wrt"), [(order, "v"), (shape, "a"), (signed, "x")])
def test_what_no_rule_covers_is_refused(function: Any, wrt: str) -> None:
    with pytest.raises(NoRule, match=r"scipy\.special|no derivative with respect to [va]"):
        s2sad.grad(function, wrt=wrt)(*([0.5, 1.5] if wrt != "x" else [np.ones(3)]))


def test_a_result_may_be_written_into_an_argument() -> None:
    x, y = np.linspace(-1.0, 1.0, 3), np.zeros(3)
    value = scipy.special.expit(x)
    np.testing.assert_allclose(s2sad.grad(written)(x, y), value * (1.0 - value), rtol=1e-14)
    assert not y.any()
