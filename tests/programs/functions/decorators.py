"""Functions below decorators that are made inside, and wrappers that change what they are given.

@doubled
def g(x): return x * k
"""

from __future__ import annotations

import functools
from functools import wraps

import numpy as np

from tests.programs.entry import Entry, numbers

REGISTRY: list[object] = []


def doubled(f):
    @wraps(f)
    def wrapper(*args, **named):
        return 2.0 * f(*args, **named)

    return wrapper


def repeated(n):
    def decorator(f):
        def wrapper(x):
            for _ in range(n):
                x = f(x)
            return x

        return wrapper

    return decorator


def at_once(f):
    return f()


def registered(f):
    REGISTRY.append(f)
    return f


def same(f):
    return f


def named_after(f):
    def wrapper(x):
        return f(x) * len(f.__name__)

    return wrapper


def checked(f):
    @functools.wraps(f)
    def wrapper(x, *rest):
        if np.any(x < -9.0):
            raise ValueError("too low")
        y = f(x, *rest)
        assert np.all(np.isfinite(y))
        return y

    return wrapper


def by_one_made_inside(y, k):
    def twice(f):
        def w(x):
            return 2.0 * f(x)

        return w

    @twice
    def g(x):
        return x * k

    return g(y)


def by_one_that_wraps(y, k):
    @doubled
    def g(x):
        return x * k

    return g(y) + g(k)


def by_one_with_arguments(y, k):
    @repeated(3)
    def g(x):
        return x * k + 0.1

    return g(y)


def by_two(y, k):
    @doubled
    @repeated(2)
    def g(x):
        return x * k

    return g(y)


def by_two_the_other_way(y, k):
    @repeated(2)
    @doubled
    def g(x):
        return x * k

    return g(y)


def called_by_its_decorator(y, k):
    @at_once
    def z():
        return y * k

    return z * z


def kept_by_its_decorator(y, k):
    @registered
    def g(x):
        return x * k

    return g(y)


def given_back(y, k):
    @same
    def g(x):
        return x * k

    return g(y) * g(k)


def read_after_a_change(y, k):
    @doubled
    def g(x):
        return x * k

    a = g(y)
    k = k * k
    return a * g(y)


def made_below_in_a_loop(y, k):
    s = 0.0
    for i in range(3):

        @doubled
        def g(x):
            return x * k + i  # noqa: B023

        s += g(y) * s + g(k)
    return s


def made_in_a_branch(y, k):
    if y > 0.1:

        @doubled
        def g(x):
            return x * k
    else:

        def g(x):
            return x + k

    return g(y)


def mapped_below_a_decorator(y, k):
    @doubled
    def g(x):
        return x * k

    return sum(map(g, [y, k]))


def checked_inside(u, k):
    @checked
    def energy(v, w):
        return np.sum(v * v) * w

    return energy(u, k) * energy(2.0 * u, k)


def counted_around(y, k):
    n = 0

    def counting(f):
        def w(*args):
            nonlocal n
            n += 1
            return f(*args)

        return w

    @counting
    def g(x):
        return x * k

    return g(y) + g(k) * n


def told_its_name(y, k):
    @named_after
    def cubed(x):
        return x**3 * k

    return cubed(y)


def calls_itself_decorated(y, k):
    @doubled
    def fac(n):
        return y if n == 0 else fac(n - 1) * k

    return fac(2)


def positive(fn):
    @wraps(fn)
    def wrapper(*args):
        args = [np.logaddexp(0, a) for a in args]
        return fn(*args)

    return wrapper


@positive
def product(a, b):
    return a * b**2


def arguments_given_anew(a, b):
    return product(a, b)


def for_numbers_too(f):
    @wraps(f)
    def wrapped(*args):
        of_numbers = np.array(args[0]).shape == ()
        if of_numbers:
            arrays = ()
            for k in range(len(args)):
                arrays += (np.array([args[k]]),)
            args = arrays
        result = f(*args)
        if of_numbers:
            parts = ()
            for k in range(result.shape[1]):
                parts += (result[0, k],)
            return parts
        return result

    return wrapped


@for_numbers_too
def turned(x, y):
    return np.array([x * np.cos(y), x * np.sin(y)]).T


def totals_of_turned(x, y):
    return sum(part**2 * (k + 1) for k, part in enumerate(turned(x, y)))


def total_of_turned(x, y):
    return np.sum(turned(x, y) ** 2)


OF_NUMBERS = (
    by_one_made_inside,
    by_one_that_wraps,
    by_one_with_arguments,
    by_two,
    by_two_the_other_way,
    given_back,
    read_after_a_change,
    counted_around,
    arguments_given_anew,
)
MAY_REFUSE = (
    called_by_its_decorator,
    kept_by_its_decorator,
    made_below_in_a_loop,
    made_in_a_branch,
    mapped_below_a_decorator,
    told_its_name,
    calls_itself_decorated,
)
PROGRAMS = (
    *(Entry(function, (0.7, 0.3), (0, 1)) for function in OF_NUMBERS),
    *(Entry(function, (0.7, 0.3), (0, 1), may_refuse=True) for function in MAY_REFUSE),
    Entry(checked_inside, (numbers(3), 0.4), (0, 1)),
    Entry(total_of_turned, (numbers(3), numbers(3)), (0, 1)),
    Entry(totals_of_turned, (0.7, 0.3), (0, 1)),
)
