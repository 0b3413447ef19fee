"""Arrays that a function returns are taken apart where it is called: their adjoint is an array."""

from __future__ import annotations

import numpy as np

from tests.programs.entry import Entry, numbers


def scaled(v):
    return 3 * v


def doubled_display(v):
    return np.array([v[0], v[1]]) * 2


def added(v):
    return v + v


def complex_pair(z):
    return np.array([z * 1j, z**2])


def pair_of_scaled(u):
    a, b = scaled(u)
    return a * b


def pair_of_a_display(u):
    a, b = doubled_display(u)
    return a * b**2


def pair_of_a_sum(u):
    a, b = added(u)
    return a * b


def pair_of_complex(u):
    a, b = complex_pair(u[0] * (1 + 2j) + u[1])
    return np.abs(a) ** 2 + np.abs(b) ** 2


def only_one_of_a_pair(u):
    _, b = doubled_display(u * u)
    return b * u[0]


def pair_of_columns(u):
    """A generator is unpacked over the columns of a list that a loop fills."""
    history = []
    for k in range(3):
        history.append((u[0] * k, u[1] * u[0] ** k))
    places, forces = (np.array(column) for column in zip(*history))  # noqa: B905
    return np.sum(places * forces)


def raveled_in_a_map(s, t):
    s, t = list(map(np.ravel, (s, t)))
    roots = [np.sqrt(a**2 + 35.0) + a * b for a, b in zip(s, t)]  # noqa: B905
    return np.sum(np.array(roots) * t)


def raveled_by_a_map(s, t):
    s, t = map(np.ravel, [s, t])
    t *= s
    return np.sum(s * t**2)


def parts_of_a_split(u):
    """The parts of an array are put together again in the reverse sweep."""
    a, b = np.split(u, 2)
    return np.sum(a * b) - np.sum(b / a)


def whole_numbers_by_name(u):
    """A list of whole numbers is an array to NumPy; what it holds changes between two calls."""
    weights = [1, 2, 1]
    v = np.convolve(u, weights, "same")
    weights[0] = 5
    return np.sum(v * np.convolve(v, weights, "same")) + np.polyval(weights, u[0])


def first_two(u):
    return u[0], u[1]


class Ends:
    def __init__(self, u):
        self.u = u

    @property
    def both(self):
        return self.u[0], self.u[1]

    def __iter__(self):
        yield self.u[0] * 2.0
        yield self.u[1]


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __iter__(self):
        return iter((self.a, self.b))


def two_of_more(u):
    a, b = first_two(u)
    return a * b + u[2]


def two_of_more_of_an_object(u):
    a, b = Ends(u).both
    first, *rest = Ends(u * b)
    return a * b + first * rest[0] * u[2]


def objects_taken_apart(u):
    p = Pair(u[0], u[1])
    for _ in range(2):
        a, b = p
        p = Pair(a * b, a + u[2])
    (a, b), c = p, u[1]
    for d, e in [Ends(u), Ends(u[1:])]:
        c = c * d + e
    return a * b * c


class Doubling(type):
    def __call__(cls, value):
        made = super().__call__(value)
        made.value = made.value * 2.0
        return made


class Doubled(metaclass=Doubling):
    def __init__(self, value):
        self.value = value


class Scaled:
    scale = 1.0

    def __new__(cls, value):
        made = super().__new__(cls)
        made.scale = 2.0
        return made

    def __init__(self, value):
        self.value = value


class Read:
    def __init__(self, value):
        self.value = value

    def __getattribute__(self, name):
        found = object.__getattribute__(self, name)
        return 2.0 * found if name == "value" else found


def object_of_a_metaclass(u):
    return Doubled(u[0]).value * u[1]


def object_made_anew(u):
    made = Scaled(u[0])
    return made.value * made.scale


def object_read_otherwise(u):
    return Read(u[0]).value * u[1]


WAYS_OF_THEIR_OWN = (object_of_a_metaclass, object_made_anew, object_read_otherwise)
U = numbers(2)


def refined(a, detail):
    if isinstance(detail, tuple):
        return a * detail[0] + detail[1] * detail[2]
    return 1.5 * a * detail


def parts_of_two_kinds_behind_the_first(coeffs):
    a = coeffs[0]
    for detail in coeffs[1:]:
        a = refined(a, detail)
    return a


def parts_of_two_kinds_from_behind(coeffs):
    a = coeffs[0]
    for detail in coeffs[:0:-1]:
        a = refined(a, detail)
    return a


def first_of_the_parts_of_two_kinds_behind_the_first(coeffs):
    rest = coeffs[1:]
    return refined(refined(coeffs[0], rest[0]), rest[-1])


def parts_of_two_kinds_behind_a_place(coeffs, k):
    a = coeffs[0]
    for detail in coeffs[k:]:
        a = refined(a, detail)
    return a


def numbers_beside_parts(coeffs):
    rest, few = coeffs[1:], coeffs[::-1]
    return rest[0] * few[1] + rest[1][0] * coeffs[0] + few[0][1]


COEFFS = [0.7, (0.3, 1.2, 0.4), (0.9, 0.6, 1.1)]
OF_TWO_KINDS = (
    *(parts_of_two_kinds_behind_the_first, parts_of_two_kinds_from_behind),
    first_of_the_parts_of_two_kinds_behind_the_first,
)
PROGRAMS = (
    *(Entry(function, (COEFFS,), like_only=True) for function in OF_TWO_KINDS),
    Entry(numbers_beside_parts, ([0.7, 1.3, (0.4, 0.9)],), like_only=True),
    Entry(parts_of_two_kinds_behind_a_place, (COEFFS, 1), like_only=True),
    *(
        Entry(function, (numbers(5),))
        for function in (two_of_more, two_of_more_of_an_object, objects_taken_apart)
    ),
    *(Entry(function, (U,), may_refuse=True) for function in WAYS_OF_THEIR_OWN),
    *(
        Entry(function, (U,))
        for function in (
            pair_of_scaled,
            pair_of_a_display,
            pair_of_a_sum,
            pair_of_complex,
            only_one_of_a_pair,
            pair_of_columns,
            parts_of_a_split,
        )
    ),
    Entry(whole_numbers_by_name, (numbers(5),), like_only=True),
    *(Entry(function, (U, U[::-1] + 1.0)) for function in (raveled_in_a_map, raveled_by_a_map)),
    Entry(raveled_in_a_map, (0.5, 0.8), like_only=True, note="numbers"),
)
