"""Calls of the standard library and of NumPy that scientists make, on what the function makes."""

import itertools
import math
import statistics

import numpy as np
import scipy.linalg

from tests.programs.entry import Entry, numbers

X, Y = numbers(5), numbers(5, start=0.7)


def product_of_display(a, b):
    return math.prod((a, b, a)) + math.prod([a, b], start=2.0)


def product_from(x, s):
    return math.prod(x, start=s)


def length_of_three(a, b, c):
    return math.hypot(a, b, c) + math.hypot(a)


def length_of_vector(x):
    return math.hypot(*x)


def length_of_list(a, b):
    v = [a]
    for k in range(3):
        v.append(a * b + k)
    return math.hypot(*v)


def length_of_starred_list(a, b):
    v = [a, b]
    return np.hypot(*v) * math.hypot(*v, a)


def extremes_of_starred(x):
    return max(*x) * min(*x)


def round_trip(a, b):
    corners = [(a, b), (b, 1.0), (0.3, a)]
    return sum(math.dist(p, q) for p, q in itertools.pairwise(corners))


def distance_of_lists(x):
    p, q = [x[0], x[1]], (x[2], 0.3)
    return math.dist(p, q)


def weighted_mean(x, w):
    return statistics.fmean(x, weights=w)


def harmonic_mean(x):
    return statistics.harmonic_mean(np.exp(x)) + statistics.harmonic_mean([x[1] ** 2, 0.5])


def fitted_line(x, y):
    line = statistics.linear_regression(x, y)
    return line.slope**2 + line.intercept


def norms_of_orders(A):
    return sum(np.linalg.norm(A, order) for order in (1, 2, "fro"))


def paddings(x):
    total = 0.0
    for mode in ["edge", "reflect", "wrap"]:
        total += np.sum(np.pad(x, 2, mode=mode) ** 2)
    return total


def convolved_by_a_loop(x):
    total = 0.0
    for mode in ("full", "same", "valid"):
        total += np.sum(np.convolve(x, [1.0, 2.0, 0.5], mode) ** 2)
    return total


def convolved_as_told(x, mode):
    return np.sum(np.convolve(x, np.array([1.0, 2.0, 0.5]), mode) ** 2)


def weighted_elements(A):
    return sum((i + 2 * j) * v**2 for (i, j), v in np.ndenumerate(A))


def elements_until(A):
    total = 0.0
    for (i, j), v in np.ndenumerate(A * A):
        if i == 0:
            continue
        total += v * j
        if total > 9.0:
            break
    return total


def elements_by_position(A):
    out = np.zeros_like(A)
    for at in np.ndindex(*A.shape):
        out[at] = A[at] ** 2
    return np.sum(out * A)


def padded_by(x, c):
    return np.sum(np.pad(x, ((1, 2),), "constant", constant_values=c) ** 3)


def between_ranks(x, q):
    return np.quantile(x, q) * np.percentile(x[::-1] ** 2, 100.0 * q)


def soft_maxima(x):
    return np.sum(np.logaddexp.accumulate(x) ** 2)


def differences_of_columns(w):
    x, columns = w, []
    for _ in range(3):
        columns.append(w * x)
        if len(columns) > 1:
            steps = [columns[i + 1] - columns[i] for i in range(len(columns) - 1)]
            x = x - np.column_stack(steps).sum(axis=1)
    return np.sum(x)


def layers(x):
    planes = [np.outer(x, x) * k for k in range(3)]
    return np.sum(np.dstack(planes) ** 2) + np.sum(np.block([x, 2.0 * x]) ** 2 * np.arange(10))


def by_version(x):
    if not hasattr(np, "trapezoid"):
        return np.trapz(x)
    return np.trapezoid(x) if not hasattr(np, "no_such_rule") else np.no_such_rule(x)


def lengths_of_axes(x):
    shape = np.asarray(x.shape)
    shape[0] = 4
    return np.sum(x**2) * shape[0]


def bootstrapped(x):
    rng = np.random.default_rng(0)
    return sum(rng.choice(x, size=3).mean() ** 2 for _ in range(2))


def drawn_between_other_draws(x):
    rng, total = np.random.default_rng(0), 0.0
    for _ in range(4):
        total += np.mean(rng.choice(x, size=len(x))) * rng.normal()
        if rng.random() < 0.5:
            total = total * np.max(rng.choice(x, 2, replace=False))
    return total + rng.choice([x[0], x[1] * x[2]]) ** 2


def weighted_by_samples(x):
    rng = np.random.default_rng(0)
    samples = rng.normal(0.0, 1.0, size=(4, len(x)))
    weights = np.exp(-0.5 * np.sum((samples - x) ** 2, axis=1))
    weights /= weights.sum()
    return weights @ rng.standard_normal((4, x.shape[0])) @ x


def rows_in_disorder(A):
    rng = np.random.default_rng(3)
    return np.sum(rng.permutation(A) ** 2 * np.arange(6.0).reshape(2, 3))


def drawn_by_the_module(x):
    np.random.seed(0)
    return np.sum(np.random.choice(x, 3) ** 2) + np.sum(np.random.permutation(x)[:2] ** 3)


def spread_around_the_middle(x):
    spread = np.median(np.abs(x - 0.1) * x, overwrite_input=True)
    return spread.filled(0.0) if np.ma.isMaskedArray(spread) else 1.5 * spread


def solved_in_what_is_made_for_it(x, y):
    made = np.linalg.norm(y) * np.eye(len(x)) + np.outer(x, x)
    first = scipy.linalg.solve(made + made.T, 2.0 * y, overwrite_a=True, overwrite_b=True)
    return np.sum(first * made[0])


def solved_in_what_is_read_later(x, y):
    made = np.linalg.norm(y) * np.eye(len(x)) + np.outer(x, x)
    first = scipy.linalg.solve(made, y, overwrite_a=True)
    return np.sum(first) * 2.0


def stretched_together(x, y):
    both = np.broadcast(x, y)
    made = np.empty(both.shape)
    made[..., 0] = x[..., 0] * y[..., 1]
    made[..., 1:] = x[..., 1:] + y[..., :-1] ** 2
    return np.sum(made**2) * both.size + both.ndim


def where_nothing_is_masked(x):
    if np.any(np.ma.getmask(x)):
        return np.sum(x)
    return np.sum(np.where(np.ma.getmask(x), 1.0, x**2))


def where_the_array_is(u):
    places = np.arange(len(u), device=getattr(u, "device", None))
    return np.sum(places * u**2) if u.device == "cpu" else np.sum(u)


PROGRAMS = (
    Entry(where_nothing_is_masked, (X,)),
    Entry(stretched_together, (numbers(2, 3), numbers(1, 3, start=0.2)), (0, 1)),
    Entry(spread_around_the_middle, (X,)),
    Entry(solved_in_what_is_made_for_it, (X, Y), (0, 1)),
    Entry(solved_in_what_is_read_later, (X, Y), (0, 1), may_refuse=True),
    Entry(weighted_by_samples, (X,)),
    Entry(product_of_display, (0.3, 0.7), (0, 1)),
    Entry(product_from, (X, 0.7), (0, 1)),
    Entry(length_of_three, (0.3, -0.4, 0.5), (0, 1, 2)),
    Entry(length_of_vector, (X,)),
    Entry(length_of_list, (0.3, 0.7), (0, 1)),
    Entry(length_of_starred_list, (0.3, 0.7), (0, 1)),
    Entry(extremes_of_starred, (X,)),
    Entry(round_trip, (0.3, 0.7), (0, 1)),
    Entry(distance_of_lists, (X,)),
    Entry(weighted_mean, (X, Y**2 + 0.1), (0, 1)),
    Entry(harmonic_mean, (X,)),
    Entry(fitted_line, (X, Y), (0, 1)),
    Entry(norms_of_orders, (numbers(3, 3),)),
    Entry(paddings, (X,)),
    Entry(convolved_by_a_loop, (X,)),
    Entry(convolved_as_told, (X, "full"), note="full"),
    Entry(convolved_as_told, (X, 0), note="number of a mode"),
    Entry(weighted_elements, (numbers(2, 3),)),
    Entry(elements_until, (numbers(2, 3),)),
    Entry(elements_by_position, (numbers(2, 3),)),
    Entry(padded_by, (X, 0.7), (0, 1)),
    Entry(between_ranks, (X, 0.33), (0, 1)),
    Entry(soft_maxima, (X,)),
    Entry(differences_of_columns, (X,)),
    Entry(layers, (X,)),
    Entry(by_version, (X,)),
    Entry(lengths_of_axes, (numbers(2, 3),)),
    Entry(bootstrapped, (X,)),
    Entry(drawn_between_other_draws, (X,)),
    Entry(rows_in_disorder, (numbers(2, 3),)),
    Entry(drawn_by_the_module, (X,)),
    Entry(where_the_array_is, (X,)),
)
