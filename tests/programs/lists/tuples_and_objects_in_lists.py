"""Lists of tuples and of objects whose parts are read, and such as are handed on, compared or written to."""

from __future__ import annotations

import itertools
from collections import namedtuple
from dataclasses import dataclass, replace

import numpy as np

from tests.programs.entry import Entry, numbers


@dataclass
class Lens:
    at: float
    power: float

    def bent(self, y, slope):
        return slope - y * self.power


@dataclass(frozen=True)
class Layer:
    weights: np.ndarray
    shift: np.ndarray


Knot = namedtuple("Knot", "at height")


def lenses_in_a_row(powers, ats):
    lenses = [Lens(at, power) for at, power in zip(ats, powers, strict=True)]
    y, slope, at = 1.0, 0.1, 0.0
    for lens in lenses:
        y = y + slope * (lens.at - at)
        slope = lens.bent(y, slope)
        at = lens.at
    return y * slope


def lenses_in_a_table(powers, ats):
    lenses = [{"at": ats[k], "power": powers[k]} for k in range(len(ats))]
    return sum(each["power"] * each["at"] ** 2 for each in lenses) * lenses[0]["power"]


def pairs_that_are_unpacked(u):
    pairs = []
    for k in range(len(u) - 1):
        pairs.append((k + 1, u[k] * u[k + 1]))
    total = 0.0
    for k, product in pairs:
        total += product**k
    return total * pairs[-1][1]


def pairs_of_another_length_than_what_they_go_with(u, w):
    pairs = [(x, x * x) for x in u]
    total = 0.0
    for (a, b), c in zip(pairs, w, strict=False):
        total += a * b * c
    return total + sum(b for a, b in pairs if a > 0.5)


def knots_with_names(u):
    knots = [Knot(k * 0.5, v) for k, v in enumerate(u)]
    area = 0.0
    for left, right in itertools.pairwise(knots):
        area += 0.5 * (right.at - left.at) * (left.height + right.height)
    return area**2


def knots_gone_through(u):
    knots = [Knot(k * 0.5, v * v) for k, v in enumerate(u)]
    return sum(knot.height * knot.at for knot in knots) * knots[1].height


def objects_written_to_later(u):
    lenses = [Lens(k, v) for k, v in enumerate(u)]
    for lens in lenses:
        lens.power = lens.power**2
    lenses[0].power *= 3.0
    return sum(lens.power * (lens.at + 1) for lens in lenses)


def objects_that_are_compared(u):
    lenses = [Lens(k, v) for k, v in enumerate(u)]
    first = lenses[0]
    return sum(lens.power**2 for lens in lenses if lens is not first)


def one_object_in_two_lists(u):
    lens = Lens(1.0, u[0])
    some, others = [lens, Lens(2.0, u[1])], [lens]
    others[0].power = u[2]
    return some[0].power * some[1].power ** 2


def objects_in_two_lists_that_only_hold(u):
    even = [Lens(k, v) for k, v in enumerate(u) if k % 2 == 0]
    every = [Lens(k, v * v) for k, v in enumerate(u)]
    return sum(a.power * b.power for a, b in zip(even, every, strict=False)) + len(even)


def objects_that_are_replaced_in_a_copy(u):
    lenses = [Lens(k, v) for k, v in enumerate(u)]
    stronger = [replace(lens, power=lens.power * 2.0) for lens in lenses]
    return sum(a.power * b.power**2 for a, b in zip(lenses, stronger, strict=True))


def list_that_is_made_anew_in_each_pass(u):
    pairs = [(1.0, u[0])]
    for k in range(1, len(u)):
        pairs = [(a + k, b * u[k]) for a, b in pairs]
    return sum(a * b for a, b in pairs)


def list_that_is_made_anew_and_read(u):
    pairs = [(u[0], 1), (u[1], 2)]
    total = 0.0
    for k in range(3):
        made = []
        for v, n in pairs:
            made.append((v * u[2], n + k))
        total += sum(v * n for v, n in made)
        pairs = made
    return total


def item_that_is_kept_whole(u):
    pairs = [(v, v * v) for v in u]
    best = pairs[0]
    for pair in pairs:
        if pair[1] > best[1]:
            best = pair
    return best[0] * best[1]


def item_that_is_replaced(u):
    pairs = [(v, 2.0) for v in u]
    pairs[1] = (u[0] * u[2], 3.0)
    return sum(v**2 * n for v, n in pairs)


def layers_of_arrays(u, v):
    layers = [Layer(np.outer(u, u) / 4.0, u), Layer(np.outer(v, u), v), Layer(np.eye(len(u)), u)]
    h = v
    for layer in layers:
        h = np.tanh(layer.weights @ h + layer.shift)
    return h @ layers[0].shift


def arrays_in_objects_written_in_place(u):
    layers = [Layer(np.outer(u, u), u * k) for k in range(3)]
    for layer in layers:
        layer.shift[0] += 2.0
        layer.weights[:] *= layer.shift
    return sum(np.sum(layer.weights**2) for layer in layers)


def shared_arrays_in_objects(u):
    shift = u * 2.0
    layers = [Layer(np.outer(u, u), shift) for _ in range(2)]
    shift *= u
    layers[0].shift[1] += 1.0
    return np.sum(layers[1].shift ** 2) + np.sum(layers[0].weights)


def given_back_as_well(u):
    pairs = [(v, v * v) for v in u]
    return sum(a * b for a, b in pairs), pairs


def sum_beside_what_is_given_back(u):
    total, pairs = given_back_as_well(u)
    return total + pairs[0][1]


def empty_at_times(u, n):
    pairs = [(u[k], k) for k in range(n)]
    total = u[0]
    for v, k in pairs:
        total += v**2 * k
    return total + (pairs[-1][0] if pairs else 0.0)


U = numbers(4) + 0.7

PROGRAMS = (
    Entry(lenses_in_a_row, (U, [1.0, 1.5, 2.5, 3.0])),
    Entry(lenses_in_a_row, (U, U * 2.0), (0, 1), note="by_both"),
    Entry(lenses_in_a_table, (U, [1.0, 1.5, 2.5, 3.0])),
    *(
        Entry(function, (U,))
        for function in (
            *(pairs_that_are_unpacked, knots_with_names, knots_gone_through),
            *(objects_written_to_later, objects_that_are_compared, one_object_in_two_lists),
            *(objects_in_two_lists_that_only_hold, objects_that_are_replaced_in_a_copy),
            *(list_that_is_made_anew_in_each_pass, list_that_is_made_anew_and_read),
            *(item_that_is_kept_whole, item_that_is_replaced, arrays_in_objects_written_in_place),
            *(shared_arrays_in_objects, sum_beside_what_is_given_back),
        )
    ),
    Entry(pairs_of_another_length_than_what_they_go_with, (U, U[:3] * 2.0), (0, 1)),
    Entry(layers_of_arrays, (U, U[::-1].copy()), (0, 1)),
    Entry(empty_at_times, (U, 3)),
    Entry(empty_at_times, (U, 0), note="empty"),
)
