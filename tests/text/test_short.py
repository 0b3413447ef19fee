"""What a careful scientist would not write is not in the text, and the numbers are the same.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad

RNG = np.random.default_rng(11)


def summed_in_a_loop(A: Any, b: Any) -> Any:
    total = 0.0
    for row in A:
        s = np.sin(row @ b)
        total = total + s**3
    return total


def pair_energy(x: Any, q: Any) -> Any:
    d = x[:, None, :] - x[None, :, :]
    r = np.sqrt(np.sum(d**2, axis=2) + 0.1)
    return np.sum(q[:, None] * q[None, :] / r)


def fitted_rows(W: Any, v: Any, c: Any) -> Any:
    s = np.sum(np.exp(W * v), axis=1)
    return np.sum((s - c) ** 2)


def shares(w: Any, g: Any) -> Any:
    p = w / np.sum(w)
    return np.sum(p * p * g)


def spring(x: Any, k: Any) -> Any:
    return np.sum(0.5 * k * x**2)


def recurrence(a: Any, x: Any) -> Any:
    y = 0.0 * x
    e = 0.0
    for i in range(len(x) - 1):
        y[i + 1] = a * np.sin(y[i]) + x[i]
        e = e + y[i + 1] ** 3
    return e


def robust_fit(q, P, seen):
    a = q * P / (1.0 + q * P)
    r = seen - a
    return np.sum(np.where(np.real(r) < 0.3, 0.5 * r**2, 0.3 * r - 0.045))


def waves(h, u, c):
    h, u = h + 0.0, u + 0.0
    for _ in range(3):
        u[1:-1] -= c * (9.81 * (h[1:] - h[:-1]) / 0.3)
    return np.sum(u**3)


def prior(t, w):
    return -0.5 * t * (w @ w) + 0.5 * len(w) * np.log(t) + 2.0 * np.log(t) - t


def six_kept(A, x, n):
    for _ in range(n):
        a = np.sin(A @ x)
        b = np.cos(A @ a)
        c = np.sin(a * b)
        d = np.exp(-b * c)
        e = np.sin(c * d)
        x = x * e + d
    return np.sum(x**2)


def two_fields(u, v, D, k):
    for _ in range(3):
        w = u * v**2
        u, v = u + D * (np.roll(u, 1) - u) - w, v + w - k * v
    return np.sum(v**2)


def layers_of_pairs(params, x):
    for i, (W, b) in enumerate(params):
        z = x @ W + b
        x = np.tanh(z) if i < len(params) - 1 else z
    return np.sum(x**2) + sum(np.sum(W**3) for W, _ in params)


def rotated(q, w, dt):
    for r in w:
        a, b, c = r
        q = np.array([[1.0, -a, b], [a, 1.0, -c], [-b, c, 1.0]]) @ (q + dt * q**2)
    return np.sum(q**3)


def kepler(p, t):
    period, size, e, late = p
    m = 2.0 * np.pi * (t - late) / period
    big = m + e * np.sin(m) + 0.5 * e**2 * np.sin(2.0 * m)
    return np.sum((size * (np.cos(big) - e) + late * np.sqrt(1.0 - e**2) * np.sin(big)) ** 2)


def stepped_items(u, v, c):
    us = [u, u * v]
    for k in range(len(us)):
        us[k] = us[k] + c * us[k] ** 2
    return sum(np.sum(each) for each in us)


def from_the_end(a: Any, x: Any) -> Any:
    y = x.copy()
    for i in range(len(x) - 2, -1, -1):
        y[i] = x[i] * a + y[i + 1] ** 2
    return np.sum(y**2)


def score_table(p: Any, m: Any) -> Any:
    rows, columns = p.shape
    f = 0.0 * p
    f[0] = p[0]
    for t in range(1, rows):
        for s in range(columns):
            f[t, s] = f[t - 1, s] * p[t, s]
            if s > 0:
                f[t, s] += f[t - 1, s - 1] * p[t, s] * m
    return np.sum(f[-1] ** 2)


def by_columns(a: Any, x: Any) -> Any:
    y = np.outer(x, np.ones(4))
    for k in range(3):
        y[:, k + 1] = y[:, k] * np.cos(a * y[:, k])
    return np.sum(y**2)


def round_the_end(a: Any, x: Any) -> Any:
    y = np.exp(x)
    for i in range(len(x)):
        y[i] = a * y[i - 1] * x[i]  # y[-1] first, which the last pass writes
    return np.sum(y**2)


def in_two_sweeps(a: Any, x: Any) -> Any:
    y = x.copy()
    for _ in range(2):
        for i in range(1, len(x)):
            y[i] = a * y[i - 1] * x[i] + y[i - 1] ** 2
    return np.sum(y**2)


def twice_in_a_pass(a: Any, x: Any) -> Any:
    y = np.concatenate((x, x))
    for i in range(len(x)):
        for _ in range(2):
            y[i] = a * np.sin(y[i]) + x[i]
        y[i + 1] = y[i] ** 2
    return np.sum(y**2)


def cleared_later(a: Any, x: Any) -> Any:
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = a * y[i - 1] ** 2
    y[2] = 0.0
    return np.sum(y**2)


def through_a_view(a: Any, x: Any) -> Any:
    y = x.copy()
    z = y[1:]
    for i in range(len(x) - 1):
        y[i + 1] = a * y[i] ** 2
        z[i] = z[i] * a
    return np.sum(y**2)


def swing(q: Any, w: Any) -> Any:
    for _ in range(3):
        turn = np.array([w[1] * q[2], w[2] * q[0], -w[0] * q[1]])
        q = q + 0.1 * turn
    return np.sum(q**3)


def flows(theta: Any, g: Any, b: Any) -> Any:
    d = theta[:, None] - theta[None, :]
    p = np.sum(g * np.cos(d) + b * np.sin(d), axis=1)
    q = np.sum(g * np.sin(d) - b * np.cos(d), axis=1)
    return np.sum(p**2) + np.sum(q**2)


def walled(T: Any, c: Any) -> Any:
    T = T.copy()
    for _ in range(3):
        T[1:-1, 1:-1] += c * (T[2:, 1:-1] - T[:-2, 1:-1])
        T[0, :] = T[1, :]
        T[:, -1] = T[:, -2]
    return np.sum(T**3)


def covered(F: Any, P: Any) -> Any:
    C = F @ P @ F.T
    return np.sum(C**3) + np.sum(np.roll(P, 1, axis=0) * np.roll(-F, 1, axis=1))


def bars(X: Any, ends: Any, k: Any) -> Any:
    energy = 0.0
    for m in range(len(ends)):
        i, j = ends[m]
        d = X[j] - X[i]
        energy = energy + k[m] * np.sum(d**2) ** (4.0 / 3.0)
    return energy


def tone(f: Any, t: Any) -> Any:
    return np.sum(np.sin(2 * np.pi * f * t) ** 3)


def ranked(beta: Any, X: Any, time: Any) -> Any:
    order = np.argsort(time)
    eta = X[order] @ beta
    return np.sum(np.log(np.cumsum(np.exp(eta))) * time)


def drifting(p: Any, c: Any) -> Any:
    p = 1.0 * p
    for _ in range(3):
        p[1:-1, 0] = p[1:-1, 0] + c * (p[2:, 0] - 2.0 * p[1:-1, 0] + p[:-2, 1])
        p[:, 1] = p[:, 1] - c * np.sin(p[:, 0])
        p[0, 0] = p[1, 0] * p[0, 0]
    return np.sum(p**3)


def volatile(h: Any, k: Any, x: Any) -> Any:
    total = 0.0
    for t in range(len(x)):
        total += -0.5 * (np.log(h) + x[t] ** 2 / h)
        h = k * h + x[t] ** 2
    return total


def sifted(k: Any, x: Any) -> Any:
    y = np.zeros(len(x) - len(k) + 1, dtype=k.dtype)
    for j in range(len(k)):
        y += k[j] * x[j : j + len(y)]
    return np.sum(y**3)


Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]


def gathered(x: Any, k: Any) -> Any:
    a = np.zeros_like(x)
    for i in range(len(k)):
        a += k[i] * x
    return np.sum(a**2)


def gathered_and_kept(x: Any, k: Any) -> Any:
    a, total = np.zeros_like(x), 0.0
    for i in range(len(k)):
        a += k[i] * x
        total = total + np.sum(np.sin(a))
    return total


def upwind(u: Any, c: Any, h: Any) -> Any:
    for _ in range(3):
        flux = c * u**2
        u = u - h * (flux - np.roll(flux, 1))
    return np.sum(u**2)


def started(p: Any, A: Any) -> Any:
    f = np.zeros_like(p[0])
    f[0] = 1.0
    for t in range(len(p)):
        f = p[t] * (f @ A)
        f = f / np.sum(f)
    return -np.log(f[1])


def above_a_level(x: Any, level: Any) -> Any:
    high = x.real > level
    return np.sum(x[high] * np.sin(x[high]))


def pooled(x: Any) -> Any:
    blocks = x.reshape(2, 2, 3, 2)
    return np.sum(blocks.max(axis=(1, 3)) ** 2)


def kinetic(p: Any, m: Any) -> Any:
    return 0.5 * np.sum(p**2 / m)


def nearest_image(x: Any, box: Any) -> Any:
    d = x - box * np.round(x.real / box)
    r = np.sqrt(np.sum(d**2, axis=1))
    return np.sum(np.exp(-r[r.real < 0.6]))


ROWS: list[Row] = [
    (summed_in_a_loop, (RNG.normal(size=(4, 3)), RNG.normal(size=3)), "b", [], ["total_bar"]),
    (
        pair_energy,
        (RNG.normal(size=(4, 3)), RNG.normal(size=4)),
        "x,q",
        ["return np.sum(d_bar, axis=1) - np.sum(d_bar, axis=0)"],
        ["broadcast_to", "keepdims", "zeros_like", "full_like"],
    ),
    (
        fitted_rows,
        (RNG.normal(size=(4, 3)), RNG.normal(size=3), RNG.normal(size=4)),
        "W,v",
        [],
        ["broadcast_to", ".shape)"],
    ),
    (
        shares,
        (RNG.uniform(1.0, 2.0, 5), RNG.normal(size=5)),
        "w",
        ["w_bar -= w_bar @ p"],
        ["full_like"],
    ),
    *(
        (each, (0.8, RNG.normal(size=5)), "a,x", [], ["y_saved", "e_term_saved"])
        for each in (recurrence, from_the_end, by_columns)
    ),
    (score_table, (RNG.uniform(0.5, 1.0, (4, 3)), 0.7), "p,m", [], ["_saved"]),
    *(
        (each, (0.8, RNG.uniform(0.2, 0.9, 5)), "a,x", ["_saved"], [])
        for each in (round_the_end, in_two_sweeps, twice_in_a_pass, through_a_view)
    ),
    (cleared_later, (0.8, RNG.uniform(0.2, 0.9, 5)), "a,x", ["y_old = y[2]"], ["_saved"]),
    (
        swing,
        (RNG.normal(size=3), RNG.normal(size=3)),
        "q,w",
        ["q.shape[0] != 3", "made for float arrays q (3,)"],
        ["_sum_to"],
    ),
    (
        flows,
        (RNG.normal(size=3), RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3))),
        "theta,g",
        ["return np.sum(d_bar, axis=1) - np.sum(d_bar, axis=0)"],
        ["sin_d_2", "cos_d_2", "shape)"],
    ),
    (
        walled,
        (RNG.normal(size=(4, 5)), 0.3),
        "T,c",
        ["T_bar[1, :] += T_bar[0, :]", "T_bar[:, -2] += T_bar[:, -1]"],
        ["_bar.copy()"],
    ),
    (covered, (RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3))), "F,P", ["= -np.roll("], [".T.T"]),
    (
        bars,
        (RNG.normal(size=(4, 2)), np.array([[0, 1], [1, 2], [2, 3], [3, 0]]), RNG.normal(size=4)),
        "X,k",
        [],
        ["_saved", "forward sweep", "== 0"],
    ),
    (
        tone,
        (0.7, RNG.normal(size=4)),
        "f",
        ["result_term = 2 * np.pi * f * t", " * np.cos(result_term) @ t)"],
        ["= 2 * np.pi\n"],
    ),
    (
        ranked,
        (RNG.normal(size=3), RNG.normal(size=(4, 3)), RNG.uniform(size=4)),
        "beta,X",
        ["X_bar[order] = "],
        ["np.add.at"],
    ),
    (
        drifting,
        (RNG.normal(size=(4, 2)), 0.3),
        "p,c",
        ["p_00_saved.append(p[0, 0])", "p_bar[1, 0] += p_bar[0, 0] * p[0, 0]"],
        ["= 0.0\n        p_bar", "p_10 = p[1, 0]"],
    ),
    (volatile, (0.7, 0.8, RNG.normal(size=6)), "h,k", ["-0.5 / h + 0.5 / h * (x[t] ** 2 / h)"], []),
    (
        sifted,
        (RNG.normal(size=3), RNG.normal(size=6)),
        "k",
        ["k_bar[j] = y_bar @ x[j : j + len(y)]"],
        [],
    ),
    (gathered, (RNG.normal(size=4), RNG.normal(size=3)), "x,k", ["        a += k[i] * x\n"], []),
    (gathered_and_kept, (RNG.normal(size=4), RNG.normal(size=3)), "x", ["a = a + k[i] * x"], []),
    (upwind, (RNG.normal(size=6), 0.3, 0.1), "u", ["h * (np.roll(u_bar, -1) - u_bar)"], []),
    (
        started,
        (RNG.uniform(size=(4, 3)), RNG.uniform(size=(3, 3))),
        "p,A",
        ["        f_bar = A @ f_term_bar\n"],
        ["saved.append((f, f_bar))"],
    ),
    (above_a_level, (RNG.normal(size=5), 0.1), "x", ["not isinstance(level, Real)"], ["np.ndim"]),
    (pooled, (RNG.normal(size=(4, 6)),), "x", ["[:, None, :, None]"], ["_expand"]),
    (kinetic, (RNG.normal(size=4), 1.3), "p", ["p / m,"], []),
    (
        nearest_image,
        (RNG.normal(size=(6, 3)), 0.7),
        "x",
        ["np.where(r_term_bar != 0.0, 2.0 * d * r_term_bar, 0.0)"],
        ["broadcast_to"],
    ),
    (spring, (RNG.normal(size=4), 1.3), "x,k", ["return x * k, 0.5 * np.sum(x**2)"], []),
    (
        robust_fit,
        (0.7, 1.0 + RNG.uniform(size=5), RNG.uniform(size=5)),
        "q",
        [],
        ["!= 0.0"],  # both arms have an adjoint: none is left out
    ),
    (
        waves,
        (RNG.normal(size=4), RNG.normal(size=5), 0.1),
        "h,u",
        ["        h_bar[1:] -= ", "        h_bar[:-1] += "],
        ["h_bar[1:] -= 9.81", "h_bar[:-1] += 9.81"],
    ),
    (
        prior,
        (1.5, RNG.normal(size=3)),
        "t,w",
        ["(w @ w) - 1.0 + (0.5 * len(w) + 2.0) / t"],
        ["- -1.0", "* -1.0"],
    ),
    (
        six_kept,
        (RNG.normal(size=(3, 3)), RNG.normal(size=3), 4),
        "A,x",
        ["in reversed(saved):"],
        ["saved_2"],
    ),
    (
        two_fields,
        (RNG.normal(size=4), RNG.normal(size=4), 0.1, 0.2),
        "u,v,D,k",
        ["    k_bar = D_bar = 0.0\n"],
        [],
    ),
    (
        rotated,
        (RNG.normal(size=3), RNG.normal(size=(4, 3)), 0.3),
        "q,w",
        ["        a, b, c = w[k]\n"],
        ["r = w[k]", "a = "],
    ),
    (
        kepler,
        (np.array([3.0, 1.2, 0.3, 0.4]), np.linspace(0.0, 5.0, 7)),
        "p",
        ["p_bar = np.array("],
        ["p_bar["],
    ),
    (
        stepped_items,
        (RNG.normal(size=4), RNG.normal(size=4), 0.4),
        "u,c",
        ["        us_bar[k] = us_bar[k] + "],
        ["us_bar[k] = np.zeros"],
    ),
]


def along(function: Callable[..., Any], args: Any, at: list[int], dots: list[Any]) -> float:
    """Return the derivative of a real analytic function along a direction, by a complex step."""
    moved = list(args)
    for place, dot in zip(at, dots, strict=True):
        moved[place] = args[place] + 1e-30j * dot
    return float(np.imag(function(*moved)) / 1e-30)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_the_text_is_short_and_right(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    names = tuple(wrt.split(","))
    df = s2sad.grad(function, names, like=args)
    for line in lines:
        assert line in df.source, df.source
    for part in nowhere:
        assert part not in df.source, df.source
    at = [function.__code__.co_varnames.index(name) for name in names]
    dots = [RNG.normal(size=np.shape(args[place])) for place in at]
    given = sum(np.sum(bar * dot) for bar, dot in zip(df(*args), dots, strict=True))
    np.testing.assert_allclose(given, along(function, args, at, dots), rtol=1e-12)


def test_pairs_in_a_list_are_saved_in_one_place():
    shapes = ((3, 4), (4, 2))
    params = [(0.3 * RNG.normal(size=shape), RNG.normal(size=shape[1])) for shape in shapes]
    x = RNG.normal(size=(5, 3))
    df = s2sad.grad(layers_of_pairs, like=(params, x))
    text = df.source
    assert text.count("if W.shape[1] != b.shape[0]:") == 1
    assert text.count(".append(") == 1  # what both sides of the branch save, and z
    assert "for (W, _), (W_bar, _) in zip(reversed(params), reversed(params_bar)):" in text
    made: dict[str, Any] = {}
    exec(text, made)
    found = made["layers_of_pairs_grad"](params, x)
    for k, (W, _) in enumerate(params):
        moved = [(w + 0j, b) for w, b in params]
        moved[k] = (W + 1e-30j * (dot := RNG.normal(size=W.shape)), moved[k][1])
        slope = float(np.imag(layers_of_pairs(moved, x)) / 1e-30)
        np.testing.assert_allclose(np.sum(found[k][0] * dot), slope, rtol=1e-12)
    wrong = [(params[0][0], params[0][1][:3]), params[1]]
    with pytest.raises(ValueError, match=r"W\.shape\[1\] == b\.shape\[0\]"):
        made["layers_of_pairs_grad"](wrong, x)


def velocities(orbits, t):
    return sum(np.sum(K * np.sin(w * t + p) ** 2 + d * e) for K, w, p, d, e in orbits)


def test_gradients_of_long_tuples_in_a_list_need_no_helpers():
    orbits, t = [(2.0, 0.3, 0.5, 1.0, 0.2), (1.0, 0.7, 0.1, 0.4, 0.6)], np.linspace(0.0, 3.0, 5)
    derivative = s2sad.grad(velocities, like=(orbits, t))
    for part in (
        "[[0.0] * 5 for x in orbits]",
        "tuple(x)",
        "isinstance(item, Real) for item in each)",
    ):
        assert part in derivative.source, derivative.source
    assert "_shadow_of" not in derivative.source
    slopes = derivative(orbits, t)
    steps = np.eye(5) * 1e-30j
    for orbit, found in zip(orbits, slopes, strict=True):
        np.testing.assert_allclose(
            found, [velocities([tuple(orbit + step)], t).imag / 1e-30 for step in steps], rtol=1e-12
        )


def filled(x, y):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * y
    return out


def test_a_seed_that_nobody_writes_to_is_not_copied():
    x = np.linspace(0.1, 0.7, 4)
    derivative = s2sad.vjp(filled, ("x", "y"), like=(x, 0.3))
    assert "copy()" not in derivative.source, derivative.source
    seed = np.array([1.0, -2.0, 0.5, 3.0])
    x_bar, y_bar = derivative(x, 0.3, seed)
    np.testing.assert_allclose(x_bar, 0.3 * seed)
    np.testing.assert_allclose(y_bar, x @ seed)
    assert seed.tolist() == [1.0, -2.0, 0.5, 3.0]


def passed_on(x):
    y = x.copy()
    y[0] = 2.0 * y[0]
    return y


def whole(x):
    return x


@pytest.mark.parametrize("function", [passed_on, whole])
def test_a_seed_is_neither_changed_nor_given_back(function):
    x, seed = np.linspace(0.1, 0.7, 4), np.ones(4)
    x_bar = s2sad.vjp(function, like=(x,))(x, seed)
    assert not np.shares_memory(x_bar, seed)
    np.testing.assert_array_equal(seed, 1.0)


def test_slopes_on_an_even_grid_need_few_lines():
    def roughness(u: Any, dx: Any) -> Any:
        return np.sum(np.gradient(u, dx, axis=0) ** 2)

    u = np.random.default_rng(0).random((5, 3))
    assert "edge_order" not in s2sad.grad(roughness, like=(u, 0.1)).source


def decay(x, a):
    return np.exp(-a * x) * np.sin(x)


def middle_of(low, f_low, high, f_high, a):
    middle = (low + high) / 2.0
    f_middle = decay(middle, a)
    return middle, f_middle, (high - low) / 6.0 * (f_low + 4.0 * f_middle + f_high)


def divided(low, f_low, high, f_high, middle, f_middle, whole, a):
    left, f_left, first = middle_of(low, f_low, middle, f_middle, a)
    right, f_right, second = middle_of(middle, f_middle, high, f_high, a)
    if abs(first + second - whole) < 1e-3:
        return first + second
    below = divided(low, f_low, middle, f_middle, left, f_left, first, a)
    return below + divided(middle, f_middle, high, f_high, right, f_right, second, a)


def quadrature(a):
    f_low, f_high = decay(0.0, a), decay(2.0, a)
    middle, f_middle, whole = middle_of(0.0, f_low, 2.0, f_high, a)
    return divided(0.0, f_low, 2.0, f_high, middle, f_middle, whole, a)


def test_parts_of_results_that_do_not_vary_have_no_adjoints():
    derivative = s2sad.grad(quadrature, like=(0.7,))
    assert derivative.source.count("def divided_rev") == 1, derivative.source
    assert " middle_bar" not in derivative.source, derivative.source
    slope = quadrature(0.7 + 1e-30j).imag / 1e-30
    np.testing.assert_allclose(derivative(0.7), slope, rtol=1e-13)


def rounded_rev(x, y, y_bar):
    return y_bar[0] + 2.0 * y_bar[1]


@s2sad.custom_derivative(reverse=rounded_rev)
def rounded(x):
    return np.round(x), np.floor(x)


def test_parts_of_a_function_that_was_given_a_derivative_vary_as_it_says():
    def loss(x):
        near, below = rounded(x)
        nearer, lower = rounded(2.0 * x)
        return 3.0 * near + 5.0 * below + nearer * lower

    x = 1.3
    assert s2sad.grad(loss)(x) == 3.0 + 2.0 * 5.0 + 2.0 * (np.floor(2 * x) + 2.0 * np.round(2 * x))
