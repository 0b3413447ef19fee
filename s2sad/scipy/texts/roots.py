"""Roots and fixed points that are numbers, by the implicit function theorem.

f(x, *args) = 0      f_x dx = -f_k dk
f(x, *args) = x      (1 - f_x) dx = f_k dk
"""

from s2sad.scipy.primitives import by_all, by_unknown, each, results, total

# mypy: ignore-errors


def root_reverse(f, *args, x, x_bar):
    """Pull x_bar back through the x at which a function is 0, by the implicit function theorem."""
    slopes = by_all(f)(x, *args)
    rate = -x_bar / slopes[0]
    return results(each(lambda slope: rate * slope, slopes[1:]))


def root_forward(f, *args, x, dots):
    """Tangent of the x at which a function is 0, by the implicit function theorem."""
    slopes = by_all(f)(x, *args)
    return -total(slopes[1:], dots) / slopes[0]


def fixed_reverse(f, *args, x, x_bar):
    """Pull x_bar back through the x which a function gives for x."""
    slopes = by_all(f)(x, *args)
    rate = x_bar / (1.0 - slopes[0])
    return results(each(lambda slope: rate * slope, slopes[1:]))


def fixed_forward(f, *args, x, dots):
    """Tangent of the x which a function gives for x."""
    slopes = by_all(f)(x, *args)
    return total(slopes[1:], dots) / (1.0 - slopes[0])


def lowest_reverse(f, *args, x, x_bar):
    """Pull x_bar back through the x at which a function is lowest: its slope is 0 there."""
    slopes = by_all(by_unknown(f))(x, *args)
    rate = -x_bar / slopes[0]
    return results(each(lambda slope: rate * slope, slopes[1:]))


def lowest_forward(f, *args, x, dots):
    """Tangent of the x at which a function is lowest: its slope is 0 there."""
    slopes = by_all(by_unknown(f))(x, *args)
    return -total(slopes[1:], dots) / slopes[0]
