"""Classes that answer for attributes themselves, and say what objects hold."""

from __future__ import annotations

import dataclasses
import enum
from collections import namedtuple

import numpy as np

from tests.programs.entry import Entry, numbers


class cached:
    """A property that an object remembers under the name of the function that it is made of."""

    def __init__(self, func):
        self.func = func
        self.__name__ = func.__name__

    def __get__(self, owner, kind=None):
        held = owner.held
        value = held.get(self.__name__, None)
        if value is None:
            value = self.func(owner)
            held[self.__name__] = value
        return value


class Sample:
    def __init__(self, u):
        self.u, self.held = u, {}

    @cached
    def mean(self):
        return np.sum(self.u) / self.u.size

    @cached
    def spread(self):
        return np.sum((self.u - self.mean) ** 2)


def remembered_under_its_name(u, v):
    sample = Sample(u * v)
    return sample.spread + sample.mean**2 + sample.spread * v


class Growth(namedtuple("Growth", "scale power")):
    def __call__(self, u):
        return self.scale * u**self.power


def a_tuple_that_is_called(u, v):
    return np.sum(Growth(v, 3)(u)) + Growth(2.0, 2)(v)


class Squaring:
    """Keeps the square of what it is given."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, owner, kind=None):
        return getattr(owner, self.name)

    def __set__(self, owner, value):
        setattr(owner, self.name, value * value)


class Doubling:
    """Gives twice what the field of its own name holds."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, owner, kind=None):
        return owner.__dict__[self.name] * 2.0

    def __set__(self, owner, value):
        owner.__dict__[self.name] = value


class Squared:
    a = Squaring()

    def __init__(self, a):
        self.a = a


class Doubled:
    a = Doubling()

    def __init__(self, a):
        self.a = a


class Behind:
    def __init__(self, a):
        self.__dict__["a"] = a

    @property
    def a(self):
        return self.__dict__["a"] * 2.0


class Set:
    def __init__(self, a):
        self.a = a

    @property
    def a(self):
        return self.__dict__["a"] * 2.0

    @a.setter
    def a(self, value):
        self.__dict__["a"] = value * value


@dataclasses.dataclass
class Replaced:
    a: float

    def _get(self):
        return self._a * 2.0

    def _set(self, value):
        self._a = value


Replaced.a = property(Replaced._get, Replaced._set)


def descriptor(u, s):
    w = Squared(u[0])
    w.a = w.a * s
    return w.a * u[1]


def descriptor_added_to(u, s):
    w = Squared(u[0])
    w.a += s
    return w.a * u[1]


def descriptor_over_its_field(u, s):
    w = Doubled(u[0])
    return w.a * s


def descriptor_by_its_name(u, s):
    w = Squared(u[0])
    setattr(w, "a", s)  # noqa: B010
    return w.a * s


def descriptor_as_a_target(u, s):
    w = Squared(u[0])
    for w.a in u:
        pass
    return w.a * s


def descriptors_in_a_list(u, s):
    held = [Squared(q) for q in u]
    return sum(w.a * s for w in held)


def property_over_its_field(u, s):
    w = Behind(u[0])
    return w.a * s


def property_by_its_name(u, s):
    w = Behind(u[0])
    return getattr(w, "a") * s  # noqa: B009


def set_over_its_field(u, s):
    w = Set(u[0])
    w.a = w.a * u[1]
    return w.a * s


def set_in_a_tuple(u, s):
    w = Set(u[0])
    w.a, y = u[1], u[2]
    return w.a * s * y


def set_in_a_list(u, s):
    held = [Set(q) for q in u]
    for w in held:
        w.a *= s
    return sum(w.a for w in held)


def property_of_a_dataclass(u, s):
    w = Replaced(u[0])
    return w.a * s


class Options(dict):
    """A dict whose entries are attributes, too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


class Dotted(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__


class Bunch(dict):
    def __init__(self, **entries):
        super().__init__(entries)
        self.__dict__ = self


class Listed(dict):
    """A dict that says of itself what it holds."""

    def items(self):
        return [("q", 5.0)]


OPTIONS, DOTTED, BUNCH, LISTED = (made(a=0.8, b=1.5) for made in (Options, Dotted, Bunch, Listed))


def entries_of_the_module(u, s):
    return s * (OPTIONS.a * u[0] + DOTTED.a * u[1] ** 2 + BUNCH.b * u[2] * u[3]) + OPTIONS["b"] * s


def entries_by_attribute(u, p):
    return np.sum(p.a * u**2) + p["b"] * u[0]


def entries_of_what_is_there(u, s, p=None):
    p = p if p is not None else OPTIONS
    return np.sum(p.a * u**2) * s**p.b


def entries_by_its_own_words(u, s):
    return sum(v * s * u[0] for _, v in LISTED.items())


class Law(enum.Enum):
    LINEAR = 1
    POWER = 2.5

    @property
    def twice(self):
        return 2.0 * self.value


class Word(enum.StrEnum):
    SUM = "sum"
    CUBES = "cubes"


def value_of_a_member(u, law=Law.POWER):
    if law is Law.LINEAR:
        return 2.0 * np.sum(u)
    return np.sum(u**2) * law.value * law.twice + len(law.name) * u[0]


def value_of_a_text(u, word=Word.SUM):
    return np.sum(u) if word == "sum" else np.sum(u**3) * len(word.value)


def asked_what_lists_of_functions_have(u, c):
    listed, paired, named = [np.sin, np.cos], (np.sin, np.cos), {"a": np.sin, "b": np.cos}
    s = listed[0](u[0]) + paired[1](u[1]) * named["a"](c)
    s *= 5.0 if hasattr(listed, "shape") or hasattr(paired, "keys") else 2.0
    s *= 3.0 if hasattr(named, "items") and not hasattr(named, "append") else 7.0
    for function in named.values() if getattr(listed, "size", None) is None else listed:
        s = function(s)
    try:
        s = s * listed.shape[0]
    except AttributeError:
        s = s * len(paired)
    return s


def asked_what_functions_and_views_have(u, c):
    def scaled(x):
        return x * c

    views, pairs = {"a": np.sin, "b": c}.items(), zip(u, [np.sin, np.cos], strict=False)
    s = scaled(u[0])
    s *= 5.0 if hasattr(scaled, "shape") else 2.0
    s *= 3.0 if hasattr(scaled, "__call__") else 7.0  # noqa: B004
    s *= 1.5 if hasattr(views, "isdisjoint") and not hasattr(pairs, "send") else 0.5
    return s + sum(f(x) for x, f in pairs)


class Vessel:
    __shape = 1.5

    def __init__(self, level):
        self.__level = level

    def held(self):
        return self.__level * self.__shape

    def __scaled(self, by):
        return self.__level * by

    def drained(self, __by=0.3):
        return self.__scaled(__by) + sum(self.__scaled(k) for k in range(3))


class Boiler(Vessel):
    def __init__(self, level, heat):
        super().__init__(level)
        self.__level = heat**2

    def __scaled(self, by):
        def raised(power):
            return self.__level**power * by

        return raised(2)

    def boiled(self):
        return self.__scaled(2.0) * self.held() + self.drained()


def private_names_of_two_classes(u, c):
    boiler = Boiler(u[0], c)
    return boiler.boiled() * boiler._Vessel__level + getattr(boiler, "_Boiler__level")  # noqa: B009


def private_names_of_a_class_inside(u, c):
    class Valve:
        def __init__(self, opening):
            self.__opening = opening

        def flow(self):
            return self.__opening**2

    class Tap(Valve):
        def __init__(self, opening):
            super().__init__(c)
            self.__opening = opening

        def both(self):
            return self.__opening * self.flow()

    return Tap(u[1]).both() * BOILER.boiled() * u[2]


BOILER = Boiler(0.7, 1.1)
US = (numbers(4), 0.7), (0, 1)
MAY_REFUSE = (
    *(descriptor, descriptor_added_to, descriptor_over_its_field, descriptor_by_its_name),
    *(descriptor_as_a_target, descriptors_in_a_list, set_in_a_tuple, set_in_a_list),
    property_of_a_dataclass,
)

PROGRAMS = (
    Entry(asked_what_lists_of_functions_have, *US),
    *(Entry(f, *US) for f in (private_names_of_two_classes, private_names_of_a_class_inside)),
    Entry(asked_what_functions_and_views_have, *US),
    *(Entry(f, *US) for f in (entries_of_the_module, entries_of_what_is_there)),
    *(
        Entry(entries_by_attribute, (numbers(4), p), (0,), note=word)
        for word, p in (("read", OPTIONS), ("got", DOTTED))
    ),
    Entry(entries_by_its_own_words, *US, may_refuse=True),
    Entry(remembered_under_its_name, *US),
    Entry(a_tuple_that_is_called, *US),
    *(Entry(f, *US) for f in (property_over_its_field, property_by_its_name, set_over_its_field)),
    *(Entry(f, *US, may_refuse=True) for f in MAY_REFUSE),
    *(
        Entry(value_of_a_member, (numbers(4), law), (0,), note=law.name, like_only=True)
        for law in Law
    ),
    *(
        Entry(value_of_a_text, (numbers(4), word), (0,), note=word.value, like_only=True)
        for word in Word
    ),
)
