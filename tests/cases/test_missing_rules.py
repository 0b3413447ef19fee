"""Functions of NumPy and SciPy that users met without a rule, in programs as they write them."""

import numpy as np
import pytest
from scipy import linalg, signal, sparse, special, stats
from scipy.sparse.linalg import factorized, splu

import s2sad

RNG = np.random.default_rng(24)
V, W = RNG.standard_normal(5), RNG.standard_normal(5)
A, B = RNG.standard_normal((3, 3)), RNG.standard_normal((3, 3))
STACK = 0.3 * RNG.standard_normal((2, 3, 3))
ROW = RNG.standard_normal(24)
STIFF = A @ A.T + 4.0 * np.eye(3)
LU, CHOLESKY = linalg.lu_factor(STIFF), linalg.cho_factor(STIFF)


# ---------------------------------------------------------------------------- factors kept


def steps_with_a_factor_of_the_module(u):
    for _ in range(4):
        u = linalg.lu_solve(LU, u + 0.1 * u**2)
    return np.sum(u * u)


def steps_with_a_factor_that_is_given(u, factor):
    for _ in range(3):
        u = linalg.cho_solve(factor, u * u)
    return np.sum(u)


def steps_with_a_factor_made_here(u, K):
    factor = linalg.cho_factor(K + np.eye(3))
    back = linalg.lu_factor(K)
    for _ in range(2):
        u = linalg.cho_solve(factor, u) * linalg.lu_solve(back, u, trans=1)
    return np.sum(u * u)


def a_factor_in_one_line(b, K):
    return np.sum(linalg.cho_solve(linalg.cho_factor(K), b) ** 2)


SPARSE = splu(sparse.csc_matrix(STIFF))
SOLVER = factorized(sparse.csc_matrix(STIFF))


class Stepper:
    def __init__(self):
        self.factors = SPARSE

    def step(self, u):
        return self.factors.solve(u, "T")


STEPPER = Stepper()


def steps_with_sparse_factors_of_the_module(u):
    for _ in range(3):
        u = SPARSE.solve(u + 0.1 * u**2)
    return np.sum(u * u)


def steps_with_a_solver_of_the_module(u):
    return np.sum(SOLVER(SOLVER(u) * u) ** 2)


def steps_with_sparse_factors_of_an_object(u):
    return np.sum(STEPPER.step(u * u)) * np.sum(SPARSE.solve(np.outer(u, u)) ** 2)


# ---------------------------------------------------------------------------- joins


def definite(M):
    return M @ M.T + 3.0 * np.eye(len(M))


def joined_flat(M, v):
    return np.sum(np.concatenate([M, v, 2.0 * M], axis=None) ** 3)


def blocks_of_any_number(M, v):
    whole = linalg.block_diag(M, v, 2.0, M * M, v[:2])
    return np.sum(whole**3)


def one_block(M):
    whole = linalg.block_diag(M)
    whole[0, 0] = 1.0
    return np.sum(whole * M)


def sums_by_numbers(M, N):
    return np.sum(np.einsum(M, [0, 1], N, [1, 2], [2, 0]) ** 2) + np.einsum(M, [4, 4])


# ---------------------------------------------------------------------------- slopes


def slopes_of_a_volume(T):
    gx, gy, gz = np.gradient(T)
    return np.sum(gx * gy + gz**2)


def slopes_along_two_axes(T):
    a, b = np.gradient(T, 0.5, 2.0, axis=(2, 0))
    return np.sum(a**2 * b)


def slopes_of_which_some_are_taken(T):
    a, b = np.gradient(T)[:2]
    last = np.gradient(T)[-1:]
    return np.sum(np.hypot(*np.gradient(T)[1:]) * a) + sum(np.gradient(T)[:2])[0, 0, 0] * np.sum(
        b * last[0] ** 2
    )


def pieces_counted(T):
    return len(np.split(T, 2)) * np.sum(T**2)


def slopes_by_points(t, f):
    return np.sum(np.gradient(f, t, edge_order=2) ** 2)


def slopes_of_rows_by_points(t, F):
    return np.sum(np.gradient(F, t, axis=0) ** 2)


def both_grids(x, y, F):
    fx, fy = np.gradient(F, x, y)
    return np.sum(fx * fy)


# ---------------------------------------------------------------------------- the rest


def least_of_three(v, w):
    return np.sum(np.minimum.reduce([v, w, v * w]) + np.maximum.reduce((v, w)) ** 2)


def out_of_range(v):
    return np.sum(np.take(v, [7, -9, 2], mode="wrap") * v.take([9, 0, -3], mode="clip"))


def over_axes(T):
    return np.sum(np.apply_over_axes(np.sum, T, [0, 2]) ** 2)


def general_modes(K, M):
    w, v = linalg.eigh(definite(K), definite(M))
    return np.sum(w**2) + np.sum(v[:, 1] ** 4) + np.sum(linalg.eigvalsh(definite(K), definite(M)))


def exponentials(T):
    return np.sum(linalg.expm(T) ** 2)


def spectra(x):
    f, density = signal.welch(x, fs=2.0, nperseg=8)
    _, _, windows = signal.stft(x, nperseg=8)
    _, whole = signal.periodogram(x, scaling="spectrum")
    return np.sum(f * density) + np.sum(np.abs(windows) ** 4) + np.sum(whole**2)


def density(data, at):
    kernel = stats.gaussian_kde(data)
    return np.sum(np.log(kernel(at))) + np.sum(kernel.evaluate(2.0 * at))


def exponent_of_zeta(s):
    return special.zeta(s) * special.zeta(s + 1.0, 0.7)


def around_the_edge(image, kernel):
    a = signal.convolve2d(image, kernel, mode="same", boundary="wrap")
    return np.sum(a * signal.convolve2d(image, kernel, mode="same", boundary="symm"))


def periods(xp, x, fp):
    return np.sum(np.interp(x, xp, fp, period=2.0) ** 2)


def along_axes(M, N):
    return np.sum(np.linalg.vecdot(M, N, axis=0) ** 2) * np.linalg.vector_norm(M, axis=(0, 1))


T = np.array([0.0, 0.4, 1.0, 1.7])
CASES = {
    steps_with_a_factor_of_the_module: (V[:3],),
    steps_with_a_factor_that_is_given: (V[:3], CHOLESKY),
    steps_with_a_factor_made_here: (V[:3], STIFF),
    a_factor_in_one_line: (V[:3], STIFF),
    steps_with_sparse_factors_of_the_module: (V[:3],),
    steps_with_a_solver_of_the_module: (V[:3],),
    steps_with_sparse_factors_of_an_object: (V[:3],),
    joined_flat: (A, V),
    blocks_of_any_number: (A, V),
    one_block: (A,),
    sums_by_numbers: (A, B),
    slopes_of_a_volume: (STACK,),
    slopes_along_two_axes: (STACK,),
    slopes_of_which_some_are_taken: (STACK,),
    pieces_counted: (STACK,),
    slopes_by_points: (T, V[:4]),
    slopes_of_rows_by_points: (T, RNG.standard_normal((4, 2))),
    both_grids: (T, T[:3], RNG.standard_normal((4, 3))),
    least_of_three: (V, W),
    out_of_range: (V,),
    over_axes: (STACK,),
    general_modes: (A, B),
    exponentials: (STACK,),
    spectra: (ROW,),
    density: (ROW, V),
    exponent_of_zeta: (2.4,),
    around_the_edge: (RNG.standard_normal((4, 5)), A),
    periods: (np.array([0.1, 0.5, 1.1, 1.6]), np.array([-0.5, 0.2, 0.9]), V[:4]),
    along_axes: (A, B),
}
# a factor that is given does not vary
VARY = {steps_with_a_factor_that_is_given: ("u",)}


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("given", [False, True])
def test_gradients_agree_with_differences(function, given):
    args = CASES[function]
    wrt = VARY.get(function, function.__code__.co_varnames[: len(args)])
    gradient = s2sad.grad(function, wrt, like=args if given else None)
    found = gradient(*args)
    for name, slope in zip(wrt, found, strict=True):
        at = function.__code__.co_varnames.index(name)
        direction = RNG.standard_normal(np.shape(args[at]))
        wanted = along(function, args, at, direction)
        assert np.isclose(np.sum(slope * direction), wanted, rtol=1e-6, atol=1e-7), name


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_forward_mode_agrees(function):
    args = CASES[function]
    wrt = VARY.get(function, function.__code__.co_varnames[: len(args)])
    directions = [RNG.standard_normal(np.shape(args[i])) for i in range(len(wrt))]
    _, slope = s2sad.jvp(function, wrt)(*args, *directions)
    wanted = sum(along(function, args, i, each) for i, each in enumerate(directions))
    assert np.isclose(slope, wanted, rtol=1e-6, atol=1e-7)


def along(function, args, at, direction):
    """Return the derivative along a direction by Richardson's differences."""

    def moved(step):
        return function(*args[:at], args[at] + step * direction, *args[at + 1 :])

    def central(step):
        return (moved(step) - moved(-step)) / (2.0 * step)

    return (4.0 * central(1e-4) - central(2e-4)) / 3.0


def parted_and_taken_apart(x):
    first, second = np.unstack(np.outer(x[:2], x))
    return np.sum(np.partition(x**2, 2)[:2] ** 2) + np.sum(first * second)


def test_second_derivatives_of_what_is_parted():
    if not hasattr(np, "unstack"):
        pytest.skip("np.unstack is one of NumPy 2.1")
    direction = RNG.standard_normal(V.shape)
    gradient = s2sad.grad(parted_and_taken_apart)
    wanted = (gradient(V + 1e-6 * direction) - gradient(V - 1e-6 * direction)) / 2e-6
    for like in (None, (V,)):
        found = s2sad.hessian(parted_and_taken_apart, like=like)(V) @ direction
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


def slopes_in_a_list_on_the_spot(T):
    a, b = list(np.gradient(T))[:2]
    return np.sum(a * b)


def pieces_turned(T):
    return sum(np.sum(v**2) * w[0, 0, 0] for v, w in zip(reversed(np.split(T, 2)), np.split(T, 2)))


def pieces_copied(T):
    return sum(np.sum(v**3) for v in np.split(T, 2).copy())


@pytest.mark.parametrize("function", (pieces_turned, pieces_copied, slopes_in_a_list_on_the_spot))
def test_methods_of_the_list_that_a_library_gives(function):
    direction = RNG.standard_normal(STACK.shape)
    wanted = along(function, (STACK,), 0, direction)
    for like in (None, (STACK,)):
        found = s2sad.jvp(function, like=like)(STACK, direction)[1]
        assert np.isclose(found, wanted, rtol=1e-7)
        pulled = s2sad.grad(function, like=like)(STACK)
        assert np.isclose(np.sum(pulled * direction), wanted, rtol=1e-7)


def power(x):
    return np.sum(signal.welch(np.tile(x, 8) * np.arange(24.0), nperseg=8)[1] ** 2)


def test_second_derivatives_of_spectra():
    direction = RNG.standard_normal(3)
    gradient = s2sad.grad(power)
    wanted = (gradient(V[:3] + 1e-6 * direction) - gradient(V[:3] - 1e-6 * direction)) / 2e-6
    for like in (None, (V[:3],)):
        found = s2sad.hvp(power, like=like)(V[:3], direction)
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


def test_the_results_of_math_are_numbers():
    import math

    def rooted(x, a):
        y = math.cbrt(x) * math.exp2(x)
        y *= y
        return a * y * x

    text = s2sad.grad(rooted, ("x", "a"), like=(0.4, 2.0)).source
    assert "np." not in text and "_copied" not in text and "_sum_to" not in text
    assert s2sad.check_grad(rooted, (0.4, 2.0), ("x", "a"))


@pytest.mark.parametrize("options", [{}, {"bias": True}, {"ddof": 0}])
def test_variance_of_an_array_without_axes_is_refused(options):
    with pytest.raises(s2sad.NoRule, match=r"numpy\.cov"):
        s2sad.grad(lambda x: np.cov(x, **options))(np.array(3.0))


def translation(x):
    return x[:3, 3] if x[0, 0] > 0.5 else np.outer(x[0], x[1])


def joined_in_brackets(T):
    return np.sum(np.r_[translation(T), T[0, :3]] ** 2)


def test_brackets_that_join_what_has_no_known_rank_say_so():
    with pytest.raises(s2sad.NoRule, match=r"np\.r_ has no derivative rule for what"):
        s2sad.grad(joined_in_brackets, like=(np.ones((4, 4)),)).source  # noqa: B018
