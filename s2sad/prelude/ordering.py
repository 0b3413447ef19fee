"""Sorting and choosing by keys, reducing, and what of the module statistics gives several numbers."""

import statistics

import numpy as np

# mypy: ignore-errors


def sorted_by(items, key=None, reverse=False):
    """Return the items in the order of their keys; equal ones keep theirs."""
    items = list(items)
    if key is None:
        return sorted(items, reverse=reverse)
    keys = [key(item) for item in items]
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
    return [items[k] for k in order]


def sorted_objects(items, key=None, reverse=False):
    """Return objects in the order that their own `<` says; equal ones keep theirs."""
    made = []
    for item in items:
        place = len(made)
        while place > 0 and (made[place - 1] < item if reverse else item < made[place - 1]):
            place -= 1
        made.insert(place, item)
    return made


def insort(a, x, lo=0, hi=None, *, key=None):
    """Put an item into a list in order, behind those that are equal."""
    at = x if key is None else key(x)
    a.insert(_first_later(a, lambda k: at < (a[k] if key is None else key(a[k])), lo, hi), x)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    """Put an item into a list in order, before those that are equal."""
    at = x if key is None else key(x)
    a.insert(_first_later(a, lambda k: not (a[k] if key is None else key(a[k])) < at, lo, hi), x)


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    """Return the place in a list in order behind all that are no larger than an item."""
    if isinstance(a, np.ndarray) and key is None and hi is None and lo == 0:
        return int(np.searchsorted(a, x, side="right"))
    return _first_later(a, lambda k: x < (a[k] if key is None else key(a[k])), lo, hi)


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    """Return the place in a list in order before all that are no smaller than an item."""
    if isinstance(a, np.ndarray) and key is None and hi is None and lo == 0:
        return int(np.searchsorted(a, x, side="left"))
    return _first_later(a, lambda k: not (a[k] if key is None else key(a[k])) < x, lo, hi)


def _first_later(a, comes_later, lo, hi):
    """Return the first place of a list from `lo` on that comes later, as all behind it do."""
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if comes_later(middle):
            end = middle
        else:
            lo = middle + 1
    return lo


def max_by(items, key=None, default=None):
    """Return the first item whose key is largest."""
    return _first_by(items, key, default, lambda a, b: a > b)


def min_by(items, key=None, default=None):
    """Return the first item whose key is smallest."""
    return _first_by(items, key, default, lambda a, b: a < b)


def _first_by(items, key, default, comes_before):
    """Return the first item whose key comes before those of all others."""
    best = default
    best_key = None
    found = False
    for item in items:
        item_key = item if key is None else key(item)
        if not found or comes_before(item_key, best_key):
            best = item
            best_key = item_key
            found = True
    return best


def reduce(function, items, *initial):
    """Apply a function of two to the items from the first on."""
    if not hasattr(items, "shape"):
        items = list(items)
    if initial:
        total = initial[0]
    else:
        total = items[0]
        items = items[1:]
    for item in items:
        total = function(total, item)
    return total


def total_of(items, start=0):
    """Return the sum of the items."""
    total = start
    for item in items:
        total = total + item
    return total


def total_of_objects(items):
    """Return the sum of objects, of which there is one at least."""
    total = 0 + items[0]
    for k in range(1, len(items)):
        total = total + items[k]
    return total


def any_of(items):
    """Tell whether some item counts as true: those behind it are not made."""
    found = False
    for item in items:
        if item:
            found = True
            break
    return found


def all_of(items):
    """Tell whether every item counts as true: those behind one that does not are not made."""
    found = True
    for item in items:
        if not item:
            found = False
            break
    return found


def next_of(items):
    """Return the first item of an iterator."""
    for item in items:
        found = item
        break
    else:
        raise StopIteration
    return found


def next_or(items, default):
    """Return the first item of an iterator, or a default where it has none."""
    found = default
    for item in items:
        found = item
        break
    return found


def linear_regression(x, y, *, proportional=False):
    """Return slope and intercept of the line of least squares."""
    xs, ys = np.asarray(x), np.asarray(y)
    middle, level = (0.0, 0.0) if proportional else (np.mean(xs), np.mean(ys))
    offsets = xs - middle
    slope = np.sum(offsets * (ys - level)) / np.sum(offsets * offsets)
    return statistics.LinearRegression(slope, level - slope * middle)
