"""Dicts that make their entries, count, or turn their order; objects of fields alone."""

# mypy: ignore-errors

import copy

import numpy as np

from s2sad.prelude import mixins


def united(first, second):
    """Return a dict of the entries of both: those of the second count."""
    made = dict(first)
    made.update(second)
    return made


def paired(pairs):
    """Return a dict of pairs of a key and a value."""
    made = {}
    for key, value in pairs:
        made[key] = value
    return made


def entries(mapping):
    """Return a dict of what an object that has keys holds."""
    if hasattr(mapping, "__as_list__"):
        return dict(mapping.__as_list__())
    keys = mapping.keys()
    return {key: mapping[key] for key in keys}


def fromkeys(keys, value=None):
    """Return a dict with one value under all keys."""
    return {key: value for key in keys}  # noqa: C420


def of_items(cls, items):
    """Return an object of a class of named tuples: its method _make."""
    return cls(*items)


def copied_pair(first, second):
    """Return copies of two arrays: of one array that stands twice there is one copy."""
    made = copy.deepcopy(first)
    return made, made if second is first else copy.deepcopy(second)


class Namespace:
    """An object that has the fields that it is given, and those that are stored to."""

    def __init__(self, /, **fields):
        """Hold fields."""
        for name, value in fields.items():
            setattr(self, name, value)

    def __eq__(self, other):
        """Tell whether another one has the same fields with the same values."""
        return isinstance(other, Namespace) and vars(self) == vars(other)


class Found(Namespace):
    """What a solver finds, with the values of its function there: these are had where they are asked for."""

    def __getitem__(self, key):
        """Return what is found, by its name."""
        return getattr(self, key)

    @property
    def fun(self):
        """Return the value of the function."""
        return self._function(self.x, *self._args)

    @property
    def cost(self):
        """Return half the sum of the squares of what least_squares is given."""
        return 0.5 * np.sum(np.square(self.fun))


def states_at(solve, t):
    """Return the states of a flow at a moment, or at several in any order: the `sol` of solve_ivp."""
    if np.ndim(t) == 0:
        return solve(t_eval=[t]).y[:, 0]
    times, places = np.unique(t, return_inverse=True)
    return solve(t_eval=times).y[:, places]


def value_alone(function):
    """Return what a function gives first, of one that gives its gradient, too."""
    return lambda *args: function(*args)[0]


class OrderedDict:
    """A dict whose entries can be moved to its ends."""

    def __init__(self, entries=(), /, **more):
        """Hold entries: a dict, or pairs of a key and a value."""
        self.held = {}
        self.update(entries, **more)

    update = mixins.update

    def __getitem__(self, key):
        """Return what is held under a key."""
        return self.held[key]

    def __setitem__(self, key, value):
        """Hold a value under a key."""
        self.held[key] = value

    def __delitem__(self, key):
        """Take an entry out."""
        del self.held[key]

    def __contains__(self, key):
        """Tell whether a key is there."""
        return key in self.held

    def __len__(self):
        """Return the number of entries."""
        return len(self.held)

    def __iter__(self):
        """Go through the keys."""
        return iter(self.held)

    def __reversed__(self):
        """Go through the keys from the last."""
        return reversed(self.held)

    def __as_list__(self):
        """Return the entries as a dict."""
        return self.held

    def keys(self):
        """Return the keys."""
        return self.held.keys()

    def values(self):
        """Return the values."""
        return self.held.values()

    def items(self):
        """Return the keys with their values."""
        return self.held.items()

    def get(self, key, default=None):
        """Return what is held under a key, or a default."""
        return self.held.get(key, default)

    def setdefault(self, key, default=None):
        """Return what is held under a key; hold a default where it is not there."""
        return self.held.setdefault(key, default)

    def pop(self, key, *default):
        """Take out what is held under a key."""
        return self.held.pop(key, *default)

    def popitem(self, last=True):
        """Take out the last entry, or the first."""
        keys = list(self.held)
        key = keys[-1] if last else keys[0]
        return key, self.held.pop(key)

    def move_to_end(self, key, last=True):
        """Move an entry behind the last, or before the first."""
        value = self.held.pop(key)
        if last:
            self.held[key] = value
        else:
            rest = self.held
            self.held = {key: value}
            self.held.update(rest)

    def clear(self):
        """Take all entries out."""
        self.held = {}

    def like(self, entries):
        """Return a dict of this kind that holds other entries."""
        return OrderedDict(entries)

    def copy(self):
        """Return a dict of the same entries."""
        return self.like(self.held)

    def __or__(self, other):
        """Return a dict of the entries of both: those of the second count."""
        made = self.like(self.held)
        made.update(other)
        return made

    def __ror__(self, other):
        """Return a dict of the entries of both: those of this one count."""
        made = self.like(other)
        made.update(self.held)
        return made

    def __ior__(self, other):
        """Take in the entries of another dict."""
        self.update(other)
        return self


class DefaultDict(OrderedDict):
    """A dict that makes the entries that it is asked for."""

    def __init__(self, default_factory=None, entries=(), /, **more):
        """Hold entries, and what makes others."""
        self.default_factory = default_factory
        self.held = {}
        self.update(entries, **more)

    def __getitem__(self, key):
        """Return what is held under a key; it is made where it is not there."""
        if key not in self.held:
            self.held[key] = self.default_factory()
        return self.held[key]

    def like(self, entries):
        """Return a dict that makes what it is asked for in the same way."""
        return DefaultDict(self.default_factory, entries)


class Counter(OrderedDict):
    """A dict of numbers; of what it does not hold it says 0."""

    def __init__(self, items=(), /, **more):
        """Count items, or hold the numbers of a dict."""
        self.held = {}
        self.update(items, **more)

    def update(self, items=(), /, **more):
        """Count items, or add the numbers of a dict."""
        if hasattr(items, "keys"):
            for key in items:
                self[key] = self[key] + items[key]
        else:
            for key in items:
                self[key] = self[key] + 1
        for key, value in more.items():
            self[key] = self[key] + value

    def __getitem__(self, key):
        """Return the number under a key."""
        return self.held.get(key, 0)

    def total(self):
        """Return the sum of the numbers."""
        return sum(self.held.values())

    def most_common(self, n=None):
        """Return the keys and their numbers, the largest first; of equal ones the first."""
        pairs = sorted(self.held.items(), key=lambda pair: -pair[1])
        return pairs if n is None else pairs[:n]

    def like(self, entries):
        """Return a dict of other numbers."""
        return Counter(entries)

    def __or__(self, other):
        """Return the larger ones of the numbers of both, where they are positive."""
        made = {**self.held, **other.held}
        for key in made:
            made[key] = max(self[key], other[key])
        return Counter({key: number for key, number in made.items() if number > 0})

    def __ror__(self, other):
        """Return a dict of the entries of both: those of this one count."""
        return united(other, self.held)

    def __ior__(self, other):
        """Hold the larger ones of the numbers of both, where they are positive."""
        self.held = (self | other).held
        return self
