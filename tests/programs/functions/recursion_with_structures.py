"""Functions that call themselves, and hand on lists, tuples and functions made inside.

def basis(i, k, x, knots): ... basis(i, k - 1, x, knots) ...
"""

from __future__ import annotations

import math

import numpy as np

from tests.programs.entry import Entry, numbers

U = numbers(4)
ABSCISSAE = np.array([0.0, 1.0, 2.5, 3.0])


def basis(i, k, x, knots):
    """Return a B-spline by the recursion of Cox and de Boor."""
    if k == 0:
        return 1.0 if knots[i] <= x < knots[i + 1] else 0.0
    left = right = 0.0
    if knots[i + k] > knots[i]:
        left = (x - knots[i]) / (knots[i + k] - knots[i]) * basis(i, k - 1, x, knots)
    if knots[i + k + 1] > knots[i + 1]:
        rest = (knots[i + k + 1] - x) / (knots[i + k + 1] - knots[i + 1])
        right = rest * basis(i + 1, k - 1, x, knots)
    return left + right


def knots_in_a_list(u, x):
    knots = [0.0] * 3 + list(np.linspace(0, 1, 3)) + [1.0] * 2
    return sum(u[i] * basis(i, 2, x, knots) for i in range(4))


def knots_in_a_tuple(u, x):
    knots = tuple(np.linspace(0, 1, 8))
    return sum(u[i] * basis(i, 3, x, knots) for i in range(4))


def knots_of_arguments(u):
    knots = [0.3 * k + 0.1 * v for k, v in enumerate(u)]
    return basis(0, 2, 0.5, knots) ** 2


def knots_around(u, x):
    knots = [0.0, 0.1, 0.2, *np.linspace(0.4, 1, 5)]

    def spline(i, k):
        if k == 0:
            return 1.0 if knots[i] <= x < knots[i + 1] else 0.0
        rising = (x - knots[i]) / (knots[i + k] - knots[i])
        falling = (knots[i + k + 1] - x) / (knots[i + k + 1] - knots[i + 1])
        return rising * spline(i, k - 1) + falling * spline(i + 1, k - 1)

    return sum(u[i] * spline(i, 3) for i in range(4))


def divided(xs, ys):
    if len(xs) == 1:
        return ys[0]
    return (divided(xs[1:], ys[1:]) - divided(xs[:-1], ys[:-1])) / (xs[-1] - xs[0])


def divided_differences(u, abscissae):
    xs, ys = list(abscissae), list(u)
    return sum(divided(xs[: k + 1], ys[: k + 1]) * 0.3**k for k in range(len(xs)))


def simpson(f, a, b, tolerance, whole, depth):
    m = 0.5 * (a + b)
    left = (f(a) + 4 * f(0.5 * (a + m)) + f(m)) * (m - a) / 6
    right = (f(m) + 4 * f(0.5 * (m + b)) + f(b)) * (b - m) / 6
    if depth == 0 or abs(left + right - whole) < tolerance:
        return left + right
    first = simpson(f, a, m, tolerance / 2, left, depth - 1)
    return first + simpson(f, m, b, tolerance / 2, right, depth - 1)


def integral_by_halves(u):
    def bell(x):
        return u[0] * math.exp(-u[1] * x * x)

    return simpson(bell, 0.0, 2.0, 1e-3, 2.0, 8)


def integrals_of_two(u):
    rises = simpson(lambda x: u[0] * x**4, 0.0, 1.0, 1e-4, 0.1, 6)
    return rises * simpson(lambda x: math.cos(u[1] * x), 0.0, u[2], 1e-4, 0.1, 6)


def applied(f, n, x):
    return x if n == 0 else applied(f, n - 1, f(x))


def applied_in_a_loop(u):
    total = 0.0
    for k in range(3):
        total += applied(lambda z: math.sin(z) + u[k], k + 1, u[3])  # noqa: B023
    return total


def folded(f, items):
    if len(items) == 1:
        return items[0]
    half = len(items) // 2
    return f(folded(f, items[:half]), folded(f, items[half:]))


def folded_in_three_ways(u):
    items = list(u)
    total = folded(lambda a, b: a + 0.5 * b, items)
    total += folded(lambda a, b: np.logaddexp(a, b), items * 2)
    return total * folded(lambda a, b: a * b + u[0], items)


def leaves(tree, scale):
    total = 0.0
    for part in tree["parts"]:
        total += leaves(part, scale * tree["weight"])
    return total + scale * tree["weight"] ** 2


def of_a_dict(u):
    leaf = {"weight": 0.5, "parts": []}
    return leaves({"weight": 1.5, "parts": [leaf, leaf]}, u[0])


PROGRAMS = (
    Entry(knots_in_a_list, (U, 0.35)),
    Entry(knots_in_a_tuple, (U, 0.55)),
    Entry(knots_of_arguments, (U,)),
    Entry(knots_around, (U, 0.61)),
    Entry(divided_differences, (U, ABSCISSAE)),
    Entry(divided_differences, (U, ABSCISSAE), (0, 1), note="both"),
    Entry(integral_by_halves, (U,)),
    Entry(integrals_of_two, (U,)),
    Entry(applied_in_a_loop, (U,)),
    Entry(folded_in_three_ways, (U,)),
    Entry(of_a_dict, (U,), may_refuse=True),
)
