"""Calls of functions that take *args, **kwargs or other functions.

integrate(slope, y, 4, a, b, method="mid", h=0.2)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.programs.entry import Entry, numbers

if TYPE_CHECKING:
    from collections.abc import Generator

U = numbers(5)
RATE = 0.7


def slope(y, a, b):
    return a * y - b * y**2


def growth(y, a):
    return a * np.sin(y)


def integrate(f, y, n, *args, method="euler", **kw):
    h = kw.get("h", 0.1)
    for _ in range(n):
        if method == "euler":
            y = y + h * f(y, *args)
        else:
            y = y + h * f(y + h / 2 * f(y, *args), *args)
    return y


def half_step(y, a, b):
    return integrate(slope, y, 4, a, b, method="mid", h=0.2)


def two_kinds(y, a, b):
    return integrate(slope, y, 3, a, b) * integrate(growth, y, 2, b) + integrate(growth, y, 2, a)


def tested(y, a):
    return integrate(np.sin, y, 2) if y > a else integrate(np.cos, y, 3, h=a)


def applied(f, x):
    return f(x) * x


def twice(f, x, *more):
    return applied(f, applied(f, x)) + sum(more)


def functions_of_arrays(u):
    return np.sum(applied(np.tanh, u)) + np.sum(twice(np.sin, u, u, u[0]))


def with_options(x, **options):
    y = x * options["scale"]
    if "shift" in options:
        y = y + options["shift"] ** 2
    return y


def handed_on(x, **options):
    return with_options(x, **options) * with_options(2.0 * x, scale=RATE)


def options_go_on(x, c):
    return handed_on(x, scale=c, shift=x * c)


def without_options(x, c):
    return with_options(x, scale=c)


def picked(*args):
    return args[0] * args[-1] + len(args) * args[1]


def by_position(x, c):
    return picked(x, c, x * c)


def largest(*args):
    best = args[0]
    for each in args[1:]:
        best = best * each
    return best


def gone_through(x, c):
    return largest(x, c, x + c)


def by_default(x, f=np.exp):
    return f(x) * RATE


def function_left_out(x):
    return by_default(x) + by_default(x, np.sin) + by_default(x, f=np.cos)


def own_name(x, h, **kw):
    h = h * kw["h2"]
    return h * x * kw["h2"]


def name_taken(x, c):
    return own_name(x, c, h2=x)


def renamed_local(x, *args):
    args_1 = x * x
    return args_1 * args[0]


def number_taken(x, c):
    return renamed_local(x, c)


def pair(f, x, *rest):
    return f(x, *rest), x * rest[0]


def unpacked(x, c):
    a, b = pair(growth, x, c)
    return a * b


def in_a_loop(u, c):
    total = 0.0
    for x in u:
        total += integrate(growth, x, 2, c, h=0.3)
    return total


def total(f, x, *more):
    for each in more:
        x = x + f(each)
    return x


def spread(x):
    both = (x, 2.0 * x)
    return total(np.sin, x, *both)


def writing(u, *args):
    args[0][:] = 2.0 * args[0]
    return np.sum(u * args[0])


def writes_to_more(u):
    v = 1.0 * u
    return writing(u, v)


def called_for_effect(f, u):
    f(u)
    return u


def doubled(u):
    u *= 2.0


def given_what_writes(u):
    v = 1.0 * u
    w = called_for_effect(doubled, v)
    return np.sum(v * w)


def same(u):
    return u


def written_through(u):
    v = 1.0 * u
    w = applied_once(same, v)
    w[0] = 3.0
    return np.sum(v * w)


def applied_once(f, u):
    return f(u)


def repeated(f, x, n):
    return x if n == 0 else f(repeated(f, x, n - 1))


def recursive(x):
    return repeated(np.sin, x, 3)


def keyed_by_name(x, **options):
    key = "scale"
    return options[key] * x


def any_option(x):
    return keyed_by_name(x, scale=x)


def imported_inside(x, c):
    from .. import library
    from ..library import damped

    return damped(x, c) * library.damped(c, x)


def secant(f, x, args=(), low=None, tolerance=1e-3, looser=1.5, kwargs={}):  # noqa: B006
    before, value = x, f(x, *args, **kwargs)
    x = x + 0.1
    for _ in range(20):
        if low is not None and x < low:
            x = low
        now = f(x, *args, **kwargs)
        if abs(now) < tolerance:
            break
        before, x, value = x, x - now * (x - before) / (now - value), now
        tolerance *= looser
    return x


def where_it_stands_still(a, b):
    return secant(slope, 2.0, args=(a, b)) * a + secant(slope, 2.0, (b, a), low=0.1)


def by_its_options(a, b):
    return secant(slope, 2.0, kwargs={"a": a, "b": b}, looser=1.0)


def added_up(f, x, options={}):  # noqa: B006
    return f(x, **options) + f(2.0 * x, **options)


def with_nothing(a):
    return added_up(np.sin, a) * added_up(np.cos, a, options={})


def powers(x: float) -> Generator[float]:
    yield x
    yield x**2


def named_for_the_reader_alone(x):
    total = 0.0
    for y in powers(x):
        total += y * x
    return total


REFUSABLE = (spread, recursive, any_option)
REFUSABLE_OF_ARRAYS = (writes_to_more, given_what_writes, written_through)

PROGRAMS = (
    *(Entry(function, (0.6,), may_refuse=True) for function in REFUSABLE),
    *(Entry(function, (U,), may_refuse=True) for function in REFUSABLE_OF_ARRAYS),
    Entry(imported_inside, (0.6, 1.3), wrt=(0, 1)),
    Entry(half_step, (0.5, 1.2, 0.3), wrt=(0, 1, 2)),
    Entry(two_kinds, (0.5, 1.2, 0.3), wrt=(0, 1, 2)),
    Entry(tested, (0.5, 0.3), wrt=(0, 1)),
    Entry(tested, (0.5, 0.9), wrt=(0, 1), note="other"),
    Entry(functions_of_arrays, (U,)),
    Entry(options_go_on, (0.6, 1.3), wrt=(0, 1)),
    Entry(without_options, (0.6, 1.3), wrt=(0, 1)),
    Entry(by_position, (0.6, 1.3), wrt=(0, 1)),
    Entry(gone_through, (0.6, 1.3), wrt=(0, 1)),
    Entry(function_left_out, (0.6,)),
    Entry(name_taken, (0.6, 1.3), wrt=(0, 1)),
    Entry(number_taken, (0.6, 1.3), wrt=(0, 1)),
    Entry(unpacked, (0.6, 1.3), wrt=(0, 1)),
    Entry(in_a_loop, (U, 1.3), wrt=(0, 1)),
    Entry(where_it_stands_still, (0.6, 1.3), wrt=(0, 1)),
    Entry(by_its_options, (0.6, 1.3), wrt=(0, 1)),
    Entry(named_for_the_reader_alone, (0.6,)),
    Entry(with_nothing, (0.6,), may_refuse=True),
)
