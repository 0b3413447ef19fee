"""Objects that are of one of several classes, which the run decides: what is called is that of their class."""

from __future__ import annotations

import abc
import copy
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tests.programs.entry import Entry, numbers

X, Y = numbers(4), numbers(4, start=0.9)


class Shape:
    def __init__(self, r):
        self.r = r

    def area(self):
        raise NotImplementedError

    def both(self):
        return self.area() + self.r

    @property
    def size(self):
        return 1.0


class Circle(Shape):
    def area(self):
        return math.pi * self.r**2

    @property
    def size(self):
        return self.r * 3


class Square(Shape):
    def __init__(self, r):
        super().__init__(r * 0.5)
        self.side = r

    def area(self):
        return self.side**2

    def both(self):
        return super().both() * 2


class Tri(Shape):
    def area(self):
        return self.r * 2.0

    def grow(self, k):
        self.r = self.r * k


def shapes_by_size(x, y):
    shapes = []
    for k in range(len(x)):
        if x[k] > 0.4:
            shapes.append(Circle(x[k]))
        elif x[k] > 0.0:
            shapes.append(Square(y[k] * x[0]))
        else:
            shapes.append(Tri(x[k]))
    return sum(s.area() + s.both() * s.size for s in shapes)


def best_of_three_classes(x, y):
    best = Circle(x[0])
    for k in range(len(x)):
        new = Square(x[k]) if y[k] > 0.6 else Tri(x[k] * y[k])
        if new.area() > best.area():
            best = new
    return best.area() * best.r


def told_apart_by_isinstance(x, y):
    shapes = [Circle(v) if v > 0 else Square(-v * y[0]) for v in x]
    total = 0.0
    for s in shapes:
        if isinstance(s, Circle):
            total += s.area() * y[1]
        elif isinstance(s, (Square, Tri)):
            total += s.side
    return total


class Layer:
    def forward(self, h):
        return h


class Dense(Layer):
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def forward(self, h):
        return h * self.w + self.b


class Tanh(Layer):
    def __init__(self, k):
        self.k = k
        self.seen = 0

    def forward(self, h):
        self.last = np.tanh(h * self.k)
        return self.last


def layers_chosen_by_weights(x, y):
    layers = []
    for k in range(4):
        layers.append(Dense(x[k], y[k]) if x[k] > 0.3 else Tanh(y[k]))
    h = x * y
    for layer in layers:
        h = layer.forward(h)
    for layer in reversed(layers):
        h = layer.forward(h) * 0.5
    return np.sum(h)


@dataclass
class Spring:
    k: float

    def energy(self, d):
        return 0.5 * self.k * d**2


@dataclass
class Damper:
    c: float
    p: float = 2.0

    def energy(self, d):
        return self.c * abs(d) ** self.p


def springs_and_dampers(x, y):
    parts = []
    for i in range(len(x)):
        if i % 2 == 0:
            parts.append(Spring(x[i]))
        else:
            parts.append(Damper(y[i], p=3.0))
    e = 0.0
    for part, d in zip(parts, x, strict=True):
        e += part.energy(d)
    return e


def replaced_in_passes(x, y):
    s = Circle(x[0]) if x[1] > 0.5 else Tri(x[1])
    for k in range(3):
        if x[k] > 0.3:
            s = Tri(s.area() * y[k])
        if isinstance(s, Tri):
            s.grow(y[k])
    return s.both()


class Grid:
    def __init__(self, shapes):
        self.shapes = shapes

    def total(self):
        return sum(s.area() for s in self.shapes)


def shapes_in_a_field(x, y):
    g = Grid([])
    for v in x:
        g.shapes.append(Circle(v) if v > 0.1 else Tri(v))
    t = g.total()
    for s in g.shapes:
        s.r = s.r * y[0]
    return t + g.total()


def shapes_under_keys(x, y):
    q = {"c": Circle(x[0]), "s": Square(x[1])}
    t = 0.0
    for k in ["c", "s", "c"]:
        t += q[k].area() * y[0]
    for _, shape in q.items():
        t += shape.both()
    return t


def exchanged_by_a_test(x, y):
    a, b = Circle(x[0]), Tri(x[1])
    if x[0] > x[1]:
        a, b = b, a
    return a.area() - b.area() * y[0]


def grown_by_the_last(x, y):
    shapes = [Circle(x[0])]
    while len(shapes) < 4 and shapes[-1].area() < 5.0:
        last = shapes[-1]
        shapes.append(Square(last.r + 0.5) if isinstance(last, Circle) else Circle(last.r * y[1]))
    return sum(s.area() for s in shapes)


def copied_and_sorted(x, y):
    shapes = [copy.copy(s) for s in [Circle(v) if v > 0.1 else Tri(v) for v in x]]
    shapes.sort(key=lambda s: s.r)
    return shapes[0].area() * shapes[-1].both()


def matched_by_class(x, y):
    shapes = []
    for v in x:
        shapes.append(Circle(v) if v > 0.1 else Tri(v))
    t = 0.0
    for s in shapes:
        match s:
            case Circle(r=r):
                t += r * y[0]
            case Tri():
                t += s.area()
            case _:
                t += 7.0
    return t


def matched_by_fields(x, y):
    parts = []
    for i in range(len(x)):
        if x[i] > 0.3:
            parts.append(Spring(x[i]))
        else:
            parts.append(Damper(y[i], p=3.0))
    t = 0.0
    for p in parts:
        match p:
            case Spring(k):
                t += k * y[0]
            case Damper(c, q):
                t += c**q
    return t


class Event:
    def apply(self, s):
        return s


class Kick(Event):
    def __init__(self, dv):
        self.dv = dv

    def apply(self, s):
        s["v"] = s["v"] + self.dv
        return s


class Drift(Event):
    def __init__(self, dt):
        self.dt = dt

    def apply(self, s):
        s["x"] = s["x"] + self.dt * s["v"]
        return s


def events_in_their_order(x, y):
    events = []
    for k in range(len(x)):
        events.append(Kick(x[k]) if y[k] > 0.65 else Drift(y[k]))
    s = {"x": 0.0, "v": 1.0}
    for e in events:
        s = e.apply(s)
    return s["x"] * s["v"]


def none_or_one_of_two(x, y):
    out = np.zeros(4)
    cur = None
    for k in range(4):
        if cur is None:
            cur = Circle(x[k])
        elif isinstance(cur, Circle):
            cur = Tri(cur.area() * y[k])
        else:
            cur = None
        if cur is not None:
            out[k] = cur.area()
    return np.sum(out)


def shapes_in_a_dict(x, y):
    pool = {}
    for k in range(4):
        pool[k] = Circle(x[k]) if x[k] > 0.1 else Square(y[k])
    for k in pool:
        pool[k].r *= 2.0
    return sum(s.both() for s in pool.values())


class Joint(abc.ABC):
    @abc.abstractmethod
    def moment(self, d): ...


@dataclass(frozen=True)
class Hinge(Joint):
    k: float

    def moment(self, d):
        return 0.5 * self.k * d**2


@dataclass(frozen=True)
class Clamp(Joint):
    c: float
    p: float = 2.0

    def moment(self, d):
        return self.c * abs(d) ** self.p


def frozen_and_abstract(x, y):
    joints = []
    for k in range(len(x)):
        joints.append(Hinge(x[k]) if y[k] > 0.1 else Clamp(y[k]))
    return sum(j.moment(x[0]) for j in joints)


def made_for_each_class(x, y):
    circle, square = [kind(x[0]) for kind in (Circle, Square)]
    made = {word: kind(y[1]) for word, kind in (("c", Circle), ("s", Square))}
    every = []
    for kind in (Square, Circle, Square):
        every.append(kind(x[2] * len(every)))
    total = sum(each.area() * x[1] for each in every)
    return total + circle.both() * square.area() + made["c"].both() * made["s"].both()


class Kernel:
    def __add__(self, other):
        return Both(self, other)

    def __mul__(self, other):
        return Times(self, other)


class Bell(Kernel):
    def __init__(self, width):
        self.width = width

    def __call__(self, d):
        return np.exp(-0.5 * d**2 / self.width**2)


class Level(Kernel):
    def __init__(self, height):
        self.height = height

    def __call__(self, d):
        return self.height * np.ones(len(d))


class Both(Kernel):
    def __init__(self, first, second):
        self.first, self.second = first, second

    def __call__(self, d):
        return self.first(d) + self.second(d)


class Times(Both):
    def __call__(self, d):
        return self.first(d) * self.second(d)


def kernels_of_kernels(x, y):
    kernel = Level(x[0]) * Bell(x[1]) + Bell(2.0 * y[0]) * Level(y[1])
    return np.sum(kernel(x) ** 2)


def kernels_deep_down(x, y):
    kernel = (Level(x[0]) + Bell(x[1])) * (Level(y[0]) + Bell(y[1]) * Level(x[2]))
    return np.sum(kernel(y) * x)


class Scaled:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return self.w * x


class Bent:
    """Its class holds a table that the other one has not."""

    table: ClassVar = {"tanh": np.tanh, "ramp": lambda x: np.maximum(x, 0.1 * x)}

    def __init__(self, kind="tanh"):
        self.kind = kind

    def forward(self, x):
        return self.table[self.kind](x)


class Chain:
    def __init__(self, *layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


def layers_of_a_chain(x, y):
    net = Chain(Scaled(y), Bent(), Chain(Scaled(2.0 * y), Bent("ramp")))
    return np.sum(net.forward(x) ** 2)


PROGRAMS = tuple(
    Entry(function, (X, Y), wrt=(0, 1))
    for function in (
        *(kernels_of_kernels, kernels_deep_down, layers_of_a_chain),
        shapes_by_size,
        best_of_three_classes,
        told_apart_by_isinstance,
        layers_chosen_by_weights,
        springs_and_dampers,
        replaced_in_passes,
        shapes_in_a_field,
        shapes_under_keys,
        exchanged_by_a_test,
        grown_by_the_last,
        copied_and_sorted,
        matched_by_class,
        matched_by_fields,
        events_in_their_order,
        none_or_one_of_two,
        shapes_in_a_dict,
        frozen_and_abstract,
        made_for_each_class,
    )
)
