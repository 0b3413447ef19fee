"""What a guard leaves out, or holds at a level, has no infinite slope: 0 * inf is never computed."""

import math
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences
from tests.rooms.derive import grad

X, S = np.array([-1.0, 0.5, 2.0]), 0.7
pytestmark = pytest.mark.filterwarnings("ignore")


def log_where(x, s):
    return s * np.sum(np.where(x > 0, np.log(x), 0.0))


def root_on_the_other_side(x, s):
    return np.sum(np.where(x < 0, s, 3.0 * x**0.5))


def quotient(x, s):
    return np.sum(np.where(x != 0.5, np.sin(x) / (x - 0.5), 1.0) * np.array([1.0, 2.0, 3.0])) * s


def composed(x, s):
    y = np.sqrt(x)
    z = np.log(y) * y
    return s * np.sum(np.where(x <= 0, 0.0, z) ** 2)


def selected(x, s):
    return np.sum(np.select([x > 1, x < 0], [np.log(x), x**2], s) * np.array([1.0, 2.0, 3.0]))


def held_by_maximum(x, s):
    return np.sum(np.sqrt(np.maximum(x, 0.0) * s) * np.array([1.0, 2.0, 3.0]))


def held_by_clip(x, s):
    return np.sum(np.clip(x, 0.0, 9.0) ** 0.5 / s)


def held_at_one(x, s):
    return np.sum(np.arccos(np.clip(x * s, -0.5, 1.0)))


def held_by_a_mask(x, s):
    return np.sum(np.sqrt(x * (x > 0) / s))


def held_by_a_minus(x, s):
    return np.sum(np.power(-np.minimum(-x, 0.0) * s, 0.3))


def held_by_a_bound_with_a_sign(x, s):
    return np.sum(np.sqrt(np.maximum(x, +0.25) - 0.25) + np.sqrt(np.maximum(x, -0.25) + 0.25)) * s


def number_by_number(x, s):
    total = 0.0
    for v in x:
        total += math.sqrt(s * max(v, 0.0))
    return total


def put_to_one(x, s):
    r = np.sqrt(np.abs(x - 0.5)) * s
    r[r == 0] = 1.0
    return np.sum(1.0 / r)


def quotients_that_are_finite(x, s):
    q = s * x / np.array([2.0, 0.0, 1.0])
    q[~np.isfinite(q)] = 0.0
    return np.sum(q**2)


def divided_in_every_pass(x, s):
    y, d = x, np.array([2.0, 0.0, 0.5])
    for _ in range(2):
        w = y / d
        y = np.where(d > 0, w * y, s * y)
    return np.sum(y)


def divided_in_place_in_every_pass(x, s):
    y, w, d = x, x * 1.0, np.array([2.0, 0.0, 0.5])
    for _ in range(2):
        w /= d
        y = np.where(d > 0, w * y, s * y)
    return np.sum(y)


def elements_divided_in_every_pass(x, s):
    y, w, d = x, np.ones(3), np.array([2.0, 0.0, 0.5])
    for _ in range(2):
        w[:] /= d
        y = np.where(d > 0, w * y, s * y)
    return np.sum(y)


def divided_by_a_helper_in_every_pass(x, s):
    def ratio(a, b):
        return a / b

    y, w, d = x, x, np.array([2.0, 0.0, 0.5])
    for _ in range(2):
        w = ratio(w, d)
        y = np.where(d > 0, w * y, s * y)
    return np.sum(y)


def divided_in_a_dict_by_another_name(x, s):
    y, d, held = x, np.array([2.0, 0.0, 0.5]), {"w": x * 1.0}
    for _ in range(2):
        inner = held["w"]
        inner /= d
        y = np.where(d > 0, held["w"] * y, s * y)
    return np.sum(y)


def logarithm_in_every_pass(x, s):
    y, d = x, np.array([2.0, 0.0, 0.5])
    for _ in range(2):
        w = np.log(d) * y
        y = np.maximum(w * y, -s)
    return np.sum(y * y)


def rooted_in_every_pass(x, s):
    y = x
    for k in range(2):
        held = np.maximum(y, 0.0)
        root = np.sqrt(held * s)
        y = y * np.exp(-held) + root * (0.3 + k)
    return np.sum(np.maximum(y - 0.1, 0.0))


def rooted_where_it_is_chosen_in_every_pass(x, s):
    y = x
    for _ in range(2):
        root = np.sqrt(y * s)
        y = np.where(y > 0, root * y, s * y)
    return np.sum(y)


FUNCTIONS = [
    rooted_in_every_pass,
    rooted_where_it_is_chosen_in_every_pass,
    divided_in_every_pass,
    divided_in_place_in_every_pass,
    elements_divided_in_every_pass,
    divided_by_a_helper_in_every_pass,
    divided_in_a_dict_by_another_name,
    logarithm_in_every_pass,
    log_where,
    root_on_the_other_side,
    quotient,
    composed,
    selected,
    held_by_maximum,
    held_by_clip,
    held_at_one,
    held_by_a_mask,
    held_by_a_minus,
    held_by_a_bound_with_a_sign,
    number_by_number,
    put_to_one,
    quotients_that_are_finite,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_are_finite_and_right(function):
    run = grad(function, (X, S))
    x_bar, s_bar = run(X, S)
    assert np.all(np.isfinite(x_bar)) and np.isfinite(s_bar), run.text
    expected = differences(function, (X, S), (0, 1), 1.0)
    assert compare(np.append(x_bar, s_bar), expected) is None, run.text


def test_an_adjoint_that_nothing_masks_gets_no_test():
    def plain(x, s):
        return np.sum(np.sqrt(x) / x * s)

    assert "np.where" not in grad(plain, (X, S)).text


def test_what_is_finite_in_every_pass_gets_no_test():
    def best_of(x, s):
        k = np.arange(3)
        value = np.maximum(s - x, 0.0)
        for _ in range(3):
            worth = x * s**k
            value = np.maximum(0.9 * s * (value + np.roll(value, 1)), s - worth)
        return np.sum(value)

    run = grad(best_of, (X, S))
    assert "!= 0.0" not in run.text
    assert compare(np.append(*run(X, S)), differences(best_of, (X, S), (0, 1), 1.0)) is None


def test_the_largest_element_hides_no_number_that_all_are_divided_by():
    def largest(x, s):
        z = x / s
        m = np.max(z)
        return s * np.log(np.sum(np.exp(z - m))) + m**2

    run = grad(largest, (X, S))
    assert "!= 0.0" not in run.text
    assert compare(np.append(*run(X, S)), differences(largest, (X, S), (0, 1), 1.0)) is None


def test_a_guard_of_what_may_be_an_array_gives_zeros_of_its_shape():
    def settled(p, h, x):
        d = np.zeros(3)
        for k in range(3):
            d[k] = np.tanh(0.5 * np.prod(0.9 + 0.1 * (0.5 * p - h)))
        while x > 0.31:
            if x < 0.8:
                break
            h = h / (1.5 + np.cos(d) ** 2)
            x = x / 2.0
        return h

    made: dict[str, Any] = {}
    exec(s2sad.vjp(settled, wrt=("p", "h")).source, made)
    p_bar, h_bar = made["settled_vjp"](X, X, 0.2, X)
    np.testing.assert_array_equal(p_bar, np.zeros_like(X))
    np.testing.assert_array_equal(h_bar, X)


def test_a_power_of_zero_does_not_vary_with_its_exponent():
    """It was nan: 0 ** n * log(0)."""
    dose = np.array([0.0, 0.5, 2.0])

    def response(n, k):
        return np.sum(dose**n / (k**n + dose**n)) + n * dose[0] ** n

    found = s2sad.grad(response, wrt=("n", "k"))(1.7, 0.8)
    assert compare(np.array(found), differences(response, (1.7, 0.8), (0, 1), 1.0)) is None


def test_one_of_several_exponents_may_be_zero():
    """It was nan at 0: 0 * 0 ** -1."""

    def moments(x, powers):
        return np.sum(x[:, None] ** powers * np.array([3.0, 2.0, 1.0]))

    args = (np.array([0.0, 0.5]), np.array([0.0, 1.0, 2.0]))
    np.testing.assert_allclose(s2sad.grad(moments)(*args), [2.0, 3.0])


def softplus(x):
    return np.sum(np.where(x > 0.0, x + np.log1p(np.exp(-x)), np.log1p(np.exp(x))))


def logistic(x):
    return np.sum(np.where(x < 0.0, np.exp(x) / (1.0 + np.exp(x)), 1.0 / (1.0 + np.exp(-x))))


def stored_first(x):
    e = np.exp(x)
    return np.sum(np.where(x > 0.0, x, np.log(1.0 + e)) * np.array([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("function", [softplus, logistic, stored_first])
def test_what_overflows_where_it_is_not_taken_has_no_slope(function):
    """It was nan where np.exp is infinite: 0 * inf."""
    x = np.array([800.0, -800.0, 0.3])
    assert compare(s2sad.grad(function)(x), differences(function, (x,), (0,), 1.0)) is None


def test_exponentials_of_what_is_nowhere_positive_need_no_test():
    def bell(x, s):
        e = np.exp(-(x**2) / s**2)
        return np.sum(np.where(x > 0.0, e * x, 0.0) + np.where(x > 1.0, e / x, 0.0))

    run = grad(bell, (X, S))
    assert "!= 0.0" not in run.text
    assert compare(np.append(*run(X, S)), differences(bell, (X, S), (0, 1), 1.0)) is None


def turned_by_what_may_be_infinite(u, p):
    w = np.cross(u / np.sqrt(u), p)
    return np.sum(w[:, 0] * w[:, 1])


def test_a_guard_masks_no_product_of_several_elements():
    """An element of the adjoint that is 0 says nothing of the others, which np.cross combines."""
    u, p = np.array([[0.3, 0.4, 0.5]]), np.array([[1.0, 2.0, 3.0]])
    found = np.concatenate(
        [np.ravel(g) for g in s2sad.grad(turned_by_what_may_be_infinite, (0, 1))(u, p)]
    )
    assert compare(found, differences(turned_by_what_may_be_infinite, (u, p), (0, 1), 1.0)) is None


def complex_of_what_is_clipped(x):
    inside = np.clip(x, 0.0, 1.0)
    return np.sum(np.sqrt(inside * 2j + 1.0).real + np.angle(1j * inside + 0.1))


def test_complex_factors_have_no_level():
    x = np.array([-0.5, 0.3])
    assert (
        compare(
            s2sad.grad(complex_of_what_is_clipped)(x),
            differences(complex_of_what_is_clipped, (x,), (0,), 1.0),
        )
        is None
    )
