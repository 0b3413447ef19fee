"""Objects whose classes ask what they are given, fields under names in lists, and lists of objects."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cached_property, partial
from types import FunctionType, MethodType

import numpy as np
from scipy import linalg

from tests.programs.entry import Entry, numbers


class Dual:
    def __init__(self, a, b=0.0):
        self.a, self.b = a, b

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.a + other.a, self.b + other.b)

    __radd__ = __add__

    def __mul__(self, other):
        if isinstance(other, (int, float, np.ndarray)):
            return Dual(self.a * other, self.b * other)
        return Dual(self.a * other.a, self.a * other.b + self.b * other.a)

    def __rmul__(self, other):
        return self * other


class Body:
    names = ("x", "v")

    def __init__(self, m, x, v=0.0):
        self.m, self.x, self.v = m, x, v

    @property
    def momentum(self):
        return self.m * self.v

    def scale(self, factor):
        for name in self.names:
            setattr(self, name, factor * getattr(self, name))

    def drift(self, dt):
        self.x += dt * self.v

    def energy(self):
        return 0.5 * self.m * self.v**2 + self.x**2


FIELDS = ("m", "x")


def dual_numbers(x):
    d = Dual(x, 1.0)
    y = 3.0 * d * d + 1.0 + d * x
    return y.a * y.b + (x + d).a


def fields_by_name(x):
    body = Body(2.0, x, x * x)
    total = 0.0
    for name in FIELDS:
        total += getattr(body, name) ** 2
    body.scale(x)
    for name, value in zip(("x", "m"), (x * 3.0, total), strict=True):
        setattr(body, name, getattr(body, name) * value)
    return total + sum(getattr(body, name) for name in ["x", "v", "momentum"])


def fields_of_a_dict(x):
    body = Body(2.0, x, x * x)
    total = sum(vars(body).values())
    for name, value in vars(body).items():
        body.v = body.v * x
        if name != "m":
            total += value * value
    return total


def squared(x):
    return x * x


class Dense:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return np.tanh(self.w * x)


class Layer:
    def __init__(self, w, act=np.tanh):
        self.w = w
        self.act = act

    def __call__(self, x):
        return self.act(self.w * x)


class Model:
    def __init__(self, weights):
        self.layers = []
        for w in weights:
            self.layers.append(Dense(w))

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = layer(x)
        return self.layers[-1](x)


class System:
    def __init__(self):
        self.bodies = []
        self.last = None

    def add(self, body):
        self.bodies.append(body)
        return self

    def made(self, x):
        self.last = Body(1.0, x)
        return self.last

    def step(self, dt):
        for body in self.bodies:
            body.v -= dt * body.x / body.m
            body.drift(dt)

    @property
    def energy(self):
        return sum(body.energy() for body in self.bodies)


def layers_made_in_a_loop(w):
    return Model(w)(0.4) ** 2


def layers_with_a_function(x, w):
    layers = [Layer(each, act=squared) for each in w]
    for layer in layers:
        x = layer(x)
    others = [Layer(each) for each in w]
    for layer in others:
        x = x + layer(x)
    return x * layers[0].act(x)


def functions_that_differ(x, w):
    layers = [Layer(each, np.sin) for each in w]
    layers.append(Layer(w[0], np.cos))
    for layer in layers:
        x = layer(x)
    return x


def bodies_added(x):
    system = System()
    for k, each in enumerate(x):
        system.add(Body(1.0 + k, each))
    body = Body(2.0, x[0])
    system.add(body)
    for _ in range(2):
        system.step(0.1)
    return system.energy


def appended_with_two_names(x):
    """Each body on the list is changed under another name: that of a field."""
    system, bodies = System(), []
    for each in x:
        body = Body(1.0, each)
        system.last = body
        bodies.append(body)
        system.last.x = 3.0 * each
    return sum(body.x for body in bodies)


def appended_and_kept(x):
    """What makes a body keeps it, too."""
    system, bodies = System(), []
    for each in x:
        bodies.append(system.made(each))
        system.last.x = 3.0 * each
    return sum(body.x for body in bodies)


class Plain:
    """Has the fields that it is given."""


class Tripled:
    def __getattr__(self, name):
        return 3.0


def asked_before_it_is_set(x, n):
    p = Plain()
    for _ in range(n):
        if hasattr(p, "v"):
            p.v = p.v * x
        else:
            p.v = x
    return p.v


def got_before_it_is_set(x, n):
    p, t = Plain(), Tripled()
    for _ in range(n):
        p.v = getattr(p, "v", 1.0) * x
        t.v = t.v * x
    return p.v + t.v


def looked_up_before_it_is_set(x, n):
    p = Plain()
    for _ in range(n):
        if "v" in vars(p):
            p.v = p.v * x
        else:
            p.v = x
    return p.v


def set_until_it_is_there(x):
    p = Plain()
    while not hasattr(p, "v"):
        p.v = x * x
    return p.v


def asked_in_a_function_inside(x, n):
    p = Plain()

    def is_set():
        return hasattr(p, "v")

    for _ in range(n):
        if is_set():
            p.v = p.v * x
        else:
            p.v = x
    return p.v


def set_and_deleted_in_turn(x, n):
    p, s = Plain(), 0.0
    p.v = x
    for _ in range(n):
        if hasattr(p, "v"):
            s += p.v
            del p.v
        else:
            p.v = x * x
    return s


def deleted_and_had_from_its_class(x):
    class Law:
        k = 1.5

    laws = [Law(), Law()]
    first = laws[0]
    laws[0].k *= x
    laws[1].k = x * x
    s = laws[0].k * laws[1].k
    del first.k
    return s + laws[0].k * x * laws[1].k


def set_by_a_function_inside(x):
    p = Plain()

    def put(t):
        p.w = t * t
        return t

    s = put(x)
    p.w = p.w * 2.0 if hasattr(p, "w") else x
    return s * p.w


def kept_by_a_function(x):
    def f(t):
        if not hasattr(f, "first"):
            f.first = t * t
        return t * f.first

    return f(x) * f(2.0 * x)


def kept_from_pass_to_pass(x, n):
    def f(t):
        if hasattr(f, "last"):
            t = t * f.last
        f.last = t
        return t

    s = 0.0
    for _ in range(n):
        s += f(x)
    return s


class Doubled:
    @cached_property
    def twice(self):
        return 2.0 * self.x


def cached_in_the_first_pass(x, n):
    p, s = Doubled(), 0.0
    for i in range(n):
        p.x = x * (i + 1)
        s += p.twice * x
    return s


def copied_before_it_is_set(x, n):
    p, s = Body(x, x), 0.0
    for _ in range(n):
        q = copy.copy(p)
        if hasattr(q, "w"):
            s += q.w * x
        p.w = x * x
    return s


class Pieces:
    """Pieces of a curve; what is an array later is an empty list first."""

    def __init__(self, x):
        self.slopes, self.bends, self.steps = [], [], 0.0
        self.x = x
        self.steps = self.apart()
        self.slopes = np.sin(self.steps)
        for k in range(len(x) - 1):
            self.bends.append(self.slopes[k] * self.steps[k])

    def apart(self):
        return self.x[1:] - self.x[:-1]

    def at(self, t):
        if t < 0.0:
            return None
        return self.bends[1] * t + self.slopes[0] * t**2

    def slope(self, t):
        if t < 0.0:
            return None
        return self.bends[0] + 2.0 * self.slopes[1] * t


def lists_first_and_arrays_then(x):
    pieces = Pieces(x)
    return pieces.at(0.4) * pieces.slope(0.3) + pieces.bends[1]


class Tracked:
    """A state whose gain is a number until it is computed, and an array then."""

    def __init__(self, n):
        self.gain = 0
        self.x = np.zeros((n, 1))
        self.P = np.eye(n)

    def update(self, z):
        S = self.P[:1, :1] + 1.0
        self.gain = np.dot(self.P[:, :1], linalg.inv(S))
        self.x = self.x + np.dot(self.gain, z - self.x[:1])
        self.P = linalg.inv(self.P + np.dot(self.gain, self.gain.T))

    def all_of(self, zs):
        means = np.zeros((len(zs), 3, 1))
        for k, z in enumerate(zs):
            self.update(z)
            means[k, :] = self.x
        return means


def numbers_first_and_arrays_then(x):
    tracked = Tracked(3)
    tracked.P = np.outer(x, x) + np.eye(3)
    means = tracked.all_of(x)
    return np.sum(means**2) + np.sum(tracked.P * tracked.gain)


def classes_of_iterators(x):
    s = x if isinstance(zip([x], [x], strict=True), zip) else x * x
    s *= x if isinstance(map(abs, [x]), Iterator) else 2.0
    s *= x if isinstance(vars(Body(x, x)), dict) else 2.0
    s *= x if isinstance(partial(max, x), FunctionType) else 2.0 * x
    return s * (x if isinstance([x].append, MethodType) else 3.0)


IN_LOOPS = (
    *(asked_before_it_is_set, got_before_it_is_set, looked_up_before_it_is_set),
    *(asked_in_a_function_inside, set_and_deleted_in_turn, kept_from_pass_to_pass),
    *(cached_in_the_first_pass, copied_before_it_is_set),
)

PROGRAMS: tuple[Entry, ...] = (
    *(Entry(each, (0.7, 3)) for each in IN_LOOPS),
    *(Entry(each, (0.7,)) for each in (set_until_it_is_there, set_by_a_function_inside)),
    Entry(deleted_and_had_from_its_class, (0.7,)),
    *(Entry(each, (0.7,)) for each in (kept_by_a_function, classes_of_iterators)),
    *(Entry(each, (0.7,)) for each in (dual_numbers, fields_by_name, fields_of_a_dict)),
    *(Entry(each, (numbers(3),)) for each in (layers_made_in_a_loop, bodies_added)),
    *(
        Entry(each, (numbers(3),), like_only=each is numbers_first_and_arrays_then)
        for each in (lists_first_and_arrays_then, numbers_first_and_arrays_then)
    ),
    Entry(layers_with_a_function, (0.6, numbers(2)), may_refuse=True),
    Entry(layers_with_a_function, (0.6, numbers(2)), wrt=(0, 1), note="both", may_refuse=True),
    Entry(functions_that_differ, (0.6, numbers(2)), may_refuse=True),
    Entry(appended_with_two_names, (numbers(3),), may_refuse=True),
    Entry(appended_and_kept, (numbers(3),), may_refuse=True),
)
