"""What the classes of collections.abc give to classes that are made of them.

class Table(MutableMapping):     keys(), items(), get() and update() by way of its own
    ...                          __getitem__, __setitem__, __iter__ and __len__
"""

# mypy: ignore-errors

import collections.abc

MISSING = object()


def keys(self):
    """Return the keys of a mapping as a list."""
    return [key for key in self]  # noqa: C416


def values(self):
    """Return the values of a mapping as a list."""
    return [self[key] for key in self]


def items(self):
    """Return the pairs of a mapping as a list."""
    return [(key, self[key]) for key in self]


def get(self, key, default=None):
    """Return the value of a key, or what stands for one that is missing."""
    try:
        return self[key]
    except KeyError:
        return default


def has_key(self, key):
    """Tell whether a mapping has a key."""
    try:
        self[key]
    except KeyError:
        return False
    return True


def update(self, other=(), /, **named):
    """Take the entries of a mapping or of pairs, and those that are given by name."""
    if hasattr(other, "keys"):
        for key in other.keys():  # noqa: SIM118
            self[key] = other[key]
    else:
        for key, value in other:
            self[key] = value
    for key, value in named.items():
        self[key] = value


def pop(self, key, default=MISSING):
    """Take an entry out of a mapping, and return its value."""
    if default is not MISSING and key not in self:
        return default
    value = self[key]
    del self[key]
    return value


def setdefault(self, key, default=None):
    """Return the value of a key, which is set where it was missing."""
    if key not in self:
        self[key] = default
    return self[key]


def go_through(self):
    """Yield the items of a sequence in their order."""
    for place in range(len(self)):
        yield self[place]


def by_place(self):
    """Yield the items of what has `__getitem__` alone: those before the first place that it has none at."""
    place = 0
    while True:
        try:
            item = self[place]
        except IndexError:
            return
        yield item
        place += 1


def go_back(self):
    """Yield the items of a sequence from its end."""
    for place in reversed(range(len(self))):
        yield self[place]


def append(self, value):
    """Put an item behind the last one of a sequence."""
    self.insert(len(self), value)


def extend(self, values):
    """Put several items behind the last one of a sequence."""
    for value in values:
        self.append(value)


def extended(self, values):
    """Put several items behind the last one of a sequence, and return it: +=."""
    self.extend(values)
    return self


def pop_item(self, index=-1):
    """Take an item out of a sequence, and return it."""
    value = self[index]
    del self[index]
    return value


MIXINS = {
    collections.abc.Mapping.keys: keys,
    collections.abc.Mapping.values: values,
    collections.abc.Mapping.items: items,
    collections.abc.Mapping.get: get,
    collections.abc.Mapping.__contains__: has_key,
    collections.abc.MutableMapping.update: update,
    collections.abc.MutableMapping.pop: pop,
    collections.abc.MutableMapping.setdefault: setdefault,
    collections.abc.Sequence.__iter__: go_through,
    collections.abc.Sequence.__reversed__: go_back,
    collections.abc.MutableSequence.append: append,
    collections.abc.MutableSequence.extend: extend,
    collections.abc.MutableSequence.__iadd__: extended,
    collections.abc.MutableSequence.pop: pop_item,
}
