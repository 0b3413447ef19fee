"""Functions of NumPy and SciPy in the rarer of their argument forms.

np.linalg.norm(A, -np.inf, axis=(0, 1)), np.pad(u, 2, mode="median"), np.multiply.at(v, k, c)
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.stats

from tests.programs.entry import Entry

RNG = np.random.default_rng(31)
A, B, T = RNG.normal(size=(3, 3)), RNG.normal(size=(4, 3)), RNG.normal(size=(3, 4, 2))
U, V = np.array([-1.2, 0.3, 2.1, 0.8, -0.5]), RNG.normal(size=5)
OF_B, OF_PLANE, OF_ROW = RNG.normal(size=(4, 3)), RNG.normal(size=(4, 4)), RNG.normal(size=5)
PLACES = [3, 0, 0, 2]
PLANE, KERNEL = RNG.normal(size=(6, 5)), RNG.normal(size=(3, 2))


# ---------------------------------------------------------------------------- lengths


def fewer_columns_than_rows_that_are_known(b):
    return np.sum(OF_B * np.linalg.qr(b)[0])


def parts_of_fewer_columns(b):
    left, sizes, right = np.linalg.svd(b, full_matrices=False)
    return np.sum(OF_B * left) + sizes[1] * right[0, 2]


def valid_part_of_a_plane(plane, kernel):
    return np.sum(OF_PLANE * scipy.signal.convolve2d(plane, kernel, mode="valid"))


def same_part_of_a_row(u, kernel):
    return np.sum(OF_ROW * np.convolve(u, kernel, "same"))


def parts_as_long_as_the_longer(u, kernel):
    whole = scipy.signal.convolve(u, kernel, mode="same")
    return np.sum(whole * scipy.signal.correlate(u, kernel, mode="same"))


def counts_in_a_list(rate):
    found = scipy.stats.poisson.logpmf([0, 3, 1, 2], rate)
    return np.sum(found * scipy.stats.bernoulli.logpmf([0, 1, 1, 0], 0.2 * rate))


def filter_of_numbers(gain):
    return np.sum(OF_ROW * (scipy.signal.freqz([1.0, 0.5], [1.0, 0.3], 5)[1].real * gain))


def rows_of_a_known_length(b):
    first, *others = tuple(b)
    return np.sum(OF_B[0] * first * others[1])


def parts_along_each_axis(a, t):
    x, y, z = np.unstack(a)
    first, *others = np.unstack(a, axis=-1)
    whole = np.stack(np.unstack(t, axis=1)) * sum(np.unstack(t, axis=1))
    return np.sum(x * y + z * first * others[1]) + np.sum(whole**2)


# ---------------------------------------------------------------------------- grids


def ends_by_statistics(u):
    row = np.pad(u, (1, 2), mode="mean") * np.pad(u, (2, 1), "maximum", stat_length=3)
    return np.sum(row**2)


def ends_by_statistics_of_grids(b):
    grid = np.pad(b, ((1, 2), (0, 3)), mode="median", stat_length=2)
    return (
        np.sum(grid**2) + np.sum(np.pad(b, 2, "minimum") ** 3) + np.sum(np.pad(b, 1, "mean") ** 2)
    )


def ends_in_ramps(u, b):
    row = np.pad(u, (1, 3), "linear_ramp", end_values=(1.5, -2.0))
    return np.sum(row**2) + np.sum(np.pad(b, ((1, 2), (3, 0)), mode="linear_ramp") ** 2)


def ends_in_odd_reflections(u, b):
    row = np.pad(u, (1, 3), mode="reflect", reflect_type="odd")
    grid = np.pad(b, ((1, 2), (0, 3)), mode="symmetric", reflect_type="odd")
    return (
        np.sum(row**2) + np.sum(grid**2) + np.sum(np.pad(u, 2, "reflect", reflect_type="even") ** 3)
    )


def planes_that_go_on(plane, kernel):
    wrapped = scipy.signal.correlate2d(plane, kernel, mode="same", boundary="wrap")
    mirrored = scipy.signal.correlate2d(plane, kernel, "full", "symm")
    return np.sum(wrapped**2) + np.sum(mirrored**3)


def slopes_as_one_array(b, t):
    total = np.sum(np.array(np.gradient(t)) ** 2) + np.sum(
        np.stack(np.gradient(b, axis=(1, 0))) ** 3
    )
    x = np.array([0.0, 0.4, 1.0, 1.9])
    return total + np.sum(np.sum(np.gradient(b, x, 0.5), axis=0) ** 2)


def filled_in_by_compiled_code(u):
    return np.sum(OF_ROW * scipy.ndimage.maximum_filter1d(u, 3))


def filled_in_plane_by_compiled_code(plane):
    spectrum = scipy.ndimage.fourier_gaussian(np.fft.fft2(plane), 1.0)
    return np.sum(spectrum.real**2) + np.sum(scipy.ndimage.generic_filter(plane, np.mean, size=3))


# ---------------------------------------------------------------------------- norms


def least_of_each_row(b):
    return np.sum(np.linalg.vector_norm(b, ord=-np.inf, axis=1) ** 2)


def norms_of_a_vector(u):
    total = np.linalg.norm(u, -np.inf) * np.linalg.norm(u, np.inf, 0, True)[0]
    for order in (-2, -1, 1):
        total += np.linalg.norm(u, order) * np.linalg.norm(u, order, 0, True)[0]
    total += np.linalg.norm(u, 1.5) * np.linalg.norm(u, 1.5, 0, True)[0]
    return total + scipy.linalg.norm(u, -np.inf) * scipy.linalg.norm(u, 3)


def norms_of_a_matrix(b):
    columns = np.linalg.norm(b, -1) + np.linalg.norm(b, 1, keepdims=True)[0, 0] ** 2
    rows = np.linalg.norm(b, -np.inf) * scipy.linalg.norm(b, np.inf)
    values = np.linalg.norm(b, -2) * np.linalg.norm(b, "nuc", axis=(0, 1))
    return columns + rows + values + scipy.linalg.norm(b, axis=(0, 1), keepdims=True)[0, 0]


def norms_of_matrices(t):
    columns = np.linalg.norm(t, 1, axis=(0, 1)) * np.linalg.norm(t, -1, axis=(1, 0))
    rows = scipy.linalg.norm(t, np.inf, axis=(-3, 1), keepdims=True)[0, 0]
    values = np.linalg.matrix_norm(t.T, ord="nuc") + np.linalg.norm(t, -2, axis=(0, 1))
    return np.sum(columns * values) + np.sum(rows**2)


def conditions(a):
    first = np.linalg.cond(a, "fro") + np.linalg.cond(a, -2)
    return first + np.sum(np.linalg.cond(np.stack([a, a.T @ a]), 1))


# ---------------------------------------------------------------------------- factors


def some_vectors_of_all(b):
    left, sizes, right = np.linalg.svd(b)
    k = 2
    return np.sum(OF_B * ((left[:, :k] * sizes[:k]) @ right[:k])) + np.linalg.svd(b)[1][0]


def one_vector_without_a_value(b):
    return np.linalg.svd(b.T)[2][-1] @ OF_B[:, 0] * np.linalg.svd(b)[0][0, 3]


# ---------------------------------------------------------------------------- whole numbers


def signs_in_turn(c, n):
    d = np.outer(np.arange(1.0, n), (-1) ** np.arange(n - 1))
    d -= np.diag(d.sum(axis=1))
    return np.sum(np.tanh(c * d))


def survivors(rate, ages):
    alive, years = 1.0, {}
    for age in ages:
        alive -= alive * rate * (1 + 0.1 * age)
        years[age] = alive
    return sum(years.values()) + years[ages[-1]] * len(ages)


def taken_at_places_of_the_module(u):
    return np.sum(np.take(u, PLACES) ** 2) + u.take(PLACES) @ np.take(u, [0, 0, 1, 4]) ** 2


def of_chosen_places(u, places):
    s = 0.0
    for k, place in enumerate(reversed(places)):
        s += u[place] ** k
    return s * np.sum(u[places]) * (places.stop - places.start)


# ---------------------------------------------------------------------------- vectors


def area_in_space(a, b):
    return np.sum(np.cross(a[:-1], b[0]) * b[1]) + np.sum(np.cross(a, a[::-1] ** 2))


def patches_in_columns(x, w):
    count, depth, high, wide = x.shape
    kh, kw = w.shape
    patches = np.empty((count, depth, kh, kw, high - kh + 1, wide - kw + 1))
    for i in range(kh):
        for j in range(kw):
            patches[:, :, i, j] = x[:, :, i : i + high - kh + 1, j : j + wide - kw + 1]
    return np.sum(np.tensordot(patches, w, axes=((2, 3), (0, 1))) ** 2)


def area_in_the_plane(p, q):
    twice = sum(np.cross(p[k - 1], p[k]) for k in range(len(p)))
    return twice * np.sum(np.cross(p, q) ** 2) * np.arctan2(np.cross(q, p[1]), q @ p[1])


# ---------------------------------------------------------------------------- reductions by ufuncs


def reduced_from_a_number(a, c):
    total = np.add.reduce(a * a, initial=c) + np.add.reduce(a, 0, where=a > 0.1)
    return total @ np.multiply.reduce(a + c, axis=0, initial=2.0) + np.maximum.reduce(
        a[0], initial=c
    )


def gone_along_by_ufuncs(a):
    running = np.add.accumulate(a, axis=1) * np.multiply.accumulate(a)
    return np.sum(running) + np.sum(np.fmin.reduce(a, axis=1) ** 2)


def summed_in_parts(a):
    return np.sum(np.add.reduceat(a * a, [0, 2], axis=1) ** 2) + np.sum(np.add.reduceat(a, [1, 0]))


def spread_about_a_mean(a):
    mean = np.mean(a, axis=1, keepdims=True)
    spread = np.std(a, axis=1, mean=mean, ddof=1)
    return np.sum(spread**3) + np.var(a[0], mean=a[1, 0])


def number_in_a_shape_that_numpy_finds(x):
    return np.sum(np.reshape(x * 1.0, -1) * x + np.reshape(x * x, (1, -1)) * [1.0, 2.0])


def ends_as_long_as_a_list_says(a, mode="edge"):
    width = [(0, 1)] + (a.ndim - 1) * [(0, 0)]
    longer = np.pad(a, pad_width=width, mode=mode)
    return np.sum((longer[1:] - longer[:-1]) ** 2)


def beside_itself_as_often_as_a_list_says(a):
    times = [1] * a.ndim
    times[-1] = 2
    return np.sum(np.tile(a, times)[:, 1:4] ** 3)


def parts_by_slices_of_a_shape(u, axis=-1):
    parts = [slice(n) for n in u.shape]
    parts[axis] = slice(None, None, -1)
    product = u * u[tuple(parts)]
    start = product[0].real
    start *= 2.0 - start * start
    return start + np.sum(scipy.linalg.toeplitz(product[:2]) ** 2)


def tapered(x):
    return np.hanning(len(x)) * x


def power_in_windows(x, n, window=None):
    if window is None:
        window = tapered
    if not np.iterable(window):
        window = window(np.ones(n, x.dtype))
    rows = np.reshape(x, (-1, n)).T
    return np.sum(np.abs(np.fft.fft(rows * window.reshape((-1, 1)), axis=0)) ** 2)


def power_in_tapered_windows(x):
    return power_in_windows(x, 4)


PROGRAMS = (
    Entry(number_in_a_shape_that_numpy_finds, (1.7,)),
    Entry(ends_as_long_as_a_list_says, (B,)),
    Entry(power_in_tapered_windows, (np.linspace(0.5, 2.0, 8),)),
    Entry(parts_by_slices_of_a_shape, (np.array([0.4, 1.1, -0.7]),)),
    Entry(beside_itself_as_often_as_a_list_says, (B,)),
    Entry(reduced_from_a_number, (B, 0.7), wrt=(0, 1)),
    Entry(gone_along_by_ufuncs, (B,)),
    Entry(summed_in_parts, (B,)),
    Entry(spread_about_a_mean, (B,)),
    Entry(area_in_space, (B, A), wrt=(0, 1)),
    Entry(patches_in_columns, (RNG.normal(size=(2, 1, 3, 4)), KERNEL[:2]), wrt=(0, 1)),
    # the text for any arguments is for vectors of three, and raises
    Entry(area_in_the_plane, (B[:, :2], B[0, 1:]), wrt=(0, 1), like_only=True),
    Entry(signs_in_turn, (1.7, 5)),
    Entry(survivors, (0.1, range(0, 90, 10)), like_only=True),
    Entry(taken_at_places_of_the_module, (U,)),
    Entry(of_chosen_places, (U, range(4, 0, -1)), like_only=True),
    Entry(filled_in_by_compiled_code, (U,), may_refuse=True),
    Entry(filled_in_plane_by_compiled_code, (PLANE,), may_refuse=True),
    Entry(ends_by_statistics, (U,)),
    Entry(ends_by_statistics_of_grids, (B,)),
    Entry(ends_in_ramps, (U, B), wrt=(0, 1)),
    Entry(ends_in_odd_reflections, (U, PLANE), wrt=(0, 1)),
    Entry(planes_that_go_on, (PLANE, KERNEL), wrt=(0, 1)),
    Entry(slopes_as_one_array, (B, T), wrt=(0, 1), may_refuse=True),  # of two ranks at once
    Entry(rows_of_a_known_length, (B,)),
    Entry(parts_along_each_axis, (A, T), wrt=(0, 1), may_refuse=True),
    Entry(parts_as_long_as_the_longer, (U, U[:3]), wrt=(0, 1)),
    Entry(counts_in_a_list, (1.7,)),
    Entry(filter_of_numbers, (1.7,)),
    Entry(some_vectors_of_all, (B,)),
    Entry(one_vector_without_a_value, (B,)),
    Entry(fewer_columns_than_rows_that_are_known, (B,)),
    Entry(parts_of_fewer_columns, (B,)),
    Entry(valid_part_of_a_plane, (PLANE, KERNEL), wrt=(0, 1)),
    Entry(same_part_of_a_row, (U, U[:3]), wrt=(0, 1)),
    Entry(least_of_each_row, (B,)),
    Entry(norms_of_a_vector, (U,)),
    Entry(norms_of_a_matrix, (B,)),
    Entry(norms_of_matrices, (T,)),
    Entry(conditions, (A,)),
)
