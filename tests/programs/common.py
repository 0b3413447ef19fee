"""Calls of the standard library and of NumPy that scientists make, on what the function makes."""

import itertools
import math
import statistics

import numpy as np

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


def mean_and_spread(x):
    squares = []
    for v in x:
        squares.append(v * v)
    spread = statistics.stdev(squares) * statistics.pvariance(squares)
    return statistics.mean(squares) + statistics.fmean((x[0], x[1])) + spread


def weighted_mean(x, w):
    return statistics.fmean(x, weights=w)


def harmonic_mean(x):
    return statistics.harmonic_mean(np.exp(x)) + statistics.harmonic_mean([x[1] ** 2, 0.5])


def fitted_line(x, y):
    line = statistics.linear_regression(x, y)
    return line.slope**2 + line.intercept


PROGRAMS = (
    Entry(product_of_display, (0.3, 0.7), (0, 1)),
    Entry(product_from, (X, 0.7), (0, 1)),
    Entry(length_of_three, (0.3, -0.4, 0.5), (0, 1, 2)),
    Entry(length_of_vector, (X,)),
    Entry(length_of_list, (0.3, 0.7), (0, 1)),
    Entry(length_of_starred_list, (0.3, 0.7), (0, 1)),
    Entry(extremes_of_starred, (X,)),
    Entry(round_trip, (0.3, 0.7), (0, 1)),
    Entry(distance_of_lists, (X,)),
    Entry(mean_and_spread, (X,)),
    Entry(weighted_mean, (X, Y**2 + 0.1), (0, 1)),
    Entry(harmonic_mean, (X,)),
    Entry(fitted_line, (X, Y), (0, 1)),
)
