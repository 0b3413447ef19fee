"""The iterators of itertools, and what tells generators from lists."""

# mypy: ignore-errors

from types import GeneratorType

import numpy as np


def isgenerator(value):
    """Tell whether a value is what a generator function or expression gives."""
    return isinstance(value, GeneratorType)


def product(*iterables, repeat=1):
    """Yield every choice of one item of each."""
    pools = _pools(*iterables)
    yield from _product(*pools) if repeat == 1 else _product(*pools * repeat)


def _pools(*iterables):
    """Return a list of the items of each."""
    return (list(iterables[0]), *_pools(*iterables[1:])) if len(iterables) > 0 else ()


def _product(*pools):
    """Yield every choice of one item of each list."""
    if len(pools) == 0:
        yield ()
    else:
        for first in pools[0]:
            for rest in _product(*pools[1:]):
                yield (first, *rest)


def combinations(items, r):
    """Yield r items in their order, in every way."""
    pool = list(items)
    yield from _chosen(1, 0, *[pool] * r)


def combinations_with_replacement(items, r):
    """Yield r items in their order, each any number of times."""
    pool = list(items)
    yield from _chosen(0, 0, *[pool] * r)


def _chosen(step, start, *pools):
    """Yield an item of each pool, which are one, each `step` or more behind that of the last."""
    if len(pools) == 0:
        yield ()
    else:
        for i in range(start, len(pools[0])):
            for rest in _chosen(step, i + step, *pools[1:]):
                yield (pools[0][i], *rest)


def permutations(items, r=None):
    """Yield r items in every order."""
    pool = list(items)
    if r is not None:
        yield from _permuted(pool, r, ())
    else:
        places, more = list(range(len(pool))), True
        while more:
            yield tuple([pool[i] for i in places])
            places, more = _next_order(places)


def _next_order(places):
    """Return positions in the order that comes next, and whether there is one."""
    k = len(places) - 2
    while k >= 0 and places[k] > places[k + 1]:
        k -= 1
    if k < 0:
        return places, False
    last = len(places) - 1
    while places[last] < places[k]:
        last -= 1
    rest = [*places[k + 1 : last], places[k], *places[last + 1 :]]
    return [*places[:k], places[last], *rest[::-1]], True


def _permuted(pool, r, taken):
    """Yield r items at places that are not taken."""
    if len(taken) == r:
        yield ()
    else:
        for i in range(len(pool)):
            if i not in taken:
                for rest in _permuted(pool, r, (*taken, i)):
                    yield (pool[i], *rest)


def pairwise(items):
    """Yield each item with the next."""
    pool = list(items)
    for k in range(len(pool) - 1):
        yield (pool[k], pool[k + 1])


def accumulate(items, func=None, *, initial=None):
    """Yield the running totals."""
    total = initial
    started = initial is not None
    if started:
        yield total
    for item in items:
        if not started:
            total = item
            started = True
        elif func is None:
            total = total + item
        else:
            total = func(total, item)
        yield total


def chain(*iterables):
    """Yield the items of one after the other."""
    for items in iterables:
        yield from items


def from_iterable(iterables):
    """Yield the items of each."""
    for items in iterables:
        yield from items


chain.from_iterable = from_iterable


def repeat(item, times=None):
    """Yield an item again and again."""
    if times is None:
        while True:
            yield item
    else:
        for _ in range(times):
            yield item


def count(start=0, step=1):
    """Yield numbers that grow by a step."""
    value = start
    while True:
        yield value
        value = value + step


def cycle(items):
    """Yield the items again and again: as they are at first, and then as they were."""
    pool = []
    for item in items:
        pool.append(item)
        yield item
    while True:
        yield from pool


def islice(items, first, stop=False, step=1):
    """Return an iterator of the items at places of a range: those of an array are a part of it."""
    if isinstance(stop, bool):  # none is given: `first` is where to stop
        first, stop = 0, first
    start, step = 0 if first is None else first, 1 if step is None else step
    if start < 0 or (stop is not None and stop < 0) or step < 1:
        raise ValueError("islice takes no negative places")
    if isinstance(items, np.ndarray):
        return iter(items[start:stop:step])
    return _at_places(items, start, stop, step)


def _at_places(items, start, stop, step):
    number = 0
    for item in items if stop is None or stop > 0 else ():
        if number >= start and (number - start) % step == 0:
            yield item
        number = number + 1
        if stop is not None and number >= stop:  # no more is taken of an iterator
            break


def zip_longest(first, second, *others, fillvalue=None):
    """Yield pairs of items as long as one of two has some."""
    if len(others) > 0:
        raise NotImplementedError("itertools.zip_longest of more than two")
    left, right = list(first), list(second)
    for k in range(max(len(left), len(right))):
        a = left[k] if k < len(left) else fillvalue
        b = right[k] if k < len(right) else fillvalue
        yield a, b


def groupby(items, key=None):
    """Yield each key with the items in a row that have it."""
    group, last = [], None
    for item in items:
        at = item if key is None else key(item)
        if len(group) > 0 and at != last:
            yield last, iter(group)
            group = []
        group.append(item)
        last = at
    if len(group) > 0:
        yield last, iter(group)


def takewhile(test, items):
    """Yield items up to the first that fails a test."""
    for item in items:
        if not test(item):
            break
        yield item


def dropwhile(test, items):
    """Yield items from the first that fails a test on."""
    started = False
    for item in items:
        if not started and not test(item):
            started = True
        if started:
            yield item


def starmap(function, items):
    """Return what a function gives for each tuple of arguments."""
    return (function(*item) for item in items)


def compress(items, selectors):
    """Return the items beside which a selector is true."""
    return (item for item, selector in zip(items, selectors, strict=False) if selector)


def filterfalse(test, items):
    """Return the items that fail a test."""
    return (item for item in items if not (item if test is None else test(item)))


def filtered(test, items):
    """Return the items that pass a test."""
    return (item for item in items if (item if test is None else test(item)))
