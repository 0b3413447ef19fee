"""Solvers that are given more than one function: a slope or a Jacobian beside what is solved."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import dblquad, odeint, quad, solve_ivp
from scipy.optimize import brentq, fsolve, least_squares, minimize, newton, root
from test_scipy_use import agrees_with_differences

import s2sad

K = np.array([2.0, 0.5])


def slope(x: Any) -> Any:
    return 3.0 * x**2 + 2.0


def named_lambda(k: Any) -> Any:
    c, d = k
    g = lambda x: x**3 + c * x - d  # noqa: E731
    return brentq(g, -2.0, 2.0) + g(0.3)


def two_lambdas(k: Any) -> Any:
    return newton(lambda x: x**3 + k[0] * x - k[1], 0.5, fprime=lambda x: 3.0 * x**2 + k[0])


def slope_reads_nothing(k: Any) -> Any:
    def g(x: Any) -> Any:
        return x**3 + k[0] * x - k[1]

    def h(x: Any) -> Any:
        return 3.0 * x**2 + 2.0

    return newton(g, 0.5, fprime=h)


def slope_has_a_parameter_of_that_name(k: Any) -> Any:
    c, d = k

    def g(x: Any) -> Any:
        return x**3 + c * x - d

    def h(c: Any) -> Any:
        d = 3.0 * c**2
        return d + 2.0

    return newton(g, 0.5, fprime=h) + g(0.1)


def slope_of_the_module(k: Any) -> Any:
    c, d = k

    def g(x: Any) -> Any:
        return x**3 + c * x - d

    return newton(g, 0.5, fprime=slope)


def one_function_in_two_calls(k: Any) -> Any:
    c, d = k

    def g(x: Any) -> Any:
        return x**3 + c * x - d

    return newton(g, 0.5, fprime=lambda x: 3.0 * x * x + c) * brentq(g, -2.0, 2.0)


def lambda_sees_a_dict(k: Any) -> Any:
    p = {"pull": k[0] * 2.0, "load": k[1]}
    g = lambda x: x**3 + p["pull"] * x - p["load"]  # noqa: E731
    return brentq(g, -3.0, 3.0) + brentq(lambda x: x * p["pull"] - p["load"], -3.0, 3.0)


def minimum_with_its_gradient(k: Any) -> Any:
    def energy(x: Any) -> Any:
        return (x[0] - k[0]) ** 2 + k[1] * (x[1] - x[0]) ** 2

    def force(x: Any) -> Any:
        stretch = 2.0 * k[1] * (x[1] - x[0])
        return np.array([2.0 * (x[0] - k[0]) - stretch, stretch])

    found = minimize(energy, np.zeros(2), jac=force, method="BFGS", options={"gtol": 1e-12})
    return found.x @ np.array([1.0, 2.0])


def root_with_its_jacobian(k: Any) -> Any:
    def residual(x: Any) -> Any:
        return np.array([x[0] ** 2 - k[0], x[0] * x[1] - k[1]])

    def jacobian(x: Any) -> Any:
        return np.array([[2.0 * x[0], 0.0], [x[1], x[0]]])

    return np.sum(root(residual, np.ones(2), jac=jacobian, tol=1e-12).x ** 2)


def flow_with_its_jacobian(k: Any) -> Any:
    def rhs(t: Any, z: Any) -> Any:
        return np.array([k[0] * z[0] - k[1] * z[0] * z[1], 0.3 * z[0] * z[1] - z[1]])

    def jacobian(t: Any, z: Any) -> Any:
        return np.array([[k[0] - k[1] * z[1], -k[1] * z[0]], [0.3 * z[1], 0.3 * z[0] - 1.0]])

    start = np.array([1.0, 0.8])
    path = solve_ivp(
        rhs, (0.0, 0.5), start, method="Radau", jac=jacobian, rtol=1e-9, atol=1e-9, first_step=0.01
    )
    return np.sum(path.y[:, -1])


def pulled(t: Any, z: Any, a: Any, b: Any) -> Any:
    return -a * z + b * t


def flow_is_given_a_tuple_of_an_array(k: Any) -> Any:
    return solve_ivp(pulled, (0.0, 1.0), [1.0], args=tuple(k), rtol=1e-12, atol=1e-13).y[0, -1]


def flow_is_given_a_list(k: Any) -> Any:
    given = [k[1], k[0]]
    return solve_ivp(pulled, (0.0, 1.0), [1.0], args=given, rtol=1e-12, atol=1e-13).y[0, -1]


def integral_is_given_a_tuple_of_a_part(k: Any) -> Any:
    return quad(lambda t, a, b: np.exp(-a * t) * b, 0.0, k[0], args=tuple(k[:2]))[0]


def equations_give_a_tuple(k: Any) -> Any:
    def residual(z: Any, b: Any, d: Any) -> Any:
        x, y = z
        return x + b * y**2 - d[0], y - 0.3 * x**2 - d[1]

    return np.prod(fsolve(residual, (0.0, 0.0), args=(k[1], k), xtol=1e-13))


def minimum_with_several_options(k: Any) -> Any:
    options = {"gtol": 1e-12, "maxiter": 500}
    found = minimize(stiff, np.zeros(2), args=(k,), jac=stiff_force, options=options)
    return found.x @ np.array([1.0, 2.0])


def stiff(x: Any, k: Any) -> Any:
    return (x[0] - k[0]) ** 2 + k[1] * (x[1] - x[0]) ** 2


def stiff_force(x: Any, k: Any) -> Any:
    stretch = 2.0 * k[1] * (x[1] - x[0])
    return np.array([2.0 * (x[0] - k[0]) - stretch, stretch])


def states_at_any_time(k: Any) -> Any:
    start, c = np.array([1.0, k[1]]), k[0]
    found = solve_ivp(
        lambda t, y: -c * y * np.cos(t),
        (0, 2),
        start,
        "DOP853",
        dense_output=True,
        rtol=1e-12,
        atol=1e-12,
    )
    start[0], c = 5.0, 3.0 * c
    y = found.sol([1.5, 0.3, 0.3])
    return y[0] @ np.arange(3.0) + np.sum(found.sol(1.0) ** 2) * c + found.y[0, -1]


def arrays_written_before_the_result_is_read(k: Any) -> Any:
    c, start = k.copy(), k.copy()
    flow = solve_ivp(lambda t, y: -c * y, (0, 1), start, t_eval=[0.4, 1.0], rtol=1e-11, atol=1e-12)
    zero = root(lambda x: x**3 + c * x - 1.0, [0.5, 0.5], tol=1e-13)
    c[0], start[1] = 7.0, 5.0
    return np.sum(flow.y**2) * start[0] + zero.x @ c


def value_read_once_its_arrays_are_written(k: Any) -> Any:
    c, d = k.copy(), 2.0 * k[1]
    low = minimize(lambda x, a: np.sum((x - a) ** 4 + d * x**2), c, args=(c,), tol=1e-14)
    fit = least_squares(lambda x: np.append(x - c, np.sin(d * x)), c, xtol=1e-15, gtol=1e-15)
    c *= 2.0
    d = 3.0 * d
    return low.fun * c[1] + fit.cost * d


class Oscillator:
    """A model that keeps what it finds, beside functions of its own."""

    def __init__(self, k: Any) -> None:
        self.k, self.forces = k[0], {"push": np.cos, "pull": lambda t: k[1] * t}

    def rate(self, t: Any, y: Any) -> Any:
        return -self.k * y * self.forces["push"](t) + self.forces["pull"](t)

    def balance(self, x: Any) -> Any:
        return x**3 + self.k * x - self.reached

    def run(self, start: Any) -> Any:
        self.last = solve_ivp(self.rate, (0, 1), [start], rtol=1e-11, atol=1e-12)
        self.k, self.reached = 2.0 * self.k, self.last.y[0, -1]
        self.root = brentq(self.balance, -3.0, 3.0, xtol=1e-14)
        return self


def what_is_found_is_kept(k: Any) -> Any:
    model = Oscillator(k).run(k[1])
    return model.run(model.root).root * model.last.y[0, -1]


@pytest.mark.parametrize(
    "function",
    [
        named_lambda,
        two_lambdas,
        slope_reads_nothing,
        slope_has_a_parameter_of_that_name,
        slope_of_the_module,
        one_function_in_two_calls,
        minimum_with_its_gradient,
        root_with_its_jacobian,
        flow_with_its_jacobian,
        lambda_sees_a_dict,
        flow_is_given_a_tuple_of_an_array,
        flow_is_given_a_list,
        integral_is_given_a_tuple_of_a_part,
        equations_give_a_tuple,
        minimum_with_several_options,
    ],
)
def test_solver_given_more_functions(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, K)


# ---------------------------------------------------------------------------- parameters held together

TIMES = np.linspace(0.0, 1.0, 4)
Rates = namedtuple("Rates", "pull load")


class Pendulum:
    """A model whose method is what a solver is given."""

    def __init__(self, pull: Any, load: Any):
        self.pull, self.load = pull, load

    def slope(self, t: float, y: Any) -> Any:
        return np.array([y[1], -self.pull * np.sin(y[0]) + self.load])

    def angles(self, start: Any) -> Any:
        return solve_ivp(self.slope, (0.0, 1.0), start, t_eval=TIMES, rtol=1e-11, atol=1e-12).y[0]


def network(y: Any, t: float, layers: Any) -> Any:
    for W, b in layers:
        out = y @ W + b
        y = np.tanh(out)
    return out


def infected(p: Any) -> Any:
    def slope(t: float, y: Any) -> Any:
        new = p["beta"] * y[0] * y[1]
        return [-new, new - p["rest"]["gamma"] * y[1]]

    return np.sum(solve_ivp(slope, (0.0, 2.0), [0.9, 0.1], t_eval=TIMES, rtol=1e-11, atol=1e-12).y)


def fitted_network(layers: Any) -> Any:
    path = odeint(network, np.array([1.0, -0.5]), TIMES, args=(layers,), rtol=1e-11, atol=1e-12)
    return np.sum(path**2)


def seen_network(layers: Any) -> Any:
    start = np.array([1.0, -0.5])
    path = odeint(lambda y, t: network(y, t, layers), start, TIMES, rtol=1e-11, atol=1e-12)
    return np.sum(path**2)


def of_a_named_tuple(rates: Any) -> Any:
    return brentq(lambda x, r: x**3 + r.pull * x - r[1], -3.0, 3.0, args=(rates,))


def of_an_object_made_inside(k: Any) -> Any:
    return np.sum(Pendulum(k[0], k[1]).angles(np.array([0.4, 0.0])) ** 2)


class Reactor:
    """A model that notes what it was asked, which no slope reads."""

    law = 0.7

    def __init__(self, rate: Any, rest: Any):
        self.rate, self.rest = rate, rest
        self.asked: list[float] = []

    def speed(self, heat: Any) -> Any:
        return self.rate * np.exp(-self.law / heat)

    def slope(self, t: float, y: Any) -> Any:
        lost = self.speed(y[1]) * y[0]
        return [-lost, lost - 0.1 * (y[1] - self.rest)]

    def end(self, start: Any, t: float) -> Any:
        self.asked.append(t)
        return solve_ivp(self.slope, (0.0, t), start, rtol=1e-11, atol=1e-12).y[:, -1]


def of_a_model_with_a_list(k: Any) -> Any:
    return np.sum(Reactor(k[0], k[1]).end(np.array([0.4, 1.5]), 1.0) ** 2)


LAYERS = [
    (np.array([[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]]), np.array([0.1, -0.2, 0.3])),
    (np.array([[0.2, 0.6], [-0.5, 0.1], [0.4, -0.7]]), np.array([0.05, -0.1])),
]


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        (infected, {"beta": 2.0, "rest": {"gamma": 0.5}}),
        (fitted_network, LAYERS),
        (seen_network, LAYERS),
        (of_a_named_tuple, Rates(2.0, 0.5)),
        (of_an_object_made_inside, K),
        (of_a_model_with_a_list, K),
    ],
)
def test_parameters_in_a_container(function: Callable[..., Any], parameters: Any) -> None:
    assert s2sad.check_grad(function, (parameters,))


@pytest.mark.parametrize(
    "function",
    [
        states_at_any_time,
        arrays_written_before_the_result_is_read,
        value_read_once_its_arrays_are_written,
        what_is_found_is_kept,
    ],
)
def test_result_is_read_later(function: Callable[..., Any]) -> None:
    agrees_with_differences(function, K, bound=1e-6, modes=1e-8)


def test_parameters_in_an_object() -> None:
    """The gradient is an object of the same class."""

    def swing(model: Pendulum) -> Any:
        return np.sum(model.angles(np.array([0.4, 0.0])) ** 2)

    found = s2sad.grad(swing)(Pendulum(2.0, 0.5))
    expected = s2sad.grad(of_an_object_made_inside)(np.array([2.0, 0.5]))
    assert np.allclose([found.pull, found.load], expected, rtol=1e-9)


# ---------------------------------------------------------------------------- solvers inside of solvers


def integral_of_roots(a: Any, b: Any) -> Any:
    def at(t: Any) -> Any:
        return brentq(lambda x: x + b * np.tanh(x) - t * a, -9.0, 9.0, xtol=1e-14)

    return quad(lambda t: at(t) ** 2, 0.0, 1.0)[0]


def integral_over_a_region(a: Any, b: Any) -> Any:
    return dblquad(lambda y, x: np.exp(-a * x * y) * b, 0.0, 1.0, lambda x: 0.0, lambda x: x * a)[0]


@pytest.mark.parametrize("function", [integral_of_roots, integral_over_a_region])
def test_each_solver_has_second_derivatives_by_all_that_it_is_given(function: Any) -> None:
    gradient, step = s2sad.grad(function, ("a", "b")), 1e-4
    for k, along in enumerate(np.eye(2)):
        up, down = (np.array(gradient(*(np.array([1.3, 0.7]) + h * along))) for h in (step, -step))
        column = (up - down) / (2.0 * step)
        found = s2sad.hvp(function, ("a", "b"))(1.3, 0.7, *along)
        assert np.allclose(found, column, rtol=1e-6, atol=1e-7)
        alone = s2sad.hvp(function, k)(1.3, 0.7, 1.0)
        assert np.isclose(alone, column[k], rtol=1e-6)
