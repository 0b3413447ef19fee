"""What a scientist would write of the passes of a loop, and of what is long: the text, and its numbers.

Each row: a function, its arguments, what it is differentiated with respect to, lines that the
gradient has, and what it has nowhere. The numbers are compared with differences, and both modes
with each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sad
from tests.oracles import compare, differences, flatten, standalone

RNG = np.random.default_rng(21)


def heated(u: Any, c: Any) -> Any:
    for _ in range(3):
        u = u + c * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
        u[0] = 0.5
        u[-1] *= 2.0
    return np.sum(u**2)


def flowing(q: Any, v: Any) -> Any:
    for _ in range(3):
        flux = v * q[:-1]
        q = q.copy()
        q[:-1] -= flux
        q[1:] += flux
    return np.sum(np.sin(q))


def heated_twice(u: Any, c: Any) -> Any:
    first = u
    for k in range(4):
        if k % 2:
            u = u + c * np.roll(u, 1)
            u[0] *= c
            first = u
        while np.sum(u**2) > 9.0:
            u = 0.5 * u
            u[1] = c
    return np.sum(u * first)


def arm_of_links(angles: Any, lengths: Any) -> Any:
    turned = x = y = 0.0
    for k in range(len(angles)):
        turned = turned + angles[k]
        x = x + lengths[k] * np.cos(turned)
        y = y + lengths[k] * np.sin(turned)
    return (x - 0.7) ** 2 + (y - 0.4) ** 2


def waves(u: Any, c: Any) -> Any:
    for _ in range(3):
        cosines = np.cos(u)
        u = u + c * np.sin(u)
        u = u * cosines
    return np.sum(u**2)


def turned_between(angles: Any, lengths: Any) -> Any:
    turned = x = y = 0.0
    for k in range(len(angles)):
        turned = turned + angles[k]
        x = x + lengths[k] * np.cos(turned)
        turned = turned * 1.5
        y = y + lengths[k] * np.sin(turned)
    return x * y


def lower_triangle(A: Any, x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1):
            total += np.sin(A[i, j] * x[j])
    return total


def taken_twice(u: Any, w: Any) -> Any:
    total = 0.0
    for k in range(len(u)):
        total += w[k] * np.sin(u[k]) * u[(k + 1) % len(u)] + np.cos(w[k - 1])
    return total


def counted_from_the_end(u: Any, c: Any) -> Any:
    total = 0.0
    for k in range(-1, len(u) - 1):
        total += np.sin(c * u[k]) * u[-1]
    for k in range(-len(u), len(u)):
        total += np.cos(c * u[k])
    return total


def recursion_of_levinson(r: Any) -> Any:
    a, err = np.zeros(len(r) - 1), r[0]
    for k in range(len(r) - 1):
        ref = (r[k + 1] - a[:k] @ r[k:0:-1]) / err
        old = a[:k].copy()
        for j in range(k):
            a[j] = old[j] - ref * old[k - 1 - j]
        a[k] = ref
        err = err * (1.0 - ref**2)
    return np.sum(a**2) + np.log(err)


def two_pendulums(angles: Any, speeds: Any) -> Any:
    a, b = angles
    va, vb = speeds
    for _ in range(4):
        d = a - b
        va = va - 0.1 * (np.sin(a) + np.sin(d) * np.cos(d) * vb**2)
        vb = vb - 0.1 * (np.sin(b) - np.sin(d) * np.cos(d) * va**2)
        a = a + 0.1 * va
        b = b + 0.1 * vb
    return a * b


def projected(points: Any, focus: Any) -> Any:
    x = points[:, 0] / points[:, 2]
    y = points[:, 1] / points[:, 2]
    return np.sum((focus * x - 0.3) ** 2 + (focus * y + 0.2) ** 2 * x)


def stopped(u: Any, c: Any) -> Any:
    for _ in range(4):
        u = u + c * np.roll(u, 1)
        if u[0] > 1e3:
            break
        u[0] = c
    return np.sum(u**2) + c


def passed_over(x: Any, c: Any) -> Any:
    s = 0.0
    for k in range(len(x)):
        if x[k] < 0.0:
            continue
        y = c * x[k]
        s = s + np.sin(y) * y
    return s


def marched(a: Any, b: Any, d: Any) -> Any:
    y = np.zeros(len(d))
    y[0] = d[0] / b
    for i in range(1, len(d)):
        y[i] = (d[i] - a * y[i - 1]) / b
    return np.sum(y**2)


def overtaken(x: Any, c: Any) -> Any:
    y = np.zeros(len(x))
    for i in range(1, len(x) - 1):
        y[i] = c * y[i]
        for j in range(1, i):
            y[j] = x[j] ** 2
        y[-1 - i] = x[i] * y[i]
    return np.sum(np.sin(y))


def marched_over(a: Any, d: Any) -> Any:
    y = d.copy()
    for i in range(1, len(d)):
        y[i] = a * y[i - 1] * y[i]
    for i in range(1, len(d) - 1):
        y[i] = np.sin(y[i + 1]) + y[i - 1]
    return np.sum(y**2)


def summed_and_set(x: Any) -> Any:
    y = x.copy()
    total = np.sum(y**2)
    for i in range(len(y)):
        y[i] = total * np.cos(x[i])
    return np.sum(y)


def grid(x: Any, y: Any) -> Any:
    R = np.zeros((len(x) + 1, len(y) + 1))
    R[0, 0] = 1.0
    for i in range(len(x)):
        for j in range(len(y)):
            R[i + 1, j + 1] = x[i] * y[j] + np.sin(R[i, j]) + R[i, j + 1] * R[i + 1, j]
    return R[-1, -1]


def sections(sos: Any, x: Any) -> Any:
    for b, c, a in sos:
        x = b * x + c * np.roll(x, 1) - a * np.roll(x, 2)
    return np.sum(x**3)


def network(W: Any, U: Any, b: Any, x: Any) -> Any:
    h = np.zeros(len(b))
    for row in x:
        h = np.tanh(W @ row + U @ h + b)
    return np.sum(h**2)


def unit_rows(A: Any, w: Any) -> Any:
    U = A / np.linalg.norm(A, axis=1, keepdims=True)
    return np.sum(np.sin(U) @ w)


def unit_vector(q: Any, w: Any) -> Any:
    n = np.linalg.norm(q)
    return np.sum(np.sin(q / n) * w) + n**2


def unit_if_long(q: Any, w: Any) -> Any:
    n = np.linalg.norm(q)
    s = np.sum(q * w) * n
    for k in range(len(w) - 3):
        s += w[k] * np.sum(np.sin(q / n))
    return s


def saturated(p: Any, s: Any, i: Any, v: Any) -> Any:
    vmax, km, ki, n = p
    r = vmax * s**n / (km**n * (1.0 + i / ki) + s**n) - v
    return 0.5 * np.mean(r**2)


def great_circle(lat: Any, lon: Any, i: Any, j: Any) -> Any:
    up, along = lat[i] - lat[j], lon[i] - lon[j]
    a = np.sin(up / 2) ** 2 + np.cos(lat[i]) * np.cos(lat[j]) * np.sin(along / 2) ** 2
    return np.sum(np.arcsin(np.sqrt(a)))


def added_late(x: Any, h: Any) -> Any:
    for _ in range(3):
        k1 = np.sin(x) * x[::-1]
        k2 = np.sin(x + h * k1)
        x = x + 0.5 * h * (k1 + k2)
    return np.sum(x**2)


def noisy_line(a: Any, c: Any, t: Any, y: Any) -> Any:
    z = (y - a * np.sin(t / 2.0)) / np.exp(c * t)
    return np.sum(c * t) + 0.5 * np.sum(z**2)


def exchanged(area: Any, units: Any, hot: Any, cold: Any) -> Any:
    hot, cold = hot.copy(), cold.copy()
    for k in range(len(units)):
        i, j = units[k]["hot"], units[k]["cold"]
        ratio = units[k]["flow"] / 3.0
        e = np.exp(-area[k] * (1.0 - ratio))
        share = (1.0 - e) / (1.0 - ratio * e)
        q = share * (hot[i] - cold[j])
        hot[i] -= q
        cold[j] += q
    return np.sum(cold**2)


def turned_in_a_field(field: Any, v: Any) -> Any:
    kept = v
    for _ in range(6):
        if kept[0] > 0.5:
            w = field * kept[1]
            s = np.sin(w)
            c = np.cos(w)
            kept = np.array([c * kept[0] - s * kept[1], s * kept[0] + c * kept[1]])
        else:
            kept = 1.2 * kept + 0.1
    return kept @ kept


def sine_before_cosine(angles: Any, lengths: Any) -> Any:
    t = x = y = 0.0
    for k in range(len(angles)):
        t = t + angles[k]
        s = np.sin(t)
        c = np.cos(t)
        x = x + lengths[k] * c
        y = y + lengths[k] * s * x
    return (x - 0.7) ** 2 + y**2


def numbered(x: Any, w: Any) -> Any:
    y = np.zeros(len(x))
    for k, (a, b) in enumerate(zip(x, w, strict=True)):
        y[k] = a * np.sin(b) + y[k - 1] ** 2
    return np.sum(y**2)


def densities(x: Any, centres: Any, width: Any) -> Any:
    total = 0.0
    for c in centres:
        total = total + np.sum(np.exp(-((x - c) ** 2) / (2.0 * width**2)) ** 1.5)
    return total


def responsible(x: Any, mu: Any) -> Any:
    for _ in range(3):
        p = np.exp(-((x[:, None] - mu) ** 2))
        r = p / p.sum(axis=1, keepdims=True)
        n = r.sum(axis=0)
        mu = r.T @ x / n
    return np.sum(mu**2)


def observed(k: Any, dose: Any, at: Any, seen: Any) -> Any:
    held = []
    amount = dose
    for _ in range(6):
        amount = amount - 0.2 * k * amount / (1.0 + amount)
        held.append(amount / k)
    return np.sum((np.array(held)[at] - seen) ** 2)


def titrated(pk: Any, c: Any, volumes: Any, seen: Any) -> Any:
    k = 10.0 ** (-pk)
    total = 0.0
    for v, y in zip(volumes, seen, strict=True):
        h = 1e-4
        for _ in range(5):
            f = h + v - c * k / (k + h)
            h = h * np.exp(-f / (h + c * k * h / (k + h) ** 2))
        total += (np.log(h) - y) ** 2
    return total


def filled_in_each_pass(a: Any, x: Any, A: Any) -> Any:
    total = 0.0
    for k in range(len(x)):
        g = np.ones(3)
        g[:2] = np.exp(-a * x[k])
        w = np.linalg.solve(A, g)
        total = total + w @ g
    return total


def filled_for_the_next_pass(a: Any, x: Any) -> Any:
    total, g = 0.0, np.ones(3)
    for k in range(len(x)):
        g[:2] = np.exp(-a * x[k]) * g[1:]
        total = total + np.sum(np.sin(g) ** 2)
    return total


Row = tuple[Callable[..., Any], tuple[Any, ...], str, list[str], list[str]]
U, W = RNG.normal(size=5), RNG.normal(size=(3, 3))
ROWS: list[Row] = [
    (
        titrated,
        (4.0, 0.1, np.linspace(0.001, 0.02, 4), np.linspace(-7.0, -6.0, 4)),
        "pk,c",
        ["    for v, y in zip(reversed(volumes), reversed(seen)):\n        h = 0.0001\n"],
        ["    for v in volumes"],
    ),
    (
        filled_in_each_pass,
        (0.3, RNG.normal(size=4), RNG.normal(size=(3, 3)) + 4.0 * np.eye(3)),
        "a,x,A",
        ["keeps nothing.", "for k in reversed(range(len(x))):\n        g = np.ones(3)\n"],
        ["_saved"],
    ),
    (filled_for_the_next_pass, (0.3, RNG.normal(size=4)), "a,x", ["_saved"], []),
    (
        observed,
        (0.7, 3.0, np.array([0, 2, 2, 5]), RNG.normal(size=4)),
        "k,dose",
        ["    held_bar = list("],
        ["range(len(held_bar))"],
    ),
    (
        responsible,
        (RNG.normal(size=6), np.array([-0.5, 0.4])),
        "x,mu",
        ["saved.append((r, n))"],
        ["        r_term = p.sum(axis=1, keepdims=True)\n        r_"],
    ),
    (
        densities,
        (RNG.normal(size=5), RNG.normal(size=3), 0.7),
        "x,width",
        [" / width"],
        ["width_bar -= 4.0 * width", "width**3"],
    ),
    (
        numbered,
        (RNG.normal(size=4), RNG.normal(size=4)),
        "x,w",
        ["    for k, (a, b) in enumerate(zip(x, w)):\n"],
        ["b = w[k]\n        y["],
    ),
    (
        exchanged,
        (
            np.array([0.4, 0.7, 0.9]),
            [{"hot": 0, "cold": 1, "flow": f} for f in (0.5, 1.0, 2.0)],
            np.array([90.0, 80.0]),
            np.array([20.0, 30.0]),
        ),
        "area",
        [
            '        i, j = units[k]["hot"], units[k]["cold"]\n        q_bar',
            "        ratio, e, share, q_term = saved.pop()\n",
        ],
        [],
    ),
    (
        turned_in_a_field,
        (0.3, np.array([0.8, 0.6])),
        "field,v",
        ["            s, c, kept = saved.pop()\n", "w_bar = s_bar * c - c_bar * s"],
        [],
    ),
    (
        sine_before_cosine,
        (RNG.normal(size=4), RNG.normal(size=4)),
        "angles,lengths",
        ["t_bar += lengths[k] * (y_term_bar * c - x_bar * s)"],
        ["t_saved", "(t, x)"],
    ),
    (
        heated,
        (U, 0.1),
        "u,c",
        ["u_saved.append(u)\n        u = u + c * ", "for u in reversed(u_saved):"],
        ["u.copy()", "u_bar = np.zeros", ".pop()"],
    ),
    (flowing, (U, RNG.normal(size=4)), "q,v", ["q_saved.append(q)\n        q = q.copy()"], ["pop"]),
    (heated_twice, (U, 0.3), "u,c", [], []),
    (stopped, (U, 0.3), "u,c", [], []),
    (passed_over, (U, 0.3), "x,c", [], []),
    (
        arm_of_links,
        (U, U + 0.3),
        "angles,lengths",
        [
            "cos_turned, sin_turned = saved.pop()",
            "lengths_bar[k] = y_bar * sin_turned + x_bar * cos_turned",
            "angles_bar[k] = ",
        ],
        ["turned_saved", "+= y_bar"],
    ),
    (recursion_of_levinson, (np.array([3.0, 1.0, 0.5, 0.3, 0.2, 0.1]),), "r", [], []),
    (
        two_pendulums,
        (U[:2], U[2:4]),
        "angles,speeds",
        ["cos_d, sin_d = np.cos(d), np.sin(d)"],
        ["cos_d_2", "d_saved", "* sin_d_2"],
    ),
    (
        projected,
        (np.abs(W) + 1.0, 0.7),
        "points,focus",
        ["points_bar[:, 0] = ", "points_bar[:, 1] = "],
        ["points_bar[:, 1] += "],
    ),
    (waves, (U, 0.3), "u,c", ["cosines"], ["c * x_bar * np.cos(u)"]),
    (turned_between, (U, U + 0.3), "angles,lengths", ["lengths_bar[k] += "], []),
    (lower_triangle, (np.outer(U, U), U), "A,x", ["A_bar[i, j] = "], ["A_bar[i, j] += "]),
    (taken_twice, (U, U + 0.4), "u,w", ["u_bar[k] += "], ["w_bar[k] = "]),
    (counted_from_the_end, (U, 0.3), "u,c", ["u_bar[k] += "], ["u_bar[k] = "]),
    (marched, (0.3, 1.7, U), "a,b,d", ["d_bar[i] = "], []),
    (overtaken, (np.hstack([U, W[0]]), 0.8), "x,c", [], []),
    (marched_over, (0.9, U), "a,d", ["y_bar[i] = 0.0"], []),
    (summed_and_set, (U,), "x", [], []),
    (grid, (U[:3], U[1:]), "x,y", ["= R_bar[i + 1, j + 1]"], []),
    (
        sections,
        (W, RNG.normal(size=6)),
        "sos,x",
        ["sos.shape[1] != 3", "for b, c, a in sos:", "sos_bar[k] = np.array(["],
        ["parts[0]"],
    ),
    (
        network,
        (W, W.T, U[:3], RNG.normal(size=(4, 3))),
        "W,U,b",
        ["U_bar, W_bar, b_bar = np.zeros_like(U), np.zeros_like(W), np.zeros_like(b)\n"],
        [],
    ),
    (unit_rows, (W, U[:3]), "A", [" / norm_A * A"], ["== 0.0"]),
    (unit_vector, (U, U + 1.0), "q", [], ["== 0.0"]),
    (unit_if_long, (U[:3], U[1:4]), "q", ["n == 0.0"], []),
    (
        saturated,
        (np.array([1.3, 0.7, 1.9, 1.4]), U**2 + 0.1, U**2 + 0.2, U),
        "p",
        ["p_bar = np.array(\n        [r_term_bar @ r_term, "],
        ["\n        [\n", "p_bar["],
    ),
    (
        great_circle,
        (U, U[::-1].copy(), np.array([0, 1, 4]), np.array([2, 3, 0])),
        "lat,lon",
        ["lat_i, lat_j = lat[i], lat[j]\n"],
        [],
    ),
    (added_late, (U, 0.1), "x,h", [], []),
    (
        noisy_line,
        (0.7, 0.3, U, U[::-1].copy()),
        "a,t",
        ["np.sin(t / 2.0)", "np.cos(t / 2.0)"],
        ["= t / 2.0"],
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_the_text_is_as_by_hand_and_right(row: Row) -> None:
    function, args, wrt, lines, nowhere = row
    names = tuple(wrt.split(","))
    gradient = s2sad.grad(function, names, like=args)
    for line in lines:
        assert line in gradient.source, gradient.source
    for part in nowhere:
        assert part not in gradient.source, gradient.source
    places = [function.__code__.co_varnames.index(name) for name in names]
    given = tuple(args[place] for place in places)
    for made in (standalone(gradient.source), s2sad.grad(function, names)):
        found = flatten(tuple(made(*args)), given)
        assert compare(found, differences(function, args, places)) is None
    assert s2sad.check_grad(function, args, names)
    assert s2sad.jvp(function, names, like=args).source


@pytest.mark.parametrize("function", [unit_rows, unit_if_long], ids=lambda f: f.__name__)
def test_what_is_divided_by_a_norm_that_is_zero(function: Callable[..., Any]) -> None:
    """A row that is zero has no direction; where nothing is divided, the norm has derivative 0."""
    args = (W * [[1.0], [0.0], [1.0]], U[:3]) if function is unit_rows else (0.0 * U[:3], U[1:4])
    with np.errstate(all="ignore"):
        found = s2sad.grad(function, like=args)(*args)
    if function is unit_rows:
        assert np.isnan(found[1]).all() and np.isfinite(found[[0, 2]]).all()
    else:
        np.testing.assert_array_equal(found, 0.0)
