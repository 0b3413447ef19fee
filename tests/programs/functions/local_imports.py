"""Functions that import for themselves, and give the same names other objects."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.entry import Entry, numbers


def by_what_it_imports(u):
    import itertools
    import itertools as tools
    from functools import reduce
    from itertools import accumulate, pairwise

    s = sum((b - a) ** 2 for a, b in pairwise(u))
    s += reduce(lambda a, b: a * b + 1.0, u)
    for a, b in tools.product(u[:2], u[1:3]):
        s += a * b
    for x in itertools.chain(u, u[:2]):
        s += np.sin(x)
    return s + sum(k * x for k, x in enumerate(accumulate(u)))


def by_one_of_two_imports(u):
    if len(u) > 2:
        from itertools import pairwise as pairs
    else:
        from itertools import permutations as pairs
    return sum(a * b for a, b in pairs(u))


def imported_and_given_another(u):
    from math import sin as turned

    turned = math.cos  # noqa: F811
    return turned(u[0]) * u[1]


def imported_twice(u):
    from math import sin as turned

    y = turned(u[0])
    from math import cos as turned

    return y * turned(u[1])


def imported_behind_a_function(u):
    from math import sin as turned

    def inner(t):
        return turned(t)

    from math import cos as turned  # noqa: F811

    return inner(u[0]) * u[1]


def imported_twice_alike(u):
    import math as m

    if u[0] > 0.0:
        import math as m
    return m.sin(u[0]) * u[1]


def imported_on_one_side(u, c):
    if c > 0.0:
        from math import sin as turned
    else:
        from math import cos as turned
    return turned(u[0]) * u[1]


def hidden_in_a_comprehension(u):
    from math import sin as turned

    s = sum(turned * x for turned, x in enumerate(u))
    return s * turned(u[0])


U = numbers(5) + 0.1

PROGRAMS = (
    *(Entry(function, (U,)) for function in (by_what_it_imports, imported_and_given_another)),
    *(Entry(function, (U,)) for function in (imported_twice, imported_twice_alike)),
    Entry(imported_behind_a_function, (U,), may_refuse=True),
    Entry(hidden_in_a_comprehension, (U,), may_refuse=True),
    Entry(by_one_of_two_imports, (U,), may_refuse=True),
    Entry(imported_on_one_side, (U, 0.5), may_refuse=True),
    Entry(imported_on_one_side, (U, -0.5), may_refuse=True, note="other"),
)
