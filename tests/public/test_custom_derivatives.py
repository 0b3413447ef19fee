"""Derivatives of the user's own: stopped, given, and looked at on their way back."""

from __future__ import annotations

import math
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad

U = np.array([0.3, -0.4, 0.9])

# ---------------------------------------------------------------------------- stopped


def weighted(x):
    w = s2sad.stop_gradient(x * x)
    return np.sum(w * x)


def stopped_in_a_loop(x):
    total = 0.0
    for _ in range(3):
        total = total + x * s2sad.stop_gradient(total + x)
    return total


def test_what_is_stopped_counts_as_constant() -> None:
    np.testing.assert_array_equal(s2sad.grad(weighted)(U), U * U)
    _, tangent = s2sad.jvp(weighted, like=(U,))(U, np.ones(3))
    assert tangent == pytest.approx(np.sum(U * U))
    # total: x^2, x^2 + x (x^2 + x), ...: of each product one factor varies
    x = 0.7
    totals = [0.0]
    for _ in range(3):
        totals.append(totals[-1] + x * (totals[-1] + x))
    expected = sum(total + x for total in totals[:-1])
    assert s2sad.grad(stopped_in_a_loop)(x) == pytest.approx(expected, rel=1e-12)


def test_the_text_does_not_mention_it(tmp_path: Path) -> None:
    made = s2sad.grad(weighted, like=(U,))
    code = "\n".join(line.split("#")[0] for line in made.source.splitlines())
    assert "stop_gradient" not in code
    path = made.save(tmp_path / "weighted_grad.py")
    np.testing.assert_array_equal(runpy.run_path(str(path))["weighted_grad"](U), U * U)


def test_a_stopped_array_that_is_written_is_right_or_refused() -> None:
    def written(x):
        u = x * x
        w = s2sad.stop_gradient(u)
        u[0] = x[1]
        return np.sum(w * u)

    try:
        found = s2sad.grad(written)(U)
    except s2sad.S2sadError:
        return
    np.testing.assert_allclose(found, [0.0, U[1] + 2 * U[1] ** 3, 2 * U[2] ** 3])


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


def test_what_is_computed_in_a_region_counts_as_constant() -> None:
    scale, w = np.max(np.abs(U)), U * U
    w[0] = scale * U[1]
    expected = w * scale + np.array([w[2] * scale * np.sum(U) * scale, 0.0, 0.0])
    made = s2sad.grad(in_a_region, like=(U,))
    np.testing.assert_allclose(made(U), expected, rtol=1e-14)
    np.testing.assert_allclose(s2sad.jvp(in_a_region)(U, np.ones(3))[1], np.sum(expected))
    assert (
        "no_grad" not in made.source and in_a_region(U) == s2sad.value_and_grad(in_a_region)(U)[0]
    )


@pytest.mark.parametrize("change", ["x *= 2.0", "np.add.at(x, 0, 1.0)", "x[0] += 1.0"])
def test_a_region_changes_nothing_around_it(change: str, tmp_path: Path) -> None:
    text = f"import numpy as np, s2sad\ndef f(x):\n    with s2sad.no_grad():\n        {change}\n"
    path = tmp_path / "changing.py"
    path.write_text(text + "    return np.sum(x * x)\n")
    function = runpy.run_path(str(path))["f"]
    with pytest.raises(s2sad.Unsupported, match="in a region without gradients") as caught:
        s2sad.grad(function).source  # noqa: B018
    assert "line 4, in f" in str(caught.value)


# ---------------------------------------------------------------------------- given


@s2sad.custom_derivative(
    reverse=lambda a, y, y_bar: 3.0 * y_bar * a, forward=lambda a, y, a_dot: 3.0 * a * a_dot
)
def squared(a):
    return a * a


def of_lambdas(x):
    return np.sum(squared(x))


def test_derivatives_that_are_lambdas_have_names_in_a_text(tmp_path: Path) -> None:
    made = s2sad.grad(of_lambdas, like=(U,))
    assert "def squared_reverse(a, y, y_bar):" in made.source
    path = made.save(tmp_path / "of_lambdas_grad.py")
    np.testing.assert_allclose(runpy.run_path(str(path))["of_lambdas_grad"](U), 3.0 * U)
    assert s2sad.jvp(of_lambdas)(U, U)[1] == pytest.approx(3.0 * np.sum(U * U))
    np.testing.assert_allclose(s2sad.hvp(of_lambdas)(U, U), 3.0 * U)


def root_reverse(a, b, y, y_bar):
    half = y_bar / (2.0 * y)
    return half * b, half * a


def root_forward(a, b, y, a_dot, b_dot):
    return (a_dot * b + a * b_dot) / (2.0 * y)


@s2sad.custom_derivative(reverse=root_reverse, forward=root_forward)
def root(a, b):
    """sqrt(a b), found by an iteration whose own derivative nobody wants."""
    y = 1.0
    while abs(y * y - a * b) > 1e-13:
        y = 0.5 * (y + a * b / y)
    return y


def of_root(x):
    return root(x, 2.0 * x * x) * x


def reads_what_is_lost(x):
    x = root(x, x + 1.0)
    x = root(x, 2.0)
    return x * x


def doubled_reverse(u, y, y_bar):
    return 100.0 * y_bar


@s2sad.custom_derivative(reverse=doubled_reverse)
def doubled(u):
    return 2.0 * u


def of_doubled(u):
    return np.sum(doubled(u * u))


def both_reverse(u, k, y, y_bar):
    square, cube = y_bar
    return 2.0 * u * square + 3.0 * k * u * u * cube, np.sum(u**3 * cube)


@s2sad.custom_derivative(reverse=both_reverse)
def both(u, k):
    return u * u, k * u**3


def of_both(u, k):
    square, cube = both(u, k)
    return np.sum(square * cube)


def test_own_derivatives_are_called() -> None:
    # sqrt(2 x^3) x
    exact = math.sqrt(2.0) * 2.5 * 1.3**1.5
    assert s2sad.grad(of_root)(1.3) == pytest.approx(exact, rel=1e-9)
    assert s2sad.jvp(of_root)(1.3, 1.0)[1] == pytest.approx(exact, rel=1e-9)
    np.testing.assert_array_equal(s2sad.grad(of_doubled)(U), 200.0 * U)
    assert "root_reverse(" in s2sad.grad(of_root).source


def test_values_that_the_name_no_longer_holds() -> None:
    # (sqrt(2 sqrt(x (x + 1))))^2
    x = 1.3
    exact = (2.0 * x + 1.0) / math.sqrt(x * (x + 1.0))
    assert s2sad.grad(reads_what_is_lost)(x) == pytest.approx(exact, rel=1e-9)
    assert s2sad.jvp(reads_what_is_lost)(x, 1.0)[1] == pytest.approx(exact, rel=1e-9)


def test_several_results() -> None:
    u_bar, k_bar = s2sad.grad(of_both, ("u", "k"))(U, 1.5)
    np.testing.assert_allclose(u_bar, 5.0 * 1.5 * U**4, rtol=1e-12)
    assert k_bar == pytest.approx(np.sum(U**5), rel=1e-12)


def test_second_derivatives_keep_to_them() -> None:
    # the derivative of root by its text would be that of the iteration, stopped early
    exact = math.sqrt(2.0) * 2.5 * 1.5 * 1.3**0.5
    assert s2sad.grad(s2sad.grad(of_root))(1.3) == pytest.approx(exact, rel=1e-8)
    assert s2sad.jvp(s2sad.grad(of_root))(1.3, 1.0)[1] == pytest.approx(exact, rel=1e-8)


def test_the_file_stands_alone(tmp_path: Path) -> None:
    made = s2sad.grad(of_root, like=(1.3,))
    path = made.save(tmp_path / "of_root_grad.py")
    assert "import s2sad" not in path.read_text()
    assert runpy.run_path(str(path))["of_root_grad"](1.3) == made(1.3)


def test_the_function_stays_what_it_is() -> None:
    assert root(2.0, 8.0) == pytest.approx(4.0) and root.__name__ == "root"


# ---------------------------------------------------------------------------- looked at


def power_reverse(x, k, c, y, y_bar):
    if k == 1:
        return y_bar * c, None, np.sum(y_bar * x)
    return y_bar * c * k * x ** (k - 1), None, np.sum(y_bar * x**k)


def power_forward(x, k, c, y, x_dot, k_dot, c_dot):
    return c * k * x ** (k - 1) * x_dot + c_dot * x**k


@s2sad.custom_derivative(reverse=power_reverse, forward=power_forward)
def scaled_power(x, k, c=2.0):
    return c * x**k


def of_powers(x, n, c):
    total = np.sum(scaled_power(x, n, c)) + np.sum(scaled_power(c=c, k=3, x=x))
    for k in range(1, 4):
        total = total + np.sum(scaled_power(x, k))
    return total


def test_tangents_of_whole_numbers_are_zero() -> None:
    def plain(x, n, c):
        return np.sum(c * x**n + c * x**3) + 2.0 * np.sum(x + x**2 + x**3)

    args, along = (U, 4, 0.7), np.array([1.0, 0.5, -2.0])
    assert np.allclose(s2sad.jvp(of_powers)(*args, along), s2sad.jvp(plain)(*args, along))
    assert np.allclose(s2sad.hvp(of_powers)(*args, along), s2sad.hvp(plain)(*args, along))
    assert s2sad.check_grad(of_powers, args, ("x", "c"))


seen: list[Any] = []


def clipped(bar):
    return np.clip(bar, -1.0, 1.0)


def looked_at(bar):
    print("adjoint", bar)


def with_clipping(x):
    y = s2sad.on_adjoint(x * x, clipped)
    return np.sum(3.0 * y)


def with_a_look(x):
    y = s2sad.on_adjoint(x * x, looked_at)
    return 3.0 * y


def test_hooks_run_in_the_reverse_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    np.testing.assert_array_equal(s2sad.grad(with_clipping)(U), 2.0 * U)
    assert s2sad.grad(with_a_look)(0.5) == 3.0
    assert capsys.readouterr().out == "adjoint 3.0\n"
    assert s2sad.jvp(with_a_look)(0.5, 1.0) == (0.75, 3.0)


def test_hooks_are_seen_in_the_text() -> None:
    text = s2sad.grad(with_a_look, like=(0.5,)).source
    assert "    looked_at(3.0)" in text or "    looked_at(y_bar)" in text
    assert "clipped(" in s2sad.grad(with_clipping, like=(U,)).source


# ---------------------------------------------------------------------------- refused


def test_wrong_numbers_of_parameters_and_adjoints() -> None:
    def one_adjoint(a, b, y, y_bar):
        return (y_bar * b,)

    def function(a, b):
        return a * b

    with pytest.raises(s2sad.ArgumentError, match=r"takes 4 arguments, .* is called with 5"):
        s2sad.custom_derivative(forward=one_adjoint)(function)
    with pytest.raises(s2sad.ArgumentError, match="gives 1 adjoints, and function has 2") as error:
        s2sad.custom_derivative(reverse=one_adjoint)(function)
    assert "return (y_bar * b,)" in str(error.value)
    with pytest.raises(s2sad.ArgumentError, match="needs reverse=, forward=, or both"):
        s2sad.custom_derivative()
    with pytest.raises(s2sad.ArgumentError, match="takes \\*args"):
        s2sad.custom_derivative(reverse=one_adjoint)(lambda *args: args)


def test_the_other_mode_is_refused() -> None:
    with pytest.raises(s2sad.Unsupported, match="reverse derivative, but no forward one"):
        s2sad.jvp(of_doubled)(U, U)


def only_u_reverse(u, k, y, y_bar):
    return k * y_bar, None


@s2sad.custom_derivative(reverse=only_u_reverse)
def only_u(u, k):
    return k * u


def of_only_u(u, k):
    return np.sum(only_u(u, k))


def test_an_adjoint_may_be_left_out_of_what_does_not_vary() -> None:
    np.testing.assert_array_equal(s2sad.grad(of_only_u)(U, 3.0), np.full(3, 3.0))
    with pytest.raises(s2sad.Unsupported, match="gives no adjoint of k, which varies"):
        s2sad.grad(of_only_u, "k")(U, 3.0)


NORMS: list[Any] = []


def kept(y_bar):
    NORMS.append(np.linalg.norm(y_bar))


def test_a_hook_that_keeps_what_it_gets_in_the_module_is_refused() -> None:
    def keeping(x):
        return np.sum(s2sad.on_adjoint(x * x, kept))

    with pytest.raises(s2sad.Unsupported, match="kept, which is no function of the adjoint alone"):
        s2sad.grad(keeping)(U)


def test_hooks_that_are_not_known_are_refused() -> None:
    def unknown(x, hook):
        return s2sad.on_adjoint(x * x, hook) * 2.0

    with pytest.raises(s2sad.Unsupported, match="hook of on_adjoint is not known"):
        s2sad.grad(unknown).source  # noqa: B018


# ---------------------------------------------------------------------------- shapes


def summed_reverse(x, y, y_bar):
    return np.sum(y_bar)


def summed_forward(x, y, x_dot):
    return np.sum(2.0 * x_dot)


@s2sad.custom_derivative(reverse=summed_reverse, forward=summed_forward)
def twice(x):
    return x * 2.0


def uses_twice(x):
    return np.sum(twice(x) * x)


@pytest.mark.parametrize(
    ("derive", "given"), [(s2sad.grad, ()), (s2sad.jvp, (np.ones(2),)), (s2sad.hvp, (np.ones(2),))]
)
def test_a_derivative_of_another_shape_is_refused_with_its_line(derive: Any, given: Any) -> None:
    """A number in place of a vector would silently be spread over it."""
    with pytest.raises(s2sad.Unsupported, match=r"has 0 axes, and .* has 1") as caught:
        derive(uses_twice)(np.array([0.7, -1.3]), *given)
    assert caught.value.span is not None and "twice(x)" in caught.value.span.text()


def test_of_a_number_a_number_is_right() -> None:
    assert s2sad.grad(lambda x: twice(x) * x)(0.7) == pytest.approx(0.7 + 2.0 * 0.7 * 1.0)
