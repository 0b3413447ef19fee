"""What programs of scientists had in them that went wrong once, each as small as it gets."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def column_written_out(a, x):
    A = np.array([[a[0]], [a[1]], [a[0] * a[1]]])
    y = A * x
    return np.sum(y * y[1])


def one_row_written_out(a, x):
    H = np.array([[1.0, a[0], 0.5]])
    K = np.linalg.solve(np.eye(1) * a[1], H).T
    rest = np.eye(3) - K @ H
    return np.sum(rest @ x * x)


def shape_functions(a, x):
    G = np.linalg.solve(np.diag(a), np.array([[-1.0, 1, 0], [-1, 0, 1]]))
    K = a[0] * G.T @ G
    return x @ K @ x


def rows_as_tuples(a, x):
    G = np.array([(a[0], 1.0, a[1]), (0.0, a[1], 2.0)])
    return np.sum((G @ x) ** 2 * a)


def column_stored(a, x):
    u = np.zeros((2, 3, 4))
    u[:, 0, :] = [[a[0]], [0.0]]
    u[0, 1:] = [[a[0] * a[1]], [a[1]]]
    return np.sum(u * np.arange(24.0).reshape(2, 3, 4)) + np.sum(u[:, :, 0] * x)


def rows_of_a_list_spread(a, x):
    u = np.zeros((2, 3))
    row = [a[0], 2.0, a[1] * a[0]]
    u += row
    u[:, 1:] *= [[a[0]], [2.0 * a[1]]]
    u[:] += [[x[0]]]
    return np.sum(u * np.arange(6.0).reshape(2, 3))


def list_of_arrays_spread(a, x):
    z = np.zeros((2, 2, 3))
    z[:] = [x, x * a[0]]
    z[1] += [x * a[1]]
    return np.sum(z * np.arange(12.0).reshape(2, 2, 3))


WEIGHTS = np.array([0.5, -1.0, 2.0])


def _weighted(u, weights=WEIGHTS):
    u *= weights


def default_that_is_an_array(a, x):
    u = a[0] * x
    _weighted(u)
    return np.sum(u**2 * a[1])


def times_rows(a, x):
    u = np.ones((2, 3)) * x
    v = u * [[a[0]], [2.0 * a[1]]] - [x[0], 1.0, a[0]]
    return np.sum(v * np.arange(6.0).reshape(2, 3))


WEIGHTS = np.array([0.1, -0.2, 0.3])
LINKS = [(0.0, 1.0, 0.3), (0.5, 0.0, 0.2), (0.4, 0.0, 0.1)]


def zipped_with_constants(a, x):
    s = 0.0
    for u, w in zip(x, WEIGHTS, strict=True):
        s += u * w * a[0]
    for i, ((b, c, d), u) in enumerate(zip(LINKS, x, strict=True)):
        s += b * u + c * d * u * u * i * a[1]
    return s + sum(w * u for w, u in zip((0.1, 0.2), [a[0] * a[1], a[1]], strict=True))


def once(f, y, args=()):
    return f(y, *args)


def twice(f, y, args=(), **options):
    return once(f, once(f, y, args), args=args) * options.get("scale", 1.0)


def cubed(y):
    return y**3


def scaled(y, k=1.0, shift=0.0):
    return k * np.sin(y) + shift


def arguments_handed_on(a, x):
    left = twice(cubed, x) + once(scaled, x, args=(a[0],))
    return np.sum(left + twice(scaled, x, (a[1], a[0]), scale=a[1]))


def parts_of_a_row_given(a, x):
    row = np.concatenate([a, x])
    return np.sum(scaled(*row[1:4]) + np.hypot(*row[:2]) + scaled(*a[:1], *x[:2]))


def options_given(a, x):
    options = {"k": a[0], "shift": a[1]}
    nested = {"inner": {"shift": a[0] * a[1]}, "k": 2.0}
    return np.sum(scaled(x, **options) + scaled(x, k=3.0, **nested["inner"]))


def layer(x, p):
    return scaled(x, **p["wave"]) * p["gain"]


def nested_options(p, x):
    return np.sum(layer(x, p)) + scaled(p["gain"], **p["wave"])


def parts_of_a_stack_given(a, x):
    M = np.outer(a, x)
    return np.sum(np.hypot(*np.gradient(np.cos(M))) * np.arctan2(*M))


def gaussian(r, p):
    return p["scale"] * np.exp(-(r**2) / p["width"])


def cauchy(r, p):
    return p["scale"] / (1.0 + (r / p["width"]) ** 2)


KERNELS = {"gaussian": gaussian, "cauchy": cauchy}


def kernel_by_name(a, x, kernel="cauchy"):
    if kernel not in KERNELS:
        raise ValueError(f"{kernel!r} is none of {sorted(KERNELS)}")
    k = KERNELS[kernel]
    p = {"scale": a[0], "width": np.exp(a[1])}
    return np.sum(k(x, p))


def kernel_looked_up(a, x, kernel="cauchy"):
    try:
        k = KERNELS[kernel]
    except KeyError:
        raise ValueError(f"{kernel!r} is no kernel") from None
    return np.sum(k(x, {"scale": a[0], "width": a[1]}))


def kernel_of_a_caller(a, x):
    return kernel_looked_up(a, x, kernel="gaussian") * a[1]


TWO, THREE = np.array([0.7, 1.3]), numbers(3)


def strengths_over_the_largest(W):
    np.fill_diagonal(W, 0.0)
    sums, largest = np.zeros((len(W), 2)), 0.0
    for i in range(2):
        sums[:, i] = np.sum(W * (W - i > 0.0), axis=1)
        total = np.sum(W[i])
        if total > largest:
            largest = total
    return np.sum(sums / largest)


PROGRAMS = (
    tuple(
        Entry(function, (TWO, THREE), wrt=(0, 1))
        for function in (
            column_written_out,
            one_row_written_out,
            shape_functions,
            rows_as_tuples,
            column_stored,
            rows_of_a_list_spread,
            list_of_arrays_spread,
            default_that_is_an_array,
            times_rows,
            zipped_with_constants,
            arguments_handed_on,
            parts_of_a_row_given,
            options_given,
        )
    )
    + tuple(
        Entry(function, (TWO, THREE, "gaussian"), wrt=(0, 1), like_only=True)
        for function in (kernel_by_name, kernel_looked_up)
    )
    + (Entry(kernel_of_a_caller, (TWO, THREE), wrt=(0, 1)),)
)
PROGRAMS += (
    Entry(
        nested_options,
        ({"wave": {"k": 0.7, "shift": 0.2}, "gain": 1.3}, THREE),
        wrt=(0, 1),
        like_only=True,
    ),
)
PROGRAMS += (Entry(parts_of_a_stack_given, (TWO, THREE), wrt=(0, 1), like_only=True),)
PROGRAMS += (Entry(strengths_over_the_largest, (numbers(3, 3) ** 2,)),)
