"""Where a guard or a branch holds a value, no slope that may be infinite is multiplied: 0, not nan."""

import math
import warnings

import numpy as np
import pytest

import s2sad
from tests import oracles

X = np.array([-1.7, 0.4, 1.6])


def shifted_clip(x):
    return np.sum(np.sqrt(np.clip(x, -1.0, 1.0) + 1.0))


def upper_bound(x):
    return np.sum(np.sqrt(1.0 - np.minimum(x, 1.0)))


def lower_bound(x):
    return np.sum(np.log1p(np.maximum(x, 0.0)) + np.sqrt(np.maximum(x, 0.5) - 0.5))


def one_minus_square(x):
    c = np.clip(x, -1.0, 1.0)
    return np.sum(np.arcsin(c) + np.sqrt(1.0 - c**2))


def two_steps(x):
    c = np.clip(x, -1.0, 1.0)
    t = c + 1.0
    return np.sum(np.sqrt(t) * x)


def larger_number(x):
    return np.sum(np.sqrt(np.fmax(x, 0.5) - 0.5) + np.sqrt(1.0 - np.fmin(x, 1.0)))


def clipped_from_below(x):
    return np.sum(np.sqrt(x.clip(0.5) - 0.5) + np.sqrt(1.0 - x.clip(max=1.0)))


def sum_of_two(x):
    return np.sum(np.sqrt(np.clip(x, -1.0, 1.0) + np.clip(2.0 * x, -1.0, 1.0) + 2.0))


def into_memory(x):
    y = np.empty_like(x)
    np.maximum(x, 0.0, out=y)
    return np.sum(np.sqrt(y))


def largest_of_a_stack(x):
    return np.sum(np.sqrt(np.max(np.stack([x, np.zeros_like(x)]), axis=0)))


def against_an_array(x):
    return np.sum(np.sqrt(np.maximum(x, np.zeros(3)) + np.maximum.reduce([x, np.zeros(3)])))


def both_bounds(x):
    return np.sum(np.sqrt(1.0 - np.minimum(np.maximum(x, -1.0), 1.0) ** 2))


def bounds_with_names(x, low=-1.0):
    high = np.full(3, 1.0)
    return np.sum(np.sqrt(np.clip(x, low, high) - low))


def clipped_and_rooted_in_place(x):
    y = x * 2.0
    np.maximum(y, 0, out=y)
    np.sqrt(y, out=y)
    return np.sum(y)


def shrunk_in_place(x):
    y = np.abs(x)
    y -= 1.0
    np.maximum(y, 0.0, out=y)
    return np.sum(np.sqrt(y))


def norm_of_what_is_positive(x):
    return np.sqrt(np.sum(np.maximum(x - 9.0, 0.0) ** 2))


def root_of_the_larger_numbers(x):
    total = 0.0
    for v in x:
        v = max(v, 0.0)
        total += v**0.5
    return total


def no_entry_over_five(x):
    return np.sqrt(np.max(np.append(x - 5.0, 0.0))) + x[0]


@pytest.mark.parametrize(
    "function",
    (
        *(shifted_clip, upper_bound, lower_bound, one_minus_square, two_steps),
        *(larger_number, clipped_from_below, sum_of_two, into_memory, largest_of_a_stack),
        *(against_an_array, both_bounds, bounds_with_names, no_entry_over_five),
        *(clipped_and_rooted_in_place, shrunk_in_place, norm_of_what_is_positive),
        root_of_the_larger_numbers,
    ),
)
def test_guarded_roots(function):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for options in ({}, {"like": (X,)}):
            gradient = s2sad.grad(function, 0, **options)(X)
            step = 1e-7 * np.eye(3)
            expected = [(function(X + e) - function(X - e)) / 2e-7 for e in step]
            np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-7)
            tangent = s2sad.jvp(function, 0, **options)(X, x_dot=np.ones(3))[1]
            assert np.isclose(tangent, np.sum(gradient))


def clamped(x):
    if x < 0.0:
        x = 0.0
    return math.sqrt(x)


def clamped_from_above(x):
    if x > 1.0:
        x = 1.0
    return math.sqrt(1.0 - x) + x


def clamped_in_a_while(x):
    while x < 0:
        x = 0.0
    return math.sqrt(x)


def clamped_in_some_passes(x):
    for _ in range(3):
        if x < 0.0:
            x = 0.0
        else:
            x = x - 1.0
    return math.sqrt(max(x, 0.0))


def clamped_by_a_handler(x):
    try:
        if x < 0.0:
            raise ValueError
        y = x
    except ValueError:
        y = 0.0
    return math.sqrt(y)


def between_two_bounds(x):
    return math.sqrt(min(max(x, 0.0), 4.0))


def power_of_the_larger(x):
    x = max(0.0, x)
    return x**0.5 + math.log(1 + x)


def largest_of_three(x):
    return math.sqrt(max(x, 2.0 * x, 0.0))


def root_or_nothing(x):
    return math.sqrt(x) if x > 0 else 0.0


def product_or_nothing(x):
    return math.sqrt(x) * math.log(x) if x > 0 else 0.0


@pytest.mark.parametrize(
    "function, x, slope",
    (
        *((root_or_nothing, -0.3, 0.0), (root_or_nothing, 0.25, 1.0), (root_or_nothing, 0.0, 0.0)),
        *((product_or_nothing, x, 0.0) for x in (-0.3, 0.0)),
        (product_or_nothing, 0.25, math.log(0.25) + 2.0),
        *((clamped, -0.3, 0.0), (clamped, 0.25, 1.0), (clamped_from_above, 1.5, 0.0)),
        (largest_of_three, -0.5, 0.0),
        *((clamped_in_a_while, -0.3, 0.0), (clamped_in_a_while, 0.25, 1.0)),
        *((clamped_in_some_passes, x, 0.0) for x in (-3.0, 1.5)),
        *((clamped_by_a_handler, -0.3, 0.0), (between_two_bounds, -0.3, 0.0)),
        *((between_two_bounds, 0.25, 1.0), (between_two_bounds, 5.0, 0.0)),
        *((power_of_the_larger, -0.3, 0.0), (power_of_the_larger, 0.25, 1.8)),
    ),
)
def test_numbers_that_a_branch_clamps(function, x, slope):
    for options in ({}, {"like": (x,)}):
        assert s2sad.grad(function, **options)(x) == pytest.approx(slope)
        assert s2sad.jvp(function, **options)(x, 1.0)[1] == pytest.approx(slope)
    for_any = s2sad.grad(function)
    assert oracles.standalone(for_any.source, for_any.__name__)(x) == pytest.approx(slope)


M = np.array([[1.3, -2.0, 3.2], [-0.5, 4.1, 0.25]])


def largest_of_columns(m):
    return np.sum(np.sqrt(np.max(m, 0)) + np.log(np.max(m, 0) + 0.5))


def smallest_of_rows(m):
    return np.sum(np.sqrt(np.min(m, 1) + 2.5) * np.log(np.amax(m, 1)))


@pytest.mark.parametrize("function", (largest_of_columns, smallest_of_rows))
def test_an_axis_is_no_bound(function):
    wanted = oracles.differences(function, (M,), (0,)).value.reshape(M.shape)
    for options in ({}, {"like": (M,)}):
        np.testing.assert_allclose(s2sad.grad(function, **options)(M), wanted, rtol=1e-6, atol=1e-9)


HUGE = 1e200


def ratio(x):
    return np.sum(HUGE / ((x + 3.0) * HUGE))


def ratio_of_one(x):
    return np.sum(1.0 / ((x + 3.0) * HUGE) * HUGE)


def divided(x):
    return np.sum(np.divide(x / HUGE, (x + 3.0) / HUGE))


@pytest.mark.parametrize("function", (ratio, ratio_of_one, divided))
def test_a_quotient_whose_divisor_has_no_square_in_range(function):
    for options in ({}, {"like": (X,)}):
        gradient = s2sad.grad(function, **options)(X)
        expected = (function(X + 1e-6) - function(X - 1e-6)) / 2e-6
        assert np.sum(gradient) == pytest.approx(expected)
        tangent = s2sad.jvp(function, **options)(X, np.ones(3))[1]
        assert tangent == pytest.approx(expected)


def reached_with_nothing(logs):
    """A lattice of logarithms begins with log(0): what cannot be reached has no share."""
    alpha = np.full(3, -np.inf)
    alpha[0] = logs[0, 0]
    for row in logs[1:]:
        moved = np.concatenate([[-np.inf], alpha[:-1]])
        alpha = np.logaddexp(alpha, moved) + row
    return np.logaddexp.reduce(alpha[1:])


def test_shares_of_what_is_never_reached():
    logs = np.log(np.array([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]]))
    assert s2sad.check_grad(reached_with_nothing, (logs,))


# ---------------------------------------------------------------------------- values left out


def square_of_a_logarithm(x):
    return np.sum(np.where(x > 0, np.log(x) ** 2, 0.0))


def functions_of_a_logarithm(x):
    t = np.log(x)
    return np.sum(np.where(x > 0, np.tanh(t) * np.cos(t), 0.0))


def powers_of_an_inverse(x):
    r = 1 / x
    s = r * r
    return np.sum(np.where(x != 0, r**3 * np.exp(-r) + s * s - s, 0.0))


def sinc_by_its_norm(x):
    q = np.sin(x) / x
    return np.sum(np.where(x != 0, q / np.sqrt(q**2 + 0.5), 1.0))


def pairs_without_themselves(x):
    r = np.abs(x[:, None] - x)
    e = (0.3 / r) ** 6
    v = e**2 - e
    np.fill_diagonal(v, 0.0)
    return np.sum(v)


def logarithm_in_bounds(x):
    t = np.log(x)
    return np.sum(np.clip(t, -0.5, 2.0) * x)


def inverse_below_a_bound(x):
    return np.sum(np.minimum(1 / x, 1.8) ** 2)


def root_above_a_bound(x):
    return np.sum(np.maximum(np.sqrt(x), 0.75))


@pytest.mark.parametrize(
    "function",
    (
        logarithm_in_bounds,
        inverse_below_a_bound,
        root_above_a_bound,
        square_of_a_logarithm,
        functions_of_a_logarithm,
        powers_of_an_inverse,
        sinc_by_its_norm,
        pairs_without_themselves,
    ),
)
@pytest.mark.parametrize("has_examples", (True, False))
def test_values_that_are_not_finite_are_left_out(function, has_examples):
    x, direction = np.array([0.0, 0.5, 0.7]), np.array([0.0, 0.3, -1.1])
    options = {"like": (x,)} if has_examples else {}
    with np.errstate(all="ignore"):
        gradient = s2sad.grad(function, **options)(x)
        _, tangent = s2sad.jvp(function, **options)(x, direction)
        expected = (function(x + 1e-6 * direction) - function(x - 1e-6 * direction)) / 2e-6
    assert np.all(np.isfinite(gradient))
    assert gradient @ direction == pytest.approx(expected, rel=1e-5)
    assert tangent == pytest.approx(expected, rel=1e-5)


def weighed_by_a_number(x, w):
    q = x / w
    return np.sum(np.where(w > 0, q * x, 0.0))


def square_of_a_ratio(x, w):
    q = x / w
    return np.sum(np.where(w > 0, q**2, 0.0))


def ratio_named_twice(x, w):
    q = x / w
    r = q + 1.0
    return np.sum(np.where(w > 0, r * np.sin(x), 0.0))


@pytest.mark.parametrize("function", (weighed_by_a_number, square_of_a_ratio, ratio_named_twice))
def test_a_number_that_a_test_leaves_out_is_left_out_for_all_elements(function):
    with np.errstate(all="ignore"):
        assert np.all(s2sad.grad(function)(np.array([1.0, 2.0]), 0.0) == 0.0)


def biweight(x, c, s):
    u = x / s
    return np.sum(np.where(np.abs(u) < c, 1.0 - (1.0 - (u / c) ** 2) ** 3, 1.0)) + np.log(s)


def sides(x, c, s):
    u = (x - c) / s
    return np.sum(np.where(u > 0.0, u**2, u)) + s


def logarithm_over_a_number(x, c, s):
    u = np.log(x) / s
    return np.sum(np.where(x > 0.0, u * c, 0.0))


def finite_ratios(x, c, s):
    u = (x - c) / s
    return np.sum(np.where(np.isfinite(u), u, 0.0))


@pytest.mark.parametrize("function", (biweight, sides, logarithm_over_a_number, finite_ratios))
def test_a_test_of_elements_does_not_hide_the_number_that_divides_them(function):
    x, c, s = np.array([-0.4, 0.3, 1.9, 0.0]), 0.8, 1.3
    with np.errstate(all="ignore"):
        for options in ({}, {"like": (x, c, s)}):
            df = s2sad.grad(function, (0, 1, 2), **options)
            found = df(x, c, s)
            if options and function in (biweight, sides):
                assert "!= 0.0" not in df.source
            for k, step in ((1, np.array(1e-6)), (2, np.array(1e-6))):
                moved = [x, c, s]
                moved[k] += step
                above = function(*moved)
                moved[k] -= 2.0 * step
                assert found[k] == pytest.approx((above - function(*moved)) / 2e-6, rel=1e-5)
            for i, along in enumerate(1e-6 * np.eye(4)):
                expected = (function(x + along, c, s) - function(x - along, c, s)) / 2e-6
                is_kink = function is logarithm_over_a_number and x[i] <= 0.0
                assert is_kink or found[0][i] == pytest.approx(expected, rel=1e-5)
            assert np.all(np.isfinite(found[0]))
        zero = s2sad.grad(finite_ratios, (0, 1, 2))(x, c, 0.0)
        assert np.all(zero[0] == 0.0) and zero[1:] == (0.0, 0.0)


def chosen_for_another_reason(x, c, s):
    q = np.where(x > 0.35, c / x, 0.0) + np.where(x + c > 0.7, s / x, 0.0)
    return np.sum(np.where(x != 0.0, q * x**3, 0.0))


def asked_by_another(x, c, s):
    q = np.where(np.array([1.0, 1.0, 1.0, 1.0]) > c - 1.0, c / x, 0.0)
    return np.sum(np.where(x != 0.0, q * x**3 * s, 0.0))


@pytest.mark.parametrize("function", (chosen_for_another_reason, asked_by_another))
def test_what_one_test_lets_through_another_leaves_out(function):
    x, c, s = np.array([0.4, 0.3, 1.9, 0.0]), 0.8, 1.3
    with np.errstate(all="ignore"):
        for options in ({}, {"like": (x, c, s)}):
            df = s2sad.grad(function, (0, 1, 2), **options)
            found = np.concatenate([np.ravel(each) for each in df(x, c, s)])
            whole = np.concatenate([x, [c, s]])
            for i, step in enumerate(1e-6 * np.eye(6)):
                above, below = whole + step, whole - step
                sides = (function(v[:4], v[4], v[5]) for v in (above, below))
                expected = (next(sides) - next(sides)) / 2e-6
                assert found[i] == pytest.approx(expected, rel=1e-5, abs=1e-8)


def assembled(x, c, s):
    K = np.zeros((4, 4))
    for k in range(3):
        ends = np.array([k, k + 1])
        length = np.sqrt((x[k + 1] - x[k]) ** 2)
        K[np.ix_(ends, ends)] += c / length * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return np.sum(np.linalg.inv(K[1:, 1:] + s * np.eye(3)))


def test_what_is_added_to_chosen_elements_hides_nothing():
    x = np.array([0.1, 0.9, 1.4, 2.5])
    df = s2sad.grad(assembled, (0, 1), like=(x, 0.8, 1.3))
    assert "!= 0.0" not in df.source
    assert s2sad.check_grad(assembled, (x, 0.8, 1.3), (0, 1))


def two_roots_by_one_test(x):
    y = math.sqrt(x) if x > 0.0 else 0.0
    z = 2.0 * math.sqrt(x) if x > 0.0 else 1.0
    return y * z


def power_of_a_bound(x):
    return math.pow(max(x, 0.0), 0.5) + math.pow(x, 0)


def clamped_root(x):
    if x < 0:
        x = 0.0
    return math.sqrt(x)


@pytest.mark.parametrize("function", (two_roots_by_one_test, power_of_a_bound, clamped_root))
@pytest.mark.parametrize("x", (-0.7, 0.4))
@pytest.mark.parametrize("has_examples", (True, False))
def test_what_a_branch_leaves_out_is_not_computed_in_any_order(function, x, has_examples):
    options = {"like": (x,)} if has_examples else {}

    def slope(at):
        return (function(at + 1e-5) - function(at - 1e-5)) / 2e-5

    curvature = (slope(x + 1e-3) - slope(x - 1e-3)) / 2e-3
    assert s2sad.grad(function, **options)(x) == pytest.approx(slope(x), rel=1e-6, abs=1e-9)
    assert s2sad.hvp(function, **options)(x, 1.0) == pytest.approx(curvature, rel=1e-3, abs=1e-6)


def test_a_contribution_is_masked_by_its_adjoint_in_other_words():
    spatial = pytest.importorskip("scipy.spatial.transform")

    def turned(x):
        both = spatial.Rotation.from_rotvec(x) * spatial.Rotation.from_euler("zyx", x)
        return np.sum(both.as_rotvec() * np.arange(3.0))

    x, direction = np.array([0.31, -0.52, 0.73]), np.array([0.4, 0.1, -0.6])
    gradient = s2sad.grad(turned)
    wanted = (gradient(x + 1e-5 * direction) - gradient(x - 1e-5 * direction)) / 2e-5
    np.testing.assert_allclose(s2sad.hvp(turned)(x, direction), wanted, rtol=1e-6)


def growth_to_a_limit(x, r, k):
    for _ in range(3):
        x = x + r * x * (1.0 - np.minimum(x / k, 1.0))
    return np.sum(x)


def test_what_is_finite_is_not_guarded_beside_an_extreme():
    args = (np.array([0.3, 1.2, 2.5]), 0.4, 2.0)
    derivative = s2sad.grad(growth_to_a_limit, wrt="x", like=args)
    expected = oracles.differences(growth_to_a_limit, args, (0,))
    assert oracles.compare(derivative(*args), expected) is None
    assert "!= 0.0" not in str(derivative.source)
