"""Real programs that go through complex numbers: the gradient can be followed downhill."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, linalg

import s2sad

# whether eigenvalues are complex is decided by the numbers: of the first they are, of the second not
TURNING = np.array([[0.1, 1.3, -0.4], [-1.5, 0.6, 0.2], [0.3, 0.7, 1.7]])
STRETCHING = np.array([[2.1, 0.3, -0.4], [0.5, 1.6, 0.2], [-0.3, 0.7, 2.7]])


def total(A: Any) -> Any:
    return np.sum(np.linalg.eigvals(A)).real


def radius(A: Any) -> Any:
    return np.max(np.abs(np.linalg.eigvals(A)))


def spread(A: Any) -> Any:
    w, v = np.linalg.eig(A)
    return np.mean(w * w.conj()).real + np.sum(np.abs(v[0]) ** 2) + np.sum(w.imag**2)


def rebuilt(A: Any) -> Any:
    w, v = np.linalg.eig(A)
    return np.sum((v @ np.diag(np.exp(w)) @ np.linalg.inv(v)).real ** 2)


def wave(A: Any) -> Any:
    z = np.exp(1j * A[0]) * A[1] + 1j * A[2]
    return np.sum(np.abs(np.fft.fft(z)) ** 2 * np.arange(3.0)) + np.sum(np.conj(z) * z * z).imag


def evolved(A: Any) -> Any:
    state = linalg.expm(-1j * A) @ np.array([1.0, 0.5j, 0.2])
    return np.abs(np.vdot(state, A[0])) ** 2 + np.abs(state[1]) ** 2


def measured(A: Any) -> Any:
    z = A + 1j * np.cos(A)
    return np.linalg.norm(z) * np.std(z) + np.abs(np.linalg.det(z)) + np.var(z[0])


PROGRAMS = [total, radius, spread, rebuilt, wave, evolved, measured]


@pytest.mark.filterwarnings("error")  # a part that is cut off would be told
@pytest.mark.parametrize("at", [TURNING, STRETCHING], ids=["complex", "real"])
@pytest.mark.parametrize("f", PROGRAMS, ids=[f.__name__ for f in PROGRAMS])
def test_gradient(f: Callable[..., Any], at: Any) -> None:
    gradient, step = s2sad.grad(f, like=(STRETCHING,)), 1e-5 * np.cos(np.arange(9.0)).reshape(3, 3)
    slope = (f(at + step) - f(at - step)) / 2.0
    assert np.sum(gradient(at) * step) == pytest.approx(slope, rel=1e-6)
    assert s2sad.jvp(f)(at, step)[1] == pytest.approx(slope, rel=1e-6)
    bend = (gradient(at + step) - gradient(at - step)) / 2.0
    assert np.allclose(s2sad.hvp(f)(at, step), bend, rtol=1e-5, atol=1e-10)


def test_the_imaginary_part_of_what_has_no_rule_is_refused() -> None:
    signal = pytest.importorskip("scipy.signal")
    with pytest.raises(s2sad.S2sadError):  # it was taken to be real, and the slope to be zero
        s2sad.grad(lambda A: np.sum(signal.hilbert2(A).imag))(TURNING)


def turned(A: Any) -> Any:
    found = integrate.solve_ivp(lambda t, q: -1j * A[0] * q, (0.0, 1.0), np.ones(3) + 0j)
    return np.sum(found.y[:, -1].imag)


def test_a_flow_of_complex_states_is_refused() -> None:
    for derivative in (s2sad.grad, s2sad.jvp):
        with pytest.raises(
            s2sad.S2sadError, match=r"a flow of complex states|y has no derivative rule"
        ):
            _ = derivative(turned, like=(TURNING,)).source


@pytest.mark.parametrize("f", [spread, wave], ids=["spread", "wave"])
def test_a_small_step_against_it_goes_down(f: Callable[..., Any]) -> None:
    slope = s2sad.grad(f)(TURNING)
    assert slope.dtype == np.float64
    assert f(TURNING - 1e-4 * slope) < f(TURNING)


def spectrum(x: Any) -> Any:
    return np.sum(np.abs(np.fft.fft(x)) * np.arange(4.0))


def test_the_text_for_any_arguments_gives_real_slopes_of_real_arguments() -> None:
    x, names = np.array([0.3, 0.5, 0.2, 0.9]), dict[str, Any]()
    exec(s2sad.grad(spectrum).source, names)
    found, step = names["spectrum_grad"](x), 1e-6 * np.array([0.3, -1.0, 0.7, 0.2])
    assert found.dtype == np.float64
    assert found @ step == pytest.approx((spectrum(x + step) - spectrum(x - step)) / 2, rel=1e-6)


def of_any_sign(x: Any, v: Any) -> Any:
    return np.sum(np.emath.sqrt(-v * x**2).imag)


@pytest.mark.parametrize("seed", ((), (np.ones(2),)))
def test_what_is_complex_by_its_numbers_has_no_imaginary_part_of_zero(seed: Any) -> None:
    args = np.array([0.31, 0.52]), np.array([0.7, 1.3])
    with pytest.raises(ValueError, match="complex numbers"):
        (s2sad.jvp if seed else s2sad.grad)(of_any_sign, "x", like=args)(*args, *seed)


def part_of_a_root(x: float) -> float:
    y = x**0.5
    return float((2.0 * y).imag)


def half(x: float) -> float:
    return pow(x, 0.5)


def angle_of_what_a_function_gives(x: float) -> Any:
    return np.angle(half(x)) * x


def part_of_a_root_of_a_matrix(A: Any) -> Any:
    root = linalg.sqrtm(A)
    return np.sum(np.imag(root))


@pytest.mark.parametrize("form", (s2sad.grad, s2sad.jvp))
@pytest.mark.parametrize(
    ("f", "at"),
    [
        (part_of_a_root, -2.3),
        (part_of_a_root, 2.3),
        (angle_of_what_a_function_gives, -2.3),
        (part_of_a_root_of_a_matrix, -STRETCHING),
    ],
)
def test_an_imaginary_part_that_is_0_of_some_arguments_alone_is_refused(
    form: Any, f: Any, at: Any
) -> None:
    with pytest.raises(s2sad.Unsupported, match="may be complex as it runs"):
        _ = form(f, like=(at,)).source
    with pytest.raises(s2sad.Unsupported, match="may be complex as it runs"):
        _ = form(f).source


def part_of_a_square(x: float) -> float:
    y = (1.0 + x * x) ** 0.5 + x**3
    return y.real * x + y.imag


def test_of_what_is_real_whatever_the_argument_the_imaginary_part_is_0() -> None:
    assert s2sad.grad(part_of_a_square)(2.0) == pytest.approx(5.0**0.5 + 4.0 / 5.0**0.5 + 32.0)


def size_of_a_root(x: float) -> float:
    return abs(x**0.5)


def real_part_of_a_root(x: float) -> float:
    y = half(x)
    return 3.0 * y.real + x


def half_of_another(x: float) -> float:
    return (x**1.5).conjugate().real


def size_of_a_power(x: float, p: float = 0.7) -> float:
    return float(np.linalg.norm([x, x**p]))


def root_times_a_complex_number(x: float) -> float:
    return (x**0.5 * (1.0 + 2.0j)).real


def root_of_a_root(x: float) -> float:
    return abs(abs(x**0.5) + (x**0.5 * 1j).real + 2.0)


def root_in_a_complex_array(x: float) -> Any:
    z = np.zeros(2, complex)
    z[0] = x ** (1 / 3)
    z[1] = 1j * x
    return np.sum(z * (1.0 + 2.0j)).real


@pytest.mark.parametrize(
    "f",
    (
        *(size_of_a_root, real_part_of_a_root, half_of_another, size_of_a_power),
        *(root_times_a_complex_number, root_of_a_root, root_in_a_complex_array),
    ),
)
@pytest.mark.parametrize("examples", (None, (2.3,), (np.float64(2.3),)))
def test_what_differs_of_complex_numbers_is_asked_of_real_ones(f: Any, examples: Any) -> None:
    step = (f(2.3 + 1e-6) - f(2.3 - 1e-6)) / 2e-6
    twice = (f(2.3 + 1e-3) - 2.0 * f(2.3) + f(2.3 - 1e-3)) / 1e-6
    given = {} if examples is None else {"like": examples}
    assert s2sad.grad(f, "x", **given)(2.3) == pytest.approx(step, rel=1e-8)
    assert s2sad.jvp(f, "x", **given)(2.3, x_dot=1.0)[1] == pytest.approx(step, rel=1e-8)
    assert s2sad.hvp(f, "x", **given)(2.3, x_dot=1.0) == pytest.approx(twice, rel=1e-5)
    with pytest.raises(ValueError, match="fractional power"):
        s2sad.grad(f, "x", **given)(-2.3)
    with pytest.raises(ValueError, match="fractional power"):
        s2sad.jvp(f, "x", **given)(-2.3, x_dot=1.0)


def hermitian(x: Any) -> Any:
    w, v = np.linalg.eigh(x[0] + 1j * x[1])
    return np.sum(w**2 * np.arange(3)) + np.sum(np.abs(v[:, 0]) ** 4) + np.sum(v.real * v.imag)


def upper_hermitian(x: Any) -> Any:
    w, v = linalg.eigh(x[0] + 1j * x[1], lower=False)
    values = linalg.eigvalsh(x[0] - 1j * x[1]) + np.linalg.eigvalsh(x[0] + 1j * x[1], "U")
    return np.sum(w**3) + np.sum(v.real**2 * np.arange(3)) + np.sum(values**3 * np.arange(3))


def singular(x: Any) -> Any:
    u, s, vh = np.linalg.svd(x[0] + 1j * x[1], full_matrices=False)
    return np.sum(s**3) + np.sum((u @ vh).imag) + np.sum(u.real**2) + np.sum(vh.imag * s[:, None])


def singular_of_scipy(x: Any) -> Any:
    u, s, vh = linalg.svd(x[0] + 1j * x[1], full_matrices=False)
    values = linalg.svdvals(x[1] + 1j * x[0]) + np.linalg.svdvals(x[0] - 1j * x[1])
    return np.sum(s**3) + np.sum((u @ vh).imag) + np.sum(u.imag**2) + np.sum(values**2)


@pytest.mark.parametrize("with_examples", (True, False))
@pytest.mark.parametrize(
    ("f", "shape"),
    [
        *((each, (2, 3, 3)) for each in (hermitian, upper_hermitian, singular, singular_of_scipy)),
        *((singular, shape) for shape in ((2, 4, 2), (2, 2, 4), (2, 1, 3), (2, 3, 1))),
        *((singular_of_scipy, shape) for shape in ((2, 5, 2), (2, 2, 3))),
    ],
)
def test_parts_of_complex_matrices(f: Any, shape: tuple[int, ...], with_examples: bool) -> None:
    rng = np.random.default_rng(sum(shape))
    x, step = rng.normal(size=shape), rng.normal(size=shape)
    how = {"like": (x,)} if with_examples else {}
    gradient = s2sad.grad(f, **how)

    def slope(of: Any) -> Any:
        near, far = of(x + 1e-4 * step) - of(x - 1e-4 * step), of(x + 2e-4 * step)
        return (8.0 * near - (far - of(x - 2e-4 * step))) / 12e-4

    along, product = np.sum(gradient(x) * step), s2sad.hvp(f, **how)(x, step)
    assert along == pytest.approx(slope(f), rel=1e-8)
    assert s2sad.jvp(f, **how)(x, step)[1] == pytest.approx(along, rel=1e-10)
    assert np.allclose(product, slope(gradient), rtol=1e-7, atol=1e-7)


def turn_of_a_vector(x: Any) -> Any:
    return np.sum(np.linalg.eigh(np.diag(x) + 1j * np.diag(0.0 * x))[1].imag)


@pytest.mark.parametrize("form", (s2sad.grad, s2sad.jvp))
def test_vectors_whose_turn_is_not_told_are_refused_as_the_text_runs(form: Any) -> None:
    x = np.array([1.0, 2.0, 4.0])
    with pytest.raises(ValueError, match="known but for a turn"):
        form(turn_of_a_vector)(x, *([x] if form is s2sad.jvp else []))


def test_a_schur_form_of_complex_values_is_refused_as_the_text_runs() -> None:
    turning = np.array([[1.0, -2.0, 0.1], [2.0, 1.0, 0.2], [0.0, 0.1, 3.0]])
    with pytest.raises(ValueError, match="real eigenvalues"):
        s2sad.grad(lambda A: np.sum(linalg.schur(A)[0]))(turning)
    with pytest.raises(s2sad.NoRule):
        _ = s2sad.grad(lambda A: np.sum(linalg.schur(A, "complex")[0].real), like=(turning,)).source


def phases(x: Any) -> tuple[Any, Any]:
    return x[0] * np.exp(1j * x[1]), x[0] * x * np.exp(1j * x)


def test_a_check_takes_real_seeds_for_complex_results() -> None:
    x = np.array([0.3, 0.4])
    assert s2sad.check_grad(phases, (x,)).ok
    with pytest.raises(s2sad.ArgumentError, match="seed"):
        s2sad.vjp(phases)(x, (1.0 + 2.0j, x))


def in_polar_form(x: Any) -> Any:
    size, phase = cmath.polar(x + 0.5j)
    return size * phase


def of_a_negative_number(x: Any) -> Any:
    return cmath.sqrt(-x).imag + cmath.phase(-x) * x + cmath.log(-x, 2.0).real


def of_what_is_finite(x: Any) -> Any:
    z = cmath.rect(x, 2.0 * x)
    if cmath.isnan(z) or cmath.isinf(z) or cmath.isclose(z, 0j):
        return 0.0
    return cmath.acosh(z).imag * z.real if cmath.isfinite(z) else x


@pytest.mark.parametrize("function", [in_polar_form, of_a_negative_number, of_what_is_finite])
def test_functions_of_cmath(function: Any) -> None:
    assert s2sad.check_grad(function, (0.7,)).ok
    assert not s2sad.grad(function, like=(0.7,)).source.count("np.exp")
    assert s2sad.check_grad(s2sad.grad(function), (0.7,)).ok


def made_complex_again(x: Any) -> Any:
    load = np.array(75.0 + 10j * x[0], dtype=complex).reshape(-1)
    line = np.asarray(x * 1j + 2.0, dtype=np.complex128).astype(complex)
    return np.sum(load * line**2).imag


def test_what_is_complex_is_made_complex_again() -> None:
    x = np.array([0.3, -0.4])
    assert s2sad.check_grad(made_complex_again, (x,)).ok
    assert s2sad.check_grad(s2sad.jacobian(made_complex_again), (x,)).ok


def parts_of_one_kind(x: Any) -> Any:
    system = np.array([[x[0], 1j * x[1]], [2.0, x[0] * x[1]]], dtype=complex)
    right = np.array([1, x[1]], dtype=np.complex128)
    rows = np.array([x, x * 1j], dtype=complex) * (1 + 2j)
    return np.sum(np.linalg.solve(system, right)).imag + np.sum(np.abs(rows) ** 3)


def test_numbers_of_several_kinds_make_a_complex_array() -> None:
    x = np.array([0.3, -0.4])
    assert s2sad.check_grad(parts_of_one_kind, (x,)).ok
    assert s2sad.check_grad(s2sad.grad(parts_of_one_kind), (x,)).ok


def eigenvalues_of_complex(x: Any) -> Any:
    w, v = np.linalg.eig(np.array([[x[0] + 1j, 2.0], [0.5, x[1]]]))
    return np.sum(np.abs(w) ** 2)


def union_of_complex(x: Any) -> Any:
    return np.sum(np.union1d(x + 0.5j, 2.0)).real


def test_complex_numbers_are_the_cause_where_real_ones_have_a_rule() -> None:
    x = np.array([0.3, 0.4])
    with pytest.raises(s2sad.Unsupported, match="max of complex numbers"):
        s2sad.grad(lambda x: np.max(x * 1j).imag)(x)
    with pytest.raises(s2sad.NoRule, match="union1d has no derivative rule"):
        s2sad.grad(union_of_complex)(x)
    with pytest.raises(s2sad.Unsupported, match="eig of complex numbers"):
        s2sad.grad(eigenvalues_of_complex)(x)


def times_i(x: Any) -> Any:
    return 1j * x**2


def test_a_complex_seed_is_told_what_to_return() -> None:
    with pytest.raises(s2sad.ArgumentError, match=r"y\.real and y\.imag, and give each a seed"):
        s2sad.vjp(times_i)(np.array([0.3, 0.4]), seed=np.array([1.0, 1j]))
