"""Rewrites that read as a hand would write: what stands before, and what stands after.

Literals come first and are folded, signs stand outside: a factor that is a power of two changes no bit, any other rounds once
where the text as it stands would round twice. The words are those of rewrites_exact.py.
"""

import numpy as np


def constant_of_a_divisor(a: constant, b, c):
    before = a * (b / (a * c))
    before = (a * b) / (a * c)
    after = b / c


def literal_of_a_divisor(c: number, a, b, d):
    before = c * (a * (b / (c * d)))
    after = a * (b / d)


def literal_of_a_quotient(c: number, a: floating):
    before = c * (a / c)
    after = a


def literal_of_two_quotients(c: number, a: floating, b):
    before = c * (a / c / b)
    after = a / b


def divisor_outside(a: vector, s: scalar, b: vector):
    before = (a / s) @ b
    before = a @ (b / s)
    after = (a @ b) / s


def factor_outside(s: scalar, a: vector, b: vector):
    before = (s * a) @ b
    before = a @ (s * b)
    after = s * (a @ b)


def divisor_outside_of_all(a: double, s: scalar, b: double):
    before = np.vdot(a / s, b)
    before = np.vdot(a, b / s)
    after = np.vdot(a, b) / s


def factor_outside_of_all(s: scalar, a: double, b: double):
    before = np.vdot(s * a, b)
    before = np.vdot(a, s * b)
    after = s * np.vdot(a, b)


def literals_of_one_value(c: number, d: number, a: floating):
    before = c * a + d * a
    after = (c + d) * a


def literals_of_one_value_less(c: number, d: number, a: floating):
    before = c * a - d * a
    after = (c - d) * a


def slope_of_the_logarithm_of_a_determinant(c, a: matrix):
    before = c / np.linalg.det(a) * _cofactors(a)
    after = c * np.linalg.inv(a).T


def literal_outside_a_product(c: number, a: floating, b: floating):
    before = (c * a) @ b
    before = a @ (c * b)
    after = c * (a @ b)


def literal_outside_what_is_turned(c: number, a):
    before = (c * a).T
    after = c * a.T


def literal_outside_an_outer_product(c: number, a: floating, b: floating):
    before = np.outer(c * a, b)
    before = np.outer(a, c * b)
    after = c * np.outer(a, b)


def sum_over_the_diagonal(a: matrix, n):
    before = np.vdot(a, np.eye(n))
    after = np.trace(a)


def filled_times(a: vector, c: scalar, b: vector):
    before = np.full_like(a, c) @ b
    before = b @ np.full_like(a, c)
    after = c * np.sum(b)


def filled_times_a_number(s: scalar, a: double, c: scalar):
    before = s * np.full_like(a, c)
    before = np.full_like(a, c) * s
    after = np.full_like(a, s * c)


def minus_filled(a: double, c: scalar):
    before = -np.full_like(a, c)
    after = np.full_like(a, -c)


def sum_of_filled(a: double, c: scalar):
    before = np.sum(np.full_like(a, c))
    after = c * a.size


def minus_all(a: signed):
    before = np.sum(-a)
    after = -np.sum(a)


def minus_all_along(a: signed, axis):
    before = np.sum(-a, axis=axis)
    after = -np.sum(a, axis=axis)


def minus_of_differences(a: signed):
    before = np.diff(-a, prepend=0.0, append=0.0)
    after = -np.diff(a, prepend=0.0, append=0.0)


def minus_of_differences_along(a: signed, axis):
    before = np.diff(-a, axis=axis, prepend=0.0, append=0.0)
    after = -np.diff(a, axis=axis, prepend=0.0, append=0.0)


def minus_first_of_a_contraction(text, a: signed, b):
    before = np.einsum(text, -a, b)
    after = -np.einsum(text, a, b)


def minus_on_the_diagonal(a: (signed, matrix)):
    before = np.trace(-a)
    after = -np.trace(a)


def minus_outer(a: (signed, vector), b: vector):
    before = np.outer(-a, b)
    after = -np.outer(a, b)


def outer_of_vectors(a: vector, b: vector):
    before = _outer(a, b)
    after = np.outer(a, b)


def columns_multiplied(a: matrix, b: matrix):
    before = _outer(a, b)
    after = a @ b.T


def outer_of_minus(a: vector, b: (signed, vector)):
    before = np.outer(a, -b)
    after = -np.outer(a, b)


def minus_inner(a: signed, b):
    before = np.vdot(-a, b)
    after = -np.vdot(a, b)


def inner_of_minus(a, b: signed):
    before = np.vdot(a, -b)
    after = -np.vdot(a, b)


def minus_is_not_zero(a: signed):
    before = -a != 0
    after = a != 0.0


def minus_of_a_difference(a, b: floating):
    before = -(a - b)
    after = b - a


def minus_of_a_literal_times(c: number, a):
    before = -(c * a)
    after = (-c) * a


def minus_of_a_literal_over(c: number, a):
    before = -(c / a)
    after = (-c) / a


def minus_itself_twice(a: floating):
    before = (-a) - a
    after = -2.0 * a


def one_times(b: floating):
    before = 1 * b
    after = b


def literal_first(a: signed, c: number):
    before = a * c
    after = c * a


def minus_times(a: signed, b):
    before = (-a) * b
    after = -(a * b)


def times_minus(a, b: signed):
    before = a * (-b)
    after = -(a * b)


def minus_product(a: signed, b):
    before = (-a) @ b
    after = -(a @ b)


def product_with_minus(a, b: signed):
    before = a @ (-b)
    after = -(a @ b)


def minus_sum_times(a: signed, b: signed, c):
    before = (-a - b) * c
    after = -((a + b) * c)


def dot_of_axes(a: linear, b: linear):
    before = np.dot(a, b)
    after = a @ b


def times_reciprocal(a: floating, b):
    before = a * (1 / b)
    before = (1 / b) * a
    after = a / b


def part_of_a_reciprocal_times(a: floating, b: array, key):
    before = (1 / b)[key] * a
    after = a / b[key]


def minus_one_times_over(a: signed, b: floating):
    before = a * -1 / b
    after = -a / b


def numbers_of_arrays_together(s: scalar, a: array, t: scalar, b: array):
    before = (s * a) * (t * b)
    after = (s * t) * (a * b)


def literal_outside(a: floating, c: number, b):
    before = a * (c * b)
    after = c * (a * b)


def literal_outside_a_float(a, c: number, b: floating):
    before = a * (c * b)
    after = c * (a * b)


def literals_together_beside(c: number, a, d: number, b):
    before = (c * a) * (d / b)
    after = (c * d) * a / b


def literal_outside_first(c: number, a: floating, b):
    before = (c * a) * b
    after = c * (a * b)


def literal_outside_first_a_float(c: number, a, b: floating):
    before = (c * a) * b
    after = c * (a * b)


def literal_of_a_numerator_outside(a: floating, c: number, b, d):
    before = a * (c * b / d)
    after = c * (a * b / d)


def literal_of_a_numerator_outside_twice(a: floating, c: number, b, d, e):
    before = a * (c * b / d / e)
    after = c * (a * (b / d / e))


def literal_over_beside(c: number, a: floating, d: number, b):
    before = c * (a * (d / b))
    after = (c * d) * a / b


def factor_outside_what_is_rolled(s: scalar, a: double, n):
    before = np.roll(s * a, n)
    after = s * np.roll(a, n)


def minus_outside_what_is_rolled(a: signed, n):
    before = np.roll(-a, n)
    after = -np.roll(a, n)


def minus_outside_what_is_rolled_along(a: signed, n, axis):
    before = np.roll(-a, n, axis)
    after = -np.roll(a, n, axis)


def one_of_a_ratio(x: double, a: (double, alike)):
    before = x + a / a
    after = x + 1.0


def less_one_of_a_ratio(x: double, a: (double, alike)):
    before = x - a / a
    after = x - 1.0


def divided_by_its_factor(c: double, a: (double, alike)):
    before = c * a / a
    before = a * c / a
    after = c


def divided_by_a_scaled_value(a: floating, x, c: constant):
    before = a / (x / c) / c
    after = a / x


def divided_by_a_number_before(s: scalar, a: double, b: (double, array)):
    before = s * a * b / s
    after = a * b


def identity(a: (double, square)):
    before = np.eye(a.shape[0], a.shape[1], dtype=a.dtype)
    after = np.eye(len(a))


def identity_of_doubles(n, a: double):
    before = np.eye(n, dtype=a.dtype)
    after = np.eye(n)


def slope_of_a_logarithm_of_a_determinant(a: matrix):
    before = _cofactors(a) / np.linalg.det(a)
    after = np.linalg.inv(a).T


def identity_times(n, b: matrix):
    before = np.eye(n) @ b
    before = b @ np.eye(n)
    after = b


def literal_divisor_outside(a: floating, b: (array, floating), c: number):
    before = a * (b / c)
    after = a * b / c


def literal_that_cancels(c: number, a: floating, b, d):
    before = (c * a) * (b * (d / c))
    before = c * (a * (b * (d / c)))
    after = a * (b * d)


def part_of_a_literal_times(c: number, a, key):
    before = (c * a)[key]
    after = c * a[key]


def part_of_a_literal_over(c: number, a: array, key):
    before = (c / a)[key]
    after = c / a[key]


def part_of_a_literal_times_over(c: number, a, b: array, key):
    before = (c * a / b)[key]
    after = c * (a / b)[key]


def product_turned(a: matrix, b):
    before = (a.T @ b).T
    after = b.T @ a


def product_turned_behind(a, b: matrix):
    before = (a @ b.T).T
    after = b @ a.T


def less_the_mean_of_rows(a: matrix):
    before = a - np.mean(a, axis=0, keepdims=True)
    after = a - np.mean(a, axis=0)


def times_a_row(a: matrix, b: vector):
    before = b[None] * a
    after = b * a


def times_a_row_behind(a: matrix, b: vector):
    before = a * b[None]
    after = a * b


def axes_of_a_matrix_swapped(a: matrix):
    before = np.swapaxes(a, -1, -2)
    after = a.T


def product_of_two_matrices(a: matrix, b: matrix):
    before = np.matmul(a, b)
    after = a @ b


def slope_of_the_logarithm_of_a_hyperbolic_cosine(c, a):
    before = c / np.cosh(a) * np.sinh(a)
    after = c * np.tanh(a)


def slope_of_the_logarithm_of_a_cosine(c, a):
    before = c / np.cos(a) * np.sin(a)
    after = c * np.tan(a)


def hyperbolic_tangent(a):
    before = np.sinh(a) / np.cosh(a)
    after = np.tanh(a)


def tangent(a):
    before = np.sin(a) / np.cos(a)
    after = np.tan(a)


def sums_chosen_by_one_test(a: double, test, b: (double, alike)):
    before = np.sum(np.where(test, a, 0.0)) + np.sum(np.where(test, b, 0.0))
    after = np.sum(np.where(test, a + b, 0.0))


def sums_chosen_by_one_test_less(a: double, test, b: (double, alike)):
    before = np.sum(np.where(test, a, 0.0)) - np.sum(np.where(test, b, 0.0))
    after = np.sum(np.where(test, a - b, 0.0))


def sums_chosen_by_one_test_after(a: double, test, x: scalar, b: (double, alike)):
    before = x + np.sum(np.where(test, a, 0.0)) + np.sum(np.where(test, b, 0.0))
    after = x + np.sum(np.where(test, a + b, 0.0))


def times_over_its_square(a: floating, b):
    before = a * b / a**2
    before = b * a / a**2
    after = b / a


def sum_of_real_parts(a, b):
    before = np.real(a) + np.real(b)
    after = np.real(a + b)


def sum_of_imaginary_parts(a, b):
    before = np.imag(a) + np.imag(b)
    after = np.imag(a + b)


def difference_of_imaginary_parts(a: signed, b):
    before = np.imag(a) - np.imag(b)
    after = np.imag(a - b)


def minus_both_imaginary_parts(a, b):
    before = -np.imag(a) - np.imag(b)
    after = -np.imag(a + b)


def real_part_of_minus(a: signed):
    before = np.real(-a)
    after = -np.real(a)


def real_part_of_a_turned(a):
    before = np.real(1j * a)
    after = -np.imag(a)


def real_part_of_a_turned_product(a, b):
    before = np.real(1j * a * b)
    before = np.real(b * (1j * a))
    after = -np.imag(a * b)


def real_part_of_a_turned_quotient(a, b, c):
    before = np.real(b * (1j * a / c))
    after = -np.imag(a * b / c)
