"""Texts made without examples are right for numbers, vectors and matrices, or say that they are not."""

import inspect
import math
import re

import numpy as np
import pytest
from scipy import linalg
from scipy.special import logsumexp

import s2sad
from s2sad.api.answer import answer
from s2sad.api.request import Request
from s2sad.ir.errors import NotYet
from tests.kernels.signals import soft_alignment
from tests.oracles import compare, differences, flatten
from tests.rooms.forward import judged
from tests.rooms.unexampled import run_alone
from tests.rooms.unexampled_fuzz import verdict


def text_of(function, wrt, form="grad"):
    wrt = (wrt,) if isinstance(wrt, str) else wrt
    return answer(Request(function, wrt, form, len(wrt) == 1), None)


def fault(function, made, args, wrt=(0,)):
    """Return how the adjoints of a text differ from differences, None where they do not."""
    found = run_alone(made)(*args)
    numbers = flatten(found if len(wrt) > 1 else (found,), tuple(args[k] for k in wrt))
    return compare(numbers, differences(function, args, wrt))


rng = np.random.default_rng(3)
NUMBER, VECTOR, MATRIX, CUBE = 0.7, rng.random(3), rng.random((2, 3)), rng.random((4, 2, 3))
SHAPES = (NUMBER, np.float64(0.3), VECTOR, MATRIX, CUBE)


def waves(x, w):
    y = np.sin(x) * w
    return np.sum(y**2 + x / (1.0 + w**2))


def summed(x, w):
    return np.sum(x + w) + np.mean(x) * np.max(w)


def powers(x, w):
    return np.sum(x**w + w ** (-2) + np.sqrt(x))


def chosen(x, w):
    y = np.where(x > w, x * w, x - w)
    return np.sum(np.exp(-y))


def grown(x, w):
    total = 0.0
    for k in range(3):
        total += x * w**k
    return np.sum(total)


def branched(x, w):
    y = x * w
    if np.ndim(y) > 1:
        y = y * x
    elif np.sum(y) > 1.0:
        y = y + w
    return np.sum(y * y)


def arms(x, w):
    return np.sum((x * w if np.ndim(x) else w - x) ** 2)


ANY = (waves, summed, powers, chosen, grown, branched, arms)


@pytest.mark.parametrize("function", ANY, ids=lambda f: f.__name__)
def test_one_text_for_every_rank(function):
    made = text_of(function, ("x", "w"))
    for x in SHAPES:
        for w in SHAPES:
            assert fault(function, made, (x + 0.1, w + 0.2), (0, 1)) is None, made.source


@pytest.mark.parametrize("function", ANY, ids=lambda f: f.__name__)
def test_whole_numbers_are_not_cut_off(function):
    made = text_of(function, "x")
    for x in (2, np.array([1, 2, 3]), np.array([[3, 1, 2], [2, 2, 1]])):
        for w in (0.7, VECTOR, 3, np.arange(1, 4)):
            if function is powers and np.asarray(w).dtype.kind == "i":
                continue  # NumPy raises no whole number to a negative one
            exact = np.asarray(run_alone(made)(np.asarray(x, float), np.asarray(w, float)))
            try:
                found = run_alone(made)(x, w)
            except ValueError as error:
                assert any(message in str(error) for message in made.messages)
                continue
            np.testing.assert_allclose(found, exact)


@pytest.mark.parametrize("function", ANY, ids=lambda f: f.__name__)
def test_single_precision(function):
    made = text_of(function, "x")
    for x in SHAPES[2:]:
        found = run_alone(made)((x + 0.1).astype("float32"), VECTOR.astype("float32"))
        np.testing.assert_allclose(found, run_alone(made)(x + 0.1, VECTOR), rtol=1e-4)


@pytest.mark.parametrize("function", ANY, ids=lambda f: f.__name__)
def test_one_tangent_for_every_rank(function):
    run = run_alone(text_of(function, ("x", "w"), "jvp"))
    for x in SHAPES:
        for w in SHAPES[:4]:
            assert judged(function, (x + 0.1, w + 0.2), (0, 1), run) is None


@pytest.mark.parametrize("form", ("hvp", "jacobian", "hessian", "laplacian"))
def test_second_derivatives_and_matrices_for_every_rank(form):
    run = run_alone(text_of(waves, "x", form))
    for x in SHAPES[:4]:
        args = (x, 0.6 + VECTOR if np.ndim(x) else 0.6)
        more = (x,) if form == "hvp" else ()
        exact = getattr(s2sad, form)(waves, "x", like=args)(*args, *more)
        np.testing.assert_allclose(run(*args, *more), exact, rtol=1e-12)


def test_rows_of_a_result_whose_shape_the_function_gives():
    request = Request(turned, ("x",), "jacobian", mode="reverse")
    run = run_alone(answer(request, None))
    for x in SHAPES[2:]:
        exact = s2sad.jacobian(turned, "x", like=(x, 0.6))(x, 0.6)
        np.testing.assert_allclose(run(x, 0.6), exact, rtol=1e-12)


def turned(x, w):
    return np.sin(np.transpose(x[1:]) * w)


def behind(x, w):
    return x[1:] * w


def two_parts(x, w):
    return behind(x, w), x[0]


@pytest.mark.parametrize(("function", "parts"), ((behind, ()), (two_parts, (0.3,))))
def test_a_seed_has_the_shape_of_the_result(function, parts):
    made = text_of(function, "x", "vjp")
    for x, w in ((VECTOR, 0.4), (VECTOR, MATRIX[:, 1:]), (MATRIX, VECTOR), (CUBE, MATRIX)):
        shape, first = np.shape(behind(x, w)), np.ones(np.shape(x[0]))
        seed = (np.ones(shape), first) if parts else np.ones(shape)
        expected = differences(function, (x, w), (0,), seed)
        assert compare(flatten((run_alone(made)(x, w, seed),), (x,)), expected) is None
        wrong = (np.ones(shape[1:]), first) if parts else np.ones(shape[1:])
        with pytest.raises(ValueError, match="made for a seed of the result's shape"):
            run_alone(made)(x, w, wrong)


def slopes(x, w):
    return np.sin(x) * w


def test_slopes_of_elements_ask_for_the_shape():
    made = text_of(slopes, "x", "elementwise")
    for x in SHAPES:
        np.testing.assert_allclose(run_alone(made)(np.asarray(x), 0.5), 0.5 * np.cos(x))
    np.testing.assert_allclose(run_alone(made)(VECTOR, VECTOR), VECTOR * np.cos(VECTOR))
    with pytest.raises(ValueError, match="made for arguments of which slopes has the shape of x"):
        run_alone(made)(VECTOR, MATRIX)


def distance(x):
    p, q = [x[0], x[1]], (x[2], 0.3)
    return math.dist(p, q)


def test_distances_of_lists_of_elements():
    made = text_of(distance, ("x",))
    assert fault(distance, made, (np.array([0.3, -0.7, 1.2]),), (0,)) is None, made.source


def heat(u, c, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] += c * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def test_stores_to_slices():
    made = text_of(heat, ("u", "c"))
    for u in (rng.random(6), rng.random((5, 3)), rng.random((5, 2, 3))):
        for c in (0.2, np.full(u.shape[1:], 0.1) if u.ndim > 1 else np.float64(0.3)):
            assert fault(heat, made, (u, c, 3), (0, 1)) is None, made.source


def misfit(W, m, d):
    r = np.tanh(W @ m) - d
    return 0.5 * np.sum(r * r)


def product(w, m, d):
    r = np.tanh(w @ m) - d
    return 0.5 * np.sum(r * r)


def test_products_of_matrices():
    made = text_of(product, ("w", "m", "d"))
    for w, m, d in (
        (rng.random((2, 3)), VECTOR, rng.random(2)),
        (rng.random((2, 3)), rng.random((3, 4)), 0.3),
        (VECTOR, rng.random((3, 4)), rng.random(4)),
        (rng.random((5, 2, 3)), rng.random((3, 2)), rng.random((5, 1, 2))),
    ):
        assert fault(product, made, (w, m, d), (0, 1, 2)) is None, made.source


def square(x):
    return x * x


def scaled_first(x, w):
    return x[0] * w


def test_a_result_that_is_no_number_is_refused():
    made = text_of(square, "x")
    assert run_alone(made)(3.0) == 6.0
    with pytest.raises(ValueError, match="number x"):
        run_alone(made)(VECTOR)
    made = text_of(scaled_first, "x")
    assert fault(scaled_first, made, (VECTOR, 2.0)) is None
    with pytest.raises(ValueError, match=r"x \(n,\), real number w"):
        run_alone(made)(MATRIX, 2.0)


def pendulum(x, v, mu, h, n):
    for _ in range(n):
        a = mu * (1.0 - x * x) * v - x
        v = v + h * a
        x = x + h * v
    return 0.5 * (x * x + v * v)


def chosen_number(x, w, flag):
    y = x * w if flag else x - 1.0
    return np.where(y > 0.0, y, w) + np.sum(w)


def gathered(q, w, c, n):
    loss = 0.0
    for k in range(n):
        q = q + w[k] * np.sin(q)
        loss += c * q**2
    return loss


def spun(h, J):
    m = np.tanh(h)
    return -0.5 * m @ J @ m - h @ m


def left_early(x, w, n):
    for k in range(n):
        x = x * w
        if k > 2:
            break
    return x


@pytest.mark.parametrize(
    ("function", "args", "numbers"),
    (
        (pendulum, (0.5, 0.2, 1.1, 0.1, 4), ("x", "v", "mu", "h")),
        (chosen_number, (0.5, 0.2, True), ("x", "w")),
        (chosen_number, (0.5, -0.2, False), ("x", "w")),
        (gathered, (0.5, VECTOR, 0.3, 3), ("q", "c")),
        (spun, (VECTOR, rng.random((3, 3))), None),
        (left_early, (0.5, 1.2, 2), ("x", "w")),
        (left_early, (0.5, 1.2, 7), ("x", "w")),
    ),
)
def test_what_makes_a_number_by_arithmetic_is_a_number(function, args, numbers):
    names = tuple(inspect.signature(function).parameters)
    wrt = tuple(n for n, value in zip(names, args, strict=True) if np.asarray(value).dtype == float)
    made = text_of(function, wrt)
    assert fault(function, made, args, tuple(map(names.index, wrt))) is None, made.source
    assert ("_sum_to" in made.source) == (numbers == ())
    for name in numbers or ():
        wrong = [np.ones(3) if name == names[k] else value for k, value in enumerate(args)]
        with pytest.raises(ValueError, match=f"made for .*real numbers? .*{name}"):
            run_alone(made)(*wrong)


def stretched_alike(x, w, v):
    y = np.exp(x) * w - x * v
    return np.sum(y * y)


def rooted(x, w):
    return np.sum(np.sqrt(np.sum(x * x, axis=0) + 1.0) * w)


def test_contributions_of_one_shape_are_summed_to_a_shape_once():
    made = text_of(stretched_alike, ("x", "w", "v"))
    assert made.source.count("_sum_to(") == 4  # of each argument, and the definition
    for x in SHAPES[:4]:
        for w, v in ((NUMBER, VECTOR), (MATRIX, NUMBER), (VECTOR, MATRIX), (VECTOR[:1], VECTOR)):
            found = fault(stretched_alike, made, (x, w, v), (0, 1, 2))
            assert found is None, made.source


def test_what_an_elementwise_function_is_of_has_its_shape():
    made = text_of(rooted, ("x", "w"))
    assert made.source.count("_sum_to(") == 3  # np.sqrt(...) * w alone stretches
    for x, w in ((VECTOR, NUMBER), (MATRIX, VECTOR), (MATRIX, NUMBER), (CUBE, MATRIX[:1])):
        assert fault(rooted, made, (x, w), (0, 1)) is None, made.source


def swapped(u):
    u = u.copy()
    u[0], u[1] = u[1], u[0]
    return np.sum(u * np.arange(len(u)))


def shares_of_rows(x, w):
    e = np.exp(x)
    total = np.sum(e, axis=-1, keepdims=True)
    steps = x[..., 1:] - x[..., :-1]
    return np.sum((e / total) ** 2 * w) + np.sum(steps**2) * np.sum(x.mean(axis=0) ** 2)


def test_what_is_divided_by_its_sums_along_an_axis_has_its_shape():
    made = text_of(shares_of_rows, "x")
    assert made.source.count("_sum_to(") == 3  # itself, for w and the sums
    assert "_expand" not in made.source
    for x in (VECTOR, MATRIX, CUBE):
        for w in (0.7, VECTOR):
            assert fault(shares_of_rows, made, (x, w)) is None, made.source


def normalised(x, s):
    d = x - x.mean(axis=0)
    z = d / np.sqrt(x.var(axis=0) + 1e-3)
    return np.sum(z**3 * s)


def test_what_is_taken_off_along_the_first_axis_fits():
    made = text_of(normalised, ("x", "s"))
    assert "z_bar / z_sqrt" in made.source
    for x in (VECTOR, MATRIX, CUBE, MATRIX[:1]):
        for s in (0.7, MATRIX[0]):
            assert fault(normalised, made, (x, s), (0, 1)) is None, made.source


def moved(x, w):
    y = x * w + w[0]
    return y - np.sin(y) * w[1]


def moved_often(x, w):
    for _ in range(2):
        y = moved(moved(x, w), w)
        x = moved(y + x, w) + moved(x, w)
    return np.sum(x * x)


def test_a_function_that_is_called_often_keeps_its_derivative():
    made = text_of(moved_often, ("x", "w"))
    assert "def moved_rev(" in made.source
    for x in (VECTOR, MATRIX[:, :2], 0.3):
        w = np.array([0.4, 0.6, 0.1])[: 2 if np.ndim(x) == 2 else 3]
        assert fault(moved_often, made, (x, w), (0, 1)) is None, made.source


def test_views_that_may_be_numbers_ask_for_the_rank():
    made = text_of(swapped, "u")
    assert fault(swapped, made, (VECTOR,)) is None
    with pytest.raises(ValueError, match=r"u \(n,\)"):
        run_alone(made)(MATRIX)


TRIANGLES = """
def triangles(v, w):
    total = 0.0
    for c in range(2):
        y = {}
        y[{}] = 1.5 * w[c]
        total += np.sum(y**2)
    return total
"""


@pytest.mark.parametrize("place", ("0", "...", "-1, 0"))
@pytest.mark.parametrize("made_of", ("v[c] * w[c]", "np.exp(w[c])"))
@pytest.mark.parametrize(
    "made",
    ("np.diag({})", "np.ravel({})", "np.atleast_2d({})", "np.asarray({})", "({}).reshape(-1)"),
)
def test_what_is_new_of_a_number_and_a_part_of_an_array_is_written(made, made_of, place, tmp_path):
    path = tmp_path / "triangles.py"
    path.write_text("import numpy as np\n" + TRIANGLES.format(made.format(made_of), place))
    space = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    args = (rng.random((2, 3)), rng.random(2))
    try:
        space["triangles"](*args)
    except (IndexError, ValueError, TypeError, AttributeError):
        return
    made = text_of(space["triangles"], ("v", "w"))
    try:
        found = fault(space["triangles"], made, args, (0, 1))
    except ValueError as error:
        assert "made for" in str(error)
    else:
        assert found is None, made.source


def under_two_names(x):
    y = x * 2.0
    z = y
    z += 1.0
    return np.sum(y * z)


def by_a_function(x):
    def moved(v):
        v += 1.0
        return v * v

    y = x * 2.0
    return np.sum(moved(y) + y)


@pytest.mark.parametrize("function", (under_two_names, by_a_function))
def test_changes_in_place_that_another_name_may_see_ask_for_the_rank(function):
    made = text_of(function, "x")
    assert fault(function, made, (VECTOR,)) is None
    for x in (NUMBER, MATRIX, CUBE):  # of a number the other name sees nothing
        with pytest.raises(ValueError, match=r"x \(n,\)"):
            run_alone(made)(x)


def bubbled(u):
    v = u.copy()
    for i in range(len(v)):
        for j in range(len(v) - 1 - i):
            if v[j] > v[j + 1]:
                v[j], v[j + 1] = v[j + 1], v[j]
    return v[0] * v[1] + v[2] * v[3]


def layered(x, W):
    y = np.tanh(W @ x)
    first = y[0]
    y[0] *= 2.0
    return np.sum(y * first)


def added_twice(x, d):
    y = x * d
    z = y
    z += d
    return np.sum(y * z) * np.mean(d)


def pairs(u):
    total = 0.0
    for a, b in zip(u.reshape(-1, 2), u[::2], strict=True):
        v = a * b
        v[0] += b
        total += np.sum(v**2)
    return total


def columns(x, y):
    return np.sum(np.column_stack([x, y, x * y]) ** 3)


def joined_by_name(x, y):
    return np.sum(np.vstack(tup=[x, y]) ** 3)


def weighted(w, mu, S, lam):
    for _ in range(3):
        w = w + 0.1 * (mu - lam * S @ w)
        w /= w.sum()
    return w @ mu - 0.5 * lam * w @ S @ w


def updated(alpha, beta, C, A, B):
    C *= beta
    C += alpha * A @ B
    return np.sum(C**2)


def streamed(f, tau):
    for _ in range(2):
        rho = np.tensordot(np.ones(3), f, axes=1)
        equal = np.zeros_like(f)
        for i in range(3):
            equal[i] = rho / 3.0 * (1.0 + 0.1 * i * rho)
        f = f - (f - equal) / tau
        for i in range(3):
            f[i] = np.roll(np.roll(f[i], 1, axis=0), i, axis=1)
    return np.sum(rho * f[0])


def spread(mean, cov, kappa):
    L = np.linalg.cholesky((len(mean) + kappa) * cov)
    W = np.full(len(mean), 1.0 / (len(mean) + kappa))
    points = [mean + L[:, i] for i in range(len(mean))]
    return sum(w * np.sin(p[0]) * p[1] for w, p in zip(W, points, strict=True))


def densities(x, m, h):
    rho = np.zeros(len(x))
    for i in range(len(x)):
        q = ((x[i] - x) ** 2).sum(axis=1) / h
        rho[i] = (m * np.exp(-q)).sum()
    return np.mean(rho**2)


def nearest(X, y, q):
    d = ((X - q) ** 2).sum(1)
    near = np.argsort(d)[:2]
    w = np.exp(-d[near])
    return (w * y[near]).sum() / w.sum()


def ranked(A, d):
    P = A / A.sum(axis=0)
    r = np.ones(len(A)) / len(A)
    for _ in range(20):
        new = d * P.dot(r) + (1 - d) / len(A)
        if np.abs(new - r).sum() < 1e-3:
            break
        r = new
    return np.sum(r**2)


def eliminated(a, b, d):
    c = np.zeros(len(d))
    c[0] = d[0] / b[0]
    for i in range(1, len(d)):
        c[i] = (d[i] - a[i] * c[i - 1]) / (b[i] + a[i])
    return c


def diffused(u, nu):
    off = -nu * np.ones(len(u))
    return np.sum(eliminated(off, (1.0 + 2.0 * nu) * np.ones(len(u)), u) ** 2)


GUESSED = (
    (ranked, (rng.random((3, 3)), 0.85)),
    (diffused, (rng.random(4), 0.3)),
    (nearest, (rng.random((4, 2)), rng.random(4), rng.random(2))),
    (weighted, (rng.random(3) + 0.1, rng.random(3), rng.random((3, 3)), 0.4)),
    (updated, (0.7, 0.4, rng.random((2, 4)), rng.random((2, 3)), rng.random((3, 4)))),
    (streamed, (rng.random((3, 2, 4)) + 1.0, 0.8)),
    (spread, (rng.random(2), 2.0 * np.eye(2) + 0.3, 0.6)),
    (densities, (rng.random((4, 2)), rng.random(4), 0.7)),
    (columns, (rng.random(4), rng.random(4))),
    (bubbled, (np.array([3.0, 1.0, 2.0, 0.5, 4.0]),)),
    (layered, (rng.random(3), rng.random((4, 3)))),
    (added_twice, (VECTOR, rng.random(3))),
    (pairs, (rng.random(6),)),
)


@pytest.mark.parametrize(("function", "args"), GUESSED, ids=lambda f: getattr(f, "__name__", ""))
def test_ranks_that_are_guessed_are_asked_for(function, args):
    wrt = tuple(inspect.signature(function).parameters)
    made = text_of(function, wrt)
    assert fault(function, made, args, tuple(range(len(args)))) is None, made.source
    stacked = (np.broadcast_to(a, (2, 2, *np.shape(a))).copy() for a in args)
    with pytest.raises(ValueError, match=r"made for|broadcast|aligned"):  # or as the function does
        run_alone(made)(*stacked)


def test_a_list_of_unequal_shapes_is_refused_where_items_are_taken():
    def sums(ws, x):
        for w in ws:
            x = np.tanh(x * w)
        return np.sum(x)

    run = run_alone(text_of(sums, ("ws", "x")))
    assert np.shape(run([0.3, 0.7], VECTOR)[1]) == np.shape(VECTOR)
    for unlike in ([VECTOR, 0.4], [[0.3], [0.2, 0.1]], [VECTOR, np.eye(3)]):
        with pytest.raises(ValueError, match=r"made for|broadcast"):
            run(unlike, VECTOR)


def test_a_list_that_is_joined_may_be_given_by_its_name():
    x, y = 0.3, 0.8
    made = text_of(joined_by_name, ("x", "y"))
    assert fault(joined_by_name, made, (x, y), (0, 1)) is None, made.source


def chosen_by_key(x, y, key):
    held = {"a": x, "b": y}
    while held[key] < 5.0:
        held[key] *= 2.0
    return held[key] * held["a"]


def power_of_padded(x):
    return np.sum(np.abs(np.fft.fft(x, n=8)) ** 2)


def correlated(x):
    f = np.fft.fft(x - np.mean(x), n=2 * len(x))
    acf = np.fft.ifft(f * np.conjugate(f))[: len(x)].real
    acf /= acf[0]
    return np.sum(acf**2)


def padded_rows(x):
    return np.sum(np.abs(np.fft.fftn(x[0] * x, s=(4, 4), axes=(0, 1))) ** 2)


@pytest.mark.parametrize(
    ("function", "x"), ((power_of_padded, VECTOR), (correlated, VECTOR), (padded_rows, MATRIX))
)
def test_the_adjoint_of_what_is_real_is_real_behind_a_transform_of_another_length(function, x):
    made = text_of(function, "x")
    assert run_alone(made)(x).dtype == float
    assert fault(function, made, (x,)) is None


def of_a_layer(lam, d, n, theta):
    beta = 2 * np.pi * n / lam * d * np.cos(theta)
    upper = -1j * np.sin(beta) * np.cos(theta) / n
    return np.asarray([[np.cos(beta), upper], [upper * n**2, np.cos(beta)]])


def test_a_seed_of_a_complex_result_is_real():
    made = text_of(of_a_layer, ("lam", "d", "n", "theta"), "vjp")
    args, seed = (0.37, 0.58, 0.79, 1.0), rng.random((2, 2))
    found = run_alone(made)(*args, seed)
    real = differences(lambda *a: np.sum(seed * of_a_layer(*a)).real, args, (0, 1, 2, 3))
    assert compare(flatten(tuple(np.real(each) for each in found), args), real) is None
    with pytest.raises(ValueError, match="made for"):
        run_alone(made)(*args, seed + 1j)


def repeated(x):
    return np.concatenate([x, x])


def doubled(x):
    return 2 * x


def squares(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] ** 2
    return y


@pytest.mark.parametrize("function", (repeated, doubled, squares))
def test_a_list_is_no_seed_of_an_array(function):
    run = run_alone(text_of(function, "x", "vjp"))
    seed = np.ones_like(function(VECTOR))
    assert compare(run(VECTOR, seed), differences(function, (VECTOR,), (0,), seed)) is None
    with pytest.raises(ValueError, match=r"made for .*seed"):
        run(VECTOR, seed.tolist())


def test_a_seed_of_numbers_is_real():
    space = {}
    exec(s2sad.vjp(chosen_by_key, ("x", "y")).source, space)
    assert space["chosen_by_key_vjp"](0.7, 0.4, "a", 1.0)[1] == 0.0
    with pytest.raises(ValueError, match="made for"):
        space["chosen_by_key_vjp"](0.7, 0.4, "a", 1j)


def test_equal_lengths_are_asked_for():
    made = text_of(added_twice, ("x", "d"))
    for d in (0.3, rng.random(1), rng.random(4)):
        with pytest.raises(ValueError, match=r"x \(n,\), d \(n,\)"):
            run_alone(made)(VECTOR, d)


def root(a, tol: float = 1e-9, most=50):
    x = a
    for _ in range(most):
        if abs(x * x - a) < tol:
            break
        x = 0.5 * (x + a / x)
    return x


def test_annotations_and_defaults():
    made = text_of(root, "a")
    assert run_alone(made)(2.0) == pytest.approx(0.5 / math.sqrt(2.0))
    assert run_alone(made)(2.0, most=30) == pytest.approx(0.5 / math.sqrt(2.0))


def optional(x, kind="cubic", weights=None):
    y = x**3 if kind == "cubic" else x
    return np.sum(y if weights is None else y * weights)


def test_options_are_asked_for():
    made = text_of(optional, "x")
    for x in SHAPES:
        assert fault(optional, made, (x,)) is None
    with pytest.raises(ValueError, match='kind="cubic"'):
        run_alone(made)(VECTOR, "linear")
    with pytest.raises(ValueError, match="weights=None"):
        run_alone(made)(VECTOR, weights=VECTOR)


def by_objects(p, x):
    return p.mass * np.sum(x)


def many(*xs):
    return xs[0]


@pytest.mark.parametrize(("function", "wrt"), ((by_objects, "p"), (many, "xs")))
def test_what_needs_examples_is_not_done(function, wrt):
    with pytest.raises(NotYet):
        text_of(function, wrt)


@pytest.mark.parametrize("kind", ("plain", "more", "lists", "wild"))
def test_random_programs(kind):
    found = {seed: verdict(seed, kind) for seed in range(62000, 62012)}
    assert [s for s, (v, _) in found.items() if v in ("wrong", "raises")] == []
    assert sum(v == "right" for v, _ in found.values()) >= 3


def solved(A, b):
    return np.sum(linalg.solve(A, b) ** 2)


def factorized(A, b):
    return np.sum(linalg.lu_solve(linalg.lu_factor(A), b))


def determinant(A, b):
    return linalg.det(A) * np.sum(b)


def of_diagonals(A, b):
    return np.sum(linalg.toeplitz(b) @ (A @ b))


@pytest.mark.parametrize("function", (solved, factorized, determinant, of_diagonals))
def test_rules_for_one_matrix_are_asked_for_one(function):
    derivative = s2sad.grad(function, ("A", "b"))
    run = {}
    exec(derivative.source, run)
    A, b = 0.1 * np.arange(9.0).reshape(3, 3) + np.eye(3), np.array([1.0, 2.0, 4.0])
    found = flatten(run[derivative.__name__](A.copy(), b.copy()), (A, b))
    assert compare(found, differences(function, (A, b), (0, 1))) is None, derivative.source
    with pytest.raises(ValueError, match="made for"):
        run[derivative.__name__](np.stack([A, A]), b)
    several = (A, np.stack([b, b])[:, :, None])
    if function is determinant:  # sums all of b
        found = flatten(run[derivative.__name__](*several), several)
        assert compare(found, differences(function, several, (0, 1))) is None
    else:
        with pytest.raises(ValueError, match="made for"):
            run[derivative.__name__](*several)


def list_copied_and_filled(x, c):
    b = [x[0], x[1]]
    e = b[:]
    e[0] = c * 2.0
    return sum(q * q for q in e) + b[0]


def lists_added(x, c):
    b, e = [x[0], x[1]], [c * x[1]]
    return sum(q * q for q in b + e) + e[0]


def rest_filled(x, c):
    a, *b = x
    b = list(b)
    b[0] = c * a
    b.append(b[0] * b[-1])
    return sum(q * q for q in b)


@pytest.mark.parametrize("function", (list_copied_and_filled, lists_added, rest_filled))
def test_lists_of_numbers_that_are_given_what_may_be_arrays(function):
    made = text_of(function, ("x", "c"))
    assert fault(function, made, (VECTOR, 1.3), (0, 1)) is None, made.source


def number_in_a_slice(x, w):
    w = w.copy()
    w[:-1] = np.tanh(x)
    return np.sum(w**2)


def test_what_is_stored_has_not_the_shape_of_its_place():
    made = text_of(number_in_a_slice, "x")
    assert fault(number_in_a_slice, made, (0.4, VECTOR)) is None, made.source


def flow_of_images(u, v, Ix, Iy, alpha):
    data = np.sum((Ix * u + Iy * v) ** 2)
    return data + alpha**2 * np.sum(u**2)


def rotated(w, x, y):
    X = np.cos(w) * x - np.sin(w) * y
    Y = np.sin(w) * x + np.cos(w) * y
    return np.sum(X * Y)


def shrunk(r, v, lam):
    return np.sum(r**2) + lam * np.sum(np.abs(v))


def test_sums_over_many_arguments_are_numbers():
    made = text_of(flow_of_images, ("u", "v"))
    assert "np.ndim(result)" not in made.source
    assert "made for real numbers or plain arrays u, v, Ix, Iy, real number alpha" in made.source
    for args in ((MATRIX, VECTOR, 0.4, MATRIX + 1.0, 0.3), (VECTOR, 0.2, VECTOR, 0.1, 0.3)):
        assert fault(flow_of_images, made, args, (0, 1)) is None, made.source


def test_what_is_computed_twice_of_any_rank_has_one_name():
    made = text_of(rotated, ("w", "x", "y"))
    assert made.source.count("cos_w, sin_w = np.cos(w), np.sin(w)\n") == 1
    assert "_sum_to(X * sin_w + Y * cos_w, np.shape(x))" in made.source
    for args in ((NUMBER, VECTOR, MATRIX), (VECTOR, MATRIX, NUMBER), (MATRIX, MATRIX, MATRIX)):
        assert fault(rotated, made, args, (0, 1, 2)) is None, made.source


def test_a_number_is_spread_by_what_it_is_multiplied_with():
    made = text_of(shrunk, ("v", "lam"))
    assert "lam * np.sign(v)" in made.source
    for v in SHAPES:
        assert fault(shrunk, made, (VECTOR, v, 0.3), (1, 2)) is None, made.source


def test_an_array_of_one_value_is_had_again():
    """Memory that is made to be written is no use to another; what is filled for good is."""
    assert text_of(of_one_value, ("x", "w")).source.count("np.full_like(") == 1


def of_one_value(x, w):
    return np.sum(x * w) * np.mean(x)


def marginal(a, D, y):
    L = np.linalg.cholesky(np.exp(-D / a) + np.eye(len(y)))
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return 0.5 * y @ alpha + np.sum(np.log(np.diag(L)))


def traced(c, source, dt):
    u = np.zeros(len(source) + 2)
    for k in range(len(source)):
        u[1:-1] += c[k] * u[2:]
        u[k] += dt**2 * source[k]
    return np.sum(u**2)


@pytest.mark.parametrize(
    ("function", "args", "ranks"),
    (
        (soft_alignment, (VECTOR, VECTOR[:2], 0.7), {"a": 1, "b": 1, "gamma": 0}),
        (marginal, (0.8, np.abs(np.subtract.outer(VECTOR, VECTOR)), VECTOR), {"y": 1}),
        (traced, (VECTOR, VECTOR, 0.3), {"source": 1, "dt": 0}),
    ),
)
def test_ranks_are_proved_by_what_operations_take(function, args, ranks):
    names = tuple(inspect.signature(function).parameters)
    made = text_of(function, names)
    assert fault(function, made, args, (0, 1, 2)) is None, made.source
    for name, rank in ranks.items():
        wrong = [
            np.ones((2,) * (rank + 1)) if name == n else a for n, a in zip(names, args, strict=True)
        ]
        with pytest.raises(ValueError, match=rf"real number.*{name}|{name} \([nm],\)"):
            run_alone(made)(*wrong)


def taken_off(x, u):
    left = {1, 2}
    while left:
        x = np.sin(x * u[left.pop()]) * u[len(left)]
    return x


def test_a_rank_that_helps_nothing_is_not_asked_for():
    made = text_of(taken_off, ("x", "u"))
    assert fault(taken_off, made, (0.7, VECTOR), (0, 1)) is None, made.source


def repeated(x):
    return np.sum(np.asarray(x * 2) ** 2) * x[0]


def rows_put_in(x):
    s = 0.0
    for c in zip(*x):  # noqa: B905
        x[1] = [s, s, s]
        s += sum(c) * c[1]
    return s


@pytest.mark.parametrize(("function", "x"), ((repeated, VECTOR), (rows_put_in, MATRIX)))
def test_lists_are_no_arrays_of_a_rank_that_is_proved(function, x):
    made = text_of(function, "x")
    assert fault(function, made, (x.copy(),)) is None, made.source
    with pytest.raises(ValueError, match="an array or number x"):
        run_alone(made)(x.tolist())


def named_beside_others(x, y):
    (a, *b), c = [x, y, x * y], y
    return a * b[0] + b[1] * c


def reshaped_row(x, y):
    B = x * 2.0
    v = B[1].reshape(2, 2)
    v[0] = v[1] * x[0, 0]
    return np.sum(B**2) + np.sum(np.broadcast_to(y * 2.0, (3, 4)) ** 2)


def ordered_pairs(x, y):
    pairs = sorted(zip(x, y, strict=True), key=lambda p: p[1])
    return sum((i + 1) * a * b for i, (a, b) in enumerate(pairs)) * pairs[0][1]


@pytest.mark.parametrize(
    ("function", "x", "y"),
    (
        (named_beside_others, 0.8, 0.6),
        (reshaped_row, rng.random((3, 4)), 0.7),
        (ordered_pairs, VECTOR, rng.random(3)),
    ),
)
def test_ranks_are_told_by_no_length_and_no_part(function, x, y):
    made = text_of(function, ("x", "y"))
    assert fault(function, made, (x, y), (0, 1)) is None, made.source


def test_a_value_of_known_rank_needs_no_general_form():
    assert "_solve_b" not in text_of(marginal, ("a", "D", "y")).source
    assert "_sum_to" not in text_of(soft_alignment, ("a", "b")).source


def smoothness(y, order=2, lam=0.5):
    return lam * np.sum(np.diff(y, n=order) ** 2)


def powers_of_matrix(theta, n=3):
    turned = np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), 0.9 * np.cos(theta)]])
    return np.trace(np.linalg.matrix_power(turned, n))


def collected(x, n=2):
    held = [0.0] * n
    for i, value in enumerate(x):
        held[i % n] += value**2
    return sum(each**2 for each in held)


def features(x, degree=3):
    return np.sum(np.column_stack([x**d for d in range(degree + 1)]) @ np.ones(degree + 1))


def filled(x, start=1):
    u = np.full(3, start)
    u[0] = x[0]
    return np.sum(u * x)


COUNTED = (
    (smoothness, rng.random(6), 1),
    (powers_of_matrix, np.float64(0.4), 2),
    (filled, VECTOR, 2),
    (collected, VECTOR, 3),
    (features, VECTOR, 2),
)


@pytest.mark.parametrize(("function", "x", "other"), COUNTED)
@pytest.mark.parametrize("form", ("grad", "jvp"))
def test_a_default_that_is_a_whole_number_counts(function, x, other, form):
    (name, *_) = inspect.signature(function).parameters
    made = text_of(function, name, form)
    for args in ((x,), (x, other)):
        if form == "grad":
            assert fault(function, made, args) is None, made.source
        else:
            assert judged(function, args, (0,), run_alone(made)) is None


def test_a_whole_number_is_asked_for_where_the_text_counts_on_it():
    with pytest.raises(ValueError, match="made for"):
        run_alone(text_of(filled, "x"))(VECTOR, 0.5)


def begun(x, start):
    u = np.array([start, start, 0])
    u[0] = x[0]
    return np.sum(u * x)


def ranged(x, start):
    u = np.arange(start, start + 3)
    u[0] = x[0]
    return np.sum(u * x)


def on_a_diagonal(x, start):
    u = np.diag(np.array([1, 2, start]))
    u[0, 0] = x[0]
    return np.sum(u @ x)


@pytest.mark.parametrize("function", (begun, ranged, on_a_diagonal))
@pytest.mark.parametrize("like", (None, (VECTOR, 1.5)))
def test_what_is_put_into_an_array_of_whole_numbers_is_cut_off(function, like):
    derivative = s2sad.grad(function, like=like)
    run = run_alone(derivative.derivative(derivative.request.given))
    for start in (2, 1.5, np.int64(3)):
        try:
            found = run(VECTOR, start)
        except (ValueError, TypeError):  # asked for, or as NumPy does
            continue
        assert compare(found, differences(function, (VECTOR, start), (0,))) is None


def mixture(mu, sigma, x):
    logp = -0.5 * ((x[:, None] - mu) / sigma) ** 2 - np.log(sigma)
    m = np.max(logp, axis=1)
    return np.sum(m + np.log(np.sum(np.exp(logp - m[:, None]), axis=1)))


def test_second_derivatives_of_shares_of_an_extreme():
    args = 0.1 + VECTOR, 0.5 + VECTOR, rng.random(4)
    run, dots = run_alone(text_of(mixture, ("mu", "sigma"), "hvp")), (VECTOR, 2.0 * VECTOR)
    exact = s2sad.hvp(mixture, ("mu", "sigma"), like=args)(*args, *dots)
    np.testing.assert_allclose(run(*args, *dots), exact, rtol=1e-12)


def cross_entropy(z, labels):
    logp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    return -logp[np.arange(len(labels)), labels].mean()


def test_positions_that_have_a_length_are_an_array():
    made = text_of(cross_entropy, "z")
    args = rng.random((3, 4)), np.array([2, 0, 2])
    assert fault(cross_entropy, made, args) is None, made.source


def attracted(pos, mass, eps=0.1):
    e = 0.0
    for i in range(len(pos)):
        for j in range(i):
            d = pos[i] - pos[j]
            e -= mass[i] * mass[j] / np.sqrt(d @ d + eps**2)
    return e


def kinetics(k, c0, dt=0.01, steps=5):
    a, b = c0
    for _ in range(steps):
        r = k[0] * a - k[1] * b**2
        a, b = a - dt * r, b + dt * r
    return a * b


@pytest.mark.parametrize(
    ("function", "args"),
    (
        (attracted, (rng.random((4, 3)), rng.random(4))),
        (attracted, (rng.random((2, 2)), rng.random(2))),
        (kinetics, (rng.random(2), rng.random(2))),
        (kinetics, (rng.random(2), [0.3, 0.8])),
    ),
)
def test_differences_of_rows_and_parts_tell_ranks(function, args):
    names = tuple(inspect.signature(function).parameters)[:2]
    made = text_of(function, names)
    found = flatten(run_alone(made)(*args), tuple(map(np.asarray, args)))
    assert compare(found, differences(function, args, (0, 1))) is None, made.source
    assert "_sum_to" not in made.source
    with pytest.raises(ValueError, match=r"made for .*pos \(m, k\)|made for .*c0 \(2,\)"):
        run_alone(made)(np.ones((2, 2, 2)), np.ones((2, 2)))


def mapped(x, f):
    return np.sum(f(x))


def test_a_function_that_is_called_needs_an_example():
    with pytest.raises(s2sad.Unsupported, match="the function f without an example"):
        print(s2sad.grad(mapped).source)


def terms_up_to(x, y, degree):
    if degree == 0:
        return [np.ones_like(x)]
    return terms_up_to(x, y, degree - 1) + [x ** (degree - k) * y**k for k in range(degree + 1)]


def surface(coef, x, y, degree=2):
    return np.sum(sum(c * t for c, t in zip(coef, terms_up_to(x, y, degree), strict=True)) ** 2)


def remembered(x, order=4):
    memo = {}

    def chebyshev(n):
        if n not in memo:
            below = (1.0, x)[n] if n < 2 else 2.0 * x * chebyshev(n - 1) - chebyshev(n - 2)
            memo[n] = below
        return memo[n]

    return chebyshev(order)


@pytest.mark.parametrize(
    ("function", "args"),
    ((surface, (rng.random(6), VECTOR, 2.0 * VECTOR)), (remembered, (np.float64(0.7),))),
)
def test_a_depth_of_recursion_is_that_of_the_default(function, args):
    (name, *_) = inspect.signature(function).parameters
    made = text_of(function, name)
    assert fault(function, made, args) is None, made.source
    with pytest.raises(ValueError, match=r"made for .*(degree=2|order=4)"):
        run_alone(made)(*args, 3)
    along = np.ones_like(args[0])
    exact = s2sad.hvp(function, name, like=args)(*args, **{f"{name}_dot": along})
    found = run_alone(text_of(function, name, "hvp"))(*args, **{f"{name}_dot": along})
    np.testing.assert_allclose(found, exact, rtol=1e-12)


def torque(r, force):
    return np.sum(np.cross(r, force) ** 2)


def area_of_triangle(corners):
    return 0.5 * np.linalg.norm(np.cross(corners[1] - corners[0], corners[2] - corners[0]))


def turned_body(w, inertia, dt=0.1):
    for _ in range(3):
        w = w - dt * np.cross(w, inertia * w) / inertia
    return w @ w


@pytest.mark.parametrize(
    ("function", "args"),
    (
        (torque, (VECTOR, 2.0 + VECTOR)),
        (torque, (rng.random((4, 3)), rng.random((4, 3)))),
        (torque, (rng.random((4, 3)), VECTOR)),
        (area_of_triangle, (rng.random((3, 3)),)),
        (turned_body, (VECTOR, 1.0 + VECTOR)),
    ),
)
def test_cross_products_of_any_rank(function, args):
    names = tuple(inspect.signature(function).parameters)[: len(args)]
    run = run_alone(text_of(function, names))
    found = run(*args) if len(args) > 1 else (run(*args),)
    assert compare(flatten(found, args), differences(function, args, range(len(args)))) is None


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("shapes", (((2,), (2,)), ((2,), (2, 2)), ((3, 2), (3, 3)), ((3,), (2, 2))))
def test_cross_products_may_be_of_pairs(shapes):
    args = tuple(map(rng.random, shapes))
    found = run_alone(text_of(torque, ("r", "force")))(*args)
    assert compare(flatten(found, args), differences(torque, args, range(2))) is None


def layer(X, w, b, y):
    return np.mean((np.tanh(X @ w + b) - y) ** 2)


def softmax(W, X, Y):
    Z = X @ W
    E = np.exp(Z - np.max(Z, axis=1)[:, None])
    return -np.sum(Y * np.log(E / np.sum(E, axis=1)[:, None]))


def recurrent(W, U, xs, h):
    for x in xs:
        h = np.tanh(W @ h + U @ x)
    return np.sum(h**2)


def sloped(y, A):
    return A @ y - y**3


def stepped(y, A, n, h=0.1):
    for _ in range(n):
        y = y + h * sloped(y + 0.5 * h * sloped(y, A), A)
    return np.sum(y**2)


def quadratic(A, P, x):
    return np.sum((A @ P @ A.T @ x) ** 2)


WRITTEN_SO = (
    (layer, ("X", "w"), (rng.random((4, 3)), VECTOR, 0.3, rng.random(4)), {"X": 2, "w": 1}),
    (layer, ("w", "b"), (rng.random((4, 3)), VECTOR, rng.random(4), 0.3), {"X": 2, "w": 1}),
    (softmax, ("W",), (MATRIX.T, MATRIX, np.eye(2)), {"W": 2, "X": 2}),
    (
        recurrent,
        ("W", "U", "xs", "h"),
        (np.eye(2) + 0.1, MATRIX, rng.random((4, 3)), rng.random(2)),
        {"W": 2, "U": 2, "xs": 2, "h": 1},
    ),
    (stepped, ("y", "A"), (VECTOR, rng.random((3, 3)), 3), {"y": 1, "A": 2}),
    (quadratic, ("A", "P"), (MATRIX, rng.random((3, 3)), rng.random(2)), {"A": 2, "P": 2, "x": 1}),
)


@pytest.mark.parametrize(("function", "wrt", "args", "ranks"), WRITTEN_SO)
def test_ranks_are_asked_for_that_the_way_of_writing_tells(function, wrt, args, ranks):
    """A capital in a product is a matrix, a small letter behind it a vector, a transpose of one, too."""
    made = text_of(function, wrt)
    names = list(inspect.signature(function).parameters)
    assert fault(function, made, args, tuple(map(names.index, wrt))) is None, made.source
    assert "_matmul" not in made.source
    for name, rank in ranks.items():
        wrong = [arg[None] if each == name else arg for each, arg in zip(names, args, strict=False)]
        with pytest.raises(ValueError, match=rf"made for .*\b{name} \(\w+,{' ' * (rank > 1)}"):
            run_alone(made)(*wrong)


def outer_products(x, w):
    return np.sum(x[:, None] @ w[None, :]) + np.sum((w @ x) ** 2)


def test_no_rank_is_asked_for_that_nothing_tells():
    made = text_of(outer_products, ("x", "w"))
    assert fault(outer_products, made, (VECTOR, VECTOR), (0, 1)) is None
    made = text_of(shares_of_rows, "x")
    assert "np.ndim(x) != 2" not in made.source


def rows_and_parts(p, q):
    a, b = p
    return np.sum((a[1:] * b[:-1]) ** 2) + np.sum(q[0] * np.roll(q[1], 1))


def test_what_is_taken_apart_may_be_rows():
    made = text_of(rows_and_parts, ("p", "q"))
    assert fault(rows_and_parts, made, (MATRIX, MATRIX), (0, 1)) is None, made.source


def fitted(X, w, b, c):
    z = np.maximum(X @ w + b, 0.1 * c)
    z = np.where(z > c, z * c, z - b)
    return np.sum(z**2) + np.mean(np.exp(b) * z / (1.0 + c**2))


def fitted_in_place(A, b, c):
    u = A[:, 0] * c
    u += b
    u[1:] *= c
    return np.sum(np.sin(u) * b)


def fitted_in_a_loop(A, x, b, c, n):
    for _ in range(n):
        x = x + c * np.tanh(A @ x + b)
    return np.sum(x**2)


def scaled(A, b, c):
    return np.sum((c * A[:-1, :] - b) ** 2) * np.sum(np.log(1.0 + c * c)) + np.sum(A.T @ A * c)


CASES_OF_FIT = (
    (fitted, (rng.random((4, 3)), VECTOR), 4, ()),
    (fitted_in_place, (rng.random((4, 3)),), 4, ()),
    (fitted_in_a_loop, (rng.random((3, 3)), VECTOR), 3, (2,)),
    (scaled, (rng.random((4, 4)),), 4, ()),
)


@pytest.mark.parametrize(("function", "args", "n", "more"), CASES_OF_FIT)
def test_arguments_that_arithmetic_is_done_of_fit_arrays(function, args, n, more):
    """They may be numbers, or arrays that stretch nothing; others are refused."""
    wrt = tuple(inspect.signature(function).parameters)[: len(args) + 2]
    made = text_of(function, wrt)
    assert "that fit" in made.source
    few, some, many = rng.random(1), rng.random(n), rng.random((2, n))
    for b in (0.3, np.float64(0.4), np.array(0.2), few, some, many, rng.random(n + 1)):
        for c in (0.6, few, some, many[:1]):
            given = (*args, b, c, *more)
            try:
                run_alone(made)(*given)
            except ValueError as error:
                assert re.search("that fit|broadcast|shape mismatch", str(error))
                assert max(np.size(b), np.size(c)) > 1
                continue
            assert fault(function, made, given, tuple(range(len(wrt)))) is None, made.source


def decay(p, t, y):
    a, b, c = p
    return np.sum((a * np.exp(-b * t) + c - y) ** 2)


def decay_by_places(p, t, y):
    a, b = p[0], p[1]
    return np.sum((a * np.exp(-b * t) - y) ** 2)


def reacting(k, c, h, n):
    for _ in range(n):
        r, s = k[0] * c[0], k[1] * c[1] ** 2
        c = c + h * np.array([s - r, r - s])
    return np.sum(c**2)


VECTORS_OF_PARAMETERS = (
    (decay, ("p",), (VECTOR, rng.random((2, 4)), 0.3), "return np.array([", "p (3,)"),
    (decay_by_places, ("p",), (VECTOR, rng.random(4), rng.random(4)), "a_bar = np.sum(", "p (n,)"),
    (
        reacting,
        ("k", "c", "h"),
        (rng.random(2), rng.random(2), 0.1, 3),
        "c_bar[1] += ",
        "c (2,), h that fit (2,)",
    ),
)


@pytest.mark.parametrize(("function", "wrt", "args", "line", "asked"), VECTORS_OF_PARAMETERS)
def test_what_is_taken_apart_for_arithmetic_is_a_vector(function, wrt, args, line, asked):
    made = text_of(function, wrt)
    assert line in made.source
    assert asked in made.source.replace('"\n            "', "")
    assert fault(function, made, args, tuple(range(len(wrt)))) is None, made.source
    with pytest.raises(ValueError, match="made for"):
        run_alone(made)(args[0][:, None] * np.ones(2), *args[1:])


def of_rows(W, x, b):
    return np.sum(np.tanh(x @ W + b) ** 2) + np.sum(x @ W[:, :1])


@pytest.mark.parametrize("form", ("grad", "hvp"))
def test_what_stands_before_a_matrix_may_have_any_rank(form):
    """Sums over all its rows at once: no general form is printed for that."""
    made = text_of(of_rows, ("W", "x"), form) if form == "grad" else text_of(of_rows, "W", form)
    assert "_matmul" not in made.source
    W = MATRIX.T
    for x in (VECTOR, rng.random((4, 3)), rng.random((2, 4, 3)), rng.random((0, 3))):
        if form == "grad":
            assert fault(of_rows, made, (W, x, 0.3), (0, 1)) is None, made.source
        else:
            exact = s2sad.hvp(of_rows, "W", like=(W, x, 0.3))(W, x, 0.3, W)
            np.testing.assert_allclose(run_alone(made)(W, x, 0.3, W), exact, rtol=1e-12)


def gated(W, h, y):
    n = len(h)
    a = W @ h
    return np.sum((np.tanh(a[:n]) * a[n:] - y) ** 2)


def test_presumed_lengths_are_no_numbers():
    """That two lengths are taken for as long says nothing of how long they are."""
    made = text_of(gated, ("W", "h"))
    assert "(0," not in made.source
    assert fault(gated, made, (rng.random((4, 2)), rng.random(2), 0.3), (0, 1)) is None, made.source


def standardised(X, Y):
    mean, spread = X.mean(axis=0), X.std(axis=0)
    return np.sum(((Y - mean) / spread) ** 4) + np.sum((X[:, 0] - Y / X.sum(axis=0)) ** 2)


def test_what_stands_beside_means_may_have_more_axes():
    made = text_of(standardised, ("X", "Y"))
    X = rng.random((3, 3))
    for Y in (0.3, VECTOR, rng.random((3, 3)), rng.random((1, 3))):
        assert fault(standardised, made, (X, Y), (0, 1)) is None, made.source


def waves_fit(a, b, t, y):
    model = a * np.exp(-b * t) + np.sin(b * t)
    return np.sum((model - y) ** 2)


def test_data_follow_what_they_are_compared_with():
    """What is computed of t has the shape of t, and y taken off it stretches nothing."""
    made = text_of(waves_fit, ("a", "y"))
    assert "y that fits a, b, t" in made.source.replace('"\n            "', "")
    some, rows = rng.random(4), rng.random((2, 4))
    for a in (0.3, np.float64(0.4), some):
        for t in (0.7, some, rows, np.array(0.3)):
            for y in (0.2, some, rows, rows[:, :1], rng.random(1)):
                given = (a, 0.6, t, y)
                if np.broadcast_shapes(*map(np.shape, given)) == np.shape(a + t):
                    assert fault(waves_fit, made, given, (0, 3)) is None, made.source
                else:
                    with pytest.raises(ValueError, match="y that fits"):
                        run_alone(made)(*given)


def cell(W, U, b, x, h, c):
    n = len(h)
    a = W @ x + U @ h + b
    return np.sum(np.tanh(a[:n]) * c + a[n : 2 * n] * np.sin(a[2 * n : 3 * n]) - a[3 * n :])


def test_nothing_tells_which_of_two_lengths_is_longer():
    """It was asked that parts be cut off by the end of the array: no argument was right."""
    made = text_of(cell, ("W", "b"))
    args = rng.random((8, 3)), rng.random((8, 2)), rng.random(8), VECTOR, rng.random(2), 0.3
    assert fault(cell, made, args, (0, 2)) is None, made.source


def partial_likelihood(beta, X, event):
    eta = X @ beta
    eta = eta - logsumexp(eta)
    risk = np.cumsum(np.exp(eta)[::-1])[::-1]
    return np.sum(event * (eta - np.log(risk))) / np.sum(event)


def test_what_is_summed_as_a_whole_may_be_of_any_rank():
    made = text_of(partial_likelihood, "beta")
    assert "_sum_to" not in made.source and "event that fit (m,)" in made.source
    for event in (1.0, np.array([1.0, 0.0]), np.array([[0.4, 0.7]])[0]):
        args = (VECTOR, MATRIX, event)
        assert fault(partial_likelihood, made, args) is None, made.source


def heads(x, Wq, Wo, b):
    q = np.einsum("td,hde->hte", x, Wq)
    x = x + np.einsum("hte,hed->td", np.tanh(q @ np.swapaxes(q, 1, 2) @ q), Wo)
    return np.sum(np.sin(x * 0.3 + b))


def test_letters_of_einsum_tell_ranks():
    made = text_of(heads, ("x", "Wq", "Wo"))
    assert "x (n, m), Wq (k, m, l), Wo (p, q, m)" in made.source, made.source
    assert "_matmul" not in made.source
    x, w = rng.random((3, 2)), rng.random((2, 2, 4))
    args = (x, w, rng.random((2, 4, 2)), 0.3)
    assert fault(heads, made, args, (0, 1, 2)) is None, made.source
    with pytest.raises(ValueError, match="made for"):
        run_alone(made)(x[0], *args[1:])


def scaled_rows(x):
    y = x.copy()
    for row in y:
        row *= row.sum()
    return np.sum(y**2)


def centred_rows(x):
    y = x.copy()
    for k in range(len(y)):
        row = y[k]
        row -= row.mean() * k
    return np.sum(y**3)


@pytest.mark.parametrize("function", [scaled_rows, centred_rows])
def test_rows_that_their_own_methods_change_in_place_vary(function):
    """The statement was copied as one without a derivative: the gradient was that without it."""
    made = text_of(function, "x")
    assert fault(function, made, (MATRIX,)) is None, made.source


def by_elements(x, w):
    f = np.vectorize(lambda a, b: a**2 * b if a > 0.0 else np.sin(a))
    return np.sum(f(x, w)) + np.sum(np.vectorize(lambda a: a if a > 0.3 else a**2)(w))


def test_what_functions_of_elements_are_called_with_is_an_array():
    """It was asked to be a number, in a text for arrays."""
    made = text_of(by_elements, ("x", "w"))
    assert fault(by_elements, made, (VECTOR, VECTOR[::-1].copy()), (0, 1)) is None, made.source


def rate_with_units(A, E, T, d):
    """Quantities with units answer for more than numbers do."""
    try:
        heat = (8.3 * T).rescale(E.dimension)
    except AttributeError:
        heat = 8.3 * T
    try:
        c = (3.0).simplified
    except AttributeError:
        c = 3.0
    return np.log(A * np.exp(-E / heat)) + np.log(c * T * np.exp(d) * np.exp(-E / heat))


def test_no_text_is_made_for_arrays_of_which_no_call_gives_a_number() -> None:
    df = s2sad.grad(rate_with_units, ("A", "T"))
    slopes = df(2.0, 0.3, 1.7, 0.2)
    assert slopes == pytest.approx((0.5, 1.0 / 1.7 + 2.0 * 0.3 / (8.3 * 1.7**2)))
    with pytest.raises(s2sad.S2sadError, match="number of axes is not known"):
        assert df.source


def first_ratio(z, k, v):
    ratio = z / k
    return v + ratio[0]


def test_a_result_that_is_a_number_for_one_rank_alone_is_asked():
    """The rank of `ratio` follows from the result, and of no argument alone."""
    made = text_of(first_ratio, ("z", "k"))
    assert fault(first_ratio, made, (VECTOR, VECTOR + 1.0, 0.3), (0, 1)) is None
    with pytest.raises(ValueError, match="of which first_ratio is a number"):
        run_alone(made)(VECTOR[:, None], VECTOR + 1.0, 0.3)
