"""Derivatives that functions were given, hooks of adjoints, and regions without gradients."""

import contextlib
import functools
import io

import numpy as np
import pytest

import s2sad
from s2sad.ir.errors import NotYet, Unsupported
from s2sad.operators.stated import OF_SAMPLES
from s2sad.testing.domains import DOMAINS
from s2sad.testing.samples import OTHER_WORDS
from tests.oracles import compare, differences, flatten
from tests.rooms.test_answers import gradients

U, V = np.array([0.3, -0.4, 0.9]), np.array([0.7, 0.2, -0.4])
DOT = np.array([1.0, -0.5, 2.0])


# each derivative is three times the true one, so that it is seen which was called
@s2sad.custom_derivative(
    reverse=lambda a, y, y_bar: 6.0 * y_bar * a, forward=lambda a, y, a_dot: 6.0 * a * a_dot
)
def squared(a):
    return a * a


def product_reverse(a, b, y, y_bar):
    scaled = 3.0 * y_bar
    return scaled * b, scaled * a


def product_forward(a, b, y, a_dot, b_dot):
    return 3.0 * (a_dot * b + a * b_dot)


@s2sad.custom_derivative(reverse=product_reverse, forward=product_forward)
def product(a, b):
    return a * b


def halves_reverse(u, k, y, y_bar):
    first, second = y_bar
    return 3.0 * k * (first + second), None


@s2sad.custom_derivative(reverse=halves_reverse)
def halves(u, k):
    return 0.5 * u, 0.5 * k * u


@s2sad.custom_derivative(reverse=lambda u, y, y_bar: y_bar, forward=lambda u, y, u_dot: u_dot)
def through(u):
    return np.round(u)


@s2sad.custom_derivative(reverse=lambda u, y, y_bar: u, forward=lambda u, y, u_dot: u_dot)
def given_back(u):
    return u * 2.0


def of_squared(u):
    return np.sum(squared(np.sin(u)))


def of_product(u, v):
    total = 0.0
    for k in range(3):
        total = total + np.sum(product(u, v + k))
    return total


def of_halves(u):
    first, second = halves(u * u, 2.0)
    return np.sum(first) + np.sum(second)


def of_through(u):
    y = through(u * 3.0)
    return np.sum(y * y)


def of_given_back(u):
    return np.sum(given_back(u)) + np.sum(u)


def of_literal(u):
    return np.sum(product(u, 2.0))


SLOPES = {
    of_squared: ((U,), (6.0 * np.sin(U) * np.cos(U),)),
    of_product: ((U, V), (9.0 * (V + 1.0), 9.0 * U)),
    of_halves: ((U,), (2.0 * U * 12.0,)),
    of_through: ((U,), (6.0 * np.round(U * 3.0),)),
    of_given_back: ((U,), (U + 1.0,)),
    of_literal: ((U,), (np.full(3, 6.0),)),
}


@pytest.mark.parametrize("function", SLOPES)
def test_the_derivative_that_was_given_is_called(function):
    args, slopes = SLOPES[function]
    before = [arg.copy() for arg in args]
    text, made = gradients(function, args)
    for found, expected in zip(made(*args), slopes, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=text)
    for arg, kept in zip(args, before, strict=True):
        np.testing.assert_array_equal(arg, kept)
    assert "s2sad" not in "".join(line for line in text.splitlines() if "import" in line)


@pytest.mark.parametrize("function", [of_squared, of_product, of_through, of_literal])
def test_so_it_is_forward(function):
    args, slopes = SLOPES[function]
    dots = [DOT * (k + 1.0) for k in range(len(args))]
    text, made = gradients(function, args, None, "jvp")
    value, tangent = made(*args, *dots)
    assert value == pytest.approx(function(*args), rel=1e-14)
    expected = sum(np.sum(s * d) for s, d in zip(slopes, dots, strict=True))
    assert tangent == pytest.approx(expected, rel=1e-12), text


def test_second_derivatives_are_those_of_the_derivative_that_was_given():
    # of 6 sin u cos u
    text, made = gradients(of_squared, (U,), None, "hvp")
    np.testing.assert_allclose(
        made(U, DOT)[0], 6.0 * np.cos(2.0 * U) * DOT, rtol=1e-12, err_msg=text
    )


def test_what_was_not_given_is_refused():
    with pytest.raises(Unsupported, match="reverse derivative, but no forward one"):
        gradients(of_halves, (U,), None, "jvp")
    with pytest.raises(Unsupported, match="gives no adjoint of k, which varies"):
        gradients(lambda u, k: np.sum(halves(u, k)[0]), (U, 2.0))


@s2sad.custom_derivative(
    reverse=lambda x, y, y_bar: np.sum(y_bar), forward=lambda x, y, x_dot: np.sum(x_dot)
)
def doubled(x):
    return 2.0 * x


@pytest.mark.parametrize("form", ["grad", "jvp", "hvp"])
def test_a_derivative_of_another_shape_is_refused(form):
    with pytest.raises(Unsupported, match=r"has 0 axes, and .* has 1"):
        gradients(lambda x: np.sum(doubled(x) * x), (U,), None, form)


def test_what_does_more_than_compute_is_left_to_others():
    @s2sad.custom_derivative(reverse=lambda x, y, y_bar: 2.0 * y_bar)
    def written(x):
        x[0] = 0.0
        return 2.0 * x

    with pytest.raises(NotYet):
        gradients(lambda x: np.sum(written(x * 1.0)), (U,))


# ---------------------------------------------------------------------------- rules of users

space = {"np": np}
exec("def softsign(x, width=1.0):\n    return x / (width + np.abs(x))", space)
softsign = space["softsign"]  # stands for the functions of extension modules
SOFTSIGN = """
FAMILY = "elementwise"

def softsign(x: nonzero, width: sample(2.0) = 1.0):
    y = softsign(x, width)
    x_bar = y_bar * width / (width + np.abs(x))**2
"""
THRICE = """
FAMILY = "elementwise"

def softened(x, width):
    y = softened(x, width)
    x_bar = 3.0 * y_bar * width
"""


def softened(x, width):
    return width * x


def slope(x):
    return 3.0 * np.ones_like(x)


def soft_rev(x, width, y, y_bar):
    return width * y_bar * slope(x), None


def soft_jvp(x, width, y, x_dot, width_dot):
    return width * x_dot * slope(x)


def of_softsign(x, c):
    return c * np.sum(softsign(np.sin(x))) + np.sum(softsign(x, 2.0))


def of_softened(x, c):
    total = 0.0
    for _ in range(2):
        total = total + c * np.sum(softened(x * x, 2.0))
    return total


def softsign_slopes(x, c):
    inner = np.cos(x) / (1.0 + np.abs(np.sin(x))) ** 2
    return c * inner + 2.0 / (2.0 + np.abs(x)) ** 2


PAIR = s2sad.rule_for(softened, reverse=soft_rev, forward=soft_jvp)
OF_TEXT = s2sad.rules_from(SOFTSIGN, {"softsign": softsign})
OWN_BY_TEXT = s2sad.rules_from(THRICE, {"softened": softened})
RULES = {
    "of a function without a source": (of_softsign, OF_TEXT, softsign_slopes),
    "of a function of one's own": (of_softened, OWN_BY_TEXT, lambda x, c: 24.0 * c * x),
    "of two functions": (of_softened, PAIR, lambda x, c: 24.0 * c * x),
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_of_a_user_is_applied(name):
    function, rules, slopes = RULES[name]
    made = s2sad.grad(function, rules=rules, like=(U, 1.5))
    np.testing.assert_allclose(made(U, 1.5), slopes(U, 1.5), rtol=1e-13, err_msg=made.source)
    tangent = s2sad.jvp(function, rules=rules, like=(U, 1.5))
    expected = np.sum(slopes(U, 1.5) * DOT)
    assert tangent(U, 1.5, DOT)[1] == pytest.approx(expected, rel=1e-13), tangent.source
    assert "softened_rev" not in made.source, "its own text is not differentiated"


@pytest.mark.parametrize("name", RULES)
def test_second_derivatives_go_by_the_rule_too(name):
    function, rules, slopes = RULES[name]
    product = s2sad.hvp(function, rules=rules, like=(U, 1.5))
    moved = [slopes(U + sign * 1e-6 * DOT, 1.5) for sign in (1.0, -1.0)]
    np.testing.assert_allclose(
        product(U, 1.5, DOT), (moved[0] - moved[1]) / 2e-6, atol=1e-7, err_msg=product.source
    )


def test_a_rule_holds_in_one_derivative():
    right = s2sad.grad(of_softened, like=(U, 1.5))
    wrong = s2sad.grad(of_softened, rules=OWN_BY_TEXT, like=(U, 1.5))
    for _ in range(2):
        np.testing.assert_allclose(right(U, 1.5), 8.0 * 1.5 * U)
        np.testing.assert_allclose(wrong(U, 1.5), 24.0 * 1.5 * U)


def test_registered_rules_hold_for_what_was_made_before():
    made = s2sad.grad(of_softened, like=(U, 1.5))
    before = made(U, 1.5)
    registered = s2sad.register_rules(PAIR)
    try:
        np.testing.assert_allclose(made(U, 1.5), 3.0 * before)
    finally:
        s2sad.unregister_rules(registered)
    np.testing.assert_array_equal(made(U, 1.5), before)


def test_rules_of_what_s2sad_knows_are_not_passed_over():
    text = 'FAMILY = "elementwise"\ndef up(x):\n    y = np.round(x)\n    x_bar = 3.0 * y_bar'
    made = s2sad.grad(lambda x: np.sum(np.round(x)), rules=text, like=(U,))
    np.testing.assert_array_equal(made(U), np.full(3, 3.0))


def test_words_of_samples_are_those_that_tests_draw():
    assert {*DOMAINS, *OTHER_WORDS} == OF_SAMPLES


# ---------------------------------------------------------------------------- hooks


def clipped(bar):
    return np.clip(bar, -1.0, 1.0)


def looked_at(bar):
    print("adjoint", bar)


def with_clipping(x):
    y = s2sad.on_adjoint(x * x, clipped)
    return np.sum(3.0 * y)


def with_a_look(x):
    y = s2sad.on_adjoint(x * x, looked_at)
    return 3.0 * np.sum(y)


def with_a_function_of_numpy(x):
    return np.sum(s2sad.on_adjoint(x, np.negative) * x)


def test_the_adjoint_goes_through_a_hook():
    np.testing.assert_array_equal(gradients(with_clipping, (U,))[1](U)[0], 2.0 * U)
    np.testing.assert_array_equal(gradients(with_a_function_of_numpy, (U,))[1](U)[0], 0.0 * U)
    text, made = gradients(with_a_look, (U,))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        np.testing.assert_allclose(made(U)[0], 6.0 * U, err_msg=text)
    assert said.getvalue() == "adjoint [3. 3. 3.]\n", text


def test_a_tangent_does_not():
    text, made = gradients(with_clipping, (U,), None, "jvp")
    assert made(U, DOT)[1] == pytest.approx(np.sum(6.0 * U * DOT)), text


def hooked_and_written(x):
    u = x * 1.0
    v = s2sad.on_adjoint(u, clipped)
    u[0] = 2.0 * x[1]
    return np.sum(v * 3.0)


def stopped_and_written(x):
    u = x * x
    w = s2sad.stop_gradient(u)
    u[0] = x[1]
    return np.sum(w * u)


@pytest.mark.parametrize("function", [hooked_and_written, stopped_and_written])
@pytest.mark.parametrize("form", ["grad", "jvp"])
def test_a_mark_on_memory_that_is_written_is_left_to_others(function, form):
    with pytest.raises(NotYet, match="a mark on an array"):
        gradients(function, (U,), None, form)


# ---------------------------------------------------------------------------- regions


def in_a_region(x):
    kept = []
    with s2sad.no_grad():
        scale, w = np.max(np.abs(x)), x * x
        if scale > 0.5:
            w[0] = scale * x[1]
        kept.append(w[2] * scale)
        total = 0.0
        for each in x:
            total += each * scale
    return np.sum(w * x) * scale + kept[0] * x[0] * total


def of_another_name(x):
    with s2sad.no_grad():
        y = x
    return np.sum(y * x)


@pytest.mark.parametrize("form", ["grad", "jvp"])
def test_what_is_computed_in_a_region_counts_as_constant(form):
    scale, w = np.max(np.abs(U)), U * U
    w[0] = scale * U[1]
    expected = w * scale + np.array([w[2] * scale * np.sum(U) * scale, 0.0, 0.0])
    for function, slopes in {in_a_region: expected, of_another_name: U}.items():
        text, made = gradients(function, (U,), None, form)
        if form == "grad":
            np.testing.assert_allclose(made(U)[0], slopes, rtol=1e-13, err_msg=text)
        else:
            assert made(U, DOT)[1] == pytest.approx(np.sum(slopes * DOT)), text
        assert "s2sad" not in "".join(line.split("#")[0] for line in text.splitlines()[8:])


def scaled_in_place(x):
    with s2sad.no_grad():
        x *= 2.0
    return np.sum(x * x)


def stored_to(x):
    with s2sad.no_grad():
        x[0] = 2.0
    return np.sum(x * x)


def written_by_a_function(x):
    with s2sad.no_grad():
        np.add.at(x, 0, 1.0)
    return np.sum(x * x)


@pytest.mark.parametrize("function", [scaled_in_place, stored_to, written_by_a_function])
def test_a_region_changes_nothing_around_it(function):
    with pytest.raises(Unsupported, match="in a region without gradients"):
        gradients(function, (U,))


# ---------------------------------------------------------------------------- (value, aux)


def with_an_array(x, c):
    r = np.sin(x) * c
    return np.sum(r * r), r


def with_a_buffer(x, c):
    u = x * c
    for k in range(1, 3):
        u[k] = u[k] * u[k - 1]
    return np.sum(u), u


def with_its_argument(x, c):
    return c * np.sum(x**3), x


def with_a_dict(x, c):
    r = np.exp(x) * c
    return np.sum(r), {"r": r, "largest": np.max(r)}


@pytest.mark.parametrize("function", [with_an_array, with_a_buffer, with_its_argument, with_a_dict])
def test_what_comes_beside_the_value_comes_back(function):
    made = s2sad.grad(function, has_aux=True, like=(U, 1.5))
    both = s2sad.value_and_grad(function, has_aux=True, like=(U, 1.5))
    value, aux = function(U, 1.5)
    slopes = differences(lambda x: function(x, 1.5)[0], (U,), (0,))
    gradient, beside = made(U, 1.5)
    (again, beside_too), too = both(U, 1.5)
    assert again == value
    for found in (gradient, too):
        assert compare(flatten((found,), (U,)), slopes) is None, made.source
        assert found is not beside and found is not beside_too
    for found in (beside, beside_too):
        np.testing.assert_equal(found, aux, err_msg=made.source)


# ---------------------------------------------------------------------------- what is no plain function


def handed_on(function):
    @functools.wraps(function)
    def wrapper(*args, **keywords):
        return function(*args, **keywords)

    return wrapper


@handed_on
def decorated(x, c=2.0):
    return c * np.sum(x**2)


def of_a_function(g, x, c):
    return c * np.sum(g(x))


class Switched:
    def __init__(self):
        self.is_square = True

    def __call__(self, x):
        return np.sum(x**2) if self.is_square else np.sum(x)


@pytest.mark.parametrize(
    ("function", "slopes"),
    [
        (decorated, 3.0 * U),
        (functools.partial(of_a_function, np.sin), 1.5 * np.cos(U)),
    ],
)
def test_what_stands_for_a_function_is_read(function, slopes):
    made = s2sad.grad(function, like=(U, 1.5))
    np.testing.assert_allclose(made(U, 1.5), slopes, rtol=1e-13, err_msg=made.source)


def test_an_option_of_an_object_is_what_it_is_by_now():
    switched = Switched()
    made = s2sad.grad(switched, like=(U,))
    np.testing.assert_allclose(made(U), 2.0 * U)
    switched.is_square = False
    np.testing.assert_allclose(made(U), np.ones(3))
