"""Rewrites that change no bit of a result: what stands before, and what stands after.

`floating` is a value that is surely no integer, `double` one of float64, `signed` one of which minus gives the negative (it does not of
unsigned integers), `number` a literal float, `negative` one below zero.
"""

import numpy as np


def minus_of_minus(a):
    before = -(-a)
    after = a


def plus_a_minus(a, b: signed):
    before = a + (-b)
    after = a - b


def minus_a_minus(a, b: signed):
    before = a - (-b)
    after = a + b


def minus_first(a: signed, b):
    before = (-a) + b
    after = b - a


def minus_above(a: signed, b):
    before = (-a) / b
    after = -(a / b)


def minus_below(a, b: signed):
    before = a / (-b)
    after = -(a / b)


def minus_of_a_negative_times(c: negative, a):
    before = -(c * a)
    after = (-c) * a


def minus_of_a_negative_over(c: negative, a):
    before = -(c / a)
    after = (-c) / a


def minus_of_a_negative_over_times(c: negative, a, b):
    before = -(c / a * b)
    after = (-c) / a * b


def minus_of_a_negative_times_over(c: negative, a, b):
    before = -(c * a / b)
    after = (-c) * a / b


def minus_of_a_negative_times_over_times(c: negative, a, b, d):
    before = -(c * a / b * d)
    after = (-c) * a / b * d


def one_times_over(a, b: floating):
    before = 1.0 * a / b
    before = a * 1.0 / b
    after = a / b


def plus_a_negative(a, c: negative):
    before = a + c
    after = a - (-c)


def a_negative_plus(c: negative, a):
    before = c + a
    after = a - (-c)


def minus_a_negative(a, c: negative):
    before = a - c
    after = a + (-c)


def plus_a_negative_times(a, c: negative, b):
    before = a + c * b
    after = a - (-c) * b


def plus_a_negative_over(a, c: negative, b):
    before = a + c / b
    after = a - (-c) / b


def minus_a_negative_times(a, c: negative, b):
    before = a - c * b
    after = a + (-c) * b


def minus_a_negative_over(a, c: negative, b):
    before = a - c / b
    after = a + (-c) / b


def plus_a_negative_over_times(a, c: negative, b, d):
    before = a + c / b * d
    after = a - (-c) / b * d


def minus_a_negative_over_times(a, c: negative, b, d):
    before = a - c / b * d
    after = a + (-c) / b * d


def part_of_minus(a, key):
    before = (-a)[key]
    after = -(a[key])


def over_one(a: floating):
    before = a / 1.0
    after = a


def to_the_first(a: floating):
    before = a**1
    after = a


def to_the_first_as_a_float(a: floating):
    before = a**1.0
    after = a


def sum_of_equals(a: floating):
    before = a + a
    after = 2.0 * a


def filled_over_a_number(a: double, c: number, d: number):
    before = np.full_like(a, c) / d
    after = np.full_like(a, c / d)


def sum_of_one_number(c: number):
    before = np.sum(c)
    after = c


def turned_twice(a):
    before = a.T.T
    after = a


def outer_turned(a: floating, b: floating):
    before = np.outer(a, b).T
    after = np.outer(b, a)


def minus_turned(a):
    before = (-a).T
    after = -(a.T)


def square_of_minus(a):
    before = (-a) ** 2
    after = a**2


def turned_round_twice(a):
    before = a[::-1][::-1]
    after = a


def chosen_twice(test, a, b, c):
    before = np.where(test, np.where(test, a, b), c)
    after = np.where(test, a, c)


def literal_is(c: number, a: floating):
    before = c == a
    after = a == c


def chosen_by_one_test(test, a: double, b: double, c: double, d: double):
    before = np.where(test, a, b) + np.where(test, c, d)
    after = np.where(test, a + c, b + d)


def chosen_by_one_test_less(test, a: double, b: double, c: double, d: double):
    before = np.where(test, a, b) - np.where(test, c, d)
    after = np.where(test, a - c, b - d)


def chosen_by_one_test_after(x: double, test, a: double, b: double, c: double, d: double):
    before = x + np.where(test, a, b) + np.where(test, c, d)
    after = x + np.where(test, a + c, b + d)


def chosen_above_or_at(x, c, a: double, b: double):
    before = np.where(x > c, a, 0.0) + np.where(x == c, b, 0.0)
    after = np.where(x > c, a, np.where(x == c, b, 0.0))


def chosen_below_or_at(x, c, a: double, b: double):
    before = np.where(x < c, a, 0.0) + np.where(x == c, b, 0.0)
    after = np.where(x < c, a, np.where(x == c, b, 0.0))


def factor_of_a_choice(a: double, test, b: double):
    before = a * np.where(test, b, 0.0)
    after = np.where(test, a * b, 0.0)


def choice_times(test, a: double, b: double):
    before = np.where(test, a, 0.0) * b
    after = np.where(test, a * b, 0.0)


def divisor_of_a_choice(a: double, test, b: (double, array)):
    before = np.where(test, b, 0.0) / a
    after = np.where(test, b / a, 0.0)


def divisors_of_a_choice(a: (double, array), test, b: double):
    before = np.where(test, b, 0.0) / a
    after = np.where(test, b / a, 0.0)


def factor_of_an_else(a: double, test, b: double):
    before = a * np.where(test, 0.0, b)
    after = np.where(test, 0.0, a * b)


def else_times(test, a: double, b: double):
    before = np.where(test, 0.0, a) * b
    after = np.where(test, 0.0, a * b)


def divisor_of_an_else(a: double, test, b: (double, array)):
    before = np.where(test, 0.0, b) / a
    after = np.where(test, 0.0, b / a)


def chosen_by_both(a: flags, b: flags, x):
    before = np.where(a, np.where(b, x, 0.0), 0.0)
    after = np.where(a & b, x, 0.0)


def both_and_the_first(a: flags, b: flags):
    before = a & b & a
    after = a & b


def both_and_another(a: flags, b: flags, c: flags):
    before = a & (b & c)
    after = a & b & c


def minus_chosen_twice(test, a: signed, b, c):
    before = np.where(test, -np.where(test, a, b), c)
    after = np.where(test, -a, c)


def conjugate_of_real(a: real):
    before = np.conj(a)
    after = a


def cast_to_its_own_precision(a: (double, array), b: (double, array)):
    before = a.astype(b.dtype)
    after = a


def one_number_in_a_shape(s: (scalar, valued), one: lengths):
    before = np.reshape(s, one)
    after = np.broadcast_to(s, one)


def ravel_of_a_vector(a: vector):
    before = np.ravel(a)
    after = a
