"""SciPy's solvers with functions of the user's: integrals, roots, minima and flows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize
from scipy.integrate import odeint, quad, quad_vec, solve_ivp
from scipy.optimize import brentq, fixed_point, fsolve, minimize, newton, root, root_scalar
from test_scipy_use import agrees_with_differences

import s2sad

K = np.array([0.7, 1.3])
TIMES = np.linspace(0.0, 2.0, 6)

# ---------------------------------------------------------------------------- integrals


def decay(t: Any, rate: Any, scale: Any) -> Any:
    return scale * np.exp(-rate * t**2)


def weighted(t: Any, weights: Any) -> Any:
    return np.sum(weights * np.cos(t * np.arange(2.0)))


def integral_with_args(k: Any) -> Any:
    total = quad(decay, 0.0, k[1], args=(k[0], 2.0))[0]
    y, _ = quad(decay, k[0], 2.0, (1.5, k[1]), epsabs=1e-12)
    return total * y


def integral_of_closure(k: Any) -> Any:
    rate = k[0] * 2.0
    return quad(lambda t: np.exp(-rate * t) * k[1], 0.0, np.inf)[0]


def integral_of_vector(k: Any) -> Any:
    return quad(weighted, 0.0, 1.0, args=(k,))[0] ** 2


def integrals_in_a_loop(k: Any) -> Any:
    total = 0.0
    for n in range(3):
        y, error = quad(decay, 0.0, 1.0 + n, args=(k[0], total + 1.0))
        if error < 1e-3:
            total = total + y * k[1]
    return total


def bound_of_compiled(k: Any) -> Any:
    return quad(np.cos, 0.0, k[0])[0] + quad(np.sin, k[1], 2.0)[0]


def waves(t: Any, w: Any, p: Any) -> Any:
    return np.cos(t * w) * np.exp(-p * t)


def integral_of_arrays(k: Any) -> Any:
    y = quad_vec(waves, k[0], 2.0 * k[1], args=(k, k[0]))[0]
    whole, error = quad_vec(lambda t: np.exp(-t * k) * np.sin(t), 0.0, np.inf, epsrel=1e-11)
    return np.sum(y**2) * whole[0] if error < 1.0 else y[0]


def damped(t: Any, w: Any, p: Any = 2.0) -> Any:
    return np.cos(t * w) * np.exp(-p * t)


def integral_with_a_default(k: Any) -> Any:
    return np.sum(quad_vec(damped, 0.0, 1.0, args=(k,))[0] ** 2)


class Cosmology:
    """An object of which one field is None: the text of the integral writes it out."""

    def __init__(self, rate: Any, matter: Any, dark: Any = None) -> None:
        self.rate, self.matter, self.dark = rate, matter, dark

    def inverse(self, z: Any) -> Any:
        dark = 1.0 - self.matter if self.dark is None else self.dark
        return 1.0 / np.sqrt(self.matter * (1.0 + z) ** 3 + dark)

    def distance(self, z: Any) -> Any:
        return quad(lambda t: self.inverse(t), 0.0, z)[0] / self.rate


def integral_with_a_field_that_is_none(k: Any) -> Any:
    cosmology = Cosmology(k[1], 0.3 * k[0])
    return cosmology.distance(0.5) + cosmology.distance(k[1])


# ---------------------------------------------------------------------------- roots


def cubic(x: Any, a: Any, b: Any) -> Any:
    return x**3 + a * x - b


def pair(x: Any, k: Any) -> Any:
    return np.array([x[0] ** 2 + k[0] * x[1] - 3.0, x[0] * x[1] - k[1]])


def pair_as_list(x: Any, a: Any) -> Any:
    u, v = x
    return [u**2 + a * v - 3.0, u * v - 1.0]


def bracketed(k: Any) -> Any:
    x = brentq(cubic, 0.0, 3.0, args=(k[0], k[1]), xtol=1e-14)
    return x**2 + optimize.bisect(cubic, 0.0, 3.0, args=(k[1], 2.0), xtol=1e-14)


def arguments_in_a_name(k: Any) -> Any:
    args = (k[0], k[1])
    return brentq(cubic, 0.0, 3.0, args=args, xtol=1e-14)


def from_a_guess(k: Any) -> Any:
    def f(x: Any) -> Any:
        return np.exp(x) + x * k[1] ** 2 - 3.0 * k[0] - 2.0

    return newton(f, 1.5, tol=1e-11) + brentq(lambda x: x - k[0] ** 2, 0.0, 9.0)


def read_from_an_object(k: Any) -> Any:
    found = root_scalar(cubic, args=(k[0], 2.0), bracket=(0.0, 3.0), method="brentq", xtol=1e-14)
    return found.root * root_scalar(cubic, args=(1.0, k[1]), x0=1.0, x1=1.1).root


def fixed(k: Any) -> Any:
    return fixed_point(lambda x: np.cos(k[0] * x), 0.5, xtol=1e-14)


def fixed_vector(k: Any) -> Any:
    x = fixed_point(lambda x: 0.5 * np.cos(k * x[::-1]), np.array([0.5, 0.4]), xtol=1e-14)
    return np.sum(x**2)


def system(k: Any) -> Any:
    x = fsolve(pair, np.array([1.0, 1.0]), args=(k,), xtol=1e-13)
    return np.sum(x**3)


def system_as_list(k: Any) -> Any:
    found = root(pair_as_list, np.array([1.0, 1.0]), args=(k[0],), tol=1e-13)
    return found.x[0] * np.exp(found.x[1])


def system_of_closure(k: Any) -> Any:
    weights = k * 2.0
    return np.sum(fsolve(lambda x: x**3 + weights * x - 1.0, np.ones(2), xtol=1e-13))


# ---------------------------------------------------------------------------- minima


def cost(x: Any, k: Any) -> Any:
    return (x[0] - k[0]) ** 2 + (x[1] - k[1] * x[0]) ** 2 + 0.1 * x[0] ** 4


def cost_slope(x: Any, k: Any) -> Any:
    back = x[1] - k[1] * x[0]
    return np.array([2.0 * (x[0] - k[0]) - 2.0 * k[1] * back + 0.4 * x[0] ** 3, 2.0 * back])


def minimum(k: Any) -> Any:
    found = minimize(cost, np.zeros(2), args=(k,), jac=cost_slope, tol=1e-13)
    return np.sum(found.x**2)


# ---------------------------------------------------------------------------- flows


def swing(y: Any, t: Any, k: Any) -> Any:
    return [y[1], -k[0] * np.sin(y[0]) - k[1] * y[1] * np.cos(t)]


def swing_time_first(t: Any, y: Any, k: Any) -> Any:
    return np.array([y[1], -k[0] * np.sin(y[0]) - k[1] * y[1]])


def flow(k: Any) -> Any:
    y = odeint(swing, k, TIMES, args=(k,), rtol=1e-11, atol=1e-11)
    return np.sum(y[:, 0] ** 2) + y[-1, 1]


def flow_from_numbers(k: Any) -> Any:
    y = odeint(swing_time_first, [k[0], 0.0], TIMES, (k,), tfirst=True, rtol=1e-11, atol=1e-11)
    return np.sum(y[-1])


def flow_of_closure(k: Any) -> Any:
    found = solve_ivp(
        lambda t, y: -k[0] * y + k[1] * t, (0.0, 2.0), np.array([1.0]), rtol=1e-11, atol=1e-12
    )
    return found.y[0, -1]


def flow_at_times(k: Any) -> Any:
    found = solve_ivp(
        swing_time_first, (0.0, 2.0), k, t_eval=TIMES, args=(k,), rtol=1e-11, atol=1e-12
    )
    return np.sum(found.y[0] * TIMES) + found.y[1, 3]


def rate(y: Any, t: Any, a: Any, power: Any, b: Any) -> Any:
    return -a * y**power + b[1] * np.cos(t)


def decaying(y: Any, t: Any, w: Any, power: Any = 2.0) -> Any:
    return -w * y**power


def flow_with_a_default(k: Any) -> Any:
    return np.sum(odeint(decaying, np.ones(2), TIMES, args=(k,), rtol=1e-11, atol=1e-11) ** 2)


def flow_of_some_arguments(k: Any) -> Any:
    start = np.array([1.0, k[1]])
    y = odeint(rate, start, TIMES, args=(k[0], 2, k), rtol=1e-11, atol=1e-11)
    return np.sum(y**2)


def flow_from_one_number(k: Any) -> Any:
    y = odeint(lambda y, t: -k[0] * y * y, k[1], TIMES, rtol=1e-11, atol=1e-11)
    return y[-1, 0] ** 2


def renamed(y: Any, t: Any, y0: Any, t_dot: Any) -> Any:
    return -y0 * y + t_dot


def flow_whose_arguments_are_called_as_its_own(k: Any) -> Any:
    y = odeint(renamed, np.ones(1), TIMES, args=(k[0], k[1]), rtol=1e-11, atol=1e-11)
    return np.sum(y**2)


def flow_of_a_start(k: Any) -> Any:
    found = solve_ivp(lambda t, y: -(y**2), (0.0, 2.0), k, t_eval=TIMES, rtol=1e-11, atol=1e-11)
    return np.sum(found.y**2)


def flow_in_steps_of_its_own(k: Any) -> Any:
    found = solve_ivp(
        swing_time_first,
        (0.0, 2.0),
        [k[0] * 2.0, 1.0],
        args=(k,),
        rtol=1e-11,
        atol=1e-12,
        max_step=0.1,
    )
    return found.y[0, -1] * found.y[1, -1]


def pushed(y: Any, t: Any, k: Any, push: Any) -> Any:
    return -k * y**2 + push


def flow_after_flow(k: Any) -> Any:
    y = k
    for i in range(2):
        y = odeint(pushed, y, TIMES, args=(k, float(i)), rtol=1e-11, atol=1e-11)[-1]
    return np.sum(y)


def handed_on(k: Any) -> Any:
    return quad(decay, 0.0, 1.0, args=(k[0], 2.0))


def handed_on_whole(k: Any) -> Any:
    return handed_on(k)[0]


def speed(z: Any) -> Any:
    if z < -1.0:
        raise ValueError("before the beginning")
    return np.sqrt(0.3 * (1.0 + z) ** 3 + 0.7)


def integral_of_what_may_raise(k: Any) -> Any:
    return quad(lambda z: 1.0 / speed(z) / (1.0 + z), k[1], np.inf)[0] * k[0]


def integral_to_an_end_that_stays(k: Any) -> Any:
    ends = np.array([3.0, np.inf])
    return quad(lambda z: (1.0 + z) / speed(z) ** 3, k[1], ends[1])[0] * k[0]


def root_of_what_asserts(k: Any) -> Any:
    def equation(x: Any) -> Any:
        assert x > -1.0
        return speed(x) - 1.0 - k[0] ** 2

    return brentq(equation, 0.0, 10.0)


def read_by_its_name(k: Any) -> Any:
    found = minimize(lambda x: np.sum((x - k) ** 4 + (x - 1.0) ** 2), np.zeros(2), tol=1e-12)
    return found["x"] @ k + found["fun"]


INTEGRALS = [integral_with_args, integral_of_closure, integral_of_vector]
INTEGRALS += [integrals_in_a_loop, bound_of_compiled, integral_of_arrays]
INTEGRALS += [integral_with_a_default, integral_with_a_field_that_is_none, handed_on_whole]
INTEGRALS += [integral_of_what_may_raise, integral_to_an_end_that_stays]
ROOTS = [bracketed, from_a_guess, read_from_an_object, fixed, fixed_vector]
ROOTS += [system, system_as_list, system_of_closure, arguments_in_a_name, root_of_what_asserts]
FLOWS = [flow, flow_from_numbers, flow_of_closure, flow_at_times]
FLOWS += [flow_of_some_arguments, flow_from_one_number, flow_of_a_start]
FLOWS += [flow_in_steps_of_its_own, flow_after_flow, flow_with_a_default]
FLOWS += [flow_whose_arguments_are_called_as_its_own]
PROGRAMS = [*INTEGRALS, *ROOTS, minimum, read_by_its_name, *FLOWS]


@pytest.mark.parametrize("function", PROGRAMS)
def test_program(function: Callable[..., Any]) -> None:
    # a flow and its adjoint are solved for apart, each to its accuracy
    modes = 1e-8 if function in FLOWS else 1e-11
    agrees_with_differences(function, K, bound=1e-7, modes=modes)


@pytest.mark.parametrize("function", [*INTEGRALS, *ROOTS, *FLOWS])
def test_a_text_stands_alone(function: Callable[..., Any]) -> None:
    space: dict[str, Any] = {}
    exec(s2sad.grad(function, like=(K,)).source, space)
    found = space[f"{function.__name__}_grad"](K)
    assert np.allclose(found, s2sad.grad(function)(K), rtol=1e-9)


TWICE = [*INTEGRALS[:-3], integral_of_arrays, bracketed, from_a_guess, fixed]
TWICE += [fixed_vector, system, system_as_list, system_of_closure, minimum, *FLOWS]


@pytest.mark.parametrize("function", TWICE)
def test_hessian_product(function: Callable[..., Any]) -> None:
    gradient = s2sad.grad(function, like=(K,))
    k_dot = np.array([0.4, -1.1])
    step = 1e-3
    nearby = [gradient(K + n * step * k_dot) for n in (1, -1, 2, -2)]
    expected = (8.0 * (nearby[0] - nearby[1]) - (nearby[2] - nearby[3])) / (12.0 * step)
    _, forward_over_reverse = s2sad.jvp(gradient, like=(K,))(K, k_dot)
    reverse_over_reverse = s2sad.vjp(gradient, like=(K,))(K, k_dot)
    reverse_over_forward = s2sad.grad(lambda k: s2sad.jvp(function)(k, k_dot)[1])(K)
    for product in (forward_over_reverse, reverse_over_reverse, reverse_over_forward):
        assert np.allclose(product, expected, rtol=1e-6, atol=1e-7)


def test_a_tangent_of_a_flow_has_a_tangent() -> None:
    def grown(k: Any) -> Any:
        return odeint(lambda y, t, k: k * y, np.ones(2), np.array([0.0, 1.5]), (k,))[-1]

    along = np.array([0.4, -1.1])
    twice = s2sad.jvp(lambda k: s2sad.jvp(grown)(k, along)[1])(K, along)[1]
    assert np.allclose(twice, (1.5 * along) ** 2 * np.exp(1.5 * K), rtol=1e-6)


def test_closed_forms() -> None:
    def area(k: Any) -> Any:
        return quad(lambda t: np.exp(-k * t), 0.0, np.inf)[0]

    def square_root(a: Any) -> Any:
        return brentq(lambda x: x * x - a, 0.0, 10.0)

    def grown(y0: Any, k: Any) -> Any:
        return odeint(lambda y, t: k * y, y0, np.array([0.0, 1.5]))[-1, 0]

    assert np.isclose(s2sad.grad(area)(2.0), -0.25, rtol=1e-9)
    assert np.isclose(s2sad.grad(square_root)(9.0), 1.0 / 6.0, rtol=1e-9)
    y0_bar, k_bar = s2sad.grad(grown, wrt=("y0", "k"))(2.0, 0.3)
    assert np.isclose(y0_bar, np.exp(0.45), rtol=1e-8)
    assert np.isclose(k_bar, 3.0 * np.exp(0.45), rtol=1e-8)


def test_text_of_a_root() -> None:
    def f(a: Any) -> Any:
        x = brentq(cubic, 0.0, 3.0, args=(a, 2.0))
        return x

    source = s2sad.grad(f, like=(1.0,)).source
    assert "x = brentq(cubic, 0.0, 3.0, args=(a, 2.0))" in source
    assert "x_slope, a_slope = cubic_grad_x_a(x, a, b)" in source
    assert "return cubic_root_reverse(a, 2.0, x, 1.0)" in source


def test_a_derivative_is_computed_by_what_is_asked_for_alone() -> None:
    def decayed(p: Any, q: Any) -> Any:
        return quad(lambda x: p * np.exp(-q * x), 0.0, 1.0)[0]

    source = s2sad.grad(decayed, "q", like=(1.0, 2.0)).source
    assert "integrand_grad_q" in source and "integrand_grad_p" not in source
    assert "q_dot" not in s2sad.jvp(decayed, "p", like=(1.0, 2.0)).source


# ---------------------------------------------------------------------------- gradients given, too


def both(x: Any, k: Any) -> Any:
    r = x - k
    return np.sum(r**2) + 0.1 * np.sum(r**4) + 0.1 * x[0] * x[1], 2.0 * r + 0.4 * r**3 + 0.1 * x[
        ::-1
    ]


def minimum_with_gradient(k: Any) -> Any:
    found = minimize(both, np.zeros(2), args=(k,), jac=True, tol=1e-13)
    return np.sum(found.x**2) + found.fun


def root_with_matrix(k: Any) -> Any:
    def system(z: Any) -> Any:
        matrix = np.array([[3.0 * z[0] ** 2 + k[0], 0.0], [-k[1], 1.0]])
        return np.array([z[0] ** 3 + k[0] * z[0] - 1.0, z[1] - k[1] * z[0]]), matrix

    return np.sum(root(system, np.ones(2), jac=True, tol=1e-13).x)


def root_with_slope(k: Any) -> Any:
    def cubic_and_slope(z: Any) -> Any:
        return z**3 + k[0] * z - k[1], 3.0 * z**2 + k[0]

    return root_scalar(cubic_and_slope, x0=1.0, fprime=True, method="newton").root


@pytest.mark.parametrize("function", [minimum_with_gradient, root_with_matrix, root_with_slope])
def test_functions_that_give_their_gradient_too(function: Callable[..., Any]) -> None:
    k, step = np.array([1.1, 0.7]), 1e-4
    expected = [(function(k + step * e) - function(k - step * e)) / (2.0 * step) for e in np.eye(2)]
    np.testing.assert_allclose(s2sad.grad(function)(k), expected, rtol=1e-5)
    tangents = [s2sad.jvp(function)(k, e)[1] for e in np.eye(2)]
    np.testing.assert_allclose(tangents, expected, rtol=1e-5)


# ---------------------------------------------------------------------------- refused


def bounded(k: Any) -> Any:
    return minimize(cost, np.zeros(2), args=(k,), bounds=[(0, 1), (0, 1)]).x[0]


def more_output(k: Any) -> Any:
    return brentq(cubic, 0.0, 3.0, args=(k[0], k[1]), full_output=True)[0]


def between_steps(k: Any) -> Any:
    return np.sum(solve_ivp(swing_time_first, (0.0, 2.0), k, args=(k,)).y)


def test_states_at_times_that_the_solver_chose_are_refused() -> None:
    for derivative in (s2sad.grad, s2sad.jvp, s2sad.hvp):
        with pytest.raises(s2sad.NoRule, match="give t_eval"):
            derivative(between_steps, like=(K,))


def in_two_directions(k: Any) -> Any:
    square = integrate.dblquad(lambda y, x: np.exp(-k[0] * x * y), 0.0, k[1], 0.0, 1.0)[0]
    triangle = integrate.dblquad(lambda y, x: x * y * k[0], 0.0, 1.0, 0.0, lambda x: k[1] * x)
    return square * triangle[0] + integrate.fixed_quad(lambda t: np.sin(k[0] * t), 0.0, k[1])[0]


def test_double_integrals_are_integrals_of_integrals() -> None:
    assert s2sad.check_grad(in_two_directions, (K,))


def in_three_directions(k: Any) -> Any:
    """Return k[0] * k[1]**9 / 36."""
    return integrate.tplquad(
        lambda z, y, x: z * k[0], 0.0, k[1], 0, lambda x: k[1] * x, 0, lambda x, y: x * y
    )[0]


def test_triple_integrals_are_integrals_of_integrals() -> None:
    a, b = K
    value, slope = s2sad.value_and_grad(in_three_directions)(K)
    assert value == pytest.approx(a * b**9 / 36.0)
    np.testing.assert_allclose(slope, [b**9 / 36.0, a * b**8 / 4.0])


def ends_by_other_names(k: Any) -> Any:
    found = solve_ivp(swing_time_first, (0.0, 2.0), k, args=(k,), rtol=1e-11, atol=1e-12)
    first, second = found.y
    return first[-1] * found.y.T[-1, 1] + second[0] * found.y[0][-1] + np.sum(found.y[:, -1])


def test_ends_are_seen_in_rows_and_in_the_transpose() -> None:
    assert s2sad.check_grad(ends_by_other_names, (K,))


def times(k: Any) -> Any:
    return odeint(swing, np.ones(2), k * np.arange(2.0), args=(np.ones(2),))[-1, 0]


REFUSED = [bounded, more_output]
REFUSED += [times]


@pytest.mark.parametrize("function", REFUSED)
def test_what_is_not_covered_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(s2sad.S2sadError):
        s2sad.grad(function)(K)


# ---------------------------------------------------------------------------- functions inside


def called_at_once(k: Any) -> Any:
    def g(t: Any) -> Any:
        return k[0] * t**2

    h = lambda t: k[1] * np.sin(t)  # noqa: E731
    return g(2.0) + h(g(0.5)) * g(k[1])


def rebound_after(k: Any) -> Any:
    scale = k[0]
    g = lambda t: scale * t  # noqa: E731
    scale = k[1]
    return g(2.0)


def test_functions_made_inside_are_called() -> None:
    agrees_with_differences(called_at_once, K)


def test_function_that_reads_what_changes_sees_what_it_is_then() -> None:
    agrees_with_differences(rebound_after, K)


def joined_springs(x: Any, k: Any) -> Any:
    return (x[0] - k[0]) ** 4 + (x[0] - k[0]) ** 2 + k[1] * (x[1] - x[0]) ** 2 + 0.3 * np.sin(x[1])


def at_rest(k: Any) -> Any:
    found = minimize(joined_springs, np.array([0.5, 0.5]), args=(k,), tol=1e-12)
    return found.x[0] * found.x[1]


def test_a_minimum_that_is_read_by_parts_has_a_hessian() -> None:
    """The result has a name, and its x a known rank: x[0] is a number and no row."""
    gradient, step = s2sad.grad(at_rest, like=(K,)), 1e-4
    units = step * np.eye(2)
    expected = [(gradient(K + unit) - gradient(K - unit)) / (2.0 * step) for unit in units]
    np.testing.assert_allclose(s2sad.hessian(at_rest, like=(K,))(K), expected, rtol=1e-3)
