"""Objects in tests: they are true by their length, or as their class says, beside other tests too."""

from __future__ import annotations

from collections import deque

import numpy as np

from tests.programs.entry import Entry, numbers


class Box:
    def __init__(self):
        self.items = []

    def __len__(self):
        return len(self.items)


class Level:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return bool(self.value > 0.5)


def filled_and_large(x):
    box, total = Box(), 0.0
    for value in x:
        if box and value > 0.3:
            total = total + value**2
        if value > 0.5:
            box.items.append(value)
    return total


def empty_or_large(x):
    box, total = Box(), 0.0
    for value in x:
        total += (1.0 if box or value > 0.6 else 2.0) * value**2
        if value > 0.3 and not box:
            box.items.append(value)
    return total


def high_and_going_on(x):
    level, total = Level(x[0] + x[1]), 0.0
    while level and total < 3.0:
        total = total + level.value**2
        level = Level(level.value * 0.8)
    return total


def largest_of_three(x):
    """A queue of positions that is looked into while it holds any."""
    places, total = deque(), 0.0
    for k, value in enumerate(x):
        while places and x[places[-1]] <= value:
            places.pop()
        places.append(k)
        if places[0] <= k - 3:
            places.popleft()
        total = total + x[places[0]] ** 2
    return total


def none_or_a_level(x):
    best, total = None, 0.0
    for value in x:
        if best:
            total += value * best.value
        if best is not None and best and value > 0.4:
            total += value**2
        if value > 0.2:
            best = Level(value)
    return total


def one_level_or_another(x):
    first, second, total = Level(x[0]), Level(x[1]), 0.0
    for value in x:
        chosen = first or second
        total += chosen.value * value
        first = Level(value)
    return total


def a_box_or_a_test(x):
    box, total = Box(), 0.0
    for value in x:
        is_kept = box and value > 0.3
        if is_kept:
            total = total + value**2
        box.items.append(value)
    return total


def truths_as_numbers(x):
    """A truth is True or False, and no length."""
    full, empty, count = Box(), Box(), 0
    for value in x:
        if value > -0.9:
            full.items.append(value)
            count += 1
    found = bool(full) + 2 * any((full, empty)) + 4 * all(each for each in (full, full))
    twice = 8 * (not not full) + 16 * (not not count)  # noqa: SIM208
    return x[0] ** 2 * (1.0 + found + twice + (not empty))


def as_array_if_any(x):
    """The tests stand in a list: which of them hold is known, and so is what x is afterwards."""
    if any([isinstance(x, list), isinstance(x, tuple)]):
        x = np.array(x)
    if sum([isinstance(x, np.ndarray), x is None]) == 1:
        x = x * 2.0
    return np.sum(x**2)


PROGRAMS = (
    Entry(as_array_if_any, (list(numbers(3)),), like_only=True),
    Entry(as_array_if_any, (numbers(3),), note="array"),
    *(
        Entry(function, (numbers(7, start=start),), note=str(start))
        for start in (0.3, 0.8)
        for function in (
            *(filled_and_large, empty_or_large, high_and_going_on, largest_of_three),
            *(none_or_a_level, one_level_or_another, truths_as_numbers),
        )
    ),
    Entry(a_box_or_a_test, (numbers(7),), may_refuse=True),
)
