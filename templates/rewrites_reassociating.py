"""Rewrites that change how a result is rounded, and are used on request alone.

`short` is a name, which may be written twice.
"""


def constants_together(c: number, d: number, a):
    before = c * (d * a)
    after = (c * d) * a


def constants_around(c: number, a, d: number):
    before = (c * a) * d
    after = (c * d) * a


def constants_above_and_below(c: number, a, d: number):
    before = (c * a) / d
    after = (c / d) * a


def over_a_constant(a: floating, c: number):
    before = a / c
    after = (1.0 / c) * a


def over_one_after_the_other(a, b, c):
    before = a / b / c
    after = a / (b * c)


def cube(a: short):
    before = a**3
    after = a * a * a


def fourth_power(a: short):
    before = a**4
    after = (a * a) ** 2


def factor_in_front(a, b, c):
    before = a * b + a * c
    after = a * (b + c)


def factor_in_front_of_a_difference(a, b, c):
    before = a * b - a * c
    after = a * (b - c)


def factor_behind(a, b, c):
    before = a * c + b * c
    after = (a + b) * c


def factor_behind_a_difference(a, b, c):
    before = a * c - b * c
    after = (a - b) * c


def divisor_of_both_sides(a: floating, b: floating, c):
    before = a / c + b / c
    after = (a + b) / c


def divisor_of_a_difference(a: floating, b: floating, c):
    before = a / c - b / c
    after = (a - b) / c
