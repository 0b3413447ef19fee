"""Classes that are made of others, which give them methods: of collections.abc, UserDict and UserList."""

from __future__ import annotations

from collections import UserDict, UserList
from collections.abc import Mapping, MutableMapping, MutableSequence

from tests.programs.entry import Entry


class Table(MutableMapping):
    def __init__(self, data=None):
        self._data = {}
        self.update({} if data is None else data)

    def __getitem__(self, key):
        return self._data[key]

    def __setitem__(self, key, value):
        self._data[key] = value

    def __delitem__(self, key):
        del self._data[key]

    def __iter__(self):
        yield from self._data.keys()

    def __len__(self):
        return len(self._data)


class InCapitals(Table):
    """A key is looked up as it is, or else in capitals."""

    def __getitem__(self, key):
        try:
            return self._data[key]
        except KeyError:
            pass
        return self._data[key.upper()]


class Frozen(Mapping):
    def __init__(self, **given):
        self._data = given

    def __getitem__(self, key):
        return self._data[key]

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)


class Track(MutableSequence):
    def __init__(self, items):
        self._items = list(items)

    def __getitem__(self, place):
        return self._items[place]

    def __setitem__(self, place, value):
        self._items[place] = value

    def __delitem__(self, place):
        del self._items[place]

    def __len__(self):
        return len(self._items)

    def insert(self, place, value):
        self._items.insert(place, value)


class Defaults(UserDict):
    def __missing__(self, key):
        return 0.5 * len(key)

    def scaled(self, key):
        return 2.0 * self[key]


class Readings(UserList):
    def __init__(self, first):
        super().__init__()
        self.data = [first, 2.0 * first]

    def __mul__(self, other):
        return self.data[0] * other


class Offset(Readings):
    def __init__(self, first, by):
        super(Offset, self).__init__(first + by)  # noqa: UP008
        self.by = by

    @classmethod
    def of_pair(cls, pair):
        return cls(pair[0], pair[1])


class Spread(Offset):
    @classmethod
    def of_pair(cls, pair):
        made = super(Spread, cls).of_pair(pair)  # noqa: UP008
        made.append(pair[0] * pair[1])
        return made

    def __mul__(self, other):
        first = super(Spread, self).__mul__(other)  # noqa: UP008
        return first + super(Offset, self).__mul__(other**2)


DEFAULTS = Defaults({"gain": 1.5})
SHAPES = InCapitals({"SQUARE": lambda x: x**2, "CUBE": lambda x: x**3})


def entries_of_a_table(x):
    table = Table({"a": x, "b": x**2})
    total = table.get("b", 0.0) + table.get("c", 2.0) * x
    for key, value in table.items():
        total += value * len(key)
    return total * sum(table.values())


def looked_up_in_capitals(x):
    table = InCapitals({"A": x, "B": x**2})
    return table["a"] * table["B"]


def a_function_looked_up_in_capitals(x):
    return SHAPES["cube"](x) + SHAPES["SQUARE"](x)


def a_frozen_table(x):
    table = Frozen(a=x, b=x**2)
    known = 3.0 * x if "c" in table else x
    return table["a"] * table.get("b") + sum(value for _, value in table.items()) + known


def a_track_that_grows(x):
    track = Track([x, x**2])
    track.append(x**3)
    track.extend([1.0, x * 4])
    track += [x]
    total = 0.0
    for value in track:
        total += value
    for value in reversed(track):
        total += value**2
    return total * track.pop()


def read_from_defaults(x):
    own = Defaults(gain=x)
    own["rate"] = x**2
    total = DEFAULTS["gain"] * x + DEFAULTS["none"] * x**2 + DEFAULTS.scaled("gain") * x**3
    return total + own["gain"] * own["rate"] + own.get("far", 3.0) * x + len(own)


def kept_in_a_list_of_a_class(x):
    readings = Readings(x)
    readings.append(x**2)
    total = readings * x + readings[1] + len(readings)
    for reading in readings:
        total += reading**2
    return total


def above_a_class_that_is_named(x):
    spread = Spread.of_pair((x, x**2))
    return spread * x + spread[2] * spread.by + Spread(x, 0.5) * 2.0


PROGRAMS = (
    *(
        Entry(function, (0.7,))
        for function in (
            *(entries_of_a_table, looked_up_in_capitals, a_function_looked_up_in_capitals),
            *(a_frozen_table, a_track_that_grows, read_from_defaults),
            *(kept_in_a_list_of_a_class, above_a_class_that_is_named),
        )
    ),
)
