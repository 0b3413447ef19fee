"""Polynomials of NumPy's classes, made of what varies."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Chebyshev, Legendre, Polynomial

from tests.programs.entry import Entry, numbers


def a_polynomial(c, x):
    return Polynomial(c)(x)


def its_derivative_and_integral(c, x):
    p = Polynomial([c[0], c[1], x])
    return p.deriv()(0.3) + p.integ()(0.5)


def with_a_domain(c, x):
    p = Polynomial(c, domain=[-2.0, 2.0])
    return np.sum(p(np.linspace(-1, 1, 5)) * x)


def chebyshev_series(c, x):
    p = Chebyshev(c)
    return p(x) + p.deriv()(0.2)


def legendre_series(c, x):
    p = Legendre(c)
    return p(x) + p.integ()(0.2) - p.coef[1]


def of_the_old_class(c, x):
    p = np.poly1d(c)
    return p(x)


def derivative_of_the_old_class(c, x):
    p = np.poly1d([c[0], c[1], x])
    return p(0.3) + p.deriv()(0.5)


def fitted_of_the_old_class(c, x):
    t = np.linspace(0.0, 1.0, len(c))
    p = np.poly1d(np.polyfit(t, c, 2))
    return p(x)


def coefficients_of_the_old_class(c, x):
    p = np.poly1d(c)
    return p[1] * p.coeffs[0] * x + p.order


def tabulated(c, x):
    p = Polynomial(c)
    xs, ys = p.linspace(5)
    return np.sum(ys) * x


def by_its_degree(c, x):
    p = Polynomial(c)
    return p.degree() * p(x) + len(p)


def newton_with_its_derivative(c, x):
    p = Polynomial(c)
    dp = p.deriv()
    for _ in range(3):
        x = x - p(x) / (dp(x) + 3.0)
    return x


class Scaled:
    def __init__(self, c):
        self.c = c

    def again(self, factor):
        return self.__class__(self.c * factor)

    def stored(self, factor):
        self.__dict__["c"] = self.__dict__["c"] * factor
        return self

    def taken_over(self, other):
        self.__dict__.update(other.__dict__)
        return self


def made_by_its_own_class(c, x):
    return np.sum(Scaled(c).again(x).c ** 2)


def by_the_dict_of_its_fields(c, x):
    return np.sum(Scaled(c).stored(x).taken_over(Scaled(c * x)).c ** 2)


def only_asked_whether_it_is_complex(v):
    if type(v) in (int, complex) or isinstance(v, complex):
        return v
    return v * 2.0


def a_helper_that_asks_for_complex(c, x):
    parts = [only_asked_whether_it_is_complex(each) for each in (c, c * x)]
    return np.sum(parts[0] * parts[1])


def of_as_many_coefficients_as_stand_here(c, x):
    return Polynomial(c[:4]).deriv()(x) * np.sum(x * np.polyder(c[:4], int(x + 2.0)))


def ordered_up_to_a_place(c, k):
    """The text holds for every place."""
    return np.sum(np.partition(c, k)[:k] ** 3) + np.partition(c, k)[k] ** 2


def fitted_to_values(c, x):
    line = Polynomial.fit(np.arange(len(c)), c * x, 2)
    return line(1.5) * line.deriv()(x) + np.sum(line.convert().coef ** 2)


def fitted_at_places_that_move(c, x):
    places = np.sort(c) * x
    fit = np.polynomial.Chebyshev.fit(places, np.sin(places), 2, w=np.arange(1.0, len(c) + 1.0))
    return fit(0.5) + fit.coef[1] * np.polynomial.Legendre.basis(2)(x)


def of_the_places_of_a_grid(c, x):
    grid = np.fromfunction(lambda i, j, s=1.0: s * np.sin(c[0] * i + j * x), (3, 4), s=c[1])
    return np.sum(grid**2) + np.sum(np.fromfunction(lambda i: c[i] * i, (4,), dtype=int) ** 2)


FUNCTIONS = (
    fitted_to_values,
    fitted_at_places_that_move,
    of_the_places_of_a_grid,
    of_as_many_coefficients_as_stand_here,
    a_polynomial,
    its_derivative_and_integral,
    with_a_domain,
    chebyshev_series,
    legendre_series,
    of_the_old_class,
    derivative_of_the_old_class,
    fitted_of_the_old_class,
    coefficients_of_the_old_class,
    tabulated,
    by_its_degree,
    newton_with_its_derivative,
    made_by_its_own_class,
    by_the_dict_of_its_fields,
    a_helper_that_asks_for_complex,
)
PROGRAMS = tuple(Entry(function, (numbers(4), 0.7), (0, 1)) for function in FUNCTIONS)
PROGRAMS += tuple(Entry(ordered_up_to_a_place, (numbers(4), k), note=str(k)) for k in (1, 2))
