"""Objects that say themselves what operators, len() and calls of them mean, and lists of them."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections import namedtuple

import numpy as np

from tests.programs.entry import Entry, numbers


class Scale:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x


class Squash:
    def __call__(self, x):
        return np.tanh(x)


class Chain:
    def __init__(self, layers):
        self.layers = layers

    def __len__(self):
        return len(self.layers)

    def run(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def first_and_last(self, x):
        first = self.layers[0]
        return self.layers[-1](first(x))


CHAIN = Chain([Scale(1.5), Squash(), Scale(np.array([0.3, 0.7, 1.1])), np.sin])


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __mul__(self, s):
        return Point(self.x * s, self.y * s)

    __rmul__ = __mul__

    def __floordiv__(self, s):
        return self.x * s + self.y

    def __mod__(self, s):
        return self.x / s

    def __rpow__(self, s):
        return s * self.y

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __lt__(self, other):
        return self.x < other.x

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __pos__(self):
        return self.x

    def __float__(self):
        return float(self.x * self.y)

    def __len__(self):
        return 7


class Mean:
    total = 0.0
    count = 0

    def __init__(self):
        self.items = []

    def add(self, x):
        self.items.append(x)
        self.total += x
        self.count += 1
        return self

    @property
    def value(self):
        return self.total / self.count


def layers_of_the_module(u):
    return np.sum(CHAIN.run(u) ** 2)


def layers_gone_through(u):
    for layer in CHAIN.layers:
        u = layer(u)
    return np.sum(u)


def layers_by_position(u):
    return np.sum(CHAIN.first_and_last(u))


def layers_made_here(u):
    chain = Chain([Scale(u[0]), Squash(), Scale(u)])
    return np.sum(chain.run(u)) * len(chain)


def layers_by_keyword(u):
    chain = Chain(layers=(Scale(u[0]), Squash()))
    return np.sum(chain.run(u))


def with_slots(u):
    return abs(Point(u[0], u[1]) + 2.0 * Point(u[1], u[2]))


def its_own_length(u):
    return len(Point(u[0], u[1])) * u[0]


def floor_division(u):
    p = Point(u[0], u[1])
    return p // 3.0 + p % 2.0


def reflected_power(u):
    return 3.0 ** Point(u[0], u[1]) + Point(u[0], u[1]) @ Point(u[1], u[2])


def compared(u):
    return u[0] if Point(u[0], u[1]) < Point(u[1], u[0]) else u[1] ** 2


def converted(u):
    p = Point(u[0], u[1])
    return float(p) + (+p) * u[2]


def same_or_not(u):
    p, q = Point(u[0], u[1]), Point(u[0], u[1])
    r = p
    return (
        (u[0] if p is r else u[1]) * (u[1] if p is q else u[2]) * (u[0] if p is not None else 1.0)
    )


def counted_in_the_class(u):
    mean = Mean()
    for x in u:
        mean.add(x * x)
    return mean.value * mean.items[1]


class Power:
    def __init__(self, n):
        self.n = n

    def of(self, x):
        return self.n * x**self.n

    def __or__(self, other):
        return Power(self.n * other.n)

    def __invert__(self):
        return Power(-self.n)

    def __round__(self):
        return self.n * 2.0


class Twice(Power):
    def of(self, x):
        return super().of(x) * 2.0


class Thrice(Twice):
    def of(self, x):
        return super().of(x) + super().of(x + 1.0)


CUBE, THRICE = Twice(3.0), Thrice(2.0)


def methods_above(u):
    return CUBE.of(u[0]) * THRICE.of(u[1])


def methods_above_of_what_is_made_here(u):
    return Thrice(u[0]).of(u[1]) * Twice(u[2]).of(u[0])


def operators_of_bits(u):
    p = Power(u[0]) | ~Power(u[1])
    return p.of(u[2]) * round(p)


class Squared:
    def __init__(self, p):
        self.p = p

    @staticmethod
    def square(x):
        return x * x

    @classmethod
    def moved(cls, p):
        return cls(p + 0.1)

    def energy(self, x):
        return self.p * self.of(x)


class Bump(Squared):
    def of(self, x):
        return np.exp(-self.square(x)).sum()


def static_method_of_the_class_above(u):
    bump = Bump(u[0])
    return bump.energy(u) * bump.square(u[1])


def made_by_a_class_method_of_the_class_above(u):
    return Bump.moved(u[0]).energy(u) + Bump.square(u[2])


class Soft:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    def energy(self, x):
        return np.sum(np.tanh(x * self.stiffness))


def objects_of_constants_in_a_list(u):
    springs = [Soft(1.0), Soft(2.0)]
    total = 0.0
    for i, spring in enumerate(springs):
        total += spring.energy(u) * i
    return total + springs[0].energy(u) * sum(each.energy(u) for each in springs)


@dataclasses.dataclass
class Body:
    place: object
    mass: object = 0.5

    def moment(self):
        return np.sum(self.place * self.mass)

    @property
    def half(self):
        return 0.5 * np.sum(self.mass)


class Sample:
    def __init__(self, value, weight=0.3):
        self.value, self.weight = value, weight

    def __add__(self, other):
        if isinstance(other, Sample):
            return Sample(self.value + other.value, self.weight * 2.0)
        return Sample(self.value + other, self.weight)

    __radd__ = __add__


def sums_of_objects(u):
    samples = [Sample(v * u[0]) for v in u]
    first, second = sum(samples, Sample(0.1)), sum(samples)
    third = sum([first, second, Sample(u[1])])
    return first.value * second.value * third.value * third.weight


class Named:
    def __init__(v, place, size):
        v.place, v.size, v.seen = place, size, []


def named_as_what_a_generator_goes_through(u):
    o = Named(u[1], 2.0 * u[0])
    s = sum(v * o.size for v in u)
    o.place = s
    return s * o.place + sum(o.seen)


def copied_with_all_that_it_holds(u):
    body = Body(u, Body(1.5 * u, u))
    other = copy.deepcopy(body)
    other.place += 0.3
    other.mass.place[1] = u[0]
    twice = copy.deepcopy(Body(u, u))
    twice.place *= 2.0
    return other.mass.moment() * body.mass.moment() + twice.moment() * other.mass.half


def deeply_copied_in_each_pass(u):
    body = Body(u.copy(), u[0])
    for k in range(2):
        other = copy.deepcopy(body)
        other.place[k] = u[2] * other.moment() * body.half
        body = other
    return body.moment()


def tuples_copied_with_all_that_they_hold(u):
    p = (u[0] ** 2, u[1])
    q = copy.deepcopy(p)
    held = (u[0], u * u[1])
    other = copy.deepcopy(held)
    other[1][0] = 0.3
    return p[0] * q[1] * q[0] + np.sum(held[1] * other[1]) * other[0]


class Extent(namedtuple("Extent", "low high")):
    def size(self):
        return self.high - self.low

    def __mul__(self, factor):
        return Extent(self.low * factor, self.high * factor)


def derived_from_a_named_tuple(u):
    a = Extent(u[0], u[1] ** 2)
    b = copy.copy(a) * u[2]
    every = [a, b, Extent(u[1], u[2])]
    for k in range(2):
        every[k] = every[k + 1] * 0.5
    return sum(e.size() * (k + 1) for k, e in enumerate(every)) + copy.deepcopy(a).size() * b.low


def copied_in_a_loop(u):
    body = Body(u[0], u[1])
    for x in u:
        if x > 0.4:
            body = copy.copy(body)
        body.place = body.place * 0.9 + x
    return body.place * body.mass


def deeply_copied_and_exchanged(u):
    p = Body(u[0] * 1.5, np.sin(u[1]))
    q = copy.deepcopy(p)
    for _ in range(4):
        p = copy.copy(q)
        q, p = p, q
    return np.sum(p.place) + 2.0 * p.mass + np.sum(q.place * q.mass)


def slots_of_a_class_made_inside(u):
    class Pair:
        __slots__ = ("w", "x")
        __match_args__ = ("w", "x")

        def __init__(self, w, x):
            self.w, self.x = w, x

        def norm(self):
            return sum(getattr(self, word) ** 2 for word in self.__slots__)

    pair = Pair(u[0], u[1] * u[2])
    match pair:
        case Pair(w, x):
            return w * x * pair.norm()


class Doubling(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.w = made.w * 2.0
        return made

    def __instancecheck__(cls, each):
        return True


class AnyScale(metaclass=Doubling):
    def __init__(self, w):
        self.w = w


def asked_by_the_class_of_its_class(u):
    return u[0] * u[1] if isinstance(u, AnyScale) else u[2]


Halves = namedtuple("Halves", "a b")


def arrays_of_a_tuple_deeply_copied(u):
    w = u * u[0]
    apart, once = Halves(w, u * 2.0), Halves(w, w)
    first, second = copy.deepcopy(apart), copy.deepcopy(once)
    first.a[1:] *= u[1]
    second.a[...] = second.a * u[2]
    return np.sum(first.a * first.b * u) + np.sum(second.b**2) + np.sum(apart.a * once.b)


def made_by_the_class_of_its_class(u):
    class Inner(metaclass=Doubling):
        def __init__(self, w):
            self.w = w

    return Inner(u[0]).w * u[1]


U = abs(numbers(3)) + 0.1

# they read what no file of its own could hold: tests/arguments/test_objects.py
OF_THE_MODULE = (*(layers_of_the_module, layers_gone_through, layers_by_position, methods_above),)

# an object that is called, made where nothing asks for more than a copy
MAY_REFUSE = (
    *(layers_made_here, layers_by_keyword),
    *(asked_by_the_class_of_its_class, made_by_the_class_of_its_class),
)
RIGHT = (
    *(with_slots, its_own_length, floor_division, reflected_power, compared, converted),
    *(same_or_not, counted_in_the_class, methods_above_of_what_is_made_here, operators_of_bits),
    *(static_method_of_the_class_above, made_by_a_class_method_of_the_class_above),
    *(objects_of_constants_in_a_list, copied_with_all_that_it_holds, deeply_copied_in_each_pass),
    *(named_as_what_a_generator_goes_through, sums_of_objects, slots_of_a_class_made_inside),
    *(tuples_copied_with_all_that_they_hold, derived_from_a_named_tuple, copied_in_a_loop),
    *(deeply_copied_and_exchanged, arrays_of_a_tuple_deeply_copied),
)

PROGRAMS = (
    *(Entry(function, (U,), may_refuse=True) for function in MAY_REFUSE),
    *(Entry(function, (U,)) for function in RIGHT),
)
